//! One algorithm checks another: columns of M are the inverse dynamics of unit accelerations, articulated bodies solve with it,
//! velocities and accelerations are rates of poses.

use mbs_core::{Mechanism, StateView};
use mbs_math::Vec3;
use mbs_model::Formulation;

use crate::Engine;
use crate::inputs::Inputs;
use crate::space::motion::Frame;
use crate::space::vector::Wrench;
use crate::testing::{Random, close, unchecked};

/// A tree with every motion in both directions, welded bodies, a particle with a child, and a body in body coordinates.
const TREE: &str = "pub spatial Tree {
    gravity: [0.5, 0.3, -9.81];
    particle bob { mass: 0.6 }
    body trunk { mass: 2, inertia: [[0.3, 0.02, 0.01], [0.02, 0.4, -0.03], [0.01, -0.03, 0.5]], com: [0.1, -0.05, 0.02], attitude: euler(zyx) }
    body arm { mass: 1, inertia: [0.1, 0.12, 0.05], com: [0.2, 0.1, 0.3] }
    body slider { mass: 0.7, inertia: [0.08, 0.05, 0.06], com: [0.02, -0.03, 0] }
    body tip { mass: 0.4, inertia: [0.03, 0.03, 0.02], com: [0.1, 0, 0.1] }
    body hand { mass: 0.3, inertia: [0.02, 0.01, 0.02], com: [0, 0.1, 0.1] }
    body kite { mass: 0.2, inertia: [0.01, 0.02, 0.02], com: [0.03, 0.04, 0], attitude: mrp, velocity: body }
    body tail { mass: 0.25, inertia: [0.015, 0.01, 0.01], com: [0.01, 0.02, 0.1], attitude: vector }
    body reel { mass: 0.25, inertia: [0.015, 0.01, 0.01], com: [0.01, 0.02, 0.1], attitude: rodrigues, velocity: body }
    body rest { mass: 0.5, inertia: [0.05, 0.04, 0.06], com: [0.3, 0.1, 0.2], coordinates: body }
    body bell { mass: 0.5, inertia: [0.05, 0.04, 0.06], com: [0.3, 0.1, 0.2] }
    joint float = free(ground, rest);
    joint base = free(ground, trunk at [0, 0.1, 0.1]);
    joint shoulder = revolute(arm at [0.05, 0, 0.1], trunk at [0.3, 0.1, 0]) { axis: [1, 2, 0] };
    joint rail = prismatic(arm at [0.4, 0, 0], slider at [0.1, 0, 0]) { axis: [1, 1, 0] };
    joint back = cylindrical(tip at [0.1, 0.1, 0], slider at [0, 0.2, 0]) { axis: [0.2, 1, 0.3] };
    joint weld = fixed(hand, tip at [0.2, 0, 0]);
    joint air = free(trunk at [0.1, 0.3, 0], kite at [0.05, 0.02, 0.1]);
    joint wake = free(tail at [0.1, 0.02, 0.1], kite at [0.2, 0.1, 0]);
    joint line = free(reel at [0.1, 0.02, 0.1], kite at [0.2, 0.1, 0]);
    joint swing = free(bob, bell at [0, 0.1, 0.2]);
    joint wrist = universal(hand at [0, 0.1, 0], nut at [0.1, 0, 0]) { axis: [1, 0, 0], second_axis: [0, 1, 0.2] };
    body nut { mass: 0.5, inertia: [0.05, 0.04, 0.06], com: [0.3, 0.1, 0.2] }
    joint thread = screw(cap, nut at [0, 0.1, 0.1]) { axis: [0, 0.5, 1], pitch: 0.3 };
    body cap { mass: 0.2, inertia: [0.05, 0.04, 0.06], com: [0.1, 0.1, 0.2] }
    joint socket = spherical(ball at [0.1, 0, 0.2], cap);
    body ball { mass: 0.2, inertia: [0.05, 0.04, 0.06], com: [0.1, 0.1, 0.2] }
    force spring = spring_damper(tip, bob) { stiffness: 20, damping: 1, free_length: 0.3 };
    force twist = mobility(shoulder) { value: -3 * shoulder.angle };
}";

/// Coordinates and speeds; quaternions of unit length.
fn state(engine: &Engine, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    let mut q = random.vector(engine.sizes().n_q);
    engine.normalize(&mut q);
    (q, random.vector(engine.sizes().n_v))
}

#[test]
fn columns_of_the_mass_matrix_are_inverse_dynamics() {
    let engine = unchecked(TREE, Formulation::Joint);
    let (space, n) = (engine.spatial(), engine.sizes().n_v);
    let (q, _) = state(&engine, 1);
    let mut mass = vec![0.0; n * n];
    engine.mass_matrix(StateView::new(0.0, &q, &[]), &mut mass);
    for i in 0..n {
        let mut a = vec![0.0; n];
        a[i] = 1.0;
        let work = &mut *space.work.borrow_mut();
        work.move_bodies(&space.plan, &space.numbers, &Inputs { q: &q, a: &a, ..Inputs::default() });
        let applied = vec![Wrench::ZERO; space.plan.links.len()];
        let mut forces = vec![0.0; n];
        work.newton_euler.required(&space.plan.links, &space.numbers.inertias, &work.motion, &applied, &mut forces);
        let column: Vec<f64> = (0..n).map(|j| mass[j * n + i]).collect();
        close(&forces, &column, 1e-13);
    }
}

