//! Accelerations solve their equations, and a motion without mass is named.

use mbs_core::{Error, Mechanism, StateView};
use mbs_engine::Engine;

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
    engine.mass_matrix(at, &mut mass);
    engine.constraint_jacobian(at, &mut jacobian);
    let scale = forces.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for i in 0..s.n_v {
        let inertial: f64 = (0..s.n_v).map(|j| mass[i * s.n_v + j] * a[j]).sum();
        let left = inertial + (0..s.n_c).map(|r| jacobian[r * s.n_v + i] * lambda[r]).sum::<f64>();
        assert!((left - forces[i]).abs() <= 1e-11 * scale, "{i}: {left} and {}", forces[i]);
    }
}

/// A parameter may take the mass from a motion that had some when it was checked.
#[test]
fn a_motion_without_mass_is_singular_by_its_index() {
    for text in [
        "pub planar Light { param m = 1; body a { mass: 1, inertia: 1 } body b { mass: m }
            joint p = revolute(ground, a); joint s = prismatic(a, b) { axis: [1, 0] }; coordinates: joint; }",
        "pub spatial Light { param m = 1; body a { mass: 1, inertia: [1, 1, 1] } body b { mass: m }
            joint p = revolute(ground, a); joint s = prismatic(a, b) { axis: [1, 0, 0] }; coordinates: joint; }",
    ] {
        let mut engine = Engine::text(text).unwrap_or_else(|failure| panic!("{failure}"));
        engine.set_parameter("m", 0.0).unwrap();
        let at = StateView { t: 0.5, q: &[0.0; 2], v: &[0.0; 2], z: &[], u: &[] };
        let outcome = engine.accelerations(at, &mut [0.0; 2], &mut []);
        assert_eq!(outcome, Err(Error::Singular { row: 1, t: 0.5 }));
        let product = engine.multiply_by_inverse_mass_matrix(at, &[0.0; 2], &mut [0.0; 2]);
        assert_eq!(product, Err(Error::Singular { row: 1, t: 0.5 }));
    }
}
