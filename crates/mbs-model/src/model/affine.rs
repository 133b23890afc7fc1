//! Whether rows are affine in what they are solved for, by structure: velocity rows in speeds, a(q, t) · v = b(q, t), rows of
//! accelerations in those, with factors of positions or of speeds.

use std::collections::HashMap;

use mbs_expr::{ExprId, Exprs, Function, Function2, MarkerId, Op};

use super::{BodyKind, Model, Row, RowLevel};

impl Model {
    /// Whether G depends on speeds: a velocity row is not affine in them, or a row of accelerations has them in its factors. Quantities that
    /// depend on G then need speeds, not positions alone.
    ///
    /// The answer depends on how a row is written, not on what its terms cancel to, so it is the same in every formulation.
    pub fn jacobian_reads_speeds(&self) -> bool {
        self.rows().iter().any(|row| self.row_reads_speeds(row))
    }

    /// Whether the gradient of a row depends on speeds.
    pub fn row_reads_speeds(&self, row: &Row) -> bool {
        match row.level {
            RowLevel::Position => false,
            RowLevel::Velocity => dependence(self, row.residual) == Nonlinear,
            RowLevel::Acceleration => factors(self, row.residual) >= Factors::Speeds,
        }
    }
}

/// Quantities that accelerations are multiplied by in an expression. Ordered: a sum has the greatest of its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Factors {
    /// Coordinates, states, time and parameters.
    Positions,
    /// Speeds as well.
    Speeds,
    /// Inputs as well.
    Inputs,
    /// Accelerations: they are not linear.
    Nonlinear,
}

/// Returns the quantities that accelerations are multiplied by in an expression.
pub fn factors(model: &Model, e: ExprId) -> Factors {
    let mut known: HashMap<ExprId, Factors> = HashMap::new();
    let accelerates = |e: ExprId| model.exprs.order(e) == Some(2);
    for id in model.exprs.below(e).into_iter().filter(|id| accelerates(*id)) {
        let found = factors_in(model, model.exprs.op(id), &|child| known.get(&child).copied());
        known.insert(id, found);
    }
    known.get(&e).copied().unwrap_or(Factors::Positions)
}

/// Returns the quantities that accelerations are multiplied by in an operation with accelerations. `of` returns those of its operands, `None`
/// for operands without accelerations.
fn factors_in(model: &Model, op: Op, of: &dyn Fn(ExprId) -> Option<Factors>) -> Factors {
    let exprs = &model.exprs;
    // As a factor, an expression without accelerations.
    let lower = |x: ExprId| match exprs.mentions(x) {
        m if m.input => Factors::Inputs,
        m if m.order == Some(1) => Factors::Speeds,
        _ => Factors::Positions,
    };
    let term = |x: ExprId| of(x).unwrap_or(Factors::Positions);
    match op {
        // d/dt f(q, v) = ∂f/∂v · a + …; of rates of rates alone the inner one has no accelerations yet.
        Op::Rate(x) => match dependence(model, x) {
            Nonlinear => Factors::Speeds,
            _ => Factors::Positions,
        },
        Op::Unary(Function::Neg, x) => term(x),
        Op::Binary(Function2::Add | Function2::Sub, x, y) => term(x).max(term(y)),
        Op::Binary(Function2::Mul, x, y) => match (of(x), of(y)) {
            (Some(x), None) => x.max(lower(y)),
            (None, Some(y)) => y.max(lower(x)),
            _ => Factors::Nonlinear,
        },
        Op::Binary(Function2::Div, x, y) if of(y).is_none() => term(x).max(lower(y)),
        Op::Binary(Function2::Powf, x, y) if exprs.value(y) == Some(1.0) => term(x),
        Op::Select(_, [left, right, then, otherwise]) if of(left).is_none() && of(right).is_none() => {
            lower(left).max(lower(right)).max(term(then)).max(term(otherwise))
        }
        _ => Factors::Nonlinear,
    }
}

/// How an expression depends on motion. Ordered: a sum depends as the worst of its terms does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dependence {
    /// On parameters and time alone.
    None,
    /// On coordinates, not on speeds.
    Position,
    /// a(q, t) · v + b(q, t).
    Affine,
    /// On speeds in another way, or on accelerations.
    Nonlinear,
}

use Dependence::{Affine, Nonlinear, Position};

/// How an expression depends on motion.
pub fn dependence(model: &Model, e: ExprId) -> Dependence {
    let mut known: HashMap<ExprId, Dependence> = HashMap::new();
    for id in model.exprs.below(e) {
        let dependence = of_operation(model, model.exprs.op(id), &|child| known[&child]);
        known.insert(id, dependence);
    }
    known[&e]
}

/// How an operation depends on motion, given how its operands do.
fn of_operation(model: &Model, op: Op, of: &dyn Fn(ExprId) -> Dependence) -> Dependence {
    let exprs = &model.exprs;
    match op {
        Op::Position(m, _) if moves(model, m) => Position,
        Op::Angle(m) | Op::Direction(m, ..) if turns(model, m) => Position,
        Op::Algebraic(_) | Op::Basic(..) | Op::JointCoordinate(..) => Position,
        Op::AngularVelocity(m, _) if turns(model, m) => Affine,
        Op::Multiplier(_) | Op::Reaction(..) => Nonlinear,
        Op::Rate(x) => match of(x) {
            Dependence::None => Dependence::None,
            Position => Affine,
            Affine | Nonlinear => Nonlinear,
        },
        Op::Unary(Function::Neg, x) => of(x),
        Op::Binary(Function2::Add | Function2::Sub, x, y) => of(x).max(of(y)),
        Op::Binary(Function2::Mul, x, y) if of(x).min(of(y)) <= Position => of(x).max(of(y)),
        Op::Binary(Function2::Div, x, y) if of(y) <= Position => of(x).max(of(y)),
        Op::Binary(Function2::Powf, x, y) if exprs.value(y) == Some(1.0) => of(x),
        Op::Select(_, [left, right, then, otherwise]) if of(left).max(of(right)) <= Position => {
            of(left).max(of(right)).max(of(then)).max(of(otherwise))
        }
        _ => of_function(exprs, op, of),
    }
}

/// Any function: of speeds it is not affine.
fn of_function(exprs: &Exprs, op: Op, of: &dyn Fn(ExprId) -> Dependence) -> Dependence {
    let worst = exprs.children(op).into_iter().flatten().map(of).max().unwrap_or(Dependence::None);
    if worst >= Affine { Nonlinear } else { worst }
}

/// Markers on ground move with time alone.
fn moves(model: &Model, marker: MarkerId) -> bool {
    model.markers[marker.index()].body.is_some()
}

/// Axes of particles stay the world's.
fn turns(model: &Model, marker: MarkerId) -> bool {
    model.markers[marker.index()].body.is_some_and(|b| model.bodies[b.index()].kind == BodyKind::Rigid)
}
