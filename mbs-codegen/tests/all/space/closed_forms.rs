//! Guided points and lines compared with closed forms, in both formulations. The tolerance is 1e-10: some hundred roundings of numbers of
//! order one to ten, and one elimination.

use mbs_core::{Describe, Mechanism, Reaction, StateView};
use mbs_model::Formulation;

use super::{Interpreted, assert_close, interpreted, motion, sine, states};

const FORMULATIONS: [Formulation; 2] = [Formulation::Joint, Formulation::Body];

/// Outputs and reactions of a text in both formulations, at one state.
fn outputs_and_reactions(text: &str) -> Vec<(Vec<f64>, Vec<Reaction>)> {
    let [joint, body] = FORMULATIONS.map(|formulation| interpreted(text, formulation));
    let [in_joints, in_bodies] = states(&joint, &body);
    [(&joint, in_joints), (&body, in_bodies)]
        .map(|(m, state)| {
            let (outputs, reactions, _) = motion(m, &state);
            (outputs, reactions)
        })
        .to_vec()
}

/// Compares outputs and accelerations of two mechanisms at equal coordinates and speeds.
fn compare_motions(a: &Interpreted, b: &Interpreted) {
    let s = a.sizes();
    assert_eq!((s.n_q, s.n_v), (b.sizes().n_q, b.sizes().n_v));
    let mut q = vec![0.0; s.n_q];
    a.guess(&mut q, &mut vec![0.0; s.n_v], &mut []);
    let delta: Vec<f64> = (0..s.n_v).map(|k| 0.6 * sine(k)).collect();
    a.retract(0.0, &mut q, &delta, &mut vec![0.0; s.n_q]);
    let v: Vec<f64> = (0..s.n_v).map(|k| sine(k + 20)).collect();
    let state = (q, v);
    let (outputs, _, accelerations) = motion(a, &state);
    let (expected, _, others) = motion(b, &state);
    assert_close("outputs", &outputs, &expected);
    assert_close("accelerations", &accelerations, &others);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: &[f64], b: &[f64]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[test]
fn an_ellipsoid_of_equal_radii_is_a_ball_below_its_point() {
    let text = |joint: &str| {
        format!(
            "spatial M {{ gravity: [0.3, -0.2, -9.81];
            body a {{ mass: 1.2, inertia: [[0.03, 0.002, -0.001], [0.002, 0.05, 0.003], [-0.001, 0.003, 0.04]], com: [0.1, -0.2, 0.3] }}
            joint j = {joint}; output com = acceleration(a at com); output spin = angular_acceleration(a); }}"
        )
    };
    for [ellipsoid, ball] in [
        [
            "ellipsoid(ground, a at [0.1, 0.2, 0.3]) { radii: [0.4, 0.4, 0.4] }",
            "spherical(ground, a at [0.1, 0.2, -0.1])",
        ],
        [
            "ellipsoid(a at [0.1, 0.2, 0.3], ground) { radii: [0.4, 0.4, 0.4] }",
            "spherical(a at [0.1, 0.2, 0.3], ground at [0, 0, -0.4])",
        ],
    ] {
        let [ellipsoid, ball] = [ellipsoid, ball].map(|joint| interpreted(&text(joint), Formulation::Joint));
        compare_motions(&ellipsoid, &ball);
    }
}

/// A slender stick on a point, for any inertia about its line: J n̈ = −J ṅ² n + m l (g − (g·n) n).
#[test]
fn a_line_swings_like_a_spherical_pendulum_for_any_axial_inertia() {
    for axial in ["0", "0.3"] {
        let text = format!(
            "spatial M {{ gravity: [0, 0, -9.81]; body stick {{ mass: 2, inertia: [0.3, 0.3, {axial}], com: [0, 0, 0.5] }}
            joint ball = line_orientation(ground, stick); output n = stick.z; output rate = angular_velocity(stick);
            output acceleration = acceleration(stick at com); output u = ball.u; }}"
        );
        for (x, reactions) in outputs_and_reactions(&text) {
            let (n, omega, a, u) = (&x[..3], &x[3..6], &x[6..9], &x[9..12]);
            let rate = cross(omega, n);
            let (inertia, arm) = (0.3 + 2.0 * 0.25, 2.0 * 0.5);
            let weight = [0.0, 0.0, -9.81];
            let across = [0, 1, 2].map(|k| weight[k] - dot(&weight, n) * n[k]);
            let second_derivative = [0, 1, 2].map(|k| arm / inertia * across[k] - dot(&rate, &rate) * n[k]);
            assert_close("acceleration", a, &second_derivative.map(|x| 0.5 * x));
            assert_close("no spin", &[dot(omega, n), u[2]], &[0.0; 2]);
            // ω is perpendicular to n. The moment that prevents spin is the rate of angular momentum about n, which is zero.
            assert_close("moment", &reactions[0].torque, &[0.0; 3]);
            let force = [0, 1, 2].map(|k| 2.0 * (0.5 * second_derivative[k] - weight[k]));
            assert_close("force", &reactions[0].force, &force);
        }
    }
}

