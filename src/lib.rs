//! Compiled mechanisms: declare a multibody system, get specialised, allocation-free Rust, see it move.
//!
#![cfg_attr(all(feature = "std", feature = "macros"), doc = "```")]
#![cfg_attr(not(all(feature = "std", feature = "macros")), doc = "```ignore")]
//! use mbs::Simulation;
//!
//! mbs::mechanism! {
//!     /// A uniform rod, hung at one end.
//!     pub planar Pendulum {
//!         gravity: [0, -9.81];
//!         param length = 0.5;                                     // m, tunable at run time
//!         const mass = 0.2;                                       // kg, folded into the code
//!         body rod { mass, inertia: mass * length.powi(2) / 12, com: [0, -length / 2] }
//!         joint pin = revolute(ground, rod);
//!         initial pin.angle = 0.3;                                // rad
//!         output angle = pin.angle;
//!     }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let pendulum = Pendulum::new(pendulum::Params { length: 0.6, ..Default::default() })?;
//!     let recording = Simulation::new(&pendulum).duration(2.0).every(0.01).run()?;
//!     println!("after two seconds the angle is {:.3} rad", recording.output("angle")?[200]);
//!     recording.page().write("target/pendulum.html")?;            // for any browser
//!     Ok(())
//! }
//! ```
//!
//! | to | see |
//! |---|---|
//! | declare a mechanism | [`mechanism!`], or a robot's file in [`urdf!`]; the generated type is a [`FullMechanism`] |
//! | write a mechanism by hand | [`Mechanism`]; [`Describe`], [`Eventful`], [`Momenta`], which have defaults |
//! | simulate it | [`Simulation`], [`Integrator`], [`Stabilization`]; loads at run time: [`Loaded`] |
//! | act on events during a run | [`Simulation::event`], [`Recording::events`]; in your own loops [`Events`] |
//! | prescribe a motion: kinematics, bearing forces, motor torques | [`Kinematics`], [`InverseDynamics`], [`analysis`] |
//! | find its equilibria, and its vibrations there | [`Statics`], [`Modes`] |
//! | look at the outcome | [`Recording`]: columns by name, [CSV](Recording::write_csv), [an animated page](Recording::page) |
//! | linearise it, step it for a controller or a filter | [`Discrete`] (x⁺, A and B of a step), [`error_jacobian`], [`Differentiable`] |
//! | write the loop yourself, with or without `std` | [`State`], [`assemble`], [`Stepper`] ([`Rk4`], [`DormandPrince`], …), [`Recorder`] |
//! | write a mechanism or an integrator by hand | [`Mechanism`], and the parts of the [`runtime`] |
//! | run it without compiling it (feature `engine`) | [`Engine`], [`builder`] |
//! | know why it does not move | [`diagnose`], [`Diagnosis`] |
//! | know why a call failed | [`Error`] at run time; [`Failure`] of a simulation, in the words of the declaration |
//!
//! The book in `docs/` has the language, the joints and forces, the mathematics and the limits.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `std` | yes | simulation, recordings, reports; without it everything here is `no_std` and allocates nothing |
//! | `macros` | yes | `mechanism!` |
//! | `urdf` | no | robots in URDF: `urdf!`, and `import "arm.urdf";` in `mechanism!` |
//! | `nalgebra` | yes | `vector`, `Table::matrix`, [conversions](convert); [`Diagnosis`], [`Statics`], [`Modes`] |
//! | `harmonics` | no | [`analysis::Harmonics`], [`analysis::BlockLoads`], [`analysis::TorqueFluctuation`] |
//! | `glam` | no | [conversions](convert) of rotations and poses to types of glam, without `std` too |
//! | `mint` | no | [conversions](convert) to types of mint, which other libraries convert to their own types |
//! | `engine` | no | [`Engine`]: mechanisms read or [built](builder) at run time |
//! | `serde` | no | `Serialize`, `Deserialize` of a `Recording` |
//! | `plot` | no | `report::Plot`: SVG through `plotters` |
#![cfg_attr(
    not(all(feature = "engine", feature = "harmonics", feature = "macros", feature = "nalgebra", feature = "urdf")),
    allow(rustdoc::broken_intra_doc_links)
)]
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

// Generated code names the runtime at the root. The items listed below and in `runtime` are for users, the others for generated code only.
#[doc(hidden)]
pub use mbs_core::*;
#[doc(hidden)]
pub use mbs_core::{math, select_fma};

#[doc(inline)]
pub use mbs_core::{
    BicubicSpline, CubicSpline, Describe, Differentiable, Discrete, DormandPrince, Error, Eventful, Events,
    ExplicitEuler, FullMechanism, Gauss4, Gauss6, GeneralizedAlpha, ImplicitMidpoint, Item, Mechanism, Momenta, Opaque,
    Phasor, Pose, Reaction, RigidBodyState, Rk2, Rk3, Rk4, Scheme, SemiImplicitEuler, Stabilization, State, StateView,
    Stepper, Tracker, Trigger, ZeroOrderHold, Zhong06, assemble, assemble_positions, check_derivatives, check_opaque,
    error_jacobian, harmonic, integrators, rotation, zero_inputs,
};

#[cfg(any(feature = "nalgebra", feature = "glam", feature = "mint"))]
pub mod convert;

#[cfg(feature = "glam")]
pub use glam;
#[cfg(feature = "mint")]
pub use mint;
#[cfg(feature = "nalgebra")]
pub use nalgebra;

