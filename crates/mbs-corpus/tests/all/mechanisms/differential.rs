//! Compiled code against the interpreter of its program, bit for bit, in every method of `Mechanism` and every stage.
//!
//! The compiled side rounds multiply-adds as this build does (`mbs::math::FUSED`), and the interpreter follows. The other choice
//! is tested by running the same file with FMA compiled in:
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" CARGO_TARGET_DIR=target/native cargo test -p mbs-corpus --test all differential
//! ```

use mbs::{Describe, Energy, FullMechanism, Item, Level, Mechanism, Pose, Reaction};
use mbs_compiler::interp::{Fma, Inputs};
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::mechanisms::harness::ledger::Ledger;
use crate::mechanisms::harness::{OwnedState, Random, corpus, for_each_consistent_state, for_each_state, seed, size};
use crate::tiers::by_tier;

/// States per mechanism and formulation.
fn states() -> usize {
    by_tier(200, 1_000)
}

/// All results of a mechanism at a state, by method.
fn readings<M: FullMechanism>(mechanism: &M, at: &OwnedState, random: &mut Random) -> Vec<(&'static str, Vec<f64>)> {
    let sizes = mechanism.sizes();
    let mut list: Vec<(&'static str, Vec<f64>)> = Vec::new();
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    let verdict = mechanism.accelerations(at.view(), &mut a, &mut lambda);
    list.push(("a", a.clone()));
    list.push(("lambda", lambda.clone()));
    list.push(("verdict of accelerations", verdict_bits(verdict)));
    let (f, g) = (random.vector(sizes.n_v, 2.0), random.vector(sizes.n_c, 2.0));
    let (mut x, mut mu) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    let verdict = mechanism.solve(at.view(), &f, &g, &mut x, &mut mu);
    list.push(("x of solve", x));
    list.push(("mu of solve", mu));
    list.push(("verdict of solve", verdict_bits(verdict)));
    let mut fill = |name: &'static str, n: usize, method: &mut dyn FnMut(&mut [f64])| {
        let mut values = vec![0.5; n];
        method(&mut values);
        list.push((name, values));
    };
    fill("phi", sizes.n_position, &mut |phi| mechanism.position_residuals(at.view(), phi));
    fill("psi", sizes.n_velocity, &mut |psi| mechanism.velocity_residuals(at.view(), psi));
    fill("G", sizes.n_velocity * sizes.n_v, &mut |g| Mechanism::constraint_jacobian(mechanism, at.view(), g));
    fill("coordinate rates", sizes.n_q, &mut |rates| mechanism.coordinate_rates(at.t, &at.q, &at.v, rates));
    fill("rates of z", sizes.n_z, &mut |rates| mechanism.auxiliary_rates(at.view(), rates));
    fill("memories", at.z.len(), &mut |z| {
        z.copy_from_slice(&at.z);
        mechanism.remember(at.t, &at.q, z);
    });
    fill("Q", sizes.n_v, &mut |forces| mechanism.generalized_forces(at.view(), forces));
    fill("velocity forces", sizes.n_v, &mut |forces| mechanism.velocity_forces(at.view(), forces));
    fill("outputs", sizes.n_outputs, &mut |outputs| mechanism.outputs(at.view(), &a, &lambda, outputs));
    fill("body Jacobians", 6 * sizes.n_bodies * sizes.n_v, &mut |j| mechanism.body_jacobians(at.view(), j));
    fill("retracted", sizes.n_q, &mut |q| {
        q.copy_from_slice(&at.q);
        mechanism.retract(at.t, q, &at.v, &mut vec![0.0; sizes.n_q]);
    });
    let Energy { kinetic, potential } = mechanism.energy(at.view());
    list.push(("energy", vec![kinetic, potential]));
    let mut reactions = vec![Reaction::default(); sizes.n_joints];
    mechanism.reactions(at.view(), &a, &lambda, &mut reactions);
    list.push(("reactions", reactions.iter().flat_map(|r| [r.point, r.force, r.torque].concat()).collect()));
    let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); sizes.n_bodies];
    mechanism.poses(at.view(), &mut poses);
    list.push(("poses", poses.iter().flat_map(|p| p.position.into_iter().chain(p.attitude)).collect()));
    let mut markers = vec![[0.5; 3]; sizes.n_markers];
    mechanism.marker_positions(at.view(), &mut markers);
    list.push(("markers", markers.concat()));
    let (mut values, mut rates) = (vec![0.5; sizes.n_events], vec![0.5; sizes.n_events]);
    let verdict = mechanism.event_values(at.view(), &mut values).and(mechanism.event_rates(at.view(), &mut rates));
    list.push(("values of events", values));
    list.push(("rates of events", rates));
    list.push(("verdict of events", verdict_bits(verdict)));
    for event in 0..sizes.n_events {
        let (mut z, declared) = (at.z.clone(), mechanism.event(event));
        let mut targets = vec![0.5; declared.conditions];
        let verdict = mechanism.event_assignments(event, at.view(), &mut z, &mut targets);
        let kind = [declared.first_condition, declared.trigger as usize];
        list.push(("assignments of an event", [z, targets, kind.map(|k| k as f64).to_vec()].concat()));
        list.push(("verdict of an event", verdict_bits(verdict)));
    }
    for c in 0..sizes.n_conditions + sizes.n_event_conditions {
        let mut gradient = vec![0.5; sizes.n_v];
        let condition = mechanism.initial_condition(c, at.view(), &mut gradient);
        gradient.extend([condition.residual, if condition.level == Level::Position { 0.0 } else { 1.0 }]);
        list.push(("initial condition", gradient));
    }
    list
}

