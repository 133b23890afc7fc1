//! The arena of expressions: every expression of a resolved model is a hash-consed scalar. Vectors are tuples of ids.

mod apply;
mod branches;
mod derivatives;
mod expr;
mod mentions;
mod operation;
mod parameters;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

pub use branches::Branch;
pub use expr::{Expr, Writer};
pub use mentions::Mentions;
pub use operation::{operands, operation};

use crate::functions::{CalledFunction, FunctionSource, MOST_ARGUMENTS, Partial};
use crate::{FunctionId, JointId, MarkerId};

/// A scalar expression of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// Functions of one argument. Derivatives at kinks are abs′(0) = 0, floor′ = 0, signum′ = 0 and sqrt′(0) = 0, so that the derivative of a norm at
/// the origin is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names are sufficient
pub enum Function {
    Neg,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Abs,
    Signum,
    Floor,
}

/// Functions of two arguments. If the arguments are equal, `Min` and `Max` take the first one and its derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names are sufficient
pub enum Function2 {
    Add,
    Sub,
    Mul,
    Div,
    Atan2,
    Min,
    Max,
    Powf,
}

/// Comparison of an [`Op::Select`]; `!=`, `>`, `>=` and logic are rewritten to these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names are sufficient
pub enum Comparison {
    Less,
    LessEqual,
    Equal,
}

/// One node of the arena. Children have smaller ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// A number. Constants of the mechanism become numbers.
    Number(f64),
    /// Flat parameter index.
    Parameter(u32),
    /// Flat input index.
    Input(u32),
    /// Flat auxiliary state index, z.
    Auxiliary(u32),
    /// Flat index of an algebraic `coordinate`.
    Algebraic(u32),
    /// Time t \[s\].
    Time,
    /// World component 0 = x, 1 = y (2 = z in space) of a marker's origin \[m\].
    Position(MarkerId, u8),
    /// World component (last) of a marker's axis (0 = x, 1 = y, 2 = z).
    Direction(MarkerId, u8, u8),
    /// Angle of a planar marker's x axis from the world's x axis \[rad\], continuous over revolutions.
    Angle(MarkerId),
    /// World component of the angular velocity of a marker's body in space \[rad/s\].
    AngularVelocity(MarkerId, u8),
    /// World component 0 = x, 1 = y (2 = z in space) of a basic point \[m\] or vector: index into
    /// `Natural::basics`. It occurs in rows of natural coordinates only.
    Basic(u32, u8),
    /// Coordinate k of a joint, in the order of its kind. Angles are continuous over revolutions.
    JointCoordinate(JointId, u8),
    /// Multiplier of constraint row i (index into `Model::rows`).
    Multiplier(u32),
    /// Force x (0), y (1) or moment (2) of a reaction: of joint i, or, with indices after those of the joints, of an element of
    /// `Quantities::equation_reactions`.
    Reaction(u32, u8),
    /// Time derivative of any expression.
    Rate(ExprId),
    /// A value of a called function, or a derivative of it.
    Called {
        /// The function.
        function: FunctionId,
        /// Source of its values.
        source: FunctionSource,
        /// The value and the derivative; `resolve` makes values only.
        partial: Partial,
        /// x, y, …; unused elements repeat the first argument.
        arguments: [ExprId; MOST_ARGUMENTS],
    },
    /// A function of one argument.
    Unary(Function, ExprId),
    /// A function of two arguments.
    Binary(Function2, ExprId, ExprId),
    /// `if left ⋚ right { then } else { otherwise }`.
    Select(Comparison, [ExprId; 4]),
}

/// The arena.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    ops: Vec<Op>,
    mentions: Vec<Mentions>,
    ids: HashMap<Key, ExprId>,
    /// For a world vector that was declared in a marker's axes, the marker and the components in its axes.
    declared_components: HashMap<[ExprId; 3], (MarkerId, [ExprId; 3])>,
    branches: HashMap<ExprId, Branch>,
    /// Suggested names of values in generated code.
    names: BTreeMap<ExprId, String>,
}

/// An `Op` as integers, for hashing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key(std::mem::Discriminant<Op>, [u64; 5]);

