//! Mechanisms for which the compiler or the engine once gave no message, panicked, or differed.

use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Inputs;
use mbs_core::{Describe, Mechanism, Momenta, Pose, State, StateView, Stepper, Zhong06, assemble, zero_inputs};
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use mbs_random::plan::Space;
use mbs_random::run::{Summary, run};

use crate::every_side::{check_laws, check_natural, side};

const FORMULATIONS: [Formulation; 3] = [Formulation::Body, Formulation::Joint, Formulation::Natural];

/// The mistakes that the compiler reports for a text in some coordinates; those of the engine have to be equal.
fn mistakes(text: &str, formulation: Formulation) -> String {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let compiled = match compile_text("text.mbs", text, options) {
        Ok(_) => String::new(),
        Err(failure) => failure.to_string(),
    };
    let run = match Engine::options().formulation(formulation).text(text) {
        Ok(_) => String::new(),
        Err(failure) => failure.to_string(),
    };
    let first = |report: &str| report.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    assert_eq!(first(&compiled), first(&run), "{formulation:?} of {text}");
    compiled
}

#[test]
fn bodies_that_do_not_close_are_reported_alike_in_natural_coordinates() {
    let links = "pub planar M {
        body crank   { mass: 1, inertia: 1, com: [0.1, 0] }
        body coupler { mass: 1, inertia: 1, com: [0.1, 0] }
        joint a = revolute(ground, crank);
        joint b = revolute(crank at [0.1, 0], coupler);
        joint c = revolute(ground at [5, 0], coupler at [1, 0]);
    }";
    let four_bar = "pub planar M {
        gravity: [0, -9.81];
        param a = 0.1; param b = 0.35; param c = 0.25;
        body crank   { mass: 0.2, inertia: 2e-4, com: [a / 2, 0], angle: 1.0 }
        body coupler { mass: 0.7, inertia: 7e-3, com: [b / 2, 0], angle: -1.12 }
        body rocker  { mass: 0.5, inertia: 3e-3, com: [c / 2, 0], angle: 4.32 }
        joint crank_bearing  = revolute(ground, crank);
        joint crank_pin      = revolute(crank at [a, 0], coupler);
        joint rocker_pin     = revolute(coupler at [b, 0], rocker at [c, 1.2209655620505791e2]);
        joint rocker_bearing = revolute(ground at [0.3, 0], rocker);
        freedoms: 1;
    }";
    let space = "pub spatial M {
        body crank   { mass: 1, inertia: [1, 1, 1], com: [0.1, 0, 0] }
        body coupler { mass: 1, inertia: [1, 1, 1], com: [0.1, 0, 0] }
        joint a = spherical(ground, crank);
        joint b = spherical(crank at [0.1, 0, 0], coupler);
        joint c = spherical(ground at [5, 0, 0], coupler at [1, 0, 0]);
    }";
    for text in [links, four_bar, space] {
        let found = FORMULATIONS.map(|formulation| mistakes(text, formulation));
        for report in &found {
            assert!(report.contains("[MBS063] `M` does not assemble: joint `"), "{report}\n{text}");
            assert!(report.contains(" misses by "), "{report}\n{text}");
        }
        assert_eq!(found[2], found[0], "natural and body coordinates of {text}");
    }
}

/// A long ellipse under a flat face, with a guess far from contact: whether undamped steps diverge depends on rounding.
#[test]
fn poses_far_from_contact_assemble_by_damped_steps() {
    let cam = |semi_axis: f64, face: f64| {
        format!(
            "planar Cam {{
                param offset = 0.012;
                body camshaft {{ mass: 0.02 }}
                body valve {{ position: [0, {face}] }}
                joint bearing = revolute(ground, camshaft);
                joint guide = prismatic(ground, valve) {{ axis: [0, 1] }};
                curve lobe(s) on camshaft = [0.04 * cos(s), {semi_axis} * sin(s) - offset] {{ closed: TAU }};
                curve face on valve = line([1, 0]);
                joint contact = cam(lobe, face);
                drive turn = bearing.angle == t;
            }}"
        )
    };
    for formulation in FORMULATIONS {
        for semi_axis in [0.3, 1.04] {
            for face in [0.0, 0.028, 0.3, 2.0] {
                assert_eq!(mistakes(&cam(semi_axis, face), formulation), "", "{formulation:?}, {semi_axis}, {face}");
            }
        }
    }
}

