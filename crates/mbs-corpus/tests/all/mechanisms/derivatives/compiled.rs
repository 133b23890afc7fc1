//! Compiled derivatives against interpreted ones, bit for bit, through `Differentiable` and through the methods of generated types.

use mbs::{Differentiable, Mechanism};
use mbs_compiler::interp::Inputs;
use mbs_model::Formulation;

use crate::mechanisms::harness::{OwnedState, Random, compiled_fma, corpus, for_each_state, seed};

/// States per mechanism and formulation.
const STATES: usize = 100;

/// Results of `Differentiable` at a state.
fn readings<M: Differentiable>(mechanism: &M, at: &OwnedState) -> Vec<(&'static str, Vec<f64>)> {
    let sizes = mechanism.sizes();
    let mut state = mechanism.jacobian_storage();
    mechanism.state_jacobian(at.view(), state.as_mut()).expect("the state is regular");
    let (mut a, mut lambda) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_c]);
    let mut derivatives = vec![0.0; (sizes.n_v + sizes.n_c) * (2 * sizes.n_v + sizes.n_z + sizes.n_u)];
    mechanism.acceleration_jacobian(at.view(), &mut a, &mut lambda, &mut derivatives).expect("the state is regular");
    let (mut speeds, mut matrix) = (vec![0.0; sizes.n_v], vec![0.0; sizes.n_v * sizes.n_v]);
    let mut rates = vec![0.0; sizes.n_q];
    mechanism.coordinate_rates(at.t, &at.q, &at.v, &mut rates);
    mechanism.speeds_of_rates(at.t, &at.q, &rates, &mut speeds);
    for (back, v) in speeds.iter().zip(&at.v) {
        assert!((back - v).abs() < 1e-12, "N⁺ N is the identity, within a few roundings of speeds up to 4");
    }
    mechanism.transitivity(at.view(), &mut matrix).expect("it needs no solution");
    vec![
        ("state", state.as_ref().to_vec()),
        ("a", a),
        ("lambda", lambda),
        ("derivatives", derivatives),
        ("speeds of rates", speeds),
        ("transitivity", matrix),
    ]
}

fn assert_same<M: Differentiable>(label: &str, compiled: &M, formulation: Formulation) {
    let interpreted = corpus(label, formulation, compiled_fma());
    for_each_state(label, interpreted, STATES, |_, at| {
        for ((name, compiled), (_, interpreted)) in readings(compiled, at).iter().zip(readings(interpreted, at)) {
            let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(compiled), bits(&interpreted), "{name} of {label} ({formulation:?}) at {at:?}");
        }
    });
}

macro_rules! same_bits {
    ($(#[$when:meta])? $test:ident, $stem:literal, $name:ident) => {
        $(#[$when])?
        #[test]
        fn $test() {
            let body = mbs_corpus::body::$name::new(Default::default()).expect("defaults are valid");
            let joint = mbs_corpus::joint::$name::new(Default::default()).expect("defaults are valid");
            assert_same($stem, &body, Formulation::Body);
            assert_same($stem, &joint, Formulation::Joint);
        }
    };
}

same_bits!(derivatives_of_the_satellite_have_the_interpreters_bits, "satellite", Satellite);
same_bits!(derivatives_of_the_actuated_cart_have_the_interpreters_bits, "actuated_cart", ActuatedCart);
same_bits!(
    #[cfg(largest)]
    derivatives_of_the_linkage_have_the_interpreters_bits,
    "point_mass_linkage",
    PointMassLinkage
);
same_bits!(
    #[cfg(largest)]
    derivatives_of_the_cardan_shaft_have_the_interpreters_bits,
    "cardan",
    Cardan
);

/// Methods of the generated type return the outputs of the kernels, row by row.
#[test]
fn derivatives_along_parameters_have_the_interpreters_bits() {
    let compiled = mbs_corpus::joint::ActuatedCart::new(Default::default()).expect("defaults are valid");
    let interpreted = corpus("actuated_cart", Formulation::Joint, compiled_fma());
    let mut random = Random::new(seed("actuated_cart"));
    for_each_state("actuated_cart", interpreted, STATES, |_, at| {
        let sizes = interpreted.sizes();
        let a = random.vector(sizes.n_v, 3.0);
        let array = |x: &[f64]| <[f64; 2]>::try_from(x).expect("two of them");
        let (q, v, a) = (array(&at.q), array(&at.v), array(&a));
        let z: [f64; 4] = at.z.as_slice().try_into().expect("four of them");
        let u =
            mbs_corpus::joint::actuated_cart::Inputs::from_array(at.u.as_slice().try_into().expect("three of them"));
        let inputs = Inputs { t: at.t, q: &at.q, v: &at.v, z: &at.z, u: &at.u, a: &a, ..Inputs::default() };
        let kernel = |name: &str| interpreted.run(name, inputs).expect("it is regular");
        let derivatives = compiled.sensitivities(at.t, &q, &v, &u, &z).expect("it is regular");
        assert_eq!(derivatives.a_p.as_flattened(), kernel("sensitivities")[2]);
        let left = compiled.inverse_sensitivities(at.t, &q, &v, &a, &[], &u, &z);
        assert_eq!(left.tau_p.as_flattened(), kernel("inverse_sensitivities")[0]);
        let left = compiled.inverse_derivatives(at.t, &q, &v, &a, &[], &u, &z);
        let expected = kernel("inverse_derivatives");
        let found = [left.tau_q.as_flattened(), left.tau_v.as_flattened(), left.tau_z.as_flattened()];
        for (found, expected) in found.into_iter().zip(expected.iter().step_by(2)) {
            assert_eq!(found, expected);
        }
    });
}

/// The satellite of RobotDynamics.jl: the attitude rotates the force, the moment is an input.
#[test]
fn the_pattern_of_the_satellites_wrench_is_the_published_one() {
    use mbs_corpus::joint::satellite::{Inputs, wrench_pattern};
    assert_eq!(wrench_pattern::BUS, [[0, 1, 0, 0, 1], [0, 0, 0, 0, 1]]);
    let satellite = mbs_corpus::joint::Satellite::new(Default::default()).expect("defaults are valid");
    let u = Inputs { force: [1.0, 2.0, 3.0], moment: [0.1, 0.2, 0.3] };
    let q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let on_bus = satellite.wrenches(0.0, &q, &[0.0; 6], &u, &[]).bus;
    assert_eq!(on_bus.wrench, [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]);
    assert_eq!(on_bus.jacobian[0][13..], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(on_bus.jacobian[3][13..], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
}
