//! Cubic splines against their definition: the system for the second derivatives solved densely, cubics that they reproduce, and
//! differences.

use mbs_core::{Beyond, CubicSpline, Ends, SplineError};

const X: [f64; 6] = [-1.0, -0.4, 0.3, 0.5, 1.7, 2.0];
const Y: [f64; 6] = [0.3, -1.2, 0.8, 2.0, -0.5, 0.3];

/// The solution of a dense system, by elimination with pivoting.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).expect("there are rows left");
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let pivot = a[k].clone();
            a[i].iter_mut().zip(pivot).skip(k).for_each(|(x, p)| *x -= factor * p);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k][k];
    }
    b
}

/// All 4 (n − 1) coefficients of the pieces, from the conditions of a textbook: values at both ends of each piece,
/// continuous s′ and s″ at inner points, and two rows of the ends. The powers are those of x − xᵢ.
fn textbook(x: &[f64], y: &[f64], ends: Ends) -> Vec<[f64; 4]> {
    let pieces = x.len() - 1;
    let n = 4 * pieces;
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let derivative = |piece: usize, d: f64, order: usize, sign: f64| {
        let powers: [[f64; 4]; 4] = [
            [1.0, d, d * d, d * d * d],
            [0.0, 1.0, 2.0 * d, 3.0 * d * d],
            [0.0, 0.0, 2.0, 6.0 * d],
            [0.0, 0.0, 0.0, 6.0],
        ];
        let mut row = vec![0.0; n];
        (0..4).for_each(|k| row[4 * piece + k] += sign * powers[order][k]);
        row
    };
    let sum = |mut r: Vec<f64>, s: Vec<f64>| {
        r.iter_mut().zip(s).for_each(|(r, s)| *r += s);
        r
    };
    let h = |i: usize| x[i + 1] - x[i];
    for i in 0..pieces {
        a.push(derivative(i, 0.0, 0, 1.0));
        b.push(y[i]);
        a.push(derivative(i, h(i), 0, 1.0));
        b.push(y[i + 1]);
    }
    let mut join = |left: usize, right: usize, order: usize| {
        a.push(sum(derivative(left, h(left), order, 1.0), derivative(right, 0.0, order, -1.0)));
        b.push(0.0);
    };
    for i in 1..pieces {
        join(i - 1, i, 1);
        join(i - 1, i, 2);
    }
    let last = pieces - 1;
    match ends {
        Ends::Periodic => {
            join(last, 0, 1);
            join(last, 0, 2);
        }
        Ends::NotAKnot => {
            join(0, 1, 3);
            join(last - 1, last, 3);
        }
        Ends::Natural => {
            a.extend([derivative(0, 0.0, 2, 1.0), derivative(last, h(last), 2, 1.0)]);
            b.extend([0.0, 0.0]);
        }
        Ends::Clamped([first, end]) => {
            a.extend([derivative(0, 0.0, 1, 1.0), derivative(last, h(last), 1, 1.0)]);
            b.extend([first, end]);
        }
    }
    solve(a, b).chunks(4).map(|c| [c[0], c[1], c[2], c[3]]).collect()
}

/// The tolerance is 1e-10 for coefficients up to 100: the dense system has 20 rows and a condition number of some 10⁴.
#[test]
fn coefficients_solve_the_conditions_of_the_textbook() {
    for ends in [Ends::Natural, Ends::Clamped([0.7, -2.0]), Ends::Periodic, Ends::NotAKnot] {
        let spline = CubicSpline::fit(X, [Y], ends, ends.beyond()).unwrap();
        for (i, (expected, [found])) in textbook(&X, &Y, ends).iter().zip(spline.pieces()).enumerate() {
            for (x, y) in found.iter().zip(expected) {
                assert!((x - y).abs() <= 1e-10 * 100.0, "{ends:?}, piece {i}: {found:?}, not {expected:?}");
            }
        }
    }
    // The least number of points for each kind of ends.
    let four = CubicSpline::fit([0.0, 1.0, 1.5, 4.0], [[1.0, 2.0, -1.0, 1.0]], Ends::Periodic, Beyond::Cubic).unwrap();
    let expected = textbook(&[0.0, 1.0, 1.5, 4.0], &[1.0, 2.0, -1.0, 1.0], Ends::Periodic);
    assert!(four.pieces().iter().zip(&expected).all(|([p], e)| p.iter().zip(e).all(|(x, y)| (x - y).abs() < 1e-10)));
    let line = CubicSpline::new([1.0, 3.0], [2.0, 6.0]).unwrap();
    assert_eq!(line.derivatives(2.5), [5.0, 2.0, 0.0, 0.0]);
}

/// The spline through points of a cubic is the cubic: errors of 1e-13 for values up to 10.
#[test]
fn a_cubic_is_reproduced_to_round_off() {
    let f = |x: f64| [1.0 + x * (-2.0 + x * (0.5 + 0.3 * x)), -2.0 + x + 0.9 * x * x, 1.0 + 1.8 * x, 1.8];
    let clamped = Ends::Clamped([f(X[0])[1], f(X[5])[1]]);
    for ends in [clamped, Ends::NotAKnot] {
        let spline = CubicSpline::fit(X, [X.map(|x| f(x)[0])], ends, Beyond::Cubic).unwrap();
        // The agreement includes points beyond the ends.
        for k in -30..=40 {
            let x = 0.1 * f64::from(k);
            for (found, expected) in spline.derivatives(x).iter().zip(f(x)) {
                assert!(
                    (found - expected).abs() <= 1e-12 * (1.0 + x.abs().powi(3)),
                    "{ends:?} at {x}: {found}, not {expected}"
                );
            }
        }
    }
}

