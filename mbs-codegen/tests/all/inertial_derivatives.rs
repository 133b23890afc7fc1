//! Derivatives of inertial forces in space by recursions, compared with exact directional derivatives of the forces, and their costs.
//!
//! The oracle evaluates `project(inertial(…))` on truncated Taylor series in the directions q̇ = N̂ eⱼ or v̂ + τ eⱼ: the formula of the
//! forces is the only one in common. The tolerance is 1e-10 of the largest derivative: some thousand roundings of 1e-16 on both sides, speeds
//! and accelerations of order one, differences of terms that are a hundred times larger than the results.

use expect_test::{Expect, expect};
use mbs_compiler::graph::{Graph, NodeId, Sym, Symbol};
use mbs_compiler::optimize::{count, optimize};
use mbs_expr::{Scalar, Series};
use mbs_model::Model;
use mbs_physics::{Mechanics, Mobilizer, Tree, Variables, default_variables};

use crate::trees::{bodies_and_joints, coordinates, freedoms, model, sines};

const TOLERANCE: f64 = 1e-10;

/// Coordinates, speeds and accelerations.
struct TestState {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

fn state(tree: &Tree, seed: usize) -> TestState {
    let numbers = |from: usize| sines(tree.n(), 37 * seed + from);
    TestState { q: coordinates(tree, seed), v: numbers(51), a: numbers(90) }
}

type Moving = Series<2>;

fn mechanics<'m>(model: &'m Model, tree: &'m Tree, q: Vec<Moving>, [v, a]: [&[Moving]; 2]) -> Mechanics<'m, Moving> {
    Mechanics::at_spatial_state(model, tree, default_variables(model, tree), q, [v, a])
}

fn constants(values: &[f64]) -> Vec<Moving> {
    values.iter().map(|x| Series::constant(*x)).collect()
}

fn forces(mechanics: &Mechanics<'_, Moving>) -> Vec<Moving> {
    let (space, tree) = (mechanics.spatial().state, mechanics.tree);
    space.project(tree, space.inertial(&space.regrouped(tree), true))
}

/// ∂f/∂q and ∂f/∂v̂, row-major.
fn oracle(model: &Model, tree: &Tree, at: &TestState) -> [Vec<f64>; 2] {
    let n = tree.n();
    let (q, v, a) = (constants(&at.q), constants(&at.v), constants(&at.a));
    let here = mechanics(model, tree, q.clone(), [&v, &a]);
    let mut derivatives = [vec![0.0; n * n], vec![0.0; n * n]];
    for j in 0..n {
        let direction = constants(&(0..n).map(|i| if i == j { 1.0 } else { 0.0 }).collect::<Vec<_>>());
        let rates =
            here.spatial().state.coordinate_rates(tree, &here.spatial().state.interface_speeds(tree, &direction));
        let q_path = at.q.iter().zip(rates).map(|(q, rate)| Series::linear(*q, rate.value())).collect();
        let v_path: Vec<Moving> =
            at.v.iter().enumerate().map(|(i, v)| Series::linear(*v, if i == j { 1.0 } else { 0.0 })).collect();
        let q_forces = forces(&mechanics(model, tree, q_path, [&v, &a]));
        let v_forces = forces(&mechanics(model, tree, q.clone(), [&v_path, &a]));
        for (derivatives, forces) in derivatives.iter_mut().zip([q_forces, v_forces]) {
            forces.iter().enumerate().for_each(|(i, f)| derivatives[i * n + j] = f.derivative(1));
        }
    }
    derivatives
}

fn recursions(model: &Model, tree: &Tree, at: &TestState) -> [Vec<f64>; 2] {
    let n = tree.n();
    let (v, a) = (constants(&at.v), constants(&at.a));
    let here = mechanics(model, tree, constants(&at.q), [&v, &a]);
    let derivatives = here.spatial().inertial_derivatives(&here.spatial().state.regrouped(tree));
    [derivatives.along_q, derivatives.along_v].map(|entries| {
        let mut full = vec![None; n * n];
        for (i, j, x) in entries {
            assert!(full[i * n + j].replace(x.value()).is_none(), "entry ({i}, {j}) comes twice");
        }
        full.into_iter().map(|x| x.unwrap_or(0.0)).collect()
    })
}

/// Compares the derivatives for the bodies and joints of `items`; returns the freedoms of the tree.
fn assert_derivatives(items: &str) -> Vec<Mobilizer> {
    let model = model(items);
    let tree = Tree::new(&model);
    for seed in 0..4 {
        let at = state(&tree, seed);
        let (expected, got) = (oracle(&model, &tree, &at), recursions(&model, &tree, &at));
        for (variable, (expected, got)) in ["q", "v"].iter().zip(expected.iter().zip(&got)) {
            let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (k, (expected, got)) in expected.iter().zip(got).enumerate() {
                let (i, j) = (k / tree.n(), k % tree.n());
                let error = (expected - got).abs();
                assert!(
                    error <= TOLERANCE * size,
                    "∂f{i}/∂{variable}{j} is {expected}, not {got}: seed {seed} of\n{items}"
                );
            }
        }
    }
    freedoms(&tree)
}

#[test]
fn hinges_about_any_axis_in_both_directions() {
    assert_derivatives(&bodies_and_joints(3, crate::trees::LITERAL_HINGES));
    let freedoms = assert_derivatives(&bodies_and_joints(3, crate::trees::HINGES));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Revolute { axis: 0, sign: -1.0, .. })));
}

