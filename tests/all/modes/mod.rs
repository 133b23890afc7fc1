//! Static equilibrium, linearisation and modes, against closed forms, simulations and each other in every formulation.
//!
//! Mechanisms are texts that the interpreter of compiled programs runs, so that lengths and stiffnesses are what each test needs.

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
