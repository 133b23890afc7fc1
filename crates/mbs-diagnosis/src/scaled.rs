//! Rows and motions of a mechanism in numbers that compare: lengths by its size, angles in radians.

use nalgebra::{DMatrix, DVector};

use super::names::Unit;
use super::singular::Svd;
use mbs_core::{Describe, Pose, RowKind, StateView};

/// A mechanism at one time, with units to measure its motions and rows in.
///
/// - A motion w is dimensionless: one unit of wᵢ turns a body by 1 rad, or takes its origin through the size of the mechanism.
/// - A row is divided by its largest derivative along unit motions, at the pose and at some around it: a row that vanishes in one
///   pose is small there, and a residual becomes a part of the size, or of 1 rad.
pub(super) struct Scaled<'m, M: Describe> {
    pub mechanism: &'m M,
    /// The state that is diagnosed.
    pub state: StateView<'m>,
    /// Extent of everything that can be drawn \[m\]; 1 if nothing can.
    pub size: f64,
    /// Speed i of one unit of motion.
    pub columns: Vec<f64>,
    pub units: Vec<Unit>,
    /// Residual of row r that counts as 1.
    pub rows: Vec<f64>,
    pub drives: Vec<bool>,
}

/// Result of closing the rows.
pub(super) struct Closed {
    pub q: Vec<f64>,
    /// Motion from the state to this pose.
    pub motion: DVector<f64>,
    /// Largest scaled residual there.
    pub miss: f64,
}

/// Scaled residuals below this are closed.
pub(super) const CLOSED: f64 = 1e-10;

impl<'m, M: Describe> Scaled<'m, M> {
    pub fn new(mechanism: &'m M, state: StateView<'m>) -> Self {
        let sizes = mechanism.sizes();
        let size = extent(mechanism, state);
        let (columns, units) = motions(mechanism, state, size);
        let drives = (0..sizes.n_velocity).map(|r| mechanism.row_kind(r) == RowKind::Drive).collect();
        let mut scaled = Scaled { mechanism, state, size, columns, units, rows: vec![1.0; sizes.n_velocity], drives };
        scaled.rows = scaled.row_sizes(state.q);
        scaled
    }

    /// The diagnosed state at other coordinates.
    pub fn at<'a>(&'a self, q: &'a [f64]) -> StateView<'a> {
        StateView { q, ..self.state }
    }

    pub fn n(&self) -> usize {
        self.columns.len()
    }

    /// Rows that hold positions and belong to no drive.
    pub fn held(&self) -> Vec<usize> {
        (0..self.mechanism.sizes().n_position).filter(|r| !self.drives[*r]).collect()
    }

    /// G with unit motions, rows as they are.
    fn derivatives(&self, q: &[f64]) -> DMatrix<f64> {
        let (n, rows) = (self.n(), self.mechanism.sizes().n_velocity);
        let mut jacobian = vec![0.0; rows * n];
        self.mechanism.constraint_jacobian(self.at(q), &mut jacobian);
        DMatrix::from_fn(rows, n, |r, i| jacobian[r * n + i] * self.columns[i])
    }

    /// Scaled G, all rows.
    pub fn jacobian(&self, q: &[f64]) -> DMatrix<f64> {
        let mut jacobian = self.derivatives(q);
        for (r, size) in self.rows.iter().enumerate() {
            jacobian.row_mut(r).unscale_mut(*size);
        }
        jacobian
    }

    /// Scaled Φ of the position rows.
    pub fn residuals(&self, q: &[f64]) -> Vec<f64> {
        let mut phi = vec![0.0; self.mechanism.sizes().n_position];
        self.mechanism.position_residuals(self.at(q), &mut phi);
        phi.iter().zip(&self.rows).map(|(phi, size)| phi / size).collect()
    }

    /// q ⊕ w.
    pub fn moved(&self, q: &[f64], w: &DVector<f64>) -> Vec<f64> {
        moved(self.mechanism, self.at(q), &self.columns, w)
    }

