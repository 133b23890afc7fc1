//! The untyped contents of handles: an expression of a store, a declaration of a store, and values that become expressions of one.

use mbs_definition::{BinaryOp, UnaryOp};

use super::contents::{Argument, Element, Form, Head, Item, NodeId, NodeKind};
use super::name::Name;
use super::sites::Here;
use super::store::Store;

/// An expression of some store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term<'m> {
    pub store: &'m Store,
    pub node: NodeId,
}

impl<'m> Term<'m> {
    /// The node of an expression that is used at `here`; names have the location of their use.
    pub(super) fn node_at(self, here: Here) -> NodeId {
        self.store.adopt(Value(ValueForm::Term(self)), here)
    }

    pub(super) fn unary(self, op: UnaryOp, here: Here) -> Term<'m> {
        let inner = self.node_at(here);
        self.store.push(NodeKind::Unary(op, inner), here)
    }

    pub(super) fn binary(self, op: BinaryOp, right: impl Into<Value<'m>>, here: Here) -> Term<'m> {
        let (left, right) = (self.node_at(here), self.store.adopt(right, here));
        self.store.push(NodeKind::Binary(op, left, right), here)
    }

    /// The expression `left op self`.
    pub(super) fn binary_after(self, op: BinaryOp, left: f64, here: Here) -> Term<'m> {
        let (left, right) = (self.store.adopt(left, here), self.node_at(here));
        self.store.push(NodeKind::Binary(op, left, right), here)
    }

    pub(super) fn field(self, name: &str, here: Here) -> Term<'m> {
        let inner = self.node_at(here);
        self.store.push(NodeKind::Field(inner, name.to_string()), here)
    }

    /// The expression `function(self)`.
    pub(super) fn call(self, function: &str, here: Here) -> Term<'m> {
        let arguments = vec![self.node_at(here)];
        self.store.push(NodeKind::Call(function.to_string(), arguments), here)
    }

    /// The expression `function(self, second)`.
    pub(super) fn call2(self, function: &str, second: impl Into<Value<'m>>, here: Here) -> Term<'m> {
        let arguments = vec![self.node_at(here), self.store.adopt(second, here)];
        self.store.push(NodeKind::Call(function.to_string(), arguments), here)
    }

    /// The expression `self at point`.
    pub(super) fn at(self, point: impl Into<Value<'m>>, here: Here) -> Term<'m> {
        let (owner, point) = (self.node_at(here), self.store.adopt(point, here));
        self.store.push(NodeKind::At(owner, point), here)
    }

    /// The expression `self in frame`.
    pub(super) fn in_frame(self, frame: impl Into<Value<'m>>, here: Here) -> Term<'m> {
        let (vector, frame) = (self.node_at(here), self.store.adopt(frame, here));
        self.store.push(NodeKind::In(vector, frame), here)
    }
}

/// Any part of an expression: handles, numbers, `true`, words, lists.
///
/// It is the argument of the generic methods, [`Planar::joint`](super::Planar::joint), [`Planar::call`](super::Planar::call) and the
/// `argument` of handles; `resolve` checks its type.
#[derive(Clone, Debug)]
pub struct Value<'m>(pub(super) ValueForm<'m>);

/// The forms of a value.
#[derive(Clone, Debug)]
pub(super) enum ValueForm<'m> {
    Number(f64),
    Word(String),
    List(Vec<Value<'m>>),
    Term(Term<'m>),
}

impl<'m> Value<'m> {
    /// A word of the language, such as `joint` in `coordinates: joint`, or a declared name.
    pub fn word(word: impl Into<String>) -> Self {
        Value(ValueForm::Word(word.into()))
    }

    /// `[a, b, …]`
    pub fn list(items: impl IntoIterator<Item: Into<Value<'m>>>) -> Self {
        Value(ValueForm::List(items.into_iter().map(Into::into).collect()))
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Value(ValueForm::Number(number))
    }
}

impl From<bool> for Value<'_> {
    fn from(truth: bool) -> Self {
        Value::word(if truth { "true" } else { "false" })
    }
}

impl<'m> From<Term<'m>> for Value<'m> {
    fn from(term: Term<'m>) -> Self {
        Value(ValueForm::Term(term))
    }
}

