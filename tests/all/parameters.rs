//! Parameters whose defaults are expressions follow the parameters they depend on: compiled, in the engine, against closed forms.

use mbs::{Engine, Simulation};

/// Compiles a declaration, and defines its text as a constant.
macro_rules! compiled_and_text {
    ($text:ident: $($token:tt)*) => {
        mbs::mechanism! { $($token)* }
        const $text: &str = stringify!($($token)*);
    };
}

compiled_and_text! {
    TEXT:
    planar Rod {
        gravity: param [0, -9.81];
        param density = 2;
        param length = 0.5;
        param mass = density * length;
        param inertia = mass * length.powi(2) / 12;
        param holes: [2] = [length / 4, 3 * length / 4];
        param far = max(holes[1], sin(length) + atan2(length, density));
        function bend = spline([0, 1, 2], [0, 1, 4]);
        param bent = bend(length);
        param damping = if length > 0.6 { density.sqrt() } else { 0 };
        body rod { mass: mass, inertia: inertia, com: [far, holes[0] * bent] }
        joint pin = revolute(ground, rod);
        force loss = torsion_damper(ground, rod) { damping: damping };
        initial pin.rate = 1;
        output angle = pin.angle;
    }
}

/// Values of the declared parameters from `density` on, in their order.
fn expected(density: f64, length: f64, mass: Option<f64>, engine: &Engine) -> Vec<f64> {
    let mass = mass.unwrap_or(density * length);
    let (first, second) = (length / 4.0, 3.0 * length / 4.0);
    let far = second.max(length.sin() + length.atan2(density));
    let bent = engine.parameters()[engine.parameter_index("bent").unwrap()];
    let damping = if length > 0.6 { density.sqrt() } else { 0.0 };
    vec![density, length, mass, mass * length * length / 12.0, first, second, far, bent, damping]
}

/// Asserts that the values after gravity agree to 1e-14, some roundings.
fn assert_alike(found: &[f64], expected: &[f64]) {
    for (k, (x, y)) in found.iter().rev().zip(expected.iter().rev()).enumerate() {
        assert!((x - y).abs() <= 1e-14 * y.abs(), "{k} from the end: {x} is not {y}");
    }
}

#[test]
fn derived_parameters_follow_in_the_engine() {
    let mut engine = Engine::text(TEXT).unwrap();
    assert_alike(engine.parameters(), &expected(2.0, 0.5, None, &engine));
    engine.set_parameter("length", 0.8).unwrap();
    assert_alike(engine.parameters(), &expected(2.0, 0.8, None, &engine));
    engine.set_parameter("density", 3.0).unwrap();
    assert_alike(engine.parameters(), &expected(3.0, 0.8, None, &engine));
    // A parameter that is set directly keeps its value, and its dependents follow it.
    engine.set_parameter("mass", 7.0).unwrap();
    engine.set_parameter("length", 0.4).unwrap();
    assert_alike(engine.parameters(), &expected(3.0, 0.4, Some(7.0), &engine));
    // Setting all at once sets the given values; those that differ from their formulas count as set.
    let all = engine.parameters().to_vec();
    let mut other = Engine::text(TEXT).unwrap();
    other.set_parameters(&all).unwrap();
    other.set_parameter("length", 0.7).unwrap();
    assert_alike(other.parameters(), &expected(3.0, 0.7, Some(7.0), &other));
    // A refused value changes nothing.
    let before = other.parameters().to_vec();
    assert!(other.set_parameter("density", f64::NAN).is_err() && other.set_parameter("mass", -1.0).is_err());
    assert_eq!(other.parameters(), before);
    other.set_parameter("density", 1.0).unwrap();
    assert_alike(other.parameters(), &expected(1.0, 0.7, Some(7.0), &other));
}