    /// The pose near another where some rows are met, as far as they can be: Levenberg–Marquardt, which redundant rows do not
    /// disturb. Source: Nocedal & Wright (2006), §10.3.
    pub fn closed(&self, q: &[f64], rows: &[usize]) -> Closed {
        let residuals = |q: &[f64]| {
            let all = self.residuals(q);
            DVector::from_iterator(rows.len(), rows.iter().map(|r| all[*r]))
        };
        let mut at = Closed { q: q.to_vec(), motion: DVector::zeros(self.n()), miss: 0.0 };
        let mut phi = residuals(q);
        let mut damping = 1e-4;
        for _ in 0..80 {
            if phi.is_empty() || phi.amax() <= 1e-14 || !phi.amax().is_finite() {
                break;
            }
            let jacobian = self.jacobian(&at.q).select_rows(rows);
            let Some(svd) = Svd::new(&jacobian) else { break };
            let mut better = None;
            while better.is_none() && damping < 1e8 {
                let step = svd.damped_solution(&-&phi, damping);
                let q = self.moved(&at.q, &step);
                let left = residuals(&q);
                if left.norm() < phi.norm() {
                    better = Some((q, step, left));
                    damping *= 0.01;
                } else {
                    damping *= 10.0;
                    // Round-off is all that is left, or there is no way on.
                    if phi.amax() <= 1e-12 {
                        break;
                    }
                }
            }
            let Some((q, step, left)) = better else { break };
            let stuck = left.norm() > (1.0 - 1e-9) * phi.norm();
            (at.q, phi) = (q, left);
            at.motion += step;
            if stuck {
                break;
            }
        }
        at.miss = if phi.is_empty() { 0.0 } else { phi.amax() };
        at
    }

    /// Poses up to a fifth of its size away, on the rows that belong to no drive, along directions that these leave free: a fixed
    /// irrational pattern, forwards and backwards, projected, followed and closed. None of a structure that cannot move.
    ///
    /// A random pose closed again would not do: a linkage that moves only because it is redundant has other poses, where it is
    /// rigid.
    pub fn neighbours(&self, q: &[f64]) -> Vec<Vec<f64>> {
        let rows = self.held();
        let Some(svd) = Svd::new(&self.jacobian(q).select_rows(&rows)) else { return Vec::new() };
        let free = svd.null_space();
        let reached = |(k, step): (usize, f64)| {
            let pattern = DVector::from_fn(self.n(), |i, _| ((k / 2) as f64 + 1.0 + 1.7 * i as f64).sin());
            let direction = &free * free.tr_mul(&pattern);
            let far = if direction.is_empty() { 0.0 } else { direction.amax() };
            if far < 1e-9 {
                return None;
            }
            let start = direction * (step / far);
            let closed = self.closed(&self.moved(q, &start), &rows);
            // At a singular pose the direction mixes those of several branches; the step then ends on one of them.
            let moved = (start + &closed.motion).amax() / step.abs();
            (closed.miss <= CLOSED && (0.1..4.0).contains(&moved)).then_some(closed.q)
        };
        [0.2, -0.2, 0.05, -0.05, 0.1, -0.1, 0.02].into_iter().enumerate().filter_map(reached).take(4).collect()
    }

    /// Largest derivative of each row here and at three poses around, where it has a finite one; 1 for a row without any.
    fn row_sizes(&self, q: &[f64]) -> Vec<f64> {
        let around = around(self.mechanism, self.at(q), &self.columns);
        let mut sizes = vec![0.0_f64; self.rows.len()];
        for q in std::iter::once(q.to_vec()).chain(around) {
            let derivatives = self.derivatives(&q);
            for (size, row) in sizes.iter_mut().zip(derivatives.row_iter()) {
                let derivative = row.norm();
                if derivative.is_finite() {
                    *size = size.max(derivative);
                }
            }
        }
        sizes.into_iter().map(|size| if size > 0.0 { size } else { 1.0 }).collect()
    }
}

/// q ⊕ w in units of motions.
fn moved<M: Describe>(mechanism: &M, at: StateView, columns: &[f64], w: &DVector<f64>) -> Vec<f64> {
    let mut q = at.q.to_vec();
    let delta: Vec<f64> = w.iter().zip(columns).map(|(w, unit)| w * unit).collect();
    let mut rates = vec![0.0; q.len()];
    mechanism.retract(at.t, &mut q, &delta, &mut rates);
    q
}