fn verdict_bits(verdict: Result<(), mbs::Error>) -> Vec<f64> {
    match verdict {
        Ok(()) => vec![0.0],
        Err(mbs::Error::Singular { row, t }) => vec![1.0, row as f64, t],
        Err(mbs::Error::NotFinite { t }) => vec![2.0, t],
        Err(other) => panic!("{other}"),
    }
}

/// Bits of a number; all NaN are one.
fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

fn assert_bits(label: &str, name: &str, compiled: &[f64], interpreted: &[f64], at: &OwnedState) {
    let same =
        compiled.len() == interpreted.len() && compiled.iter().zip(interpreted).all(|(x, y)| bits(*x) == bits(*y));
    assert!(same, "{label}: {name} is {compiled:?} compiled, {interpreted:?} interpreted, at {at:?}");
}

/// Compares a compiled mechanism with the interpreter, method by method.
fn assert_same<M: FullMechanism>(label: &str, compiled: &M, interpreted: &Interpreted) {
    assert_eq!(compiled.sizes(), interpreted.sizes(), "{label}");
    assert_eq!(compiled.is_spatial(), interpreted.is_spatial(), "{label}");
    let visuals = |i| (compiled.visual(i), interpreted.visual(i));
    for (found, expected) in (0..).map(visuals).take_while(|(found, expected)| found.is_some() || expected.is_some()) {
        assert_eq!(found, expected, "{label}");
    }
    for joint in 0..=compiled.sizes().n_joints {
        assert_eq!(compiled.limits(joint), interpreted.limits(joint), "{label}");
    }
    assert_same_names(label, compiled, interpreted);
    let start = |q: &[f64], v: &[f64], z: &[f64]| [q, v, z].concat();
    let (found, expected) = (mbs::State::new(compiled), mbs::State::new(interpreted));
    let found = start(found.q.as_ref(), found.v.as_ref(), found.z.as_ref());
    assert_eq!(found, start(expected.q.as_ref(), expected.v.as_ref(), expected.z.as_ref()), "{label}: guess");
    let seed = seed(label);
    for_each_state(label, interpreted, states(), |k, at| {
        let found = readings(compiled, at, &mut Random::new(seed + k as u128));
        let expected = readings(interpreted, at, &mut Random::new(seed + k as u128));
        for ((name, found), (_, expected)) in found.iter().zip(&expected) {
            assert_bits(label, name, found, expected, at);
        }
    });
}

fn assert_same_names<M: Describe>(label: &str, compiled: &M, interpreted: &Interpreted) {
    let s = compiled.sizes();
    let parameters = (0..interpreted.parameters().len()).map(Item::Parameter);
    for item in mbs_random::laws::items(s).chain(parameters) {
        assert_eq!(compiled.name(item), interpreted.name(item), "{label}: {item:?}");
        assert_ne!(compiled.name(item), "", "{label}: {item:?}");
    }
    for row in 0..=s.n_c {
        assert_eq!(compiled.row_kind(row), interpreted.row_kind(row), "{label}: row {row}");
    }
    for body in 0..=s.n_bodies {
        assert_eq!(compiled.placement(body), interpreted.placement(body), "{label}: body {body}");
    }
    for marker in 0..=s.n_markers {
        assert_eq!(compiled.marker_body(marker), interpreted.marker_body(marker), "{label}: marker {marker}");
    }
}

/// An array from a slice of its length.
fn array<const N: usize>(values: &[f64]) -> [f64; N] {
    values.try_into().expect("sizes agree")
}

/// Pose of a body, as a stage or the trait returns it.
trait Posed {
    fn pose(&self) -> Pose;
}

impl Posed for [f64; 3] {
    fn pose(&self) -> Pose {
        Pose::planar(self[0], self[1], self[2])
    }
}

impl Posed for Pose {
    fn pose(&self) -> Pose {
        *self
    }
}

/// Positions and quaternions.
fn numbers(poses: &[impl Posed]) -> Vec<f64> {
    poses.iter().map(Posed::pose).flat_map(|p| p.position.into_iter().chain(p.attitude)).collect()
}

