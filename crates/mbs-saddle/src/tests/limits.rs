//! Empty systems, vanishing pivots and the fallback.

use super::patterns::{Frame, chain, filled, four_bars, full, net};
use super::*;

/// M = diag(masses), G dense.
fn system(masses: &[f64], jacobian: &[&[f64]]) -> System {
    let n_v = masses.len();
    let entries = (0..jacobian.len()).flat_map(|r| (0..n_v).map(move |j| (r, j)));
    let pattern = Pattern {
        n_v,
        n_c: jacobian.len(),
        mass: (0..n_v).map(|i| (i, i)).collect(),
        jacobian: entries.collect(),
        switched: vec![],
        massless: false,
        scale: 1.0,
    };
    System { pattern, mass: masses.to_vec(), jacobian: jacobian.concat() }
}

#[test]
fn no_rows_leave_newtons_law() {
    let system = system(&[2.0, 4.0], &[]);
    for mut saddle in system.solvers() {
        assert_eq!(solve(&mut saddle, &system, &[1.0, 1.0]), Ok(vec![0.5, 0.25]));
    }
}

#[test]
fn an_empty_system_has_an_empty_solution() {
    let system = system(&[], &[]);
    for mut saddle in system.solvers() {
        assert_eq!(solve(&mut saddle, &system, &[]), Ok(vec![]));
        assert_eq!(saddle.fallback(0.0, 0, &[], &[], &mut [], &mut []), Ok(()));
    }
}

#[test]
fn a_row_without_speeds_vanishes() {
    let system = system(&[], &[&[]]);
    for mut saddle in system.solvers() {
        assert_eq!(solve(&mut saddle, &system, &[1.0]), Err(0));
    }
}

#[test]
fn a_speed_without_mass_is_named() {
    let system = system(&[1.0, 0.0, 1.0], &[&[1.0, 1.0, 1.0]]);
    for mut saddle in system.solvers() {
        assert_eq!(saddle.factor(&system.mass, &system.jacobian), Err(1));
    }
}

#[test]
fn a_dependent_row_is_named() {
    let rows: [&[f64]; 2] = [&[1.0, 2.0, 3.0], &[0.1, 0.2, 0.3]];
    for massless in [false, true] {
        let mut system = system(&[1.0, 1.0, 1.0], &rows);
        system.pattern.massless = massless;
        for mut saddle in system.solvers() {
            assert_eq!(saddle.factor(&system.mass, &system.jacobian), Err(4));
        }
    }
}

#[test]
fn both_methods_name_the_same_pivot() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut system = filled(four_bars(2, Frame::Full), &[], &mut random);
        // A value that is not finite, before which all pivots are regular, or a row of zeros, after which others may vanish.
        match seed % 3 {
            0 => system.mass[random.below(30)] = f64::NAN,
            1 => system.jacobian[random.below(60)] = f64::INFINITY,
            _ => {
                let dead = random.below(system.pattern.n_c);
                let entries = system.pattern.jacobian.iter().zip(&mut system.jacobian);
                entries.filter(|((row, _), _)| *row == dead).for_each(|(_, g)| *g = 0.0);
            }
        }
        let [packed, sparse] = system.solvers().map(|mut saddle| saddle.factor(&system.mass, &system.jacobian));
        assert!(packed.is_err(), "seed {seed}");
        assert_eq!(packed, sparse, "seed {seed}");
    }
}

/// 1 + ε − 1 is formed of terms of size 2: it is regular from ε = 2e-14 on, in any unit of mass.
#[test]
fn pivots_are_compared_with_their_terms() {
    let pattern = Pattern {
        n_v: 2,
        n_c: 0,
        mass: vec![(0, 0), (1, 0), (1, 1)],
        jacobian: vec![],
        switched: vec![],
        massless: false,
        scale: 1.0,
    };
    for unit in [1e-100, 1.0, 1e100] {
        for (epsilon, expected) in [(1e-11, Ok(())), (1e-13, Err(1)), (1e-15, Err(1)), (-1e-11, Ok(()))] {
            let mass = vec![unit, unit, unit * (1.0 + epsilon)];
            let system = System { pattern: pattern.clone(), mass, jacobian: vec![] };
            for mut saddle in system.solvers() {
                assert_eq!(saddle.factor(&system.mass, &[]), expected, "{epsilon:e} of {unit:e}");
            }
        }
    }
}

