//! Comparison of one motion in two sets of coordinates.

mod space;

use mbs_core::{Describe, Mechanism};
use mbs_expr::Series;
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use mbs_physics::{InterfaceCoordinate, Mechanics, Variables};

use super::reactions::{flat, has_reactions, reactions};
use super::{accelerations, condition, right_side, run, weight};
use crate::ledger::{Ledger, Violation};
use crate::matrix::size;
use crate::oracle::{Motion, Oracle};
use crate::state::OwnedState;

/// In units of [`condition`], the growth of the rounding of each entry and of each term of the elimination: thousands of roundings.
const TOLERANCE: f64 = 1e-12;

/// A state in body coordinates, with the accelerations and multipliers of another formulation at this state.
struct Pair {
    state: OwnedState,
    a: Vec<f64>,
    lambda: Vec<f64>,
}

impl Pair {
    /// Converts a state of `other`; `None` if `other` is singular there, or body coordinates have no such state.
    fn new(body: &Interpreted, other: &Interpreted, at: &OwnedState) -> Option<Self> {
        let (a, lambda) = accelerations(other, at)?;
        let state = if other.is_spatial() { space::to_body(other, body, at)? } else { to_body(other, body, at, &a).0 };
        // Directions that are parallel in natural coordinates may become opposite by a projection from far away, which angles do not.
        // No rounding error is as large.
        let is_natural = !other.compiled().model.coordinates.natural.basics.is_empty();
        if is_natural && size(&run(body, "position_residuals", &state)) > 1e-6 {
            return None;
        }
        // Body coordinates measure an angle beyond its pole differently, which shows in rows and loads that depend on it.
        if other.is_spatial() && Oracle::new(other, at).has_angle_beyond_pole() {
            return None;
        }
        // In natural coordinates a body with as many directions as there are dimensions may be its mirror image, which is no pose.
        if is_mirrored(other, at) {
            return None;
        }
        if is_natural && !other.is_spatial() {
            let [q, ..] = measured(body, other, &state, &to_body(other, body, at, &a).1);
            if q.iter().zip(&at.q).any(|(measured, given)| (measured - given).abs() > 1e-6) {
                return None;
            }
        }
        Some(Pair { state, a, lambda })
    }
}

/// Whether the axes of some body are left-handed, which only spatial natural coordinates admit.
pub(super) fn is_mirrored(mechanism: &Interpreted, at: &OwnedState) -> bool {
    mechanism.is_spatial()
        && !mechanism.compiled().model.coordinates.natural.basics.is_empty()
        && space::is_mirrored(mechanism, at)
}

/// Number of these states that [`formulations_accelerate_alike`] compares.
pub fn comparable_state_count(body: &Interpreted, other: &Interpreted, states: &[OwnedState]) -> usize {
    states.iter().filter(|at| Pair::new(body, other, at).is_some()).count()
}

