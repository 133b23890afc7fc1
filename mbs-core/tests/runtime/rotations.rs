//! The algebra of rotations against matrices, series and statistics.
//!
//! Tolerances: entries are at most 1 and come from at most 30 operations, each rounding to 1.1e-16.

use core::f64::consts::PI;
use mbs_core::rotation::*;

use crate::models::random::{Random, angle_between, gap, matrix_gap};

const ONE: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

#[test]
fn products_compose_rotations() {
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let (a, b, x) = (random.quaternion(), random.quaternion(), random.vector(2.0));
        let q = product(a, b);
        assert!(matrix_gap(matrix_of(q), compose(matrix_of(a), matrix_of(b))) < 2e-15, "{a:?} {b:?}");
        assert!(gap(rotate(q, x), rotate(a, rotate(b, x))) < 5e-15, "{a:?} {b:?} {x:?}");
        assert!(gap(rotate(q, x), transform(matrix_of(q), x)) < 5e-15, "{q:?} {x:?}");
        assert!(gap(rotate_back(q, rotate(q, x)), x) < 5e-15, "{q:?} {x:?}");
        assert!(gap(rotate_back(q, x), transform(transposed(matrix_of(q)), x)) < 5e-15, "{q:?} {x:?}");
        assert!(gap(product(conjugate(q), q), ONE) < 2e-15, "{q:?}");
        // Rows of R are a right-handed orthonormal basis.
        let [r0, r1, r2] = matrix_of(q);
        assert!(gap(cross(r0, r1), r2) < 2e-15 && inner(r0, r1).abs() < 2e-15, "{q:?}");
    }
}

#[test]
fn unit_quaternions_multiply_by_hamiltons_rules() {
    let [i, j, k] = [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    assert_eq!(product(i, j), k);
    assert_eq!(product(j, k), i);
    assert_eq!(product(k, i), j);
    assert_eq!(product(product(i, j), k), [-1.0, 0.0, 0.0, 0.0]);
    // A rotation by π/2 about z maps the body's x axis to the world's y axis.
    let q = axis_angle([0.0, 0.0, 3.0], 0.5 * PI);
    assert!(gap(rotate(q, [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]) < 1e-15);
}

#[test]
fn rotations_are_homogeneous_of_degree_two_in_quaternions() {
    let mut random = Random::new(2);
    for _ in 0..200 {
        let (q, [s], x) = (random.quaternion(), random.vector(3.0), random.vector(1.0));
        let scaled = q.map(|e| s * e);
        assert!(matrix_gap(matrix_of(scaled), matrix_of(q).map(|row| row.map(|r| s * s * r))) < 2e-14);
        assert!(gap(rotate(scaled, x), rotate(q, x).map(|r| s * s * r)) < 2e-14);
        assert!(gap(normalized(scaled), q.map(|e| s.signum() * e)) < 1e-15);
        assert!((norm(scaled) - s.abs()).abs() < 2e-15);
    }
    assert!(normalized([0.0_f64; 4]).iter().all(|e| e.is_nan()));
}

#[test]
fn quaternions_of_matrices_are_accurate_near_half_revolutions() {
    let mut random = Random::new(3);
    for i in 0..5000 {
        let axis = match i % 5 {
            0 => random.unit(),
            k => core::array::from_fn(|n| if n + 1 == k { 1.0 } else { 1e-9 * random.vector::<1>(1.0)[0] }),
        };
        let angle = match i % 3 {
            0 => random.vector::<1>(PI)[0],
            1 => PI - random.vector::<1>(1e-7)[0],
            _ => random.vector::<1>(1e-7)[0],
        };
        let q = axis_angle(if inner(axis, axis) > 0.01 { axis } else { [1.0, 1.0, 1.0] }, angle);
        let found = quaternion_of(matrix_of(q));
        assert!(found[0] >= 0.0 && (norm(found) - 1.0).abs() < 4e-16);
        assert!(gap(nearer(found, q), q) < 2e-15, "{q:?} {found:?}");
    }
    assert_eq!(quaternion_of(matrix_of(ONE)), ONE);
}

#[test]
fn axis_and_angle_are_those_given() {
    let mut random = Random::new(4);
    for _ in 0..1000 {
        let (axis, [u]) = (random.unit(), random.uniforms());
        let angle = PI * u;
        let (found, turned) = axis_and_angle(flip(axis_angle(axis.map(|a| 7.0 * a), angle)));
        assert!((turned - angle).abs() < 2e-15, "{angle}");
        // The relative error of the axis is that of the sine of half the angle.
        assert!(gap(found, axis) < 1e-15 / angle.min(1.0), "{axis:?} {angle}");
    }
    assert_eq!(axis_and_angle(ONE), ([1.0, 0.0, 0.0], 0.0));
}

#[test]
fn the_exponential_is_that_of_the_matrix() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let phi: [f64; 3] = random.vector(2.0);
        let [x, y, z] = phi;
        let generator = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        // Σ [φ×]ⁿ/n!, whose terms are below 3.5ⁿ/n!: 1e-17 for n = 32.
        let mut term = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut sum = term;
        for n in 1..=32 {
            term = compose(term, generator).map(|row| row.map(|t| t / f64::from(n)));
            sum = core::array::from_fn(|i| core::array::from_fn(|j| sum[i][j] + term[i][j]));
        }
        assert!(matrix_gap(sum, matrix_of(exp(phi))) < 1e-14, "{phi:?}");
    }
}

