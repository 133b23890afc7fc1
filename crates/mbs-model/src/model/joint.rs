//! Joints: their rows, their coordinates, and the steps of their motion.

use std::borrow::Cow;

use mbs_definition::Origin;
use mbs_expr::{ExprId, JointId, MarkerId};

use super::Step;

/// An equation between the ends P and Q of a joint whose derivatives are known in closed form. The residual is that of the row.
///
/// Source: Haug (1989), §3.3 and §9.4, basic constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BasicEquation {
    /// Component k of p_P − p_Q \[m\], world axes.
    Coincident(u8),
    /// In the plane, θ_P + α − θ_Q \[rad\].
    Parallel {
        /// α \[rad\].
        angle: ExprId,
    },
    /// In the plane, (p_P − p_Q)·n̂ \[m\], where n̂ is û rotated by +90°.
    OffLine {
        /// û, in the axes of the first end.
        axis: [ExprId; 2],
    },
    /// r·r / (2ℓ) − ℓ/2 \[m\] with r = p_P − p_Q.
    Distance {
        /// ℓ \[m\] > 0.
        length: ExprId,
    },
    /// In space, row 0 or 1 of two that align û of the first end with û of the second.
    CommonAxis {
        /// û, with the same components in the axes of both ends.
        axis: [ExprId; 3],
        /// Which of the two.
        row: u8,
    },
    /// In space, row k of three that keep the axes of both ends parallel.
    ParallelAxes(u8),
}

impl BasicEquation {
    /// Whether a multiplier of the equation is a force at the second end, without a moment.
    pub fn is_force(self) -> bool {
        match self {
            BasicEquation::Coincident(_) | BasicEquation::OffLine { .. } | BasicEquation::Distance { .. } => true,
            BasicEquation::Parallel { .. } | BasicEquation::CommonAxis { .. } | BasicEquation::ParallelAxes(_) => false,
        }
    }
}

/// A row of a joint.
#[derive(Clone, Debug)]
pub struct JointRow {
    /// Name in the joint: `x`, `angle`; empty for the only row.
    pub name: Cow<'static, str>,
    /// Residual, first end minus second.
    pub residual: ExprId,
    /// The basic equation that the row is, if it is one.
    pub basic: Option<BasicEquation>,
}

impl JointRow {
    /// A row that is not a basic equation.
    pub fn general(name: Cow<'static, str>, residual: ExprId) -> Self {
        JointRow { name, residual, basic: None }
    }
}

/// The motion of a joint's second end relative to its first.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Steps from the first end to the second; the coordinates of the joint have the same order. In the plane prismatic axes have z = 0,
    /// and at most one step is a rotation, about z.
    pub steps: Vec<Step>,
    /// In the plane, the constant angle of the second end from the first \[rad\] if no step is a rotation; `None` is 0.
    pub angle: Option<ExprId>,
}

/// Joints that a gear couples.
#[derive(Clone, Copy, Debug)]
pub struct Gearing {
    /// The two joints: angle of the first = ratio · angle of the second + offset.
    pub joints: [JointId; 2],
    /// Ratio, negative for an external mesh.
    pub ratio: ExprId,
}

/// A joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name as declared.
    pub name: String,
    /// Where it is declared.
    pub origin: Origin,
    /// Doc comment.
    pub docs: String,
    /// Name of the kind in the language.
    pub kind_name: Cow<'static, str>,
    /// First and second end; for a gear the second ends of its joints.
    pub ends: [MarkerId; 2],
    /// Its rows.
    pub rows: Vec<JointRow>,
    /// Named coordinates with the expression that measures them in any formulation.
    pub coordinates: Vec<(Cow<'static, str>, ExprId)>,
    /// In space, for each coordinate the residual of the row that determines it where it is no coordinate of the formulation; `None` where no
    /// such row exists. An angle that is measured modulo 2π is then a separate unknown, so that it stays continuous.
    pub ties: Vec<Option<ExprId>>,
    /// In space, for each coordinate the expression that measures it with the coordinate before it given, if that one is an unknown of the
    /// formulation: when an elevation passes through a pole, the azimuth stays, and the elevation continues beyond its range. The list is empty
    /// if no coordinate needs such an expression.
    pub by_previous: Vec<Option<ExprId>>,
    /// The motion that it allows if it is in the tree; `None` for joints that only close loops.
    pub motion: Option<Motion>,
    /// The joints that it couples, if it is a gear.
    pub geared: Option<Gearing>,
    /// Whether it closes its loop: with `cut: true`, and if it can be switched off.
    pub cut: bool,
    /// `enabled:`, 1 or 0, made of discrete variables and parameters: the joint has no effect while it is 0.
    pub enabled: Option<ExprId>,
}

impl Joint {
    /// The steps of its motion; none if it only closes loops.
    pub fn steps(&self) -> &[Step] {
        self.motion.as_ref().map_or(&[], |motion| &motion.steps)
    }

    /// The pose that its kind declares: index into `Coordinates::poses`. Its coordinates then cannot be measured from poses of
    /// bodies.
    pub fn pose(&self) -> Option<u32> {
        self.steps().iter().find_map(|step| if let Step::Posed { pose, .. } = step { Some(*pose) } else { None })
    }

    /// Whether its motion consists of steps of the catalogue.
    pub fn is_composed(&self) -> bool {
        self.motion.is_some() && self.pose().is_none()
    }

    /// Whether one of its steps is a rotation about an axis.
    pub fn has_revolute_step(&self) -> bool {
        self.steps().iter().any(|step| matches!(step, Step::Revolute { .. }))
    }

    /// Whether its reaction has a moment about its second end's marker in addition to the force there.
    pub fn has_moment(&self) -> bool {
        self.rows.is_empty() || !self.rows.iter().all(|row| row.basic.is_some_and(BasicEquation::is_force))
    }
}
