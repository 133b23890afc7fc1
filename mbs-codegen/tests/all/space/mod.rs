//! Mechanisms in space: both formulations give equal motions and reactions in equal states.

mod closed_forms;
mod mechanisms;

use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_core::{Describe, Item, Mechanism, Pose, Reaction, StateView};
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use mechanisms::BODIES;

fn interpreted(text: &str, formulation: Formulation) -> Interpreted {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let mut compiled = compile_text("space.mbs", text, options).unwrap_or_else(|failure| panic!("{failure}"));
    Interpreted::new(compiled.remove(0).0, Fma::Plain).expect("defaults are inside their domains")
}

fn sine(k: usize) -> f64 {
    (1.0 + 1.7 * k as f64).sin()
}

/// A state of the joint formulation, and the equal state in body coordinates.
fn states(joint: &Interpreted, body: &Interpreted) -> [(Vec<f64>, Vec<f64>); 2] {
    let s = joint.sizes();
    let (mut q, mut v, mut z) = (vec![0.0; s.n_q], vec![0.0; s.n_v], vec![0.0; s.n_z]);
    joint.guess(&mut q, &mut v, &mut z);
    let delta: Vec<f64> = (0..s.n_v).map(|k| 0.6 * sine(k)).collect();
    joint.retract(0.0, &mut q, &delta, &mut vec![0.0; s.n_q]);
    v.iter_mut().enumerate().for_each(|(k, v)| *v = sine(k + 20));
    let n = s.n_bodies;
    let mut poses = vec![Pose { position: [0.0; 3], attitude: [0.0; 4] }; n];
    joint.poses(StateView::new(0.0, &q, &[]), &mut poses);
    let mut jacobians = vec![0.0; 6 * n * s.n_v];
    joint.body_jacobians(StateView::new(0.0, &q, &[]), &mut jacobians);
    let (mut qb, mut vb) = (Vec::new(), Vec::new());
    for (b, pose) in poses.iter().enumerate() {
        qb.extend(pose.position);
        qb.extend(pose.attitude);
        let row = |r: usize| -> f64 {
            let row = &jacobians[(6 * b + r) * s.n_v..][..s.n_v];
            row.iter().zip(&v).map(|(j, v)| j * v).sum()
        };
        vb.extend([0, 1, 2].map(row));
        vb.extend(mbs_core::rotation::rotate_back(pose.attitude, [3, 4, 5].map(row)));
    }
    // Continuous angles that rows need are additional coordinates in body coordinates.
    let name = |m: &Interpreted, item: Item| m.name(item).to_owned();
    for i in qb.len()..body.sizes().n_q {
        let wanted = name(body, Item::Coordinate(i));
        let k = (0..s.n_q).find(|k| name(joint, Item::Coordinate(*k)) == wanted);
        let k = k.unwrap_or_else(|| {
            panic!("{wanted} {:?}", (0..s.n_q).map(|k| name(joint, Item::Coordinate(k))).collect::<Vec<_>>())
        });
        qb.push(q[k]);
    }
    for i in vb.len()..body.sizes().n_v {
        let wanted = name(body, Item::Speed(i));
        let k = (0..s.n_v).find(|k| name(joint, Item::Speed(*k)) == wanted);
        let k = k.unwrap_or_else(|| panic!("{wanted}"));
        vb.push(v[k]);
    }
    assert_eq!((qb.len(), vb.len()), (body.sizes().n_q, body.sizes().n_v));
    [(q, v), (qb, vb)]
}

fn motion(m: &Interpreted, (q, v): &(Vec<f64>, Vec<f64>)) -> (Vec<f64>, Vec<Reaction>, Vec<f64>) {
    let s = m.sizes();
    let u: Vec<f64> = (0..s.n_u).map(|k| sine(k + 40)).collect();
    let at = StateView { t: 0.0, q, v, z: &[], u: &u };
    let (mut a, mut lambda) = (vec![0.0; s.n_v], vec![0.0; s.n_c]);
    m.accelerations(at, &mut a, &mut lambda).expect("a regular state");
    let mut outputs = vec![0.0; s.n_outputs];
    m.outputs(at, &a, &lambda, &mut outputs);
    let mut reactions = vec![Reaction::default(); s.n_joints];
    m.reactions(at, &a, &lambda, &mut reactions);
    let energy = m.energy(at);
    outputs.extend([energy.kinetic, energy.potential]);
    (outputs, reactions, a)
}