/// A platform on inclined legs of constant lengths, which are declared upright.
fn platform(legs: usize, condition: &str) -> String {
    format!(
        "pub spatial Platform {{
            gravity: [0, 0, -9.81];
            function foot(i) = [1.5 * cos(1.0 + 1.9 * i), 1.5 * sin(1.0 + 1.9 * i), 0];
            function ball(i) = [1.0 * cos(0.6 + 2.2 * i), 1.0 * sin(0.6 + 2.2 * i), 0];
            body top {{ mass: 3, inertia: [0.3, 0.4, 0.5], com: [0.1, 0, 0.05], position: [0, 0, 1.2] }}
            joint base = free(ground, top);
            for i in 0..{legs} {{
                body rod[i] {{ mass: 1, inertia: [0.08, 0.08, 0.001], com: [0, 0, 0.3] }}
                joint low[i]  = universal(ground at foot(i), rod[i]);
                joint high[i] = spherical(rod[i] at [0, 0, norm(ball(i) + [0, 0, 1.2] - foot(i))], top at ball(i));
            }}
            initial base.q = {condition};
        }}"
    )
}

#[test]
fn all_components_of_a_quaternion_can_be_constrained() {
    for legs in 3..=5 {
        let text = platform(legs, "[1, 0, 0, 0]");
        for formulation in FORMULATIONS {
            let sides = side(&text, formulation);
            let mut state = State::new(&sides.compiled);
            assemble(&sides.compiled, &mut state).unwrap_or_else(|error| panic!("{}: {error}", sides.label));
            let mut poses =
                vec![Pose { position: [0.0; 3], attitude: [1.0, 0.0, 0.0, 0.0] }; sides.compiled.sizes().n_bodies];
            sides.compiled.poses(state.view(&[]), &mut poses);
            let [w, x, y, z] = poses[0].attitude;
            // The square of a component, which is determined by residuals of 1e-10 in the others.
            assert!((w.abs() - 1.0).abs() < 1e-12 && [x, y, z].iter().all(|e| e.abs() < 1e-9), "{:?}", poses[0]);
        }
    }
}

#[test]
fn a_constrained_quaternion_has_unit_length() {
    for formulation in FORMULATIONS {
        let report = mistakes(&platform(3, "[0.5, 0.1, 0, 0]"), formulation);
        assert!(report.contains("`initial base.q` is no unit quaternion, its length is 0.50990195"), "{report}");
    }
}

#[test]
fn assembly_moves_coordinates_that_velocity_rows_constrain() {
    let plane = "pub planar Skate {
        param aside = 0.0;
        body base { mass: 2, inertia: 0.1, com: [0.1, 0.02] }
        joint j = free(ground, base);
        marker blade = base at [0.05, 0] { angle: 0.3 };
        constraint edge = dot(velocity(blade), blade.y) == 0;
        initial position(blade).x = 0.1, position(blade).y = aside, angle(base) = 0.2 * aside;
    }";
    let space = "pub spatial Skate {
        param aside = 0.0;
        body base { mass: 2, inertia: [0.1, 0.2, 0.15], com: [0.1, 0.02, 0.03] }
        joint j = free(ground, base);
        marker blade = base at [0.05, 0, 0];
        constraint edge = dot(velocity(blade), blade.y) == 0;
        constraint lift = dot(velocity(blade), blade.z) == 0;
        initial position(blade).x = 0.1, position(blade).y = aside, position(blade).z = -aside;
    }";
    for text in [plane, space] {
        for formulation in FORMULATIONS {
            let mut sides = side(text, formulation);
            for aside in [0.5, -2.0] {
                sides.engine.set_parameter("aside", aside).expect("it is a parameter");
                sides.compiled.set_parameters(&[aside]).expect("it is inside its domain");
                assert_start_of_skate(&sides.compiled, aside, &sides.label);
                assert_start_of_skate(&sides.engine, aside, &sides.label);
            }
        }
    }
}

