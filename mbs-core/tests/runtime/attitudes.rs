//! Conversions between attitudes: each kind against rotation matrices, its branches, its singularities.
//!
//! Tolerances: entries are at most 1 and come from at most 50 operations, each rounding to 1.1e-16.

use core::f64::consts::{FRAC_PI_2, PI, TAU};
use mbs_core::rotation::*;

use crate::models::random::{Random, angle_between, attitudes, gap, matrix_gap};

/// The principal parameters of a rotation, the fourth 0 where there are three.
fn parameters(attitude: Attitude, q: [f64; 4]) -> [f64; 4] {
    let mut parameters = [0.0; 4];
    attitude.write_parameters(q, &mut parameters);
    parameters
}

fn parameters_near(attitude: Attitude, q: [f64; 4], hint: [f64; 4]) -> [f64; 4] {
    let mut parameters = [0.0; 4];
    attitude.write_parameters_near(q, &hint, &mut parameters);
    parameters
}

fn first_three(x: [f64; 4]) -> [f64; 3] {
    [x[0], x[1], x[2]]
}

/// A rotation about an axis of the frame, as a matrix.
fn elementary(axis: Axis, angle: f64) -> [[f64; 3]; 3] {
    let (s, c) = angle.sin_cos();
    match axis {
        Axis::X => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        Axis::Y => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        Axis::Z => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
    }
}

#[test]
fn every_attitude_represents_the_rotation() {
    let mut random = Random::new(20);
    for attitude in attitudes() {
        for _ in 0..2000 {
            let q = random.quaternion();
            let p = parameters(attitude, q.map(|e| -2.5 * e));
            assert!(angle_between(attitude.quaternion_of(&p), q) < 4e-15, "{attitude} {q:?} {p:?}");
            assert!(matrix_gap(attitude.matrix_of(&p), matrix_of(q)) < 4e-15, "{attitude} {q:?} {p:?}");
        }
    }
}

#[test]
fn conversions_between_all_pairs_agree() {
    let mut random = Random::new(21);
    for from in attitudes() {
        for to in attitudes() {
            for _ in 0..20 {
                let q = random.quaternion();
                let (p, mut converted) = (parameters(from, q), [0.0; 4]);
                from.convert(&p, to, &mut converted);
                assert!(angle_between(to.quaternion_of(&converted), q) < 6e-15, "{from} {to} {q:?}");
            }
        }
    }
}

#[test]
fn identities_are_the_identity() {
    for attitude in attitudes() {
        let mut p = [7.0; 4];
        attitude.write_identity(&mut p[..attitude.n_q()]);
        assert_eq!(attitude.quaternion_of(&p), [1.0, 0.0, 0.0, 0.0], "{attitude}");
        assert_eq!(attitude.n_q(), if attitude == Attitude::default() { 4 } else { 3 });
    }
}

#[test]
fn parameters_agree_with_their_definitions() {
    let mut random = Random::new(22);
    for _ in 0..500 {
        let (axis, [u]) = (random.unit(), random.uniforms());
        let angle = 3.1 * u;
        let q = axis_angle(axis, angle);
        let principal = |attitude| first_three(parameters(attitude, q));
        assert!(gap(principal(Attitude::ModifiedRodrigues), axis.map(|a| a * (0.25 * angle).tan())) < 2e-15);
        // tan ½θ grows to 48.
        assert!(gap(principal(Attitude::Rodrigues), axis.map(|a| a * (0.5 * angle).tan())) < 2e-14);
        assert!(gap(principal(Attitude::RotationVector), axis.map(|a| a * angle)) < 6e-15);
    }
}

#[test]
fn euler_angles_rotate_about_axes_of_the_body_in_order() {
    let mut random = Random::new(23);
    for sequence in Sequence::ALL {
        let [i, j, k] = sequence.axes();
        for _ in 0..200 {
            let angles @ [a, b, c] = random.vector(10.0);
            let matrix = compose(compose(elementary(i, a), elementary(j, b)), elementary(k, c));
            assert!(matrix_gap(Attitude::Euler(sequence).matrix_of(&angles), matrix) < 3e-15, "{sequence} {angles:?}");
        }
    }
}