#[test]
fn logarithms_invert_exponentials_at_every_size() {
    let mut random = Random::new(6);
    for size in [PI - 1e-9, 3.0, 1.0, 1e-3, 1e-8, 1e-12, 1e-100, 1e-200] {
        for _ in 0..300 {
            let phi = random.unit().map(|a| size * a);
            // The error is relative to the size, so that small rotations are accurate.
            assert!(gap(log(exp(phi)), phi) < 4e-15 * size, "{phi:?}");
            assert!(gap(log(exp(phi).map(|e| -3.0 * e)), phi) < 4e-15 * size, "{phi:?}");
        }
    }
    assert_eq!(exp([0.0; 3]), ONE);
    assert_eq!(log(ONE), [0.0; 3]);
    assert!(gap(log([0.0, 0.0, 1.0, 0.0]), [0.0, PI, 0.0]) < 1e-15);
}

#[test]
fn minus_inverts_plus_in_body_axes() {
    let mut random = Random::new(7);
    for _ in 0..1000 {
        let (p, q, delta) = (random.quaternion(), random.quaternion(), random.vector::<3>(1.7));
        assert!(gap(minus(plus(p, delta), p), delta) < 1e-14, "{p:?} {delta:?}");
        assert!(angle_between(plus(p, minus(q, p)), q) < 5e-15, "{p:?} {q:?}");
        assert!((norm(plus(p, delta)) - 1.0).abs() < 4e-16);
        // The rotation is about axes of the body: R(p ⊕ δ) = R(p) R(exp δ).
        let rotated = compose(matrix_of(p), matrix_of(exp(delta)));
        assert!(matrix_gap(matrix_of(plus(p, delta)), rotated) < 2e-15);
    }
}

#[test]
fn cayleys_map_rotates_by_twice_the_arc_tangent() {
    let mut random = Random::new(8);
    for _ in 0..1000 {
        let (axis, [u]) = (random.unit(), random.uniforms());
        let angle = 3.1 * u;
        let g = axis.map(|a| (0.5 * angle).tan() * a);
        assert!(angle_between(cayley(g), axis_angle(axis, angle)) < 2e-15, "{axis:?} {angle}");
        // tan ½θ grows to 48.
        assert!(gap(inverse_cayley(flip(cayley(g))), g) < 2e-14, "{g:?}");
    }
    assert!(!inverse_cayley([0.0_f64, 1.0, 0.0, 0.0])[0].is_finite());
}

#[test]
fn signs_follow_the_hint() {
    let mut random = Random::new(9);
    for _ in 0..100 {
        let (q, hint) = (random.quaternion(), random.quaternion());
        let near = nearer(q, hint);
        assert!(near == q || near == flip(q));
        let distance = |q: [f64; 4]| norm::<f64>(core::array::from_fn(|i| q[i] - hint[i]));
        assert!(distance(near) <= distance(flip(near)));
    }
}

#[test]
fn random_rotations_are_uniform() {
    let (mut random, count) = (Random::new(10), 100_000);
    let (mut means, mut squares, mut small) = ([0.0; 9], [0.0; 9], 0);
    for _ in 0..count {
        let q = random.quaternion();
        assert!((norm(q) - 1.0).abs() < 4e-16);
        let r = matrix_of(q);
        for k in 0..9 {
            let entry = r[k / 3][k % 3];
            means[k] += entry / f64::from(count);
            squares[k] += entry * entry / f64::from(count);
        }
        small += i32::from(axis_and_angle(q).1 < 0.5 * PI);
    }
    // Entries have mean 0 and mean square 1/3; standard deviations of the estimates are 0.0018 and 0.0009: five of them.
    assert!(means.iter().all(|m: &f64| m.abs() < 0.009), "{means:?}");
    assert!(squares.iter().all(|s: &f64| (s - 1.0 / 3.0).abs() < 0.005), "{squares:?}");
    // The angle has density (1 − cos θ)/π: P(θ < π/2) = ½ − 1/π, its estimate a standard deviation of 0.0012.
    let fraction = f64::from(small) / f64::from(count);
    assert!((fraction - (0.5 - 1.0 / PI)).abs() < 0.006, "{fraction}");
}

#[test]
fn single_precision_works() {
    let mut random = Random::new(11);
    for _ in 0..200 {
        let (phi, q) = (random.vector::<3>(1.5), random.quaternion());
        let (single, double) = (plus(q.map(|e| e as f32), phi.map(|x| x as f32)), plus(q, phi));
        assert!(gap(single.map(f64::from), double) < 5e-7, "{q:?} {phi:?}");
        let back = minus(single, q.map(|e| e as f32));
        assert!(gap(back.map(f64::from), phi) < 3e-6, "{q:?} {phi:?}");
    }
}
