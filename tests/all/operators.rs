//! Operators of generated types: products and projections against the matrices of the same stage, and inverse operational inertias against
//! accelerations that wrenches cause.

use mbs::{Describe, Item, Mechanism};

mbs::mechanism! {
    /// A four-bar on a carriage, with a switched pin of its coupler.
    pub planar Linkage {
        kernels: [forward, kinematics, operators];
        coordinates: body;
        gravity: [0, -9.81];
        input push: [3];
        switch pinned = on;
        body carriage { mass: 2, inertia: 0.3 }
        body crank { mass: 1, inertia: 0.1, com: [0.2, 0.05] }
        body coupler { mass: 1.5, inertia: 0.2, com: [0.4, 0.1], position: [0.4, 0] }
        body rocker { mass: 0.8, inertia: 0.08, com: [0.3, 0], position: [1, 0], angle: 1.3 }
        joint rail = prismatic(ground, carriage) { axis: [1, 0] };
        joint motor = revolute(carriage, crank);
        joint first = revolute(crank at [0.4, 0], coupler);
        joint second = revolute(coupler at [0.8, 0], rocker at [0.5, 0]) { enabled: pinned };
        joint post = revolute(ground at [1, 0], rocker);
        force hand = wrench(coupler at [0.8, 0]) { force: push[0..2], moment: push[2] };
    }

    /// Two hinged arms on a rotating post, connected by a bar with spherical joints.
    pub spatial Loop {
        kernels: [forward, kinematics, operators];
        coordinates: joint;
        gravity: [0, 0, -9.81];
        input force: [3];
        input moment: [3];
        body post { mass: 3, inertia: [0.2, 0.2, 0.1] }
        body left { mass: 1, inertia: [0.02, 0.03, 0.04], com: [0.2, 0, 0.05] }
        body right { mass: 1.2, inertia: [0.03, 0.03, 0.05], com: [0.1, 0.1, 0] }
        body tool { mass: 0.3, inertia: [0.01, 0.02, 0.01], com: [0, 0.05, 0.1] }
        marker grip = tool at [0.1, 0.02, 0.2];
        joint turn = revolute(ground, post) { axis: [0, 0, 1] };
        joint hip = revolute(post at [0, 0, 1], left) { axis: [0, 1, 0.2] };
        joint hinge = revolute(post at [0, 0.6, 1], right) { axis: [1, 0, 0.3] };
        joint wrist = spherical(right at [0.4, 0.1, 0], tool);
        constraint bar = distance(left at [0.5, 0, 0], right at [0.3, 0, 0]) == 0.7;
        force hand = wrench(grip) { force: force in ground, moment: moment in ground };
    }
}

/// A number for each of several indices, the same at every run.
fn numbers<const N: usize>(seed: f64) -> [f64; N] {
    std::array::from_fn(|i| 1.3 * (seed + 1.7 * i as f64).sin())
}

fn times<const R: usize, const C: usize>(matrix: &[[f64; C]; R], x: &[f64; C]) -> [f64; R] {
    matrix.map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
}

/// Asserts equality to 1e-12 of numbers up to ten: some hundred roundings.
fn assert_close(quantity: &str, got: &[f64], expected: &[f64]) {
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((got - expected).abs() <= 1e-12 * 10.0, "{quantity}: component {i} is {got}, not {expected}");
    }
}

/// Index of a drawn marker by its name.
fn marker<M: Describe>(mechanism: &M, name: &str) -> usize {
    let names: Vec<&str> = (0..mechanism.sizes().n_markers).map(|i| mechanism.name(Item::Marker(i))).collect();
    names.iter().position(|n| *n == name).unwrap_or_else(|| panic!("{name} is not in {names:?}"))
}

