//! Nodes of the graph: inputs and operations.

use mbs_expr::{Comparison, Function, Function2, FunctionId, MOST_ARGUMENTS, Partial};

/// Index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An input of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// Flat parameter p\[i\].
    Parameter(u32),
    /// t.
    Time,
    /// Interface coordinate q\[i\].
    Coordinate(u32),
    /// Interface speed v\[i\].
    Speed(u32),
    /// Interface acceleration a\[i\].
    Acceleration(u32),
    /// Solver coordinate.
    SolverCoordinate(u32),
    /// Solver speed.
    SolverSpeed(u32),
    /// Solver acceleration.
    SolverAcceleration(u32),
    /// Auxiliary state z\[i\].
    Auxiliary(u32),
    /// Input u\[i\].
    Input(u32),
    /// Multiplier λ\[i\].
    Multiplier(u32),
    /// Component of a reaction, three for each; replaced by its expression before kernels are made.
    Reaction(u32),
    /// Load of a prescribed coordinate; replaced likewise.
    PrescribedLoad(u32),
    /// A quantity with a given rate, which is not derived from its expression; replaced by that expression before kernels are made.
    Defined(u32),
    /// Operand of an operation that is being differentiated.
    Operand(u32),
    /// Right side f\[i\] of the solve kernel, interface speeds.
    Force(u32),
    /// Right side g\[i\] of the solve kernel, rows.
    Target(u32),
    /// Length h of a step of time.
    Step,
    /// Coefficient s, p, e or k of a stage of an implicit step, which the kernel `stage_correction` reads.
    StageCoefficient(u32),
    /// Residual of a stage of an implicit step: positions, speeds, auxiliary states.
    Residual(u32),
}

/// Stage of evaluation at which a value is known, in the order of evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Literals alone: folded by the compiler.
    Constant,
    /// Parameters: computed when they are set.
    Parameters,
    /// Time and coordinates.
    Position,
    /// Speeds.
    Velocity,
    /// Inputs, auxiliary states, right sides, accelerations, multipliers.
    Acceleration,
}

impl Symbol {
    /// Stage at which the symbol is known.
    pub fn stage(self) -> Stage {
        match self {
            Symbol::Parameter(_) => Stage::Parameters,
            Symbol::Time | Symbol::Coordinate(_) | Symbol::SolverCoordinate(_) => Stage::Position,
            Symbol::Speed(_) | Symbol::SolverSpeed(_) => Stage::Velocity,
            _ => Stage::Acceleration,
        }
    }
}

/// One operation. Divisions are products with an [`Node::Inv`]; the schedule makes quotients of them where that is cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are those of the operations
pub enum Node {
    /// A literal, by its bits.
    Number(u64),
    Symbol(Symbol),
    Add(NodeId, NodeId),
    Sub(NodeId, NodeId),
    Mul(NodeId, NodeId),
    Neg(NodeId),
    Inv(NodeId),
    /// A function of one argument, never `Neg`.
    Unary(Function, NodeId),
    /// `Atan2`, `Min`, `Max` or `Powf`.
    Binary(Function2, NodeId, NodeId),
    /// if left ⋚ right { then } else { otherwise }.
    Select(Comparison, [NodeId; 4]),
    /// A value or a derivative of a called function; it reads as many of the operands as it has arguments. A derivative that a function
    /// written in Rust does not provide is allowed as long as no kernel needs it.
    Called(FunctionId, Partial, [NodeId; MOST_ARGUMENTS]),
}

impl Node {
    /// Its operands.
    pub fn operands(&self) -> impl Iterator<Item = NodeId> + use<> {
        let (list, n): ([NodeId; 4], usize) = match *self {
            Node::Number(_) | Node::Symbol(_) => ([NodeId(0); 4], 0),
            Node::Neg(a) | Node::Inv(a) | Node::Unary(_, a) => ([a; 4], 1),
            Node::Called(_, partial, list) => (list, usize::from(partial.arguments)),
            Node::Add(a, b) | Node::Sub(a, b) | Node::Mul(a, b) | Node::Binary(_, a, b) => ([a, b, a, a], 2),
            Node::Select(_, list) => (list, 4),
        };
        list.into_iter().take(n)
    }
}
