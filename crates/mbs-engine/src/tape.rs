//! Expressions of a model as lists of operations: evaluated with time derivatives, differentiated by reverse sweeps.

use mbs_expr::{
    Comparison, ExprId, Function, Function2, FunctionCall, FunctionId, JointId, MOST_ARGUMENTS, MarkerId, Op, Partial,
    Scalar, Series,
};
use mbs_model::Model;
use mbs_physics::Tree;

use crate::constants::Constants;

/// Quantities of a state that an expression depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Leaf {
    /// u\[i\].
    Input(u32),
    /// z\[i\].
    Auxiliary(u32),
    /// t.
    Time,
    /// World component of a marker's origin.
    Position(MarkerId, u8),
    /// World component (last) of a marker's axis.
    Direction(MarkerId, u8, u8),
    /// Angle of a marker, continuous over revolutions.
    Angle(MarkerId),
    /// World component of the angular velocity of a marker's body.
    AngularVelocity(MarkerId, u8),
    /// q\[i\].
    Coordinate(usize),
    /// World component (last) of a basic point or vector.
    Basic(u32, u8),
    /// λ\[i\].
    Multiplier(usize),
    /// Component (last) of a reaction.
    Reaction(u32, u8),
}

impl Leaf {
    /// The marker that it observes, if any.
    pub fn marker(self) -> Option<MarkerId> {
        match self {
            Leaf::Position(m, _) | Leaf::Direction(m, ..) | Leaf::Angle(m) | Leaf::AngularVelocity(m, _) => Some(m),
            _ => None,
        }
    }
}

/// One operation; operands are earlier nodes.
#[derive(Clone, Copy, Debug)]
enum Node {
    Constant(ExprId),
    Leaf(Leaf),
    Rate(u32),
    Called(FunctionId, Partial, [u32; MOST_ARGUMENTS]),
    Unary(Function, u32),
    Binary(Function2, u32, u32),
    Select(Comparison, [u32; 4]),
}

/// Value, rate and half the second rate of a leaf.
pub(crate) type Jet = [f64; 3];

/// Taylor coefficients of all nodes of a tape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    stride: usize,
    coefficients: Vec<f64>,
}

impl Values {
    /// Allocates the coefficients of a tape.
    pub fn grow(&mut self, tape: &Tape) {
        let size = tape.len() * (3 + tape.nested).min(MOST_COEFFICIENTS);
        self.coefficients.resize(self.coefficients.len().max(size), 0.0);
    }

    /// Coefficient d of a node: its d-th time derivative over d!.
    pub fn coefficient(&self, node: usize, d: usize) -> f64 {
        self.coefficients[node * self.stride + d]
    }

    fn series<const N: usize>(&self, node: u32) -> Series<N> {
        let at = node as usize * N;
        let list = &self.coefficients[at..at + N];
        Series(std::array::from_fn(|d| list[d]))
    }
}

/// Most coefficients of a node: nested rates of functions of time take more than the three coefficients of a motion.
const MOST_COEFFICIENTS: usize = 18;

/// Several expressions with all their operands, operands first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape {
    nodes: Vec<Node>,
    roots: Vec<u32>,
    /// Number of nested rates.
    nested: usize,
}

/// The nodes below one root that depend on the state, the root first: the path of a reverse sweep.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    nodes: Vec<u32>,
    level: usize,
}

/// The expressions that joint coordinates represent in a formulation.
pub(crate) struct Names<'m> {
    pub model: &'m Model,
    pub tree: &'m Tree,
    pub constants: &'m Constants,
    /// Whether joint coordinates are always the expressions that measure them on bodies, even if they are coordinates of the tree.
    pub measured: bool,
}

impl Names<'_> {
    /// Index of the coordinate of the tree that a joint coordinate is; `None` if it is measured on bodies.
    fn tree_coordinate(&self, joint: JointId, k: u8) -> Option<usize> {
        use mbs_physics::InterfaceCoordinate;
        let wanted = InterfaceCoordinate::Joint(joint, k);
        // No expression measures a coordinate of a joint whose kind is declared.
        if self.measured && self.model.joint(joint).pose().is_none() {
            return None;
        }
        self.tree.interface.iter().position(|c| *c == wanted)
    }

    fn algebraic(&self, i: u32) -> usize {
        use mbs_physics::InterfaceCoordinate;
        let wanted = InterfaceCoordinate::Algebraic(i);
        self.tree.interface.iter().position(|c| *c == wanted).expect("every algebraic coordinate is a coordinate")
    }
}

