//! Reassociation and factoring: what merges, what is taken out, and how many operations remain.

use mbs_compiler::evaluate::evaluate;
use mbs_compiler::graph::{Graph, NodeId, Symbol};
use mbs_compiler::optimize::{count, optimize};

fn p(graph: &Graph, i: u32) -> NodeId {
    graph.symbol(Symbol::Parameter(i))
}

fn q(graph: &Graph, i: u32) -> NodeId {
    graph.symbol(Symbol::Coordinate(i))
}

/// Operations after optimisation; checks that the value is unchanged.
fn cost(graph: &Graph, roots: &[NodeId]) -> usize {
    let new = optimize(graph, roots, &[]).roots;
    let value = |s: Symbol| match s {
        Symbol::Parameter(i) => 0.7 + 0.31 * f64::from(i),
        Symbol::Coordinate(i) => 1.3 - 0.77 * f64::from(i),
        _ => 0.0,
    };
    for (old, new) in evaluate(graph, roots, &value).iter().zip(evaluate(graph, &new, &value)) {
        assert!((old - new).abs() <= 1e-12 * (1.0 + old.abs()), "{new} instead of {old}");
    }
    count(graph, &new).operations
}

#[test]
fn parameters_are_multiplied_first() {
    let g = &Graph::new();
    let product = g.mul(g.mul(g.mul(p(g, 0), q(g, 0)), p(g, 1)), g.constant(0.3));
    assert_eq!(cost(g, &[product]), 1);
}

#[test]
fn parameters_are_added_first() {
    let g = &Graph::new();
    let sum = g.sub(g.add(g.sub(q(g, 0), p(g, 0)), q(g, 1)), p(g, 1));
    assert_eq!(cost(g, &[sum]), 2);
}

#[test]
fn equal_terms_merge_and_cancel() {
    let g = &Graph::new();
    let xy = g.mul(q(g, 0), q(g, 1));
    let yx2 = g.mul(g.mul(q(g, 1), g.constant(2.0)), q(g, 0));
    let sum = g.sub(g.add(xy, yx2), g.mul(g.mul(g.constant(3.0), q(g, 0)), q(g, 1)));
    assert_eq!(optimize(g, &[sum], &[]).roots, [g.constant(0.0)]);
}

#[test]
fn terms_of_one_variable_collect_their_parameters() {
    let g = &Graph::new();
    let sum = g.add(g.mul(p(g, 0), q(g, 0)), g.mul(g.constant(0.3), q(g, 0)));
    assert_eq!(cost(g, &[sum]), 1);
}

#[test]
fn common_factors_are_taken_out() {
    let g = &Graph::new();
    let (x, y, z) = (q(g, 0), q(g, 1), q(g, 2));
    assert_eq!(cost(g, &[g.sub(g.mul(x, y), g.mul(z, x))]), 2);
    let literal = g.constant(0.3);
    assert_eq!(cost(g, &[g.add(g.mul(literal, x), g.mul(y, literal))]), 2, "a literal is a factor too");
}

#[test]
fn a_factor_that_saves_nothing_stays() {
    let g = &Graph::new();
    let (x, y) = (q(g, 0), q(g, 1));
    let sum = g.add(g.mul(x, y), x);
    let new = optimize(g, &[sum], &[]).roots;
    assert_eq!(new, [sum], "x y + x is one fused operation, x (y + 1) is not");
}

#[test]
fn a_sum_and_its_opposite_are_computed_once() {
    let g = &Graph::new();
    let (x, y, z) = (q(g, 0), q(g, 1), q(g, 2));
    let roots = [g.mul(g.sub(x, y), z), g.mul(g.sub(y, x), p(g, 0))];
    assert_eq!(cost(g, &roots), 3);
}

#[test]
fn uncounted_nodes_do_not_change_the_roots() {
    let g = &Graph::new();
    let (x, y) = (q(g, 0), q(g, 1));
    let product = g.mul(g.mul(x, p(g, 0)), y);
    let root = g.add(g.mul(product, p(g, 1)), g.mul(g.mul(x, y), p(g, 2)));
    let magnitude = g.unary(mbs_expr::Function::Abs, product);
    let (alone, with) = (optimize(g, &[root], &[]), optimize(g, &[root], &[magnitude]));
    assert_eq!(alone.roots, with.roots);
    let value = |s: Symbol| if let Symbol::Coordinate(i) = s { -1.5 - f64::from(i) } else { 2.0 };
    let magnitudes = evaluate(g, &[magnitude, with.uncounted[0]], &value);
    assert!((magnitudes[0] - magnitudes[1]).abs() < 1e-12);
}

#[test]
fn names_carry_over() {
    let g = &Graph::new();
    let sum = g.add(g.mul(p(g, 0), q(g, 0)), g.mul(p(g, 1), q(g, 0)));
    g.suggest(sum, "load");
    let new = optimize(g, &[sum], &[]).roots[0];
    assert_ne!(new, sum);
    assert_eq!(g.name(new).as_deref(), Some("load"));
}

#[test]
fn deep_graphs_do_not_overflow() {
    let g = &Graph::new();
    let mut x = q(g, 0);
    for i in 0..30_000u32 {
        x = match i % 3 {
            0 => g.add(x, q(g, i % 7)),
            1 => g.mul(x, p(g, i % 5)),
            _ => g.sub(q(g, i % 7), x),
        };
    }
    let product = (0..30_000).fold(q(g, 0), |x, i| g.mul(x, q(g, i % 3)));
    let new = optimize(g, &[x, product], &[]).roots;
    assert!(count(g, &new).operations <= count(g, &[x, product]).operations);
}

#[test]
fn long_sums_take_linear_time() {
    let g = &Graph::new();
    let term = |i: u32| g.mul(q(g, i % 90), g.mul(q(g, (i / 90) % 90), p(g, i % 11)));
    let sum = (0..8_000).map(term).reduce(|a, b| g.add(a, b)).expect("8,000 terms");
    let start = std::time::Instant::now();
    let new = optimize(g, &[sum], &[]).roots;
    assert!(count(g, &new).operations < count(g, &[sum]).operations);
    // Two orders of magnitude above the usual time; quadratic time would need minutes.
    assert!(start.elapsed().as_secs() < 60);
}
