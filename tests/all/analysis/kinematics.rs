//! Kinematics of driven mechanisms against closed forms.

use std::f64::consts::TAU;

use mbs::{Engine, FullMechanism, InverseDynamics, Kinematics, Recording};
use mbs_model::Formulation;

use crate::analysis::mechanisms::{FourBar, engine, for_each_formulation, wrapped};

#[test]
fn four_bar_follows_the_closed_form() {
    let linkage = FourBar::CRANK_ROCKER;
    for_each_formulation(&linkage.text(), |engine| {
        let recording = Kinematics::new(engine).grid(0.0, 1.0, 361).run().unwrap_or_else(|e| panic!("{e}"));
        println!("{:?}", recording.statistics());
        assert_eq!(recording.len(), 361);
        let column = |name: &str| recording.output(name).unwrap();
        for (i, t) in recording.times().iter().enumerate() {
            let pose = linkage.pose(linkage.start + TAU * t);
            // Positions have the round-off of Newton's method; rates are divided by sines of transmission angles down to 0.6.
            assert!(wrapped(column("coupler_angle")[i] - pose.coupler[0]).abs() < 1e-12);
            assert!(wrapped(column("rocker_angle")[i] - pose.rocker[0]).abs() < 1e-12);
            assert!((column("rocker_rate")[i] - pose.rocker[1]).abs() < 1e-11);
            assert!((column("rocker_acceleration")[i] - pose.rocker[2]).abs() < 1e-9);
        }
    });
}

/// A slider-crank with an offset and a gas force, its crank at 50 rad/s; lengths r and ℓ, offset e.
pub const SLIDER_CRANK: &str = "pub planar SliderCrank {
    gravity: [0, -9.81];
    const e = 0.02;
    body crank  { mass: 0.8, inertia: 4e-4, com: [0.01, 0], angle: 0.4 }
    body rod    { mass: 0.5, inertia: 9e-4, com: [0.05, 0], angle: -0.1 }
    body piston { mass: 0.4, inertia: 1e-4, position: [0.2, e] }
    joint main_bearing = revolute(ground, crank);
    joint crank_pin    = revolute(crank at [0.05, 0], rod);
    joint wrist_pin    = revolute(rod at [0.15, 0], piston);
    joint cylinder     = prismatic(ground at [0, e], piston) { axis: [1, 0] };
    drive motor = main_bearing.angle == 0.4 + 50 * t;
    force gas = point_force(piston) { force: [-300 * (position(piston).x - 0.1), 0] };
    output x = position(piston).x;
    output v = velocity(piston).x;
    output a = acceleration(piston).x;
    output torque = load(motor);
    output energy = kinetic_energy;
    output power = rate(kinetic_energy);
    output falling = 0.8 * velocity(crank at com).y + 0.5 * velocity(rod at com).y;
}";

#[test]
fn offset_slider_crank_follows_the_closed_form() {
    slider_crank_follows_the_closed_form(SLIDER_CRANK);
}

#[test]
fn offset_slider_crank_with_a_prescribed_coordinate_follows_the_closed_form() {
    slider_crank_follows_the_closed_form(&SLIDER_CRANK.replace("drive motor", "prescribe motor"));
}

#[test]
fn prescribed_motions_go_backward_and_before_the_start() {
    let period = TAU / 50.0;
    let grids: [Vec<f64>; 4] = [
        (0..91).map(|k| -period * f64::from(k) / 90.0).collect(),
        (0..91).map(|k| period * (f64::from(k) / 45.0 - 1.0)).collect(),
        (0..91).map(|k| period * (1.0 - f64::from(k) / 45.0)).collect(),
        (0..91).map(|k| period * (0.2 * f64::from(k)).sin()).collect(),
    ];
    for times in &grids {
        slider_crank_at(SLIDER_CRANK, &|engine| Kinematics::new(engine).at(times).run().unwrap());
        slider_crank_at(SLIDER_CRANK, &|engine| InverseDynamics::new(engine).at(times).run().unwrap());
    }
    slider_crank_at(SLIDER_CRANK, &|engine| Kinematics::new(engine).grid(period, -period, 91).run().unwrap());
}

macro_rules! declared {
    ($name:ident, $text:ident, $body:tt) => {
        mbs::mechanism! { pub spatial $name $body }
const $text: &str = stringify!(spatial $name $body);
    };
}

