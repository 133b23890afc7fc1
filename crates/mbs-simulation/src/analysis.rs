//! Analyses of mechanisms.
//!
//! | to | see |
//! |---|---|
//! | follow a prescribed motion: positions, velocities, accelerations | [`Kinematics`] |
//! | compute the loads of its drives and bearings | [`InverseDynamics`], [`Recording::drive`](crate::Recording::drive), [`Recording::reaction`](crate::Recording::reaction) |
//! | tabulate a revolution of the crank | [`Recording::cycle`](crate::Recording::cycle) |
//! | decompose it into orders | [`Cycle::harmonics`], [`Harmonics`] |
//! | compute the loads of an engine with several cylinders on its block | [`BlockLoads`], [`Cylinder`] |
//! | size a flywheel for its torque | [`Harmonics::torque_fluctuation`], [`TorqueFluctuation::flywheel`] |
//! | find extreme values, dead points, strokes, time ratios | [`Recording::extremes`](crate::Recording::extremes), [`dead_points`](crate::Recording::dead_points), [`strokes`](crate::Recording::strokes), [`quick_return`](crate::Recording::quick_return); [`refine`] |
//! | measure a coupler curve | [`Recording::trace`](crate::Recording::trace) |
//! | judge how a linkage transmits forces | [`FourBarLinkage`], [`Recording::transmission_angle`](crate::Recording::transmission_angle) |
//! | make a four-bar for positions or for a function | [`MotionGenerator`], [`FunctionGenerator`] |
//! | find its equilibrium under its loads | [`Statics`] (feature `nalgebra`) |
//! | find its modes of vibration there: frequencies, damping, shapes | [`Modes`] (feature `nalgebra`) |
//!
//! Tables, extremes and curves work on every recording, also of forward runs. Chapter *Analyses* of the book shows them with examples.

#[cfg(feature = "nalgebra")]
mod admissible;
mod columns;
mod curve;
mod cycle;
#[cfg(feature = "harmonics")]
mod cylinders;
#[cfg(feature = "nalgebra")]
mod derivatives;
#[cfg(feature = "nalgebra")]
mod equilibrium;
mod error;
mod extremes;
#[cfg(feature = "harmonics")]
mod flywheel;
mod four_bar;
#[cfg(feature = "harmonics")]
mod harmonics;
mod inverse_dynamics;
mod kinematics;
#[cfg(feature = "nalgebra")]
mod modes;
mod motion;
mod strokes;
mod trace;
mod transmission;

pub use cycle::{Cycle, CycleColumn, CycleTable};
#[cfg(feature = "harmonics")]
pub use cylinders::{BlockLoads, Cylinder};
#[cfg(feature = "nalgebra")]
pub use equilibrium::{Equilibrium, NoEquilibrium, Statics};
pub use error::AnalysisError;
pub use extremes::{Extreme, ExtremeKind, Extremes, refine};
#[cfg(feature = "harmonics")]
pub use flywheel::TorqueFluctuation;
pub use four_bar::{
    AngleScale, Assembly, ChangePoint, CouplerPosition, Defect, Dyad, FourBarLinkage, FourBarPose, FunctionGenerator,
    Grashof, Link, MotionGenerator, RockerLimit, chebyshev_spacing,
};
#[cfg(feature = "harmonics")]
pub use harmonics::Harmonics;
pub use inverse_dynamics::InverseDynamics;
pub use kinematics::Kinematics;
#[cfg(feature = "nalgebra")]
pub use modes::{Mode, ModeKind, Modes, Swings};
pub use strokes::{QuickReturn, Stroke};
pub use trace::Trace;
