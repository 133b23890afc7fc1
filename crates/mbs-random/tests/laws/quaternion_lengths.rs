//! Quaternions of any length: the rotation is that of the normalised quaternion, in the compiler and in the engine.

use mbs_core::{FullMechanism, Mechanism, Pose, Reaction, State, StateView, assemble};
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::every_side::{Sides, side};
use crate::regressions::nearly;

/// A floating body, one on a ball joint, and one on a reversed ball joint; a rod closes a loop.
fn floating(attitude: &str, velocity: &str) -> String {
    format!(
        "pub spatial Floating {{
            gravity: [0.3, 0.5, -9.81];
            body a {{ mass: 2, inertia: [[0.3, 0.02, 0], [0.02, 0.2, 0.01], [0, 0.01, 0.4]], com: [0.1, 0.05, 0.2],
                attitude: {attitude}, velocity: {velocity}, position: [0.1, 0.2, 0.3], rotation: axis_angle([1, 2, 3], 0.7) }}
            body b {{ mass: 1, inertia: [0.2, 0.3, 0.25], com: [0.4, 0.1, 0.05], attitude: {attitude} }}
            body c {{ mass: 1.5, inertia: [0.1, 0.3, 0.2], com: [-0.2, 0.1, 0.3], attitude: {attitude} }}
            joint base = free(ground, a);
            joint ball = spherical(a at [0.3, 0, 0.1], b at [-0.2, 0.1, 0]);
            joint back = spherical(c, b at [0.4, 0.2, 0.1]);
            marker m1 = ground at [1, 1, 2];
            joint rod = distance(m1, c at [0.1, 0.3, 0.2]) {{ length: 1.3 }};
            force spring = spring_damper(m1, b at [0.1, 0, 0.2]) {{ stiffness: 20, damping: 0.7, free_length: 0.4 }};
            marker tip = c at [0.1, 0.3, 0.2];
            output place = position(tip);
            output across = dot(position(tip) - position(a), rotation(a) * [1, 2, 3]);
            output speed = velocity(tip);
            output push = acceleration(tip);
            output turning = rotation(c);
            output attitude = quaternion(rotation(b));
            output spin = angular_velocity(b);
            output spinning = angular_acceleration(b);
            output momentum = angular_momentum(bodies, ground at [0, 0, 0]);
            output pin: [3] = reaction(ball).force;
            output twist: [3] = reaction(ball).torque;
            output link: [3] = reaction(rod).force;
            output pull: [3] = load(spring).force;
        }}"
    )
}

#[test]
fn a_quaternion_of_any_length_is_the_rotation_of_its_direction() {
    check_laws(GLIDING, &[Formulation::Body, Formulation::Joint]);
    for attitude in ["quaternion", "mrp", "rodrigues", "vector", "euler(zyx)"] {
        for velocity in ["world", "body"] {
            check_laws(&floating(attitude, velocity), &[Formulation::Body, Formulation::Joint]);
        }
    }
}

/// Asserts that compiler and engine agree, and that results do not depend on the lengths of quaternions.
fn check_laws(text: &str, formulations: &[Formulation]) {
    for formulation in formulations {
        let sides = side(text, *formulation);
        let mut state = State::new(&sides.compiled);
        assemble(&sides.compiled, &mut state).unwrap_or_else(|error| panic!("{}: {error}", sides.label));
        let n = state.v.len();
        state.v = (0..n).map(|i| (0.3 + 1.7 * i as f64).sin()).collect();
        let [unit_a, unit_rates, unit_rest] = agreed_results(&sides, &state);
        let quaternions = sides.compiled.compiled().tree.quaternions();
        for length in [1.01, 0.9, 1.3] {
            let mut longer = state.clone();
            for first in &quaternions {
                longer.q[*first..first + 4].iter_mut().for_each(|e| *e *= length);
            }
            let [a, rates, rest] = agreed_results(&sides, &longer);
            // Rates of quaternions are proportional to their length, other results are independent of it.
            let is_of = |i: usize| quaternions.iter().any(|first| (*first..first + 4).contains(&i));
            let expected = |(i, x): (usize, &f64)| if is_of(i) { length * x } else { *x };
            nearly(&a, &unit_a, &sides.label);
            nearly(&rest, &unit_rest, &sides.label);
            nearly(&rates, &unit_rates.iter().enumerate().map(expected).collect::<Vec<_>>(), &sides.label);
        }
    }
}

/// Outputs of quaternions are those of the state, of any length.
#[test]
fn compiler_and_engine_report_the_same_quaternions_of_any_length() {
    for velocity in ["world", "body"] {
        let text = floating("quaternion", velocity).replace(
            "marker tip",
            "output q: [4] = base.q; output rates: [4] = rate(base.q); output ball_q: [4] = ball.q; marker tip",
        );
        for formulation in [Formulation::Body, Formulation::Joint] {
            let sides = side(&text, formulation);
            let mut state = State::new(&sides.compiled);
            assemble(&sides.compiled, &mut state).unwrap_or_else(|error| panic!("{}: {error}", sides.label));
            for first in sides.compiled.compiled().tree.quaternions() {
                state.q[first..first + 4].iter_mut().for_each(|e| *e *= 1.2);
            }
            agreed_results(&sides, &state);
        }
    }
}

