//! Angles and quaternions in space.

use mbs::{FullMechanism, Integrator, Kinematics, Recording, Simulation};

use crate::tier::by_tier;

use super::{assert_counts_backwards, assert_follows, every_formulation, run};

/// A rotor on a rotating shaft.
const ROTOR: &str = "pub spatial Rotor {
    body shaft { mass: 1, inertia: [0.1, 0.1, 0.1] }
    body rotor { mass: 1, inertia: [0.02, 0.02, 0.02] }
    joint bearing = revolute(ground, shaft) { axis: [0, 0, 1] };
    joint hub = revolute(shaft, rotor) { axis: [0, 0, 1] };
    initial bearing.rate = 9, hub.rate = -23;
    output angle = bearing.angle;
    output apart = hub.angle;
    output attitude: [4] = quaternion(rotation(shaft));
}";

#[test]
fn every_formulation_counts_revolutions() {
    every_formulation(ROTOR, |label, engine| {
        let recording = run(engine, 3.0);
        assert_follows(&recording, "angle", |t| 9.0 * t, label);
        assert_follows(&recording, "apart", |t| -23.0 * t, label);
        assert_follows(&recording, "attitude[0]", |t| (4.5 * t).cos(), label);
        assert_follows(&recording, "attitude[3]", |t| (4.5 * t).sin(), label);
    });
}

/// The shaft of `ROTOR` alone, in one formulation.
macro_rules! shaft {
    ($name:ident, $coordinates:ident) => {
        mbs::mechanism! {
            pub spatial $name {
                coordinates: $coordinates;
                body shaft { mass: 1, inertia: [0.1, 0.1, 0.1] }
                joint bearing = revolute(ground, shaft) { axis: [0, 0, 1] };
                initial bearing.rate = 9;
                output angle = bearing.angle;
                output attitude: [4] = quaternion(rotation(shaft));
            }
        }
    };
}
shaft!(InJoints, joint);
shaft!(InBodies, body);
shaft!(InPoints, natural);

fn assert_counts_revolutions(label: &str, mechanism: &impl FullMechanism) {
    let recording = run(mechanism, 3.0);
    assert_follows(&recording, "angle", |t| 9.0 * t, label);
    assert_follows(&recording, "attitude[0]", |t| (4.5 * t).cos(), label);
    assert_follows(&recording, "attitude[3]", |t| (4.5 * t).sin(), label);
    assert_counts_backwards(mechanism, 9.0, label);
}

#[test]
fn generated_code_counts_revolutions_forwards_and_backwards() {
    assert_counts_revolutions("joint", &InJoints::new(Default::default()).unwrap());
    assert_counts_revolutions("body", &InBodies::new(Default::default()).unwrap());
    assert_counts_revolutions("natural", &InPoints::new(Default::default()).unwrap());
}

#[test]
fn the_engine_counts_revolutions_backwards() {
    every_formulation(ROTOR, assert_counts_revolutions);
}

/// Asserts that recorded attitudes of the shaft are the output and the closed form, for rows that are more than half a revolution apart.
fn assert_records_signs(label: &str, recording: &Recording) {
    let attitudes = &recording.body("shaft").unwrap().attitudes;
    for (row, t) in recording.times().iter().enumerate() {
        let expected = [(4.5 * t).cos(), 0.0, 0.0, (4.5 * t).sin()];
        for (i, expected) in expected.iter().enumerate() {
            let output = recording.output(&format!("attitude[{i}]")).unwrap()[row];
            let found = attitudes[row][i];
            assert!((found - output).abs() < 1e-12, "{label}: {found} of the body, {output} of the output at {t} s");
            assert!((found - expected).abs() < 1e-6, "{label}: {found}, not {expected} at {t} s");
        }
    }
}

/// Between rows the shaft rotates by 4.5 rad, and by 22.5 rad. Both are more than half a revolution, for which the nearer sign is wrong.
#[test]
fn attitudes_of_bodies_keep_their_sign_along_steps_between_rows() {
    let integrators = [Integrator::default(), Integrator::Rk4 { step: 2e-3 }, Integrator::Rk4 { step: 0.5 }];
    let check = |label: &str, mechanism: &dyn Fn(Integrator, f64) -> Recording| {
        let runs = [(integrators[0], 0.5), (integrators[1], 2.5), (integrators[0], 2.5), (integrators[1], 0.5)];
        let checked = &runs[..by_tier(2, 4)];
        checked
            .iter()
            .for_each(|(integrator, interval)| assert_records_signs(label, &mechanism(*integrator, *interval)));
    };
    every_formulation(ROTOR, |label, engine| check(label, &|integrator, interval| rows(engine, integrator, interval)));
    let compiled = InJoints::new(Default::default()).unwrap();
    check("compiled, joint", &|integrator, interval| rows(&compiled, integrator, interval));
    // A single step may also exceed half a revolution: the angle is exact.
    assert_records_signs("compiled, joint, long", &rows(&compiled, integrators[2], 0.5));
    let compiled = InBodies::new(Default::default()).unwrap();
    check("compiled, body", &|integrator, interval| rows(&compiled, integrator, interval));
    let compiled = InPoints::new(Default::default()).unwrap();
    check("compiled, natural", &|integrator, interval| rows(&compiled, integrator, interval));
}

fn rows(mechanism: &impl FullMechanism, integrator: Integrator, interval: f64) -> Recording {
    Simulation::new(mechanism).integrator(integrator).duration(2.5).every(interval).run().expect("it runs")
}

/// Prescribed motions continue from row to row, also backward.
#[test]
fn attitudes_of_prescribed_bodies_keep_their_sign_between_rows() {
    let driven = ROTOR.replace(
        "initial bearing.rate = 9, hub.rate = -23;",
        "drive d = bearing.angle == 9 * t; drive e = hub.angle == -2 * t;",
    );
    every_formulation(&driven, |label, engine| {
        for times in [[0.0, 0.5, 1.0, 1.5], [0.0, -0.5, -1.0, -1.5]] {
            let recording = Kinematics::new(engine).at(&times).run().expect("it moves");
            assert_records_signs(label, &recording);
        }
    });
}

/// A ball that rotates freely about z with 8 rad/s.
const BALL: &str = "pub spatial Ball {
    body ball { mass: 1, inertia: [0.1, 0.1, 0.1] }
    joint base = free(ground, ball);
    initial base.u = [0, 0, 8];
    output q: [4] = base.q;
    output rates: [4] = rate(base.q);
}";

#[test]
fn attitudes_of_free_bodies_keep_their_sign() {
    every_formulation(BALL, |label, engine| {
        let recording = run(engine, 3.0);
        assert_follows(&recording, "q[0]", |t| (4.0 * t).cos(), label);
        assert_follows(&recording, "q[3]", |t| (4.0 * t).sin(), label);
        assert_follows(&recording, "rates[3]", |t| 4.0 * (4.0 * t).cos(), label);
    });
}

#[test]
fn euler_angles_of_free_bodies_count_revolutions() {
    let text = "pub spatial Coin {
        body coin { mass: 1, inertia: [0.1, 0.1, 0.1], attitude: euler(zyx) }
        joint base = free(ground, coin);
        initial angular_velocity(coin) = [0, 0, 8];
        output psi = base.q[0];
    }";
    every_formulation(text, |label, engine| assert_follows(&run(engine, 3.0), "psi", |t| 8.0 * t, label));
}