fn key(op: &Op) -> Key {
    let id = |e: &ExprId| u64::from(e.0);
    let fields = match op {
        Op::Number(x) => [x.to_bits(), 0, 0, 0, 0],
        Op::Parameter(i) | Op::Input(i) | Op::Auxiliary(i) | Op::Algebraic(i) | Op::Multiplier(i) => {
            [u64::from(*i), 0, 0, 0, 0]
        }
        Op::Reaction(i, c) | Op::Basic(i, c) => [u64::from(*i), u64::from(*c), 0, 0, 0],
        Op::Time => [0; 5],
        Op::Position(m, c) => [u64::from(m.0), u64::from(*c), 0, 0, 0],
        Op::Direction(m, axis, c) => [u64::from(m.0), u64::from(*axis), u64::from(*c), 0, 0],
        Op::Angle(m) => [u64::from(m.0), 0, 0, 0, 0],
        Op::AngularVelocity(m, c) => [u64::from(m.0), u64::from(*c), 0, 0, 0],
        Op::JointCoordinate(j, k) => [u64::from(j.0), u64::from(*k), 0, 0, 0],
        Op::Rate(e) => [id(e), 0, 0, 0, 0],
        Op::Called { function, partial, arguments: [a, b, c, d], .. } => {
            let Partial { arguments: n, value, orders: [i, j, k, l] } = *partial;
            let derivative = u64::from_le_bytes([n, value, i, j, k, l, 0, 0]);
            [u64::from(function.0), derivative, id(a) << 32 | id(b), id(c) << 32 | id(d), 0]
        }
        Op::Unary(f, a) => [*f as u64, id(a), 0, 0, 0],
        Op::Binary(f, a, b) => [*f as u64, id(a), id(b), 0, 0],
        Op::Select(c, [a, b, t, e]) => [*c as u64, id(a), id(b), id(t), id(e)],
    };
    Key(std::mem::discriminant(op), fields)
}

impl Exprs {
    /// Records that a world vector was computed from components in a marker's axes.
    pub fn set_declared_components(&mut self, world: [ExprId; 3], marker: MarkerId, components: [ExprId; 3]) {
        self.declared_components.insert(world, (marker, components));
    }

    /// The marker in whose axes a world vector was declared, and its components in them. These avoid a rotation to world axes and back.
    pub fn declared_components(&self, world: [ExprId; 3]) -> Option<(MarkerId, [ExprId; 3])> {
        self.declared_components.get(&world).copied()
    }

    /// Suggests a name for an expression in generated code. The first suggestion has priority.
    pub fn suggest(&mut self, id: ExprId, name: String) {
        self.names.entry(id).or_insert(name);
    }

    /// All suggested names.
    pub fn names(&self) -> impl Iterator<Item = (ExprId, &str)> {
        self.names.iter().map(|(id, name)| (*id, name.as_str()))
    }

    /// The operation of an expression.
    pub fn op(&self, id: ExprId) -> Op {
        self.ops[id.0 as usize]
    }

    /// Number of nodes; ids are `0..len`.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Returns the id of a node, and adds it if no equal node exists. It is not simplified.
    pub fn push(&mut self, op: Op) -> ExprId {
        let next = ExprId(u32::try_from(self.ops.len()).expect("fewer than 2^32 expressions"));
        let id = *self.ids.entry(key(&op)).or_insert(next);
        if id == next {
            self.mentions.push(self.operation_mentions(op));
            self.ops.push(op);
        }
        id
    }

    fn operation_mentions(&self, op: Op) -> Mentions {
        let none = Mentions::default();
        match op {
            Op::Number(_) => none,
            Op::Parameter(_) => Mentions { parameter: true, ..none },
            Op::Input(_) => Mentions { input: true, ..none },
            Op::Auxiliary(_) => Mentions { auxiliary: true, ..none },
            Op::Time => Mentions { time: true, ..none },
            Op::Position(..)
            | Op::Direction(..)
            | Op::Angle(_)
            | Op::JointCoordinate(..)
            | Op::Basic(..)
            | Op::Algebraic(_) => Mentions { order: Some(0), ..none },
            Op::AngularVelocity(..) => Mentions { order: Some(1), ..none },
            Op::Multiplier(_) | Op::Reaction(..) => Mentions { order: Some(2), multiplier: true, ..none },
            Op::Rate(e) => {
                let inner = self.mentions(e);
                Mentions {
                    order: inner.order.map(|n| n.saturating_add(1)),
                    input_rate: inner.input,
                    rates: inner.rates.saturating_add(1),
                    auxiliary_rates: inner.auxiliary_rates.saturating_add(u8::from(inner.auxiliary)),
                    ..inner
                }
            }
            _ => {
                let function = match op {
                    Op::Called { source: FunctionSource::Rust, .. } => Mentions { opaque: true, ..none },
                    // A function that is set at run time counts as a parameter.
                    Op::Called { source: FunctionSource::Settable, .. } => Mentions { parameter: true, ..none },
                    _ => none,
                };
                self.children(op).into_iter().flatten().fold(function, |all, e| all.union(self.mentions(e)))
            }
        }
    }

