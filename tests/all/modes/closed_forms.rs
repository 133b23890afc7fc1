//! Frequencies and damping in closed form, in the plane.

use mbs::analysis::{ModeKind, Modes};

use crate::modes::mechanisms::{
    assert_all_near, assert_near, damped, for_each_formulation, moving_output, nearest, undamped,
};

const G: f64 = 9.81;

#[test]
fn a_pendulum_swings_at_its_frequency() {
    let text = "planar Pendulum { gravity: [0, -9.81];
        body rod { mass: 0.7, inertia: 0.013, com: [0.05, -0.3], angle: 0.4 }
        joint pin = revolute(ground at [0.1, 0.2], rod); }";
    let arm = 0.05_f64.hypot(0.3);
    let omega = (0.7 * G * arm / (0.013 + 0.7 * arm * arm)).sqrt();
    for_each_formulation(text, |pendulum| {
        for modes in [undamped(pendulum), damped(pendulum)] {
            assert_eq!(modes.len(), 1);
            assert_near(modes[0].frequency(), omega, 1e-12);
            assert_near(modes[0].damping_ratio(), 0.0, 1e-12);
            assert!(modes.is_stable() && !modes[0].is_neutral());
        }
    });
}

#[test]
fn an_upright_pendulum_falls_at_its_rate() {
    let text = "planar Pendulum { gravity: [0, -9.81];
        particle bob { mass: 2, position: [0.02, 0.5] }
        joint rod = distance(ground, bob) { length: 0.5 }; }";
    for_each_formulation(text, |pendulum| {
        for modes in [undamped(pendulum), damped(pendulum)] {
            let rates: Vec<f64> = modes.iter().map(|mode| mode.eigenvalue.re).collect();
            let omega = (G / 0.5).sqrt();
            assert_all_near(&rates, &[omega, -omega], 1e-12);
            assert!(modes[0].is_unstable && !modes[1].is_unstable && !modes.is_stable());
            assert!(modes.iter().all(|mode| mode.kind == ModeKind::Aperiodic));
        }
    });
}

#[test]
fn coupled_pendulums_swing_together_and_against_each_other() {
    // Equal mathematical pendulums of length l, their rods joined by a spring at height a below the pins.
    let (l, a, m, k) = (0.8, 0.35, 1.2, 14.0);
    let text = format!(
        "planar Coupled {{ gravity: [0, -9.81];
        body left  {{ mass: {m:?}, com: [0, -{l:?}], angle: 0.1 }}
        body right {{ mass: {m:?}, com: [0, -{l:?}], angle: -0.05, position: [0.5, 0] }}
        joint one = revolute(ground, left);
        joint two = revolute(ground at [0.5, 0], right);
        output one = one.rate;
        output two = two.rate;
        force spring = spring_damper(left at [0, -{a:?}], right at [0, -{a:?}]) {{ stiffness: {k:?}, free_length: 0.5 }}; }}"
    );
    let slow = (G / l).sqrt();
    let fast = (G / l + 2.0 * k * a * a / (m * l * l)).sqrt();
    for_each_formulation(&text, |pendulums| {
        let equilibrium = nearest(pendulums);
        let modes = Modes::undamped(pendulums, &equilibrium).unwrap();
        assert_all_near(&modes.frequencies(), &[slow, fast], 1e-11);
        // Rates of the angles with the mode shape as speeds: equal, then opposite.
        let angles = |mode: usize| {
            let speeds = || modes[mode].shape.iter().map(|x| x.re);
            ["one", "two"].map(|name| moving_output(pendulums, &equilibrium, speeds(), name))
        };
        let ([a, b], [c, d]) = (angles(0), angles(1));
        // Shapes have unit modal mass: 2 m l² φ² = 1.
        let phi = 1.0 / (2.0 * m * l * l).sqrt();
        assert_all_near(&[a, b], &[phi, phi], 1e-9);
        assert_all_near(&[c.abs(), c + d], &[phi, 0.0], 1e-9);
    });
}

#[test]
fn masses_on_springs_have_the_roots_of_a_chain() {
    let (n, k, m) = (5, 700.0_f64, 0.3_f64);
    let mut text = String::from("planar Chain {");
    for i in 0..n {
        let x = 0.2 * (i + 1) as f64;
        text += &format!(
            "particle p{i} {{ mass: {m:?}, position: [{x:?}, 0] }} joint s{i} = point_on_line(ground, p{i}) {{ axis: [1, 0] }};"
        );
        let before = if i == 0 { "ground".to_owned() } else { format!("p{}", i - 1) };
        text += &format!("force f{i} = spring_damper({before}, p{i}) {{ stiffness: {k:?}, free_length: 0.2 }};");
    }
    text += &format!(
        "force last = spring_damper(p{}, ground at [1.2, 0]) {{ stiffness: {k:?}, free_length: 0.2 }}; }}",
        n - 1
    );
    let omega = |j: usize| 2.0 * (k / m).sqrt() * (std::f64::consts::PI * j as f64 / (2.0 * (n + 1) as f64)).sin();
    let expected: Vec<f64> = (1..=n).map(omega).collect();
    for_each_formulation(&text, |chain| {
        assert_all_near(&undamped(chain).frequencies(), &expected, 1e-11);
        assert_all_near(&damped(chain).frequencies(), &expected, 1e-11);
    });
}

