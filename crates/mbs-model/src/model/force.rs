//! Forces, and the loads of which they consist.

use mbs_definition::Origin;
use mbs_expr::{ExprId, MarkerId};

/// One load of a force. The reaction on the other end is a separate load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// Force \[N\], world axes, at a marker's origin.
    Force {
        /// Point of application.
        at: MarkerId,
        /// World components \[N\].
        force: [ExprId; 3],
    },
    /// Torque \[N m\] on a marker's body.
    Torque {
        /// A marker of the body.
        on: MarkerId,
        /// World components \[N m\]; in the plane only z, counterclockwise positive.
        torque: [ExprId; 3],
    },
    /// Generalised force that does work on an observable x: it adds (∂x/∂q)ᵀ · value.
    Generalized {
        /// The observable, a joint coordinate or an algebraic coordinate.
        coordinate: ExprId,
        /// \[N\] or \[N m\].
        value: ExprId,
    },
    /// Generalised force −∂V/∂q of a potential V \[J\].
    Potential(ExprId),
}

/// An applied force: of a kind, of expressions, or of a potential.
#[derive(Clone, Debug)]
pub struct Force {
    /// Name as declared.
    pub name: String,
    /// Where it is declared.
    pub origin: Origin,
    /// Doc comment.
    pub docs: String,
    /// Its loads.
    pub loads: Vec<Load>,
    /// The two points that a spring or a cable connects, for drawing; `None` for other forces.
    pub ends: Option<[MarkerId; 2]>,
    /// Whether it is drawn as a straight line, not as a coil.
    pub is_cable: bool,
    /// Potential energy \[J\], if the force has one.
    pub potential: Option<ExprId>,
}