#[test]
fn principal_parameters_are_in_their_range() {
    let mut random = Random::new(24);
    for _ in 0..1000 {
        let q = random.quaternion();
        let length = |p: [f64; 4]| norm([p[0], p[1], p[2], 0.0]);
        assert!(length(parameters(Attitude::ModifiedRodrigues, q)) <= 1.0);
        assert!(length(parameters(Attitude::RotationVector, q)) <= PI + 1e-15);
        assert!(gap(parameters(Attitude::Quaternion, q), q) < 4e-16);
        for sequence in Sequence::ALL {
            let [a, b, c, _] = parameters(Attitude::Euler(sequence), q);
            assert!(a > -PI && a <= PI && c > -PI && c <= PI, "{sequence} {q:?}");
            let range = if sequence.is_proper() { 0.0..=PI } else { -FRAC_PI_2..=FRAC_PI_2 };
            assert!(range.contains(&b), "{sequence} {q:?}");
        }
    }
}

/// Parameters on any branch, and a factor of the round-off of their conversion.
fn on_any_branch(attitude: Attitude, random: &mut Random) -> ([f64; 4], f64) {
    let p = match attitude {
        Attitude::Quaternion => random.quaternion(),
        Attitude::ModifiedRodrigues => random.vector(2.5),
        Attitude::Rodrigues => random.vector(5.0),
        Attitude::RotationVector => random.vector(8.0),
        Attitude::Euler(_) => random.vector(20.0),
    };
    let p = if attitude == Attitude::Quaternion { p } else { [p[0], p[1], p[2], 0.0] };
    (p, attitude.regularity(&p))
}

#[test]
fn parameters_near_a_hint_are_on_its_branch() {
    let mut random = Random::new(25);
    for attitude in attitudes() {
        for _ in 0..2000 {
            let (p, regularity) = on_any_branch(attitude, &mut random);
            if regularity > 0.02 {
                let near = parameters_near(attitude, flip(attitude.quaternion_of(&p)), p);
                // Parameters of size 20 from quaternions with 1e-15; singular within 1/regularity².
                assert!(gap(near, p) < 1e-14 / (regularity * regularity), "{attitude} {p:?} {near:?}");
            }
        }
    }
}

#[test]
fn parameters_near_the_last_ones_follow_a_tumbling_body_without_jumps() {
    let omega = [1.1, -0.7, 0.4];
    // Modified Rodrigues parameters of a body that continues to rotate grow until they are singular, so they are not tested.
    for attitude in [Attitude::Quaternion, Attitude::Euler(Sequence::ZYX), Attitude::Euler(Sequence::ZXZ)] {
        let start = axis_angle([0.3, 1.0, -0.2], 0.8);
        let (mut last, step) = (parameters(attitude, start), 0.02);
        for i in 1..=2000 {
            let t = step * f64::from(i);
            let next = parameters_near(attitude, plus(start, omega.map(|w| w * t)), last);
            // |q̇| ≤ |ω|/regularity, and the mean value is within twice that here.
            let bound = 2.0 * step * norm([0.0, omega[0], omega[1], omega[2]]) / attitude.regularity(&next);
            assert!(gap(next, last) < bound.max(1e-12), "{attitude} t = {t}: {last:?} {next:?}");
            last = next;
        }
        // Angles are not reduced to one revolution.
        assert!(attitude == Attitude::Quaternion || last.iter().any(|x| x.abs() > TAU), "{attitude} {last:?}");
    }
}

