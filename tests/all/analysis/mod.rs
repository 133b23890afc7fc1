//! Analyses of prescribed motions, against closed forms and in both formulations.
//!
//! Mechanisms are texts that the generic engine reads, so that lengths and drives are what each test needs.

mod branches;
mod cycles;
mod cylinders;
mod flywheels;
mod four_bars;
mod freedoms;
mod harmonics;
mod kinematics;
mod mechanisms;
mod obstacles;
mod reactions;
mod synthesis;