/// A crank about y, and a ball at the end of a rod on a parallel line, compiled and as text.
macro_rules! crank_and_ball {
    ($name:ident, $text:ident, $coordinates:ident) => {
        declared! { $name, $text, {
            coordinates: $coordinates;
            kernels: [forward, outputs];
            gravity: [0, 0, -9.81];
            body crank { mass: 1, inertia: [0.01, 0.02, 0.02], com: [0.1, 0, 0] }
            body ball { mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0.6, 0.1, 0] }
            joint bearing = revolute(ground, crank) { axis: [0, 1, 0] };
            joint line = prismatic(ground at [0, 0.1, 0], ball) { axis: [1, 0, 0] };
            joint rod = distance(crank at [0.2, 0, 0], ball) { length: 0.5 };
            drive motor = bearing.angle == 3 * t;
            output x = position(ball).x;
            output v = velocity(ball).x;
            output a = acceleration(ball).x;
        } }
    };
}
crank_and_ball!(BallInJoints, BALL_IN_JOINTS, joint);
crank_and_ball!(BallInBodies, BALL_IN_BODIES, body);
crank_and_ball!(BallInPoints, BALL_IN_POINTS, natural);

#[test]
fn prescribed_motions_go_backward_in_space() {
    assert_follows_the_ball(&BallInJoints::new(ball_in_joints::Params {}).unwrap());
    assert_follows_the_ball(&BallInBodies::new(ball_in_bodies::Params {}).unwrap());
    assert_follows_the_ball(&BallInPoints::new(ball_in_points::Params {}).unwrap());
    for text in [BALL_IN_JOINTS, BALL_IN_BODIES, BALL_IN_POINTS] {
        assert_follows_the_ball(&Engine::text(text).unwrap());
    }
}

fn assert_follows_the_ball<M: FullMechanism>(mechanism: &M) {
    let grids: [Vec<f64>; 2] =
        [(0..61).map(|k| -f64::from(k) / 20.0).collect(), (0..61).map(|k| (0.2 * f64::from(k)).sin()).collect()];
    let (r, l, d, w) = (0.2, 0.5, 0.1, 3.0);
    for times in &grids {
        let run = Kinematics::new(mechanism).at(times).run().unwrap();
        assert_eq!(run.times(), times);
        for (i, t) in times.iter().enumerate() {
            // x = r cos φ + s with s² = ℓ² − d² − r² sin² φ, differentiated twice.
            let (sin, cos) = (w * t).sin_cos();
            let s = (l * l - d * d - r * r * sin * sin).sqrt();
            let ds = -r * r * w * sin * cos / s;
            let dds = (-r * r * w * w * (cos * cos - sin * sin) - ds * ds) / s;
            let expected = [r * cos + s, -r * w * sin + ds, -r * w * w * cos + dds];
            for (name, (expected, tolerance)) in ["x", "v", "a"].iter().zip(expected.iter().zip([1e-14, 1e-12, 1e-10]))
            {
                let found = run.output(name).unwrap()[i];
                assert!((found - expected).abs() < tolerance, "{name} at {t}: {found} is not {expected}");
            }
        }
    }
}

fn slider_crank_follows_the_closed_form(text: &str) {
    let period = TAU / 50.0;
    slider_crank_at(text, &|engine| Kinematics::new(engine).duration(period).every(period / 90.0).run().unwrap());
}

fn slider_crank_at(text: &str, run: &dyn Fn(&Engine) -> Recording) {
    let (r, l, e, w) = (0.05, 0.15, 0.02, 50.0);
    for formulation in [Formulation::Joint, Formulation::Body, Formulation::Natural] {
        let run = run(&engine(text, formulation));
        assert_eq!(run.len(), 91);
        for (i, t) in run.times().iter().enumerate() {
            let (sin, cos) = (0.4 + w * t).sin_cos();
            // x = r cos φ + s with s² = ℓ² − (r sin φ − e)², differentiated twice.
            let h = r * sin - e;
            let s = (l * l - h * h).sqrt();
            let (dh, ddh) = (r * cos * w, -r * sin * w * w);
            let ds = -h * dh / s;
            let dds = (-dh * dh - h * ddh - ds * ds) / s;
            let expected = [r * cos + s, -r * sin * w + ds, -r * cos * w * w + dds];
            for (name, (expected, tolerance)) in ["x", "v", "a"].iter().zip(expected.iter().zip([1e-14, 1e-12, 1e-10]))
            {
                let found = run.output(name).unwrap()[i];
                assert!((found - expected).abs() < tolerance, "{name} at {t}: {found} is not {expected}");
            }
        }
    }
}