fn interpret(interpreted: &Interpreted, name: &str, at: &OwnedState) -> Vec<f64> {
    let inputs = Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, ..Inputs::default() };
    interpreted.run(name, inputs).expect("it has no pivots").into_iter().next().unwrap_or_default()
}

/// The interpreter and a compiled type of the corpus with the same parameters, off their defaults.
macro_rules! pair {
    ($stem:literal, $formulation:ident, $coordinates:ident, $module:ident, $type:ident) => {{
        use mbs_corpus::$coordinates::$module as generated;
        let label = format!("{} ({:?})", $stem, Formulation::$formulation);
        let interpreted = crate::mechanisms::harness::disturbed($stem, Formulation::$formulation);
        let params = generated::Params::from_array(&array(interpreted.parameters()));
        let compiled = generated::$type::new(params).expect("the interpreter took them");
        (label, compiled, interpreted)
    }};
}

#[test]
fn compiled_code_in_body_coordinates_is_what_the_interpreter_runs() {
    macro_rules! visit {
        ($stem:literal, $module:ident, $type:ident) => {{
            let (label, compiled, interpreted) = pair!($stem, Body, body, $module, $type);
            assert_same(&label, &compiled, &interpreted);
        }};
    }
    mbs_corpus::for_each_module!(visit);
}

#[test]
fn compiled_code_in_joint_coordinates_is_what_the_interpreter_runs() {
    macro_rules! visit {
        ($stem:literal, $module:ident, $type:ident) => {{
            let (label, compiled, interpreted) = pair!($stem, Joint, joint, $module, $type);
            assert_same(&label, &compiled, &interpreted);
        }};
    }
    mbs_corpus::for_each_module!(visit);
}

/// The first stage; if rows depend on states, it takes these.
macro_rules! position {
    (telescope, $m:expr, $t:expr, $q:expr, $z:expr) => {
        $m.at_position($t, $q, $z)
    };
    (clutch, $m:expr, $t:expr, $q:expr, $z:expr) => {
        $m.at_position($t, $q, $z)
    };
    (dropped_frame, $m:expr, $t:expr, $q:expr, $z:expr) => {
        $m.at_position($t, $q, $z)
    };
    (winch, $m:expr, $t:expr, $q:expr, $z:expr) => {
        $m.at_position($t, $q, $z)
    };
    (towed_sled, $m:expr, $t:expr, $q:expr, $z:expr) => {
        $m.at_position($t, $q, $z)
    };
    ($module:ident, $m:expr, $t:expr, $q:expr, $z:expr) => {
        $m.at_position($t, $q)
    };
}

/// The last stage.
macro_rules! motion {
    (telescope, $velocity:expr, $u:expr, $z:expr) => {
        $velocity.accelerate($u)
    };
    (clutch, $velocity:expr, $u:expr, $z:expr) => {
        $velocity.accelerate($u)
    };
    (dropped_frame, $velocity:expr, $u:expr, $z:expr) => {
        $velocity.accelerate($u)
    };
    (winch, $velocity:expr, $u:expr, $z:expr) => {
        $velocity.accelerate($u)
    };
    (towed_sled, $velocity:expr, $u:expr, $z:expr) => {
        $velocity.accelerate($u)
    };
    ($module:ident, $velocity:expr, $u:expr, $z:expr) => {
        $velocity.accelerate($u, $z)
    };
}

/// The stage that has G: the velocity stage if G depends on speeds.
macro_rules! rows {
    (steady_glider, $position:expr, $velocity:expr) => {
        $velocity
    };
    (towed_sled, $position:expr, $velocity:expr) => {
        $velocity
    };
    ($module:ident, $position:expr, $velocity:expr) => {
        $position
    };
}

/// The stage that has γ: the input stage if rows of accelerations depend on inputs.
macro_rules! targets {
    (steady_glider, $velocity:expr, $motion:expr) => {
        $motion
    };
    (towed_sled, $velocity:expr, $motion:expr) => {
        $motion
    };
    ($module:ident, $velocity:expr, $motion:expr) => {
        $velocity
    };
}

