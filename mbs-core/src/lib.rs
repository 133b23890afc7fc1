//! Runtime of `mbs`: `no_std`, no allocator, depends on `mbs-math` and `libm` alone.
//!
//! A [`Mechanism`] is M a + Gᵀ λ = Q, G a = γ, q̇ = N v. A run is three calls, for any of them:
//!
//! 1. [`State::new`] takes the declared guess;
//! 2. [`assemble`] makes it satisfy the constraints, with the `initial` conditions imposed;
//! 3. [`Stepper::advance_to`] of an integrator, such as [`Rk4`] or [`DormandPrince`], advances it, and maintains the constraints
//!    by [`Stabilization`].
//!
//! For a mechanism with derivatives ([`Differentiable`]), [`Discrete`] computes the next state and its derivatives with respect to state and inputs:
//! x⁺ = f(x, u, h), A = ∂x⁺/∂x and B = ∂x⁺/∂u. [`error_jacobian`] computes A and B of the continuous motion.
//!
//! [`Events`] advances a mechanism with events ([`Eventful`]): a stop is struck, a controller samples, a run ends. [`Zhong06`]
//! advances momenta ([`Momenta`]). Names and drawings ([`Describe`]) are for recordings and reports: nothing in this crate uses them.
//!
//! Where rows prescribe the motion, [`Tracker`] follows it instead: kinematics and inverse dynamics.
//!
//! [`rotation`] converts attitudes and relates their rates to angular velocities; [`RigidBodyState`] is the state of a free body
//! in any of them.
//!
//! [`CubicSpline`] is a function through points, [`BicubicSpline`] one over a grid, made when compiling or at run time.
//!
//! [`Phasor`] is one order of a periodic function, [`harmonic`] computes it from samples.
//!
//! [`math`] contains the scalar functions of generated code, [`solve_symmetric`] is the fallback of its factorisations.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

mod assemble;
mod change_points;
mod describe;
mod differentiable;
mod discrete;
mod domain;
mod error;
mod event;
mod events;
mod full_mechanism;
mod history;
pub mod integrators;
mod kinematics;
mod limits;
mod linear;
mod mechanism;
mod memories;
mod momenta;
mod opaque;
mod outline;
mod project;
mod rigid_body;
pub mod rotation;
mod singular;
mod stage;
mod state;
mod step_path;
mod visual;

pub use assemble::{Report, assemble, assemble_positions};
pub use change_points::ChangePoint;
pub use describe::Describe;
pub use differentiable::{Differentiable, StageCoefficients, StageRows, transitivity_of_derivatives};
pub use discrete::{Discrete, Linearization, Scheme, error_jacobian};
pub use domain::Domain;
pub use error::{Error, Fault, FewDigits, Unsuited};
pub use event::{Event, Eventful, Trigger};
pub use events::Events;
pub use full_mechanism::FullMechanism;
pub use history::History;
pub use integrators::{
    DormandPrince, ExplicitEuler, Gauss4, Gauss6, GaussRungeKutta, GeneralizedAlpha, ImplicitMidpoint, Inputs, Rk2,
    Rk3, Rk4, SemiImplicitEuler, Statistics, Stepper, ZeroOrderHold, Zhong06, zero_inputs,
};
pub use kinematics::{MotionWork, Obstacle, Tracker, least_accelerations, least_velocities};
pub use limits::Limits;
#[doc(hidden)]
#[cfg(feature = "std")]
pub use linear::solve_columns_fused;
pub use linear::{DenseWorkspace, RankDeficiency, SaddleWorkspace, solve_saddle, solve_symmetric};
#[doc(hidden)]
pub use linear::{NO_SCALE, SWAP, solve_columns_plain, substitute};
pub use mbs_math::{
    Beyond, BicubicSpline, CubicSpline, Ends, GridError, Phasor, Real, SplineError, all_finite, harmonic, math,
    matrix_of_rows, max_norm, nearest, select_fma, spline,
};
pub use mechanism::{
    Condition, Corrections, Energy, Item, Level, Mechanism, Placement, Pose, Reaction, RowKind, Sizes, StateView,
    Storage,
};
pub use momenta::{Momenta, admissible_speeds_of_momenta, momenta_of_energy, momentum_rates_of_accelerations};
pub use opaque::{DerivativeWatch, Opaque, WrongDerivative, check_derivatives, check_opaque, watch_derivatives};
pub use outline::{Closing, Contact, Outline};
pub use project::{Projection, Stabilization, project, project_positions, project_velocities};
pub use rigid_body::{RigidBodyState, StateRanges, WrenchJacobian};
pub use singular::check_regular;
#[doc(hidden)]
pub use stage::StageValues;
pub use state::State;
pub use step_path::{Followed, StepPath};
pub use visual::{Shape, Visual};
