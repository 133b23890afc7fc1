//! Elimination of speeds together with rows.

use std::collections::BTreeMap;

use mbs_compiler::evaluate::evaluate;
use mbs_compiler::graph::{Graph, NodeId};
use mbs_compiler::solve::{Block, Elimination, Factor};
use mbs_core::solve_columns_plain;

use crate::planar::Linkage;
use crate::planar::body::{Origin, four_bar};

/// The positions of the centres, or of the pins, by the rows of pins at them; then, unless the rows are dependent, the rest one by one. Row k is
/// unknown 9 + k.
fn order() -> Vec<Block> {
    let pairs = [(0, 9), (1, 10), (3, 11), (4, 12), (6, 15), (7, 16)];
    let pairs = pairs.map(|(speed, row)| Block::Pair { speed, row });
    pairs.into_iter().chain([2, 5, 8, 13, 14].map(Block::One)).collect()
}

/// Solutions differ by rounding. The condition number is some hundreds.
const TOLERANCE: f64 = 1e-11;

fn values(linkage: &Linkage<'_>, graph: &Graph, nodes: &[NodeId]) -> Vec<f64> {
    evaluate(graph, nodes, &|symbol| linkage.value(symbol))
}

fn assert_close(got: &[f64], expected: &[f64]) {
    let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let close = got.iter().zip(expected).all(|(a, b)| (a - b).abs() < TOLERANCE * size);
    assert!(close && got.len() == expected.len(), "{got:?} is not {expected:?}");
}

/// The solution by the table of steps.
fn solution_by_table(linkage: &Linkage<'_>, graph: &Graph, factor: &Factor) -> Vec<f64> {
    let (steps, entries) = factor.steps(graph);
    let entries = values(linkage, graph, &entries);
    let mut right = values(linkage, graph, &linkage.right);
    let (speeds, rows) = right.split_at_mut(9);
    solve_columns_plain::<1>(&steps, &entries, speeds, rows);
    right
}

#[test]
fn pairs_solve_what_single_unknowns_solve() {
    for origin in [Origin::CentreOfMass, Origin::Pin] {
        let graph = Graph::new();
        let linkage = four_bar(&graph, origin);
        let one_by_one = linkage.solve_in_order((0..17).collect()).expect("regular pivots").0;
        let expected = values(&linkage, &graph, &one_by_one);
        let saddle = linkage.saddle();
        let factor = Factor::new(&graph, &saddle, order()).expect("its pairs are literal");
        assert_close(&values(&linkage, &graph, &factor.solve(&graph, &saddle, &linkage.right)), &expected);
        // The unsymmetric elimination of the same matrix.
        let diagonal: Vec<NodeId> =
            (0..17).map(|i| saddle.rows[i].get(&i).copied().unwrap_or(graph.constant(0.0))).collect();
        let elimination = Elimination::new(&graph, 9, &saddle.rows, &diagonal, &order()).expect("literal pairs");
        assert_close(&values(&linkage, &graph, &elimination.solve(&graph, &linkage.right)), &expected);
        // Pivots and their magnitudes are those of the factor.
        for ((i, d, size), (j, other, other_size)) in elimination.pivots.iter().zip(&factor.pivots) {
            assert_eq!(i, j);
            let x = values(&linkage, &graph, &[*d, *size, *other, *other_size]);
            assert_close(&x[..2], &x[2..]);
            assert!(x[0].abs() <= 1.000001 * x[1], "pivot {i}: {x:?}");
        }
        assert_close(&solution_by_table(&linkage, &graph, &factor), &expected);
    }
}

/// A speed that its row gives needs no mass.
#[test]
fn a_pair_needs_no_mass() {
    let graph = Graph::new();
    let mut linkage = four_bar(&graph, Origin::CentreOfMass);
    linkage.mass.retain(|(i, j), _| i != j || ![6, 7].contains(i));
    assert!(linkage.solve_in_order((0..17).collect()).is_none());
    let saddle = linkage.saddle();
    let factor = Factor::new(&graph, &saddle, order()).expect("its pairs are literal");
    let solution = values(&linkage, &graph, &factor.solve(&graph, &saddle, &linkage.right));
    // K x − r.
    let product = |row: &BTreeMap<usize, NodeId>| {
        let entries: Vec<NodeId> = row.values().copied().collect();
        let entries = values(&linkage, &graph, &entries);
        row.keys().zip(entries).map(|(j, k)| k * solution[*j]).sum::<f64>()
    };
    let products: Vec<f64> = saddle.rows.iter().map(product).collect();
    assert_close(&products, &values(&linkage, &graph, &linkage.right));
}

/// Factors that the coefficients of a row have in common are divided out.
#[test]
fn rows_are_scaled() {
    let graph = Graph::new();
    let mut linkage = four_bar(&graph, Origin::Pin);
    let before = values(&linkage, &graph, &linkage.solve_in_order((0..17).collect()).expect("regular pivots").0);
    let two = graph.constant(2.0);
    for (_, g) in linkage.jacobian.range_mut((4, 0)..(5, 0)) {
        *g = graph.mul(two, *g);
    }
    linkage.right[9 + 4] = graph.mul(two, linkage.right[9 + 4]);
    let saddle = linkage.saddle();
    let factor = Factor::new(&graph, &saddle, order()).expect("its pairs are literal");
    let mut after = values(&linkage, &graph, &factor.solve(&graph, &saddle, &linkage.right));
    assert_close(&solution_by_table(&linkage, &graph, &factor), &after);
    after[9 + 4] *= 2.0;
    assert_close(&after, &before);
}
