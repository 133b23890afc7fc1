//! Decides whether a declaration must be accepted, by the rank of its rows and the definiteness of its mass matrix. Both are computed with the
//! generator's kinematics at the true pose.

use crate::frame::inner;
use crate::matrix::{Basis, kernel, least_eigenvalue, restricted, size};
use crate::plan::{Condition, Equation, Joint, KernelSet, Plan};
use crate::world::{Attachment, angular_velocity, dot};

/// A careful generator leaves an element out if the fraction of a row's length that no other row spans is below this.
pub const CAREFUL_ROW: f64 = 0.05;
/// A careful generator restores the mass of bodies if the mass margin is below this.
pub const CAREFUL_MASS: f64 = 1e-5;

/// Outcome that a declaration must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// It is regular with a margin, and its declared poses are assembled: it must compile.
    Legal,
    /// Rows are dependent or a motion is massless, within rounding: it must be refused.
    Illegal,
    /// Neither is certain, or assembly starts at other poses: compiler and engine must agree.
    Open,
}

/// All rows at the true pose, one list of columns each; drives are left out on request.
pub fn rows(plan: &Plan, drives: bool) -> Vec<Vec<f64>> {
    element_rows(plan, plan.joints.iter(), plan.equations.iter().filter(|e| drives || e.category != "drive"))
}

/// Rows that are never switched off.
fn unswitched_rows(plan: &Plan) -> Vec<Vec<f64>> {
    let is_permanent = |enabled: &Option<Condition>| enabled.as_ref().is_none_or(Condition::always_holds);
    let joints = plan.joints.iter().filter(|j| is_permanent(&j.enabled));
    element_rows(plan, joints, plan.equations.iter().filter(|e| is_permanent(&e.enabled)))
}

fn element_rows<'p>(
    plan: &'p Plan,
    joints: impl Iterator<Item = &'p Joint>,
    equations: impl Iterator<Item = &'p Equation>,
) -> Vec<Vec<f64>> {
    let joints = joints.flat_map(|j| plan.joint_rows(j)).map(|(row, _)| row);
    joints.chain(equations.flat_map(|e| plan.equation_rows(e))).collect()
}

/// The least fraction of a row's length that the rows before it do not span.
pub fn margin(rows: &[Vec<f64>]) -> f64 {
    let mut basis = Basis::default();
    rows.iter().map(|row| basis.add(row, 1e-9)).fold(1.0, f64::min)
}

/// Least eigenvalue of the mass matrix on the motions that the unswitched rows admit, over its largest entry.
pub fn mass_margin(plan: &Plan) -> f64 {
    let n = plan.columns();
    let rows: Vec<f64> = unswitched_rows(plan).concat();
    let mass = mass_matrix(plan);
    let least = least_eigenvalue(restricted(&mass, &kernel(&rows, n)));
    // A mechanism that cannot move needs no mass.
    if least.is_infinite() { 1.0 } else { least / size(&mass).max(f64::MIN_POSITIVE) }
}

/// Mass matrix in body coordinates: T = ½ m |ṗ_com|² + ½ ω·I ω.
fn mass_matrix(plan: &Plan) -> Vec<f64> {
    let n = plan.columns();
    let motions: Vec<_> = (0..n).map(|j| plan.displaced(j)).collect();
    let mut matrix = vec![0.0; n * n];
    for (b, body) in plan.bodies.iter().enumerate() {
        let mass = body.mass.map_or(0.0, |x| x.value);
        let com = Attachment::plain(Some(b), body.com);
        let column = |j: usize| com.position(&motions[j]).map(|x| x.derivative(1));
        // ω in body axes.
        let omega = |j: usize| {
            let axes = motions[j].poses[b].axes;
            let omega = angular_velocity(&axes);
            axes.map(|axis| dot(axis, omega).value())
        };
        let tensor = tensor(body);
        let columns: Vec<_> = (0..n).map(|j| (column(j), omega(j))).collect();
        for i in 0..n {
            for j in 0..n {
                let ((a, w), (c, u)) = (columns[i], columns[j]);
                matrix[i * n + j] += mass * inner(a, c) + inner(w, tensor.map(|row| inner(row, u)));
            }
        }
    }
    matrix
}

/// Inertia of a body, row by row.
fn tensor(body: &crate::plan::Body) -> [[f64; 3]; 3] {
    let Some(inertia) = body.inertia else { return [[0.0; 3]; 3] };
    match body.tensor.map(|t| t.map(|x| x.value)) {
        Some([xx, yy, zz, xy, xz, yz]) => [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
        None => [[inertia.value, 0.0, 0.0], [0.0, inertia.value, 0.0], [0.0, 0.0, inertia.value]],
    }
}

/// The verdict on a plan whose declared poses are `exact`, or only guesses.
pub fn expectation(plan: &Plan, exact: bool) -> Expectation {
    if !exact {
        return Expectation::Open;
    }
    let rank = margin(&rows(plan, true));
    // Kinematics need no mass.
    let mass = if plan.kernels == KernelSet::Kinematics { 1.0 } else { mass_margin(plan) };
    if rank < 1e-11 || (rank > 1e-3 && mass < 1e-15) {
        Expectation::Illegal
    } else if rank > 0.5 * CAREFUL_ROW && mass > 0.1 * CAREFUL_MASS {
        Expectation::Legal
    } else {
        Expectation::Open
    }
}
