//! Jacobians of points and their rates, second rates of coordinates, weights and wrenches, against dual numbers.

use mbs::Mechanism;

use super::{Direction, Moving};
use crate::mechanisms::harness::ledger::Ledger;

/// Checks all operators at one state.
pub fn check(moving: &Moving<'_>, ledger: &mut Ledger) {
    let sizes = moving.sizes();
    let n = sizes.n_v;
    let at = moving.at;
    let along_motion = {
        let mut direction = Direction::zero(sizes, moving.mechanism.parameters().len());
        moving.mechanism.coordinate_rates(at.t, &at.q, &at.v, &mut direction.q);
        direction
    };
    let floor = crate::mechanisms::harness::size(&at.v);
    let values = |name: &str| moving.dual(name, &along_motion).into_iter().map(|x| x.0[0]).collect::<Vec<f64>>();
    let times_speeds = |matrix: &[f64]| -> Vec<f64> {
        matrix.chunks_exact(n).map(|row| row.iter().zip(&at.v).map(|(x, v)| x * v).sum()).collect()
    };
    let mut record = |name: &str, got: &[f64], expected: &[f64]| ledger.record_all(name, got, expected, floor, at);
    // Velocities at fixed time are J v.
    for (points, jacobian) in [("marker_positions", "marker_jacobians"), ("center_of_mass", "center_of_mass_jacobian")]
    {
        if moving.mechanism.compiled().function(jacobian).is_some() {
            record(jacobian, &times_speeds(&values(jacobian)), &moving.derivatives(points, &along_motion));
        }
    }
    for (jacobian, rates) in [("body_jacobians", "body_jacobian_rates"), ("marker_jacobians", "marker_jacobian_rates")]
    {
        // The rates are total: geometry also depends on time.
        let mut along = moving.dual(jacobian, &along_motion).into_iter().map(|x| x.0[1]).collect::<Vec<f64>>();
        along.iter_mut().zip(moving.time_derivatives(jacobian)).for_each(|(x, t)| *x += t);
        record(rates, &values(rates), &along);
    }
    if moving.mechanism.compiled().function("acceleration_residuals").is_some() {
        let along: Vec<f64> = values("constraint_jacobian")
            .chunks_exact(n)
            .map(|row| crate::mechanisms::harness::dot(row, &moving.a))
            .collect();
        let left: Vec<f64> = along.iter().zip(values("gamma")).map(|(x, gamma)| x - gamma).collect();
        let floor = crate::mechanisms::harness::size(&along).max(floor);
        ledger.record_all("acceleration_residuals", &values("acceleration_residuals"), &left, floor, at);
    }
    let mut record = |name: &str, got: &[f64], expected: &[f64]| ledger.record_all(name, got, expected, floor, at);
    if moving.mechanism.compiled().function("coordinate_accelerations").is_some() {
        let along = Direction { v: moving.a.clone(), ..along_motion.clone() };
        record(
            "coordinate_accelerations",
            &values("coordinate_accelerations"),
            &moving.derivatives("coordinate_rates", &along),
        );
    }
    for of in &moving.mechanism.compiled().wrenches {
        let body = &moving.mechanism.compiled().model.bodies[of.body.index()].name;
        let name = format!("{}_wrench", mbs_model::flat_name(body));
        let kernel = moving.kernel(&name);
        let link = moving.mechanism.compiled().tree.mounts[of.body.index()].link.expect("it floats");
        let link = &moving.mechanism.compiled().tree.links[link];
        let attitude = link.attitude_coordinates().expect("it floats").attitude.count();
        let part = |family: char, from: usize, count: usize| {
            moving.directions(family).into_iter().skip(from).take(count).collect::<Vec<_>>()
        };
        let directions =
            [part('x', link.first_q, 3 + attitude), part('v', link.first_v, 6), part('u', 0, sizes.n_u)].concat();
        let columns: Vec<Vec<f64>> = directions.iter().map(|d| moving.derivatives(&name, d)[..6].to_vec()).collect();
        record("wrench Jacobian", &kernel("jacobian"), &super::matrix(&columns, 0..6));
        let ends = [0, 3, 3 + attitude, 6 + attitude, 9 + attitude, columns.len()];
        for (k, row) in of.pattern.iter().enumerate() {
            for (block, there) in row.iter().enumerate() {
                let derivatives = columns[ends[block]..ends[block + 1]].iter().flat_map(|c| &c[3 * k..3 * k + 3]);
                let vanishes = derivatives.into_iter().all(|x| *x == 0.0);
                assert!(*there || vanishes, "{name}: block {k}, {block} does not vanish");
            }
        }
    }
    if moving.mechanism.compiled().function("gravity_forces").is_some() && n > 0 {
        weights(moving, &values("gravity_forces"), &values("center_of_mass_jacobian"));
    }
}

/// Checks Σ Jᵀ m g = m Jᵀ g with the Jacobian of the centre of mass and the total mass.
fn weights(moving: &Moving<'_>, weights: &[f64], jacobian: &[f64]) {
    let model = &moving.mechanism.compiled().model;
    let n = weights.len();
    let (Some(gravity), false) = (model.loads.gravity, jacobian.is_empty()) else {
        assert!(weights.iter().all(|w| *w == 0.0));
        return;
    };
    let number = |e: mbs_expr::ExprId| model.exprs.value(e);
    let all: Option<Vec<f64>> = gravity.into_iter().map(number).collect();
    let masses: Option<Vec<f64>> = model.bodies.iter().map(|b| number(b.mass)).collect();
    // Entries that are literals in both.
    let (Some(gravity), Some(masses)) = (all, masses) else { return };
    let mass: f64 = masses.iter().sum();
    for (i, weight) in weights.iter().enumerate() {
        let expected: f64 = jacobian.chunks_exact(n).zip(&gravity).map(|(row, g)| mass * g * row[i]).sum();
        assert!((weight - expected).abs() <= 1e-12 * mass * 10.0 * (1.0 + expected.abs()), "{weight} for {expected}");
    }
}
