//! Checks of derivatives of functions written in Rust against differences: directly, and in debug builds in runs, compiled and in the engine.

use mbs::simulation::Cause;
use mbs::{Engine, FullMechanism, Kinematics, Opaque, Simulation, WrongDerivative, check_derivatives, check_opaque};

/// x³ y² with all derivatives up to the second; the result with index `wrong` is multiplied by `factor`.
fn power([x, y]: [f64; 2], wrong: usize, factor: f64) -> [f64; 6] {
    let mut f = [
        x.powi(3) * y * y,
        3.0 * x * x * y * y,
        2.0 * x.powi(3) * y,
        6.0 * x * y * y,
        6.0 * x * x * y,
        2.0 * x.powi(3),
    ];
    f[wrong] *= factor;
    f
}

#[test]
fn every_derivative_is_compared_with_the_one_below_it() {
    let check = |wrong, factor| {
        check_derivatives([2, 6, 1], &[0.7, -1.3], &mut |x, f| f.copy_from_slice(&power([x[0], x[1]], wrong, factor)))
    };
    assert_eq!(check(0, 1.0), Ok(()));
    for (wrong, argument) in [(1, 0), (2, 1), (3, 0), (4, 1), (5, 1)] {
        let error = check(wrong, 1.01).unwrap_err();
        // A wrong first derivative must be reported as such, and not as a wrong second one: results are checked in order.
        assert_eq!((error.result, error.argument, error.value), (wrong, argument, 0), "{error}");
        let right = power([0.7, -1.3], 0, 1.0)[wrong];
        assert!(
            (error.given - 1.01 * right).abs() < 1e-12 && (error.expected - right).abs() < 2e-2 * right.abs(),
            "{error}"
        );
    }
}

#[test]
fn several_values_are_distinguished_at_any_scale() {
    for scale in [1e-6, 1.0, 1e6] {
        let vector = |factor: f64| {
            check_derivatives([1, 2, 3], &[scale], &mut |x, f| {
                let (sin, cos) = (x[0] / scale).sin_cos();
                f.copy_from_slice(&[sin, cos / scale, cos, -sin / scale, x[0] * x[0], factor * 2.0 * x[0]]);
            })
        };
        assert_eq!(vector(1.0), Ok(()), "{scale}");
        assert!(matches!(vector(-1.0), Err(WrongDerivative { value: 2, result: 1, .. })), "{scale}");
    }
}

#[test]
fn kinks_and_values_that_are_not_finite_are_no_mistakes() {
    let one = |x: f64, f: &dyn Fn(f64) -> [f64; 2]| {
        check_derivatives([1, 2, 1], &[x], &mut |x, to| to.copy_from_slice(&f(x[0])))
    };
    assert_eq!(one(0.0, &|x| [x.abs(), if x < 0.0 { -1.0 } else { 1.0 }]), Ok(()));
    assert_eq!(one(0.0, &|x| [x.abs(), 0.0]), Ok(()));
    assert_eq!(one(-1.0, &|x| [x.sqrt(), 0.5 / x.sqrt()]), Ok(()));
    assert_eq!(one(2.0, &|_| [5.0, 0.0]), Ok(()));
    assert!(one(2.0, &|_| [5.0, 1e-3]).is_err());
}

/// The function 2 x² with `factor` x as its derivative; the correct factor is 4.
#[derive(Clone, Debug)]
struct Table {
    factor: f64,
}

impl Default for Table {
    fn default() -> Self {
        Table { factor: 4.0 }
    }
}

impl Opaque<1, 3> for Table {
    fn evaluate(&self, [x]: [f64; 1]) -> [[f64; 3]; 1] {
        [[2.0 * x * x, self.factor * x, 4.0]]
    }
}

fn track(x: f64) -> [f64; 3] {
    // The derivative of the square is wrong.
    [0.3 * x * x, 0.5 * x, 0.6]
}

fn field(x: f64, y: f64) -> [[f64; 3]; 2] {
    [[x * y, y, x], [x - y, 1.0, 1.0]]
}

mbs::mechanism! {
    planar Bead {
        gravity: [0, -9.81];
        function table: opaque(2, Table);
        particle bead { mass: 1, position: [1, 2] }
        joint base = free(ground, bead);
        constraint wire = position(bead).y == table(position(bead).x);
    }
}

mbs::mechanism! {
    planar Rail {
        gravity: [0, -9.81];
        function track: opaque(2);
        particle bead { mass: 1, position: [1, 0.3] }
        joint base = free(ground, bead);
        constraint wire = position(bead).y == track(position(bead).x);
    }
}

mbs::mechanism! {
    spatial Puck {
        function field(x, y): [2] opaque(1);
        particle puck { mass: 1, position: [1, 2, 0] }
        joint base = free(ground, puck);
        potential pull = field(position(puck).x, position(puck).y)[1];
    }
}

