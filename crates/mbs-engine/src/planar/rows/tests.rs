//! The hand-written derivatives against those of the residuals in the catalogue, by time series and reverse sweeps.

use mbs_core::{Mechanism, StateView};
use mbs_model::Formulation;

use crate::Engine;
use crate::inputs::Inputs;
use crate::planar::plane::Wrench;
use crate::testing::{Random, close};

/// Every basic equation between bodies, on fixed and on moving ground, with ends in both orders.
const EVERYTHING: &str = "pub planar Everything {
    gravity: [0, -9.81];
    body a { mass: 1.1, inertia: 0.2, com: [0.1, 0.05], position: [0.2, 0.1], angle: 0.3 }
    body b { mass: 0.7, inertia: 0.1, com: [-0.1, 0.02], position: [1.0, 0.4], angle: -0.2 }
    body c { mass: 0.5, inertia: 0.05, position: [1.5, -0.3], angle: 0.6 }
    body d { mass: 0.4, inertia: 0.04, position: [0.5, 1.5], angle: 0.1 }
    particle p { mass: 0.3, position: [2, 1] }
    marker wall = ground at [0.1 * sin(2 * t), 0.2 + 0.05 * t];
    joint pin = revolute(wall, a at [-0.1, 0.1]);
    joint knee = revolute(b at [-0.3, 0.1], a at [0.4, 0.2]) { cut: true };
    joint slide = prismatic(b at [0.2, 0], c) { axis: [1, 0.5] };
    joint weld = fixed(c at [0.3, 0], d) { angle: 0.4 };
    joint rod = distance(a at [0.1, 0], d at [0.2, 0.1]) { length: 1.3 };
    joint thread = distance(wall, p) { length: 2.1 };
    joint rail = point_on_line(d at [0, 0.1], p) { axis: [0.3, 1] };
    kernels: [kinematics];
}";

#[test]
fn jacobian_and_gamma_are_derivatives_of_the_residuals() {
    for formulation in [Formulation::Body, Formulation::Joint] {
        let engine = crate::testing::unchecked(EVERYTHING, formulation);
        let plan = &engine.planar().plan;
        let n = plan.n;
        let mut random = Random::new(3);
        for _ in 0..50 {
            let (q, v) = (random.vector(n), random.vector(n));
            let at = Inputs { t: random.next_number(), q: &q, v: &v, ..Inputs::default() };
            let work = &mut *engine.planar().work.borrow_mut();
            work.move_bodies(plan, &engine.planar().numbers, &at);
            work.constraint_jacobian(plan, &engine.planar().numbers, &at);
            let jacobian = work.jacobian.clone();
            let mut gamma = vec![0.0; plan.rows.plans.len()];
            work.gamma(plan, &engine.planar().numbers, &mut gamma);
            work.evaluate(3, &plan.tapes.residuals, plan, &engine.planar().numbers, &at);
            for (r, row) in plan.rows.plans.iter().enumerate() {
                assert!(row.basic.is_some(), "every row here is a basic equation");
                work.wrenches.fill(Wrench::ZERO);
                let sweep = plan.tapes.residuals.sweep(r, 0);
                work.differentiate(&plan.tapes.residuals, &sweep, plan, &engine.planar().numbers, 1.0);
                let mut expected = vec![0.0; n];
                for (step, wrench) in work.wrenches.clone().into_iter().enumerate() {
                    work.motion.project_wrench(&plan.steps, step, wrench, |i, x| expected[i] += x);
                }
                let mut found = vec![0.0; n];
                for ((of, i), g) in plan.rows.jacobian.iter().zip(&jacobian) {
                    if *of == r {
                        found[*i] = *g;
                    }
                }
                // 1e-13: some thirty operations on numbers below ten.
                close(&found, &expected, 1e-13);
                let second = 2.0 * work.values.coefficient(plan.tapes.residuals.root(r), 2);
                close(&[gamma[r]], &[-second], 1e-12);
            }
        }
    }
}

#[test]
fn velocity_residuals_are_rates_of_position_residuals() {
    let engine = crate::testing::unchecked(EVERYTHING, Formulation::Joint);
    let (n, rows) = (engine.planar().plan.n, engine.planar().plan.rows.plans.len());
    let mut random = Random::new(4);
    let (q, v, t, h) = (random.vector(n), random.vector(n), 0.3, 1e-5);
    let moved = |s: f64| {
        let q: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + s * v).collect();
        let mut phi = vec![0.0; rows];
        engine.position_residuals(StateView::new(t + s, &q, &[]), &mut phi);
        phi
    };
    let difference: Vec<f64> = moved(h).iter().zip(moved(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect();
    let mut psi = vec![0.0; rows];
    engine.velocity_residuals(StateView::new(t, &q, &v), &mut psi);
    // Central differences: h² from above, 1e-16 / h from below.
    close(&psi, &difference, 1e-8);
    let (mut jacobian, mut nu) = (vec![0.0; rows * n], vec![0.0; rows]);
    engine.constraint_jacobian(StateView::new(t, &q, &[]), &mut jacobian);
    engine.nu(StateView::new(t, &q, &[]), &mut nu);
    let by_matrix: Vec<f64> =
        (0..rows).map(|r| (0..n).map(|i| jacobian[r * n + i] * v[i]).sum::<f64>() - nu[r]).collect();
    close(&by_matrix, &psi, 1e-13);
}

#[test]
fn accelerations_satisfy_the_equations() {
    let engine = Engine::text(&std::fs::read_to_string("../../mechanisms/andrews.mbs").unwrap()).unwrap();
    let s = engine.sizes();
    let (mut q, mut v) = (vec![0.0; s.n_q], vec![0.0; s.n_v]);
    engine.guess(&mut q, &mut v, &mut []);
    let at = StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[] };
    let (mut a, mut lambda, mut forces) = (vec![0.0; s.n_v], vec![0.0; s.n_c], vec![0.0; s.n_v]);
    engine.accelerations(at, &mut a, &mut lambda).unwrap();
    engine.generalized_forces(at, &mut forces);
    let (mut mass, mut jacobian) = (vec![0.0; s.n_v * s.n_v], vec![0.0; s.n_c * s.n_v]);
    engine.mass_matrix(StateView::new(0.0, &q, &[]), &mut mass);
    engine.constraint_jacobian(StateView::new(0.0, &q, &[]), &mut jacobian);
    let left: Vec<f64> = (0..s.n_v)
        .map(|i| {
            let inertial: f64 = (0..s.n_v).map(|j| mass[i * s.n_v + j] * a[j]).sum();
            inertial + (0..s.n_c).map(|r| jacobian[r * s.n_v + i] * lambda[r]).sum::<f64>()
        })
        .collect();
    close(&left, &forces, 1e-11);
}
