//! Mechanics in space: local frames, recursions along the tree.
//!
//! Every elementary motion of a joint ([`Step`](mbs_model::Step)) is a link with a frame of its own; a body stands on a link with a constant
//! pose. Speeds of the solver: rates of angles and displacements, relative angular velocities in the axes of the turned frame, and
//! of what floats either the twist in its own axes or, where it carries nothing, the velocity of its centre of mass in world
//! axes with the angular velocity in its own: then M is constant. Most links have twists that are constant in their axes; `guided.rs` has the
//! others.

mod articulated;
mod attitude;
mod basis;
mod chain;
mod columns;
mod derivatives;
mod dynamics;
mod expression_derivatives;
mod fixed;
mod gauge;
mod guided;
mod interface;
mod links;
mod loads;
mod moments;
mod motion;
mod natural;
mod posed;
mod series;
mod state;
mod transform;
mod twist;
mod vector;

pub use articulated::Articulated;
pub use attitude::identity_parameters;
pub use chain::links;
pub use derivatives::InertialDerivatives;
pub use gauge::exact;
pub use links::{Freedom, Link, LinkOwner, Stand, Turning};
pub use loads::Gathered;
pub(super) use state::Given;
pub use state::{LinkState, SpaceState};
pub use transform::Moments;
pub(super) use transform::Part;
pub use twist::LinkWrench;
pub(super) use twist::Turned;
pub(super) use vector::{Matrix3, Vector3, along_axis, tilde, unit, zero};
