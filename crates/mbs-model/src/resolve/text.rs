//! Expressions back to text, for names of conditions and for help.

use super::Scope;
use crate::definition::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Deeper parts are left out.
const DEEPEST: usize = 24;

/// An expression as written.
pub(super) fn text(e: &Expr) -> String {
    text_in(e, &Scope::default())
}

/// An expression as written, loop variables replaced by their values: `hinge[0].angle`.
pub(super) fn text_in(e: &Expr, scope: &Scope) -> String {
    write(e, scope, 0)
}

fn write(e: &Expr, scope: &Scope, depth: usize) -> String {
    if depth > DEEPEST {
        return "…".into();
    }
    let sub = |e: &Expr| write(e, scope, depth + 1);
    let list = |items: &[Expr]| items.iter().map(sub).collect::<Vec<_>>().join(", ");
    match &e.kind {
        ExprKind::Number(x) => x.to_string(),
        ExprKind::Name(name) => scope.index(name).map_or_else(|| name.clone(), |i| i.to_string()),
        ExprKind::Field(inner, field) => format!("{}.{}", sub(inner), field.text),
        ExprKind::Index(inner, index) => format!("{}[{}]", sub(inner), sub(index)),
        ExprKind::Range(start, end) => format!("{}..{}", sub(start), sub(end)),
        ExprKind::Unary(UnaryOp::Neg, inner) => format!("-{}", sub(inner)),
        ExprKind::Unary(UnaryOp::Not, inner) => format!("!{}", sub(inner)),
        ExprKind::Binary(op, a, b) => format!("{} {} {}", grouped(a, &sub), symbol(*op), grouped(b, &sub)),
        ExprKind::Call(function, arguments) => format!("{}({})", function.text, list(arguments)),
        ExprKind::If(test, a, b) => format!("if {} {{ {} }} else {{ {} }}", sub(test), sub(a), sub(b)),
        ExprKind::Sum { body, variable, over } => format!("sum({} for {} in {})", sub(body), variable.text, sub(over)),
        ExprKind::Vector(items) => format!("[{}]", list(items)),
        ExprKind::In(inner, frame) => format!("{} in {}", sub(inner), sub(frame)),
        ExprKind::At(inner, place) => format!("{} at {}", sub(inner), sub(place)),
        ExprKind::Broken => "…".into(),
    }
}

/// Operands that are operations themselves get parentheses.
fn grouped(e: &Expr, sub: &dyn Fn(&Expr) -> String) -> String {
    match e.kind {
        ExprKind::Binary(..) | ExprKind::In(..) => format!("({})", sub(e)),
        _ => sub(e),
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}
