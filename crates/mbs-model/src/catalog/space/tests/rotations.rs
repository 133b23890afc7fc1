//! Tests of `catalog::attitude` against the definitions of the parameters.

use mbs_expr::Op;

use super::scene::{Matrix, Random, Scene, rotation_about, rotation_of_parameters};
use crate::Attitude;
use crate::catalog::attitude;

fn euler_sequences() -> Vec<[u8; 3]> {
    let triples = (0..27u8).map(|n| [n / 9, n / 3 % 3, n % 3]);
    triples.filter(|[i, j, k]| i != j && j != k).collect()
}

/// The attitude parameters of a rotation, by the expressions of the catalogue over entries that are parameters of the model.
fn evaluate_parameters(attitude: Attitude, r: Matrix) -> Vec<f64> {
    let mut scene = Scene::new(attitude);
    let entries = r.map(|axis| axis.map(|x| scene.value(x, false)));
    let q = scene.write(|g| g.all_ids(attitude::parameters(g.writer, attitude, entries.map(|axis| g.vector(axis)))));
    q.into_iter().map(|x| scene.constant_value(x)).collect()
}

fn all_attitudes() -> Vec<Attitude> {
    let mut all =
        vec![Attitude::Quaternion, Attitude::ModifiedRodrigues, Attitude::Rodrigues, Attitude::RotationVector];
    all.extend(euler_sequences().into_iter().map(Attitude::Euler));
    all
}

#[test]
fn parameters_of_a_rotation_matrix_are_those_that_made_it() {
    assert_eq!(all_attitudes().len(), 4 + 12);
    let mut random = Random::new(2);
    for attitude in all_attitudes() {
        for _ in 0..50 {
            let q = random.parameters(attitude);
            let found = evaluate_parameters(attitude, rotation_of_parameters(attitude, &q));
            assert_eq!(found.len(), attitude.count());
            for (a, b) in found.iter().zip(&q) {
                // Round-off of entries, amplified by up to 1/cos(φ/2) < 50 near half revolutions, at which parameters grow.
                assert!((a - b).abs() < 1e-12 * (1.0 + b * b), "{attitude:?}: {found:?} is not {q:?}");
            }
        }
    }
}

#[test]
fn quaternions_of_half_revolutions_are_unit_and_exact() {
    for (axis, k) in [([1.0, 0.0, 0.0], 1), ([0.0, 1.0, 0.0], 2), ([0.0, 0.0, 1.0], 3)] {
        let q = evaluate_parameters(Attitude::Quaternion, rotation_about(axis, std::f64::consts::PI));
        for (i, e) in q.into_iter().enumerate() {
            // sin π is 1e-16, not zero.
            assert!((e.abs() - f64::from(u8::from(i == k))).abs() < 1e-15);
        }
    }
}

#[test]
fn rotation_vectors_are_smooth_at_and_near_the_identity() {
    for angle in [0.0, 1e-200, 1e-9, 1e-3, 0.019, 0.02, 0.021, 0.5] {
        let axis = super::scene::unit([0.3, -0.5, 0.8]);
        let mut scene = Scene::new(Attitude::RotationVector);
        let phi = scene.write(|g| {
            let axes = g.axes(super::scene::ENDS[1]);
            assert!(matches!(g.writer.read(|exprs| exprs.op(g.id(axes[0][0]))), Op::Direction(..)));
            g.ids(attitude::rotation_vector(g.writer, axes))
        });
        let mut frame = super::scene::Frame::at_rest([0.0; 3], rotation_about(axis, angle));
        // For a rotation about a fixed axis φ̇ = ω.
        frame.omega = axis.map(|x| 2.0 * x);
        for c in 0..3 {
            let found = scene.evaluate(phi[c], &[frame; 2]);
            assert!((found.value() - angle * axis[c]).abs() < 1e-15, "value at {angle}");
            // The closed form divides round-off by the square of the angle twice.
            assert!((found.derivative(1) - 2.0 * axis[c]).abs() < 1e-12, "rate at {angle}: {}", found.derivative(1));
        }
    }
}
