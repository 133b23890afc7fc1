//! Writes parts of a definition with origins in the file.

use std::ops::Range;

use mbs_definition::{Argument, BinaryOp, Declaration, Expr, ExprKind, Ident, Item, Name, Origin, UnaryOp};

use super::element::Reader;
use super::robot::Spanned;

/// Writes expressions and items that have one origin in the file.
pub(super) struct Writer {
    origin: Origin,
}

impl Writer {
    pub(super) fn at_bytes(bytes: &Range<usize>, reader: &mut Reader) -> Self {
        Writer { origin: reader.origin(bytes) }
    }

    pub(super) fn ident(&self, text: &str) -> Ident {
        Ident { text: text.to_owned(), origin: self.origin }
    }

    fn expr(&self, kind: ExprKind) -> Expr {
        Expr { kind, origin: self.origin }
    }

    pub(super) fn name(&self, name: &str) -> Expr {
        self.expr(ExprKind::Name(name.to_owned()))
    }

    /// A number; a negative one is a negation, as the parser reads it.
    pub(super) fn number(&self, x: f64) -> Expr {
        let number = self.expr(ExprKind::Number(x.abs()));
        if x < 0.0 { self.expr(ExprKind::Unary(UnaryOp::Neg, Box::new(number))) } else { number }
    }

    /// A count or an index.
    pub(super) fn integer(&self, n: usize) -> Expr {
        self.number(n as f64)
    }

    /// The expression `name[k]`.
    pub(super) fn index(&self, name: &str, k: usize) -> Expr {
        self.expr(ExprKind::Index(Box::new(self.name(name)), Box::new(self.integer(k))))
    }

    pub(super) fn list(&self, items: Vec<Expr>) -> Expr {
        self.expr(ExprKind::Vector(items))
    }

    pub(super) fn vector(&self, components: [f64; 3]) -> Expr {
        self.list(components.iter().map(|x| self.number(*x)).collect())
    }

    pub(super) fn call(&self, function: &str, arguments: Vec<Expr>) -> Expr {
        self.expr(ExprKind::Call(self.ident(function), arguments))
    }

    /// The expression `marker at [x, y, z]`.
    pub(super) fn point(&self, marker: &str, xyz: [f64; 3]) -> Expr {
        self.expr(ExprKind::At(Box::new(self.name(marker)), Box::new(self.vector(xyz))))
    }

    /// The expression `name.field`.
    pub(super) fn field(&self, name: &str, field: &str) -> Expr {
        self.expr(ExprKind::Field(Box::new(self.name(name)), self.ident(field)))
    }

    pub(super) fn binary(&self, operator: BinaryOp, left: Expr, right: Expr) -> Expr {
        self.expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
    }

    /// The item `category name = value { arguments };`.
    pub(super) fn declaration(
        &self,
        docs: String,
        [category, name]: [&str; 2],
        value: Option<Expr>,
        arguments: Vec<Argument>,
    ) -> Item {
        Item::Declaration(Declaration {
            docs,
            category: self.ident(category),
            name: Name { ident: self.ident(name), index: None },
            shape: Vec::new(),
            variants: vec![],
            frame: None,
            curve: None,
            value,
            arguments,
        })
    }
}

/// The argument `name: value`, with the origin of the value.
pub(super) fn argument<T: Copy>(
    name: &str,
    value: &Spanned<T>,
    reader: &mut Reader,
    expr: impl FnOnce(&Writer, T) -> Expr,
) -> Argument {
    let writer = Writer::at_bytes(&value.bytes, reader);
    Argument { name: writer.ident(name), value: expr(&writer, value.value), arguments: None }
}
