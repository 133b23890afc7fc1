//! Every mechanism in natural coordinates: the laws of random mechanisms, the engine, and equal motion in body coordinates.

use std::fs;
use std::path::PathBuf;

use mbs::{Describe, Item, Mechanism, RowKind};
use mbs_compiler::compile::Options;
use mbs_model::Formulation;
use mbs_random::laws::{self, Compared};
use mbs_random::ledger::Violation;
use mbs_random::oracle::Oracle;
use mbs_random::state::{Random, assembled, consistent, scattered};

use crate::mechanisms::harness::{
    OwnedState, compiled_fma, corpus, engine, file, files, interpret, planar_files, stem_of,
};
use crate::tiers::by_tier;

/// Laws that a mechanism violates, with the worst quantity of each.
fn violations(name: &str) -> Vec<String> {
    let text = fs::read_to_string(file(name)).expect("it was just listed");
    let [body, natural] = [Formulation::Body, Formulation::Natural]
        .map(|formulation| interpret(name, &text, Some(formulation), compiled_fma()));
    let engine = engine(name, Formulation::Natural);
    let start = match assembled(&natural) {
        Ok(start) => start,
        Err(error) => return vec![format!("it does not assemble: {error}")],
    };
    let mut random = Random::new(7);
    let mut states = scattered(&natural, &start, by_tier(2, 4), &mut random);
    let on = consistent(&natural, &start, by_tier(2, 4), &mut random);
    if on.is_empty() {
        return vec!["no state is consistent".to_owned()];
    }
    let mut found: Vec<Violation> = Vec::new();
    let mut law = |result: Result<f64, Violation>| found.extend(result.err());
    // Splines have no third derivative at knots, which rows with states pass, in any coordinates.
    if !["knee", "telescope", "winch"].contains(&name) {
        law(laws::derivatives_are_differences(&natural, &states));
    }
    states.extend(on.iter().cloned());
    let oracles = Oracle::all(&natural, &states);
    law(laws::equations_are_those_of_series(&natural, &oracles));
    law(laws::reports_are_those_of_series(&natural, &oracles));
    law(laws::accelerations_solve_their_equations(&natural, &states));
    law(laws::stages_accelerate_alike(&natural, &states));
    law(laws::solves_solve_their_equations(&natural, &states));
    law(laws::loads_account_for_energy(&natural, &oracles[states.len() - on.len()..]));
    law(laws::formulations_accelerate_alike(&body, &natural, &on));
    if natural.compiled().checked.solvable && laws::comparable_state_count(&body, &natural, &on) == 0 {
        return vec!["no state is one of body coordinates, too".to_owned()];
    }
    law(laws::sides_agree(&natural, &engine, Compared::new(&natural, true), &states));
    found.iter().map(|violation| violation.to_string().chars().take(400).collect()).collect()
}

#[test]
fn mechanisms_of_the_plane_obey_the_laws() {
    check(planar_files());
}

#[test]
fn mechanisms_of_space_obey_the_laws() {
    let planar = planar_files();
    check(files().into_iter().filter(|path| !planar.contains(path)).collect());
}