/// Three poses about a pose, along fixed irrational patterns.
fn around<M: Describe>(mechanism: &M, at: StateView, columns: &[f64]) -> impl Iterator<Item = Vec<f64>> {
    (1..4).map(move |k| {
        let pattern = DVector::from_fn(columns.len(), |i, _| 0.3 * (f64::from(k) + 1.7 * i as f64).sin());
        moved(mechanism, at, columns, &pattern)
    })
}

/// Speed i of one unit of motion, which turns a body by 1 rad or takes its origin through the size of the mechanism.
pub fn unit_motions<M: Describe>(mechanism: &M, at: StateView) -> Vec<f64> {
    motions(mechanism, at, extent(mechanism, at)).0
}

/// Diagonal of the box around all markers and bodies \[m\]; 1 where that is a point or unknown.
fn extent<M: Describe>(mechanism: &M, at: StateView) -> f64 {
    let sizes = mechanism.sizes();
    let mut points = vec![[0.0; 3]; sizes.n_markers];
    mechanism.marker_positions(at, &mut points);
    let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); sizes.n_bodies];
    mechanism.poses(at, &mut poses);
    points.extend(poses.iter().map(|p| p.position));
    let side = |k: usize| {
        let finite = points.iter().map(|p| p[k]).filter(|x| x.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        if high > low { high - low } else { 0.0 }
    };
    let diagonal = side(0).hypot(side(1)).hypot(side(2));
    if diagonal > 0.0 && diagonal.is_finite() { diagonal } else { 1.0 }
}

/// A coordinate that moves bodies less than this part of what others do is examined around the pose, too.
const SLOW: f64 = 1e-3;

/// Speeds of unit motions, from the fastest of v and size · ω that each gives to a body. A point or unit vector of a body that makes it longer
/// moves none: its unit is that of the coordinate.
fn motions<M: Describe>(mechanism: &M, at: StateView, size: f64) -> (Vec<f64>, Vec<Unit>) {
    let mut found = fastest(mechanism, at);
    let speed = |(travel, turn): &(f64, f64)| travel.max(size * turn);
    let most = found.iter().map(speed).fold(0.0, f64::max);
    let rounding = 1e-12 * most;
    let units = |found: &[(f64, f64)]| -> (Vec<f64>, Vec<Unit>) {
        let motion = |motion: &(f64, f64)| match speed(motion) {
            speed if !(speed.is_finite() && speed > rounding) => (1.0, Unit::None),
            speed if size * motion.1 > rounding => (size / speed, Unit::Radian),
            speed => (size / speed, Unit::Metre),
        };
        found.iter().map(motion).unzip()
    };
    let is_slow = |motion: &(f64, f64)| speed(motion) < SLOW * most && speed(motion) > rounding;
    if found.iter().any(is_slow) {
        let without: Vec<(f64, f64)> = found.iter().map(|m| if is_slow(m) { (0.0, 0.0) } else { *m }).collect();
        for q in around(mechanism, at, &units(&without).0) {
            for (here, there) in found.iter_mut().zip(fastest(mechanism, StateView { q: &q, ..at })) {
                // Nearly along a body.
                if is_slow(here) && SLOW * speed(&there) > speed(here) {
                    *here = (0.0, 0.0);
                }
            }
        }
    }
    units(&found)
}

/// Fastest v and ω that each speed gives to a body.
fn fastest<M: Describe>(mechanism: &M, at: StateView) -> Vec<(f64, f64)> {
    let sizes = mechanism.sizes();
    let n = sizes.n_v;
    let mut jacobians = vec![0.0; 6 * sizes.n_bodies * n];
    mechanism.body_jacobians(at, &mut jacobians);
    let of = |i: usize, first: usize| {
        let part = |body: usize| {
            let entry = |k: usize| jacobians[(6 * body + first + k) * n + i];
            entry(0).hypot(entry(1)).hypot(entry(2))
        };
        (0..sizes.n_bodies).map(part).fold(0.0, f64::max)
    };
    (0..n).map(|i| (of(i, 0), of(i, 3))).collect()
}
