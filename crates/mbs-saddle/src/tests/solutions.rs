//! Regular systems.

use super::patterns::{Frame, andrews, chain, filled, four_bars, full, net, random};
use super::*;

/// 1e-10: at most 36 unknowns, condition numbers below 1e4.
#[test]
fn both_methods_solve_random_systems() {
    for seed in 0..300 {
        let mut numbers = Random(seed);
        let system = random(&mut numbers);
        let right = system.right(&mut numbers);
        let expected = system.reference(&right);
        for mut saddle in system.solvers() {
            let found = solve(&mut saddle, &system, &right).expect("M is positive definite and G has full rank");
            let error = deviation(&found, &expected);
            assert!(error < 1e-10, "seed {seed}: {error:e}, {system:?}");
        }
    }
}

/// Residuals of K, because random rows of closed loops can be nearly dependent: 1e-11 of the largest unknown.
#[test]
fn both_methods_solve_the_patterns_of_mechanisms() {
    for frame in [Frame::Centre, Frame::Full] {
        let patterns =
            [four_bars(1, frame), four_bars(6, frame), andrews(frame), chain(10, frame), net(4, frame), full(30, 4)];
        for (k, mut pattern) in patterns.into_iter().flat_map(|p| [p.clone(), p]).enumerate() {
            pattern.massless = k % 2 == 1;
            let mut numbers = Random(k as u64);
            let system = filled(pattern, &[], &mut numbers);
            let (matrix, right) = (system.matrix(), system.right(&mut numbers));
            for mut saddle in system.solvers() {
                let found = solve(&mut saddle, &system, &right).expect("random rows are independent");
                let image = matrix.chunks(right.len()).map(|row| row.iter().zip(&found).map(|(a, x)| a * x).sum());
                let size = found.iter().fold(1.0_f64, |a, x| a.max(x.abs()));
                let worst = right.iter().zip(image).fold(0.0_f64, |a, (b, k): (_, f64)| a.max((b - k).abs()));
                assert!(worst < 1e-11 * size, "pattern {k}, {frame:?}: {worst:e} of {size:e}");
            }
        }
    }
}

/// 1e-12: equal operations in another order, on systems of condition below 1e4.
#[test]
fn methods_agree_to_rounding() {
    for seed in 0..100 {
        let mut numbers = Random(seed);
        let mut system = random(&mut numbers);
        system.pattern.massless = seed % 2 == 0;
        let right = system.right(&mut numbers);
        let [packed, sparse] = system.solvers().map(|mut saddle| solve(&mut saddle, &system, &right).expect("regular"));
        let difference = deviation(&packed, &sparse);
        assert!(difference < 1e-12, "seed {seed}: {difference:e}");
    }
}

/// M = diag(m, m, 0) and x = ℓ sin θ, y = −ℓ cos θ: θ̈ = −(g/ℓ) sin θ, at every angle and speed. 1e-13: a dozen operations.
#[test]
fn point_mass_pendulum_needs_no_inertia() {
    let (m, length, gravity) = (0.7, 1.3, 9.81);
    for mass in [vec![(0, 0), (1, 1)], vec![(0, 0), (1, 1), (2, 2)]] {
        let pattern = Pattern {
            n_v: 3,
            n_c: 2,
            jacobian: vec![(0, 0), (0, 2), (1, 1), (1, 2)],
            switched: vec![],
            massless: mass.len() == 3,
            mass,
            scale: m,
        };
        let system = System { mass: [m, m, 0.0][..pattern.mass.len()].to_vec(), pattern, jacobian: vec![] };
        for mut saddle in system.solvers() {
            for k in 0..24 {
                let (theta, rate) = (f64::from(k) * 0.3, f64::from(k % 5));
                let (sin, cos) = theta.sin_cos();
                saddle.factor(&system.mass, &[1.0, -length * cos, 1.0, -length * sin]).expect("regular at every angle");
                let (mut a, mut mu) =
                    ([0.0, -m * gravity, 0.0], [-length * sin, length * cos].map(|x| x * rate * rate));
                saddle.solve(&mut a, &mut mu);
                let expected = -gravity / length * sin;
                let tolerance = 1e-13 * (gravity + rate * rate);
                assert!((a[2] - expected).abs() < tolerance, "θ = {theta}: {} instead of {expected}", a[2]);
                // The force of the rod has the direction of the rod: μ is parallel to (sin θ, −cos θ).
                assert!((mu[0] * cos + mu[1] * sin).abs() < tolerance, "θ = {theta}: {mu:?}");
            }
        }
    }
}