/// Operands of an expression, which are evaluated before it.
fn operands(names: &Names<'_>, id: ExprId) -> Vec<ExprId> {
    let exprs = &names.model.exprs;
    let substitute = names.model.coordinates.natural.substitute(id);
    match exprs.op(id) {
        _ if substitute != id => vec![substitute],
        _ if names.constants.contains(id) => Vec::new(),
        Op::JointCoordinate(j, k) if names.tree_coordinate(j, k).is_none() => {
            vec![names.model.joint(j).coordinates[k as usize].1]
        }
        op => exprs.children(op).into_iter().flatten().collect(),
    }
}

impl Tape {
    /// Tape of some expressions, in order.
    pub fn new(names: &Names<'_>, roots: &[ExprId]) -> Tape {
        let mut tape = Tape::default();
        let mut slots = std::collections::HashMap::new();
        for root in roots {
            // The traversal is not recursive: sums may be thousands of terms deep.
            let mut stack = vec![*root];
            while let Some(&id) = stack.last() {
                if slots.contains_key(&id) {
                    stack.pop();
                    continue;
                }
                let needs = operands(names, id);
                let before = stack.len();
                stack.extend(needs.into_iter().filter(|e| !slots.contains_key(e)));
                if stack.len() == before {
                    let slot = tape.push(names, id, &|e| slots[&e]);
                    slots.insert(id, slot);
                    stack.pop();
                }
            }
            tape.roots.push(slots[root]);
        }
        tape.nested = tape.nested_rates();
        tape
    }

    fn push(&mut self, names: &Names<'_>, id: ExprId, slot: &dyn Fn(ExprId) -> u32) -> u32 {
        let substitute = names.model.coordinates.natural.substitute(id);
        let node = match names.model.exprs.op(id) {
            _ if substitute != id => return slot(substitute),
            _ if names.constants.contains(id) => Node::Constant(id),
            Op::Number(_) | Op::Parameter(_) => Node::Constant(id),
            Op::Input(i) => Node::Leaf(Leaf::Input(i)),
            Op::Auxiliary(i) => Node::Leaf(Leaf::Auxiliary(i)),
            Op::Algebraic(i) => Node::Leaf(Leaf::Coordinate(names.algebraic(i))),
            Op::Time => Node::Leaf(Leaf::Time),
            Op::Position(m, c) => Node::Leaf(Leaf::Position(m, c)),
            Op::Direction(m, axis, c) => Node::Leaf(Leaf::Direction(m, axis, c)),
            Op::Angle(m) => Node::Leaf(Leaf::Angle(m)),
            Op::Basic(i, c) => Node::Leaf(Leaf::Basic(i, c)),
            Op::AngularVelocity(m, c) => Node::Leaf(Leaf::AngularVelocity(m, c)),
            Op::JointCoordinate(j, k) => match names.tree_coordinate(j, k) {
                Some(i) => Node::Leaf(Leaf::Coordinate(i)),
                None => return slot(names.model.joint(j).coordinates[k as usize].1),
            },
            Op::Multiplier(row) => match names.tree.row_index[row as usize] {
                Some(i) => Node::Leaf(Leaf::Multiplier(i)),
                None => Node::Constant(names.constants.zero()),
            },
            Op::Reaction(i, c) => Node::Leaf(Leaf::Reaction(i, c)),
            Op::Rate(e) => Node::Rate(slot(e)),
            Op::Called { function, partial, arguments, .. } => Node::Called(function, partial, arguments.map(slot)),
            Op::Unary(f, a) => Node::Unary(f, slot(a)),
            Op::Binary(f, a, b) => Node::Binary(f, slot(a), slot(b)),
            Op::Select(test, list) => Node::Select(test, list.map(slot)),
        };
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn nested_rates(&self) -> usize {
        let mut nested = vec![0; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            let nested_in = |k: &u32| nested[*k as usize];
            nested[i] = match node {
                Node::Constant(_) | Node::Leaf(_) => 0,
                Node::Rate(a) => 1 + nested_in(a),
                Node::Unary(_, a) => nested_in(a),
                Node::Called(_, _, list) => list.iter().map(nested_in).max().unwrap_or(0),
                Node::Binary(_, a, b) => nested_in(a).max(nested_in(b)),
                Node::Select(_, list) => list.iter().map(nested_in).max().unwrap_or(0),
            };
        }
        nested.into_iter().max().unwrap_or(0)
    }

    /// Number of nodes: the length of the buffers.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Node of a root.
    pub fn root(&self, k: usize) -> usize {
        self.roots[k] as usize
    }

    /// All leaves.
    pub fn leaves(&self) -> impl Iterator<Item = Leaf> + '_ {
        self.nodes.iter().filter_map(|node| match node {
            Node::Leaf(leaf) => Some(*leaf),
            _ => None,
        })
    }