/// Checks all operators of a position stage.
macro_rules! check {
    ($mechanism:expr, $position:expr, $n:literal, $rows:literal) => {{
        let position = $position;
        let (x, lambda): ([f64; $n], [f64; $rows]) = (numbers(0.3), numbers(2.0));
        let (mass, jacobian) = (position.mass_matrix(), position.constraint_jacobian());
        assert_close("M x", &position.multiply_by_mass_matrix(&x), &times(&mass, &x));
        assert_close("G x", &position.multiply_by_constraint_jacobian(&x), &times(&jacobian, &x));
        let transposed: [[f64; $rows]; $n] = std::array::from_fn(|i| std::array::from_fn(|r| jacobian[r][i]));
        let forces = position.multiply_by_constraint_jacobian_transpose(&lambda);
        assert_close("transposed G", &forces, &times(&transposed, &lambda));
        let inverse = position.multiply_by_inverse_mass_matrix(&x).expect("every body has mass");
        assert_close("M (M⁻¹ x)", &times(&mass, &inverse), &x);
        let projected = position.project_speeds(&x).expect("a regular pose");
        assert_close("G P x", &times(&jacobian, &projected), &[0.0; $rows]);
        assert_close("P P x", &position.project_speeds(&projected).expect("a regular pose"), &projected);
        // The removed component is M⁻¹Gᵀ μ, which does no work on admissible motions.
        let other = position.project_speeds(&numbers(5.0)).expect("a regular pose");
        let away: [f64; $n] = std::array::from_fn(|i| x[i] - projected[i]);
        let work: f64 = times(&mass, &away).iter().zip(other).map(|(f, v)| f * v).sum();
        assert_close("(x − P x)ᵀ M P y", &[work], &[0.0]);
    }};
}

#[test]
fn products_of_a_planar_loop_are_those_of_its_matrices() {
    let linkage = Linkage::new(linkage::Params::default()).expect("valid");
    let state = assembled(&linkage);
    for pinned in [1.0, 0.0] {
        let z = [pinned];
        check!(linkage, linkage.at_position(0.0, &state.q, &z), 12, 10);
    }
}

#[test]
fn products_of_a_loop_in_space_are_those_of_its_matrices() {
    let loop_ = Loop::new(r#loop::Params::default()).expect("valid");
    let state = assembled(&loop_);
    check!(loop_, loop_.at_position(0.0, &state.q), 6, 1);
}

fn assembled<M: Mechanism>(mechanism: &M) -> mbs::State<M> {
    let mut state = mbs::State::new(mechanism);
    mbs::assemble(mechanism, &mut state).expect("it assembles");
    state
}

/// Λ⁻¹ e of a unit wrench e is the change of the frame's acceleration that it causes, with the rows in place.
#[test]
fn inverse_operational_inertia_is_acceleration_by_wrench() {
    let linkage = Linkage::new(linkage::Params::default()).expect("valid");
    let state = assembled(&linkage);
    let z = [1.0];
    let position = linkage.at_position(0.0, &state.q, &z);
    let end = position.marker_jacobian(marker(&linkage, "second.first")).expect("it is drawn");
    let inverse = position.inverse_operational_inertia(&end).expect("a regular pose");
    let accelerations = |push: [f64; 3]| {
        let inputs = linkage::Inputs { push };
        linkage.accelerations(0.0, &state.q, &[0.0; 12], &inputs, &z).expect("a regular pose").a
    };
    let still = accelerations([0.0; 3]);
    for k in 0..3 {
        let a = accelerations(std::array::from_fn(|i| f64::from(u8::from(i == k))));
        let change = std::array::from_fn(|i| a[i] - still[i]);
        assert_close("planar", &times(&end, &change), &inverse.map(|row| row[k]));
    }
    assert!(position.marker_jacobian(1000).is_none() && position.body_jacobian(4).is_none());

    let loop_ = Loop::new(r#loop::Params::default()).expect("valid");
    let state = assembled(&loop_);
    let position = loop_.at_position(0.0, &state.q);
    let end = position.marker_jacobian(marker(&loop_, "grip")).expect("it is drawn");
    let inverse = position.inverse_operational_inertia(&end).expect("a regular pose");
    let accelerations = |wrench: [f64; 6]| {
        let (force, moment) = ([wrench[0], wrench[1], wrench[2]], [wrench[3], wrench[4], wrench[5]]);
        let inputs = r#loop::Inputs { force, moment };
        loop_.accelerations(0.0, &state.q, &[0.0; 6], &inputs, &[]).expect("a regular pose").a
    };
    let still = accelerations([0.0; 6]);
    for k in 0..6 {
        let a = accelerations(std::array::from_fn(|i| f64::from(u8::from(i == k))));
        let change = std::array::from_fn(|i| a[i] - still[i]);
        // Small inertias: accelerations are up to a thousand for each newton metre.
        assert_close("in space", &times(&end, &change).map(|x| x / 100.0), &inverse.map(|row| row[k] / 100.0));
    }
}