    /// Quantities that occur in an expression.
    pub fn mentions(&self, id: ExprId) -> Mentions {
        self.mentions[id.0 as usize]
    }

    /// Operands of an operation.
    pub fn children(&self, op: Op) -> [Option<ExprId>; 4] {
        match op {
            Op::Rate(a) | Op::Unary(_, a) => [Some(a), None, None, None],
            Op::Called { partial, arguments, .. } => {
                std::array::from_fn(|i| (i < usize::from(partial.arguments)).then_some(arguments[i]))
            }
            Op::Binary(_, a, b) => [Some(a), Some(b), None, None],
            Op::Select(_, ids) => ids.map(Some),
            _ => [None; 4],
        }
    }

    /// An expression and all its subexpressions, children before parents. It does not recurse, because sums may be thousands of levels deep.
    pub fn subexpressions(&self, id: ExprId) -> Vec<ExprId> {
        self.subexpressions_through(id, &|_| true)
    }

    /// As [`Exprs::subexpressions`], but it descends only through operations that satisfy `through`.
    pub fn subexpressions_through(&self, id: ExprId, through: &dyn Fn(Op) -> bool) -> Vec<ExprId> {
        let mut found = std::collections::BTreeSet::from([id]);
        let mut stack = vec![id];
        while let Some(next) = stack.pop() {
            let op = self.op(next);
            if through(op) {
                stack.extend(self.children(op).into_iter().flatten().filter(|child| found.insert(*child)));
            }
        }
        found.into_iter().collect()
    }

    /// The expression of a number.
    pub fn constant(&mut self, x: f64) -> ExprId {
        self.push(Op::Number(if x == 0.0 { 0.0 } else { x }))
    }

    /// The value of a literal expression.
    pub fn value(&self, id: ExprId) -> Option<f64> {
        match self.op(id) {
            Op::Number(x) => Some(x),
            _ => None,
        }
    }

