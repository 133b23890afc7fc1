//! The motion of a mechanism from a state: q(τ) with q̇ = N v, and the solver's speeds.

use mbs_core::Pose;
use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, Scalar, Series};
use mbs_math::Vector;
use mbs_model::RowLevel;
use mbs_physics::{Mechanics, SolverCoordinate};

use super::{Motion, Natural, constants};
use crate::inputs::Inputs;

/// Mechanics on the path of a motion from a state.
pub(super) struct Moving<'m> {
    pub at: Mechanics<'m, Motion>,
    /// As `at`, without accelerations of the solver; `None` where `at` has none, and in the plane, whose forces do not depend on them.
    coasting: Option<Mechanics<'m, Motion>>,
    /// W, the derivatives of the solver's speeds with respect to those of the interface, by rows; `None` where W = 1.
    pub rates: Option<Vec<Vec<f64>>>,
    /// Accelerations of the solver at v̇ = 0.
    pub bias: Vec<f64>,
}

impl Natural {
    /// The motion with v(τ) = v + a τ; speeds and accelerations that are not given are zero.
    pub(super) fn motion(&self, at: &Inputs<'_>, z: &[[f64; 2]]) -> Moving<'_> {
        let or_zero = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(0.0);
        let v: Vec<Motion> = (0..self.tree.n()).map(|i| Series::linear(or_zero(at.v, i), or_zero(at.a, i))).collect();
        match self.model.space {
            Space::Planar => self.motion_in_plane(at, z, &v),
            Space::Spatial => self.motion_in_space(at, z, &v),
        }
    }

    fn motion_in_plane(&self, at: &Inputs<'_>, z: &[[f64; 2]], v: &[Motion]) -> Moving<'_> {
        let (model, tree) = (&*self.model, &*self.tree);
        let variables = self.variables(at, z);
        let start = constants(at.q);
        if !self.is_mapped() {
            let q = straight_path(at.q, v);
            return Moving::unmapped(Mechanics::at_interface_coordinates(model, tree, variables, &q), None);
        }
        let q = Mechanics::planar_path(model, tree, &variables, &start, v, 3);
        let solver = |v: &[Motion], order: usize| {
            let q = Mechanics::planar_path(model, tree, &variables, &start, v, order);
            Mechanics::at_interface_coordinates(model, tree, variables.clone(), &q).coordinates
        };
        let rest = solver(&constants(&vec![0.0; tree.n()]), 1);
        let columns: Vec<Vec<Motion>> = (0..tree.n()).map(|j| solver(&unit(tree.n(), j), 1)).collect();
        let derivative = |column: &Vec<Motion>, i: usize| column[i].derivative(1) - rest[i].derivative(1);
        let rates = (0..tree.n()).map(|i| columns.iter().map(|column| derivative(column, i)).collect()).collect();
        let bias = solver(&constant_values(v), 2).iter().map(|x| x.derivative(2)).collect();
        let at = Mechanics::at_interface_coordinates(model, tree, variables, &q);
        Moving { at, coasting: None, rates: Some(rates), bias }
    }

    fn motion_in_space(&self, at: &Inputs<'_>, z: &[[f64; 2]], v: &[Motion]) -> Moving<'_> {
        let (model, tree) = (&*self.model, &*self.tree);
        let variables = self.variables(at, z);
        let rest = constants(&vec![0.0; tree.n()]);
        let mechanics = |q: &[Motion], speeds: &[Motion], a: &[Motion]| {
            Mechanics::at_spatial_state(model, tree, variables.clone(), q.to_vec(), [speeds, a])
        };
        if !self.is_mapped() {
            let q = straight_path(at.q, v);
            if at.a.iter().all(|a| *a == 0.0) {
                return Moving::unmapped(mechanics(&q, v, &rest), None);
            }
            let accelerations: Vec<Motion> = v.iter().map(|v| v.rate()).collect();
            return Moving::unmapped(mechanics(&q, v, &accelerations), Some(mechanics(&q, v, &rest)));
        }
        let start = constants(at.q);
        let path = |v: &[Motion], order: usize| Mechanics::spatial_path(model, tree, &variables, &start, v, order);
        let [q, speeds] = path(v, 3);
        let accelerations: Vec<Motion> = speeds.iter().map(|v| v.rate()).collect();
        let (moving, coasting) = (mechanics(&q, &speeds, &accelerations), mechanics(&q, &speeds, &rest));
        let column = |j: usize| moving.spatial().state.solver_speeds(tree, &unit(tree.n(), j));
        let columns: Vec<Vec<Motion>> = (0..tree.n()).map(column).collect();
        let rates = (0..tree.n()).map(|i| columns.iter().map(|column| column[i].value()).collect()).collect();
        let [_, speeds] = path(&constant_values(v), 2);
        let bias = speeds.iter().map(|x| x.derivative(1)).collect();
        Moving { at: moving, coasting: Some(coasting), rates: Some(rates), bias }
    }

    /// Whether the solver's speeds differ from those of the interface, as those of bodies in other coordinates do.
    pub(super) fn is_mapped(&self) -> bool {
        let own = |c: &SolverCoordinate| {
            use SolverCoordinate::{Algebraic, Basic, ContinuousAngle, ContinuousCoordinate};
            matches!(c, Basic(..) | ContinuousAngle(_) | ContinuousCoordinate(..) | Algebraic(_))
        };
        !self.tree.solver.iter().all(own)
    }
}

/// The path from `start` with q̇ = v(τ), which has an acceleration at most.
fn straight_path(start: &[f64], v: &[Motion]) -> Vec<Motion> {
    let coordinate = |(q, v): (&f64, &Motion)| {
        let mut path = Series::linear(*q, v.value());
        path.0[2] = 0.5 * v.0[1];
        path
    };
    start.iter().zip(v).map(coordinate).collect()
}

/// Returns the values of series as constants.
fn constant_values(v: &[Motion]) -> Vec<Motion> {
    constants(&v.iter().map(|v| v.value()).collect::<Vec<f64>>())
}

fn unit(n: usize, j: usize) -> Vec<Motion> {
    (0..n).map(|i| Series::constant(f64::from(u8::from(i == j)))).collect()
}

impl<'m> Moving<'m> {
    /// Motion of solver's speeds that are those of the interface.
    fn unmapped(at: Mechanics<'m, Motion>, coasting: Option<Mechanics<'m, Motion>>) -> Self {
        Moving { at, coasting, rates: None, bias: Vec::new() }
    }

    /// Replaces each row x of n values by x W.
    pub fn project_columns(&self, n: usize, rows: &mut [f64]) {
        let Some(rates) = &self.rates else { return };
        for row in rows.chunks_exact_mut(n) {
            let product: Vec<f64> = (0..n).map(|j| (0..n).map(|i| row[i] * rates[i][j]).sum()).collect();
            row.copy_from_slice(&product);
        }
    }

    /// Q̂ with loads, or its part that is quadratic in speeds.
    pub fn solver_forces(&self, loads: bool) -> Vec<f64> {
        let n = self.at.tree.n();
        let gradient = |e: ExprId| {
            let mut dense = constants(&vec![0.0; n]);
            let derivatives = self.at.gradient(e, RowLevel::Position);
            derivatives.into_iter().for_each(|(i, derivative)| dense[i] = Series::constant(derivative));
            dense
        };
        let derivatives = |e, level| self.at.derivatives(e, level);
        let coasting = self.coasting.as_ref().unwrap_or(&self.at);
        let forces = match (self.at.model.space, loads) {
            (Space::Planar, true) => self.at.planar().generalized_forces(&gradient),
            (Space::Planar, false) => self.at.planar().velocity_terms(),
            (Space::Spatial, true) => self.at.spatial().spatial_forces(coasting.spatial(), &derivatives),
            (Space::Spatial, false) => coasting.spatial().spatial_velocity_terms(),
        };
        forces.iter().map(|x| x.value()).collect()
    }

    /// Pose of body b.
    pub fn pose(&self, b: usize) -> Pose {
        if self.at.model.space == Space::Planar {
            let kinematics = self.at.planar().kinematics;
            let body = BodyId(b as u32);
            let [x, y] = kinematics.world_sum(&kinematics.body(body).origin).map(|x| x.value());
            return Pose::planar(x, y, kinematics.angle(body).value());
        }
        let marker = self.at.model.bodies[b].origin_marker;
        let axes = [0, 1, 2].map(|k| self.at.marker_axis(marker, k));
        let rows = [0, 1, 2].map(|i: usize| [0, 1, 2].map(|k: usize| axes[k][i].value()));
        Pose::spatial(self.at.marker_point(marker).map(Series::value).0, rows)
    }

    /// Writes the velocity of a body's origin and its angular velocity per unit speed of the solver: six rows, n columns.
    pub fn write_twists(&self, b: usize, rows: &mut [f64]) {
        let n = self.at.tree.n();
        if self.at.model.space == Space::Spatial {
            for column in self.at.spatial().state.columns(self.at.tree, b, Vector([Series::constant(0.0); 3])) {
                for k in 0..3 {
                    rows[k * n + column.speed] = column.linear[k].value();
                    rows[(3 + k) * n + column.speed] = column.angular[k].value();
                }
            }
            return;
        }
        let marker = self.at.model.bodies[b].origin_marker;
        for (i, column) in self.at.planar().point_columns(marker).into_iter().enumerate() {
            (rows[i], rows[n + i]) = (column[0].value(), column[1].value());
        }
        for (i, derivative) in self.at.planar().angle_derivatives(BodyId(b as u32)) {
            rows[5 * n + i] = derivative.value();
        }
    }
}