/// A body on an ellipsoid, a line on it and one in flight, and a block on a rail of a rotating body; with an event and a cable.
const GLIDING: &str = "pub spatial Gliding {
    gravity: [0.3, 0.5, -9.81];
    marker chest = ground at [0, 0, 1.3];
    body blade { mass: 0.7, inertia: [0.010, 0.008, 0.012], com: [0.01, -0.03, 0.01], rotation: axis_angle([1, 0.3, 0], 0.8) }
    body arm { mass: 2.1, inertia: [0.21, 0.21, 0.03], com: [0, 0, -0.14] }
    body dart { mass: 0.2, inertia: [1e-2, 1e-2, 2e-3], position: [0, -1, 1] }
    body block { mass: 0.4, inertia: [0.01, 0.02, 0.03], com: [0.01, 0.02, 0.03] }
    joint glide = ellipsoid(chest, blade) { radii: [0.09, 0.12, 0.16] };
    joint shoulder = line_orientation(blade at [0.02, -0.08, 0.03], arm);
    joint flight = free_line(ground, dart);
    joint rail = prismatic_spherical(arm at [0, 0, -0.2], block);
    force muscle = spring_damper(ground at [0, -0.3, 1.6], block at [0.1, 0, 0]) { stiffness: 400, damping: 5, free_length: 0.2 };
    force push = point_force(arm at [0, 0, -0.3]) { force: [1, 2, 3] in arm };
    event low = when position(block).z + norm(velocity(dart)) * rotation(blade).x.y falls {}
    output elbow = position(arm at [0, 0, -0.3]);
    output turning = rotation(block);
    output on_blade = reaction(glide).force;
    output moment = reaction(glide).torque;
    output in_shoulder = reaction(shoulder).force;
    output held_spin = reaction(shoulder).torque;
    output on_rail = reaction(rail).torque;
    output spin = shoulder.u;
    output spinning = angular_acceleration(block);
}";

/// a, q̇ and all other results, after comparison of compiler and engine.
fn agreed_results(sides: &Sides, state: &State<Interpreted>) -> [Vec<f64>; 3] {
    let at = state.view(&[]);
    let [compiled, run] = [named_results(&sides.compiled, at), named_results(&sides.engine, at)];
    let label = &sides.label;
    compiled
        .iter()
        .zip(&run)
        .for_each(|((what, compiled), (_, run))| nearly(compiled, run, &format!("{what}, {label}")));
    let (n, sizes) = (state.v.len(), sides.engine.sizes());
    let (mut mass, mut rows, mut gamma) = (vec![0.0; n * n], vec![0.0; sizes.n_c * n], vec![0.0; sizes.n_c]);
    sides.engine.mass_matrix(at, &mut mass);
    sides.engine.constraint_jacobian(at, &mut rows);
    sides.engine.gamma(at, &mut gamma);
    let run = [mass, rows, gamma].concat();
    let matrices =
        [sides.compiled.mass_matrix(at), sides.compiled.constraint_jacobian(at), sides.compiled.gamma(at)].concat();
    nearly(&matrices, &run, &format!("matrices, {label}"));
    let [(_, a), (_, rates), rest @ ..] = compiled;
    [a, rates, rest.into_iter().flat_map(|(_, values)| values).chain(matrices).collect()]
}

/// All results of a mechanism at a state, with their names: a and q̇ first.
fn named_results<M: FullMechanism>(mechanism: &M, at: StateView) -> [(&'static str, Vec<f64>); 12] {
    let sizes = mechanism.sizes();
    let zeros = |n: usize| vec![0.0; n];
    let (mut a, mut lambda, mut rates) = (zeros(sizes.n_v), zeros(sizes.n_c), zeros(sizes.n_q));
    mechanism.accelerations(at, &mut a, &mut lambda).expect("it is regular");
    mechanism.coordinate_rates(at.t, at.q, at.v, &mut rates);
    let energy = mechanism.energy(at);
    let (mut outputs, mut forces) = (zeros(sizes.n_outputs), zeros(sizes.n_v));
    mechanism.outputs(at, &a, &lambda, &mut outputs);
    mechanism.generalized_forces(at, &mut forces);
    let (mut phi, mut psi) = (zeros(sizes.n_position), zeros(sizes.n_velocity));
    mechanism.position_residuals(at, &mut phi);
    mechanism.velocity_residuals(at, &mut psi);
    let mut poses = vec![Pose { position: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] }; sizes.n_bodies];
    mechanism.poses(at, &mut poses);
    let mut reactions = vec![Reaction::default(); sizes.n_joints];
    mechanism.reactions(at, &a, &lambda, &mut reactions);
    let mut markers = vec![[0.0; 3]; sizes.n_markers];
    mechanism.marker_positions(at, &mut markers);
    let mut values = zeros(sizes.n_events);
    mechanism.event_values(at, &mut values).expect("it is regular");
    let mut derivatives = zeros(sizes.n_events);
    mechanism.event_rates(at, &mut derivatives).expect("it is regular");
    let mut jacobians = zeros(6 * sizes.n_bodies * sizes.n_v);
    mechanism.body_jacobians(at, &mut jacobians);
    [
        ("accelerations", a),
        ("rates", rates),
        ("energies", vec![energy.kinetic, energy.potential]),
        ("outputs", outputs),
        ("forces", forces),
        ("residuals", [phi, psi, lambda].concat()),
        ("positions", poses.iter().flat_map(|pose| pose.position).collect()),
        ("attitudes", poses.iter().flat_map(|pose| pose.attitude).collect()),
        ("reactions", reactions.iter().flat_map(|r| [r.point, r.force, r.torque].concat()).collect()),
        ("markers", markers.concat()),
        ("Jacobians", jacobians),
        ("events", [values, derivatives].concat()),
    ]
}
