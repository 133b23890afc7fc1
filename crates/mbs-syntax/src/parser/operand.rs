//! Operands of expressions: numbers, names, calls, vectors, parentheses, and the fields, methods and indices that follow.

use mbs_definition::{Expr, ExprKind, Ident, Origin};

use super::expression::Node;
use super::operators::Power;
use super::{Parse, Parser, Reported, broken_expression};
use crate::tokens::Kind;

impl Parser<'_> {
    /// Reads a number, name, call, vector or parentheses.
    pub(super) fn operand(&mut self) -> Parse<Node> {
        let first = self.next_origin();
        match self.kind() {
            Kind::Literal => {
                let kind = self.number_literal()?;
                self.node(kind, first, first, 0)
            }
            Kind::Word if self.at_name() => {
                let name = self.word("an expression")?;
                if self.is_next("(") {
                    return self.call(name, first, None);
                }
                self.node(ExprKind::Name(name.text), first, first, 0)
            }
            Kind::Open(close) if self.is_next("[") => {
                let (items, depth) = self.group(|p| p.list("`]`"));
                let origin = self.covering_origin(first, close);
                self.node(ExprKind::Vector(items), origin, first, depth)
            }
            Kind::Open(_) if self.is_next("(") => {
                let help = Some("vectors are written `[a, b]`");
                Ok(Node { first, ..self.group(|p| p.single("`)`", help, |p| p.binary(Power::Assignment))) })
            }
            _ => Err(self.expected("an expression")),
        }
    }

    /// Whether the next word is a name, and not the beginning of the next item.
    fn at_name(&self) -> bool {
        let item = self.brackets == 0 && self.starts_known_item();
        !item && !["in", "else", "for"].contains(&self.symbol(self.position).0)
    }

    /// Reads `(…)` after `name`; the receiver of a method is the first argument.
    fn call(&mut self, name: Ident, first: Origin, receiver: Option<Node>) -> Parse<Node> {
        let Kind::Open(close) = self.kind() else {
            return Err(self.expected("`(`"));
        };
        if name.text == "sum" && receiver.is_none() && self.has_for(close) {
            return self.sum(first, close);
        }
        let (arguments, depth) = self.group(|p| p.list("`)`"));
        let depth = depth.max(receiver.as_ref().map_or(0, |node| node.depth));
        let arguments = receiver.into_iter().map(|node| node.expr).chain(arguments).collect();
        let origin = self.covering_origin(first, close);
        self.node(ExprKind::Call(name, arguments), origin, first, depth)
    }

    /// Whether the group at the position contains `for`, outside of inner groups.
    fn has_for(&self, close: usize) -> bool {
        let mut index = self.position + 1;
        while index < close {
            let token = self.token(index);
            match token.kind {
                Kind::Word if token.text == "for" => return true,
                Kind::Open(inner) => index = inner,
                _ => {}
            }
            index += 1;
        }
        false
    }

    /// Reads `(body for i in a..b)` after `sum`.
    fn sum(&mut self, first: Origin, close: usize) -> Parse<Node> {
        let parts = self.group(|p| {
            let body = p.binary(Power::Assignment)?;
            if p.eat("for").is_none() {
                return Err(p.expected("`for`"));
            }
            let variable = p.variable()?;
            if p.eat("in").is_none() {
                return Err(p.expected(&format!("`in` after `for {}`", variable.text)));
            }
            let over = p.range_node()?;
            if !p.is_at_end() {
                return Err(p.expected("`)`"));
            }
            Ok((body, variable, over))
        });
        let origin = self.covering_origin(first, close);
        let Ok((body, variable, over)) = parts else {
            return self.node(ExprKind::Broken, origin, first, 0);
        };
        let depth = body.depth.max(over.depth);
        let kind = ExprKind::Sum { body: Box::new(body.expr), variable, over: Box::new(over.expr) };
        self.node(kind, origin, first, depth)
    }

    /// Reads `.name` or `.function(…)`.
    pub(super) fn field(&mut self, base: Node) -> Parse<Node> {
        self.eat(".");
        if self.kind() == Kind::Literal {
            let help = "components are `.x`, `.y`, `.z` or `[0]`";
            return Err(self.expected_with_help("a name after `.`", Some(help)));
        }
        let last = self.position;
        let name = self.word("a name after `.`")?;
        let first = base.first;
        if self.is_next("(") {
            return self.call(name, first, Some(base));
        }
        let origin = self.covering_origin(first, last);
        let depth = base.depth;
        self.node(ExprKind::Field(Box::new(base.expr), name), origin, first, depth)
    }

    /// Reads `[i]` or `[a..b]`.
    pub(super) fn index(&mut self, base: Node) -> Parse<Node> {
        let Kind::Open(close) = self.kind() else {
            return Err(self.expected("`[`"));
        };
        let help = Some("indices of a matrix are written `m[i][j]`");
        let index = self.group(|p| p.single("`]`", help, Self::range_node));
        let (first, depth) = (base.first, base.depth.max(index.depth));
        let origin = self.covering_origin(first, close);
        self.node(ExprKind::Index(Box::new(base.expr), Box::new(index.expr)), origin, first, depth)
    }

    /// Reads the variable of a loop or sum.
    pub(super) fn variable(&mut self) -> Parse<Ident> {
        if self.is_next("in") {
            return Err(self.expected("a variable after `for`"));
        }
        self.word("a variable after `for`")
    }

    /// Reads the index in the brackets at the position.
    pub(super) fn bracketed(&mut self) -> Expr {
        self.group(|p| p.single("`]`", None, |p| p.binary(Power::Assignment))).expr
    }

    /// Reads the expression of a group that has been entered; broken if there is not exactly one.
    pub(super) fn single(
        &mut self,
        close: &str,
        help: Option<&str>,
        read: impl FnOnce(&mut Self) -> Parse<Node>,
    ) -> Node {
        let here = self.next_origin();
        match read(self) {
            Ok(node) if self.is_at_end() => return node,
            Ok(_) => self.expected_with_help(close, help.filter(|_| self.is_next(","))),
            Err(reported) => reported,
        };
        Node { expr: broken_expression(here), depth: 0, first: here }
    }

    /// Reads the expressions between commas of a group that has been entered; returns them with the depth of the deepest. An expression with a
    /// mistake is broken, the others are not.
    pub(super) fn list(&mut self, close: &str) -> (Vec<Expr>, usize) {
        let (mut items, mut deepest) = (Vec::new(), 0);
        let mut complained = false;
        while !self.is_at_end() {
            let here = self.next_origin();
            match self.binary(Power::Assignment) {
                Ok(node) => {
                    deepest = deepest.max(node.depth);
                    items.push(node.expr);
                    if self.is_at_end() || self.eat(",").is_some() {
                        continue;
                    }
                    if !complained {
                        self.expected(&format!("`,` or {close}"));
                    }
                    complained = true;
                    // A missing comma between operands: the next element begins here.
                    if matches!(self.kind(), Kind::Word | Kind::Literal) {
                        continue;
                    }
                }
                Err(Reported) => items.push(broken_expression(here)),
            }
            self.skip_to_comma();
            self.eat(",");
        }
        (items, deepest)
    }

    /// The origin from `first` to the token at `last`.
    fn covering_origin(&mut self, first: Origin, last: usize) -> Origin {
        let last = self.token(last).origin;
        self.sources.range(first, last)
    }
}
