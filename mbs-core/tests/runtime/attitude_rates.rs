//! q̇ = N ω, its inverse and its derivative, for every attitude, against differences of rotations.
//!
//! Differences have five points. For parameters that change by h/regularity in a step, the truncation error is (h/regularity)⁴, and the
//! round-off ε/h, or ε/h² for second differences.

use core::f64::consts::TAU;
use mbs_core::rotation::*;

use crate::models::random::{Random, attitudes, gap, matrix_gap};

/// Regular parameters, on any branch, and ω.
fn sample(attitude: Attitude, random: &mut Random) -> ([f64; 4], [f64; 3]) {
    loop {
        let mut p = match attitude {
            Attitude::Quaternion => random.quaternion(),
            Attitude::RotationVector | Attitude::Euler(_) => random.vector(5.0),
            _ => random.vector(1.5),
        };
        if attitude != Attitude::Quaternion {
            p[3] = 0.0;
        }
        if attitude.regularity(&p) > 0.2 {
            return (p, random.vector(1.0));
        }
    }
}

fn for_each(seed: u128, check: impl Fn(Attitude, [f64; 4], [f64; 3], &mut Random)) {
    let mut random = Random::new(seed);
    for attitude in attitudes() {
        for _ in 0..200 {
            let (p, omega) = sample(attitude, &mut random);
            check(attitude, p, omega, &mut random);
        }
    }
}

fn rates(attitude: Attitude, p: [f64; 4], omega: [f64; 3]) -> [f64; 4] {
    let mut rates = [0.0; 4];
    attitude.rates(&p, omega, &mut rates);
    rates
}

fn bias(attitude: Attitude, p: [f64; 4], omega: [f64; 3]) -> [f64; 4] {
    let mut bias = [0.0; 4];
    attitude.rate_bias(&p, omega, &mut bias);
    bias
}

/// The first derivative of a function at 0 from four values.
fn derivative<const N: usize>(h: f64, f: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|k| f(k * h));
    core::array::from_fn(|i| (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * h))
}

/// The second derivative of a function at 0 from five values.
fn curvature<const N: usize>(h: f64, f: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    let [a, b, m, c, d] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| f(k * h));
    core::array::from_fn(|i| (16.0 * (b[i] + c[i]) - a[i] - d[i] - 30.0 * m[i]) / (12.0 * h * h))
}

fn add_scaled(p: [f64; 4], s: f64, rate: [f64; 4]) -> [f64; 4] {
    core::array::from_fn(|i| p[i] + s * rate[i])
}

#[test]
fn rates_rotate_the_matrix_by_omega_in_body_axes() {
    for_each(40, |attitude, p, omega, _| {
        let rate = rates(attitude, p, omega);
        let change: [f64; 9] = derivative(2e-4, |h| {
            let r = attitude.matrix_of(&add_scaled(p, h, rate));
            core::array::from_fn(|i| r[i / 3][i % 3])
        });
        // Ṙ = R [ω×].
        let [x, y, z] = omega;
        let exact = compose(attitude.matrix_of(&p), [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]);
        let change = core::array::from_fn(|i| core::array::from_fn(|j| change[3 * i + j]));
        assert!(matrix_gap(change, exact) < 1e-10, "{attitude} {p:?} {omega:?}");
    });
}

#[test]
fn angular_velocities_are_those_of_the_rates() {
    for_each(41, |attitude, p, omega, random| {
        let back = attitude.angular_velocity(&p, &rates(attitude, p, omega));
        assert!(gap(back, omega) < 2e-14, "{attitude} {p:?} {omega:?}");
        let p = if attitude == Attitude::Quaternion { p.map(|e| 1.7 * e) } else { p };
        let mut rate: [f64; 4] = random.vector(1.0);
        let omega = attitude.angular_velocity(&p, &rate);
        if attitude == Attitude::Quaternion {
            // Rates parallel to e only change its length.
            let radial = p.iter().zip(rate).map(|(e, r)| e * r).sum::<f64>() / (1.7 * 1.7);
            rate = add_scaled(rate, -radial, p);
        } else {
            rate[3] = 0.0;
        }
        assert!(gap(rates(attitude, p, omega), rate) < 5e-14, "{attitude} {p:?} {rate:?}");
    });
}

#[test]
fn matrices_times_omega_are_the_rates() {
    for_each(42, |attitude, p, omega, _| {
        let (n, inverse) = (attitude.rate_matrix(&p), attitude.inverse_rate_matrix(&p));
        let product = n.map(|row| inner(row, omega));
        assert!(gap(product, rates(attitude, p, omega)) < 1e-13, "{attitude} {p:?}");
        for (i, row) in inverse.iter().enumerate() {
            let product: [f64; 3] = core::array::from_fn(|j| (0..4).map(|k| row[k] * n[k][j]).sum());
            assert!(gap(product, core::array::from_fn(|j| f64::from(i == j))) < 5e-14, "{attitude} {p:?}");
        }
        assert!(attitude.n_q() == 4 || n[3] == [0.0; 3] && inverse.iter().all(|row| row[3] == 0.0));
    });
}

