//! Expressions: a Pratt parser. `… in frame` binds loosest, an expression ends before `{`.
//!
//! Origins: an operation has the origin of its operator; those of names, calls, fields and brackets cover their text.

use mbs_definition::{BinaryOp, Expr, ExprKind, Origin, UnaryOp};

use super::operators::{Infix, Power, infix};
use super::{DEPTH_LIMIT, Parse, Parser, TOKEN_LIMIT};
use crate::tokens::Kind;

/// An expression being built.
pub(super) struct Node {
    pub(super) expr: Expr,
    /// Levels of the tree: chains such as `a + b + …` grow it without nesting in the text.
    pub(super) depth: usize,
    /// Origin of its first token.
    pub(super) first: Origin,
}

impl Parser<'_> {
    /// Reads an expression, after its limits have been checked.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        self.full_expression(|p| p.binary(Power::Assignment))
    }

    /// Reads an expression that may be the left side of `=`: without comparison or assignment.
    pub(super) fn target(&mut self) -> Parse<Expr> {
        self.full_expression(|p| p.binary(Power::At))
    }

    /// Reads `a..b`, or a set.
    pub(super) fn range(&mut self) -> Parse<Expr> {
        self.full_expression(Self::range_node)
    }

    fn full_expression(&mut self, read: impl FnOnce(&mut Self) -> Parse<Node>) -> Parse<Expr> {
        self.check_limits()?;
        read(self).map(|node| node.expr)
    }

    /// Checks whether the expression is within the limits, without reading it. An expression that begins inside another one that has been checked
    /// ends inside it, too, and has its outcome, so that no token is checked twice.
    fn check_limits(&mut self) -> Parse<()> {
        let (end, outcome) = self.checked;
        if self.position < end {
            return outcome;
        }
        let (end, outcome) = self.measure();
        self.checked = (end, outcome);
        outcome
    }

    /// Finds the end of the expression, or the token where it exceeds a limit.
    fn measure(&mut self) -> (usize, Parse<()>) {
        let (mut count, mut depth, mut conditional) = (0, 0, false);
        let mut index = self.position;
        loop {
            let token = self.token(index);
            let level = depth == 0;
            match token.kind {
                Kind::End => break,
                Kind::Close if level => break,
                Kind::Close => depth -= 1,
                Kind::Open(_) if level && token.text == "{" && !conditional => break,
                Kind::Open(_) if depth == DEPTH_LIMIT => return (index, Err(self.too_deep(token.origin))),
                Kind::Open(_) => depth += 1,
                Kind::Punct { .. } if level && matches!(token.text.as_str(), ";" | "," | ":") => break,
                Kind::Word => conditional |= level && token.text == "if",
                Kind::Literal | Kind::Punct { .. } => {}
            }
            count += 1;
            if count > TOKEN_LIMIT {
                let message = format!("this expression has more than {TOKEN_LIMIT} tokens");
                let reported = self.report("MBS002", self.next_origin(), message, Some("name parts of it with `let`"));
                return (index, Err(reported));
            }
            index += 1;
        }
        (index, Ok(()))
    }

    /// Reads operands and operators that bind at least as strongly as `floor`.
    pub(super) fn binary(&mut self, floor: Power) -> Parse<Node> {
        self.nested(|p| {
            let mut left = p.prefix()?;
            while let Some((power, operator)) = infix(p.symbol(p.position).0).filter(|(power, _)| *power >= floor) {
                left = p.infix(left, power, operator)?;
            }
            Ok(left)
        })
    }

    /// Reads the operator at the position and its right operand.
    fn infix(&mut self, left: Node, power: Power, operator: Infix) -> Parse<Node> {
        let symbol = self.symbol(self.position).0.to_owned();
        let origin = self.eat(&symbol).unwrap_or(Origin::NONE);
        if let Infix::Refused(help) = operator {
            let power = matches!(&*symbol, "^" | "**").then(|| self.power_help(&left.expr));
            let help = power.as_deref().or(help);
            let reported = self.report("MBS003", origin, format!("`{symbol}` is not an operator"), help);
            let operand = matches!(self.kind(), Kind::Word | Kind::Literal | Kind::Open(_));
            if !operand && !self.is_next("-") && !self.is_next("!") {
                return Err(reported);
            }
        }
        if power == Power::Comparison && is_first_comparison(&left.expr) {
            let help = "write `a < b && b < c`";
            self.report("MBS003", origin, "comparisons do not chain", Some(help));
        }
        let right = self.binary(power.tighter())?;
        let depth = left.depth.max(right.depth);
        let (first, left, right) = (left.first, Box::new(left.expr), Box::new(right.expr));
        let kind = match operator {
            Infix::Binary(operator) => ExprKind::Binary(operator, left, right),
            Infix::In => ExprKind::In(left, right),
            Infix::At => ExprKind::At(left, right),
            Infix::Refused(_) => ExprKind::Broken,
        };
        self.node(kind, origin, first, depth)
    }

    /// Help for `a^3`: `a.powi(3)`. The position is behind the operator.
    fn power_help(&self, base: &Expr) -> String {
        let name = if let ExprKind::Name(name) = &base.kind { name } else { "x" };
        let [exponent, after] = [0, 1].map(|i| self.token(self.position + i));
        let is_alone = !matches!(after.kind, Kind::Open(_)) && after.text != ".";
        match exponent.kind {
            Kind::Literal if is_alone && exponent.text.bytes().all(|b| b.is_ascii_digit()) => {
                format!("write `{name}.powi({})`", exponent.text)
            }
            Kind::Literal | Kind::Word if is_alone => format!("write `powf({name}, {})`", exponent.text),
            _ => format!("write `{name}.powi(2)`, or `powf({name}, y)`"),
        }
    }

    /// Reads signs, conditions, and operands with their suffixes.
    fn prefix(&mut self) -> Parse<Node> {
        for (symbol, operator) in [("-", UnaryOp::Neg), ("!", UnaryOp::Not)] {
            if let Some(origin) = self.eat(symbol) {
                let operand = self.binary(Power::Prefix)?;
                let depth = operand.depth;
                return self.node(ExprKind::Unary(operator, Box::new(operand.expr)), origin, origin, depth);
            }
        }
        if self.is_next("if") {
            return self.condition();
        }
        let mut operand = self.operand()?;
        loop {
            operand = match self.symbol(self.position).0 {
                "." => self.field(operand)?,
                "[" => self.index(operand)?,
                _ => return Ok(operand),
            };
        }
    }

    /// Reads `a..b`, or one expression.
    pub(super) fn range_node(&mut self) -> Parse<Node> {
        let start = self.binary(Power::Assignment)?;
        let inclusive = self.is_next("..=");
        let Some(origin) = self.eat("..").or_else(|| self.eat("..=")) else {
            return Ok(start);
        };
        if inclusive {
            let help = "write `a..b`, which leaves out `b`";
            self.report("MBS003", origin, "`..=` is not an operator", Some(help));
        }
        let end = self.binary(Power::Assignment)?;
        let (first, depth) = (start.first, start.depth.max(end.depth));
        self.node(ExprKind::Range(Box::new(start.expr), Box::new(end.expr)), origin, first, depth)
    }

    /// Reads `if c { a } else { b }`.
    fn condition(&mut self) -> Parse<Node> {
        self.nested(|p| {
            let origin = p.eat("if").unwrap_or(Origin::NONE);
            let condition = p.binary(Power::Assignment)?;
            let then = p.branch()?;
            if p.eat("else").is_none() {
                return Err(p.expected_with_help("`else`", Some("both values are needed")));
            }
            let otherwise = if p.is_next("if") { p.condition()? } else { p.branch()? };
            let depth = condition.depth.max(then.depth).max(otherwise.depth);
            let parts = (Box::new(condition.expr), Box::new(then.expr), Box::new(otherwise.expr));
            p.node(ExprKind::If(parts.0, parts.1, parts.2), origin, origin, depth)
        })
    }

    fn branch(&mut self) -> Parse<Node> {
        if !self.is_next("{") {
            return Err(self.expected("`{`"));
        }
        Ok(self.group(|p| p.single("`}`", None, |p| p.binary(Power::Assignment))))
    }

    /// A node whose deepest operand has the depth `below`.
    pub(super) fn node(&mut self, kind: ExprKind, origin: Origin, first: Origin, below: usize) -> Parse<Node> {
        if below >= DEPTH_LIMIT {
            return Err(self.too_deep(origin));
        }
        Ok(Node { expr: Expr { kind, origin }, depth: below + 1, first })
    }
}

/// Whether an expression is a comparison whose left side is none, so that a chain of comparisons is reported once.
fn is_first_comparison(expr: &Expr) -> bool {
    compared(expr).is_some_and(|left| compared(left).is_none())
}

/// The left side of a comparison; `None` for other expressions.
fn compared(expr: &Expr) -> Option<&Expr> {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    match &expr.kind {
        ExprKind::Binary(Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual, left, _) => Some(left),
        _ => None,
    }
}
