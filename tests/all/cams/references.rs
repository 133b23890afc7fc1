//! Reference cases `cam_eccentric_flat`, `cam_eccentric_roller`, `cam_forward_flat`.

use mbs::{DormandPrince, Recorder, State, Stepper, assemble, zero_inputs};

use super::{DRIVEN, FORMULATIONS, assert_close, case, compiled, driven, rows};

/// A disc of 40 mm with an eccentricity of 12 mm, lowest at the start, lifts a follower on a spring.
fn text(follower: &str, motion: &str) -> String {
    format!(
        "pub planar EccentricCam {{
            const e = 0.012;
            body shaft {{ mass: 1, inertia: 0.02 }}
            body follower {{ mass: 0.4, inertia: 1e-3, position: [0, 0.028] }}
            joint bearing = revolute(ground, shaft);
            joint guide = prismatic(ground, follower) {{ axis: [0, 1] }};
            curve lobe(s) on shaft = [0.04 * cos(s), 0.04 * sin(s) - e] {{ closed: TAU }};
            {follower}
            joint contact = cam(lobe, face) {{ first: PI / 2, second: below }};
            force spring = point_force(follower) {{ force: [0, -900 * lift - 60] }};
            {motion}
            output angle = bearing.angle;
            output rate = bearing.rate;
            output height = lift;
            output speed = guide.speed;
            output acceleration = guide.acceleration;
            output push = reaction(contact).force;
            output angular_acceleration = bearing.acceleration;
        }}"
    )
}

/// A flat face; lifts are measured from the lowest position.
const FLAT: &str = "curve face on follower = line([1, 0]); let below = 0; let lift = position(follower).y - 0.028;";
/// A roller of 10 mm at the follower's origin; heights are measured from the shaft.
const ROLLER: &str = "curve face on follower = circle(0.01); let below = -PI / 2; let lift = position(follower).y;";

#[test]
fn driven_cams_are_those_of_the_book() {
    for (name, follower) in [("cam_eccentric_flat", FLAT), ("cam_eccentric_roller", ROLLER)] {
        let rows = rows(&case(name)["reference"]);
        let times: Vec<f64> = rows.iter().map(|row| row[0].to_radians() / 50.0).collect();
        let expected: Vec<Vec<f64>> = rows.iter().map(|row| row[1..].to_vec()).collect();
        let text = text(follower, "drive turn = bearing.angle == 50 * t; output torque = load(turn);");
        for formulation in FORMULATIONS {
            let columns = ["height", "speed", "acceleration", "push.y", "torque"];
            let found = driven(&text, formulation, &times, &columns);
            assert_close(&format!("{name} {formulation:?}"), DRIVEN, &found, &expected);
        }
    }
}

/// A motor drives the cam for a second. The case is accurate to 1e-10, and errors of the integrator at its tolerance of 1e-12 grow to a similar
/// size within a second.
#[test]
fn a_motor_drives_the_cam() {
    let case = case("cam_forward_flat");
    let rows = rows(&case["reference"]["series"]);
    let least = case["reference"]["min_contact_force_listed"].as_f64().expect("a number");
    for formulation in FORMULATIONS {
        let motion =
            "force motor = torque(ground, shaft) { torque: 0.5 }; initial bearing.angle = 0.3, bearing.rate = 20;";
        let cam = compiled(&text(FLAT, motion), formulation);
        let mut state = State::new(&cam);
        assemble(&cam, &mut state).expect("it closes");
        let mut stepper = DormandPrince::new(&cam).with_tolerances(1e-12, 1e-13);
        let mut recorder = Recorder::new(&cam);
        for row in &rows {
            stepper.advance_to(&cam, &mut state, row[0], &mut zero_inputs).expect("it runs");
            recorder.record(state.view(&[])).expect("it is regular");
        }
        let found = recorder.recording();
        let columns = ["angle", "rate", "height", "speed", "angular_acceleration", "push.y"];
        for (k, name) in columns.into_iter().enumerate() {
            let column = found.output(name).expect("it is declared");
            for (row, found) in rows.iter().zip(column) {
                let expected = row[k + 1];
                let miss = (found - expected).abs();
                assert!(miss <= 1e-8 * expected.abs().max(1.0), "{formulation:?}, {name} at {}: {miss:.1e}", row[0]);
            }
        }
        // The contact force is positive all the time.
        let push = found.output("push.y").expect("it is declared").iter().fold(f64::INFINITY, |least, n| least.min(*n));
        assert!((push - least).abs() <= 1e-8 * least, "{formulation:?}: {push}, not {least} N");
    }
}
