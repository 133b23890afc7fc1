//! Generated code of cams and contacts agrees with the interpreter and the engine on the same text.

use mbs::engine::Engine;
use mbs::{DormandPrince, Mechanism, State, StateView, Stepper, assemble, zero_inputs};
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;

/// Compiles a declaration, and defines its text as a constant.
macro_rules! both {
    ($text:ident, $($tokens:tt)*) => {
        mbs::mechanism! { $($tokens)* }
        const $text: &str = stringify!($($tokens)*);
    };
}

// A cam lifts a roller on a rocker, whose pad presses a valve on a spring.
both! { VALVE_GEAR,
    pub planar ValveGear {
        gravity: [0, -9.81];
        coordinates: joint;
        param height = 0.006;
        param base = 0.018;
        param stiffness = 40e3;
        function lift(s) = height * (1 - cos(s)) * (1 - cos(s)) / 4;
        body camshaft { mass: 1, inertia: 1e-3, angle: -1.57 }
        body rocker { mass: 0.15, inertia: 5e-5, com: [0.002, 0.001], position: [0.03, 0.035] }
        body valve { mass: 0.09, inertia: 1e-5, com: [0, -0.03], position: [0.06, 0.027] }
        marker roller = rocker at [-0.03, -0.009];
        marker pad = rocker at [0.03, 0.002];
        joint bearing = revolute(ground, camshaft);
        joint pivot = revolute(ground at [0.03, 0.035], rocker);
        joint guide = prismatic(ground at [0.06, 0], valve) { axis: [0, 1] };
        curve lobe(s) on camshaft = (base + lift(s)) * [cos(s), sin(s)] { closed: TAU };
        curve wheel on roller = circle(0.008);
        curve shoe on pad = circle(0.01);
        curve tip on valve = line([-1, 0]);
        joint contact = cam(lobe, wheel);
        joint tappet = cam(shoe, tip);
        force motor = mobility(bearing) { value: -0.01 * bearing.rate };
        force spring = spring_damper(ground at [0.06, -0.03], valve at [0, -0.01]) { stiffness, damping: 2, free_length: 0.0545 };
        initial bearing.rate = 40;
        output opening = 0.027 - position(valve).y;
        output reported = [contact.pressure_angle, contact.radius, contact.relative_curvature, contact.force, tappet.force];
        output place = lobe.point(contact.first);
    }
}

// Discs that touch the ground, hills, each other and an egg.
#[cfg(largest)]
both! { BUMPERS,
    pub planar Bumpers {
        gravity: [0, -9.81];
        param stiffness = 2e4;
        param grip = 0.6;
        function hill(x) = 0.05 * sin(2 * x);
        marker road = ground { friction: grip };
        body wheel { mass: 2, inertia: 0.02, position: [0, 0.149], velocity: [0.5, 0.1], angle: 0, rate: -2 }
        body ball { mass: 1, inertia: 0.01, com: [0.01, 0], position: [0.24, 0.12], velocity: [0, 0], angle: 0.2, rate: 0 }
        body disc { mass: 1, inertia: 0.01, position: [1.5, 0.105], velocity: [0.3, 0], angle: 0, rate: -1 }
        body egg { mass: 1, inertia: 0.02, position: [2.5, 0.16], velocity: [0, 0], angle: 0.4, rate: 0.5 }
        curve shell on egg = ellipse(0.2, 0.15);
        curve hillside(s) on ground = [s, hill(s)] { range: [2, 3] };
        force tread = plane_contact(road, wheel) { radius: 0.15, stiffness, dissipation: 0.2, creep: 0.05, stiction: 0.2 };
        force bump = ball_contact(wheel, ball) { first: 0.15, second: 0.1, stiffness, damping: 5, friction: 0.3, creep: 0.05 };
        force slope = terrain_contact(ground, disc) {
            height: hill, radius: 0.1, stiffness, exponent: 1, damping: 20, friction: grip, creep: 0.05, slip_stiffness: 8,
        };
        force rock = curve_contact(hillside, shell) { stiffness, damping: 5, friction: grip, creep: 0.05 };
        force floor = plane_contact(ground, ball) { radius: 0.121, stiffness, exponent: 1, damping: 10 };
        output press = [tread.normal_force, bump.normal_force, slope.normal_force, floor.normal_force, rock.normal_force];
        output depth = [tread.depth, bump.depth, slope.depth, floor.depth, rock.depth];
        output slip = [tread.slip, bump.slip, slope.slip, rock.slip];
        output ratio = slope.slip_ratio;
    }
}

