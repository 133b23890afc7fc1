//! Mechanics in space: local frames, recursions along the tree.
//!
//! Every elementary motion of a joint ([`Step`](mbs_model::Step)) is a link with a frame of its own; a body stands on a link with a constant
//! pose. Speeds of the solver: rates of angles and displacements, relative angular velocities in the axes of the turned frame, and
//! of what floats either the twist in its own axes or, where it carries nothing, the velocity of its centre of mass in world
//! axes with the angular velocity in its own: then M is constant. Most links have twists that are constant in their axes; `guided.rs` has the
//! others.

mod articulated;
mod attitude;
mod columns;
mod derivatives;
mod dynamics;
mod fixed;
mod gauge;
mod guided;
mod interface;
mod links;
mod loads;
mod motion;
mod natural;
mod posed;
mod series;
mod slopes;
mod transform;
mod vector;

pub use articulated::Articulated;
pub use attitude::identity_parameters;
pub use derivatives::InertialSlopes;
pub(super) use derivatives::Turned;
pub use dynamics::LinkWrench;
pub use gauge::exact;
pub use links::{Freedom, Link, LinkOwner, Stand, Turning, links};
pub use loads::Gathered;
pub(super) use motion::Given;
pub use motion::{LinkState, SpaceState};
pub use transform::Moments;
pub(super) use transform::Part;
pub(super) use vector::{Matrix3, Vector3, along_axis, tilde, unit, zero};