impl Store {
    pub(super) fn push(&self, kind: NodeKind, here: Here) -> Term<'_> {
        Term { store: self, node: self.write(|c| c.push(kind, here)) }
    }

    /// A value as a node of this store. Names have the location of their use, other expressions that of their declaration.
    pub(super) fn adopt<'a>(&self, value: impl Into<Value<'a>>, here: Here) -> NodeId {
        match value.into().0 {
            ValueForm::Number(x) => self.write(|c| c.push(NodeKind::Number(x), here)),
            ValueForm::Word(ident) => self.write(|c| c.push(NodeKind::Name(Name::word(ident)), here)),
            ValueForm::List(items) => {
                let items = items.into_iter().map(|item| self.adopt(item, here)).collect();
                self.write(|c| c.push(NodeKind::Vector(items), here))
            }
            ValueForm::Term(term) if std::ptr::eq(term.store, self) => {
                self.write(|c| match &c.nodes[term.node.index()].kind {
                    kind @ (NodeKind::Name(_) | NodeKind::Local(..)) => {
                        let name = kind.clone();
                        c.push(name, here)
                    }
                    _ => term.node,
                })
            }
            ValueForm::Term(term) => {
                let (description, owner) = term.store.read(|c| (c.describe(term.node), c.name.clone()));
                self.write(|c| c.push(NodeKind::Foreign { description, owner }, here))
            }
        }
    }

    /// Declares an item without value and arguments, and returns its name.
    pub(super) fn declare(&self, category: &str, mut name: Name, here: Here) -> Declared<'_> {
        self.write(|c| {
            // Options belong to the mechanism, not to a group.
            if !category.is_empty() {
                name.group.clone_from(&c.group);
            }
            let node = c.push(NodeKind::Name(name.clone()), here);
            let origin = c.nodes[node.index()].origin;
            // A setting has no docs: they are kept for the next declaration.
            let docs = if category.is_empty() { String::new() } else { std::mem::take(&mut c.pending) };
            let (category, shape, variants, arguments) = (category.to_string(), Vec::new(), Vec::new(), Vec::new());
            let form = Form::Nothing;
            let (head, tunable) = (None, false);
            let element = Element { docs, category, name, origin, shape, variants, form, head, arguments, tunable };
            c.items.push(Item::Element(element));
            Declared { term: Term { store: self, node }, item: c.items.len() - 1 }
        })
    }
}

/// A declaration or setting, to be completed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared<'m> {
    /// Its name as an expression.
    pub term: Term<'m>,
    pub item: usize,
}

impl<'m> Declared<'m> {
    fn edit(self, edit: impl FnOnce(&mut Element)) -> Self {
        self.term.store.write(|c| match &mut c.items[self.item] {
            Item::Element(element) => edit(element),
            _ => unreachable!("handles of this type are of elements"),
        });
        self
    }

    pub(super) fn shaped(self, shape: &[usize]) -> Self {
        self.edit(|element| element.shape = shape.to_vec())
    }

    pub(super) fn variants(self, words: &[&str]) -> Self {
        self.edit(|element| element.variants = words.iter().map(|word| (*word).to_string()).collect())
    }

    pub(super) fn tunable(self) -> Self {
        self.edit(|element| element.tunable = true)
    }

    pub(super) fn value(self, value: impl Into<Value<'m>>, here: Here) -> Self {
        let value = self.term.store.adopt(value, here);
        self.edit(|element| element.form = Form::Expression(value))
    }

    pub(super) fn kind(self, kind: &str, ends: impl IntoIterator<Item = Value<'m>>, here: Here) -> Self {
        let ends = ends.into_iter().map(|end| self.term.store.adopt(end, here)).collect();
        self.edit(|element| element.form = Form::Kind(kind.to_string(), ends))
    }

    /// Sets the frame on which a curve is fixed, and whether its value has a parameter.
    pub(super) fn fixed_on(self, frame: impl Into<Value<'m>>, is_traced: bool, here: Here) -> Self {
        let frame = self.term.store.adopt(frame, here);
        self.edit(|element| element.head = Some(Head { is_traced, on: frame }))
    }

    /// Inserts an end before the others.
    pub(super) fn first_end(self, end: impl Into<Value<'m>>, here: Here) -> Self {
        let end = self.term.store.adopt(end, here);
        self.edit(|element| {
            if let Form::Kind(_, ends) = &mut element.form {
                ends.insert(0, end);
            }
        })
    }

    pub(super) fn argument(self, name: &str, value: impl Into<Value<'m>>, here: Here) -> Self {
        let value = self.term.store.adopt(value, here);
        let origin = self.term.store.write(|c| c.sites.push(here));
        self.edit(|element| element.arguments.push(Argument::new(name, origin, value)))
    }

    /// `outer: word { name: value }`, in addition to the arguments already in these braces.
    pub(super) fn argument_within(
        self,
        (outer, word): (&str, &str),
        name: &str,
        value: impl Into<Value<'m>>,
        here: Here,
    ) -> Self {
        let known = self.term.store.read(|c| match &c.items[self.item] {
            Item::Element(element) => element.arguments.iter().any(|a| a.name == outer && !a.arguments.is_empty()),
            _ => false,
        });
        let declared = if known { self } else { self.argument(outer, Value::word(word), here) };
        let value = self.term.store.adopt(value, here);
        let origin = self.term.store.write(|c| c.sites.push(here));
        let inside = Argument::new(name, origin, value);
        declared.edit(|element| {
            if let Some(argument) = element.arguments.iter_mut().rev().find(|a| a.name == outer) {
                argument.arguments.push(inside);
            }
        })
    }
}
