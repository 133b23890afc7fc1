//! One algorithm checks another: columns of M are the inverse dynamics of unit accelerations, articulated bodies solve with it.

use mbs_core::{Mechanism, StateView};
use mbs_model::Formulation;

use crate::Engine;
use crate::inputs::Inputs;
use crate::planar::plane::Wrench;
use crate::testing::{Random, close, unchecked};

/// A tree with every tree joint in both directions, particles between bodies, and a body in body coordinates.
const TREE: &str = "pub planar Tree {
    gravity: [0.5, -9.81];
    body trunk { mass: 2, inertia: 0.3, com: [0.1, -0.05] }
    body arm { mass: 1, inertia: 0.1, com: [0.2, 0.1] }
    body slider { mass: 0.7, inertia: 0.08, com: [0.02, -0.03] }
    body tip { mass: 0.4, inertia: 0.03, com: [0.1, 0] }
    body hand { mass: 0.3, inertia: 0.02, com: [0, 0.1] }
    body kite { mass: 0.2, inertia: 0.01, com: [0.03, 0.04] }
    body tail { mass: 0.25, inertia: 0.015, com: [0.01, 0.02] }
    body rest { mass: 0.5, inertia: 0.05, com: [0.3, 0.1], coordinates: body }
    particle bob { mass: 0.6 }
    particle bead { mass: 0.1 }
    joint hip = revolute(ground at [0.1, 0.2], trunk at [0, 0.1]);
    joint shoulder = revolute(arm at [0.05, 0], trunk at [0.3, 0.1]);
    joint rail = prismatic(arm at [0.4, 0], slider at [0.1, 0]) { axis: [1, 1] };
    joint back = prismatic(tip at [0.1, 0.1], slider at [0, 0.2]) { axis: [0.2, 1] };
    joint weld = fixed(hand, tip at [0.2, 0]) { angle: 0.7 };
    joint air = free(trunk at [0.1, 0.3], kite at [0.05, 0.02]);
    joint wake = free(tail at [0.1, 0.02], kite at [0.2, 0.1]);
    joint string = revolute(arm at [0.1, -0.2], bob);
    joint base = free(ground, rest);
    joint drift = free(bead, trunk at [0.2, 0.2]);
    force spring = spring_damper(tip, bob) { stiffness: 20, damping: 1, free_length: 0.3 };
    force twist = torsion_spring(trunk, arm) { stiffness: 3, damping: 0.1 };
}";

fn state(engine: &Engine, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    (random.vector(engine.sizes().n_q), random.vector(engine.sizes().n_v))
}

#[test]
fn columns_of_the_mass_matrix_are_inverse_dynamics() {
    let engine = unchecked(TREE, Formulation::Joint);
    let (plan, n) = (&engine.planar().plan, engine.sizes().n_v);
    let (q, _) = state(&engine, 1);
    let mut mass = vec![0.0; n * n];
    engine.mass_matrix(StateView::new(0.0, &q, &[]), &mut mass);
    for i in 0..n {
        let mut a = vec![0.0; n];
        a[i] = 1.0;
        let work = &mut *engine.planar().work.borrow_mut();
        work.move_bodies(plan, &engine.planar().numbers, &Inputs { q: &q, a: &a, ..Inputs::default() });
        let applied = vec![Wrench::ZERO; plan.steps.len()];
        let mut forces = vec![0.0; n];
        let masses = &engine.planar().numbers.masses;
        work.newton_euler.required(&plan.steps, masses, &work.motion, &applied, &mut forces);
        let column: Vec<f64> = (0..n).map(|j| mass[j * n + i]).collect();
        close(&forces, &column, 1e-13);
    }
}

#[test]
fn articulated_bodies_solve_with_the_mass_matrix() {
    let engine = unchecked(TREE, Formulation::Joint);
    let n = engine.sizes().n_v;
    assert_eq!(engine.sizes().n_c, 0);
    for seed in 0..20 {
        let (q, v) = state(&engine, seed);
        let at = StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[] };
        let (mut a, mut forces, mut mass) = (vec![0.0; n], vec![0.0; n], vec![0.0; n * n]);
        engine.accelerations(at, &mut a, &mut []).unwrap();
        engine.generalized_forces(at, &mut forces);
        engine.mass_matrix(StateView::new(0.0, &q, &[]), &mut mass);
        let left: Vec<f64> = (0..n).map(|i| (0..n).map(|j| mass[i * n + j] * a[j]).sum()).collect();
        // 1e-11: the arms give a condition number of some thousands.
        close(&left, &forces, 1e-11);
        let mut x = vec![0.0; n];
        engine.solve(StateView::new(0.0, &q, &[]), &forces, &[], &mut x, &mut []).unwrap();
        close(&x, &a, 1e-10);
    }
}

#[test]
fn kinetic_energy_is_half_v_m_v() {
    let engine = unchecked(TREE, Formulation::Joint);
    let n = engine.sizes().n_v;
    let (q, v) = state(&engine, 5);
    let mut mass = vec![0.0; n * n];
    engine.mass_matrix(StateView::new(0.0, &q, &[]), &mut mass);
    let half: f64 = (0..n).map(|i| (0..n).map(|j| 0.5 * v[i] * mass[i * n + j] * v[j]).sum::<f64>()).sum();
    let energy = engine.energy(StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[] });
    close(&[half], &[energy.kinetic], 1e-13);
}

#[test]
fn a_motion_without_mass_is_singular_by_its_index() {
    let engine = unchecked(
        "pub planar Light { body a { mass: 1, inertia: 1 } body b { } joint p = revolute(ground, a); joint s = prismatic(a, b) { axis: [1, 0] }; }",
        Formulation::Joint,
    );
    let at = StateView { t: 0.5, q: &[0.0; 2], v: &[0.0; 2], z: &[], u: &[] };
    let outcome = engine.accelerations(at, &mut [0.0; 2], &mut []);
    assert_eq!(outcome, Err(mbs_core::Error::Singular { row: 1, t: 0.5 }));
}

#[test]
fn velocities_and_accelerations_are_rates_of_poses() {
    let engine = unchecked(TREE, Formulation::Joint);
    let plan = &engine.planar().plan;
    let (q, v) = state(&engine, 7);
    let (a, h) = (Random::new(8).vector(plan.n), 1e-4);
    let bodies = |s: f64| {
        let list = q.iter().zip(&v).zip(&a);
        let (q, v): (Vec<f64>, Vec<f64>) = list.map(|((q, v), a)| (q + s * v + 0.5 * s * s * a, v + s * a)).unzip();
        let work = &mut *engine.planar().work.borrow_mut();
        work.move_bodies(plan, &engine.planar().numbers, &Inputs { q: &q, v: &v, a: &a, ..Inputs::default() });
        work.motion.bodies.clone()
    };
    let (before, now, after) = (bodies(-h), bodies(0.0), bodies(h));
    for ((b, n), a) in before.iter().zip(&now).zip(&after) {
        let rate = |f: fn(&crate::planar::motion::BodyMotion) -> [f64; 3]| -> Vec<f64> {
            f(a).iter().zip(f(b)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
        };
        // Central differences with h = 1e-4: third derivatives times h².
        close(&rate(|x| [x.origin[0], x.origin[1], x.angle]), &[n.velocity[0], n.velocity[1], n.rate], 1e-6);
        let second = [n.acceleration[0], n.acceleration[1], n.angular_acceleration];
        close(&rate(|x| [x.velocity[0], x.velocity[1], x.rate]), &second, 1e-6);
    }
}
