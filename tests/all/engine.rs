//! The generic engine in every use of the façade, compared with the compiled mechanism of the same declaration.

use mbs::builder::Planar;
use mbs::engine::Failure;
use mbs::simulation::Cause;
use mbs::{Describe, Engine, Error, FullMechanism, Integrator, Item, Mechanism, Quantity, Simulation, Stabilization};

/// Compiles a declaration, and defines its text as `TEXT`.
macro_rules! compiled_and_text {
    ($($token:tt)*) => {
        mbs::mechanism! { $($token)* }
        const TEXT: &str = stringify!($($token)*);
    };
}

compiled_and_text! {
    planar Linkage {
        gravity: [0, -9.81];
        param crank_length = 0.1;
        param coupler_length = 0.35;
        input torque;
        state heat = 0 { rate: 0.12 * bearing.rate.powi(2) };
        body crank   { mass: 0.2, inertia: 2e-4, com: [crank_length / 2, 0], angle: 1.0 }
        body coupler { mass: 0.7, inertia: 7e-3, com: [coupler_length / 2, 0], angle: -1.12 }
        body rocker  { mass: 0.5, inertia: 2.6e-3, com: [0.125, 0], angle: 4.32 }
        joint bearing  = revolute(ground, crank);
        joint knee     = revolute(crank at [crank_length, 0], coupler);
        joint elbow    = revolute(coupler at [coupler_length, 0], rocker at [0.25, 0]);
        joint shoulder = revolute(ground at [0.3, 0], rocker);
        force motor  = torque(ground, crank) { torque: torque - 0.12 * bearing.rate };
        force spring = spring_damper(ground at [0.6, 0.1], rocker at [0.25, 0]) { stiffness: 20, damping: 0.5, free_length: 0.2 };
        initial bearing.angle = 1.0, bearing.rate = 10;
        output crank_angle = bearing.angle;
        output pull = norm(load(spring).force);
        output elbow_acceleration = acceleration(coupler at com);
    }
}

fn run<M: FullMechanism>(mechanism: &M, integrator: Integrator, stabilization: Stabilization) -> mbs::Recording {
    Simulation::new(mechanism)
        .inputs(|at, u| u[0] = 1.6 + at.t.sin())
        .integrator(integrator)
        .stabilization(stabilization)
        .duration(0.3)
        .every(0.05)
        .run()
        .unwrap_or_else(|failure| panic!("{failure}"))
}

#[test]
fn every_integrator_records_the_same_motion() {
    let compiled = Linkage::new(linkage::Params::default()).unwrap();
    let engine = Engine::text(TEXT).unwrap();
    let step = 1e-3;
    for integrator in [
        Integrator::ExplicitEuler { step },
        Integrator::SemiImplicitEuler { step },
        Integrator::Zhong06 { step },
        Integrator::Rk2 { step },
        Integrator::Rk3 { step },
        Integrator::Rk4 { step },
        Integrator::DormandPrince { rtol: 1e-9, atol: 1e-11 },
    ] {
        for stabilization in [Stabilization::Projection, Stabilization::None] {
            let (a, b) = (run(&compiled, integrator, stabilization), run(&engine, integrator, stabilization));
            assert_eq!(a.statistics().accepted, b.statistics().accepted);
            for (a, b) in a.tables().iter().zip(b.tables()) {
                assert_eq!(a.names(), b.names());
                for (a, b) in a.columns().iter().zip(b.columns()) {
                    let scale = a.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
                    // Three hundred steps of a damped motion: rounding errors stay within 1e-10.
                    let worst = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    assert!(worst <= 1e-10 * scale, "{integrator:?}: apart by {worst:e} of {scale:e}");
                }
            }
            assert_eq!(a.bodies().len(), b.bodies().len());
            assert_eq!(a.markers().len(), b.markers().len());
        }
    }
}

#[test]
fn reports_and_loads_work_on_it() {
    let engine = Engine::text(TEXT).unwrap();
    let recording = Simulation::new(&engine)
        .load(|_, loads| loads.wrench("rocker", [0.3, 0.1, 0.0], [1.0, 0.0, 0.0], [0.0; 3]))
        .duration(0.1)
        .run()
        .unwrap();
    assert_eq!(recording.mechanism(), "Linkage");
    let mut csv = Vec::new();
    recording.to_csv(&mut csv).unwrap();
    assert!(String::from_utf8(csv).unwrap().contains("crank_angle"));
    assert!(recording.page().to_html().contains("Linkage"));
    assert_eq!(recording.table(Quantity::Auxiliary).names(), ["heat"]);
}

