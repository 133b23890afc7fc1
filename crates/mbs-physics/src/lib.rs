//! The physics of mechanisms, written once over a [`Scalar`](mbs_expr::Scalar): poses, expressions, residuals, kinetics,
//! loads. Nothing is differentiated here but with respect to time, poses that a text declares along their coordinates
//! ([`Dual`](mbs_expr::Dual)), and numbers, where they are asked for, by [`Mechanics::gradient`].

mod adjoint;
mod basics;
mod conditions;
mod contacts;
mod declared_speeds;
mod dynamics;
mod evaluate;
mod frame;
mod kinematics;
pub mod linear;
mod names;
mod natural;
mod posed;
mod reactions;
mod redundant;
mod shared;
mod space;
mod tree;
mod undefined;

pub use adjoint::{observable_derivatives, partials};
pub use basics::{choose_basics, in_formulation, set_formulation};
pub use contacts::contact;
pub use declared_speeds::DeclaredSpeeds;
pub use evaluate::{Mechanics, Variables, default_symbol_values, default_variables};
pub use frame::{Frame, FrameSum};
pub use kinematics::{BodyState, Kinematics, Motion, Placing};
pub use names::ItemNames;
pub use reactions::{Derivatives, Exerted, JointReaction, Wrench};
pub use redundant::Redundant;
pub use space::exact;
pub use space::{
    Articulated, Freedom, Gathered, InertialDerivatives, Link, LinkOwner, LinkState, LinkWrench, Moments, SpaceState,
    Turning, identity_parameters,
};
pub use tree::{InterfaceCoordinate, InterfaceSpeed, Placement, Prescribed, SolverCoordinate, Tree};
pub use undefined::undefined;