fn check(files: Vec<PathBuf>) {
    let all: Vec<String> = files.iter().map(|path| stem_of(path)).collect();
    let mut report = String::new();
    for name in &all {
        for violation in violations(name) {
            report.push_str(&format!("{name}: {violation}\n"));
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Numbers of operations, sine pairs and calls of the accelerations.
fn cost(name: &str) -> (usize, usize, usize) {
    let compiled = corpus(name, Formulation::Natural, compiled_fma()).compiled();
    let counts = compiled.function("accelerations").expect("it is always emitted").counts;
    (counts.operations, counts.sincos, counts.calls)
}

/// Bars share points: four coordinates and three distances for the four-bar, eight and seven for Andrews' mechanism, and no angle.
#[test]
fn shared_points_leave_few_operations_and_no_trigonometry() {
    let names = ["four_bar", "andrews", "n_four_bar_2", "slider_crank"];
    let all: String = names.iter().map(|name| format!("{name}: {:?}\n", cost(name))).collect();
    expect_test::expect![[r#"
        four_bar: (125, 0, 0)
        andrews: (415, 0, 0)
        n_four_bar_2: (253, 0, 0)
        slider_crank: (59, 0, 0)
    "#]]
    .assert_eq(&all);
    // Spatial mechanisms: a body with a point on ground, a free body, and loops.
    let names = ["heavy_top", "free_top", "rssr", "spatial_slider_crank"];
    let all: String = names.iter().map(|name| format!("{name}: {:?}\n", cost(name))).collect();
    expect_test::expect![[r#"
        heavy_top: (266, 0, 0)
        free_top: (283, 0, 0)
        rssr: (331, 1, 0)
        spatial_slider_crank: (1672, 0, 0)
    "#]]
    .assert_eq(&all);
    let rows = |name: &str| {
        let interpreted = corpus(name, Formulation::Natural, compiled_fma());
        let sizes = interpreted.sizes();
        let rigid = (0..sizes.n_c).filter(|r| matches!(interpreted.row_kind(*r), RowKind::Body(_))).count();
        (sizes.n_q, sizes.n_v, sizes.n_c, rigid)
    };
    assert_eq!([rows("four_bar"), rows("andrews")], [(4, 4, 3, 3), (8, 8, 7, 7)]);
}

/// García de Jalón & Bayo's bar: M = m/6 [2 1; 1 2] of two points, one row; reference case `natural_planar_and_counts`. A body of a point and a
/// vector has mass and moment of inertia on the diagonal.
#[test]
fn mass_matrices_are_constant() {
    let text = "pub planar Bars {
        param m = 1.3; param l = 0.9;
        body bar { mass: m, inertia: m * l.powi(2) / 12, com: [l / 2, 0] }
        body left { mass: 1, inertia: 0.1, com: [0.2, 0.1] }
        body right { mass: 2, inertia: 0.3 }
        joint first = revolute(left, bar);
        joint second = revolute(bar at [l, 0], right at [0.1, 0]);
    }";
    let interpreted = interpret("bars", text, Some(Formulation::Natural), compiled_fma());
    let names: Vec<&str> = (0..8).map(|i| interpreted.name(Item::Coordinate(i))).collect();
    let [first, second] = ["first.x", "second.x"].map(|x| names.iter().position(|name| *name == x).expect("a point"));
    let at = |q: f64| OwnedState { t: 0.0, q: vec![q; 8], v: vec![0.0; 8], z: Vec::new(), u: Vec::new() };
    let masses = [0.3, 1.7].map(|q| interpreted.mass_matrix(at(q).view()));
    assert_eq!(masses[0], masses[1], "it does not depend on coordinates");
    let entry = |i: usize, j: usize| masses[0][8 * i + j];
    // The origin of `left` is on the first point; `right` is pinned to the second point off its centre of mass.
    let expected = [1.3 / 3.0 + 1.0, 1.3 / 6.0, 1.3 / 3.0 + 2.0];
    for (found, expected) in
        [entry(first, first), entry(first, second), entry(second, second)].into_iter().zip(expected)
    {
        assert!((found - expected).abs() <= 1e-15, "{found}, not {expected}");
    }
    let [axis_left, axis_right] =
        ["left.axis.x", "right.axis.x"].map(|x| names.iter().position(|name| *name == x).expect("a vector"));
    // ∫ r² dm about the point, and the first moment along the axis.
    let expected = [(axis_left, axis_left, 0.1 + 0.05), (axis_right, axis_right, 0.3 + 2.0 * 0.01)];
    for (i, j, expected) in expected.into_iter().chain([(second, axis_right, -0.2), (first, axis_left, 0.2)]) {
        assert!((entry(i.max(j), i.min(j)) - expected).abs() <= 1e-15, "{} instead of {expected}", entry(i, j));
    }
}

/// A body on two points whose distance another body keeps already adds no row; the second of two pins between the same points is reported as
/// redundant.
#[test]
fn redundant_constraints_of_shared_points() {
    let bars = |more: &str| {
        format!(
            "pub planar Twins {{
                gravity: [0, -9.81];
                body bar {{ mass: 1, inertia: 0.1, com: [0.5, 0] }}
                body twin {{ mass: 2, inertia: 0.2, com: [0.5, 0.1] }}
                joint hinge = revolute(ground, bar);
                joint near = revolute(bar at [0.2, 0], twin at [0.2, 0]);
                joint far = revolute(bar at [1, 0], twin at [1, 0]);
                {more}
            }}"
        )
    };
    let options = || Options { formulation: Some(Formulation::Natural), ..Options::default() };
    let refused = |text: &str| mbs_codegen::compile_text("twins", text, options()).err().map(|e| e.to_string());
    let found = refused(&bars("")).expect("three rows hold two freedoms");
    assert!(found.contains("[MBS060]"), "{found}");
    let resolved = interpret("twins", &bars("redundant: resolve;"), Some(Formulation::Natural), compiled_fma());
    assert_eq!(resolved.compiled().checked.freedoms, 1);
}