fn assert_close(what: &str, a: &[f64], b: &[f64]) {
    // Two eliminations of different matrices: round-off times their conditioning.
    let size = a.iter().chain(b).fold(1.0_f64, |m, x| m.max(x.abs()));
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= 1e-10 * size, "{what}[{k}]: {a} and {b}");
    }
}

fn compare_formulations(text: &str) {
    let joint = interpreted(text, Formulation::Joint);
    let body = interpreted(text, Formulation::Body);
    let [in_joints, in_bodies] = states(&joint, &body);
    let (mut phi, s) = (vec![0.0; body.sizes().n_position], body.sizes());
    body.position_residuals(StateView::new(0.0, &in_bodies.0, &[]), &mut phi);
    assert_close("residuals", &phi, &vec![0.0; phi.len()]);
    let mut psi = vec![0.0; s.n_velocity];
    body.velocity_residuals(StateView::new(0.0, &in_bodies.0, &in_bodies.1), &mut psi);
    assert_close("velocity residuals", &psi, &vec![0.0; psi.len()]);
    let (outputs, reactions, _) = motion(&joint, &in_joints);
    let (expected, expected_reactions, _) = motion(&body, &in_bodies);
    assert_close("outputs and energies", &outputs, &expected);
    for (k, (a, b)) in reactions.iter().zip(&expected_reactions).enumerate() {
        assert_close(&format!("force of joint {k}"), &a.force, &b.force);
        assert_close(&format!("moment of joint {k}"), &a.torque, &b.torque);
        assert_close(&format!("point of joint {k}"), &a.point, &b.point);
    }
}

fn check(joints: &str) {
    compare_formulations(&format!("spatial Try {{ {BODIES} {joints} }}"));
}

#[test]
fn revolute_joints_about_any_axes() {
    mechanisms::REVOLUTE.into_iter().for_each(check);
}

#[test]
fn slides_and_screws() {
    mechanisms::SLIDES.into_iter().for_each(check);
}

#[test]
fn balls_and_free_joints() {
    mechanisms::BALLS.into_iter().for_each(check);
}

#[test]
fn crosses_and_planes() {
    mechanisms::CROSSES.into_iter().for_each(check);
}

#[test]
fn points_on_ellipsoids() {
    mechanisms::ELLIPSOIDS.into_iter().for_each(check);
}

#[test]
fn lines_that_do_not_spin() {
    mechanisms::LINES.into_iter().for_each(check);
}

#[test]
fn points_on_spheres() {
    mechanisms::ORBITS.into_iter().for_each(check);
}

/// A rod between two links of an arm: joints inboard of both links do not change its length, and do not occur in its row.
#[test]
fn the_row_of_a_rod_inside_an_arm_contains_only_the_joints_between_its_ends() {
    let text = "spatial Arm {
        for i in 0..6 { body link[i] { mass: 1, inertia: [0.02, 0.03, 0.04], com: [0.2, 0.05, 0.1] } }
        joint j[0] = revolute(ground, link[0]) { axis: [0, 0, 1] };
        joint j[1] = revolute(link[0] at [0.4, 0, 0.1], link[1]) { axis: [0, 1, 0] };
        joint j[2] = revolute(link[1] at [0.4, 0.1, 0], link[2]) { axis: [1, 1, 0] };
        joint j[3] = revolute(link[2] at [0.4, 0, 0], link[3]) { axis: [0, 0, 1] };
        joint j[4] = revolute(link[3] at [0.4, 0, 0.2], link[4]) { axis: [0, 1, 1] };
        joint j[5] = revolute(link[4] at [0.4, 0, 0], link[5]) { axis: [1, 0, 0] };
        joint rod = distance(link[2] at [0.1, 0.3, 0], link[4] at [0.2, 0.1, 0]) { length: 0.75 };
    }";
    let arm = interpreted(text, Formulation::Joint);
    let s = arm.sizes();
    assert_eq!((s.n_v, s.n_c), (6, 1));
    for k in 0..5 {
        let q: Vec<f64> = (0..s.n_q).map(|i| sine(7 * k + i)).collect();
        let row = arm.constraint_jacobian(StateView::new(0.0, &q, &[]));
        let touched: Vec<usize> = (0..6).filter(|i| row[*i] != 0.0).collect();
        assert_eq!(touched, [3, 4], "{row:?}");
    }
}
