//! Generated code with functions of the program in joint poses and in constraint rows: against mechanisms with the functions inlined, and against
//! the engine.

use mbs::engine::Engine;
use mbs::{Differentiable, Mechanism, Opaque, Rk4, State, StateView, Stepper, assemble, mechanism};

/// Translation of a knee as a function of its flexion: 0.1 sin 1.3 x + 0.02 x² and its derivatives.
fn roll(x: f64) -> [f64; 4] {
    let (s, c) = (1.3 * x).sin_cos();
    [0.1 * s + 0.02 * x * x, 0.13 * c + 0.04 * x, -0.169 * s + 0.04, -0.2197 * c]
}

/// Height of a surface, h = k (x y + y²).
#[derive(Clone, Copy, Debug)]
pub struct Ground(f64);

impl Default for Ground {
    fn default() -> Self {
        Ground(0.3)
    }
}

impl Opaque<2, 10> for Ground {
    fn evaluate(&self, [x, y]: [f64; 2]) -> [[f64; 10]; 1] {
        let k = self.0;
        [[k * (x * y + y * y), k * y, k * (x + 2.0 * y), 0.0, k, 2.0 * k, 0.0, 0.0, 0.0, 0.0]]
    }
}

macro_rules! leg {
    ($use:ident, $name:ident, $coordinates:ident, $($functions:tt)*) => {
        $use! {
            pub planar $name {
                gravity: [0, -9.81];
                coordinates: $coordinates;
                kernels: [forward, kinematics, energies, outputs, reactions, linearization];
                freedoms: 2;
                $($functions)*
                joint kind Knee(femur, tibia) {
                    coordinate bend: angle = -0.1;
                    pose { rotation: bend, translation: [roll(bend), -0.4] }
                }
                body thigh { mass: 9.3, inertia: 0.13, com: [0, -0.17] }
                body shank { mass: 3.7, inertia: 0.05, com: [0, -0.19] }
                body foot { mass: 1.1, inertia: 0.01, com: [0.05, -0.02] }
                joint hip = revolute(ground, thigh);
                joint knee = Knee(thigh, shank);
                joint ankle = revolute(shank at [0, -0.4], foot);
                constraint contact = position(foot at [0.1, -0.05]).y == ground_height(position(foot at [0.1, -0.05]).x, -1.6);
                initial knee.bend = -0.4;
                initial hip.angle ~ 0.2;
                initial rate(knee.bend) = 0.3;
                output bend = knee.bend;
                output toe = position(foot at [0.1, -0.05]);
                output load = reaction(knee).force;
            }
        }
    };
}

macro_rules! text {
    ($($declaration:tt)*) => { stringify!($($declaration)*) };
}

leg!(mechanism, Leg, joint, function roll: opaque(3); function ground_height(x, y): opaque(3, Ground););
#[cfg(largest)]
leg!(mechanism, LegOfBodies, body, function roll: opaque(3); function ground_height(x, y): opaque(3, Ground););
leg!(mechanism, Inlined, joint,
    function roll(x) = 0.1 * sin(1.3 * x) + 0.02 * x.powi(2); function ground_height(x, y) = 0.3 * (x * y + y.powi(2)););
#[cfg(largest)]
leg!(mechanism, InlinedOfBodies, body,
    function roll(x) = 0.1 * sin(1.3 * x) + 0.02 * x.powi(2); function ground_height(x, y) = 0.3 * (x * y + y.powi(2)););

/// The assembled initial state.
fn start<M: Mechanism>(mechanism: &M) -> State<M> {
    let mut state = State::new(mechanism);
    assemble(mechanism, &mut state).expect("it assembles");
    state
}

