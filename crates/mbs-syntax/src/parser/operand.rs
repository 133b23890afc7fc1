//! Operands of expressions: numbers, names, calls, vectors, parentheses, and the fields, methods and indices that follow.

use mbs_definition::{Expr, ExprKind, Ident, Origin};

use super::expression::Node;
use super::operators::Power;
use super::{Parse, Parser, Reported, broken};
use crate::tokens::Kind;

impl Parser<'_> {
    /// Numbers, names, calls, vectors, parentheses.
    pub(super) fn operand(&mut self) -> Parse<Node> {
        let first = self.here();
        match self.kind() {
            Kind::Literal => {
                let kind = self.number()?;
                self.node(kind, first, first, 0)
            }
            Kind::Word if self.at_name() => {
                let name = self.word("an expression")?;
                if self.at("(") {
                    return self.call(name, first, None);
                }
                self.node(ExprKind::Name(name.text), first, first, 0)
            }
            Kind::Open(close) if self.at("[") => {
                let (items, depth) = self.group(|p| p.list("`]`"));
                let origin = self.covering(first, close);
                self.node(ExprKind::Vector(items), origin, first, depth)
            }
            Kind::Open(_) if self.at("(") => {
                let help = Some("vectors are written `[a, b]`");
                Ok(Node { first, ..self.group(|p| p.single("`)`", help, |p| p.binary(Power::Assignment))) })
            }
            _ => Err(self.expected("an expression")),
        }
    }

    /// Whether the word here is a name, and not the beginning of the next item.
    fn at_name(&self) -> bool {
        let item = self.brackets == 0 && self.starts_known_item();
        !item && !["in", "else", "for"].contains(&self.symbol(self.position).0)
    }

    /// `(…)` after `name`; the receiver of a method is the first argument.
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
        let origin = self.covering(first, close);
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

    /// `(body for i in a..b)` after `sum`.
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
            if !p.at_end() {
                return Err(p.expected("`)`"));
            }
            Ok((body, variable, over))
        });
        let origin = self.covering(first, close);
        let Ok((body, variable, over)) = parts else {
            return self.node(ExprKind::Broken, origin, first, 0);
        };
        let depth = body.depth.max(over.depth);
        let kind = ExprKind::Sum { body: Box::new(body.expr), variable, over: Box::new(over.expr) };
        self.node(kind, origin, first, depth)
    }

    /// `.name` or `.function(…)`.
    pub(super) fn field(&mut self, of: Node) -> Parse<Node> {
        self.eat(".");
        if self.kind() == Kind::Literal {
            let help = "components are `.x`, `.y`, `.z` or `[0]`";
            return Err(self.expected_with_help("a name after `.`", Some(help)));
        }
        let last = self.position;
        let name = self.word("a name after `.`")?;
        let first = of.first;
        if self.at("(") {
            return self.call(name, first, Some(of));
        }
        let origin = self.covering(first, last);
        let depth = of.depth;
        self.node(ExprKind::Field(Box::new(of.expr), name), origin, first, depth)
    }

    /// `[i]` or `[a..b]`.
    pub(super) fn index(&mut self, of: Node) -> Parse<Node> {
        let Kind::Open(close) = self.kind() else {
            return Err(self.expected("`[`"));
        };
        let help = Some("indices of a matrix are written `m[i][j]`");
        let index = self.group(|p| p.single("`]`", help, Self::range_node));
        let (first, depth) = (of.first, of.depth.max(index.depth));
        let origin = self.covering(first, close);
        self.node(ExprKind::Index(Box::new(of.expr), Box::new(index.expr)), origin, first, depth)
    }

    /// The variable of a loop or sum.
    pub(super) fn variable(&mut self) -> Parse<Ident> {
        if self.at("in") {
            return Err(self.expected("a variable after `for`"));
        }
        self.word("a variable after `for`")
    }

    /// The one index in the brackets at the position.
    pub(super) fn bracketed(&mut self) -> Expr {
        self.group(|p| p.single("`]`", None, |p| p.binary(Power::Assignment))).expr
    }

    /// The one expression of a group that has been entered; broken when it was not exactly one.
    pub(super) fn single(
        &mut self,
        close: &str,
        help: Option<&str>,
        read: impl FnOnce(&mut Self) -> Parse<Node>,
    ) -> Node {
        let here = self.here();
        match read(self) {
            Ok(node) if self.at_end() => return node,
            Ok(_) => self.expected_with_help(close, help.filter(|_| self.at(","))),
            Err(reported) => reported,
        };
        Node { expr: broken(here), depth: 0, first: here }
    }

    /// The expressions between commas of a group that has been entered, and the depth of the deepest. A mistake breaks
    /// the element it is in.
    pub(super) fn list(&mut self, close: &str) -> (Vec<Expr>, usize) {
        let (mut items, mut deepest) = (Vec::new(), 0);
        let mut complained = false;
        while !self.at_end() {
            let here = self.here();
            match self.binary(Power::Assignment) {
                Ok(node) => {
                    deepest = deepest.max(node.depth);
                    items.push(node.expr);
                    if self.at_end() || self.eat(",").is_some() {
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
                Err(Reported) => items.push(broken(here)),
            }
            self.skip_to_comma();
            self.eat(",");
        }
        (items, deepest)
    }

    /// From `first` to the token at `last`.
    fn covering(&mut self, first: Origin, last: usize) -> Origin {
        let last = self.token(last).origin;
        self.sources.range(first, last)
    }
}
