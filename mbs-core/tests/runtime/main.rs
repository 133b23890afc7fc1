//! The runtime on mechanisms written by hand: assembly, integrators, events, rotations.

mod adaptive;
mod assembly;
mod attitude_rates;
mod attitudes;
mod columns;
mod constraints;
mod dense;
mod discrete;
mod discrete_derivatives;
mod error_texts;
mod events;
mod events_handled;
mod events_in_order;
mod gauss;
mod generalized_alpha;
mod implicit_midpoint;
mod kinematics;
#[path = "../models/mod.rs"]
mod models;
mod orders;
mod rigid_body;
mod rotations;
mod satellite;
mod sin_cos;
mod splines;
#[path = "../../../tests/tier.rs"]
mod tier;
mod tops;
mod zhong06;
