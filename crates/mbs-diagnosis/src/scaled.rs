//! Scaled rows and motions of a mechanism: lengths are divided by its size, angles are in radians.

use nalgebra::{DMatrix, DVector};

use super::names::Unit;
use super::singular::Svd;
use mbs_core::{Describe, Pose, RowKind, StateView};

/// A mechanism in a state, with units of its motions and rows.
///
/// - A motion w is dimensionless: one unit of wᵢ rotates a body by 1 rad, or moves its origin by the size of the mechanism.
/// - A row is divided by its largest derivative with respect to unit motions, at the pose and at some neighbouring ones: a row whose derivatives
///   vanish in one pose is small there, and a scaled residual is a fraction of the size, or of 1 rad.
pub(super) struct Scaled<'m, M: Describe> {
    pub mechanism: &'m M,
    /// The state that is diagnosed.
    pub state: StateView<'m>,
    /// Diagonal of the box around all markers and bodies \[m\]; 1 if this is zero or not finite.
    pub size: f64,
    /// Change of speed i for one unit of motion.
    pub columns: Vec<f64>,
    /// Unit of the coordinate of each speed.
    pub units: Vec<Unit>,
    /// Residual of row r for a scaled residual of 1.
    pub rows: Vec<f64>,
    /// Whether row r is that of a drive.
    pub drives: Vec<bool>,
}

/// Result of closing the rows.
pub(super) struct Closed {
    pub q: Vec<f64>,
    /// Motion from the state to this pose.
    pub motion: DVector<f64>,
    /// Largest scaled residual at this pose.
    pub miss: f64,
}

