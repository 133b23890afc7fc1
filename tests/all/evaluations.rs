//! Numbers of evaluations of declared expressions: functions of the program count their calls, at each stage and in each requested quantity.

use std::cell::Cell;

use mbs::engine::Engine;
use mbs::{Mechanism, StateView, mechanism};

thread_local! {
    static CALLS: Cell<Calls> = const { Cell::new([0; 5]) };
}

/// Calls of `placed`, `loaded`, `dragged`, `shown`, `seen`.
type Calls = [usize; 5];

fn counted(which: usize) {
    CALLS.with(|calls| {
        let mut now = calls.get();
        now[which] += 1;
        calls.set(now);
    });
}

/// The position of a slider that a row prescribes.
fn placed(t: f64) -> [f64; 3] {
    counted(0);
    [0.1 * t * t, 0.2 * t, 0.2]
}

/// A load that depends on positions.
fn loaded(x: f64) -> [f64; 1] {
    counted(1);
    [-3.0 * x]
}

/// A load that depends on speeds.
fn dragged(v: f64) -> [f64; 1] {
    counted(2);
    [-0.1 * v]
}

/// A function that an output alone calls.
fn shown(force: f64) -> [f64; 1] {
    counted(3);
    [2.0 * force]
}

/// The position of a marker that is only drawn.
fn seen(t: f64) -> [f64; 3] {
    counted(4);
    [t, 1.0, 0.0]
}

macro_rules! declared {
    ($use:ident) => {
        $use! {
            pub planar Counted {
                kernels: [forward, kinematics, energies, outputs, reactions, operators];
                gravity: [0, -9.81];
                function placed: opaque(2);
                function loaded: opaque(0);
                function dragged: opaque(0);
                function shown: opaque(0);
                function seen: opaque(2);
                body crank { mass: 1, inertia: 0.1, com: [0.3, 0] }
                body slider { mass: 0.5, inertia: 0.01 }
                marker lamp = ground at [seen(t), 2];
                joint pin = revolute(ground, crank);
                joint rail = prismatic(ground, slider) { axis: [1, 0] };
                constraint cam = rail.position == placed(t);
                force spring = mobility(rail) { value: loaded(rail.position) };
                force drag = mobility(pin) { value: dragged(pin.rate) };
                output bearing = shown(norm(reaction(pin).force));
                output light = position(lamp);
                freedoms: 1;
            }
        }
    };
}

declared!(mechanism);

/// Calls since the last query.
fn calls() -> Calls {
    CALLS.with(|calls| calls.replace([0; 5]))
}

const STATE: ([f64; 2], [f64; 2]) = ([0.3, 0.009], [1.0, 0.06]);

#[test]
fn accelerations_evaluate_each_function_once() {
    let counted = Counted::new(counted::Params::default()).expect("valid");
    let (q, v) = STATE;
    calls();
    counted.accelerations(0.0, &q, &v, &counted::Inputs::default(), &[]).expect("regular");
    assert_eq!(calls(), [1, 1, 1, 0, 0]);
}

#[test]
fn stages_evaluate_each_function_once() {
    let counted = Counted::new(counted::Params::default()).expect("valid");
    let (q, v) = STATE;
    calls();
    let position = counted.at_position(0.0, &q);
    let velocity = position.at_velocity(&v);
    assert_eq!(calls(), [0; 5], "nothing was requested");
    let motion = velocity.accelerate(&counted::Inputs::default(), &[]).expect("regular");
    assert_eq!(calls(), [1, 1, 1, 0, 0], "what positions and speeds decide");
    let again = position.at_velocity(&[0.0, 0.0]);
    let other = again.accelerate(&counted::Inputs::default(), &[]).expect("regular");
    assert_eq!(calls(), [0, 0, 1, 0, 0], "other speeds at the same position");
    assert!(motion.a.iter().chain(&other.a).all(|a| a.is_finite()) && again.v() == &[0.0, 0.0]);
}

/// Quantities that are not requested are not evaluated, and requested ones are evaluated once.
#[test]
fn values_requested_twice_are_computed_once() {
    let counted = Counted::new(counted::Params::default()).expect("valid");
    let (q, v) = STATE;
    let position = counted.at_position(0.0, &q);
    let velocity = position.at_velocity(&v);
    let motion = velocity.accelerate(&counted::Inputs::default(), &[]).expect("regular");
    calls();
    let first = motion.outputs();
    let once = calls();
    assert_eq!((once[2], once[3], once[4]), (0, 1, 1), "the outputs' own functions, once");
    assert_eq!(motion.outputs(), first);
    assert_eq!(calls(), [0; 5], "outputs were kept");
    let drawn = position.marker_positions();
    assert_eq!(calls()[4], 1);
    assert_eq!(position.marker_positions(), drawn);
    let rows =
        (position.position_residuals(), position.constraint_jacobian(), velocity.gamma(), motion.generalized_forces());
    assert_eq!(calls(), [2, 1, 1, 0, 0], "Φ and γ, and loads");
    let same =
        (position.position_residuals(), position.constraint_jacobian(), velocity.gamma(), motion.generalized_forces());
    assert_eq!((rows, calls()), (same, [0; 5]));
    let _ = (motion.energy(), motion.reactions(), position.mass_matrix(), position.center_of_mass());
    let requested = calls();
    assert_eq!((requested[3], requested[4]), (0, 0), "none of these sees the lamp");
    let _ = (motion.energy(), motion.reactions(), position.mass_matrix(), position.center_of_mass());
    assert_eq!(calls(), [0; 5]);
    // A copy of a stage includes its computed values.
    assert_eq!((motion.clone().outputs(), calls()), (first, [0; 5]));
}

/// A stage of another state has no values of the former.
#[test]
fn another_state_is_evaluated_anew() {
    let mut counted = Counted::new(counted::Params::default()).expect("valid");
    let (q, _) = STATE;
    calls();
    for _ in 0..2 {
        assert_eq!(counted.at_position(0.0, &q).marker_positions(), counted.at_position(0.0, &q).marker_positions());
        assert_eq!(calls()[4], 2);
        counted.set_params(counted::Params::default()).expect("valid");
        calls();
    }
}

/// The engine evaluates functions of outputs for outputs, and not for accelerations.
#[test]
fn the_engine_evaluates_outputs_on_request() {
    macro_rules! text {
        ($($declaration:tt)*) => { stringify!($($declaration)*) };
    }
    let text = declared!(text);
    let engine = Engine::options()
        .function("placed", |x, f| f.copy_from_slice(&placed(x)[..f.len()]))
        .function("loaded", |x, f| f.copy_from_slice(&loaded(x)[..f.len()]))
        .function("dragged", |x, f| f.copy_from_slice(&dragged(x)[..f.len()]))
        .function("shown", |x, f| f.copy_from_slice(&shown(x)[..f.len()]))
        .function("seen", |x, f| f.copy_from_slice(&seen(x)[..f.len()]))
        .text(text)
        .expect("the compiler takes it");
    let (q, v) = STATE;
    let at = StateView { t: 0.0, q: &q, v: &v, z: &[], u: &[] };
    let (mut a, mut lambda, mut outputs) = ([0.0; 2], [0.0; 1], [0.0; 3]);
    calls();
    engine.accelerations(at, &mut a, &mut lambda).expect("regular");
    let [_, loaded, dragged, shown, _] = calls();
    assert_eq!([loaded, dragged, shown], [1, 1, 0]);
    engine.outputs(at, &a, &lambda, &mut outputs);
    assert_eq!(calls()[3], 1);
}
