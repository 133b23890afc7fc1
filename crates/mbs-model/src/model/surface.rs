//! Properties of the surface at a marker.

use mbs_expr::ExprId;

/// Properties that a declared marker states of the surface at its location, for contacts and impacts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surface {
    /// Whether its last axis, y in the plane and z in space, is stated to be the outward normal.
    pub has_normal: bool,
    /// Coefficient of friction ≥ 0.
    pub friction: Option<ExprId>,
    /// Coefficient of restitution ≥ 0.
    pub restitution: Option<ExprId>,
}

impl Surface {
    /// `friction` or `restitution`, if it is stated.
    pub fn coefficient(&self, word: &str) -> Option<ExprId> {
        match word {
            "friction" => self.friction,
            "restitution" => self.restitution,
            _ => None,
        }
    }

    /// Whether any property is stated.
    pub fn is_stated(&self) -> bool {
        self.has_normal || self.friction.is_some() || self.restitution.is_some()
    }
}