#[test]
fn a_free_line_flies_on_a_parabola_and_rotates_uniformly() {
    let text = "spatial M { gravity: [0, 0, -9.81]; body dart { mass: 0.1, inertia: [0.01, 0.01, 0.002] }
        joint flight = free_line(ground, dart);
        output a = acceleration(dart); output spin_rate = angular_acceleration(dart); }";
    for (x, reactions) in outputs_and_reactions(text) {
        assert_close("acceleration", &x[..6], &[0.0, 0.0, -9.81, 0.0, 0.0, 0.0]);
        assert_close("reaction", &reactions[0].force, &[0.0; 3]);
    }
}

/// ε̈ = −sin ε cos ε α̇² − g cos ε/ρ, α̈ = 2 tan ε α̇ ε̇, and the tension m (ρ (ε̇² + cos² ε α̇²) − g sin ε).
#[test]
fn a_body_on_a_sphere_that_does_not_rotate_is_a_point_mass() {
    let text = "spatial M { gravity: [0, 0, -9.81]; body b { mass: 1.5, inertia: [0.02, 0.03, 0.04], position: [0.2, 0.1, 0.1] }
        joint orbit = orbital_fixed(ground, b) { radius: 0.8 };
        output place = [orbit.azimuth, orbit.elevation]; output speed = [orbit.azimuth_rate, orbit.elevation_rate];
        output second = [orbit.azimuth_acceleration, orbit.elevation_acceleration]; output at = position(b); }";
    for (x, reactions) in outputs_and_reactions(text) {
        let ([alpha, epsilon], [alpha_rate, epsilon_rate]) = ([x[0], x[1]], [x[2], x[3]]);
        let (sin, cos) = epsilon.sin_cos();
        assert_close("place", &x[6..9], &[0.8 * cos * alpha.cos(), 0.8 * cos * alpha.sin(), 0.8 * sin]);
        let expected =
            [2.0 * sin / cos * alpha_rate * epsilon_rate, -sin * cos * alpha_rate * alpha_rate - 9.81 * cos / 0.8];
        assert_close("second rates", &x[4..6], &expected);
        let square = epsilon_rate * epsilon_rate + cos * cos * alpha_rate * alpha_rate;
        let tension = 1.5 * (0.8 * square - 9.81 * sin);
        let inwards: Vec<f64> = x[6..9].iter().map(|x| -x / 0.8 * tension).collect();
        assert_close("tension", &reactions[0].force, &inwards);
        assert_close("no moment", &reactions[0].torque, &[0.0; 3]);
    }
}

/// The reaction of an ellipsoid does no work on its freedoms: M = (D F) × z_B about Q, for any loads.
#[test]
fn the_reaction_of_an_ellipsoid_does_no_work() {
    let text =
        "spatial M { gravity: [0, 0, -9.81]; body a { mass: 1.2, inertia: [0.03, 0.05, 0.04], com: [0.1, -0.2, 0.3] }
        input u: [3]; force push = point_force(a at [0.1, 0.2, -0.1]) { force: u in a };
        joint j = ellipsoid(ground, a) { radii: [0.3, 0.5, 0.2] }; output n = a.z; }";
    for (x, reactions) in outputs_and_reactions(text) {
        let [force, torque] = [reactions[0].force, reactions[0].torque];
        let stretched = [0.3 * force[0], 0.5 * force[1], 0.2 * force[2]];
        assert_close("moment", &torque, &cross(&stretched, &x[..3]));
    }
    let at = StateView { t: 0.0, q: &[1.0, 0.0, 0.0, 0.0], v: &[0.0; 3], z: &[], u: &[0.0; 3] };
    let rest = interpreted(text, Formulation::Joint);
    let mut positions = vec![[0.0; 3]; rest.sizes().n_markers];
    rest.marker_positions(at, &mut positions);
    assert!(positions.contains(&[0.0, 0.0, 0.2]), "at rest Q is above P: {positions:?}");
}