/// At equal states, both formulations have equal accelerations of bodies, multipliers of common rows, reactions of joints, and energies. `body` is in
/// body coordinates, `other` in any; `states` are consistent states of `other`.
///
/// # Errors
/// The violation, if they differ.
pub fn formulations_accelerate_alike(
    body: &Interpreted,
    other: &Interpreted,
    states: &[OwnedState],
) -> Result<f64, Violation> {
    let mut ledger = Ledger::new("formulations accelerate alike", TOLERANCE);
    if !other.compiled().checked.solvable {
        return Ok(0.0);
    }
    for at in states {
        let Some(Pair { state, a, lambda }) = Pair::new(body, other, at) else { continue };
        let Some((b, mu)) = accelerations(body, &state) else { continue };
        let terms = condition_of(body, &state, &b, &mu);
        // A body that is measured with more points and vectors than its motion needs has a mass matrix of a larger condition.
        let terms_of_other = condition_of(other, at, &a, &lambda);
        match other.is_spatial() {
            false => coordinates(body, other, [&state, at], [&b, &a], [&terms, &terms_of_other], &mut ledger),
            true => space::motions(body, other, [&state, at], [(&b, &mu), (&a, &lambda)], &terms, &mut ledger),
        }
        let (rows, others) = (&other.compiled().tree.rows, &body.compiled().tree.rows);
        // Rows of a body, such as those that natural coordinates need, have no counterpart.
        let of_rows = lambda.iter().zip(&terms_of_other[a.len()..]);
        for (row, (lambda_r, term)) in rows.iter().zip(of_rows).filter(|(row, _)| row.body().is_none()) {
            let Some(same) = others.iter().position(|r| r.name == row.name) else {
                return Err(Violation::new("formulations accelerate alike", format!("no row `{}`", row.name)));
            };
            ledger.record(
                &format!("lambda of {}", row.name),
                mu[same],
                *lambda_r,
                terms[b.len() + same].max(*term),
                at,
            );
        }
        if has_reactions(body) {
            let [ours, theirs] = [reactions(body, &state, &b, &mu), reactions(other, at, &a, &lambda)];
            // Error of reactions: masses times the error of accelerations, and rows times the error of multipliers, both times arms.
            let jacobian = run(body, "constraint_jacobian", &state);
            let weight = weight(&run(body, "mass_matrix", &state));
            let (of_a, of_mu) = terms.split_at(b.len());
            let arm = size(&state.q).max(1.0);
            let floor = (weight * size(of_a) + size(&jacobian) * size(of_mu)) * arm;
            for (j, (got, expected)) in ours.iter().zip(&theirs).enumerate() {
                let name = body.name(mbs_core::Item::Joint(j));
                let (got, expected) = (flat(got), flat(expected));
                ledger.record_all(&format!("point of {name}"), &got[..3], &expected[..3], arm, at);
                ledger.record_all(&format!("reaction of {name}"), &got[3..], &expected[3..], floor, at);
            }
        }
        let energies = [body.energy(state.view()), other.energy(at.view())];
        ledger.record("kinetic energy", energies[0].kinetic, energies[1].kinetic, 1.0, at);
        ledger.record("potential energy", energies[0].potential, energies[1].potential, 10.0, at);
    }
    ledger.settle()
}

/// In the plane, compares q, v and a of both formulations, which are measured on one motion. `terms` are the errors of both solutions.
fn coordinates(
    body: &Interpreted,
    other: &Interpreted,
    [state, at]: [&OwnedState; 2],
    [b, a]: [&[f64]; 2],
    [of_body, terms]: [&[f64]; 2],
    ledger: &mut Ledger,
) {
    let expected = to_body(other, body, at, a).1;
    // In the opposite direction, coordinates are measured on the poses.
    let back = measured(body, other, state, &expected);
    for (k, name) in ["q", "v"].into_iter().enumerate() {
        let given = [&at.q, &at.v][k];
        ledger.record_all(name, &back[k], given, size(given).max(1.0), at);
    }
    for (i, (got, given)) in back[2].iter().zip(a).enumerate() {
        ledger.record("a", *got, *given, terms[i].max(size(&at.v).max(1.0).powi(2)), at);
    }
    let converted = converted_errors(other, body, at, terms);
    for (i, (got, expected)) in b.iter().zip(&expected).enumerate() {
        let name = format!("a of {}", body.name(mbs_core::Item::Coordinate(i)));
        ledger.record(&name, *got, *expected, of_body[i].max(converted[i]), at);
    }
}

/// Errors of accelerations in body coordinates by errors of those in other coordinates: the magnitudes of the linear map, times `errors`.
fn converted_errors(other: &Interpreted, body: &Interpreted, at: &OwnedState, errors: &[f64]) -> Vec<f64> {
    let mut a = vec![0.0; at.v.len()];
    let still = to_body(other, body, at, &a).1;
    let mut converted = vec![0.0; still.len()];
    for (k, error) in errors[..a.len()].iter().enumerate() {
        a[k] = 1.0;
        for (sum, (moving, still)) in converted.iter_mut().zip(to_body(other, body, at, &a).1.iter().zip(&still)) {
            *sum += (moving - still).abs() * error;
        }
        a[k] = 0.0;
    }
    converted
}

