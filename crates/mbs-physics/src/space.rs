//! Mechanics in space: local frames, recursions along the tree.
//!
//! Every elementary motion of a joint ([`Step`](mbs_model::Step)) is a link with a frame of its own; a body is fixed to a link with a constant
//! pose. The solver's speeds are rates of angles and displacements, and relative angular velocities in the axes of the rotated frame. A free link
//! has six: its twist in its own axes or, if it has no children, the velocity of its centre of mass in world axes with the angular velocity in
//! its own axes, so that M is constant. Most links have twists that are constant in their axes; `variable_twists.rs` has the others.

mod articulated;
mod attitude;
mod basis;
mod chain;
mod columns;
mod declared_pose;
mod derivatives;
mod dynamics;
mod expression_derivatives;
mod fixed;
mod interface;
mod link_frames;
mod links;
mod loads;
mod moments;
mod motion;
mod natural;
mod series;
mod state;
mod transform;
mod twist;
mod variable_twists;
mod vector;

pub use articulated::Articulated;
pub use attitude::identity_parameters;
pub use basis::{BasisRotation, PlacedBasis};
pub use chain::links;
pub use derivatives::InertialDerivatives;
pub use link_frames::exact_sin_cos;
pub use links::{AttitudeCoordinates, Link, LinkOwner, Mobilizer, Mount};
pub use loads::GatheredLoads;
pub use natural::off_axis_vector;
pub(super) use state::LinkInputs;
pub use state::{LinkState, SpaceState};
pub use transform::Moments;
pub(super) use transform::Part;
pub use twist::LinkWrench;
pub(super) use twist::TwistDerivatives;
pub(super) use vector::{Matrix3, Vector3, axis_vector, tilde, unit, zero};
