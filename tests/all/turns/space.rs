//! Angles and quaternions in space.

use mbs::Mechanism;

use super::{assert_counts_backwards, assert_follows, every_formulation, run};

/// A rotor on a shaft that turns.
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
fn every_formulation_counts_turns() {
    every_formulation(ROTOR, |who, engine| {
        let recording = run(engine, 3.0);
        assert_follows(&recording, "angle", |t| 9.0 * t, who);
        assert_follows(&recording, "apart", |t| -23.0 * t, who);
        assert_follows(&recording, "attitude[0]", |t| (4.5 * t).cos(), who);
        assert_follows(&recording, "attitude[3]", |t| (4.5 * t).sin(), who);
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

fn counts_turns(who: &str, mechanism: &impl Mechanism) {
    let recording = run(mechanism, 3.0);
    assert_follows(&recording, "angle", |t| 9.0 * t, who);
    assert_follows(&recording, "attitude[0]", |t| (4.5 * t).cos(), who);
    assert_follows(&recording, "attitude[3]", |t| (4.5 * t).sin(), who);
    assert_counts_backwards(mechanism, 9.0, who);
}

#[test]
fn generated_code_counts_turns_forwards_and_backwards() {
    counts_turns("joint", &InJoints::new(Default::default()).unwrap());
    counts_turns("body", &InBodies::new(Default::default()).unwrap());
    counts_turns("natural", &InPoints::new(Default::default()).unwrap());
}

#[test]
fn the_engine_counts_turns_backwards() {
    every_formulation(ROTOR, counts_turns);
}

/// A ball that turns freely about z with 8 rad/s.
const BALL: &str = "pub spatial Ball {
    body ball { mass: 1, inertia: [0.1, 0.1, 0.1] }
    joint base = free(ground, ball);
    initial base.u = [0, 0, 8];
    output q: [4] = base.q;
    output rates: [4] = rate(base.q);
}";

#[test]
fn attitudes_of_free_bodies_keep_their_sign() {
    every_formulation(BALL, |who, engine| {
        let recording = run(engine, 3.0);
        assert_follows(&recording, "q[0]", |t| (4.0 * t).cos(), who);
        assert_follows(&recording, "q[3]", |t| (4.0 * t).sin(), who);
        assert_follows(&recording, "rates[3]", |t| 4.0 * (4.0 * t).cos(), who);
    });
}

#[test]
fn euler_angles_of_free_bodies_count_turns() {
    let text = "pub spatial Coin {
        body coin { mass: 1, inertia: [0.1, 0.1, 0.1], attitude: euler(zyx) }
        joint base = free(ground, coin);
        initial angular_velocity(coin) = [0, 0, 8];
        output psi = base.q[0];
    }";
    every_formulation(text, |who, engine| assert_follows(&run(engine, 3.0), "psi", |t| 8.0 * t, who));
}
