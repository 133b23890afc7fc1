//! Projections of generated mechanisms, which correct positions and speeds with one factorisation, against those that factorise for each.

use mbs::{Mechanism, Projection, project, project_positions, project_velocities};

use crate::mechanisms::harness::{Random, assembled, seed};

/// Speeds and residuals relative to the size of the state: some roundings of a solve, which residuals of a metre per metre multiply. With the
/// factorisation of a place δ away the residual of speeds is δ times their correction, at most 1.5e-8 of 1e-8.
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
        let (mut shared, mut anew) = (state.clone(), state);
        project(mechanism, &mut shared, &mut work).unwrap();
        project_positions(mechanism, &mut anew, &mut work).unwrap();
        project_velocities(mechanism, &mut anew, &mut work).unwrap();
        assert_eq!(shared.q.as_ref(), anew.q.as_ref(), "{label}, {spread:e}");
        let scale = size(anew.v.as_ref()) * size(anew.q.as_ref());
        for (a, b) in shared.v.as_ref().iter().zip(anew.v.as_ref()) {
            assert!((a - b).abs() <= TOLERANCE * scale, "{label}, {spread:e}: {a} and {b}");
        }
        let mut residuals = vec![0.0; sizes.n_velocity];
        mechanism.velocity_residuals(shared.view(&[]), &mut residuals);
        let worst = residuals.iter().fold(0.0_f64, |worst, x| worst.max(x.abs()));
        assert!(worst <= TOLERANCE * scale, "{label}, {spread:e}: {worst:e}");
    }
}

macro_rules! alike {
    ($test:ident, $($name:ident),*) => {
        #[test]
        fn $test() {
            $(
                let label = stringify!($name);
                assert_alike(&format!("{label}, body"), &mbs_corpus::body::$name::new(Default::default()).unwrap());
                assert_alike(&format!("{label}, joint"), &mbs_corpus::joint::$name::new(Default::default()).unwrap());
            )*
        }
    };
}

alike!(planar_linkages_are_projected_as_with_two_factorisations, FourBar, SliderCrank);
#[cfg(largest)]
alike!(spatial_mechanisms_are_projected_as_with_two_factorisations, HeavyTop, SphericalPendulum, Cardan);