#[test]
fn branches_of_hinges() {
    assert_derivatives(&bodies_and_joints(4, crate::trees::BRANCHES));
}

#[test]
fn slides_and_screws() {
    assert_derivatives(&bodies_and_joints(3, crate::trees::SLIDES));
    let freedoms = assert_derivatives(&bodies_and_joints(4, crate::trees::SCREWS));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Screw { .. })));
}

#[test]
fn balls_of_every_attitude_in_both_directions() {
    assert_derivatives(&bodies_and_joints(4, crate::trees::BALLS));
    let freedoms = assert_derivatives(&bodies_and_joints(4, crate::trees::REVERSED_BALLS));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Ball { reversed: true, .. })));
    assert_derivatives(&bodies_and_joints(
        2,
        "joint j1 = spherical(a at [0.1, 0, 0.2], ground); joint j2 = spherical(b, a at [0.3, 0, 0]);",
    ));
}

#[test]
fn floating_bodies_as_parents() {
    let freedoms = assert_derivatives(&bodies_and_joints(4, crate::trees::CARRYING));
    assert!(matches!(freedoms[0], Mobilizer::Free { com: None, reversed: false, .. }));
    let freedoms = assert_derivatives(&bodies_and_joints(
        2,
        "joint j1 = free(a at [0, 0.1, 0], ground); joint j2 = revolute(a at [0.3, 0, 0.1], b) { axis: [0, 1, 1] };",
    ));
    assert!(matches!(freedoms[0], Mobilizer::Free { com: None, reversed: true, .. }));
}

#[test]
fn floating_bodies_as_children() {
    assert_derivatives(&bodies_and_joints(
        4,
        "joint j1 = revolute(ground, a) { axis: [1, 0, 2] }; joint j2 = free(a at [0.3, 0, 0.1], b at [0, 0.2, 0]);
        joint j3 = free(b at [0.3, 0.1, 0.1], c at [0, 0.2, 0.3]); joint j4 = revolute(c at [0.1, 0, 0], d) { axis: [1, 0, 0] };",
    ));
    let freedoms = assert_derivatives(&bodies_and_joints(4, crate::trees::CARRIED));
    assert!(matches!(freedoms[1], Mobilizer::Free { com: None, reversed: true, .. }));
}

#[test]
fn floating_bodies_without_children_and_particles() {
    let freedoms = assert_derivatives(&bodies_and_joints(4, crate::trees::FLYING));
    assert_eq!(freedoms.iter().filter(|f| matches!(f, Mobilizer::Free { com: Some(_), .. })).count(), 3);
    assert!(freedoms.contains(&Mobilizer::Translation));
}

