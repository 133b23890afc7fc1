//! Graphs of operations: optimised, scheduled, substituted, printed.

mod factoring;
mod printed;
mod schedules;
mod substitutions;
