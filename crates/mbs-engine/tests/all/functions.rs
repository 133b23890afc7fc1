//! Functions in the engine: splines of data, functions that are set at run time, and functions of several numbers.

use mbs_core::{CubicSpline, Error, Mechanism, StateView};
use mbs_engine::{Engine, Failure};
use mbs_expr::FunctionError;
use mbs_model::Formulation;

fn accelerations(engine: &Engine, q: &[f64], v: &[f64]) -> Vec<f64> {
    let sizes = engine.sizes();
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    engine.accelerations(StateView { t: 0.3, q, v, z: &[], u: &[] }, &mut a, &mut lambda).unwrap();
    a
}

/// A mass that depends on a settable function changes when the function is set; a mass that vanishes is refused, and nothing changes.
#[test]
fn constants_follow_a_set_function() {
    let text = "pub planar M {
        function heavy: CubicSpline<3> = spline([0, 1, 2], [1, 2, 1]);
        body b { mass: heavy(1), inertia: 1 }
        joint slide = prismatic(ground, b) { axis: [1, 0] };
        force push = mobility(slide) { value: 4 };
    }";
    let mut engine = Engine::text(text).unwrap();
    assert_eq!(accelerations(&engine, &[0.0], &[0.0]), [2.0]);
    engine.set_function("heavy", &CubicSpline::new([0.0, 1.0, 2.0], [1.0, 8.0, 1.0]).unwrap()).unwrap();
    assert_eq!(accelerations(&engine, &[0.0], &[0.0]), [0.5]);
    let huge = CubicSpline::new([0.0, 0.5, 2.0], [0.0, f64::MAX / 1e3, 0.0]).unwrap();
    assert!(matches!(engine.set_function("heavy", &huge), Err(Failure::Value(Error::NotFinite { .. })) | Ok(())));
    let wrong = engine.set_function("havy", &huge).unwrap_err();
    assert_eq!(wrong.to_string(), "no function `havy` is set at run time, did you mean `heavy`?");
    let size = engine.set_function("heavy", &CubicSpline::new([0.0, 1.0], [1.0, 1.0]).unwrap()).unwrap_err();
    assert!(matches!(size, Failure::Function(FunctionError::Size { expected: [3, 1], found: [2, 1], .. })), "{size}");
    assert_eq!(format!("{size:?}"), size.to_string());
}

/// A potential of two numbers: its force has first partial derivatives, and γ of a row with it second ones.
#[test]
fn functions_of_two_numbers_are_differentiated() {
    let text = "pub planar Bead {
        function hill(x, y): opaque(2);
        particle bead { mass: 2, position: [0.5, 0.7] }
        joint free = free(ground, bead);
        potential p = hill(position(bead).x, position(bead).y);
        state z = 0 { rate: rate(hill(position(bead).x, position(bead).y)) };
    }";
    // h = x² y + 3 y².
    let hill = |x: &[f64], h: &mut [f64]| {
        let [x, y] = [x[0], x[1]];
        h.copy_from_slice(&[x * x * y + 3.0 * y * y, 2.0 * x * y, x * x + 6.0 * y, 2.0 * y, 2.0 * x, 6.0]);
    };
    for formulation in [Formulation::Body, Formulation::Joint] {
        let engine = Engine::options().formulation(formulation).function_of_many("hill", hill).text(text).unwrap();
        let (q, v) = ([0.5, 0.7], [1.5, -0.4]);
        let at = StateView { t: 0.0, q: &q, v: &v, z: &[0.0], u: &[] };
        let (mut a, mut rates) = ([0.0; 2], [0.0]);
        engine.accelerations(at, &mut a, &mut []).unwrap();
        engine.auxiliary_rates(at, &mut rates);
        // 1e-15: a few roundings of numbers below 5.
        assert!((a[0] + 0.7 / 2.0).abs() <= 1e-15 && (a[1] + 4.45 / 2.0).abs() <= 1e-15, "{a:?}");
        assert!((rates[0] - (0.7 * 1.5 - 4.45 * 0.4)).abs() <= 1e-15);

        // The row h(x, y) = h₀ implies h_x a_x + h_y a_y = −vᵀ H v.
        let row = text.replace(
            "potential p = hill(position(bead).x, position(bead).y);",
            "constraint level = hill(position(bead).x, position(bead).y) == 1.645;",
        );
        let engine = Engine::options().formulation(formulation).function_of_many("hill", hill).text(&row).unwrap();
        let (mut a, mut lambda) = ([0.0; 2], [0.0]);
        engine.accelerations(at, &mut a, &mut lambda).unwrap();
        let gamma = -(1.4 * 1.5 * 1.5 + 2.0 * 1.0 * 1.5 * -0.4 + 6.0 * 0.16);
        assert!((0.7 * a[0] + 4.45 * a[1] - gamma).abs() <= 1e-13, "{a:?}");
        // A row needs one derivative more.
        let few = row.replace("opaque(2)", "opaque(1)");
        let error = Engine::options().function_of_many("hill", hill).text(&few).err().unwrap();
        assert!(matches!(error, Failure::Derivatives { given: 1, needed: 2, .. }), "{error}");
    }
    let one = Engine::options().function("hill", |_, _| {}).text(text).err().unwrap();
    assert_eq!(one.to_string(), "`hill` takes 2 numbers and gives 1: bind a function of many");
}

/// The engine does not count operations, so it does not choose.
#[test]
fn automatic_coordinates_are_chosen_by_the_caller() {
    let text = "planar M { coordinates: auto; body b { mass: 1, inertia: 1 } joint pin = revolute(ground, b); }";
    let failure = Engine::text(text).err().unwrap();
    assert!(matches!(failure, Failure::AutomaticCoordinates), "{failure}");
    assert!(failure.to_string().contains("`coordinates: auto` is chosen by the compiler"), "{failure}");
    let engine = Engine::options().formulation(Formulation::Body).text(text).unwrap();
    assert_eq!(engine.sizes().n_v, 3);
}
