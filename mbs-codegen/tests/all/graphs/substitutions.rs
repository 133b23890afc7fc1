//! Substitution of nodes: results that are kept, and their names.

use mbs_compiler::graph::{Graph, NodeId, Substitution, Symbol};
use rustc_hash::FxHashMap as HashMap;

#[test]
fn memoized_results_equal_new_substitutions() {
    let g = Graph::new();
    let [x, y, z] = [0, 1, 2].map(|i| g.symbol(Symbol::Coordinate(i)));
    let replace: HashMap<NodeId, NodeId> = [(x, y), (y, g.mul(z, z))].into_iter().collect();
    let memoized = Substitution::new(replace.clone());
    let first = g.add(g.mul(x, y), z);
    let second = g.sub(g.inv(first), g.mul(x, z));
    for roots in [&[first][..], &[second, first], &[x, second]] {
        assert_eq!(memoized.apply(&g, roots), g.substitute(roots, &replace));
    }
}

#[test]
fn late_names_are_passed_on_to_requested_nodes() {
    let g = Graph::new();
    let [x, y] = [0, 1].map(|i| g.symbol(Symbol::Coordinate(i)));
    let substitution = Substitution::new([(x, y)].into_iter().collect());
    let [square, cube] = [g.mul(x, x), g.mul(x, g.mul(x, x))];
    g.suggest(square, "square");
    let made = substitution.apply(&g, &[square, cube]);
    assert_eq!(g.name(made[0]).as_deref(), Some("square"));
    g.suggest(cube, "cube");
    substitution.apply(&g, &[square]);
    assert_eq!(g.name(made[1]), None);
    substitution.apply(&g, &[g.neg(cube)]);
    assert_eq!(g.name(made[1]).as_deref(), Some("cube"));
}