/// Asserts that a skate starts at its conditions, without slipping.
fn assert_start_of_skate<M: Mechanism>(skate: &M, aside: f64, label: &str) {
    let mut state = State::new(skate);
    let report = assemble(skate, &mut state).unwrap_or_else(|error| panic!("{label}, {aside}: {error}"));
    assert!(report.position_residual < 1e-12 && report.position_iterations < 12, "{label}, {aside}: {report:?}");
    let mut residuals = vec![0.0; skate.sizes().n_velocity];
    skate.velocity_residuals(state.view(&[]), &mut residuals);
    assert!(residuals.iter().all(|psi| psi.abs() < 1e-12), "{label}, {aside}: {residuals:?}");
}

const PENDULUM: &str = "pub spatial Heavy {
    gravity: [0, 0, -9.81];
    kernels: [forward, kinematics, energies, outputs, momenta];
    body block { mass: 40, inertia: [[3, 0.2, -0.1], [0.2, 2, 0.3], [-0.1, 0.3, 4]], com: [0.4, -0.3, 0.2] }
    joint pin = spherical(ground, block at [0.1, 0.05, 0]);
    initial angular_velocity(block).x = 3, angular_velocity(block).y = -2, angular_velocity(block).z = 4;
    output energy = kinetic_energy;
}";

const LINKS: &str = "pub planar Links {
    gravity: [0, -9.81];
    kernels: [forward, kinematics, energies, outputs, momenta];
    body crank { mass: 5, inertia: 0.7, com: [0.3, -0.2] }
    body lever { mass: 20, inertia: 2, com: [0.1, 0.3], coordinates: natural { points: [[0, 0]], vectors: [[1, 0], [0.2, 1]] } }
    joint pin = revolute(ground, crank);
    joint knee = revolute(crank at [0.6, 0.1], lever);
    initial rate(crank) = 3, rate(lever) = -4;
    output energy = kinetic_energy;
}";

const FLIGHT: &str = "pub spatial Flight {
    kernels: [forward, kinematics, energies, outputs, momenta];
    body block { mass: 4, inertia: [[3, 0.2, -0.1], [0.2, 2, 0.3], [-0.1, 0.3, 4]], com: [0.4, -0.3, 0.2] }
    body bar { mass: 2, inertia: [0.3, 0.3, 0], com: [0, 0, 0.5], coordinates: natural { points: [[0, 0, 0], [0, 0, 1]] } }
    joint base = free(ground, block);
    joint ball = spherical(block at [0.5, 0, 0.1], bar);
    initial angular_velocity(block).x = 1, angular_velocity(block).y = -2, angular_velocity(block).z = 3;
    initial velocity(block).x = 0.5;
    output momentum = momentum(bodies);
    output turning = angular_momentum(bodies, ground at [0, 0, 0]);
}";

/// The state after 40 steps of 5 ms by the symmetric scheme of Zhong (2006), whose speeds satisfy their rows only in the mean.
fn after_steps<M: Momenta>(mechanism: &M, label: &str) -> [State<M>; 2] {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).unwrap_or_else(|error| panic!("{label}: {error}"));
    let start = state.clone();
    let mut stepper = Zhong06::new(mechanism, 5e-3);
    let run = stepper.advance_to(mechanism, &mut state, 0.2, &mut zero_inputs);
    run.unwrap_or_else(|error| panic!("{label}: {error}"));
    [start, state]
}