    /// a + b.
    pub(crate) fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x + y),
            (Some(0.0), _) => b,
            (_, Some(0.0)) => a,
            _ => self.push(Op::Binary(Function2::Add, a, b)),
        }
    }

    /// a − b.
    pub(crate) fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x - y),
            (Some(0.0), _) => self.neg(b),
            (_, Some(0.0)) => a,
            _ if a == b => self.constant(0.0),
            _ => self.push(Op::Binary(Function2::Sub, a, b)),
        }
    }

    /// a b.
    pub(crate) fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(x * y),
            (Some(0.0), _) | (_, Some(0.0)) => self.constant(0.0),
            (Some(1.0), _) => b,
            (_, Some(1.0)) => a,
            (Some(-1.0), _) => self.neg(b),
            (_, Some(-1.0)) => self.neg(a),
            _ => self.push(Op::Binary(Function2::Mul, a, b)),
        }
    }

    /// a / b.
    pub(crate) fn div(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) if y != 0.0 => self.constant(x / y),
            (_, Some(1.0)) => a,
            _ => self.push(Op::Binary(Function2::Div, a, b)),
        }
    }

    /// −a.
    pub(crate) fn neg(&mut self, a: ExprId) -> ExprId {
        match self.op(a) {
            Op::Number(x) => self.constant(-x),
            Op::Unary(Function::Neg, inner) => inner,
            _ => self.push(Op::Unary(Function::Neg, a)),
        }
    }

    /// f(a), folded if `a` is a number.
    pub fn unary(&mut self, f: Function, a: ExprId) -> ExprId {
        if f == Function::Neg {
            return self.neg(a);
        }
        match self.value(a) {
            Some(x) => self.constant(f.apply(x)),
            None => self.push(Op::Unary(f, a)),
        }
    }

    /// A value of a called function, folded if the function is known and all arguments are numbers. `arguments` has the declared length.
    pub fn called(&mut self, id: FunctionId, function: &CalledFunction, value: u8, arguments: &[ExprId]) -> ExprId {
        self.called_partial(id, function, Partial::value(arguments.len() as u8, value), arguments)
    }

    /// As [`Self::called`], for a partial derivative.
    fn called_partial(
        &mut self,
        id: FunctionId,
        function: &CalledFunction,
        partial: Partial,
        arguments: &[ExprId],
    ) -> ExprId {
        let source = function.source();
        let numbers: Option<Vec<f64>> = arguments.iter().map(|e| self.value(*e)).collect();
        if let (FunctionSource::Data, Some(x)) = (source, numbers) {
            return self.constant(function.partial(partial, &x));
        }
        let arguments = std::array::from_fn(|i| arguments.get(i).or(arguments.first()).copied().unwrap_or(ExprId(0)));
        self.push(Op::Called { function: id, source, partial, arguments })
    }

    /// f(a, b), folded if both are numbers.
    pub fn binary(&mut self, f: Function2, a: ExprId, b: ExprId) -> ExprId {
        match f {
            Function2::Add => self.add(a, b),
            Function2::Sub => self.sub(a, b),
            Function2::Mul => self.mul(a, b),
            Function2::Div => self.div(a, b),
            _ => match (self.value(a), self.value(b)) {
                (Some(x), Some(y)) => self.constant(f.apply(x, y)),
                _ => self.push(Op::Binary(f, a, b)),
            },
        }
    }

    /// `if left ⋚ right { then } else { otherwise }`, folded if it compares numbers.
    pub fn select(&mut self, test: Comparison, left: ExprId, right: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match (self.value(left), self.value(right)) {
            (Some(x), Some(y)) => {
                if test.apply(x, y) {
                    then
                } else {
                    otherwise
                }
            }
            _ if then == otherwise => then,
            _ => self.push(Op::Select(test, [left, right, then, otherwise])),
        }
    }

    /// `if test { a } else { b }` for a truth value 0 or 1. If `test` is a comparison, the result is one select instead of two.
    pub fn choose(&mut self, test: ExprId, a: ExprId, b: ExprId) -> ExprId {
        if let Op::Select(comparison, [left, right, then, otherwise]) = self.op(test) {
            match (self.value(then), self.value(otherwise)) {
                (Some(1.0), Some(0.0)) => return self.select(comparison, left, right, a, b),
                (Some(0.0), Some(1.0)) => return self.select(comparison, left, right, b, a),
                _ => {}
            }
        }
        let one = self.constant(1.0);
        self.select(Comparison::Equal, test, one, a, b)
    }

    /// d/dt of an expression. It is zero for numbers and parameters; the rate of a sum is the sum of the rates.
    pub fn rate(&mut self, a: ExprId) -> ExprId {
        let linear = |op| matches!(op, Op::Unary(Function::Neg, _) | Op::Binary(Function2::Add | Function2::Sub, ..));
        let mut rates = HashMap::default();
        for id in self.subexpressions_through(a, &linear) {
            let rate = match self.op(id) {
                Op::Number(_) | Op::Parameter(_) => self.constant(0.0),
                Op::Time => self.constant(1.0),
                Op::Unary(Function::Neg, inner) => self.neg(rates[&inner]),
                Op::Binary(f @ (Function2::Add | Function2::Sub), x, y) => self.binary(f, rates[&x], rates[&y]),
                _ => self.push(Op::Rate(id)),
            };
            rates.insert(id, rate);
        }
        rates[&a]
    }

    /// Highest time derivative of a quantity in an expression that depends on the configuration: see [`Mentions::order`].
    pub fn order(&self, id: ExprId) -> Option<u8> {
        self.mentions(id).order
    }

    /// Flat indices of the auxiliary states that occur in an expression inside at least `rates` nested rates.
    pub fn differentiated_states(&self, id: ExprId, rates: u8) -> Vec<usize> {
        let mut found = std::collections::BTreeSet::new();
        let mut seen = HashSet::from_iter([(id, 0)]);
        let mut stack = vec![(id, 0)];
        while let Some((next, taken)) = stack.pop() {
            let op = self.op(next);
            if let (Op::Auxiliary(i), true) = (op, taken >= rates) {
                found.insert(i as usize);
            }
            let taken = if matches!(op, Op::Rate(_)) { (taken + 1).min(rates) } else { taken };
            let children = self.children(op).into_iter().flatten().filter(|e| self.mentions(*e).auxiliary);
            stack.extend(children.map(|e| (e, taken)).filter(|pair| seen.insert(*pair)));
        }
        found.into_iter().collect()
    }

    /// Whether an operation of an expression or of its subexpressions satisfies a predicate.
    pub fn any(&self, id: ExprId, predicate: &dyn Fn(Op) -> bool) -> bool {
        self.subexpressions(id).into_iter().any(|e| predicate(self.op(e)))
    }
}
