//! Analyses of prescribed motions, against closed forms and in both formulations.
//!
//! Mechanisms are texts for the generic engine, so that each test sets its lengths and drives.

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