#[test]
fn motor_supplies_the_power_of_everything_else() {
    for_each_formulation(SLIDER_CRANK, |engine| {
        let run = InverseDynamics::new(engine).grid(0.0, TAU / 50.0, 31).run().unwrap_or_else(|e| panic!("{e}"));
        assert!(run.has_loads());
        let column = |name: &str| run.output(name).unwrap();
        for i in 0..run.len() {
            let gas = 300.0 * (column("x")[i] - 0.1) * column("v")[i];
            let weight = 9.81 * column("falling")[i];
            let expected = (column("power")[i] + gas + weight) / 50.0;
            assert!((column("torque")[i] - expected).abs() < 1e-10, "{} is not {expected}", column("torque")[i]);
        }
    });
}

#[test]
fn loads_of_a_closure_are_the_declared_ones() {
    let bare = SLIDER_CRANK.replace("-300 * (position(piston).x - 0.1)", "0");
    for_each_formulation(&bare, |engine| {
        let declared = mbs::Engine::text(SLIDER_CRANK).unwrap();
        let declared = InverseDynamics::new(&declared).grid(0.0, 0.1, 11).run().unwrap();
        let loaded = InverseDynamics::new(engine)
            .load(|_, loads| {
                let p = loads.point("piston", [0.0; 3]);
                loads.wrench("piston", p, [-300.0 * (p[0] - 0.1), 0.0, 0.0], [0.0; 3]);
            })
            .grid(0.0, 0.1, 11)
            .run()
            .unwrap_or_else(|e| panic!("{e}"));
        for (a, b) in declared.output("torque").unwrap().iter().zip(loaded.output("torque").unwrap()) {
            assert!((a - b).abs() < 1e-11);
        }
        let misspelt =
            InverseDynamics::new(engine).load(|_, loads| loads.wrench("pistn", [0.0; 3], [0.0; 3], [0.0; 3]));
        assert!(misspelt.run().unwrap_err().to_string().contains("`piston`"));
    });
}

#[test]
fn scotch_yoke_is_harmonic() {
    let text = "pub planar ScotchYoke {
        body crank { mass: 1, inertia: 0.01, angle: 0.2 }
        body pin   { mass: 0.1, inertia: 1e-4, position: [0.07, 0.02] }
        body yoke  { mass: 2, inertia: 0.1, position: [0.07, 0] }
        joint bearing = revolute(ground, crank);
        joint crank_pin = revolute(crank at [0.08, 0], pin);
        joint slot = prismatic(yoke, pin) { axis: [0, 1] };
        joint guide = prismatic(ground, yoke) { axis: [1, 0] };
        drive motor = bearing.angle == 0.2 + 10 * t;
        output x = position(yoke).x;
        output v = velocity(yoke).x;
        output a = acceleration(yoke).x;
    }";
    for_each_formulation(text, |engine| {
        let run = Kinematics::new(engine).duration(1.5).every(0.05).run().unwrap_or_else(|e| panic!("{e}"));
        for (i, t) in run.times().iter().enumerate() {
            let (sin, cos) = (0.2 + 10.0 * t).sin_cos();
            for (name, expected) in [("x", 0.08 * cos), ("v", -0.8 * sin), ("a", -8.0 * cos)] {
                assert!((run.output(name).unwrap()[i] - expected).abs() < 1e-12);
            }
        }
    });
}

#[test]
fn run_starts_from_a_given_pose() {
    let linkage = FourBar::CRANK_ROCKER;
    for_each_formulation(&linkage.text(), |engine| {
        let all = Kinematics::new(engine).at(&[0.0, 0.4, 0.7]).run().unwrap();
        let mut state = mbs::State::new(engine);
        state.t = 0.4;
        for (value, column) in state.q.iter_mut().zip(all.table(mbs::Quantity::Coordinates).columns()) {
            *value = column[1] + 1e-3;
        }
        let rest = Kinematics::new(engine).initial(state).at(&[0.4, 0.7]).run().unwrap();
        for (row, after) in [(0, 1), (1, 2)] {
            for name in ["rocker_angle", "rocker_rate", "rocker_acceleration"] {
                let (a, b) = (rest.output(name).unwrap()[row], all.output(name).unwrap()[after]);
                assert!((a - b).abs() < 1e-9, "{name}: {a} is not {b}");
            }
        }
    });
}

#[test]
fn only_drives_report_loads() {
    for_each_formulation(SLIDER_CRANK, |engine| {
        let run = InverseDynamics::new(engine).grid(0.0, 0.1, 5).run().unwrap();
        assert_eq!(run.drives().collect::<Vec<_>>(), ["motor"]);
        assert_eq!(run.drive("motor").unwrap(), run.output("torque").unwrap());
        assert_eq!(run.drive("moter").unwrap_err().to_string(), "unknown drive `moter`, the nearest name is `motor`");
        assert!(run.drive("crank_pin.x").is_err());
    });
}
