//! Reactions of joints: equal in every formulation and in the engine, and with the signs of closed forms.

use mbs::{Describe, Item, Mechanism, Reaction, RowKind, State, assemble};
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::mechanisms::harness::ledger::Ledger;
use crate::mechanisms::harness::{
    FORMULATIONS, accelerations, compiled_fma, corpus, engine, for_each_consistent_state, interpret, to_body,
};

/// States per mechanism.
const STATES: usize = 10;

fn reactions<M: Mechanism>(
    mechanism: &M,
    at: &crate::mechanisms::harness::OwnedState,
    (a, lambda): (&[f64], &[f64]),
) -> Vec<Reaction> {
    let mut reactions = vec![Reaction::default(); mechanism.sizes().n_joints];
    mechanism.reactions(at.view(), a, lambda, &mut reactions);
    reactions
}

/// Compares force and moment of each joint with those of another source; a moment counts as a force on an arm of a metre.
fn compare<M: Describe>(
    mechanism: &M,
    got: &[Reaction],
    expected: &[Reaction],
    at: &crate::mechanisms::harness::OwnedState,
    ledger: &mut Ledger,
) {
    let largest =
        expected.iter().flat_map(|r| r.force.into_iter().chain(r.torque)).fold(1e-3, |m: f64, x| m.max(x.abs()));
    for (j, (got, expected)) in got.iter().zip(expected).enumerate() {
        let name = mechanism.name(Item::Joint(j));
        for k in 0..3 {
            ledger.record(&format!("{name} point {k}"), got.point[k], expected.point[k], 1.0, at);
            ledger.record(&format!("{name} force {k}"), got.force[k], expected.force[k], largest, at);
            ledger.record(&format!("{name} torque {k}"), got.torque[k], expected.torque[k], largest, at);
        }
    }
}

/// 1e-9 of the largest, as for accelerations: body coordinates of a tree of n bodies have three times the rows.
#[test]
fn reactions_are_the_same_in_every_formulation() {
    for path in crate::mechanisms::harness::planar_files() {
        let stem = crate::mechanisms::harness::stem_of(&path);
        let [body, joint] = FORMULATIONS.map(|formulation| corpus(&stem, formulation, compiled_fma()));
        let mut ledger = Ledger::default();
        for_each_consistent_state(&stem, joint, STATES, |_, at| {
            let Some((a, lambda)) = ledger.count(accelerations(joint, at)) else { return };
            let (state, _) = to_body(joint, body, at, &a);
            let Some((b, mu)) = accelerations(body, &state) else { return };
            let [found, expected] = [reactions(joint, at, (&a, &lambda)), reactions(body, &state, (&b, &mu))];
            compare(joint, &found, &expected, at, &mut ledger);
        });
        ledger.settle(&stem, 1e-9);
    }
}

/// Tolerance 1e-10 of the largest value, as for other kernels.
#[test]
fn reactions_are_those_of_the_engine() {
    for path in crate::mechanisms::harness::planar_files() {
        for formulation in FORMULATIONS {
            let stem = crate::mechanisms::harness::stem_of(&path);
            let (compiled, engine) = (corpus(&stem, formulation, compiled_fma()), engine(&stem, formulation));
            let mut ledger = Ledger::default();
            for_each_consistent_state(&stem, compiled, STATES, |_, at| {
                let Some((a, lambda)) = accelerations(compiled, at) else { return };
                let [found, expected] = [reactions(compiled, at, (&a, &lambda)), reactions(&engine, at, (&a, &lambda))];
                compare(compiled, &found, &expected, at, &mut ledger);
                let n = at.v.len();
                let [mut found, mut expected] = [vec![0.0; n], vec![0.0; n]];
                compiled.velocity_forces(at.view(), &mut found);
                engine.velocity_forces(at.view(), &mut expected);
                let mut total = vec![0.0; n];
                compiled.generalized_forces(at.view(), &mut total);
                ledger.record_all(
                    "velocity forces",
                    &found,
                    &expected,
                    crate::mechanisms::harness::size(&total).max(1.0),
                    at,
                );
            });
            for row in 0..compiled.sizes().n_c {
                assert_eq!(compiled.row_kind(row), engine.row_kind(row), "{stem}: row {row}");
            }
            ledger.settle(&format!("{stem} ({formulation:?})"), 1e-10);
        }
    }
}

