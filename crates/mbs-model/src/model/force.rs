//! Forces and the loads they are made of.

use mbs_definition::Origin;
use mbs_expr::{ExprId, MarkerId};

/// One load of a force. Positive loads as stated; reactions on the other end are separate loads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// Force \[N\], world axes, at a marker's origin.
    Force {
        /// Where.
        at: MarkerId,
        /// World components.
        force: [ExprId; 3],
    },
    /// Torque \[N m\] on a marker's body.
    Torque {
        /// On which body.
        on: MarkerId,
        /// World components; in the plane z alone, counterclockwise positive.
        torque: [ExprId; 3],
    },
    /// Generalised force along an observable x: adds (∂x/∂q)ᵀ · value.
    Along {
        /// The observable, a joint coordinate or an algebraic coordinate.
        coordinate: ExprId,
        /// \[N\] or \[N m\].
        value: ExprId,
    },
    /// Generalised force −∂V/∂q.
    Potential(ExprId),
}

/// An applied load: kind forces, user expressions, potentials.
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
    /// The two points a spring or a cable connects, to be drawn; `None` for other forces.
    pub ends: Option<[MarkerId; 2]>,
    /// Whether it is drawn as a straight line, not as a coil.
    pub is_cable: bool,
    /// Potential energy, for forces that have one \[J\].
    pub potential: Option<ExprId>,
}