#[test]
fn joints_of_several_steps() {
    assert_derivatives(&bodies_and_joints(4, crate::trees::STEPS));
    assert_derivatives(&bodies_and_joints(
        4,
        "joint j1 = gimbal(ground, a); joint j2 = fixed(a at [0.3, -0.1, 0.2], b);
        joint j3 = planar(c at [0.1, 0, 0.1], b at [0.3, -0.1, 0.2]) { normal: [0, 1, 1] }; joint j4 = gimbal(d, c);",
    ));
}

#[test]
fn points_on_ellipsoids_and_spheres() {
    let freedoms = assert_derivatives(&bodies_and_joints(
        4,
        "joint j1 = ellipsoid(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]) { radii: [0.3, 0.5, 0.2] };
        joint j2 = ellipsoid(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]) { radii: [0.2, 0.1, 0.4] };
        joint j3 = orbital_fixed(b at [0.3, 0, 0.2], c at [0.1, 0.2, 0.1]) { radius: 0.3 };
        joint j4 = orbital_spherical(d at [0.1, 0.2, 0.1], c at [0.3, 0.2, 0.2]) { radius: 0.2 };",
    ));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Ellipsoid { reversed: true, .. })));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Orbit { sign: -1.0, .. })));
    assert_derivatives(&bodies_and_joints(
        2,
        "joint j1 = ellipsoid(a at [0.1, 0, 0.2], ground) { radii: [0.3, 0.5, 0.2] }; joint j2 = revolute(a, b);",
    ));
}

#[test]
fn lines_that_do_not_spin() {
    let freedoms = assert_derivatives(&bodies_and_joints(
        4,
        "joint j1 = line_orientation(ground at [0.1, 0.2, 0.3], a at [0.01, 0.02, 0.03]);
        joint j2 = line_orientation(b at [0.1, 0, 0.1], a at [0.3, -0.1, 0.2]);
        joint j3 = free_line(b at [0.3, 0, 0.2], c at [0.1, 0.2, 0.1]); joint j4 = free_line(d at [0.1, 0.2, 0.1], c);",
    ));
    assert!(freedoms.iter().any(|f| matches!(f, Mobilizer::Line { reversed: true, .. })));
    assert_derivatives(&bodies_and_joints(
        2,
        "joint j1 = line_orientation(a at [0.1, 0, 0.2], ground); joint j2 = revolute(a, b);",
    ));
}

#[test]
fn coordinates_that_move_no_body_have_no_entries() {
    let items = bodies_and_joints(
        1,
        "coordinate s = 0.2;
        joint j1 = revolute(ground, a) { axis: [1, 2, 0] };
        constraint c = position(a at [0.1, 0.2, 0.3]).z == s * s;",
    );
    assert_derivatives(&items);
    let model = model(&items);
    let tree = Tree::new(&model);
    assert_eq!((tree.n(), tree.links.len()), (2, 1));
    let at = state(&tree, 0);
    let here = mechanics(&model, &tree, constants(&at.q), [&constants(&at.v), &constants(&at.a)]);
    let derivatives = here.spatial().inertial_derivatives(&here.spatial().state.regrouped(&tree));
    let entries = [derivatives.along_q, derivatives.along_v].concat();
    assert!(!entries.is_empty() && entries.iter().all(|(i, j, _)| (*i, *j) == (0, 0)), "{entries:?}");
}