/// A mechanism at rest in its assembled state, in every formulation, compiled and by the engine.
fn at_rest(text: &str, check: impl Fn(&str, &dyn Fn(&str) -> Reaction, &[f64])) {
    for formulation in FORMULATIONS {
        let interpreted = interpret("test", text, Some(formulation), compiled_fma());
        check(
            &format!("{formulation:?}, compiled"),
            &|joint| reaction_and_outputs(&interpreted, joint).0,
            &reaction_and_outputs(&interpreted, "").1,
        );
        let engine = Engine::options().formulation(formulation).text(text).expect("the compiler takes it");
        check(
            &format!("{formulation:?}, engine"),
            &|joint| reaction_and_outputs(&engine, joint).0,
            &reaction_and_outputs(&engine, "").1,
        );
    }
}

/// Reaction of a joint, and the outputs.
fn reaction_and_outputs<M: Describe>(mechanism: &M, joint: &str) -> (Reaction, Vec<f64>) {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).expect("it assembles");
    let s = mechanism.sizes();
    let (mut a, mut lambda) = (vec![0.0; s.n_v], vec![0.0; s.n_c]);
    let u = vec![0.0; s.n_u];
    mechanism.accelerations(state.view(&u), &mut a, &mut lambda).expect("regular");
    let mut reactions = vec![Reaction::default(); s.n_joints];
    mechanism.reactions(state.view(&u), &a, &lambda, &mut reactions);
    let mut outputs = vec![0.0; s.n_outputs];
    mechanism.outputs(state.view(&u), &a, &lambda, &mut outputs);
    let found = (0..s.n_joints).find(|j| mechanism.name(Item::Joint(*j)) == joint);
    (found.map(|j| reactions[j]).unwrap_or_default(), outputs)
}

fn assert_near(label: &str, got: [f64; 3], expected: [f64; 3]) {
    // Sums of a few products of numbers below 100.
    assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{label}: {got:?}, not {expected:?}");
}

#[test]
fn a_hanging_mass_is_supported_by_an_upward_force() {
    let text = "planar Hanging {
        gravity: [0, -10];
        body first { mass: 2, inertia: 0.1, com: [0, -0.5] }
        body second { mass: 3, inertia: 0.1, com: [0, -0.5] }
        joint top = revolute(ground, first);
        joint pin = revolute(second at [0, 0], first at [0, -1]);
        joint plate = fixed(ground at [2, 0], scale at [0, 1]);
        particle scale_pan { mass: 1, position: [2, -2] }
        joint hook = revolute(scale at [0, 0], scale_pan);
        body scale { mass: 4, inertia: 0.2, com: [0.5, 0], position: [2, -1] }
        output top = reaction(top).force;
        output moment = reaction(plate).torque;
    }";
    at_rest(text, |label, of, outputs| {
        assert_near(label, of("top").force, [0.0, 50.0, 0.0]);
        // The first end is the suspended body: the joint pulls its second end down.
        assert_near(label, of("pin").force, [0.0, -30.0, 0.0]);
        assert_near(label, of("pin").point, [0.0, -1.0, 0.0]);
        assert_near(label, of("plate").force, [0.0, 50.0, 0.0]);
        // 4 kg half a metre to the right of the plate's end have a clockwise moment; the plate exerts the opposite one.
        assert_near(label, of("plate").torque, [0.0, 0.0, 20.0]);
        assert_near(label, of("hook").force, [0.0, 10.0, 0.0]);
        assert_near(label, [outputs[0], outputs[1], outputs[2]], [0.0, 50.0, 20.0]);
    });
}