#[test]
fn articulated_bodies_solve_with_the_mass_matrix() {
    let engine = unchecked(TREE, Formulation::Joint);
    let n = engine.sizes().n_v;
    let rows: Vec<&str> = engine.tree().rows.iter().map(|row| row.name.as_str()).collect();
    assert!(rows.is_empty(), "{rows:?}");
    for seed in 0..20 {
        let (q, v) = state(&engine, seed);
        let at = StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[] };
        let (mut a, mut forces, mut mass) = (vec![0.0; n], vec![0.0; n], vec![0.0; n * n]);
        engine.accelerations(at, &mut a, &mut []).unwrap();
        engine.generalized_forces(at, &mut forces);
        engine.mass_matrix(StateView::new(0.0, &q, &[]), &mut mass);
        let left: Vec<f64> = (0..n).map(|i| (0..n).map(|j| mass[i * n + j] * a[j]).sum()).collect();
        // 1e-10: long arms with small masses at their ends give a condition number of some ten thousands.
        close(&left, &forces, 1e-10);
        let mut x = vec![0.0; n];
        engine.solve(StateView::new(0.0, &q, &[]), &forces, &[], &mut x, &mut []).unwrap();
        close(&x, &a, 1e-9);
    }
}

#[test]
fn kinetic_energy_is_half_v_m_v() {
    for formulation in [Formulation::Joint, Formulation::Body] {
        let engine = unchecked(TREE, formulation);
        let n = engine.sizes().n_v;
        let (q, v) = state(&engine, 5);
        let mut mass = vec![0.0; n * n];
        engine.mass_matrix(StateView::new(0.0, &q, &[]), &mut mass);
        let half: f64 = (0..n).map(|i| (0..n).map(|j| 0.5 * v[i] * mass[i * n + j] * v[j]).sum::<f64>()).sum();
        let energy = engine.energy(StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[] });
        close(&[half], &[energy.kinetic], 1e-13);
    }
}

/// Coordinates and speeds at τ = s, with q̈ and v̇ constant.
fn advanced(engine: &Engine, [q, v, a]: [&[f64]; 3], s: f64) -> (Vec<f64>, Vec<f64>) {
    let space = engine.spatial();
    let work = &mut *space.work.borrow_mut();
    work.move_bodies(&space.plan, &space.numbers, &Inputs { q, v, a, ..Inputs::default() });
    let (rates, second) = (&work.motion.rates, &work.motion.second_rates);
    let q = q.iter().zip(rates.iter().zip(second)).map(|(q, (r, d))| q + s * r + 0.5 * s * s * d).collect();
    (q, v.iter().zip(a).map(|(v, a)| v + s * a).collect())
}

#[test]
fn velocities_and_accelerations_are_rates_of_poses() {
    for formulation in [Formulation::Joint, Formulation::Body] {
        let engine = unchecked(TREE, formulation);
        let (space, n, h) = (engine.spatial(), engine.sizes().n_v, 1e-4);
        let (q, v) = state(&engine, 7);
        let a = Random::new(8).vector(n);
        let bodies = |s: f64| {
            let (q, v) = advanced(&engine, [&q, &v, &a], s);
            let work = &mut *space.work.borrow_mut();
            work.move_bodies(&space.plan, &space.numbers, &Inputs { q: &q, v: &v, a: &a, ..Inputs::default() });
            work.motion.bodies.clone()
        };
        let (before, now, after) = (bodies(-h), bodies(0.0), bodies(h));
        for ((b, n), a) in before.iter().zip(&now).zip(&after) {
            let rate = |f: fn(&Frame) -> Vec3<f64>| ((f(a) - f(b)) * (0.5 / h)).0;
            // Central differences with h = 1e-4: third derivatives times h².
            close(&rate(|x| x.origin), &n.velocity.0, 1e-6);
            close(&rate(|x| x.velocity), &n.acceleration.0, 1e-6);
            close(&rate(|x| x.rate), &n.angular_acceleration.0, 1e-6);
            // Ṙ Rᵀ = ω̃: the component of the rate of axis i in the direction of axis j.
            let omega = [0, 1, 2].map(|k: usize| {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                let rates = (a.rotation.column(i) - b.rotation.column(i)) * (0.5 / h);
                n.rotation.transpose_times(rates)[j]
            });
            close(&omega, &n.rotation.transpose_times(n.rate).0, 1e-6);
        }
    }
}

#[test]
fn a_motion_without_mass_is_singular_by_its_index() {
    let engine = unchecked(
        "pub spatial Light { body a { mass: 1, inertia: [1, 1, 1] } body b { }
        joint p = revolute(ground, a); joint s = prismatic(a, b) { axis: [1, 0, 0] }; }",
        Formulation::Joint,
    );
    let at = StateView { t: 0.5, q: &[0.0; 2], v: &[0.0; 2], z: &[], u: &[] };
    let outcome = engine.accelerations(at, &mut [0.0; 2], &mut []);
    assert_eq!(outcome, Err(mbs_core::Error::Singular { row: 1, t: 0.5 }));
}
