//! Functions computed from data, and splines set at run time, in the compiler: their costs, their values in checks, their text.

use expect_test::expect;
use mbs_codegen::{Failure, compile_text, generate};
use mbs_compiler::compile::{Compiled, Options};
use mbs_compiler::interp::{Fma, Inputs};
use mbs_compiler::program::{Op, Statement};
use mbs_core::{CubicSpline, Error, Mechanism, State, StateView};
use mbs_expr::FunctionError;
use mbs_interp::{InterpretError, Interpreted};
use mbs_model::Formulation;

use crate::checks::checked::{FORMULATIONS, planar};

fn compile(text: &str, formulation: Formulation) -> Result<Compiled, String> {
    match compile_text("m.mbs", text, Options { formulation: Some(formulation), ..Options::default() }) {
        Ok(mut list) => Ok(list.remove(0).0),
        Err(Failure::Mistakes(text)) => Err(text),
        Err(other) => panic!("{other}"),
    }
}

fn interpreted(text: &str, formulation: Formulation) -> Interpreted {
    Interpreted::new(compile(text, formulation).unwrap_or_else(|e| panic!("{e}")), Fma::Plain).unwrap()
}

/// A bead on a rod parallel to x, with the force `push`, an expression of its position.
fn bead(items: &str, push: &str) -> String {
    planar(&format!(
        "{items}\nbody bead {{ mass: 2, inertia: 1 }}\njoint rod = prismatic(ground, bead) {{ axis: [1, 0] }};
         force push = mobility(rod) {{ value: {push} }};"
    ))
}

/// Acceleration of the bead in joint coordinates.
fn acceleration(mechanism: &Interpreted, x: f64, v: f64) -> f64 {
    let (mut a, mut lambda) = ([0.0], []);
    let at = StateView { t: 0.5, q: &[x], v: &[v], z: &[], u: &[] };
    mechanism.accelerations(at, &mut a, &mut lambda).unwrap();
    a[0]
}

/// Number of calls of functions in a kernel.
fn calls(compiled: &Compiled, kernel: &str) -> usize {
    let body = &compiled.function(kernel).expect("the kernel is there").body;
    body.iter().filter(|s| matches!(s, Statement::Let { op: Op::Called(..), .. })).count()
}

/// The tolerance is 1e-14: a few operations on numbers of at most 50.
#[test]
fn kinds_have_the_values_of_their_formulas() {
    let x = 1.3_f64;
    for (kind, value, derivative) in [
        ("constant(3)", 3.0, 0.0),
        ("linear([k], -1)", 2.5 * x - 1.0, 2.5),
        ("polynomial([1, k, 0, 2])", 1.0 + 2.5 * x + 2.0 * x.powi(3), 2.5 + 6.0 * x * x),
        ("sinusoid(2, k, 0.3)", 2.0 * (2.5 * x + 0.3).sin(), 5.0 * (2.5 * x + 0.3).cos()),
        (
            "step([1, 1.5], [2, 5])",
            {
                let s: f64 = 0.3 / 0.5;
                2.0 + 3.0 * s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s)
            },
            {
                let s: f64 = 0.3 / 0.5;
                3.0 * 30.0 * s * s * (1.0 - s).powi(2) / 0.5
            },
        ),
        (
            "step([1.5, 1], [5, 2])",
            {
                let s: f64 = 0.4;
                5.0 - 3.0 * s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s)
            },
            {
                let s: f64 = 0.6;
                3.0 * 30.0 * s * s * (1.0 - s).powi(2) / 0.5
            },
        ),
        ("step([0, 1], [2, 5])", 5.0, 0.0),
        ("step([2, 3], [2, 5])", 2.0, 0.0),
    ] {
        let items = format!("param k = 2.5; function f = {kind};");
        let m = interpreted(&bead(&items, "f(rod.position)"), Formulation::Joint);
        assert!((acceleration(&m, x, 0.0) - value / 2.0).abs() <= 1e-14 * 50.0, "{kind}");
        let m = interpreted(&bead(&items, "rate(f(rod.position))"), Formulation::Joint);
        assert!((acceleration(&m, x, 3.0) - 3.0 * derivative / 2.0).abs() <= 1e-14 * 100.0, "{kind}");
    }
    let two = "function f = linear([1, -2], 3);";
    let m = interpreted(&bead(two, "f(rod.position, rod.speed)"), Formulation::Joint);
    assert_eq!(acceleration(&m, x, 0.5), (1.3 - 1.0 + 3.0) / 2.0);
}