/// Checks the stages of one compiled type. The staged functions are lowered as a separate group: values that a stage stores are
/// rounded there, and shared subexpressions are chosen anew, so that accelerations agree with the fused kernel's to round-off
/// only, amplified by the condition of [M Gᵀ; G 0]: 1e-12 of the largest acceleration or multiplier at states on the
/// constraints. The solve of the trait is the staged one: the same bits.
macro_rules! assert_stages {
    ($stem:literal, $formulation:ident, $coordinates:ident, $module:ident, $type:ident) => {{
        use mbs_corpus::$coordinates::$module as generated;
        let (label, compiled, interpreted) = pair!($stem, $formulation, $coordinates, $module, $type);
        let mut ledger = Ledger::default();
        let mut random = Random::new(seed(&label));
        for_each_consistent_state(&label, &compiled, 100, |_, at| {
            let (q, v, z) = (array(&at.q), array(&at.v), array(&at.z));
            let inputs = generated::Inputs::from_array(&array(&at.u));
            let Ok(fused) = compiled.accelerations(at.t, &q, &v, &inputs, &z) else { return };
            let position = position!($module, compiled, at.t, &q, &z);
            let velocity = position.at_velocity(&v);
            let motion = motion!($module, velocity, &inputs, &z).expect("the fused kernel is regular");
            ledger.record_all("a", &motion.a, &fused.a, size(&fused.a), at);
            // Multipliers balance the loads: where these cancel along a row, its multiplier is their round-off.
            let loads = size(&motion.generalized_forces()).max(size(&fused.lambda));
            ledger.record_all("lambda", &motion.lambda, &fused.lambda, loads, at);
            let (f, g) = (array(&random.vector(at.v.len(), 2.0)), array(&random.vector(fused.lambda.len(), 2.0)));
            let (mut x, mut mu, mut y, mut kappa) = (fused.a, fused.lambda, fused.a, fused.lambda);
            let rows = &rows!($module, position, velocity);
            rows.solve(&f, &g, &mut x, &mut mu).expect("the fused kernel is regular");
            Mechanism::solve(&compiled, at.view(), &f, &g, &mut y, &mut kappa).expect("the stage is regular");
            assert_bits(&label, "x of the staged solve", &x, &y, at);
            assert_bits(&label, "mu of the staged solve", &mu, &kappa, at);
            let staged = [
                ("position_residuals", position.position_residuals().to_vec()),
                ("constraint_jacobian", rows.constraint_jacobian().concat()),
                ("nu", rows.nu().to_vec()),
                ("mass_matrix", position.mass_matrix().concat()),
                ("marker_positions", position.marker_positions().concat()),
                ("body_jacobians", position.body_jacobians().concat()),
                ("velocity_residuals", velocity.velocity_residuals().to_vec()),
                ("gamma", targets!($module, velocity, motion).gamma().to_vec()),
                ("momentum", velocity.momentum().to_vec()),
                ("generalized_forces", motion.generalized_forces().to_vec()),
            ];
            let mut poses = vec![Pose::planar(0.0, 0.0, 0.0); interpreted.sizes().n_bodies];
            Mechanism::poses(&interpreted, at.view(), &mut poses);
            assert_bits(&label, "poses", &numbers(&position.poses()), &numbers(&poses), at);
            if interpreted.is_spatial() {
                let mut rates = q;
                compiled.coordinate_rates(at.t, &q, &v, &mut rates);
                assert_bits(&label, "coordinate rates", &rates, &interpret(&interpreted, "coordinate_rates", at), at);
            }
            for (name, values) in staged {
                assert_bits(&label, name, &values, &interpret(&interpreted, name, at), at);
            }
            let energy = motion.energy();
            assert_bits(
                &label,
                "energy",
                &[energy.kinetic, energy.potential],
                &interpret(&interpreted, "energy", at),
                at,
            );
        });
        ledger.settle(&label, 1e-12);
    }};
}

#[test]
fn stages_agree_with_the_fused_kernel() {
    macro_rules! visit {
        ($stem:literal, $module:ident, $type:ident) => {{
            // Each has a separate stack frame: together they exceed the stack of a test.
            fn check() {
                assert_stages!($stem, Body, body, $module, $type);
                assert_stages!($stem, Joint, joint, $module, $type);
            }
            check();
        }};
    }
    mbs_corpus::for_each_module!(visit);
}

/// Fused and plain arithmetic differ by roundings, amplified by the condition of [M Gᵀ; G 0]: 1e-10 of the largest result at
/// states on the constraints.
#[test]
fn both_roundings_give_the_same_motion() {
    for formulation in crate::mechanisms::harness::FORMULATIONS {
        for path in crate::mechanisms::harness::files() {
            let stem = crate::mechanisms::harness::stem_of(&path);
            let label = format!("{stem} ({formulation:?})");
            let fused = corpus(&stem, formulation, Fma::Fused);
            let plain = corpus(&stem, formulation, Fma::Plain);
            let mut ledger = Ledger::default();
            for_each_consistent_state(&label, plain, 30, |k, at| {
                let (found, expected) = (
                    readings(fused, at, &mut Random::new(k as u128)),
                    readings(plain, at, &mut Random::new(k as u128)),
                );
                for ((name, found), (_, expected)) in found.iter().zip(&expected) {
                    ledger.record_all(name, found, expected, size(expected).max(1e-3), at);
                }
            });
            ledger.settle(&label, 1e-10);
        }
    }
}