/// Operations of f, M, ∂f/∂v̂, ∂f/∂q and of several at once, shared terms included: as derived → after the optimizer.
fn check_counts(items: &str, expected: &Expect) {
    let model = model(items);
    let tree = Tree::new(&model);
    let graph = Graph::new();
    let symbols = |count: usize, symbol: fn(u32) -> Symbol| -> Vec<Sym<'_>> {
        (0..count as u32).map(|i| Sym::Node(&graph, graph.symbol(symbol(i)))).collect()
    };
    let variables = Variables {
        t: Sym::Node(&graph, graph.symbol(Symbol::Time)),
        parameters: symbols(Model::flat_size(&model.quantities.parameters), Symbol::Parameter),
        inputs: Vec::new(),
        auxiliary: Vec::new(),
        multipliers: Vec::new(),
        reactions: Vec::new(),
        prescribed: Vec::new(),
    };
    let (v, a) = (symbols(tree.n(), Symbol::SolverSpeed), symbols(tree.n(), Symbol::SolverAcceleration));
    let q = symbols(tree.n_q(), Symbol::SolverCoordinate);
    let mechanics = Mechanics::at_spatial_state(&model, &tree, variables, q, [&v, &a]);
    let moments = mechanics.spatial().state.regrouped(&tree);
    let derivatives = mechanics.spatial().inertial_derivatives(&moments);
    let nodes = |entries: &[(usize, usize, Sym<'_>)]| -> Vec<NodeId> {
        entries.iter().filter(|e| !e.2.is_zero()).map(|e| e.2.id(&graph)).collect()
    };
    let (by_q, by_v) = (nodes(&derivatives.along_q), nodes(&derivatives.along_v));
    let mass = nodes(&mechanics.spatial().state.mass_matrix(&tree, &moments));
    let forces: Vec<NodeId> = mechanics
        .spatial()
        .state
        .project(&tree, mechanics.spatial().state.inertial(&moments, true))
        .iter()
        .map(|f| f.id(&graph))
        .collect();
    let mut text = String::new();
    for (name, roots) in [
        ("f", forces.clone()),
        ("M", mass.clone()),
        ("∂f/∂v", by_v.clone()),
        ("∂f/∂q", by_q.clone()),
        ("∂f/∂v and ∂f/∂q", [by_q.clone(), by_v.clone()].concat()),
        ("∂f/∂v, ∂f/∂q and M", [by_q.clone(), by_v.clone(), mass.clone()].concat()),
        ("all", [by_q, by_v, mass, forces].concat()),
    ] {
        let roots = graph.expand(&roots);
        let optimized = optimize(&graph, &roots, &[]);
        let (before, after) = (count(&graph, &roots), count(&graph, &optimized.roots));
        text += &format!("{name}: {} values, {} → {}\n", roots.len(), before.operations, after.operations);
    }
    expected.assert_eq(&text);
}

#[test]
fn an_arm_of_seven_hinges_costs() {
    check_counts(
        "gravity: [0, 0, -9.81]; import \"urdf/robot_arm7.urdf\"; joint foot = fixed(ground, base);",
        &expect![[r#"
            f: 7 values, 724 → 712
            M: 28 values, 589 → 538
            ∂f/∂v: 49 values, 2001 → 1919
            ∂f/∂q: 42 values, 2978 → 2896
            ∂f/∂v and ∂f/∂q: 91 values, 3687 → 3594
            ∂f/∂v, ∂f/∂q and M: 119 values, 3752 → 3653
            all: 126 values, 3786 → 3685
        "#]],
    );
}

#[test]
fn a_quadruped_costs() {
    check_counts(
        "gravity: [0, 0, -9.81]; import \"urdf/robot_quadruped18.urdf\" { trunk: { velocity: body } }; joint base = free(ground, trunk);",
        &expect![[r#"
            f: 18 values, 1280 → 1252
            M: 107 values, 644 → 587
            ∂f/∂v: 213 values, 3108 → 2973
            ∂f/∂q: 159 values, 3706 → 3605
            ∂f/∂v and ∂f/∂q: 372 values, 5529 → 5359
            ∂f/∂v, ∂f/∂q and M: 479 values, 5530 → 5366
            all: 497 values, 5768 → 5596
        "#]],
    );
}

#[test]
fn a_satellite_costs() {
    check_counts(
        "body s { mass: 10, inertia: [1, 2, 3] } joint base = free(ground, s);",
        &expect![[r#"
            f: 6 values, 13 → 13
            M: 6 values, 0 → 0
            ∂f/∂v: 6 values, 5 → 3
            ∂f/∂q: 0 values, 0 → 0
            ∂f/∂v and ∂f/∂q: 6 values, 5 → 3
            ∂f/∂v, ∂f/∂q and M: 12 values, 5 → 3
            all: 18 values, 18 → 16
        "#]],
    );
}