#[test]
fn formulas_cost_what_their_expressions_cost_and_parameters_stay_tunable() {
    let by_data = bead("param k = 2.5; function f = polynomial([1, k, 0, 2]);", "f(rod.position)");
    let by_hand = bead("param k = 2.5;", "1 + rod.position * (k + rod.position * (rod.position * 2))");
    for formulation in FORMULATIONS {
        let [one, other] = [&by_data, &by_hand].map(|text| compile(text, formulation).unwrap());
        let counts = |c: &Compiled| c.function("accelerations").unwrap().counts;
        assert_eq!(counts(&one), counts(&other));
        assert_eq!(counts(&one).calls, 0);
    }
    let mut m = interpreted(&by_data, Formulation::Joint);
    m.set_parameters(&[4.0]).unwrap();
    assert_eq!(acceleration(&m, 1.0, 0.0), 3.5);
    // A step whose width vanishes has no value.
    let mut m =
        interpreted(&bead("param w = 1; function f = step([0, w], [0, 1]);", "f(rod.position)"), Formulation::Joint);
    assert_eq!(m.set_parameters(&[0.0]), Err(Error::NotFinite { t: 0.0 }));
}

const LIFT: &str = "function lift = spline([0, 1, 2, 3], [0, 2, 1, 4]) { ends: not_a_knot };";

/// The cubic through the four points; the tolerance is 2e-14 for values up to 10.
fn cubic(x: f64) -> [f64; 4] {
    let (a, b, c) = (35.0 / 6.0, -5.0, 7.0 / 6.0);
    [x * (a + x * (b + x * c)), a + x * (2.0 * b + x * 3.0 * c), 2.0 * b + 6.0 * c * x, 6.0 * c]
}

#[test]
fn a_spline_is_one_call_with_all_its_derivatives() {
    let text = bead(LIFT, "lift(rod.position) + rate(lift(rod.position)) + rate(rate(lift(rod.speed)))");
    // The rate of a speed is an acceleration, which loads cannot contain.
    assert!(compile(&text, Formulation::Joint).err().unwrap().contains("MBS034"));
    let text = bead(LIFT, "lift(rod.position) + rate(lift(rod.position)) + lift(rod.position) * lift(rod.position)");
    for formulation in FORMULATIONS {
        let compiled = compile(&text, formulation).unwrap();
        assert_eq!(calls(&compiled, "accelerations"), 1);
        assert_eq!(compiled.function("accelerations").unwrap().counts.calls, 1);
    }
    let m = interpreted(&text, Formulation::Joint);
    for x in [-0.5, 0.3, 1.7, 2.0, 4.0] {
        let [y, derivative, ..] = cubic(x);
        let expected = (y + derivative * 0.7 + y * y) / 2.0;
        assert!((acceleration(&m, x, 0.7) - expected).abs() <= 1e-13 * (1.0 + expected.abs()), "{x}");
    }
}