/// One mass has the value zero, so that the order has no pivot for it, but the system is regular. 1e-13: a few unknowns.
#[test]
fn fallback_solves_a_regular_system_without_a_pivot() {
    let system = system(&[1.0, 0.0, 2.0], &[&[1.0, -1.0, 0.0]]);
    let right = [1.0, 2.0, 3.0, 0.5];
    let expected = system.reference(&right);
    for mut saddle in system.solvers() {
        let row = saddle.factor(&system.mass, &system.jacobian).expect_err("speed 1 has no mass");
        let (mut x, mut mu) = ([1.0, 2.0, 3.0], [0.5]);
        saddle.fallback(0.0, row, &system.mass, &system.jacobian, &mut x, &mut mu).expect("regular");
        let found = [&x[..], &mu].concat();
        assert!(deviation(&found, &expected) < 1e-13, "{found:?} instead of {expected:?}");
    }
}

#[test]
fn fallback_refuses_dependent_rows() {
    let system = system(&[1.0, 1.0, 1.0], &[&[1.0, 2.0, 3.0], &[0.1, 0.2, 0.3]]);
    for mut saddle in system.solvers() {
        let row = saddle.factor(&system.mass, &system.jacobian).expect_err("dependent");
        let refused = saddle.fallback(2.5, row, &system.mass, &system.jacobian, &mut [0.0; 3], &mut [1.0; 2]);
        assert_eq!(refused, Err(Error::Singular { row: 4, t: 2.5 }));
    }
}

#[test]
fn fallback_refuses_values_that_are_not_finite() {
    let system = system(&[1.0, f64::NAN], &[]);
    for mut saddle in system.solvers() {
        let row = saddle.factor(&system.mass, &[]).expect_err("not finite");
        let refused = saddle.fallback(2.5, row, &system.mass, &[], &mut [0.0; 2], &mut []);
        assert_eq!(refused, Err(Error::NotFinite { t: 2.5 }));
    }
}

#[test]
fn fallback_ends_at_64_unknowns() {
    for (links, dense) in [(12, true), (13, false)] {
        let mut system = filled(chain(links, Frame::Centre), &[], &mut Random(1));
        assert_eq!(dense, system.pattern.n_v + system.pattern.n_c <= 64);
        // θ of the first link loses its mass; rows keep the system regular.
        system.mass[2] = 0.0;
        for mut saddle in system.solvers() {
            let row = saddle.factor(&system.mass, &system.jacobian).expect_err("a speed has no mass");
            assert_eq!(row, 2);
            let (mut x, mut mu) = (vec![1.0; system.pattern.n_v], vec![1.0; system.pattern.n_c]);
            let solved = saddle.fallback(2.5, row, &system.mass, &system.jacobian, &mut x, &mut mu);
            assert_eq!(solved, if dense { Ok(()) } else { Err(Error::Singular { row: 2, t: 2.5 }) });
        }
    }
}

#[test]
fn faer_takes_over_where_lists_grow_long() {
    let method = |pattern: &Pattern, limit| Method::new(&elimination(pattern), limit);
    let net = net(6, Frame::Full);
    assert_eq!(method(&net, 1000), Method::Sparse);
    assert_eq!(method(&net, PACKED_LIMIT), Method::Packed);
    // 34,220 updates, in one run for each column that is changed, which takes two numbers.
    assert_eq!(method(&full(60, 0), 4000), Method::Packed);
}