fn outputs<M: Mechanism>(mechanism: &M, at: StateView) -> Vec<f64> {
    let sizes = mechanism.sizes();
    let mut outputs = vec![0.0; sizes.n_outputs];
    mechanism.outputs(at, &vec![0.0; sizes.n_v], &vec![0.0; sizes.n_c], &mut outputs);
    outputs
}

/// T = ½ vᵀ M v, as an energy and as an output, also where v is not that of a rigid body.
fn assert_energy_of_mass_matrix<M: Momenta>(mechanism: &M, mass: impl Fn(StateView) -> Vec<f64>, label: &str) {
    let [_, state] = after_steps(mechanism, label);
    let (at, v) = (state.view(&[]), state.v.as_ref());
    let mass = mass(at);
    let momenta = mass.chunks_exact(v.len()).map(|row| row.iter().zip(v).map(|(m, v)| m * v).sum::<f64>());
    let kinetic = momenta.zip(v).map(|(p, v)| 0.5 * p * v).sum::<f64>();
    for reported in [mechanism.energy(at).kinetic, outputs(mechanism, at)[0]] {
        let miss = (reported - kinetic).abs() / kinetic;
        assert!(miss < 1e-12, "{label}: energies {kinetic} and {reported} differ by {miss:.1e}");
    }
}

#[test]
fn the_energy_of_a_state_is_that_of_its_speeds_and_mass_matrix() {
    for text in [PENDULUM, LINKS] {
        let sides = side(text, Formulation::Natural);
        assert_energy_of_mass_matrix(&sides.compiled, |at| sides.compiled.mass_matrix(at), &sides.label);
        let n = sides.engine.sizes().n_v;
        let mass = |at: StateView| {
            let mut mass = vec![0.0; n * n];
            sides.engine.mass_matrix(at, &mut mass);
            mass
        };
        assert_energy_of_mass_matrix(&sides.engine, mass, &sides.label);
    }
}

#[test]
fn momenta_of_free_flight_are_kept_to_round_off_in_natural_coordinates() {
    let sides = side(FLIGHT, Formulation::Natural);
    assert_momenta_are_kept(&sides.compiled, &sides.label);
    assert_momenta_are_kept(&sides.engine, &sides.label);
    let [start, end] = after_steps(&sides.compiled, &sides.label);
    let momentum = |state: &State<Interpreted>| {
        let inputs = Inputs { t: state.t, q: &state.q, v: &state.v, z: &state.z, u: &[], ..Inputs::default() };
        sides.compiled.run("momentum", inputs).expect("it is a function")
    };
    close(&momentum(&start)[0], &momentum(&end)[0], &sides.label);
}

fn assert_momenta_are_kept<M: Momenta>(mechanism: &M, label: &str) {
    let [start, end] = after_steps(mechanism, label).map(|state| outputs(mechanism, state.view(&[])));
    close(&start, &end, label);
}

/// The tolerance is 40 steps of some thousand roundings.
fn close(start: &[f64], end: &[f64], label: &str) {
    let size = start.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let miss = start.iter().zip(end).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(miss < 1e-11 * size, "{label}: {start:?} becomes {end:?}");
}

