//! Derives reactions as nodes, and symbolically the derivatives that their formulas need.

use mbs_definition::Space;
use mbs_expr::{ExprId, Function2, Op};
use mbs_math::Vec3;
use mbs_model::RowLevel;
use mbs_physics::{Mechanics, observable_derivatives};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, NodeId, Sym, Symbol, partial};

/// Reactions of joints and equations as nodes in solver symbols, solver accelerations and multipliers.
pub struct Reactions {
    /// Reaction of each joint on its second end, in world axes: point x, y, force x, y, moment about the point; in space three components of
    /// each.
    pub joints: Vec<Vec<NodeId>>,
    /// Reactions that expressions read, by index of [`Op::Reaction`]: force x, y, moment; in space three components of both.
    pub observed: Vec<Vec<NodeId>>,
    /// Loads of prescribed coordinates.
    pub prescribed: Vec<NodeId>,
}

/// Derives the reactions of a mechanism.
pub fn reactions<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> Reactions {
    let derivatives = |e: ExprId, level: RowLevel| expression_derivatives(graph, mechanics, e, level);
    let spatial = mechanics.model.space == Space::Spatial;
    let flat = |parts: &[Vec3<Sym<'g>>]| -> Vec<NodeId> {
        let (vectors, moment) = parts.split_at(parts.len() - 1);
        let dimension = if spatial { 3 } else { 2 };
        let linear = vectors.iter().flat_map(|v| &v[..dimension]);
        linear.chain(if spatial { &moment[0][..] } else { &moment[0][2..] }).map(|s| s.id(graph)).collect()
    };
    let found = mechanics.reactions(&derivatives);
    let joints: Vec<Vec<NodeId>> =
        found.joints.iter().map(|r| flat(&[r.point, r.wrench.force, r.wrench.torque])).collect();
    let observed = mechanics.observed_reactions(&found, &derivatives);
    let observed = observed.iter().map(|wrench| wrench.iter().map(|s| s.id(graph)).collect()).collect();
    let prescribed = found.prescribed.iter().map(|load| load.id(graph)).collect();
    Reactions { joints, observed, prescribed }
}

impl Reactions {
    /// `roots` with the symbols of reactions and of loads of prescribed coordinates replaced by their expressions.
    pub fn substitute_into(&self, graph: &Graph, roots: &[NodeId]) -> Vec<NodeId> {
        let reactions = (0..).map(Symbol::Reaction).zip(self.observed.iter().flatten());
        let loads = (0..).map(Symbol::PrescribedLoad).zip(&self.prescribed);
        let known = reactions.chain(loads).map(|(symbol, node)| (graph.symbol(symbol), *node));
        graph.substitute(roots, &known.collect())
    }
}

/// Partial derivatives of an expression with respect to its observables.
pub fn expression_derivatives<'g>(
    graph: &'g Graph,
    mechanics: &Mechanics<'_, Sym<'g>>,
    e: ExprId,
    level: RowLevel,
) -> Vec<(Op, Sym<'g>)> {
    let partials = |op: Op, children: [Option<ExprId>; 4]| {
        let operands = children.map(|c| c.map(|c| mechanics.value(c).id(graph)));
        partials(graph, op, operands).map(|derivative| Sym::Node(graph, derivative))
    };
    observable_derivatives(mechanics.model, e, level, Sym::Literal(1.0), &partials)
}

/// Partial derivatives ∂f/∂xᵢ of an operation at the given operands; 1 for a rate.
fn partials(graph: &Graph, op: Op, operands: [Option<NodeId>; 4]) -> [NodeId; 4] {
    let zero = graph.constant(0.0);
    let variables = [0, 1, 2, 3].map(|i| graph.symbol(Symbol::Operand(i)));
    let result = match op {
        Op::Unary(f, _) => graph.unary(f, variables[0]),
        Op::Binary(Function2::Add, ..) => graph.add(variables[0], variables[1]),
        Op::Binary(Function2::Sub, ..) => graph.sub(variables[0], variables[1]),
        Op::Binary(Function2::Mul, ..) => graph.mul(variables[0], variables[1]),
        Op::Binary(Function2::Div, ..) => graph.div(variables[0], variables[1]),
        Op::Binary(f, ..) => graph.binary(f, variables[0], variables[1]),
        Op::Select(test, _) => graph.select(test, variables),
        Op::Called { function, partial, .. } => {
            graph.called(function, partial, &variables[..usize::from(partial.arguments)])
        }
        Op::Rate(_) => return [graph.constant(1.0), zero, zero, zero],
        _ => return [zero; 4],
    };
    let replace: FxHashMap<NodeId, NodeId> =
        variables.iter().zip(operands).filter_map(|(s, x)| Some((*s, x?))).collect();
    let derivative = |i: u32| partial(graph, result, Symbol::Operand(i));
    let derivatives = graph.substitute(&[derivative(0), derivative(1), derivative(2), derivative(3)], &replace);
    [0, 1, 2, 3].map(|i| derivatives[i])
}
