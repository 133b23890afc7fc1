//! Projections of generated mechanisms, which correct positions and speeds by one kernel where both are small, against separate projections.

use mbs::runtime::{Corrections, Projection, project, project_positions, project_velocities};
use mbs::{Error, Mechanism, State};

use crate::mechanisms::harness::{Random, assembled, seed};

/// States and residuals relative to the size of the state: some roundings of a solve, which residuals of a metre per metre multiply. With G before the
/// displacement δ, the residual of speeds is δ times their correction, at most 1.5e-8 of 1e-8.
const TOLERANCE: f64 = 2e-14;

fn size(values: &[f64]) -> f64 {
    values.iter().fold(1.0, |largest, x| x.abs().max(largest))
}

/// Starts off the constraints by this much: a correction that is slight, and corrections that take several iterations.
fn assert_alike<M: Mechanism>(label: &str, mechanism: &M) {
    let sizes = mechanism.sizes();
    let mut random = Random::new(seed(label));
    let mut work = Projection::new(mechanism);
    for spread in [0.0, 1e-12, 1e-10, 1e-9, 1e-8, 1e-6, 1e-3] {
        let mut state = assembled(label, mechanism);
        state.v.as_mut().copy_from_slice(&random.vector(sizes.n_v, 3.0));
        project_velocities(mechanism, &mut state, &mut work).unwrap();
        state.q.as_mut().iter_mut().for_each(|q| *q += spread * random.next_number());
        state.v.as_mut().iter_mut().for_each(|v| *v += spread * random.next_number());
        if (1e-12..1e-8).contains(&spread) {
            assert_first_corrections_suffice(&format!("{label}, {spread:e}"), mechanism, &state);
        }
        let (mut at_once, mut anew) = (state.clone(), state);
        project(mechanism, &mut at_once, &mut work).unwrap();
        project_positions(mechanism, &mut anew, &mut work).unwrap();
        project_velocities(mechanism, &mut anew, &mut work).unwrap();
        let scale = size(anew.v.as_ref()) * size(anew.q.as_ref());
        for (values, expected, scale) in
            [(at_once.q.as_ref(), anew.q.as_ref(), size(anew.q.as_ref())), (at_once.v.as_ref(), anew.v.as_ref(), scale)]
        {
            for (a, b) in values.iter().zip(expected) {
                assert!((a - b).abs() <= TOLERANCE * scale, "{label}, {spread:e}: {a} and {b}");
            }
        }
        let mut residuals = vec![0.0; sizes.n_velocity];
        mechanism.velocity_residuals(at_once.view(&[]), &mut residuals);
        let worst = residuals.iter().fold(0.0_f64, |worst, x| worst.max(x.abs()));
        assert!(worst <= TOLERANCE * scale, "{label}, {spread:e}: {worst:e}");
    }
}

/// A projection adds the first corrections, where those are small, and nothing else.
fn assert_first_corrections_suffice<M: Mechanism>(label: &str, mechanism: &M, state: &State<M>) {
    let sizes = mechanism.sizes();
    let [mut phi, mut remainder] = [0, 1].map(|_| vec![0.0; sizes.n_position]);
    let [mut displacement, mut speeds] = [0, 1].map(|_| vec![0.0; sizes.n_v]);
    let mut psi = vec![0.0; sizes.n_velocity];
    let (mut expected, mut projected) = (state.clone(), state.clone());
    mechanism.normalize(expected.q.as_mut());
    let corrections = Corrections {
        phi: &mut phi,
        displacement: &mut displacement,
        remainder: &mut remainder,
        psi: &mut psi,
        speeds: &mut speeds,
    };
    assert_eq!(mechanism.corrections(expected.view(&[]), corrections), Ok(true), "{label}");
    let (mut rates, t) = (expected.q.clone(), expected.t);
    mechanism.retract(t, expected.q.as_mut(), &displacement, rates.as_mut());
    expected.v.as_mut().iter_mut().zip(&speeds).for_each(|(v, x)| *v += x);
    project(mechanism, &mut projected, &mut Projection::new(mechanism)).unwrap();
    assert_eq!(projected.q.as_ref(), expected.q.as_ref(), "{label}");
    assert_eq!(projected.v.as_ref(), expected.v.as_ref(), "{label}");
}

/// Coordinates and speeds that are not finite are an error.
fn assert_finite_states_alone<M: Mechanism>(label: &str, mechanism: &M) {
    let mut work = Projection::new(mechanism);
    for value in [f64::NAN, f64::INFINITY] {
        let start = assembled(label, mechanism);
        let (mut moved, mut fast) = (start.clone(), start);
        moved.q.as_mut()[0] = value;
        fast.v.as_mut()[0] = value;
        for mut state in [moved, fast] {
            let found = project(mechanism, &mut state, &mut work);
            assert!(matches!(found, Err(Error::NotFinite { .. })), "{label}, {value}: {found:?}");
        }
    }
}

macro_rules! alike {
    ($test:ident, $($name:ident),*) => {
        #[test]
        fn $test() {
            $(
                let label = stringify!($name);
                let body = mbs_corpus::body::$name::new(Default::default()).unwrap();
                let joint = mbs_corpus::joint::$name::new(Default::default()).unwrap();
                assert_alike(&format!("{label}, body"), &body);
                assert_alike(&format!("{label}, joint"), &joint);
                assert_finite_states_alone(&format!("{label}, body"), &body);
                if joint.sizes().n_velocity > 0 {
                    assert_finite_states_alone(&format!("{label}, joint"), &joint);
                }
            )*
        }
    };
}

alike!(planar_linkages_are_projected_at_once_as_separately, FourBar, SliderCrank);
#[cfg(largest)]
alike!(spatial_mechanisms_are_projected_at_once_as_separately, HeavyTop, SphericalPendulum, Cardan);