#[test]
fn a_spline_of_constants_is_folded() {
    let text = bead(&format!("{LIFT} const c = lift(1.5); param k = lift(2) + 1;"), "c + k + lift(0.5)");
    for formulation in FORMULATIONS {
        let compiled = compile(&text, formulation).unwrap();
        assert_eq!(calls(&compiled, "accelerations"), 0);
        assert!((compiled.model.quantities.parameters[0].default[0] - 2.0).abs() < 1e-14);
    }
    let m = interpreted(&text, Formulation::Joint);
    let expected = (cubic(1.5)[0] + 2.0 + cubic(0.5)[0]) / 2.0;
    assert!((acceleration(&m, 0.0, 0.0) - expected).abs() <= 1e-14 * 4.0);
    // A gradient can make it constant as well: four nested rates.
    let flat = bead(LIFT, "rate(rate(rate(rate(lift(t)))))");
    assert_eq!(calls(&compile(&flat, Formulation::Joint).unwrap(), "accelerations"), 0);
    assert_eq!(acceleration(&interpreted(&flat, Formulation::Joint), 0.0, 0.0), 0.0);
}

const WIRE: &str = "function wire = spline([-2, -1, 0, 1, 2], [2, 0.4, 0, 0.6, 2]) { ends: clamped(-2, 2) };
    particle bead { mass: 1, position: [1.2, 0.8] }
    joint free = free(ground, bead);
    constraint on_wire = position(bead).y == wire(position(bead).x);
    initial position(bead).x = 1.2;
    gravity: [0, -9.81];
    output height = position(bead).y;";

/// The compiler evaluates splines: the row is checked, the pose is assembled. With an opaque function it is MBS068.
#[test]
fn a_bead_on_a_wire_given_by_points_keeps_its_energy() {
    for formulation in FORMULATIONS {
        let m = interpreted(&planar(WIRE), formulation);
        assert_eq!(m.compiled().checked.undriven, 1);
        let mut state = State::new(&m);
        mbs_core::assemble(&m, &mut state).unwrap();
        let energy = |s: &State<Interpreted>| {
            let energy = m.energy(s.view(&[]));
            energy.kinetic + energy.potential
        };
        let before = energy(&state);
        let mut stepper = mbs_core::DormandPrince::new(&m).with_tolerances(1e-10, 1e-10);
        use mbs_core::Stepper;
        stepper.advance_to(&m, &mut state, 2.0, &mut mbs_core::zero_inputs).unwrap();
        // 1e-7: tolerance 1e-10 over 2 s with some 100 steps, and third derivatives that jump at knots.
        assert!((energy(&state) - before).abs() <= 1e-7, "{formulation:?}: {}", energy(&state) - before);
    }
}

const ROAD: &str = "/// Height of the road.
    function road: CubicSpline<4> = spline([0, 1, 2, 3], [0, 2, 1, 4]) { ends: not_a_knot };";

#[test]
fn functions_set_at_run_time_have_defaults_and_accept_splines_of_their_size() {
    let text = bead(&format!("{ROAD} param p = 2;"), "road(rod.position) + road(p)");
    for formulation in FORMULATIONS {
        assert_eq!(calls(&compile(&text, formulation).unwrap(), "accelerations"), 1);
    }
    let mut m = interpreted(&text, Formulation::Joint);
    assert!((acceleration(&m, 1.5, 0.0) - (cubic(1.5)[0] + 1.0) / 2.0).abs() <= 1e-14 * 4.0);
    let other = CubicSpline::new([0.0, 0.5, 1.0, 4.0], [1.0, -1.0, 0.0, 3.0]).unwrap();
    m.set_function("road", &other).unwrap();
    assert_eq!(acceleration(&m, 0.7, 0.0), (other.value(0.7) + other.value(2.0)) * 0.5);
    let error = m.set_function("raod", &other).unwrap_err();
    expect!["no function `raod` is set at run time, did you mean `road`?"].assert_eq(&error.to_string());
    let size = m.set_function("road", &CubicSpline::new([0.0, 1.0], [0.0, 1.0]).unwrap()).unwrap_err();
    let (expected, found) = ([4, 1], [2, 1]);
    assert_eq!(size, InterpretError::Function(FunctionError::Size { name: "road".to_owned(), expected, found }));
    assert_eq!(acceleration(&m, 0.7, 0.0), (other.value(0.7) + other.value(2.0)) * 0.5);
    // Without a default it is zero.
    let zero = interpreted(&bead("function road: CubicSpline<4>;", "road(rod.position) + 1"), Formulation::Joint);
    assert_eq!(acceleration(&zero, 0.7, 0.0), 0.5);
}