/// The [`condition`] of a solution.
fn condition_of(interpreted: &Interpreted, at: &OwnedState, a: &[f64], lambda: &[f64]) -> Vec<f64> {
    let (mass, jacobian) = (run(interpreted, "mass_matrix", at), run(interpreted, "constraint_jacobian", at));
    let (forces, gamma) = (run(interpreted, "generalized_forces", at), run(interpreted, "gamma", at));
    let right = right_side(&mass, &jacobian, &forces, &gamma, &at.v);
    condition(&mass, &jacobian, &right, &[a, lambda].concat())
}

/// Converts a planar state in any coordinates, with its accelerations, to body coordinates, by the poses of bodies.
pub fn to_body(other: &Interpreted, body: &Interpreted, at: &OwnedState, a: &[f64]) -> (OwnedState, Vec<f64>) {
    let oracle = Oracle::new(other, at);
    let (poses, [rates, seconds]) = (oracle.poses(), oracle.pose_rates(a));
    let from = |order: usize, poses: &[f64], algebraic: &[f64]| -> Vec<f64> {
        let index = |wanted: InterfaceCoordinate| other.compiled().tree.interface.iter().position(|c| *c == wanted);
        let value = |c: &InterfaceCoordinate| match *c {
            InterfaceCoordinate::Body(b, k) => poses[3 * b.index() + usize::from(k)],
            InterfaceCoordinate::Joint(j, k) if oracle.prescribed(j, k).is_some() => {
                oracle.prescribed(j, k).map_or(0.0, |given| given[order])
            }
            other => algebraic[index(other).expect("algebraic coordinates are the same")],
        };
        body.compiled().tree.interface.iter().map(value).collect()
    };
    let state = OwnedState { q: from(0, &poses, &at.q), v: from(1, &rates, &at.v), ..at.clone() };
    (state, from(2, &seconds, a))
}

/// Coordinates, speeds and accelerations of `other`, measured on a motion in body coordinates.
fn measured(body: &Interpreted, other: &Interpreted, at: &OwnedState, a: &[f64]) -> [Vec<f64>; 3] {
    let (compiled, theirs) = (body.compiled(), other.compiled());
    let constants = |values: &[f64]| values.iter().map(|x| Series::constant(*x)).collect::<Vec<_>>();
    let variables = Variables {
        t: Series::linear(at.t, 1.0),
        parameters: constants(body.parameters()),
        inputs: constants(&at.u),
        auxiliary: constants(&at.z),
        multipliers: constants(&vec![0.0; compiled.tree.rows.len()]),
        reactions: Vec::new(),
        prescribed: Vec::new(),
    };
    let v: Vec<Motion> = at.v.iter().zip(a).map(|(v, a)| Series::linear(*v, *a)).collect();
    // The model of `other` contains the expressions that measure its coordinates.
    let mut model = theirs.model.clone();
    mbs_physics::set_formulation(&mut model, Formulation::Body);
    let q = Mechanics::planar_path(&model, &compiled.tree, &variables, &constants(&at.q), &v, 2);
    let moving = Mechanics::at_interface_coordinates(&model, &compiled.tree, variables.clone(), &q);
    let index = |wanted: InterfaceCoordinate| compiled.tree.interface.iter().position(|c| *c == wanted);
    let series: Vec<Motion> = theirs
        .tree
        .interface
        .iter()
        .map(|c| match *c {
            InterfaceCoordinate::Joint(j, k) => moving.value(model.joint(j).coordinates[usize::from(k)].1),
            InterfaceCoordinate::Basic(i, k) => {
                moving.planar().basic(&theirs.model.coordinates.natural.basics[i as usize])[usize::from(k)]
            }
            InterfaceCoordinate::ContinuousAngle(b) => moving.planar().kinematics.angle(b),
            same => q[index(same).expect("body and algebraic coordinates are those of bodies")],
        })
        .collect();
    let mechanics = Mechanics::at_interface_coordinates(&theirs.model, &theirs.tree, variables, &series);
    let speeds = mechanics.declared_speeds();
    let all = |list: &[Motion], k: usize| list.iter().map(|s| s.derivative(k)).collect();
    [all(&series, 0), all(&speeds, 0), all(&speeds, 1)]
}