#[test]
fn in_gimbal_lock_the_last_angle_is_free() {
    let (mut random, mut found) = (Random::new(26), 0);
    for sequence in Sequence::ALL {
        let attitude = Attitude::Euler(sequence);
        let locks = if sequence.is_proper() { [0.0, PI] } else { [-FRAC_PI_2, FRAC_PI_2] };
        for b in locks {
            for _ in 0..100 {
                let [a, c] = random.vector(3.0);
                let q = attitude.quaternion_of(&[a, b, c]);
                let p = parameters(attitude, q);
                assert!(angle_between(attitude.quaternion_of(&p), q) < 4e-15, "{sequence} {a} {b} {c}: {p:?}");
                // By rounding, an attitude may be slightly off the lock; then the angles are regular but inaccurate.
                let locked = p[2] == 0.0;
                found += i32::from(locked);
                let near = parameters_near(attitude, q, [a, b, c, 0.0]);
                assert!(angle_between(attitude.quaternion_of(&near), q) < 4e-15, "{sequence} {a} {b} {c}: {near:?}");
                assert!(!locked || gap(near, [a, b, c, 0.0]) < 1e-14, "{sequence} {a} {b} {c}: {near:?}");
                assert!((near[1] - b).abs() < 1e-14);
            }
            // Exactly in the lock.
            let p = parameters(attitude, attitude.quaternion_of(&[0.0, b, 0.0]));
            assert!(p[2] == 0.0 && (p[1] - b).abs() < 1e-15 && p[0] == 0.0, "{sequence} {p:?}");
        }
    }
    assert!(found > 2300, "{found} of 2400");
}

#[test]
fn the_rotation_is_accurate_near_gimbal_lock() {
    let mut random = Random::new(27);
    for sequence in Sequence::ALL {
        let attitude = Attitude::Euler(sequence);
        let locks = if sequence.is_proper() { [0.0, PI] } else { [-FRAC_PI_2, FRAC_PI_2] };
        for (exponent, lock) in (1..=17).flat_map(|n| locks.map(|lock| (n, lock))) {
            let [a, c, side] = random.vector(3.0);
            let b = lock + side * 10.0_f64.powi(-exponent);
            let q = attitude.quaternion_of(&[a, b, c]);
            let p = parameters(attitude, q);
            assert!(angle_between(attitude.quaternion_of(&p), q) < 4e-15, "{sequence} {a} {b} {c}: {p:?}");
        }
    }
}

#[test]
fn the_principal_branch_represents_an_equal_rotation() {
    let mut random = Random::new(28);
    for attitude in attitudes() {
        let mut jumps = 0;
        for _ in 0..500 {
            let (p, _) = on_any_branch(attitude, &mut random);
            let mut moved = p;
            let jumped = attitude.change_to_principal(&mut moved);
            jumps += i32::from(jumped);
            let q = attitude.quaternion_of(&p);
            // |φ| ≤ 14 and angles ≤ 20 are wrapped: roundings of that size.
            assert!(angle_between(attitude.quaternion_of(&moved), q) < 3e-14, "{attitude} {p:?} {moved:?}");
            assert_eq!(jumped, moved != p);
            // Rotations that are nearly half revolutions have two principal forms within round-off.
            let again = parameters(attitude, q);
            let principal = gap(again, moved) < 1e-11 / attitude.regularity(&moved).powi(2);
            let stays = matches!(attitude, Attitude::Quaternion | Attitude::Rodrigues);
            assert!(stays || principal, "{attitude} {p:?} {moved:?} {again:?}");
            assert!(!attitude.change_to_principal(&mut moved) || stays);
        }
        assert_eq!(jumps == 0, matches!(attitude, Attitude::Quaternion | Attitude::Rodrigues), "{attitude}");
    }
}

#[test]
fn homogeneity_is_as_stated_and_only_quaternions_are_normalised() {
    let mut random = Random::new(29);
    for attitude in attitudes() {
        for _ in 0..50 {
            let (p, _) = on_any_branch(attitude, &mut random);
            let r = attitude.matrix_of(&p);
            let mut scaled = p.map(|x| 1.3 * x);
            let s = attitude.matrix_of(&scaled);
            let is_rotation = matrix_gap(compose(s, transposed(s)), matrix_of([1.0, 0.0, 0.0, 0.0])) < 1e-14;
            let multiple = matrix_gap(s, r.map(|row| row.map(|x| 1.69 * x))) < 1e-14;
            assert_eq!(multiple, attitude.homogeneous_degree() == Some(2), "{attitude}");
            assert_eq!(is_rotation, attitude.homogeneous_degree().is_none(), "{attitude}");
            let before = scaled;
            attitude.normalize(&mut scaled);
            assert_eq!(scaled != before, attitude == Attitude::Quaternion);
            assert!(attitude != Attitude::Quaternion || gap(scaled, p) < 4e-16);
        }
    }
}

