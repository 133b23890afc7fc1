//! Collisions of balls conserve momentum, and lose energy to damping and friction alone.

use super::{BLOW, assert_conserved, conserved_in_space, conserved_in_the_plane, run_everywhere};

#[test]
fn discs_keep_momentum_and_account_for_energy() {
    assert_conserved(&format!(
        "planar Discs {{
            body a {{ mass: 1, inertia: 0.004, position: [-0.3, 0.02], velocity: [3, 0], angle: 0, rate: 20 }}
            body b {{ mass: 2, inertia: 0.02, position: [0.1, 0.09], velocity: [0, 0], angle: 0.4, rate: 0 }}
            force blow = ball_contact(a, b) {{ first: 0.1, second: 0.15, {BLOW} }};
            {}
        }}",
        conserved_in_the_plane([0.004, 0.02])
    ));
}

#[test]
fn spheres_keep_momentum_and_account_for_energy() {
    assert_conserved(&format!(
        "spatial Spheres {{
            body a {{ mass: 1, inertia: [0.004, 0.004, 0.004], position: [-0.3, 0.02, 0.03], velocity: [3, 0, 0], angular_velocity: [4, -7, 20] }}
            body b {{ mass: 2, inertia: [0.02, 0.02, 0.02], position: [0.1, 0.09, -0.02], velocity: [0, 0, 0], angular_velocity: [0, 0, 0] }}
            force blow = ball_contact(a, b) {{ first: 0.1, second: 0.15, {BLOW} }};
            {}
        }}",
        conserved_in_space([0.004, 0.02])
    ));
}

/// The force of overlapping particles is along the line of centres, and has no moment.
#[test]
fn particles_are_pushed_and_do_not_rotate() {
    let text = "planar Pair {
        particle a { mass: 1, position: [0, 0], velocity: [0, 0] }
        body b { mass: 1, inertia: 0.1, position: [0.3, 0.1], velocity: [0, 0], angle: 0, rate: 0 }
        force blow = ball_contact(a, b) { first: 0.2, second: 0.2, stiffness: 100, exponent: 1 };
        output pushed = load(blow).force;
        output turned = rate(b);
        output depth = blow.depth;
    }";
    for (label, recording) in run_everywhere(text, &[0.0, 0.1]) {
        let depth = 0.4 - 0.1_f64.sqrt();
        let [x, y] = ["pushed.x", "pushed.y"].map(|name| recording.output(name).expect("it is declared")[0]);
        assert!((x.hypot(y) - 100.0 * depth).abs() < 1e-12 && (x - 3.0 * y).abs() < 1e-12, "{label}: {x} {y}");
        assert!(recording.output("turned").expect("it is declared")[1].abs() < 1e-12, "{label}");
    }
}