#[test]
fn failures_speak_of_the_declaration() {
    let engine = Engine::text(
        "pub planar Slinky { particle p { mass: 1 } joint j = free(ground, p);
        force s = spring_damper(ground, p) { stiffness: 1, free_length: 0.1 }; }",
    )
    .unwrap();
    let failure = Simulation::new(&engine).run().unwrap_err();
    assert!(matches!(failure.cause, Cause::Run(Error::NotFinite { .. })), "{failure}");
}

#[test]
fn parameters_are_set_by_name_or_refused() {
    let mut engine = Engine::text(TEXT).unwrap();
    let i = engine.parameter_index("coupler_length").unwrap();
    engine.set_parameter("coupler_length", 0.36).unwrap();
    assert_eq!(engine.parameters()[i], 0.36);
    assert_eq!(engine.name(Item::Parameter(i)), "coupler_length");
    let message = engine.set_parameter("copler_length", 0.4).unwrap_err().to_string();
    assert_eq!(message, "no parameter is called `copler_length`, did you mean `coupler_length`?");
    assert!(matches!(engine.set_parameter("crank_length", f64::NAN), Err(Failure::Value(_))));
    assert_eq!(engine.parameters()[i], 0.36);
}

#[test]
fn changed_parameters_move_the_pose() {
    let mut engine = Engine::text(TEXT).unwrap();
    let mut compiled = Linkage::new(linkage::Params::default()).unwrap();
    engine.set_parameter("crank_length", 0.12).unwrap();
    compiled.set_params(linkage::Params { crank_length: 0.12, ..Default::default() }).unwrap();
    let (mut a, mut b) = (mbs::State::new(&engine), mbs::State::new(&compiled));
    mbs::assemble(&engine, &mut a).unwrap();
    mbs::assemble(&compiled, &mut b).unwrap();
    let worst = a.q.iter().zip(&b.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn mistakes_are_those_of_the_compiler() {
    let failure =
        Engine::options().path("arm.mbs").text("pub planar Arm { body a { mass: 1 } joint j = revolute(grund, a); }");
    let message = failure.map(|_| ()).unwrap_err().to_string();
    assert!(message.starts_with("error: [MBS010]") || message.contains("`grund`"), "{message}");
    assert!(message.contains("--> arm.mbs:1:"), "{message}");
    let open = Engine::text(
        "pub planar A { body a { mass: 1, inertia: 1 } joint j = fixed(ground, a); joint k = fixed(ground at [1, 0], a); }",
    );
    let message = open.map(|_| ()).unwrap_err().to_string();
    assert!(message.contains("[MBS06"), "{message}");
}

#[test]
fn one_mechanism_is_chosen_from_several() {
    let text = "pub planar A { particle p { mass: 1 } joint j = free(ground, p); }
        pub planar B { particle p { mass: 1 } joint j = free(ground, p); }";
    assert_eq!(Engine::options().mechanism("B").text(text).unwrap().name(Item::Mechanism), "B");
    let message = |r: Result<Engine, Failure>| r.map(|_| ()).unwrap_err().to_string();
    assert_eq!(message(Engine::text(text)), "there are several mechanisms, name one of `A`, `B`");
    assert_eq!(message(Engine::options().mechanism("C").text(text)), "there is no mechanism `C`, only `A`, `B`");
    assert!(message(Engine::text("")).contains("there is no mechanism"));
}

#[test]
fn functions_are_bound_by_name() {
    let text = "pub planar P { function drag: opaque(0); particle p { mass: 2 } joint j = free(ground, p);
        force f = point_force(p) { force: [drag(velocity(p).x), 0] }; }";
    let message = |r: Result<Engine, Failure>| r.map(|_| ()).unwrap_err().to_string();
    assert!(message(Engine::text(text)).contains("`drag`"));
    let misspelt = Engine::options().function("drags", |_, f| f[0] = 0.0).text(text);
    assert!(message(misspelt).contains("did you mean `drag`"));
    let engine = Engine::options().function("drag", |x, f| f[0] = -3.0 * x).text(text).unwrap();
    let mut a = [0.0; 2];
    let at = mbs::StateView { t: 0.0, q: &[0.0; 2], v: &[4.0, 0.0], z: &[], u: &[] };
    engine.accelerations(at, &mut a, &mut []).unwrap();
    assert_eq!(a, [-6.0, 0.0]);
}

#[test]
fn a_row_may_take_a_bound_function() {
    // The compiler cannot check such a row; the engine has the function before it checks.
    let text = "pub planar P { function lift: opaque(2); body b { mass: 1, inertia: 1 } joint slide = prismatic(ground, b) { axis: [1, 0] };
        drive rise = slide.position == lift(t); }";
    let engine = Engine::options()
        .function("lift", |t, f| {
            let (s, c) = (3.0 * t).sin_cos();
            f.copy_from_slice(&[0.2 * s, 0.6 * c, -1.8 * s]);
        })
        .text(text)
        .unwrap();
    let recording = Simulation::new(&engine).duration(1.0).every(0.25).run().unwrap();
    let position = recording.coordinate("slide.position").unwrap();
    for (t, x) in recording.times().iter().zip(position) {
        assert!((x - 0.2 * (3.0 * t).sin()).abs() < 1e-12, "{t}: {x}");
    }
}