    /// Whether a reaction is among the leaves.
    pub fn observes_reactions(&self) -> bool {
        self.leaves().any(|leaf| matches!(leaf, Leaf::Reaction(..)))
    }

    /// Number of nested rates.
    pub fn nested(&self) -> usize {
        self.nested
    }

    /// Number of roots.
    pub fn roots(&self) -> usize {
        self.roots.len()
    }

    /// Computes coefficients of all nodes; the first `wanted` of them are correct at the roots.
    pub fn evaluate(&self, wanted: usize, constants: &Constants, leaf: impl Fn(Leaf) -> Jet, values: &mut Values) {
        match wanted + self.nested {
            0 | 1 => self.run::<1>(constants, leaf, values),
            2 => self.run::<2>(constants, leaf, values),
            3 => self.run::<3>(constants, leaf, values),
            4 => self.run::<4>(constants, leaf, values),
            5 => self.run::<5>(constants, leaf, values),
            _ => self.run::<MOST_COEFFICIENTS>(constants, leaf, values),
        }
    }

    fn run<const N: usize>(&self, constants: &Constants, leaf: impl Fn(Leaf) -> Jet, values: &mut Values) {
        values.stride = N;
        if values.coefficients.len() < N * self.nodes.len() {
            values.coefficients.resize(N * self.nodes.len(), 0.0);
        }
        for (i, node) in self.nodes.iter().enumerate() {
            let at = |k: u32| values.series::<N>(k);
            let value: Series<N> = match *node {
                Node::Constant(id) => Series::constant(constants.value(id)),
                Node::Leaf(l) => {
                    let jet = leaf(l);
                    Series(std::array::from_fn(|d| jet.get(d).copied().unwrap_or(0.0)))
                }
                Node::Rate(a) => at(a).rate(),
                Node::Called(id, partial, list) => {
                    let call = FunctionCall { id, function: constants.function(id), partial };
                    Series::called(call, &list.map(at)[..usize::from(partial.arguments)], Series::constant(0.0))
                }
                Node::Unary(f, a) => at(a).unary(f),
                Node::Binary(f, a, b) => apply_binary(f, at(a), at(b)),
                Node::Select(test, [l, r, t, e]) => Series::select(test, at(l), at(r), at(t), at(e)),
            };
            values.coefficients[i * N..][..N].copy_from_slice(&value.0);
        }
    }

    /// The path from a root to the leaves. `level` is the order of the time derivative of a leaf with respect to which the root is
    /// differentiated: 0 for ∂/∂q, 1 for ∂/∂v, 2 for ∂/∂a.
    pub fn sweep(&self, root: usize, level: usize) -> Sweep {
        let mut below = std::collections::BTreeSet::from([self.roots[root]]);
        let mut stack = vec![self.roots[root]];
        while let Some(next) = stack.pop() {
            let mut visit = |k: u32| {
                let child = self.nodes[k as usize];
                if !matches!(child, Node::Constant(_)) && below.insert(k) {
                    stack.push(k);
                }
            };
            match self.nodes[next as usize] {
                Node::Constant(_) | Node::Leaf(_) => {}
                Node::Rate(a) | Node::Unary(_, a) => visit(a),
                Node::Called(_, partial, list) => list[..usize::from(partial.arguments)].iter().for_each(|a| visit(*a)),
                Node::Binary(_, a, b) => [a, b].into_iter().for_each(visit),
                Node::Select(_, [_, _, t, e]) => [t, e].into_iter().for_each(visit),
            }
        }
        Sweep { nodes: below.into_iter().rev().collect(), level }
    }