#[test]
fn a_mass_that_a_set_function_makes_vanish_is_refused_and_nothing_changes() {
    let text = planar(
        "function heavy: CubicSpline<2> = spline([0, 1], [1, 2]); param p = 1;
         body bead { mass: heavy(p), inertia: 1 } joint rod = prismatic(ground, bead) { axis: [1, 0] };
         force push = mobility(rod) { value: 4 };",
    );
    let mut m = interpreted(&text, Formulation::Joint);
    assert_eq!(acceleration(&m, 0.0, 0.0), 2.0);
    let light = CubicSpline::new([0.0, 1.0], [1.0, 0.0]).unwrap();
    assert!(matches!(m.set_function("heavy", &light), Err(InterpretError::Parameters(Error::Singular { .. }))));
    assert_eq!(acceleration(&m, 0.0, 0.0), 2.0);
}

/// Derivatives of accelerations need a third derivative where G depends on the function, which splines have. With opaque functions, of which
/// rows may contain only those of time, rows need two derivatives, and potentials one more than without derivatives.
#[test]
fn derivatives_of_accelerations_need_a_third_derivative() {
    let potential = |k: u8| {
        planar(&format!(
            "kernels: [forward, jacobians]; function f: opaque({k}); function g: opaque(2);
             particle bead {{ mass: 1, position: [1.3, 0.8] }} joint free = free(ground, bead);
             let x = position(bead).x; constraint wire = position(bead).y == 0.2 * x * x + g(t); potential p = f(2 * x);"
        ))
    };
    let text = compile(&potential(1), Formulation::Joint).err().unwrap();
    expect!["error: [MBS067] `f` gives 1 derivative, `derivatives` needs a second"]
        .assert_eq(text.lines().next().unwrap());
    assert!(compile(&potential(2), Formulation::Joint).is_ok());

    let wire = WIRE.replace("gravity:", "kernels: [forward, outputs, kinematics, energies, jacobians]; gravity:");
    let m = interpreted(&planar(&wire), Formulation::Joint);
    let accelerations = |q: [f64; 2]| {
        let (mut a, mut lambda) = ([0.0; 2], [0.0]);
        m.accelerations(StateView { t: 0.0, q: &q, v: &[0.5, 0.4], z: &[], u: &[] }, &mut a, &mut lambda).unwrap();
        a
    };
    let q = [1.23, 0.86];
    let inputs = Inputs { q: &q, v: &[0.5, 0.4], ..Inputs::default() };
    let derivatives = &m.run("derivatives", inputs).unwrap()[2];
    for j in 0..2 {
        let moved = |h: f64| accelerations([q[0] + h * f64::from(1 - j), q[1] + h * f64::from(j)]);
        // 1e-7: h = 1e-5 with third derivatives of some 100, rounding 1e-10.
        for (i, (right, left)) in moved(1e-5).iter().zip(moved(-1e-5)).enumerate() {
            let (difference, derivative) = ((right - left) / 2e-5, derivatives[2 * i + j as usize]);
            assert!((difference - derivative).abs() <= 1e-7, "da{i}/dq{j}: {derivative}, not {difference}");
        }
    }
}

