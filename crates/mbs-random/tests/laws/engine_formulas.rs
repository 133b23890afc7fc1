//! Algorithms of the engine against each other and against the series of the physics, without the compiler: recursions over trees, and the
//! hand-written derivatives of rows.

use mbs_core::{Describe, Mechanism, StateView};
use mbs_engine::Engine;
use mbs_model::Formulation;
use mbs_random::oracle::Oracle;
use mbs_random::state::{OwnedState, Random};

/// A tree with every tree joint in both directions, particles between bodies, and a body in body coordinates.
const PLANE: &str = "pub planar Tree {
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

/// A tree with every motion in both directions, welded bodies, a particle with a child, and a body in body coordinates.
const SPACE: &str = "pub spatial Tree {
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

/// Every basic equation of the plane between bodies, on fixed and on moving ground, with ends in both orders.
const ROWS: &str = "pub planar Everything {
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

fn engine(text: &str, formulation: Formulation) -> Engine {
    Engine::options().formulation(formulation).text(text).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Coordinates and speeds; quaternions have unit length.
fn state(engine: &Engine, random: &mut Random) -> OwnedState {
    let mut q = random.vector(engine.sizes().n_q, 1.0);
    engine.normalize(&mut q);
    OwnedState { t: random.next_number(), q, v: random.vector(engine.sizes().n_v, 1.0), z: Vec::new(), u: Vec::new() }
}

/// Asserts that lists agree within a tolerance relative to the largest value, or to one.
#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * scale, "{what}[{i}]: {a} and {b}, apart by {:e}", a - b);
    }
}

/// The n values that `write` writes.
fn values(n: usize, write: impl FnOnce(&mut [f64])) -> Vec<f64> {
    let mut list = vec![0.0; n];
    write(&mut list);
    list
}

/// Rows of `n` values times x.
fn times(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    matrix.chunks_exact(x.len()).map(|row| row.iter().zip(x).map(|(m, x)| m * x).sum()).collect()
}

fn mass_matrix(engine: &Engine, at: StateView) -> Vec<f64> {
    values(at.v.len() * at.v.len(), |mass| engine.mass_matrix(at, mass))
}

/// Rates of origins, and in the plane of angles, of all bodies: from the Jacobians of the engine, and from the series of poses.
fn pose_rates(engine: &Engine, oracle: &Oracle<'_>, at: StateView) -> [Vec<f64>; 2] {
    let jacobians = values(6 * engine.sizes().n_bodies * at.v.len(), |list| engine.body_jacobians(at, list));
    let [series, _] = oracle.pose_rates(&vec![0.0; at.v.len()]);
    let (kept, per_body) = if engine.is_spatial() { ([0, 1, 2], 12) } else { ([0, 1, 5], 3) };
    let twists = times(&jacobians, at.v);
    let found = twists.chunks_exact(6).flat_map(|twist| kept.map(|k| twist[k])).collect();
    [found, series.chunks_exact(per_body).flat_map(|rates| rates[..3].to_vec()).collect()]
}

#[test]
fn recursions_over_trees_agree() {
    for (text, formulation) in [
        (PLANE, Formulation::Joint),
        (SPACE, Formulation::Joint),
        (PLANE, Formulation::Body),
        (SPACE, Formulation::Body),
    ] {
        let engine = engine(text, formulation);
        let (n, is_tree) = (engine.sizes().n_v, engine.sizes().n_c == 0);
        assert_eq!(is_tree, formulation == Formulation::Joint, "trees have no rows in joint coordinates");
        let mut random = Random::new(1);
        for _ in 0..10 {
            let owned = state(&engine, &mut random);
            let at = owned.view();
            let oracle = Oracle::from_model(engine.model(), engine.tree(), engine.parameters(), &owned);
            let mass = mass_matrix(&engine, at);
            close("M", &mass, &oracle.mass_matrix(), 1e-13);
            let [found, expected] = pose_rates(&engine, &oracle, at);
            close("rates of poses", &found, &expected, 1e-13);
            let forces = values(n, |forces| engine.generalized_forces(at, forces));
            close("Q", &forces, &oracle.generalized_forces(), 1e-12);
            let quadratic = values(n, |forces| engine.velocity_forces(at, forces));
            close("Q without loads", &quadratic, &oracle.velocity_forces(), 1e-12);
            // Newton–Euler against composite bodies.
            let x = random.vector(n, 1.0);
            let product = values(n, |product| engine.multiply_by_mass_matrix(at, &x, product));
            close("M x", &product, &times(&mass, &x), 1e-13);
            let kinetic: f64 = times(&mass, at.v).iter().zip(at.v).map(|(p, v)| 0.5 * p * v).sum();
            close("T", &[kinetic], &[engine.energy(at).kinetic], 1e-13);
            if is_tree {
                // Articulated bodies against composite bodies. 1e-10: long arms with small masses at their ends give a condition number of
                // some ten thousands.
                let a = values(n, |a| engine.accelerations(at, a, &mut []).expect("M is definite"));
                close("M a", &times(&mass, &a), &forces, 1e-10);
                let solved = values(n, |x| engine.solve(at, &forces, &[], x, &mut []).expect("M is definite"));
                close("M⁻¹ Q", &solved, &a, 1e-9);
            }
        }
    }
}

#[test]
fn derivatives_of_basic_rows_are_those_of_series() {
    for formulation in [Formulation::Body, Formulation::Joint] {
        let engine = engine(ROWS, formulation);
        let (n, n_c) = (engine.sizes().n_v, engine.sizes().n_c);
        let mut random = Random::new(3);
        for _ in 0..50 {
            let owned = state(&engine, &mut random);
            let at = owned.view();
            let oracle = Oracle::from_model(engine.model(), engine.tree(), engine.parameters(), &owned);
            let phi = values(n_c, |phi| engine.position_residuals(at, phi));
            close("Φ", &phi, &oracle.position_residuals(), 1e-13);
            // 1e-13: some thirty operations on numbers below ten.
            let jacobian = values(n_c * n, |jacobian| engine.constraint_jacobian(at, jacobian));
            close("G", &jacobian, &oracle.constraint_jacobian(), 1e-13);
            let gamma = values(n_c, |gamma| engine.gamma(at, gamma));
            close("γ", &gamma, &oracle.gamma(), 1e-12);
            let psi = values(n_c, |psi| engine.velocity_residuals(at, psi));
            close("ψ", &psi, &oracle.velocity_residuals(), 1e-13);
            let nu = values(n_c, |nu| engine.nu(at, nu));
            close("ν", &nu, &oracle.nu(), 1e-13);
            let by_matrix: Vec<f64> = times(&jacobian, at.v).iter().zip(&nu).map(|(g, nu)| g - nu).collect();
            close("G v − ν", &by_matrix, &psi, 1e-13);
        }
    }
}
