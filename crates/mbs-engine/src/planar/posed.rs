//! Bodies whose joint's pose the text gives over its coordinates: how the origin and the angle follow the parent along paths q(τ), as Taylor
//! series.
//!
//! With the inboard marker at b, turned by β, the outboard one at c, turned by γ, the pose (p, α) of the joint's second end in its first, and
//! angles and vectors in the parent's axes:
//!
//! ```text
//! forward:   θ = β − γ + α      ρ = b + R(β) p − R(θ) c
//! reversed:  θ = β − γ − α      ρ = b − R(θ + γ) p − R(θ) c
//! ```

use mbs_expr::{Function, Scalar, Series};

use super::motion::Link;
use super::plane::{Column, Vector};
use crate::constants::Constants;
use crate::poses::{MOST_SPEEDS, PosePlan};
use crate::tape::Values;

type Path = Series<3>;

/// Such a body at coordinates.
#[derive(Clone, Debug)]
pub(crate) struct PoseState {
    /// θ.
    pub angle: f64,
    /// ρ, parent's axes.
    pub offset: Vector,
    /// By coordinate, parent's axes.
    pub columns: Vec<Column>,
    q: [f64; MOST_SPEEDS],
    values: Values,
}

impl PoseState {
    pub fn new(plan: &PosePlan) -> Self {
        let mut values = Values::default();
        values.grow(&plan.tape);
        let columns = vec![Column::default(); plan.speeds];
        PoseState { angle: 0.0, offset: [0.0; 2], columns, q: [0.0; MOST_SPEEDS], values }
    }

    /// θ and ρ along q + q̇ τ.
    fn along(
        &mut self,
        plan: &PosePlan,
        constants: &Constants,
        (link, reversed): (&Link, bool),
        rate: &[f64],
    ) -> (Path, [Path; 2]) {
        plan.run(constants, [&self.q[..plan.coordinates], rate, &[]], &mut self.values);
        let root = |k: usize| plan.root(&self.values, k);
        let turns = plan.axes.as_ref().map_or(0, Vec::len);
        let alpha = (0..turns).fold(Path::constant(0.0), |sum, k| sum + root(3 + k));
        let p = [root(0), root(1)];
        let theta = Path::constant(link.alignment) + if reversed { -alpha } else { alpha };
        let fixed = |(cos, sin): (f64, f64)| (Path::constant(cos), Path::constant(sin));
        let turn = (theta.unary(Function::Cos), theta.unary(Function::Sin));
        let vector = |v: Vector| v.map(Path::constant);
        let arm = rotated(turn, vector(link.outboard));
        let displacement = match reversed {
            false => rotated(fixed(link.inboard_turn), p),
            true => rotated(turn, rotated(fixed(link.outboard_turn), p)).map(|x| -x),
        };
        let b = vector(link.inboard);
        (theta, [0, 1].map(|k| b[k] + displacement[k] - arm[k]))
    }

    /// Sets everything at coordinates.
    pub fn set(&mut self, plan: &PosePlan, constants: &Constants, of: (&Link, bool), q: &[f64]) {
        self.q[..q.len()].copy_from_slice(q);
        let mut rate = [0.0; MOST_SPEEDS];
        for k in 0..plan.speeds {
            rate[k] = 1.0;
            let (theta, rho) = self.along(plan, constants, of, &rate[..plan.speeds]);
            rate[k] = 0.0;
            (self.angle, self.offset) = (theta.value(), rho.map(Series::value));
            self.columns[k] = Column { velocity: rho.map(|x| x.derivative(1)), rate: theta.derivative(1) };
        }
    }

    /// ρ̈ and θ̈ at speeds and no accelerations.
    pub fn bias(&mut self, plan: &PosePlan, constants: &Constants, of: (&Link, bool), v: &[f64]) -> Column {
        let (theta, rho) = self.along(plan, constants, of, v);
        Column { velocity: rho.map(|x| x.derivative(2)), rate: theta.derivative(2) }
    }
}

fn rotated((cos, sin): (Path, Path), [x, y]: [Path; 2]) -> [Path; 2] {
    [cos * x - sin * y, sin * x + cos * y]
}