#[test]
fn regularity_vanishes_where_an_attitude_is_singular() {
    let axis = [0.6, 0.0, 0.8];
    let vector = |angle: f64| axis.map(|a| a * angle);
    assert!(Attitude::RotationVector.regularity(&vector(TAU)) < 1e-15);
    assert!(Attitude::ModifiedRodrigues.regularity(&vector(1e9)) < 1e-8);
    assert!(Attitude::Rodrigues.regularity(&vector(1e9)) < 1e-8);
    assert!(Attitude::Euler(Sequence::ZYX).regularity(&[1.0, FRAC_PI_2, 2.0]) < 1e-15);
    assert_eq!(Attitude::Euler(Sequence::ZXZ).regularity(&[1.0, 0.0, 2.0]), 0.0);
    for attitude in [Attitude::Quaternion, Attitude::ModifiedRodrigues, Attitude::Rodrigues, Attitude::RotationVector] {
        assert_eq!(attitude.regularity(&parameters(attitude, [1.0, 0.0, 0.0, 0.0])), 1.0);
    }
    // A half revolution has no finite Rodrigues parameters.
    assert!(!parameters(Attitude::Rodrigues, [0.0, 1.0, 0.0, 0.0])[0].is_finite());
    // Rodrigues: cos ½θ; modified: cos ¼θ.
    let q = axis_angle(axis, 2.0);
    assert!((Attitude::Rodrigues.regularity(&parameters(Attitude::Rodrigues, q)) - 1.0_f64.cos()).abs() < 1e-15);
    let modified = Attitude::ModifiedRodrigues;
    assert!((modified.regularity(&parameters(modified, q)) - 0.5_f64.cos()).abs() < 1e-15);
}

#[test]
fn sequences_are_written_as_three_axes() {
    for sequence in Sequence::ALL {
        assert_eq!(sequence.to_string().parse(), Ok(sequence));
        assert_eq!(Sequence::new(sequence.axes()), Ok(sequence));
    }
    assert_eq!("zyx".parse(), Ok(Sequence::ZYX));
    assert_eq!(Attitude::Euler(Sequence::ZXZ).to_string(), "euler(zxz)");
    assert_eq!(Attitude::ModifiedRodrigues.to_string(), "mrp");
    let distinct: std::collections::HashSet<Sequence> = Sequence::ALL.into_iter().collect();
    assert_eq!((distinct.len(), Sequence::ALL.iter().filter(|s| s.is_proper()).count()), (12, 6));
}

#[test]
fn errors_of_invalid_sequences_name_the_cause() {
    let refused = |text: &str| text.parse::<Sequence>().unwrap_err().to_string();
    assert_eq!(refused("zy"), "a sequence of Euler angles has 3 axes, such as `zyx`, not 2");
    assert_eq!(
        refused("zyw"),
        "`w` is no axis: a sequence of Euler angles is written with `x`, `y` and `z`, such as `zyx`"
    );
    assert_eq!(
        refused("zzx"),
        "two rotations in a row about `z` are one rotation: neighbours in a sequence of Euler angles differ"
    );
    assert_eq!("xyy".parse::<Sequence>(), Err(InvalidSequence::Repeated { axis: Axis::Y, first: 1 }));
    assert_eq!("ZYX".parse::<Sequence>(), Err(InvalidSequence::Letter { found: 'Z' }));
    assert_eq!("φψθ".parse::<Sequence>(), Err(InvalidSequence::Letter { found: 'φ' }));
    assert_eq!("".parse::<Sequence>(), Err(InvalidSequence::Length { found: 0 }));
}