    /// Leaves on the path of a sweep.
    pub fn swept_leaves<'t>(&'t self, sweep: &'t Sweep) -> impl Iterator<Item = Leaf> + 't {
        sweep.nodes.iter().filter_map(|k| match self.nodes[*k as usize] {
            Node::Leaf(leaf) => Some(leaf),
            _ => None,
        })
    }

    /// Derivatives of a root with respect to the leaves (to their derivatives of the sweep's level), at evaluated values.
    ///
    /// Every node has one adjoint for each order of time derivative. [`Op::Rate`] passes its adjoint of order k on as one of order k + 1. In all
    /// other operations the highest derivative of the result depends on the highest derivatives of the operands with the ordinary partial
    /// derivatives, and adjoints keep their order.
    pub fn differentiate(
        &self,
        sweep: &Sweep,
        constants: &Constants,
        values: &Values,
        adjoints: &mut [Jet],
        mut emit: impl FnMut(Leaf, f64),
    ) {
        for k in &sweep.nodes {
            adjoints[*k as usize] = [0.0; 3];
        }
        if let Some(root) = sweep.nodes.first() {
            adjoints[*root as usize][0] = 1.0;
        }
        let value = |k: u32| values.coefficient(k as usize, 0);
        for k in &sweep.nodes {
            let adjoint = adjoints[*k as usize];
            let mut add = |child: u32, partial: f64| {
                let to = &mut adjoints[child as usize];
                to.iter_mut().zip(adjoint).for_each(|(to, from)| *to += partial * from);
            };
            match self.nodes[*k as usize] {
                Node::Constant(_) => {}
                // An angular velocity is a rate of first order already: its order is one less than the level.
                Node::Leaf(leaf @ Leaf::AngularVelocity(..)) => {
                    emit(leaf, sweep.level.checked_sub(1).map_or(0.0, |order| adjoint[order]));
                }
                Node::Leaf(leaf) => emit(leaf, adjoint[sweep.level]),
                Node::Rate(a) => {
                    let to = &mut adjoints[a as usize];
                    to[1] += adjoint[0];
                    to[2] += adjoint[1];
                }
                Node::Called(f, partial, list) => {
                    let n = usize::from(partial.arguments);
                    let derivatives: [f64; MOST_ARGUMENTS] =
                        constants.function(f).with_results(&list.map(value)[..n], |results| {
                            std::array::from_fn(
                                |i| if i < n { results.partial(partial.differentiated(i)) } else { 0.0 },
                            )
                        });
                    list.into_iter().zip(derivatives).take(n).for_each(|(a, derivative)| add(a, derivative));
                }
                Node::Unary(f, a) => add(a, derivative(value(a), |x| x.unary(f))),
                Node::Binary(Function2::Add, a, b) => {
                    add(a, 1.0);
                    add(b, 1.0);
                }
                Node::Binary(Function2::Sub, a, b) => {
                    add(a, 1.0);
                    add(b, -1.0);
                }
                Node::Binary(Function2::Mul, a, b) => {
                    add(a, value(b));
                    add(b, value(a));
                }
                Node::Binary(f, a, b) => {
                    add(a, derivative(value(a), |x| apply_binary(f, x, Series::constant(value(b)))));
                    add(b, derivative(value(b), |y| apply_binary(f, Series::constant(value(a)), y)));
                }
                Node::Select(test, [l, r, t, e]) => {
                    add(if test.apply(value(l), value(r)) { t } else { e }, 1.0);
                }
            }
        }
    }
}

/// f′(x), from the series of f.
fn derivative(x: f64, f: impl Fn(Series<2>) -> Series<2>) -> f64 {
    f(Series::linear(x, 1.0)).derivative(1)
}

fn apply_binary<const N: usize>(f: Function2, x: Series<N>, y: Series<N>) -> Series<N> {
    match f {
        Function2::Add => x + y,
        Function2::Sub => x - y,
        Function2::Mul => x * y,
        Function2::Div => x / y,
        _ => x.binary(f, y),
    }
}