/// An output that is the load of a prescribed coordinate inboard of a floating body.
#[test]
fn the_load_of_a_prescribed_coordinate_is_one_at_any_accelerations() {
    let plane = "pub planar P {
        gravity: [1, -9.81];
        body b0 { mass: 0.1, inertia: 0.01, com: [0.1, 0.2], position: [0, 0], angle: 0 }
        body b1 { mass: 0.3, inertia: 0.02, com: [-0.1, 0.3], position: [0.5, 0.2], angle: 0.3 }
        particle p { mass: 0.7, position: [0.1, 0.9] }
        joint j0 = revolute(ground, b0);
        joint j1 = free(b0 at [0.1, 0], b1 at [0.2, 0.1]);
        particle r { mass: 0.4, position: [0.3, -0.9] }
        joint j2 = free(p, b0 at [0.3, 0.1]);
        joint j3 = free(b1, r);
        prescribe e0 = j0.angle == 0.1 * t;
        force pull = point_force(b1 at [0.1, 0.1]) { force: [2, 3] };
        output l = load(e0);
    }";
    let slide = "pub spatial P {
        gravity: [1, 0.5, -9.81];
        body b0 { mass: 0.1, inertia: [0.01, 0.02, 0.03], com: [0.1, 0.2, 0] }
        body b1 { mass: 0.3, inertia: [0.02, 0.01, 0.02], com: [-0.1, 0.3, 0.1], position: [0.5, 0.2, 0.1] }
        particle p { mass: 0.7, position: [0.1, 0.9, 0.2] }
        particle r { mass: 0.4, position: [0.3, -0.9, 0.2] }
        joint j0 = cylindrical(ground, b0) { axis: [0.6, 0, 0.8] };
        joint j1 = free(b0 at [0.1, 0, 0], b1 at [0.2, 0.1, 0]);
        joint j2 = free(b1 at [0.1, 0, 0], p);
        joint j3 = free(r, b0 at [0.1, 0, 0.3]);
        prescribe turn = j0.angle == 0.1 * t;
        prescribe shift = j0.position == 0.3 * t * t;
        output l = load(turn); output s = load(shift);
    }";
    for text in [plane, slide] {
        let sides = side(text, Formulation::Joint);
        let sizes = sides.compiled.sizes();
        let mut state = State::new(&sides.compiled);
        assemble(&sides.compiled, &mut state).expect("it is a tree");
        state.t = 0.7;
        let values = |n: usize, k: f64| (0..n).map(|i| (k + 1.7 * i as f64).sin()).collect::<Vec<_>>();
        state.v = values(sizes.n_v, 0.3).into();
        let (a, lambda) = (values(sizes.n_v, 1.1), vec![0.0; sizes.n_c]);
        let outputs_of = |mechanism: &dyn Fn(&mut [f64])| {
            let mut outputs = vec![0.0; sizes.n_outputs];
            mechanism(&mut outputs);
            outputs
        };
        let at = state.view(&[]);
        let compiled = outputs_of(&|outputs| sides.compiled.outputs(at, &a, &lambda, outputs));
        let run = outputs_of(&|outputs| sides.engine.outputs(at, &a, &lambda, outputs));
        for (compiled, run) in compiled.iter().zip(&run) {
            // Some hundred operations on numbers of this size.
            assert!((compiled - run).abs() < 1e-12 * (1.0 + run.abs()), "{}: {compiled} and {run}", sides.label);
        }
    }
}

/// The reaction of a joint that is switched off is zero, and does not contribute to the reaction of the joint of the tree, at any multipliers.
#[test]
fn a_joint_that_is_switched_off_exerts_nothing_at_any_multipliers() {
    let text = "pub spatial P {
        gravity: [0, 0, -9.81];
        switch grip = off;
        body arm { mass: 1, inertia: [0.1, 0.2, 0.3], com: [0.5, 0, 0] }
        joint pivot = revolute(ground, arm) { axis: [0, 1, 0] };
        joint hold = distance(ground at [0, 0, 1], arm at [1, 0, 0]) { length: sqrt(2), enabled: grip };
        output let_go = reaction(hold).force;
        output bearing = reaction(pivot).force;
    }";
    for formulation in [Formulation::Joint, Formulation::Body, Formulation::Natural] {
        let sides = side(text, formulation);
        let sizes = sides.compiled.sizes();
        let mut state = State::new(&sides.compiled);
        assemble(&sides.compiled, &mut state).expect("it is a tree");
        let at = state.view(&[]);
        let a = vec![0.0; sizes.n_v];
        let outputs_of = |mechanism: &dyn Fn(&[f64], &mut [f64])| {
            [0.0, 7.0].map(|lambda| {
                let lambda: Vec<f64> =
                    (0..sizes.n_c).map(|r| if sides.compiled.is_switched(r) { lambda } else { 1.0 }).collect();
                let mut outputs = vec![f64::NAN; sizes.n_outputs];
                mechanism(&lambda, &mut outputs);
                outputs
            })
        };
        for [none, some] in [
            outputs_of(&|lambda, outputs| sides.compiled.outputs(at, &a, lambda, outputs)),
            outputs_of(&|lambda, outputs| sides.engine.outputs(at, &a, lambda, outputs)),
        ] {
            assert_eq!(none[..3], [0.0; 3], "{}", sides.label);
            assert_eq!(none, some, "{}", sides.label);
        }
    }
}

