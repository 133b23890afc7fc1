//! Articulated bodies compared with composite bodies: M by its columns and a dense solution of M x = f.
//!
//! The tolerance is 1e-10 of the largest component of x: M of these trees has a condition number below 1e5, and both sides round some hundred
//! times.

use mbs_expr::Series;
use mbs_physics::{LinkWrench, Mechanics, Mobilizer, Tree, default_variables};

use crate::trees::{bodies_and_joints, coordinates, freedoms, model, sines};

const TOLERANCE: f64 = 1e-10;

/// With as many coefficients as in `inertial_derivatives`, so that rustc compiles the physics for one scalar.
type Number = Series<2>;

fn numbers(values: &[f64]) -> Vec<Number> {
    values.iter().map(|x| Series::constant(*x)).collect()
}

fn values(numbers: &[Number]) -> Vec<f64> {
    numbers.iter().map(|x| x.value()).collect()
}

/// M as a dense matrix.
fn dense_mass(n: usize, entries: Vec<(usize, usize, Number)>) -> Vec<Vec<f64>> {
    let mut mass = vec![vec![0.0; n]; n];
    for (i, j, m) in entries {
        (mass[i][j], mass[j][i]) = (m.value(), m.value());
    }
    mass
}

/// M⁻¹ f by elimination from the last row to the first, and the pivots.
fn dense_solution(mut m: Vec<Vec<f64>>, mut x: Vec<f64>) -> (Vec<f64>, Vec<f64>) {
    let n = x.len();
    for p in (0..n).rev() {
        for i in 0..p {
            let l = m[i][p] / m[p][p];
            (0..n).for_each(|j| m[i][j] -= l * m[p][j]);
            x[i] -= l * x[p];
        }
    }
    for p in 0..n {
        x[p] = (x[p] - (0..p).map(|j| m[p][j] * x[j]).sum::<f64>()) / m[p][p];
    }
    (x, (0..n).map(|p| m[p][p]).collect())
}

fn assert_near(what: &str, expected: &[f64], got: &[f64], items: &str) {
    let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (i, (expected, got)) in expected.iter().zip(got).enumerate() {
        assert!((expected - got).abs() <= TOLERANCE * size, "{what} {i} is {expected}, not {got}, of\n{items}");
    }
}

/// Compares solutions, pivots and the inverse for the bodies and joints of `items`; returns the freedoms of the tree.
fn assert_solutions(items: &str) -> Vec<Mobilizer> {
    let model = model(items);
    let tree = Tree::new(&model);
    let n = tree.n();
    for seed in 0..4 {
        let rest = numbers(&vec![0.0; n]);
        let q = numbers(&coordinates(&tree, seed));
        let at_rest = Mechanics::at_spatial_state(&model, &tree, default_variables(&model, &tree), q, [&rest, &rest]);
        let space = at_rest.spatial().state;
        let moments = space.regrouped(&tree);
        let bodies = space.articulated(&tree, &moments).expect("no pivot vanishes");
        let m = dense_mass(n, space.mass_matrix(&tree, &moments));

        let forces = sines(n, 91 * seed);
        let (expected, pivots) = dense_solution(m.clone(), forces.clone());
        assert_near("x", &expected, &values(&bodies.solve(&numbers(&forces), None)), items);

        // Pivots of blocks depend on the order within the block, their product does not.
        for link in &tree.links {
            let block = link.first_v..link.first_v + link.mobilizer.speeds();
            let expected: f64 = pivots[block.clone()].iter().product();
            let got: f64 = bodies.pivots().filter(|(i, ..)| block.contains(i)).map(|(_, d, _)| d.value()).product();
            assert!((expected / got - 1.0).abs() < TOLERANCE, "pivots {block:?}: {expected}, not {got}, of\n{items}");
        }

        // The size of a pivot is at least the diagonal entry of M, which is at least the pivot.
        for (i, d, size) in bodies.pivots() {
            let (d, size) = (d.value(), size.value());
            assert!(d <= m[i][i] * (1.0 + TOLERANCE) && m[i][i] <= size * (1.0 + TOLERANCE), "{d} {size} of\n{items}");
        }

        let wrenches: Vec<LinkWrench<Number>> = (0..tree.links.len())
            .map(|i| {
                let w = numbers(&sines(6, 17 * seed + 5 * i));
                LinkWrench { moment: [w[0], w[1], w[2]].into(), force: [w[3], w[4], w[5]].into() }
            })
            .collect();
        let projected = values(&space.project(&tree, wrenches.clone()));
        let sum: Vec<f64> = projected.iter().zip(&forces).map(|(a, b)| a + b).collect();
        let (expected, _) = dense_solution(m.clone(), sum);
        assert_near("x of wrenches", &expected, &values(&bodies.solve(&numbers(&forces), Some(&wrenches))), items);

        for (j, row) in bodies.inverse_mass_matrix().iter().enumerate() {
            let unit = (0..n).map(|i| if i == j { 1.0 } else { 0.0 }).collect();
            assert_near("column of the inverse", &dense_solution(m.clone(), unit).0, &values(row), items);
        }
    }
    freedoms(&tree)
}