/// Scaled residual up to which a pose is closed.
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
    pub fn view<'a>(&'a self, q: &'a [f64]) -> StateView<'a> {
        StateView { q, ..self.state }
    }

    /// Number of speeds.
    pub fn n(&self) -> usize {
        self.columns.len()
    }

    /// Position rows that belong to no drive.
    pub fn undriven_rows(&self) -> Vec<usize> {
        (0..self.mechanism.sizes().n_position).filter(|r| !self.drives[*r]).collect()
    }

    /// G with respect to unit motions, with rows not scaled.
    fn derivatives(&self, q: &[f64]) -> DMatrix<f64> {
        let (n, rows) = (self.n(), self.mechanism.sizes().n_velocity);
        let mut jacobian = vec![0.0; rows * n];
        self.mechanism.constraint_jacobian(self.view(q), &mut jacobian);
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
        self.mechanism.position_residuals(self.view(q), &mut phi);
        phi.iter().zip(&self.rows).map(|(phi, size)| phi / size).collect()
    }

    /// The coordinates q ⊕ w after a motion w.
    pub fn displace(&self, q: &[f64], w: &DVector<f64>) -> Vec<f64> {
        displace(self.mechanism, self.view(q), &self.columns, w)
    }

    /// The pose near q at which the given position rows are satisfied, or have the least residuals, by the method of Levenberg and Marquardt,
    /// which also works with redundant rows. Source: Nocedal & Wright (2006), §10.3.
    pub fn close(&self, q: &[f64], rows: &[usize]) -> Closed {
        let residuals = |q: &[f64]| {
            let all = self.residuals(q);
            DVector::from_iterator(rows.len(), rows.iter().map(|r| all[*r]))
        };
        let mut closed = Closed { q: q.to_vec(), motion: DVector::zeros(self.n()), miss: 0.0 };
        let mut phi = residuals(q);
        let mut damping = 1e-4;
        for _ in 0..80 {
            if phi.is_empty() || phi.amax() <= 1e-14 || !phi.amax().is_finite() {
                break;
            }
            let jacobian = self.jacobian(&closed.q).select_rows(rows);
            let Some(svd) = Svd::new(&jacobian) else { break };
            let mut better = None;
            while better.is_none() && damping < 1e8 {
                let step = svd.damped_solution(&-&phi, damping);
                let q = self.displace(&closed.q, &step);
                let new_phi = residuals(&q);
                if new_phi.norm() < phi.norm() {
                    better = Some((q, step, new_phi));
                    damping *= 0.01;
                } else {
                    damping *= 10.0;
                    // Only round-off remains, or no step decreases the residuals.
                    if phi.amax() <= 1e-12 {
                        break;
                    }
                }
            }
            let Some((q, step, new_phi)) = better else { break };
            let has_stalled = new_phi.norm() > (1.0 - 1e-9) * phi.norm();
            (closed.q, phi) = (q, new_phi);
            closed.motion += step;
            if has_stalled {
                break;
            }
        }
        closed.miss = if phi.is_empty() { 0.0 } else { phi.amax() };
        closed
    }

    /// Neighbouring poses, up to four, that satisfy the rows of no drive, at distances up to a fifth of the size of the mechanism. Each is the
    /// closed pose after a step, forwards or backwards, in a direction that satisfies the rows to first order: the projection of a fixed
    /// irrational pattern. A structure that cannot move has none.
    ///
    /// Random poses that are closed again would be wrong: a linkage that moves only because it is redundant has other poses in which it is rigid.
    pub fn neighbours(&self, q: &[f64]) -> Vec<Vec<f64>> {
        let rows = self.undriven_rows();
        let Some(svd) = Svd::new(&self.jacobian(q).select_rows(&rows)) else { return Vec::new() };
        let free = svd.null_space();
        let neighbour = |(k, step): (usize, f64)| {
            let pattern = DVector::from_fn(self.n(), |i, _| ((k / 2) as f64 + 1.0 + 1.7 * i as f64).sin());
            let direction = &free * free.tr_mul(&pattern);
            let length = if direction.is_empty() { 0.0 } else { direction.amax() };
            if length < 1e-9 {
                return None;
            }
            let start = direction * (step / length);
            let closed = self.close(&self.displace(q, &start), &rows);
            // At a singular pose the direction mixes those of several branches; the step then ends on one of them.
            let ratio = (start + &closed.motion).amax() / step.abs();
            (closed.miss <= CLOSED && (0.1..4.0).contains(&ratio)).then_some(closed.q)
        };
        [0.2, -0.2, 0.05, -0.05, 0.1, -0.1, 0.02].into_iter().enumerate().filter_map(neighbour).take(4).collect()
    }

    /// Norm of the derivatives of each row: the largest finite one of this pose and three neighbouring ones; 1 where that is zero.
    fn row_sizes(&self, q: &[f64]) -> Vec<f64> {
        let samples = sample_poses(self.mechanism, self.view(q), &self.columns);
        let mut sizes = vec![0.0_f64; self.rows.len()];
        for q in std::iter::once(q.to_vec()).chain(samples) {
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

/// The coordinates q ⊕ w after a motion w, where `columns` has the speeds of unit motions.
fn displace<M: Describe>(mechanism: &M, view: StateView, columns: &[f64], w: &DVector<f64>) -> Vec<f64> {
    let mut q = view.q.to_vec();
    let delta: Vec<f64> = w.iter().zip(columns).map(|(w, unit)| w * unit).collect();
    let mut rates = vec![0.0; q.len()];
    mechanism.retract(view.t, &mut q, &delta, &mut rates);
    q
}

/// Three neighbouring poses, which are displaced by fixed irrational patterns; they need not satisfy any rows.
fn sample_poses<M: Describe>(mechanism: &M, view: StateView, columns: &[f64]) -> impl Iterator<Item = Vec<f64>> {
    (1..4).map(move |k| {
        let pattern = DVector::from_fn(columns.len(), |i, _| 0.3 * (f64::from(k) + 1.7 * i as f64).sin());
        displace(mechanism, view, columns, &pattern)
    })
}

/// Changes of the speeds for unit motions: entry i rotates a body by 1 rad, or moves its origin by the size of the mechanism.
pub fn unit_motions<M: Describe>(mechanism: &M, view: StateView) -> Vec<f64> {
    motions(mechanism, view, extent(mechanism, view)).0
}

/// Diagonal of the box around all markers and bodies \[m\]; 1 where this is zero or not finite.
fn extent<M: Describe>(mechanism: &M, view: StateView) -> f64 {
    let sizes = mechanism.sizes();
    let mut points = vec![[0.0; 3]; sizes.n_markers];
    mechanism.marker_positions(view, &mut points);
    let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); sizes.n_bodies];
    mechanism.poses(view, &mut poses);
    points.extend(poses.iter().map(|p| p.position));
    let side = |k: usize| {
        let finite = points.iter().map(|p| p[k]).filter(|x| x.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        if high > low { high - low } else { 0.0 }
    };
    let diagonal = side(0).hypot(side(1)).hypot(side(2));
    if diagonal > 0.0 && diagonal.is_finite() { diagonal } else { 1.0 }
}

/// Ratio of the motion of bodies by a coordinate to the largest such motion, below which the coordinate is examined in neighbouring poses too.
const SLOW: f64 = 1e-3;

/// Speeds of unit motions and their units, from the largest of |v| and size · |ω| of all bodies at each unit speed. A coordinate that moves no
/// body, such as one that only changes the length of a unit vector, is not scaled.
fn motions<M: Describe>(mechanism: &M, view: StateView, size: f64) -> (Vec<f64>, Vec<Unit>) {
    let mut found = fastest(mechanism, view);
    let speed = |(velocity, angular_velocity): &(f64, f64)| velocity.max(size * angular_velocity);
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
        for q in sample_poses(mechanism, view, &units(&without).0) {
            for (here, nearby) in found.iter_mut().zip(fastest(mechanism, StateView { q: &q, ..view })) {
                // The coordinate nearly only changes a length in this pose.
                if is_slow(here) && SLOW * speed(&nearby) > speed(here) {
                    *here = (0.0, 0.0);
                }
            }
        }
    }
    units(&found)
}

/// For each speed, the largest |v| and the largest |ω| of the bodies at the unit value of that speed.
fn fastest<M: Describe>(mechanism: &M, view: StateView) -> Vec<(f64, f64)> {
    let sizes = mechanism.sizes();
    let n = sizes.n_v;
    let mut jacobians = vec![0.0; 6 * sizes.n_bodies * n];
    mechanism.body_jacobians(view, &mut jacobians);
    let largest = |i: usize, first: usize| {
        let part = |body: usize| {
            let entry = |k: usize| jacobians[(6 * body + first + k) * n + i];
            entry(0).hypot(entry(1)).hypot(entry(2))
        };
        (0..sizes.n_bodies).map(part).fold(0.0, f64::max)
    };
    (0..n).map(|i| (largest(i, 0), largest(i, 3))).collect()
}