fn wrong<M: FullMechanism>(mechanism: &M) -> Option<(String, WrongDerivative)> {
    match Simulation::new(mechanism).duration(0.1).run() {
        Ok(_) => None,
        Err(failure) => {
            let text = failure.to_string();
            let Cause::Derivative { function, wrong } = failure.cause else { panic!("{text}") };
            assert!(text.contains(&format!("function `{function}`")) && text.contains("argument"), "{text}");
            Some((function, wrong))
        }
    }
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "release builds do not examine derivatives")]
fn runs_refuse_wrong_derivatives_of_generated_code() {
    assert_eq!(wrong(&Bead::new(bead::Params::default()).unwrap()), None);
    let (function, found) = wrong(&Bead::new(bead::Params { table: Table { factor: 3.0 } }).unwrap()).unwrap();
    assert_eq!((function.as_str(), found.argument, found.result), ("table", 0, 1));
    let (function, found) = wrong(&Rail::new(rail::Params::default()).unwrap()).unwrap();
    assert_eq!((function.as_str(), found.argument, found.result), ("track", 0, 1));
    assert!((found.given / found.at - 0.5).abs() < 1e-6 && (found.expected / found.at - 0.6).abs() < 1e-3, "{found}");
    let (function, found) = wrong(&Puck::new(puck::Params::default()).unwrap()).unwrap();
    // ∂(x − y)/∂y.
    assert_eq!((function.as_str(), found.value, found.argument, found.given), ("field", 1, 1, 1.0));
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "release builds do not examine derivatives")]
fn runs_refuse_wrong_derivatives_in_the_engine_in_every_formulation() {
    use mbs_model::Formulation;

    let text = "planar Rail {
        gravity: [0, -9.81];
        function track: opaque(2);
        particle bead { mass: 1, position: [1, 0.3] }
        joint base = free(ground, bead);
        constraint wire = position(bead).y == track(position(bead).x);
    }";
    for formulation in [Formulation::Body, Formulation::Joint, Formulation::Natural] {
        let engine = |factor: f64| {
            let track = move |x: f64, f: &mut [f64]| f.copy_from_slice(&[0.3 * x * x, factor * x, 0.6]);
            Engine::options().formulation(formulation).function("track", track).text(text).unwrap()
        };
        assert_eq!(wrong(&engine(0.6)), None, "{formulation:?}");
        let (function, found) = wrong(&engine(0.5)).unwrap();
        assert_eq!((function.as_str(), found.argument, found.result), ("track", 0, 1), "{formulation:?}");
    }
}

#[test]
fn a_value_of_a_type_is_checked_by_itself() {
    assert_eq!(check_opaque(&Table::default(), [1.5]), Ok(()));
    assert_eq!(check_opaque(&Table { factor: 3.0 }, [1.5]).unwrap_err().given, 4.5);
}

/// With a first derivative of wrong sign Newton's method fails at the first pose; with a wrong derivative on a driven bead, at the second.
#[test]
#[cfg_attr(not(debug_assertions), ignore = "release builds do not examine derivatives")]
fn a_run_that_fails_for_a_wrong_derivative_reports_it() {
    let text = "planar Rail {
        function track: opaque(2);
        particle bead { mass: 1, position: [1, 1.5] }
        joint base = free(ground, bead);
        constraint wire = position(bead).y == track(position(bead).x);
        drive along = position(bead).x == 1 + t;
    }";
    let engine = |first: f64, second: f64| {
        let cube = move |x: f64, f: &mut [f64]| f.copy_from_slice(&[x.powi(3), first * x * x, second * x]);
        Engine::options().function("track", cube).text(text).unwrap_or_else(|e| panic!("{e}"))
    };
    assert!(Simulation::new(&engine(3.0, 6.0)).duration(0.1).run().is_ok());
    for (first, second, result) in [(-3.0, -6.0, 1), (3.0, -6.0, 2)] {
        let engine = engine(first, second);
        for failure in [
            Simulation::new(&engine).duration(0.1).run().unwrap_err(),
            Kinematics::new(&engine).duration(0.1).run().unwrap_err(),
        ] {
            let Cause::Derivative { function, wrong } = &failure.cause else { panic!("{failure}") };
            assert_eq!((function.as_str(), wrong.argument, wrong.result), ("track", 0, result), "{failure}");
            assert!(failure.to_string().starts_with("function `track`: result "), "{failure}");
            assert!(failure.to_string().contains(" along the first argument: at "), "{failure}");
        }
    }
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "release builds do not examine derivatives")]
fn functions_of_outputs_states_and_events_are_checked() {
    for line in [
        "output told = law(base.position.x);",
        "state heat = 0 { rate: law(base.position.x) };",
        "event far = when law(base.position.x) > 9 { }",
    ] {
        let text = format!(
            "planar Bead {{
                function law: opaque(1);
                particle bead {{ mass: 1, position: [1, 2] }}
                joint base = free(ground, bead);
                {line}
            }}"
        );
        let engine = |first: f64| {
            let square = move |x: f64, f: &mut [f64]| f.copy_from_slice(&[x * x, first * x]);
            Engine::options().function("law", square).text(&text).unwrap_or_else(|e| panic!("{line}: {e}"))
        };
        assert_eq!(wrong(&engine(2.0)), None, "{line}");
        assert_eq!(wrong(&engine(2.1)).map(|found| found.0).as_deref(), Some("law"), "{line}");
    }
}