/// A grid whose values the program sets.
type Map = mbs::BicubicSpline<4, 3>;

// Balls on two grids: a constant one, and one among the parameters.
both! { BOULDERS,
    pub spatial Boulders {
        gravity: [0, 0, -9.81];
        function hills = bicubic([-0.5, 0, 0.5, 1], [-0.5, 0, 0.5], [[0, 0.1, 0], [0.1, 0.15, 0.05], [0, 0.1, 0.1], [0.05, 0, 0.1]]);
        function map(x, y): opaque(3, Map);
        body rock { mass: 2, inertia: [0.05, 0.05, 0.05], position: [0.1, 0.1, 0.42], velocity: [1, 0.4, 0], angular_velocity: [0, 3, 1] }
        body stone { mass: 1, inertia: [0.03, 0.03, 0.03], position: [0.2, -0.1, 0.4], velocity: [0.4, 0.8, 0], angular_velocity: [2, 0, -1] }
        force a = terrain_contact(ground, rock) { height: hills, radius: 0.3, stiffness: 1e4, damping: 20, friction: 0.5 };
        force b = terrain_contact(ground, stone) { height: map, radius: 0.3, stiffness: 1e4, damping: 20, friction: 0.5 };
        output depth = [a.depth, b.depth];
        output press = [a.normal_force, b.normal_force];
        output slip = [a.slip, b.slip];
    }
}

/// Accelerations, multipliers and outputs.
fn report<M: Mechanism>(mechanism: &M, at: StateView) -> Vec<f64> {
    let sizes = mechanism.sizes();
    let (mut a, mut lambda, mut outputs) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c], vec![0.0; sizes.n_outputs]);
    mechanism.accelerations(at, &mut a, &mut lambda).expect("it is regular");
    mechanism.outputs(at, &a, &lambda, &mut outputs);
    [a, lambda, outputs].concat()
}

/// Asserts agreement along a run of the generated code to 1e-10 of the largest value: fused multiply-adds round differently, which stiff contacts
/// magnify.
fn assert_alike<M: Mechanism>(generated: &M, text: &str, step: f64, map: Option<Map>) {
    let compiled = compile_text("both.mbs", text, Options::default()).unwrap_or_else(|failure| panic!("{failure}"));
    let (mut compiled, mut options) = (compiled.into_iter().next().expect("one").0, Engine::options());
    if let Some(map) = map {
        compiled.model.bind_value::<2, 10, 1>("map", map).expect("declared");
        options = options.function_value::<2, 10, 1>("map", map);
    }
    let interpreted = Interpreted::new(compiled, Fma::Fused).expect("valid");
    let engine = options.text(text).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(generated.sizes(), interpreted.sizes());
    let mut state = State::new(generated);
    assemble(generated, &mut state).expect("it is together");
    let mut integrator = DormandPrince::new(generated);
    let mut moved = 0.0_f64;
    for k in 1..=40 {
        let t = step * f64::from(k);
        integrator.advance_to(generated, &mut state, t, &mut zero_inputs).expect("it moves regularly");
        let ours = report(generated, state.view(&[]));
        for (side, theirs) in
            [("interpreted", report(&interpreted, state.view(&[]))), ("engine", report(&engine, state.view(&[])))]
        {
            let size = theirs.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            let miss = ours.iter().zip(&theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(miss <= 1e-10 * size, "{side} at {t} s: {miss:.1e} of {size:.1e}");
            moved = moved.max(size);
        }
    }
    assert!(moved > 50.0, "contacts push: {moved}");
}

#[test]
fn cams() {
    assert_alike(&ValveGear::new(valve_gear::Params::default()).expect("valid"), VALVE_GEAR, 5e-3, None);
}

#[cfg(largest)]
#[test]
fn contacts() {
    assert_alike(&Bumpers::new(bumpers::Params::default()).expect("valid"), BUMPERS, 1e-2, None);
}

#[test]
fn contacts_with_grids() {
    let heights = [[0.0, 0.0, 0.05], [0.1, 0.15, 0.05], [0.0, 0.1, 0.1], [0.05, -0.05, 0.1]];
    let map = Map::new([-0.5, 0.0, 0.5, 1.0], [-0.5, 0.0, 0.5], heights).expect("a grid");
    let params = boulders::Params { map };
    assert_alike(&Boulders::new(params).expect("valid"), BOULDERS, 1e-2, Some(map));
}
