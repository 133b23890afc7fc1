//! Static equilibrium, linearisation and modes, against closed forms, simulations and each other in every formulation.
//!
//! Mechanisms are texts for the interpreter of compiled programs, so that each test sets its lengths and stiffnesses.

mod bars;
mod closed_forms;
mod engines;
mod general;
mod linearized;
mod mechanisms;
mod pages;
mod prism;
mod rows;
mod simulated;
mod space;
mod statics;