/// Accelerations, multipliers, outputs, energies.
fn readings<M: Mechanism>(mechanism: &M, at: StateView) -> Vec<f64> {
    let sizes = mechanism.sizes();
    let (mut a, mut lambda, mut outputs) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c], vec![0.0; sizes.n_outputs]);
    mechanism.accelerations(at, &mut a, &mut lambda).expect("regular");
    mechanism.outputs(at, &a, &lambda, &mut outputs);
    let energy = mechanism.energy(at);
    [a, lambda, outputs, vec![energy.kinetic, energy.potential]].concat()
}

fn derivatives<M: Differentiable>(mechanism: &M, at: StateView) -> Vec<f64> {
    let sizes = mechanism.sizes();
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    let mut derivatives = vec![0.0; (sizes.n_v + sizes.n_c) * 2 * sizes.n_v];
    mechanism.acceleration_jacobian(at, &mut a, &mut lambda, &mut derivatives).expect("regular");
    derivatives
}

/// Asserts equality to 1e-10 of the largest value: orders of elimination differ.
#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    let largest = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    assert_eq!(found.len(), expected.len());
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        assert!((x - y).abs() <= 1e-10 * largest, "{i} is {x}, not {y}");
    }
}

/// Asserts that results agree at the start and after a tenth of a second.
fn assert_alike<A: Differentiable, B: Differentiable>(opaque: &A, inlined: &B, engine: &Engine) {
    let mut state = start(inlined);
    let mut integrator = Rk4::new(inlined, 1e-2);
    for seconds in [0.0, 0.1] {
        integrator.advance_to(inlined, &mut state, seconds, &mut |_: StateView, _: &mut [f64]| {}).expect("regular");
        let (q, v) = (state.q.as_ref(), state.v.as_ref());
        let at = StateView { t: state.t, q, v, z: &[], u: &[] };
        assert_close(&readings(opaque, at), &readings(inlined, at));
        assert_close(&readings(engine, at), &readings(inlined, at));
        assert_close(&derivatives(opaque, at), &derivatives(inlined, at));
    }
}

#[test]
fn generated_code_calls_functions_in_poses_and_rows() {
    let engine = |text: &str| {
        let options = Engine::options().function("roll", |x, f| f.copy_from_slice(&roll(x)));
        options.function_value("ground_height", Ground(0.3)).text(text).expect("valid")
    };
    let text = leg!(text, Leg, joint, function roll: opaque(3); function ground_height(x, y): opaque(3););
    assert_alike(
        &Leg::new(leg::Params::default()).expect("valid"),
        &Inlined::new(inlined::Params::default()).expect("valid"),
        &engine(text),
    );
    #[cfg(largest)]
    assert_alike(
        &LegOfBodies::new(leg_of_bodies::Params::default()).expect("valid"),
        &InlinedOfBodies::new(inlined_of_bodies::Params::default()).expect("valid"),
        &engine(leg!(text, Leg, body, function roll: opaque(3); function ground_height(x, y): opaque(3);)),
    );
}

/// The compiler computes initial poses without the functions; after assembly declared conditions and rows are satisfied.
#[test]
fn generated_code_assembles_from_poses_placed_without_them() {
    fn check<M: Mechanism>(mechanism: &M) {
        let state = start(mechanism);
        let at = StateView { t: 0.0, q: state.q.as_ref(), v: state.v.as_ref(), z: &[], u: &[] };
        let sizes = mechanism.sizes();
        let mut outputs = vec![0.0; sizes.n_outputs];
        mechanism.outputs(at, &vec![0.0; sizes.n_v], &vec![0.0; sizes.n_c], &mut outputs);
        let [bend, x, y] = outputs[..3] else { panic!("three outputs and more") };
        assert!((bend + 0.4).abs() < 1e-10 && (y - Ground(0.3).evaluate([x, -1.6])[0][0]).abs() < 1e-10, "{outputs:?}");
    }
    check(&Leg::new(leg::Params::default()).expect("valid"));
    #[cfg(largest)]
    check(&LegOfBodies::new(leg_of_bodies::Params::default()).expect("valid"));
}