/// Each of the speeds 0, 2, … has a separate row, so that M is positive definite on ker G without their masses. 1e-10: as above.
#[test]
fn massless_speeds_are_found_by_their_rows() {
    for seed in 0..200 {
        let mut numbers = Random(seed);
        let System { pattern, jacobian, .. } = random(&mut numbers);
        let massless: Vec<usize> = (0..pattern.n_c).filter(|_| numbers.below(2) == 0).map(|r| 2 * r).collect();
        let scale = numbers.within(0.5, 5.0);
        let filled = filled(Pattern { massless: true, scale, ..pattern }, &massless, &mut numbers);
        let system = System { jacobian, ..filled };
        let right = system.right(&mut numbers);
        let expected = system.reference(&right);
        for mut saddle in system.solvers() {
            let found = solve(&mut saddle, &system, &right).expect("M is positive definite on ker G");
            let error = deviation(&found, &expected);
            assert!(error < 1e-10, "seed {seed}: {error:e}, {system:?}");
        }
    }
}

#[test]
fn rows_wait_for_their_speeds() {
    for seed in 0..100 {
        let mut system = random(&mut Random(seed));
        system.pattern.massless = seed % 2 == 0;
        for saddle in system.solvers() {
            let n_v = system.pattern.n_v;
            let late = |(row, column): &(usize, usize)| saddle.positions[n_v + row] > saddle.positions[*column];
            assert!(system.pattern.jacobian.iter().all(late), "seed {seed}: {:?}", saddle.order);
        }
    }
}

/// A chain has an order with fill bounded per body, which least degree finds.
#[test]
fn chains_fill_in_proportion_to_their_length() {
    let updates = |n| updates(&elimination(&chain(n, Frame::Full)));
    assert!(updates(80) <= 2 * updates(40) + 40, "{} for 40 links, {} for 80", updates(40), updates(80));
}

#[test]
fn repeated_entries_add_up() {
    for massless in [false, true] {
        let pattern = Pattern {
            n_v: 2,
            n_c: 1,
            mass: vec![(0, 0), (1, 1), (0, 0)],
            jacobian: vec![(0, 0), (0, 1), (0, 0)],
            switched: vec![],
            massless,
            scale: 2.0,
        };
        let system = System { pattern, mass: vec![1.0, 3.0, 0.5], jacobian: vec![0.25, 2.0, 0.5] };
        let right = [1.0, 2.0, 3.0];
        let expected = system.reference(&right);
        for mut saddle in system.solvers() {
            let found = solve(&mut saddle, &system, &right).expect("regular");
            // 1e-14: three unknowns.
            assert!(deviation(&found, &expected) < 1e-14, "{found:?} instead of {expected:?}");
        }
    }
}

#[test]
fn equal_input_gives_equal_bits() {
    let mut numbers = Random(5);
    let system = filled(andrews(Frame::Full), &[], &mut numbers);
    let other = filled(andrews(Frame::Full), &[], &mut numbers);
    let right = system.right(&mut numbers);
    for mut saddle in system.solvers() {
        let mut copy = saddle.clone();
        let first = solve(&mut saddle, &system, &right).expect("regular");
        // An earlier system, solved or failed, does not change the result.
        solve(&mut saddle, &other, &right).expect("regular");
        let broken = System { mass: vec![f64::NAN; other.mass.len()], ..other.clone() };
        solve(&mut saddle, &broken, &right).expect_err("not finite");
        assert_eq!(solve(&mut saddle, &system, &right), Ok(first.clone()));
        assert_eq!(solve(&mut copy, &system, &right), Ok(first));
    }
}
