//! A linkage that moves although it has as many rows as speeds: one of them is redundant.

use mbs::{Describe, Item, Mechanism};
use mbs_interp::Interpreted;

use crate::reference::case::{Case, for_both_formulations};
use crate::reference::comparison::{Accuracy, Comparison};

#[test]
fn bricards_mechanism_folds_and_unfolds() {
    let case = Case::read("iftomm_a04_bricard");
    assert_eq!([case.parameter("rod_length"), case.parameter("section")], [1.0, 0.1]);
    for_both_formulations!(bricard { mass: case.parameter("rod_mass") } => bricard(&case));
}

fn bricard<M: Describe>(coordinates: &str, mechanism: &M, case: &Case) {
    let mut comparison = Comparison::new(&case.name, coordinates, mechanism, &case.times());
    let exact = Accuracy::Absolute(case.accuracy());
    for (column, output) in [("P2", "p2."), ("P3", "p3."), ("P3v", "p3_rate.")] {
        for axis in ["x", "y", "z"] {
            let output = format!("{output}{axis}");
            comparison.compare(&output, exact, &case.series(&format!("{column}{axis}")), |at| at.output(&output));
        }
    }
    comparison.compare("energy", exact, &case.series("E_total"), |at| at.energy());
    // The benchmark requires 1e-3 J.
    let energies: Vec<f64> = comparison.run().samples().map(|at| at.energy()).collect();
    let drift = energies.iter().map(|e| (e - energies[0]).abs()).fold(0.0, f64::max);
    comparison.bound("energy drift", drift, 1e-9);
    comparison.finish();
}

#[test]
fn the_redundant_row_of_bricards_mechanism_is_named() {
    for_both_formulations!(bricard {} => fixed_while_assembling());
}

/// The constants of generated code; `.ci/run --full` compiles this mechanism.
#[cfg(largest)]
#[test]
fn generated_code_names_the_redundant_row_of_bricards_mechanism() {
    use mbs_corpus::{body, joint};
    assert_eq!(body::bricard::REDUNDANT, ["p3.tilt_normal"]);
    assert_eq!(joint::bricard::REDUNDANT, ["p3.tilt_normal"]);
    assert_eq!([body::bricard::NC, joint::bricard::NC], [29 + 1, 4]);
    assert_eq!([body::bricard::DOF, joint::bricard::DOF], [1, 1]);
}

/// In place of the omitted row a condition is fixed during assembly.
fn fixed_while_assembling(coordinates: &str, mechanism: &Interpreted) {
    let sizes = mechanism.sizes();
    let omitted: Vec<&str> = mechanism.compiled().tree.redundant.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(omitted, ["p3.tilt_normal"]);
    // 29 of the 30 rows of six hinges, and one that unwraps the angle of an output; 4 of the 5 that close the loop.
    assert_eq!([sizes.n_c, sizes.n_v - sizes.n_c], [if coordinates == "body" { 29 + 1 } else { 4 }, 1]);
    assert!((0..sizes.n_c).all(|row| mechanism.name(Item::Row(row)) != "p3.tilt_normal"));
    assert_eq!(sizes.n_conditions, 1);
    assert_eq!(mechanism.name(Item::Condition(0)), "p3.tilt_normal");
}
