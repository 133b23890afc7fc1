//! The continuous A of error states, `error_jacobian`: its eigenvalues in every formulation.

use mbs::analysis::{Modes, Statics};
use mbs::nalgebra::{Complex, DMatrix};
use mbs::{Linearization, Mechanism, error_jacobian};
use mbs_interp::Interpreted;

use crate::modes::mechanisms::{assert_near, for_each_formulation, solved};

/// Eigenvalues of A at rest that are not zero, in order of their sizes. Rows contribute zeros to the spectrum of A, since ψ̇ = 0 off the rows, too.
fn spectrum(mechanism: &Interpreted) -> Vec<Complex<f64>> {
    let at = solved(Statics::new(mechanism).stable());
    let sizes = mechanism.sizes();
    let n = sizes.n_e();
    let (mut a, mut b) = (vec![0.0; n * n], vec![0.0; n * sizes.n_u]);
    error_jacobian(mechanism, at.state.view(&at.inputs), &mut Linearization::new(mechanism), &mut a, &mut b).unwrap();
    let mut all: Vec<Complex<f64>> = DMatrix::from_row_slice(n, n, &a).complex_eigenvalues().iter().copied().collect();
    // Zeros with Jordan chains of length two are accurate to the square root of round-off.
    let largest = all.iter().map(|x| x.norm()).fold(0.0, f64::max);
    all.retain(|x| x.norm() > 1e-5 * largest);
    all.sort_by(|a, b| (a.norm(), a.im).partial_cmp(&(b.norm(), b.im)).unwrap());
    let modes = Modes::damped(mechanism, &at).unwrap();
    for x in &all {
        let nearest = modes.moving().map(|mode| (mode.eigenvalue - x).norm().min((mode.eigenvalue.conj() - x).norm()));
        assert_near(nearest.fold(f64::INFINITY, f64::min) / x.norm(), 0.0, 1e-7);
    }
    all
}

fn assert_alike(text: &str, count: usize) {
    let mut spectra = Vec::new();
    for_each_formulation(text, |mechanism| spectra.push(spectrum(mechanism)));
    println!("{:?}", spectra[0]);
    for spectrum in &spectra {
        assert_eq!(spectrum.len(), count, "{spectrum:?}");
        for a in spectrum {
            let nearest = spectra[0].iter().map(|b| (a - b).norm()).fold(f64::INFINITY, f64::min);
            assert_near(nearest / a.norm(), 0.0, 1e-7);
        }
    }
}

#[test]
fn a_loop_in_the_plane_with_a_lagging_load_has_one_spectrum() {
    assert_alike(
        "planar FourBar { gravity: [0, -9.81];
        body crank   { mass: 0.4, inertia: 0.002, com: [0, -0.1], angle: 0.3 }
        body coupler { mass: 0.9, inertia: 0.02, com: [0.2, 0.03], position: [0.06, -0.19], angle: 0.05 }
        body rocker  { mass: 0.6, inertia: 0.01, com: [0, -0.15], position: [0.35, 0], angle: 0.1 }
        body slide   { mass: 0.5, inertia: 0.01, position: [0.06, -0.5] }
        joint a = revolute(ground, crank);
        joint b = revolute(crank at [0, -0.2], coupler);
        joint c = revolute(coupler at [0.4, 0], rocker at [0, -0.3]);
        joint d = revolute(ground at [0.35, 0], rocker);
        joint e = prismatic(coupler, slide) { axis: [0.2, 1] };
        state pull = 0 { rate: 6 * (3 * a.angle - pull) };
        force motor = torque(crank) { torque: -pull };
        force spring = spring_damper(ground at [-0.4, -0.1], coupler at [0.2, 0.03]) { stiffness: 40, damping: 0.6, free_length: 0.5 };
        force hanger = spring_damper(coupler at [0, 0.1], slide) { stiffness: 90, damping: 0.4, free_length: 0.2 };
        freedoms: 2; }",
        5,
    );
}

#[test]
fn bodies_in_space_have_one_spectrum() {
    assert_alike(
        "spatial Tilted { gravity: [1.5, -0.8, -9.5];
        body upper { mass: 1.5, inertia: [0.03, 0.04, 0.02], com: [0.05, 0.02, -0.3] }
        body lower { mass: 0.8, inertia: [0.01, 0.02, 0.015], com: [0, 0.1, -0.2], position: [0.02, 0, -0.6] }
        joint hook = universal(ground, upper);
        joint knee = revolute(upper at [0.02, 0, -0.6], lower) { axis: [0.2, 1, 0.1] };
        force spring = spring_damper(ground at [0.3, 0.4, -0.5], lower at [0.1, 0, -0.3]) { stiffness: 60, damping: 0.8, free_length: 0.4 };
        force rope = cable(ground at [-0.5, 0, -0.2], upper at [0, 0, -0.5]) { stiffness: 30, damping: 0.5, free_length: 0.3 };
        force slack = cable(ground at [0, 0, -0.7], lower at [0, 0, -0.3]) { stiffness: 30, damping: 0.5, free_length: 3 };
        freedoms: 3; }",
        6,
    );
}
