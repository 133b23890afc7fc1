//! Whether velocity rows are affine in speeds, by structure: a(q, t) · v = b(q, t).

use std::collections::HashMap;

use crate::mechanics::Tree;
use crate::{BodyKind, Errors, ExprId, Exprs, Function, Function2, MarkerId, Model, Op, RowLevel};

/// Refuses velocity rows that are not affine in speeds: such a row has no G and ν.
///
/// What counts is how a row is written, not what its terms cancel to; so the answer is the same in every formulation.
///
/// # Errors
/// MBS065, one per row.
pub fn refuse_nonlinear(model: &Model, tree: &Tree) -> Result<(), Errors> {
    let mut errors = Errors::new();
    for row in tree.rows.iter().filter(|r| r.level == RowLevel::Velocity) {
        if dependence(model, row.residual) == Dependence::Nonlinear {
            errors.push(
                "MBS065",
                row.origin,
                format!("`{}` is not linear in speeds", row.name),
                Some("an equation between speeds v has the form a(q, t) · v == b(q, t)".to_owned()),
            );
        }
    }
    errors.into_result(())
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
        Op::Algebraic(_) | Op::JointCoordinate(..) => Position,
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