#[test]
fn a_guided_slider_is_constrained_across_its_axis_and_in_rotation() {
    // A load of 7 N along the axis, 0.2 m off it, and weight; a drive fixes the slide.
    let text = "planar Guided {
        gravity: [0, -10];
        body slider { mass: 2, inertia: 0.1, com: [0.1, 0], position: [0.5, 0] }
        joint guide = prismatic(ground, slider) { axis: [1, 0] };
        force push = point_force(slider at [0, 0.2]) { force: [7, 0] };
        drive stop = guide.position == 0.5;
        output holding = load(stop);
        output on_slider = reaction(stop, slider).force;
        output moment = reaction(stop, slider).torque;
        output axial = reaction(guide).force.x;
    }";
    at_rest(text, |label, of, outputs| {
        assert_near(label, of("guide").force, [0.0, 20.0, 0.0]);
        // Weight 0.1 m to the right: −2 N m; push 0.2 m above: −1.4 N m. The guide balances both.
        assert_near(label, of("guide").torque, [0.0, 0.0, 3.4]);
        // The force along the axis is that of the drive.
        assert_near(label, [outputs[0], outputs[1], outputs[2]], [-7.0, -7.0, 0.0]);
        assert_near(label, [outputs[3], outputs[4], 0.0], [0.0, 0.0, 0.0]);
    });
    // With exchanged ends the second end of the guide is on ground, and receives the opposite reaction.
    let exchanged = "planar Exchanged {
        gravity: [0, -10];
        body slider { mass: 2, inertia: 0.1, com: [0.1, 0], position: [0.5, 0] }
        joint guide = prismatic(slider, ground) { axis: [1, 0] };
        force push = point_force(slider at [0, 0.2]) { force: [7, 0] };
        drive stop = guide.position == -0.5;
    }";
    at_rest(exchanged, |label, of, _| {
        assert_near(label, of("guide").force, [0.0, -20.0, 0.0]);
        assert_near(label, of("guide").point, [0.0; 3]);
        // About the world's origin: 2 · 10 N at 0.6 m, 7 N at 0.2 m, both clockwise on ground.
        assert_near(label, of("guide").torque, [0.0, 0.0, -13.4]);
    });
}

#[test]
fn a_gear_pair_transmits_moments_by_its_ratio() {
    // angle_wheel = −2 angle_pinion: 3 N m on the pinion are in equilibrium with 1.5 N m on the wheel.
    let text = "planar Gears {
        body pinion { mass: 1, inertia: 0.1 }
        body wheel { mass: 4, inertia: 0.8, position: [0.3, 0] }
        joint pinion_bearing = revolute(ground, pinion);
        joint wheel_bearing = revolute(ground at [0.3, 0], wheel);
        joint mesh = gear(wheel_bearing, pinion_bearing) { ratio: -2 };
        force motor = torque(ground, pinion) { torque: 3 };
        drive brake = wheel_bearing.angle == 0;
        output mesh = load(mesh);
        output brake = load(brake);
    }";
    at_rest(text, |label, of, outputs| {
        // The brake exerts 1.5 N m on the wheel; the gear exerts 3 N m on the pinion.
        assert_near(label, of("mesh").torque, [0.0, 0.0, -3.0]);
        assert_near(label, of("mesh").force, [0.0; 3]);
        assert_near(label, of("wheel_bearing").force, [0.0; 3]);
        assert_near(label, [outputs[0], outputs[1], 0.0], [-1.5, 1.5, 0.0]);
    });
}

#[test]
fn rows_name_their_items() {
    let kinds = |text: &str| -> Vec<(String, RowKind)> {
        let interpreted: Interpreted = interpret("test", text, Some(Formulation::Body), compiled_fma());
        let name = |r: usize| interpreted.name(Item::Row(r)).to_owned();
        (0..interpreted.sizes().n_c).map(|r| (name(r), interpreted.row_kind(r))).collect()
    };
    let found = kinds(
        "planar Kinds {
            body a { mass: 1, inertia: 1 }
            body b { mass: 1, inertia: 1, position: [1, 0] }
            joint first = revolute(ground, a);
            joint second = revolute(ground at [1, 0], b);
            coupling alike = first.angle == 2 * second.angle;
            drive turn = first.angle == t;
        }",
    );
    let expected = [
        ("first.x", RowKind::Joint(0)),
        ("first.y", RowKind::Joint(0)),
        ("second.x", RowKind::Joint(1)),
        ("second.y", RowKind::Joint(1)),
        ("alike", RowKind::Coupling),
        ("turn", RowKind::Drive),
    ];
    let expected: Vec<(String, RowKind)> = expected.map(|(name, kind)| (name.to_owned(), kind)).into();
    assert_eq!(found, expected);
}