/// Two joints of a declared kind connect to a body at its declared pose, which Newton's method does not find from coordinates of 0.
#[test]
fn coordinates_of_declared_kinds_are_found_where_the_declared_pose_closes() {
    let text = "pub spatial Random {
        joint kind Wobble(a, b, g) {
            coordinate q: [3];
            pose {
                rotation: [q[0], 0.5 * q[1], q[2]], axes: [[0.6, 0, 0.8], [0, 1, 0], [1, 0, -0.2]],
                translation: [0, g * q[1], 0.1 * q[0] * q[2]]
            }
        }
        body b0 { mass: 0.5, inertia: [0.3, 0.4, 0.5], com: [0.1, 0, 0.2],
            position: [0.002332538022753461, 0.3767162904480687, 0.4223706384498471],
            rotation: axis_angle([0.2970306144525443, 0.5786373366629908, 0.7595733320078482], 2.812296306259308) }
        marker m9 = ground at [-0.05, 0.5, -0.1] { rotation: axis_angle([0, 0, 1], 1) };
        marker m12 = b0 at [0.35, -0.5, -0.05];
        marker m16 = ground at [0, -0.05, 0.2];
        marker m17 = b0 at [-0.3017842693380961, -0.08606874795543523, -0.36477302465702705]
            { rotation: euler(zyx, [2.1788361284489794, 0.33939694680663796, 0.3169269591706104]) };
        joint j0 = Wobble(m9, m12) { g: 0.5, cut: true };
        joint j1 = Wobble(m16, m17) { g: 0.25 };
    }";
    for formulation in FORMULATIONS {
        assert_eq!(mistakes(text, formulation), "", "{formulation:?}");
    }
}

/// Rows of a declared kind that closes a loop also vanish half a revolution from its pose: if coordinates were fitted there, the body would rotate
/// by half a revolution when a drive sets them.
#[test]
fn a_joint_kind_does_not_start_half_a_revolution_from_its_pose() {
    let text = "pub spatial P {
        joint kind Hinge(a, b) { coordinate turn: angle; pose { rotation: [turn, 0, 0], translation: [0, 0, 0] } }
        body flap { mass: 1, inertia: [0.1, 0.1, 0.1], rotation: axis_angle([1, 0, 0], 1.3) }
        joint pin = Hinge(ground, flap) { cut: true };
        drive motor = pin.turn == 1.3 + 0.1 * t;
        output up = flap.y.y;
    }";
    for formulation in FORMULATIONS {
        let sides = side(text, formulation);
        for up in [started(&sides.compiled), started(&sides.engine)] {
            // Some roundings.
            assert!((up[0] - 1.3_f64.cos()).abs() < 1e-12, "{}: {up:?}", sides.label);
        }
    }
}

/// Outputs at the start.
fn started<M: Mechanism>(mechanism: &M) -> Vec<f64> {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).expect("it is declared closed");
    outputs(mechanism, state.view(&[]))
}