/// A slide on a spring, with its equilibrium m g/k below.
fn oscillator(damping: f64) -> String {
    format!(
        "planar Oscillator {{ gravity: [0, -9.81];
        body block {{ mass: 2, inertia: 0.1, position: [0, -1.1] }}
        joint guide = prismatic(ground, block) {{ axis: [0, 1] }};
        force spring = spring_damper(ground, block) {{ stiffness: 50, damping: {damping:?}, free_length: 1 }}; }}"
    )
}

#[test]
fn a_damped_oscillator_is_under_critically_and_over_damped() {
    let omega = 5.0;
    let critical = 20.0;
    for_each_formulation(&oscillator(0.3 * critical), |block| {
        let modes = damped(block);
        assert_eq!((modes.len(), modes[0].kind), (1, ModeKind::Oscillating));
        assert_near(modes[0].damping_ratio(), 0.3, 1e-12);
        assert_near(modes[0].natural_frequency(), omega, 1e-12);
        assert_near(modes[0].frequency(), omega * 0.91_f64.sqrt(), 1e-12);
        assert_near(undamped(block)[0].frequency(), omega, 1e-12);
    });
    for_each_formulation(&oscillator(critical), |block| {
        // A double root is accurate to the square root of round-off.
        for mode in &damped(block) {
            assert_near((mode.eigenvalue + omega).norm(), 0.0, 1e-6);
            assert_near(mode.damping_ratio(), 1.0, 1e-12);
        }
    });
    for_each_formulation(&oscillator(2.0 * critical), |block| {
        let modes = damped(block);
        let root = 3.0_f64.sqrt();
        let rates: Vec<f64> = modes.iter().map(|mode| mode.eigenvalue.re).collect();
        assert_all_near(&rates, &[omega * (root - 2.0), -omega * (root + 2.0)], 1e-12);
        assert!(modes.iter().all(|mode| mode.kind == ModeKind::Aperiodic && !mode.is_unstable));
    });
}

#[test]
fn a_bar_on_two_springs_bounces_and_pitches() {
    // Springs at distances a and b from the centre of mass: m ÿ + (k₁ + k₂) y + (k₂ b − k₁ a) θ = 0, I θ̈ + … likewise; x is fixed.
    let (m, inertia, a, b, k1, k2) = (3.0_f64, 0.4_f64, 0.5_f64, 0.8_f64, 300.0_f64, 450.0_f64);
    let text = format!(
        "planar Bar {{
        body bar {{ mass: {m:?}, inertia: {inertia:?}, position: [0, 1] }}
        joint guide = point_on_line(ground, bar) {{ axis: [0, 1] }};
        force left  = spring_damper(ground at [-{a:?}, 0], bar at [-{a:?}, 0]) {{ stiffness: {k1:?}, free_length: 1 }};
        force right = spring_damper(ground at [{b:?}, 0], bar at [{b:?}, 0]) {{ stiffness: {k2:?}, free_length: 1 }}; }}"
    );
    let (p, q, r) = ((k1 + k2) / m, (k2 * b - k1 * a) / (m * inertia).sqrt(), (k1 * a * a + k2 * b * b) / inertia);
    let root = (0.25 * (p - r) * (p - r) + q * q).sqrt();
    let expected = [(0.5 * (p + r) - root).sqrt(), (0.5 * (p + r) + root).sqrt()];
    for_each_formulation(&text, |bar| assert_all_near(&undamped(bar).frequencies(), &expected, 1e-11));
}

#[test]
fn the_double_pendulum_has_its_reference_frequencies() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/reference/double_pendulum_small_100s.json");
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let expected: Vec<f64> =
        json["reference"]["linear_frequencies_rad_s"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let text = include_str!("../../../mechanisms/double_pendulum.mbs");
    for_each_formulation(text, |pendulum| {
        let equilibrium = nearest(pendulum);
        let modes = Modes::undamped(pendulum, &equilibrium).unwrap();
        // The reference has 16 digits.
        assert_all_near(&modes.frequencies(), &expected, 1e-12);
    });
}
