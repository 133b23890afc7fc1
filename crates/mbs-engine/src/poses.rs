//! Poses of joints whose kinds are declared in the text, on paths of their coordinates.

use mbs_expr::{ExprId, Series};
use mbs_model::{JointPose, PoseRotation};
use mbs_physics::InterfaceCoordinate;

use crate::constants::Constants;
use crate::tape::{Leaf, Names, Tape, Values};

/// Most coordinates or speeds of such a joint.
pub(crate) const MOST_SPEEDS: usize = 12;

/// Plan of the evaluation of a pose.
#[derive(Clone, Debug)]
pub(crate) struct PosePlan {
    pub tape: Tape,
    /// Index of the first coordinate.
    first: usize,
    pub coordinates: usize,
    pub speeds: usize,
    /// Axes of the rotations; `None` for a matrix, row by row.
    pub axes: Option<Vec<[ExprId; 3]>>,
    /// Whether the kind declares rates, so that the speeds are not q̇.
    pub has_rates: bool,
}

impl PosePlan {
    pub fn new(names: &Names<'_>, pose: &JointPose) -> Self {
        let wanted = InterfaceCoordinate::Joint(pose.joint, 0);
        let first = names.tree.interface.iter().position(|c| *c == wanted).expect("poses have coordinates");
        let mut roots = pose.translation.to_vec();
        let axes = match &pose.rotation {
            PoseRotation::Successive(rotations) => {
                roots.extend(rotations.iter().map(|(_, angle)| *angle));
                Some(rotations.iter().map(|(axis, _)| *axis).collect())
            }
            PoseRotation::Matrix(columns) => {
                roots.extend((0..9).map(|i| columns[i % 3][i / 3]));
                None
            }
        };
        roots.extend(pose.rates.iter().flatten().flatten());
        PosePlan {
            tape: Tape::new(names, &roots),
            first,
            coordinates: pose.n_q(),
            speeds: pose.n_v(),
            axes,
            has_rates: pose.rates.is_some(),
        }
    }

    /// Evaluates the tape on the path q + q̇ τ + q̈ τ²/2; empty slices stand for zeros.
    pub fn evaluate(&self, constants: &Constants, [q, rate, second]: [&[f64]; 3], values: &mut Values) {
        let at = |x: &[f64], k: usize| x.get(k).copied().unwrap_or(0.0);
        let leaf = |leaf| match leaf {
            Leaf::Coordinate(i) if (self.first..self.first + self.coordinates).contains(&i) => {
                let k = i - self.first;
                [q[k], at(rate, k), 0.5 * at(second, k)]
            }
            _ => [0.0; 3],
        };
        self.tape.evaluate(3, constants, leaf, values);
    }

    /// Writes N by rows, from the values of an evaluation.
    pub fn matrix(&self, values: &Values, rows: &mut [Vec<f64>]) {
        for (i, row) in rows.iter_mut().enumerate() {
            row.iter_mut().enumerate().for_each(|(k, x)| *x = self.root(values, self.entry(i, k)).value());
        }
    }

    /// Writes Ṅ v, from the values of an evaluation with q̇ = N v.
    pub fn rate_bias(&self, values: &Values, v: &[f64], rate_bias: &mut [f64]) {
        for (i, to) in rate_bias.iter_mut().enumerate() {
            let derivative = |k: usize| self.root(values, self.entry(i, k)).derivative(1);
            *to = (0..self.speeds).map(|k| derivative(k) * v[k]).sum();
        }
    }

    /// Root of an entry of N.
    fn entry(&self, i: usize, k: usize) -> usize {
        3 + self.axes.as_ref().map_or(9, Vec::len) + k * self.coordinates + i
    }

    /// Root k on the path: three components of p, then the angles or the entries of R, then N by columns.
    pub fn root(&self, values: &Values, k: usize) -> Series<3> {
        Series([0, 1, 2].map(|d| values.coefficient(self.tape.root(k), d)))
    }
}