#[test]
fn hinges_about_any_axis_in_both_directions() {
    assert_solutions(&bodies_and_joints(3, crate::trees::LITERAL_HINGES));
    let freedoms = assert_solutions(&bodies_and_joints(3, crate::trees::HINGES));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Revolute { axis: 0, sign: -1.0, .. })));
}

#[test]
fn branches_of_hinges_and_slides_on_several_trees() {
    let another = "body e { mass: 0.3, inertia: [0.1, 0.2, 0.15] } body f { mass: 0.2, inertia: [0.1, 0.08, 0.05], com: [0.1, 0.2, 0] }
        joint k1 = prismatic(ground, e) { axis: [0, -1, 0] }; joint k2 = revolute(e at [0.1, 0, 0.2], f) { axis: [1, 0, 1] };";
    assert_solutions(&bodies_and_joints(4, &[crate::trees::BRANCHES, another].join("\n")));
}

#[test]
fn slides_and_screws_in_both_directions() {
    assert_solutions(&bodies_and_joints(3, crate::trees::SLIDES));
    let freedoms = assert_solutions(&bodies_and_joints(4, crate::trees::SCREWS));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Screw { .. })));
}

#[test]
fn balls_of_every_attitude_in_both_directions() {
    assert_solutions(&bodies_and_joints(4, crate::trees::BALLS));
    let freedoms = assert_solutions(&bodies_and_joints(4, crate::trees::REVERSED_BALLS));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Ball { reversed: true, .. })));
}

#[test]
fn guided_joints_in_both_directions() {
    let freedoms = assert_solutions(&bodies_and_joints(
        4,
        "param r = 0.3;
        joint j1 = ellipsoid(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]) { radii: [r, 0.2, 0.4] };
        joint j2 = ellipsoid(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { radii: [0.2, r, 0.1] };
        joint j3 = line_orientation(b at [0.3, 0, 0.2], c at [0.1, 0.2, 0.1]);
        joint j4 = free_line(d at [0.1, 0.2, 0.1], b at [0.3, 0.2, 0.2]);",
    ));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Ellipsoid { reversed: true, .. })));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Line { reversed: true, .. })));
    let freedoms = assert_solutions(&bodies_and_joints(
        3,
        "joint j1 = orbital_revolute(ground, a at [0.1, 0, 0]) { radius: 0.4 };
        joint j2 = orbital_spherical(b, a at [0.1, 0, 0]) { radius: 0.3 };
        joint j3 = revolute(b at [0.1, 0, 0], c) { axis: [0, 1, 1] };",
    ));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Orbit { .. })));
}

#[test]
fn floating_bodies_as_parents_and_as_children() {
    let freedoms = assert_solutions(&bodies_and_joints(4, crate::trees::CARRYING));
    assert!(matches!(freedoms[0], Mobilizer::Free { com: None, reversed: false, .. }));
    let freedoms = assert_solutions(&bodies_and_joints(4, crate::trees::CARRIED));
    assert!(matches!(freedoms[1], Mobilizer::Free { com: None, reversed: true, .. }));
}

#[test]
fn bodies_that_move_by_their_centres_of_mass_and_particles() {
    let freedoms = assert_solutions(&bodies_and_joints(4, crate::trees::FLYING));
    assert_eq!(freedoms.iter().filter(|f| matches!(f, Mobilizer::Free { com: Some(_), .. })).count(), 3);
    assert!(freedoms.contains(&Mobilizer::Translation));
}

#[test]
fn joints_of_several_steps() {
    assert_solutions(&bodies_and_joints(4, crate::trees::STEPS));
}
