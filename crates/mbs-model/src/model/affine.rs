//! Structural tests whether rows are affine in their unknowns: velocity rows in speeds, a(q, t) · v = b(q, t), and acceleration rows in
//! accelerations, with factors that depend on positions or on speeds.

use mbs_expr::{ExprId, Exprs, Function, Function2, MarkerId, Op};
use rustc_hash::FxHashMap as HashMap;

use super::{BodyKind, Model, Row, RowLevel};

impl Model {
    /// Whether the Jacobian G depends on speeds: if a velocity row is not affine in them, or an acceleration row has them in its factors.
    /// Quantities that depend on G then need speeds in addition to positions.
    ///
    /// The result depends on the expression of a row as it is written, without cancellation of terms, so it is the same in every formulation.
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

/// The quantities on which the factors of accelerations in an expression depend. Ordered: a sum has the greatest value of its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Factors {
    /// Coordinates, states, time and parameters.
    Positions,
    /// Speeds in addition.
    Speeds,
    /// Inputs in addition.
    Inputs,
    /// Accelerations: the expression is not affine in them.
    Nonlinear,
}

/// Returns the quantities on which the factors of accelerations in an expression depend.
pub fn factors(model: &Model, e: ExprId) -> Factors {
    let mut known: HashMap<ExprId, Factors> = HashMap::default();
    let has_accelerations = |e: ExprId| model.exprs.order(e) == Some(2);
    for id in model.exprs.subexpressions(e).into_iter().filter(|id| has_accelerations(*id)) {
        let found = factors_in(model, model.exprs.op(id), &|child| known.get(&child).copied());
        known.insert(id, found);
    }
    known.get(&e).copied().unwrap_or(Factors::Positions)
}

/// Returns the quantities on which the factors of accelerations in an operation depend. `operand_factors` returns those of its operands, `None`
/// for operands without accelerations.
fn factors_in(model: &Model, op: Op, operand_factors: &dyn Fn(ExprId) -> Option<Factors>) -> Factors {
    let exprs = &model.exprs;
    // The quantities on which a factor without accelerations depends.
    let factor = |x: ExprId| match exprs.mentions(x) {
        m if m.input => Factors::Inputs,
        m if m.order == Some(1) => Factors::Speeds,
        _ => Factors::Positions,
    };
    let term = |x: ExprId| operand_factors(x).unwrap_or(Factors::Positions);
    match op {
        // d/dt f(q, v) = ∂f/∂v · a + …; x itself has no accelerations.
        Op::Rate(x) => match dependence(model, x) {
            Nonlinear => Factors::Speeds,
            _ => Factors::Positions,
        },
        Op::Unary(Function::Neg, x) => term(x),
        Op::Binary(Function2::Add | Function2::Sub, x, y) => term(x).max(term(y)),
        Op::Binary(Function2::Mul, x, y) => match (operand_factors(x), operand_factors(y)) {
            (Some(x), None) => x.max(factor(y)),
            (None, Some(y)) => y.max(factor(x)),
            _ => Factors::Nonlinear,
        },
        Op::Binary(Function2::Div, x, y) if operand_factors(y).is_none() => term(x).max(factor(y)),
        Op::Binary(Function2::Powf, x, y) if exprs.value(y) == Some(1.0) => term(x),
        Op::Select(_, [left, right, then, otherwise])
            if operand_factors(left).is_none() && operand_factors(right).is_none() =>
        {
            factor(left).max(factor(right)).max(term(then)).max(term(otherwise))
        }
        _ => Factors::Nonlinear,
    }
}

/// Dependence of an expression on motion. Ordered: a sum has the greatest value of its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dependence {
    /// On parameters and time only.
    None,
    /// On coordinates, not on speeds.
    Position,
    /// a(q, t) · v + b(q, t).
    Affine,
    /// Nonlinearly on speeds, or on accelerations.
    Nonlinear,
}

use Dependence::{Affine, Nonlinear, Position};

/// Returns the dependence of an expression on motion.
pub fn dependence(model: &Model, e: ExprId) -> Dependence {
    let mut known: HashMap<ExprId, Dependence> = HashMap::default();
    for id in model.exprs.subexpressions(e) {
        let dependence = operation_dependence(model, model.exprs.op(id), &|child| known[&child]);
        known.insert(id, dependence);
    }
    known[&e]
}

/// Returns the dependence of an operation on motion. `of` returns that of its operands.
fn operation_dependence(model: &Model, op: Op, of: &dyn Fn(ExprId) -> Dependence) -> Dependence {
    let exprs = &model.exprs;
    match op {
        Op::Position(m, _) if moves(model, m) => Position,
        Op::Angle(m) | Op::Direction(m, ..) if rotates(model, m) => Position,
        Op::Algebraic(_) | Op::Basic(..) | Op::JointCoordinate(..) => Position,
        Op::AngularVelocity(m, _) if rotates(model, m) => Affine,
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
        _ => function_dependence(exprs, op, of),
    }
}

/// Returns the dependence of any function on motion. It is not affine in speeds.
fn function_dependence(exprs: &Exprs, op: Op, of: &dyn Fn(ExprId) -> Dependence) -> Dependence {
    let greatest = exprs.children(op).into_iter().flatten().map(of).max().unwrap_or(Dependence::None);
    if greatest >= Affine { Nonlinear } else { greatest }
}

/// Whether the position of a marker depends on coordinates. Markers on ground depend on time only.
fn moves(model: &Model, marker: MarkerId) -> bool {
    model.markers[marker.index()].body.is_some()
}

/// Whether the axes of a marker depend on coordinates. Axes of particles stay parallel to the world's.
fn rotates(model: &Model, marker: MarkerId) -> bool {
    model.markers[marker.index()].body.is_some_and(|b| model.bodies[b.index()].kind == BodyKind::Rigid)
}