#[test]
fn the_text_of_splines_is_a_table_and_a_field() {
    let text = bead(
        &format!("{LIFT} {ROAD} function pair = spline([0, 1], [[0, 1], [1, 3]]);"),
        "lift(rod.position) + road(rod.position) * road(t) + dot(pair(rod.position), [1, 2])",
    );
    let rust = generate("m.mbs", &text, Options::default()).unwrap();
    let module: Vec<&str> = rust.lines().map(str::trim).skip_while(|l| !l.contains("mod functions")).take(37).collect();
    expect![[r#"
        mod functions {
        /// Spline `lift`. Value, first, second and third derivative.
        #[inline]
        pub fn lift(x: f64) -> [f64; 4] {
        static TABLE: ::mbs::CubicSpline<4> = ::mbs::CubicSpline::from_parts(
        [0.0, 1.0, 2.0, 3.0],
        [
        [[0.0, 5.833333333333334, -5.0, 1.1666666666666667]],
        [[2.0, -0.6666666666666667, -1.5, 1.1666666666666667]],
        [[1.0, -0.16666666666666652, 2.0, 1.1666666666666667]],
        [[4.0, 7.333333333333333, 5.5, 1.1666666666666667]],
        ],
        [[0.0, 5.833333333333334, -5.0, 1.1666666666666667]],
        0.0,
        );
        TABLE.derivatives(x)
        }
        /// Height of the road. Value, first, second and third derivative.
        #[inline]
        pub fn road(params: &super::Params, x: f64) -> [f64; 4] {
        params.road.derivatives(x)
        }
        /// Spline `pair`. Value, first, second and third derivative.
        #[inline]
        pub fn pair(x: f64) -> [[f64; 4]; 2] {
        static TABLE: ::mbs::CubicSpline<2, 2> = ::mbs::CubicSpline::from_parts(
        [0.0, 1.0],
        [
        [[0.0, 1.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0]],
        [[1.0, 1.0, 0.0, 0.0], [3.0, 2.0, 0.0, 0.0]],
        ],
        [[0.0, 1.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0]],
        0.0,
        );
        TABLE.evaluate(x)
        }
        }"#]]
    .assert_eq(&module.join("\n"));
    let kernel = rust.lines().skip_while(|l| !l.contains("pub fn accelerations("));
    let lines: Vec<&str> = kernel.map(str::trim).filter(|l| l.contains("functions::")).take(4).collect();
    expect![[r#"
        let [lift_q0, _, _, _] = super::functions::lift(q[0]);
        let [road_q0, _, _, _] = super::functions::road(params, q[0]);
        let [road_t0, _, _, _] = super::functions::road(params, t);
        let [[pair_q0_0, _, _, _], [pair_q0_1, _, _, _]] = super::functions::pair(q[0]);"#]]
    .assert_eq(&lines.join("\n"));
    let params: Vec<&str> =
        rust.lines().map(str::trim).skip_while(|l| !l.contains("pub struct Params")).take(3).collect();
    expect![[r#"
        pub struct Params {
        /// Height of the road.
        pub road: ::mbs::CubicSpline<4>,"#]]
    .assert_eq(&params.join("\n"));
}

/// Derivatives of quantities that depend on the curvature of a curve are fifth derivatives of its functions. A spline over a grid has them for
/// x and y together.
#[test]
fn grids_give_every_derivative_that_curves_need() {
    let text = "planar Fifth {
        kernels: [forward, jacobians];
        gravity: [0, -9.81];
        function hill = bicubic(
            [0, 0.5, 1, 1.5], [0, 0.5, 1, 1.5],
            [[0, 0.1, 0, 0.05], [0.1, 0, 0.2, 0.05], [0.2, 0.1, 0, 0], [0, 0.1, 0, 0.05]],
        ) { ends: not_a_knot };
        body ball { mass: 1, inertia: 0.01, position: [0.5, 0.4] }
        joint float = free(ground, ball);
        curve slope(s) on ground = [s, hill(s, s)] { range: [0, 1.5] };
        curve rim on ball = circle(0.1);
        joint touch = cam(slope, rim) { first: 0.4, second: -1.5 };
        constraint bend = slope.curvature(touch.first) == -0.5;
    }";
    let compiled = compile_text("fifth.mbs", text, Options::default()).unwrap_or_else(|failure| panic!("{failure}"));
    assert!(compiled[0].0.function("derivatives").is_some());
}