/// θ̈ = f/J with the function f that was set last, in every formulation and in a mixed one, with and without a prescribed coordinate.
#[test]
fn functions_are_those_that_are_set_in_every_formulation() -> Result<(), Box<dyn std::error::Error>> {
    let text = |settings: &str, body: &str, axle: &str| {
        format!(
            "planar Set {{
                {settings}
                function law: CubicSpline<3>;
                body arm {{ mass: 1, inertia: 0.5{body} }}
                body table {{ mass: 1, inertia: 1, position: [2, 0] }}
                joint pin = revolute(ground, arm);
                joint axle = revolute(ground at [2, 0], table);
                {axle}
                force push = mobility(pin) {{ value: law(t) }};
                output found = pin.acceleration;
            }}"
        )
    };
    let law = mbs::CubicSpline::new([0.0, 1.0, 2.0], [3.0; 3])?;
    let prescribed = "prescribe turn = axle.angle == 0.3 * t;";
    for axle in ["", prescribed] {
        for (settings, body) in [
            ("coordinates: joint;", ""),
            ("coordinates: body;", ""),
            ("coordinates: natural;", ""),
            ("", ", coordinates: natural"),
        ] {
            let mut engine = Engine::text(&text(settings, body, axle))?;
            engine.set_function("law", &law)?;
            let found = Simulation::new(&engine).duration(0.0).run()?.output("found")?[0];
            assert!((found - 6.0).abs() < 1e-12, "{settings}{body}, {axle}: {found}");
        }
    }
    Ok(())
}

#[test]
fn states_have_second_rates() {
    let text = "pub planar P { particle p { mass: 2 } joint j = free(ground, p); state s = 0 { rate: position(p).x };
        output twice = rate(rate(s)); }";
    let engine = Engine::text(text).unwrap();
    let at = mbs::StateView { t: 0.0, q: &[0.3, 0.0], v: &[4.0, 0.0], z: &[0.0], u: &[] };
    let mut outputs = [0.0];
    engine.outputs(at, &[0.0; 2], &[], &mut outputs);
    assert_eq!(outputs, [4.0]);
}

#[test]
fn functions_must_give_the_derivatives_that_are_taken() {
    let text = "pub planar P { function lift: opaque(1); body b { mass: 1, inertia: 1 } joint slide = prismatic(ground, b) { axis: [1, 0] };
        drive rise = slide.position == lift(t); }";
    let failure = Engine::options().function("lift", |_, f| f.fill(0.0)).text(text).map(|_| ()).unwrap_err();
    let message = "`lift` gives 1 derivative, 2 are needed: declare it `opaque(2)`";
    assert_eq!(failure.to_string(), message);
}

#[test]
fn mistakes_of_built_mechanisms_name_the_call() {
    let m = Planar::new("Knot");
    let link = m.body("link").mass(1.0).inertia(1.0);
    m.revolute("left", m.ground(), link);
    m.revolute("right", m.ground().at((3.0, 0.0)), link.at((1.0, 0.0)));
    let failure = Engine::options().builder(&m).map(|_| ()).unwrap_err().to_string();
    assert!(failure.contains("tests/all/engine.rs:"), "{failure}");
}
