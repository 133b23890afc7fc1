use super::*;

const X: [f64; 7] = [0.0, 0.5, 0.9, 2.0, 2.2, 3.1, 4.0];
const Y: [f64; 7] = [1.0, 0.4, 0.7, -1.0, -0.3, 0.2, 2.0];

fn fit_data(smoothing: f64) -> Spline {
    Spline::fit(&X, &[Y.to_vec()], Fit { smoothing, ..Fit::default() }).unwrap()
}

fn evaluate_at(s: &Spline, x: f64) -> [f64; 4] {
    let mut results = [0.0; 4];
    s.evaluate(x, &mut results);
    results
}

/// Σ (yᵢ − s(xᵢ))² + p ∫ s″², the integral exact: s″ is linear in each piece.
fn cost(s: &Spline, p: f64) -> f64 {
    let squares: f64 = X.iter().zip(Y).map(|(x, y)| (y - evaluate_at(s, *x)[0]).powi(2)).sum();
    let curvature: f64 = X
        .windows(2)
        .map(|pair| {
            let (a, b) = (evaluate_at(s, pair[0])[2], evaluate_at(s, pair[1] - 1e-13)[2]);
            (pair[1] - pair[0]) * (a * a + a * b + b * b) / 3.0
        })
        .sum();
    squares + p * curvature
}

/// The normal equations: at the smallest cost its derivative with respect to every value of a natural spline vanishes. Central
/// differences of a quadratic are exact; with h = 1e-4 rounding is 1e-16 · 10 / 1e-4 = 1e-11, less than the tolerance of 1e-7.
#[test]
fn a_smoothing_spline_makes_its_cost_smallest() {
    for p in [1e-3, 0.1, 3.0] {
        let best = fit_data(p);
        let values: Vec<f64> = X.iter().map(|x| evaluate_at(&best, *x)[0]).collect();
        for k in 0..X.len() {
            let changed_cost = |step: f64| {
                let mut values = values.clone();
                values[k] += step;
                cost(&Spline::fit(&X, &[values], Fit::default()).unwrap(), p)
            };
            let derivative = (changed_cost(1e-4) - changed_cost(-1e-4)) / 2e-4;
            assert!(derivative.abs() <= 1e-7, "p = {p}, value {k}: {derivative}");
            assert!(changed_cost(0.01) > cost(&best, p));
        }
    }
}

#[test]
fn without_smoothing_it_interpolates_and_with_much_it_is_the_line_of_least_squares() {
    let none = fit_data(1e-12);
    assert!(X.iter().zip(Y).all(|(x, y)| (evaluate_at(&none, *x)[0] - y).abs() <= 1e-8));
    assert_eq!(fit_data(0.0), Spline::fit(&X, &[Y.to_vec()], Fit::default()).unwrap());
    let n = X.len() as f64;
    let (x, y) = (X.iter().sum::<f64>() / n, Y.iter().sum::<f64>() / n);
    let slope =
        X.iter().zip(Y).map(|(a, b)| (a - x) * (b - y)).sum::<f64>() / X.iter().map(|a| (a - x).powi(2)).sum::<f64>();
    let much = fit_data(1e8);
    assert!(X.iter().all(|a| (evaluate_at(&much, *a)[0] - (y + slope * (a - x))).abs() <= 1e-6));
    // Two points have nothing to smooth.
    let two = Spline::fit(&[0.0, 1.0], &[vec![1.0, 3.0]], Fit { smoothing: 5.0, ..Fit::default() }).unwrap();
    assert_eq!(evaluate_at(&two, 0.5), [2.0, 2.0, 0.0, 0.0]);
}

#[test]
fn jumps_are_rounding_errors_unless_something_is_broken() {
    for ends in [Ends::Natural, Ends::Clamped([1.0, -4.0]), Ends::NotAKnot] {
        let s = Spline::fit(&X, &[Y.to_vec()], Fit { ends, ..Fit::default() }).unwrap();
        assert!(s.largest_jump() <= 1e-14, "{}", s.largest_jump());
    }
    assert!(fit_data(0.3).largest_jump() <= 1e-13);
    let mut closed = Y.to_vec();
    closed[6] = 1.0;
    let wheel = Spline::fit(&X, &[closed], Fit { ends: Ends::Periodic, ..Fit::default() }).unwrap();
    assert!(wheel.largest_jump() <= 1e-13 && wheel.period == 4.0);
    for order in 0..3 {
        let mut broken = fit_data(0.0);
        broken.pieces[2][order] += 1e-3;
        assert!(broken.largest_jump() > 1e-6, "order {order}: {}", broken.largest_jump());
    }
    let mut unknown = fit_data(0.0);
    unknown.pieces[2][1] = f64::NAN;
    assert_eq!(unknown.largest_jump(), f64::INFINITY);
}

#[test]
fn it_agrees_with_the_runtime_spline() {
    let ours = fit_data(0.0);
    let theirs = CubicSpline::new(X, Y).unwrap();
    let mut set = Spline::zero(7, None);
    assert!(evaluate_at(&set, 2.0) == [0.0; 4] && set.set(&theirs));
    assert_eq!(set, ours);
    for x in [-1.0, 0.0, 0.7, 3.99, 8.0] {
        assert_eq!(evaluate_at(&ours, x), theirs.derivatives(x));
    }
    assert!(!Spline::zero(6, None).set(&theirs) && !Spline::zero(7, Some(2)).set(&theirs));
}