#[test]
fn derived_parameters_follow_in_generated_code() {
    let at = |density: f64, length: f64| rod::Params { density, length, ..Default::default() };
    let mut engine = Engine::text(TEXT).unwrap();
    assert_eq!(rod::Params::default().derived(), rod::Params::default());
    for (density, length) in [(2.0, 0.8), (3.0, 0.5), (1.5, 0.61), (2.0, 0.5)] {
        let derived = at(density, length).derived();
        engine.set_parameter("density", density).unwrap();
        engine.set_parameter("length", length).unwrap();
        assert_alike(&derived.to_array(), &expected(density, length, None, &engine));
        assert_alike(&derived.to_array(), engine.parameters());
        // Then the length is changed again.
        let longer = rod::Params { length: 1.1, ..derived }.derived_from(&derived);
        assert_alike(&longer.to_array(), &at(density, 1.1).derived().to_array());
    }
    // A parameter that is set directly keeps its value, and its dependents follow it.
    let heavy = rod::Params { mass: 7.0, ..at(2.0, 0.8) }.derived();
    assert_eq!(heavy.mass, 7.0);
    assert!((heavy.inertia - 7.0 * 0.64 / 12.0).abs() < 1e-15, "{heavy:?}");
    let heavy = rod::Params { length: 0.9, ..heavy }.derived_from(&heavy);
    assert_eq!((heavy.mass, heavy.holes[1]), (7.0, 3.0 * 0.9 / 4.0));
}

#[test]
fn the_motion_is_that_of_a_text_with_these_numbers() {
    let mut engine = Engine::text(TEXT).unwrap();
    engine.set_parameter("length", 0.8).unwrap();
    let written = Engine::text(&TEXT.replace("param length = 0.5", "param length = 0.8")).unwrap();
    let compiled = Rod::new(rod::Params { length: 0.8, ..Default::default() }.derived()).unwrap();
    let run = |engine: &Engine| Simulation::new(engine).run().unwrap().output("angle").unwrap().to_vec();
    assert_eq!(run(&engine), run(&written));
    let run = Simulation::new(&compiled).run().unwrap();
    let pairs = run
        .output("angle")
        .unwrap()
        .iter()
        .zip(Simulation::new(&written).run().unwrap().output("angle").unwrap().to_vec());
    // Equations agree up to rounding, at rtol = 1e-9.
    assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-8));
}

compiled_and_text! {
    START:
    planar Start {
        gravity: [0, -9.81];
        coordinates: natural;
        param height = 3;
        param speed = 2;
        param reach = 0.2;
        param angle = 0.5;
        body thrown { mass: 1, inertia: 0.1, com: [reach, 0], position: [0, height], velocity: [speed, 0] }
        body rod { mass: 1, inertia: 0.1, com: [0.5, 0] }
        joint base = free(ground, thrown);
        joint pin = revolute(ground, rod);
        initial pin.angle = angle;
        output place = position(thrown);
        output fast = velocity(thrown);
        output turned = pin.angle;
    }
}

/// Declared poses and speeds, and revolutions of angles that no coordinate counts, are those of the parameters; Newton's method leaves 1e-12.
#[test]
fn a_run_of_generated_code_starts_at_its_parameters() {
    let params = start::Params { height: 1.0, speed: 5.0, reach: 0.1, angle: 4.0 };
    let compiled = Start::new(params).unwrap();
    let mut engine = Engine::text(START).unwrap();
    engine.set_parameters(&params.to_array()).unwrap();
    let first = |run: mbs::Recording| -> Vec<f64> {
        let column = |name: &str| run.output(name).unwrap()[0];
        ["place.x", "place.y", "fast.x", "fast.y", "turned"].map(column).to_vec()
    };
    let runs = [
        first(Simulation::new(&compiled).duration(0.1).run().unwrap()),
        first(Simulation::new(&engine).duration(0.1).run().unwrap()),
    ];
    for found in runs {
        let expected = [0.0, 1.0, 5.0, 0.0, 4.0];
        assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-12), "{found:?}");
    }
}
