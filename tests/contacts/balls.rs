//! Balls against each other: what they exchange is momentum and the work of damping and friction.

use super::{assert_kept, runs};

#[test]
fn discs_keep_momentum_and_account_for_energy() {
    assert_kept(
        "planar Discs {
            const k = 2e5;
            body a { mass: 1, inertia: 0.004, position: [-0.3, 0.02], velocity: [3, 0], angle: 0, rate: 20 }
            body b { mass: 2, inertia: 0.02, position: [0.1, 0.09], velocity: [0, 0], angle: 0.4, rate: 0 }
            force blow = ball_contact(a, b) { first: 0.1, second: 0.15, stiffness: k, dissipation: 0.1, friction: 0.3, creep: 0.02 };
            let elastic = k * max(blow.depth, 0).powf(1.5);
            let approach = rate(blow.depth);
            state lost = 0 { rate: (blow.normal_force - elastic) * approach + 0.3 * blow.normal_force * tanh(abs(blow.slip) / 0.02) * abs(blow.slip) };
            output px = 1 * velocity(a).x + 2 * velocity(b).x;
            output py = 1 * velocity(a).y + 2 * velocity(b).y;
            output lz = 0.004 * rate(a) + 0.02 * rate(b) + position(a).x * velocity(a).y - position(a).y * velocity(a).x
                + 2 * (position(b).x * velocity(b).y - position(b).y * velocity(b).x);
            output energy = kinetic_energy + potential_energy + lost;
            output lost = lost;
            output spin = rate(b);
        }",
    );
}

#[test]
fn spheres_keep_momentum_and_account_for_energy() {
    assert_kept(
        "spatial Spheres {
            const k = 2e5;
            body a { mass: 1, inertia: [0.004, 0.004, 0.004], position: [-0.3, 0.02, 0.03], velocity: [3, 0, 0], angular_velocity: [4, -7, 20] }
            body b { mass: 2, inertia: [0.02, 0.02, 0.02], position: [0.1, 0.09, -0.02], velocity: [0, 0, 0], angular_velocity: [0, 0, 0] }
            force blow = ball_contact(a, b) { first: 0.1, second: 0.15, stiffness: k, dissipation: 0.1, friction: 0.3, creep: 0.02 };
            let elastic = k * max(blow.depth, 0).powf(1.5);
            let approach = rate(blow.depth);
            let slip = blow.slip;
            let rubbed = 0.3 * blow.normal_force * tanh(slip / 0.02) * slip;
            state lost = 0 { rate: (blow.normal_force - elastic) * approach + rubbed };
            let p = 1 * velocity(a) + 2 * velocity(b);
            let l = 0.004 * angular_velocity(a) + 0.02 * angular_velocity(b) + cross(position(a), velocity(a)) + 2 * cross(position(b), velocity(b));
            output px = p.x;
            output py = p.y;
            output pz = p.z;
            output lx = l.x;
            output ly = l.y;
            output lz = l.z;
            output energy = kinetic_energy + potential_energy + lost;
            output lost = lost;
            output spin = angular_velocity(b).z;
        }",
    );
}

/// From where they overlap the force is along the line of centres, and nothing turns particles.
#[test]
fn particles_are_pushed_and_do_not_turn() {
    let text = "planar Pair {
        particle a { mass: 1, position: [0, 0], velocity: [0, 0] }
        body b { mass: 1, inertia: 0.1, position: [0.3, 0.1], velocity: [0, 0], angle: 0, rate: 0 }
        force blow = ball_contact(a, b) { first: 0.2, second: 0.2, stiffness: 100, exponent: 1 };
        output pushed = load(blow).force;
        output turned = rate(b);
        output depth = blow.depth;
    }";
    for (label, recording) in runs(text, &[0.0, 0.1]) {
        let depth = 0.4 - 0.1_f64.sqrt();
        let [x, y] = ["pushed.x", "pushed.y"].map(|name| recording.output(name).expect("it is declared")[0]);
        assert!((x.hypot(y) - 100.0 * depth).abs() < 1e-12 && (x - 3.0 * y).abs() < 1e-12, "{label}: {x} {y}");
        assert!(recording.output("turned").expect("it is declared")[1].abs() < 1e-12, "{label}");
    }
}