#[test]
fn the_matrix_is_the_jacobian_of_the_error_state() {
    for_each(43, |attitude, p, delta, _| {
        let q = attitude.quaternion_of(&p);
        let change = derivative(1e-4, |h| {
            let mut near = [0.0; 4];
            attitude.write_parameters_near(plus(q, delta.map(|d| h * d)), &p, &mut near);
            near
        });
        // Parameters of size 5 and 1/regularity = 5.
        assert!(gap(change, rates(attitude, p, delta)) < 2e-9, "{attitude} {p:?} {delta:?}");
    });
}

#[test]
fn the_bias_is_the_derivative_of_the_rates_with_respect_to_time() {
    for_each(44, |attitude, p, omega, _| {
        let rate = rates(attitude, p, omega);
        let exact = derivative(2e-4, |h| rates(attitude, add_scaled(p, h, rate), omega));
        assert!(gap(bias(attitude, p, omega), exact) < 2e-9, "{attitude} {p:?} {omega:?}");
    });
}

#[test]
fn second_rates_are_those_of_an_accelerated_rotation() {
    for_each(45, |attitude, p, omega, random| {
        let (q, acceleration) = (attitude.quaternion_of(&p), random.vector(1.0));
        // exp(ω t + ½ ω̇ t² + O(t³)): the terms of third order vanish at t = 0, and the motion of the axes has no effect, by ω × ω = 0.
        let exact = curvature(1e-3, |t| {
            let delta = core::array::from_fn(|i| omega[i] * t + 0.5 * acceleration[i] * t * t);
            let mut near = [0.0; 4];
            attitude.write_parameters_near(plus(q, delta), &p, &mut near);
            near
        });
        let mut second = [0.0; 4];
        attitude.second_rates(&p, omega, acceleration, &mut second);
        // Round-off 20 ε 5/h² = 2e-8 at most, truncation (5 h)⁴ with factors below 100.
        assert!(gap(second, exact) < 1e-7, "{attitude} {p:?} {omega:?}");
    });
}

#[test]
fn rotation_vectors_are_regular_at_every_small_angle() {
    let (attitude, mut random) = (Attitude::RotationVector, Random::new(46));
    for size in [0.0, 1e-300, 1e-160, 1e-20, 1e-8, 1e-4, 0.1, 0.4999999, 0.5, 0.5000001, 1.0, 3.0, 6.0] {
        for _ in 0..50 {
            let (phi, omega) = (random.unit().map(|a| size * a), random.vector::<3>(1.0));
            let rate = rates(attitude, [phi[0], phi[1], phi[2], 0.0], omega);
            // The closed forms are inverse to each other, and so are the series.
            assert!(gap(attitude.angular_velocity(&phi, &rate), omega) < 1e-14, "{phi:?} {omega:?}");
            // To first order φ̇ = ω + ½ φ × ω; the rest is below |φ|²/6.
            let first: [f64; 3] = core::array::from_fn(|i| omega[i] + 0.5 * cross(phi, omega)[i]);
            let rest = gap([rate[0], rate[1], rate[2]], first);
            assert!(size > 3.0 || rest < 0.5 * size * size + 1e-15, "{phi:?} {omega:?}");
        }
    }
    // Below and above the limit of the series.
    for _ in 0..100 {
        let (axis, omega) = (random.unit(), random.vector::<3>(1.0));
        let vector = |size: f64| [size * axis[0], size * axis[1], size * axis[2], 0.0];
        let (below, above) = (vector(0.5 - 1e-15), vector(0.5 + 1e-15));
        assert!(gap(rates(attitude, below, omega), rates(attitude, above, omega)) < 1e-14);
        assert!(gap(bias(attitude, below, omega), bias(attitude, above, omega)) < 2e-14);
    }
}

#[test]
fn at_the_identity_rates_are_multiples_of_omega() {
    let omega = [0.3, -1.2, 0.7];
    let factor = |attitude| match attitude {
        Attitude::ModifiedRodrigues => 0.25,
        Attitude::Rodrigues => 0.5,
        _ => 1.0,
    };
    for attitude in [Attitude::ModifiedRodrigues, Attitude::Rodrigues, Attitude::RotationVector] {
        let [x, y, z, _] = rates(attitude, [0.0; 4], omega);
        assert!(gap([x, y, z], omega.map(|w| factor(attitude) * w)) < 1e-16, "{attitude}");
    }
    assert_eq!(rates(Attitude::Quaternion, [1.0, 0.0, 0.0, 0.0], omega), [0.0, 0.15, -0.6, 0.35]);
    // Yaw, pitch, roll rates are about z, y, x.
    assert!(gap(rates(Attitude::Euler(Sequence::ZYX), [0.0; 4], omega), [0.7, -1.2, 0.3, 0.0]) < 1e-15);
}

#[test]
fn rates_grow_without_bound_where_an_attitude_is_singular() {
    let omega = [1.0, 1.0, 1.0];
    let size = |attitude: Attitude, p: [f64; 4]| rates(attitude, p, omega).iter().fold(0.0, |m: f64, r| m.max(r.abs()));
    for distance in [1e-3, 1e-6] {
        for sequence in Sequence::ALL {
            let lock = if sequence.is_proper() { 0.0 } else { 0.25 * TAU };
            let grown = size(Attitude::Euler(sequence), [0.4, lock + distance, 0.3, 0.0]);
            assert!(grown > 0.1 / distance, "{sequence} {grown}");
        }
        let grown = size(Attitude::RotationVector, [0.0, TAU - distance, 0.0, 0.0]);
        assert!(grown > 0.1 / distance, "{grown}");
    }
}