#[test]
fn a_body_without_inertia_on_a_hinge_through_its_centre_of_mass_can_turn_without_inertia() {
    let hinge = "pub spatial M {
        body b { mass: 1.9, com: [-0.3, 0.05, -0.2], rotation: axis_angle([-1, -1, -1], 0.2) }
        joint j = revolute(ground at [0.45, 0.4, -0.1], b at com) { axis: [-0.5, -0.5, -0.5] };
    }";
    // A flywheel of a microgram on an arm of ten kilograms has a mass.
    let arm = "pub spatial M {
        gravity: [0, 0, -9.81];
        body arm { mass: 10, inertia: [0.1, 1, 1], com: [1, 0, 0] }
        body wheel { mass: 1e-9, inertia: [1e-15, 1e-15, 2e-15], position: [2, 0, 0] }
        joint shoulder = revolute(ground, arm) { axis: [0, 1, 0] };
        joint axle = revolute(arm at [2, 0, 0], wheel) { axis: [0, 0, 1] };
    }";
    for formulation in FORMULATIONS {
        let found = mistakes(hinge, formulation);
        assert!(found.contains("[MBS064] body `b` can turn without inertia"), "{formulation:?}: {found}");
        assert_eq!(mistakes(arm, formulation), "", "{formulation:?}");
    }
}

/// Mechanisms, by seed and number, that violated laws once.
#[test]
#[ignore = "takes a minute: `.ci/run --full`"]
fn random_mechanisms_that_violated_laws_obey_every_law() {
    let found = [
        (Space::Planar, 777_001, 88),
        (Space::Planar, 777_001, 141),
        (Space::Planar, 777_001, 964),
        // A distance of 9 mm at 4 m/s: differences with one step and with twice the step were wrong alike.
        (Space::Planar, 1_795_923_541, 48),
        // The load of a prescribed coordinate of a declared kind was measured on that coordinate, again and again.
        (Space::Planar, 11_292_611, 2326),
        (Space::Spatial, 777_002, 38),
        (Space::Spatial, 5_300_001, 192),
        (Space::Spatial, 5_300_001, 1351),
        (Space::Spatial, 5_300_001, 1688),
        (Space::Spatial, 5_300_001, 1325),
        // The compiler dropped derivatives that vanish where two attitudes rotate about one axis.
        (Space::Spatial, 5_300_001, 3217),
        // Ended an iteration before round-off.
        (Space::Spatial, 5_300_001, 3186),
        // Revolutions that the engine did not store with a prescribed coordinate and a body in natural coordinates.
        (Space::Spatial, 5_300_001, 4147),
        // An event whose rate depends on accelerations through a state.
        (Space::Planar, 424_243, 7116),
        (Space::Planar, 424_243, 4958),
        // Coordinates of a joint kind found by the last of many starts.
        (Space::Spatial, 98, 61),
        // Reactions at multipliers of a joint that is switched off.
        (Space::Spatial, 251_125, 67),
        // A row with an angle beyond its pole, which body coordinates measure differently.
        (Space::Spatial, 5_300_001, 4146),
        // Rows with others of a thousandth of their size, and a massless body.
        (Space::Planar, 2_611_260_223, 727),
        (Space::Planar, 2_611_260_223, 6502),
        (Space::Planar, 2_611_260_223, 6684),
        // A body in natural coordinates half a revolution from its declared angle.
        (Space::Planar, 1_796_049_448, 17),
        // The load of a prescribed coordinate with a load on an angle that is an independent unknown.
        (Space::Spatial, 2_711_260_401, 1491),
        // The shortest speeds of nearly dependent conditions, with the square of their condition number.
        (Space::Spatial, 2_611_281_340, 356),
        // An event on a choice between a number and a `let` of the same number, which is refused.
        (Space::Spatial, 2_611_301_550, 541),
        // G of a row of accelerations at a thousandth of a radian from the pole of Euler angles.
        (Space::Spatial, 2_611_300_916, 888),
        // A row that multiplies three lengths, assembled 300 m away.
        (Space::Spatial, 2_611_301_842, 27),
        // Natural coordinates whose M has a larger condition than that of body coordinates.
        (Space::Planar, 2_612_010_003, 94),
        (Space::Planar, 2_611_302_320, 290),
        // An event that assigns an acceleration close to a singular state.
        (Space::Spatial, 2_612_010_137, 785),
        // A body without inertia on a hinge through its centre of mass, whose parallel-axis terms leave a rounding.
        (Space::Spatial, 2_612_010_240, 762),
    ];
    let check = || {
        for (space, seed, case) in found {
            if let Err(found) = run(space, seed, case, &mut Summary::default()) {
                panic!("{}\n{}", found.original.violation, found.original.text);
            }
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, check);
        thread.expect("a thread starts").join().expect("every law is obeyed");
    });
}

