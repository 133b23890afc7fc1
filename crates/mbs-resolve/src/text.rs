//! Writes expressions as text, for names of conditions and for help.

use mbs_definition::{BinaryOp, Expr, ExprKind, UnaryOp};

use crate::Scope;
use crate::scope::Bound;
use crate::scope::Found;
use crate::tables::Names;
use crate::tables::Passed;

/// Deepest nesting that is written; deeper parts are left out.
const DEEPEST: usize = 24;

/// Writes a name.
type WriteName<'n> = &'n dyn Fn(&str) -> String;

/// An expression as written.
pub(crate) fn text(e: &Expr) -> String {
    write(e, &str::to_owned, 0)
}

impl<'a> Names<'a> {
    /// An expression with full names, loop variables replaced by their values: `front_left.hinge[0].angle`.
    pub(crate) fn text_in(&self, e: &Expr, scope: &Scope) -> String {
        let name = |name: &str| match self.find_name(name, scope) {
            Found::Bound(Bound::Index(i)) => i.to_string(),
            Found::Bound(Bound::Given(i)) if is_short(self.passed[i].expr) => {
                self.text_in(self.passed[i].expr, &self.passed[i].scope)
            }
            Found::Bound(_) => name.to_owned(),
            Found::Declared(full) => full.into_owned(),
        };
        write(e, &name, 0)
    }

    /// Describes the argument given for a parameter of a part, for help.
    pub(crate) fn describe_passed(&self, i: usize) -> String {
        let Passed { parameter, expr, scope, .. } = &self.passed[i];
        format!("`{parameter}` is given as `{}`", text(self.argument_behind(expr, scope).0))
    }
}

/// Whether an expression is a name or a member of one: its text cannot grow from one part to the next.
fn is_short(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Name(_) | ExprKind::Number(_) => true,
        ExprKind::Field(inner, _) => is_short(inner),
        ExprKind::Index(inner, index) => {
            is_short(inner) && matches!(index.kind, ExprKind::Name(_) | ExprKind::Number(_))
        }
        _ => false,
    }
}

fn write(e: &Expr, name: WriteName<'_>, depth: usize) -> String {
    if depth > DEEPEST {
        return "…".into();
    }
    let sub = |e: &Expr| write(e, name, depth + 1);
    let list = |items: &[Expr]| items.iter().map(sub).collect::<Vec<_>>().join(", ");
    match &e.kind {
        ExprKind::Number(x) => x.to_string(),
        ExprKind::Name(plain) => name(plain),
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
        ExprKind::At(inner, point) => format!("{} at {}", sub(inner), sub(point)),
        ExprKind::Broken => "…".into(),
    }
}

/// An operand; operations get parentheses.
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

/// The plural ending for n things: "s" unless n is 1.
pub(crate) fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}
