//! The physics of mechanisms, written once over a [`Scalar`](mbs_expr::Scalar): poses, expressions, residuals, kinetics,
//! loads. Only three things are differentiated here: quantities with respect to time, declared poses with respect to their coordinates
//! ([`Dual`](mbs_expr::Dual)), and, over numbers, expressions ([`Mechanics::gradient`]).

mod adjoint;
mod basics;
mod conditions;
mod contacts;
mod declared_speeds;
mod dynamics;
mod evaluate;
mod frame;
mod from_interface;
mod kinematics;
pub mod linear;
mod names;
mod natural;
mod pose_evaluator;
mod reactions;
mod redundant;
mod shared;
mod space;
mod tree;

pub use adjoint::{observable_derivatives, partials};
pub use basics::{choose_basics, in_formulation, set_formulation};
pub use conditions::{condition_difference, is_uncounted_condition};
pub use contacts::contact;
pub use declared_speeds::DeclaredSpeeds;
pub use evaluate::{
    Mechanics, PlanarMechanics, Poses, SpatialMechanics, Variables, default_symbol_values, default_variables,
};
pub use frame::{Frame, FrameSum};
pub use kinematics::{BodyState, Kinematics, Motion, PoseInputs};
pub use names::ItemNames;
pub use natural::basis::{BasicFrame, Term, basis_terms, mass_block};
pub use natural::planar_moments;
pub use reactions::{Derivatives, JointReaction, Reactions, Wrench};
pub use redundant::Redundant;
pub use shared::side_of_joint;
pub use space::exact_sin_cos;
pub use space::{
    Articulated, AttitudeCoordinates, BasisRotation, GatheredLoads, InertialDerivatives, Link, LinkOwner, LinkState,
    LinkWrench, Mobilizer, Moments, PlacedBasis, SpaceState, identity_parameters, off_axis_vector,
};
pub use tree::{InterfaceCoordinate, InterfaceSpeed, Placement, Prescribed, SolverCoordinate, Tree};