/// The tolerance is some thousand roundings.
#[track_caller]
pub(crate) fn nearly(found: &[f64], expected: &[f64], label: &str) {
    let size = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    let miss = found.iter().zip(expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(miss < 1e-10 * size, "{label}: {found:?}, not {expected:?}");
}

/// The normals of an axis are determined by the text, for numbers and parameters alike.
#[test]
fn an_axis_of_parameters_has_the_normals_of_its_numbers() {
    let text = |axis: &str| {
        format!(
            "pub spatial Plane {{
                param lean = -0.7;
                gravity: [0, 0, -9.81];
                body plate {{ mass: 1, inertia: [1, 1, 1], position: [0.1, 0.3, 0.5] }}
                joint glides = planar_fixed(ground, plate) {{ normal: {axis} }};
                output at = glides.position;
            }}"
        )
    };
    for formulation in FORMULATIONS {
        let of = |axis: &str| {
            let sides = side(&text(axis), formulation);
            let state = State::new(&sides.compiled);
            let at = state.view(&[]);
            [outputs(&sides.compiled, at), outputs(&sides.engine, at)]
        };
        let [numbers, parameters] = ["[-0.7, 0, -1]", "[lean, 0, -1]"].map(of);
        for found in [&numbers[1], &parameters[0], &parameters[1]] {
            nearly(found, &numbers[0], &format!("{formulation:?}"));
        }
        // b̂ is the y axis, since the text has zero as that component.
        assert!((numbers[0][1] - 0.3).abs() < 1e-12, "{formulation:?}: {numbers:?}");
    }
}

#[test]
fn a_centre_of_mass_too_far_for_moments_of_inertia_is_refused() {
    let text = "pub spatial Far {
        gravity: [0, 0, -9.81];
        body far { mass: 0.6, inertia: [0.4, 0.6, 0.8], com: [1e308, 0, 0.6] }
        joint base = free(ground, far);
    }";
    for formulation in FORMULATIONS {
        let found = mistakes(text, formulation);
        assert!(
            found.contains("[MBS030] the mass times the square of `com` is not finite"),
            "{formulation:?}: {found}"
        );
    }
}

/// Differences over a step and its multiples see nothing of a row that oscillates once, or twice, in a step.
#[test]
fn rows_that_oscillate_within_a_step_of_differences_are_in_doubt() {
    check_laws(
        "pub planar Wave {
            body plate { mass: 1, inertia: 0.2, com: [0.3, 0.1] }
            joint free = free(ground, plate);
            constraint track = position(plate).x == 1e-3 * sin(TAU * 2000 * t + 1);
            constraint pace = velocity(plate).y == 1e-3 * sin(TAU * 2000 * t + 1);
        }",
    );
}

/// Rows in natural coordinates are in terms of directions, also of those that turn on ground.
#[test]
fn bodies_in_natural_coordinates_slide_along_axes_that_turn_on_ground() {
    check_natural(
        "pub planar Rail {
            gravity: [0, -9.81];
            body carriage { mass: 0.1, inertia: 0.01, com: [-0.25, -0.1] }
            marker rail = ground at [0.1, 0.03 * sin(1.5 * t)] { angle: 0.1 * t + 0.2 };
            joint slide = prismatic(rail, carriage at [0, 0.4]) { axis: [1.4, -0.4] };
            potential f = sin(slide.position);
        }",
    );
}
