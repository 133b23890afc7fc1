//! Bodies at joints whose pose is declared as a function of the coordinates: angle θ and position ρ relative to the parent on paths q(τ), as
//! Taylor series.
//!
//! The inboard marker is at b with angle β in the parent, the outboard one at c with angle γ in the body, and (p, α) is the pose of the joint's
//! second end in its first. Angles and vectors are in the parent's axes:
//!
//! ```text
//! forward:   θ = β − γ + α      ρ = b + R(β) p − R(θ) c
//! reversed:  θ = β − γ − α      ρ = b − R(θ + γ) p − R(θ) c
//! ```

use mbs_expr::{Function, Scalar, Series};
use mbs_math::{Vec2, Vector};

use super::link::Link;
use super::plane::{Column, ZERO};
use crate::constants::Constants;
use crate::poses::{MOST_SPEEDS, PosePlan};
use crate::tape::Values;

type Path = Series<3>;

/// Pose of such a body at coordinates.
#[derive(Clone, Debug)]
pub(crate) struct PoseState {
    /// θ.
    pub angle: f64,
    /// ρ, parent's axes.
    pub offset: Vec2<f64>,
    /// Column of each coordinate, parent's axes.
    pub columns: Vec<Column>,
    q: [f64; MOST_SPEEDS],
    values: Values,
}

impl PoseState {
    pub fn new(plan: &PosePlan) -> Self {
        let mut values = Values::default();
        values.grow(&plan.tape);
        let columns = vec![Column::ZERO; plan.speeds];
        PoseState { angle: 0.0, offset: ZERO, columns, q: [0.0; MOST_SPEEDS], values }
    }

    /// θ and ρ on the path q + q̇ τ.
    fn path(
        &mut self,
        plan: &PosePlan,
        constants: &Constants,
        (link, reversed): (&Link, bool),
        rate: &[f64],
    ) -> (Path, Vec2<Path>) {
        plan.evaluate(constants, [&self.q[..plan.coordinates], rate, &[]], &mut self.values);
        let root = |k: usize| plan.root(&self.values, k);
        let rotations = plan.axes.as_ref().map_or(0, Vec::len);
        let alpha = (0..rotations).fold(Path::constant(0.0), |sum, k| sum + root(3 + k));
        let p = Vector([root(0), root(1)]);
        let theta = Path::constant(link.alignment) + if reversed { -alpha } else { alpha };
        let fixed = |rotation: [f64; 2]| rotation.map(Path::constant);
        let rotation = [theta.unary(Function::Cos), theta.unary(Function::Sin)];
        let [b, c] = [link.inboard, link.outboard].map(|v| v.map(Path::constant));
        let displacement = match reversed {
            false => p.rotated(fixed(link.inboard_rotation)),
            true => -p.rotated(fixed(link.outboard_rotation)).rotated(rotation),
        };
        (theta, b + displacement - c.rotated(rotation))
    }

    /// Sets pose and columns at coordinates.
    pub fn set(&mut self, plan: &PosePlan, constants: &Constants, of: (&Link, bool), q: &[f64]) {
        self.q[..q.len()].copy_from_slice(q);
        let mut rate = [0.0; MOST_SPEEDS];
        for k in 0..plan.speeds {
            rate[k] = 1.0;
            let (theta, rho) = self.path(plan, constants, of, &rate[..plan.speeds]);
            rate[k] = 0.0;
            (self.angle, self.offset) = (theta.value(), rho.map(Series::value));
            self.columns[k] = Column { velocity: rho.map(|x| x.derivative(1)), rate: theta.derivative(1) };
        }
    }

    /// ρ̈ and θ̈ at speeds v and v̇ = 0.
    pub fn bias(&mut self, plan: &PosePlan, constants: &Constants, of: (&Link, bool), v: &[f64]) -> Column {
        let (theta, rho) = self.path(plan, constants, of, v);
        Column { velocity: rho.map(|x| x.derivative(2)), rate: theta.derivative(2) }
    }
}