#[cfg(feature = "macros")]
pub use mbs_macros::mechanism;
#[cfg(feature = "urdf")]
pub use mbs_macros::urdf;

#[cfg(feature = "engine")]
pub use mbs_engine as engine;
#[cfg(feature = "engine")]
#[doc(inline)]
pub use mbs_engine::{Engine, builder};

#[cfg(feature = "std")]
#[doc(inline)]
pub use mbs_simulation::analysis::{self, InverseDynamics, Kinematics};
#[cfg(all(feature = "std", feature = "nalgebra"))]
#[doc(inline)]
pub use mbs_simulation::analysis::{Modes, Statics};
#[cfg(all(feature = "std", feature = "nalgebra"))]
#[doc(inline)]
pub use mbs_simulation::diagnosis::{Diagnosis, diagnose};
#[cfg(feature = "std")]
#[doc(inline)]
pub use mbs_simulation::{
    DiscreteVariable, Failure, Integrator, Loaded, Loads, Quantity, Recorder, Recording, Simulation, Table,
    UnknownName, report,
};

/// Parts of the runtime for mechanisms, integrators and loops that are written by hand: arguments and results of the methods of
/// [`Mechanism`], projections, the parts of events and errors, and linear solvers.
pub mod runtime {
    #[doc(inline)]
    pub use mbs_core::{
        ChangePoint, Closing, Condition, Contact, Corrections, DenseWorkspace, Domain, Energy, Event, Fault, FewDigits,
        Followed, GaussRungeKutta, History, Inputs, Level, Limits, Linearization, MotionWork, Obstacle, Outline,
        Placement, Projection, RankDeficiency, Real, Report, RowKind, SaddleWorkspace, Shape, Sizes, StageCoefficients,
        StageRows, StateRanges, Statistics, StepPath, Storage, Unsuited, Visual, WrenchJacobian, WrongDerivative,
        admissible_speeds_of_momenta, check_regular, least_accelerations, least_velocities, max_norm,
        momenta_of_energy, momentum_rates_of_accelerations, project, project_positions, project_velocities,
        solve_saddle, solve_symmetric, transitivity_of_derivatives,
    };
}

/// Splines through points: the conditions at their ends and beyond, and the errors of points that do not fit.
pub mod spline {
    #[doc(inline)]
    pub use mbs_core::{Beyond, BicubicSpline, CubicSpline, Ends, GridError, SplineError};
}

/// Simulation: assemble, integrate, record.
///
/// [`Simulation`] does all three. [`Recorder`] records states that your own loop produces, and [`Loaded`] applies loads to a mechanism
/// for such a loop.
#[cfg(feature = "std")]
pub mod simulation {
    #[doc(inline)]
    pub use mbs_simulation::{
        Body, BodyName, Cause, Connection, Curve, DiscreteVariable, Failure, Integrator, Loaded, Loads, Marker,
        Occurrence, Occurrences, Quantity, ReactionColumns, Recorder, Recording, Simulation, Table, UnknownName,
    };
}

/// Diagnosis in plain words of a mechanism that does not move, or will soon stop. [`diagnose`] examines any mechanism with a description
/// ([`Describe`]) in a state, and a [`Diagnosis`] reports its findings.
#[cfg(all(feature = "std", feature = "nalgebra"))]
pub mod diagnosis {
    #[doc(inline)]
    pub use mbs_simulation::diagnosis::{Diagnosis, Element, Finding, Miss, Motion, Unit, diagnose};
}

/// A slice, such as coordinates or accelerations, as an nalgebra vector. The slice is borrowed, nothing is copied.
///
/// Kernels and integrators work on slices; this function and `matrix` of a recorded table convert them.
#[cfg(feature = "nalgebra")]
pub fn vector(values: &[f64]) -> nalgebra::DVectorView<'_, f64> {
    nalgebra::DVectorView::from_slice(values, values.len())
}

/// The book's Rust snippets, compiled and run as documentation tests; those that name crates of the compiler are in `tests/`.
#[cfg(all(doctest, feature = "std", feature = "macros"))]
mod book {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../mbs-macros/src/language.md")]
    mod language {}
    #[doc = include_str!("../docs/getting-started.md")]
    mod getting_started {}
    #[cfg(feature = "urdf")]
    #[doc = include_str!("../docs/urdf.md")]
    mod urdf {}
    #[cfg(feature = "urdf")]
    #[doc = include_str!("../docs/generated.md")]
    mod generated {}
    #[doc = include_str!("../docs/mathematics.md")]
    mod mathematics {}
    #[cfg(feature = "harmonics")]
    #[doc = include_str!("../docs/running.md")]
    mod running {}
    #[cfg(feature = "harmonics")]
    #[doc = include_str!("../docs/analyses.md")]
    mod analyses {}
    #[cfg(feature = "nalgebra")]
    #[doc = include_str!("../docs/diagnosis.md")]
    mod diagnosis {}
    #[cfg(feature = "engine")]
    #[doc = include_str!("../docs/engine.md")]
    mod engine {}
    #[cfg(feature = "engine")]
    #[doc = include_str!("../docs/builder.md")]
    mod builder {}
    #[doc = include_str!("../docs/no-std.md")]
    mod no_std {}
    #[doc = include_str!("../docs/numerics.md")]
    mod numerics {}

    #[doc = include_str!("../docs/rible.md")]
    mod rible {}
}