/// With h = 1e-5, the truncation error is 1e-10 times third derivatives of at most 100 within a piece, and the round-off 1e-10.
#[test]
fn derivatives_are_those_of_differences() {
    let spline = CubicSpline::fit(X, [Y], Ends::Natural, Beyond::Linear).unwrap();
    for k in 0..=80 {
        let x = -1.503 + 0.05 * f64::from(k);
        let h = 1e-5;
        let (right, left, here) = (spline.derivatives(x + h), spline.derivatives(x - h), spline.derivatives(x));
        for order in 0..3 {
            let difference = (right[order] - left[order]) / (2.0 * h);
            assert!((difference - here[order + 1]).abs() <= 1e-7, "{x}: {difference}, not {}", here[order + 1]);
        }
    }
}

#[test]
fn second_derivatives_are_continuous_everywhere() {
    for ends in [Ends::Natural, Ends::Clamped([0.7, -2.0]), Ends::Periodic, Ends::NotAKnot] {
        let spline = CubicSpline::fit(X, [Y], ends, ends.beyond()).unwrap();
        let mut knots = X.to_vec();
        // A periodic spline is continuous at the ends of its period.
        knots.extend(if ends == Ends::Periodic { vec![5.0, 8.0, -4.0] } else { vec![] });
        for x in knots {
            let (left, right) = (spline.derivatives(x - 1e-12), spline.derivatives(x + 1e-12));
            for order in 0..3 {
                assert!((left[order] - right[order]).abs() <= 1e-9, "{ends:?}: {left:?} and {right:?} at {x}");
            }
        }
    }
}

#[test]
fn beyond_its_ends_a_spline_is_straight_cubic_or_repeats() {
    let clamped = Ends::Clamped([0.5, -1.0]);
    let straight = CubicSpline::fit(X, [Y], clamped, Beyond::Linear).unwrap();
    assert_eq!(
        straight.derivatives(-3.0),
        [0.3 - 2.0 * straight.derivatives(-1.0 - 1e-9)[1], straight.before()[0][1], 0.0, 0.0]
    );
    assert!(
        (straight.derivatives(-3.0)[1] - 0.5).abs() <= 1e-13 && (straight.derivatives(9.0)[1] + 1.0).abs() <= 1e-13
    );
    assert!((straight.value(4.0) - (0.3 - 2.0)).abs() <= 1e-12);
    let cubic = CubicSpline::fit(X, [Y], clamped, Beyond::Cubic).unwrap();
    assert_eq!(cubic.derivatives(-1.0 - 1.0)[3], cubic.derivatives(-0.9)[3]);
    assert!((cubic.derivatives(2.5)[3] - cubic.derivatives(1.9)[3]).abs() <= 1e-12);
    // The values do not depend on the period that is evaluated, nor on the given continuation.
    let periodic = CubicSpline::fit(X, [Y], Ends::Periodic, Beyond::Linear).unwrap();
    for x in [-0.9, 0.4, 1.99] {
        for periods in [-2.0, 1.0, 7.0] {
            let (here, there) = (periodic.derivatives(x), periodic.derivatives(x + 3.0 * periods));
            assert!(here.iter().zip(there).all(|(a, b)| (a - b).abs() <= 1e-11), "{here:?} and {there:?}");
        }
    }
    assert_eq!(periodic.period(), 3.0);
}

#[test]
fn several_values_have_independent_splines() {
    let splines = CubicSpline::fit(X, [Y, X.map(|x| x * x)], Ends::NotAKnot, Beyond::Cubic).unwrap();
    let first = CubicSpline::fit(X, [Y], Ends::NotAKnot, Beyond::Cubic).unwrap();
    for x in [-2.0, -0.7, 0.45, 1.0, 3.0] {
        let [one, square] = splines.evaluate(x);
        assert_eq!(one, first.derivatives(x));
        assert!((square[0] - x * x).abs() <= 1e-12);
    }
}

#[test]
fn points_without_a_spline_are_errors() {
    let new = |x, y| CubicSpline::<3>::new(x, y).unwrap_err();
    assert_eq!(new([0.0, 1.0, 1.0], [0.0; 3]), SplineError::NotIncreasing { point: 2 });
    assert_eq!(new([0.0, f64::NAN, 1.0], [0.0; 3]), SplineError::NotFinite { point: 1 });
    assert_eq!(new([0.0, 0.5, 1.0], [0.0, 0.0, f64::INFINITY]), SplineError::NotFinite { point: 2 });
    assert_eq!(new([0.0, 1e-300, 1.0], [0.0, 1e200, 0.0]), SplineError::Overflow);
    assert_eq!(CubicSpline::new([0.0], [1.0]).unwrap_err(), SplineError::TooFewPoints { needed: 2, found: 1 });
    assert_eq!(CubicSpline::new([], []).unwrap_err(), SplineError::TooFewPoints { needed: 2, found: 0 });
    let fit = |ends| CubicSpline::fit([0.0, 1.0, 2.0], [[0.0, 1.0, 0.0]], ends, Beyond::Cubic).unwrap_err();
    assert_eq!(fit(Ends::NotAKnot), SplineError::TooFewPoints { needed: 4, found: 3 });
    assert_eq!(fit(Ends::Clamped([0.0, f64::NAN])), SplineError::NotFinite { point: 2 });
    let open = CubicSpline::fit([0.0, 1.0, 2.0, 3.0], [[0.0, 1.0, 0.0, 0.1]], Ends::Periodic, Beyond::Cubic);
    assert_eq!(open.unwrap_err(), SplineError::NotPeriodic);
    assert_eq!(new([0.0, 1.0, 1.0], [0.0; 3]).to_string(), "point 2 does not lie right of the one before");
    assert!(CubicSpline::new([0.0, 1.0], [1.0, 2.0]).unwrap().value(f64::NAN).is_nan());
}
