//! Data shared by all handles of one mechanism: nodes of expressions, items, and the locations of the calls that made them.
//!
//! Nodes refer only to older nodes, so that they can be written out in their order. Handles borrow the store and write to it through its
//! cell; no borrow of the cell outlives a method of this file.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::panic::Location;

use mbs_definition::{BinaryOp, Origin, UnaryOp};

use super::mistakes::Sites;
use super::name::Name;
use super::term::{Declared, Term};
use super::untyped::{Value, Written};
use super::{events, kinds};

/// A call in the user's program.
pub(super) type Here = &'static Location<'static>;

/// A node of some store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(pub u32);

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// One operation of an expression, as in the language.
#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Number(f64),
    Name(Name),
    /// An end, argument, coordinate or speed of a joint kind, by the kind's item and its name there; the parameter of a curve or function.
    Local(usize, String),
    Field(NodeId, String),
    Element(NodeId, usize),
    Slice(NodeId, Range<usize>),
    Unary(UnaryOp, NodeId),
    Binary(BinaryOp, NodeId, NodeId),
    Call(String, Vec<NodeId>),
    If([NodeId; 3]),
    Vector(Vec<NodeId>),
    In(NodeId, NodeId),
    At(NodeId, NodeId),
    /// `left == right`, optionally `in frame`.
    Equation(NodeId, NodeId, Option<NodeId>),
    /// An item of another builder: its description, and the mechanism it belongs to.
    Foreign {
        what: String,
        owner: String,
    },
}

impl NodeKind {
    /// The operands of the operation.
    pub(super) fn children(&self) -> Vec<NodeId> {
        match self {
            NodeKind::Number(_) | NodeKind::Name(_) | NodeKind::Local(..) | NodeKind::Foreign { .. } => Vec::new(),
            NodeKind::Field(a, _) | NodeKind::Element(a, _) | NodeKind::Slice(a, _) | NodeKind::Unary(_, a) => vec![*a],
            NodeKind::Binary(_, a, b) | NodeKind::In(a, b) | NodeKind::At(a, b) => vec![*a, *b],
            NodeKind::Call(_, all) | NodeKind::Vector(all) => all.clone(),
            NodeKind::If(all) => all.to_vec(),
            NodeKind::Equation(a, b, frame) => [*a, *b].into_iter().chain(*frame).collect(),
        }
    }
}

/// A node with the call that made it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: NodeKind,
    pub origin: Origin,
}

/// The form after `=`.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Nothing,
    Expression(NodeId),
    /// `kind(end, end)`
    Kind(String, Vec<NodeId>),
}

/// `name: value`
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub name: String,
    pub origin: Origin,
    pub value: NodeId,
    /// Arguments in braces after the value.
    pub arguments: Vec<Argument>,
}

impl Argument {
    pub(super) fn new(name: &str, origin: Origin, value: NodeId) -> Self {
        Argument { name: name.to_string(), origin, value, arguments: Vec::new() }
    }

    /// The nodes that the argument uses.
    pub(super) fn nodes(&self) -> Vec<NodeId> {
        let inside = self.arguments.iter().flat_map(Argument::nodes);
        std::iter::once(self.value).chain(inside).collect()
    }
}

/// `(s) on shaft`
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// Whether it has its own parameter.
    pub is_traced: bool,
    pub on: NodeId,
}

/// A declaration, or a setting when `category` is empty.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub docs: String,
    pub category: String,
    pub name: Name,
    pub origin: Origin,
    pub shape: Vec<usize>,
    /// Words of a choice.
    pub variants: Vec<String>,
    pub form: Form,
    /// The head of a curve.
    pub head: Option<Head>,
    pub arguments: Vec<Argument>,
    /// `param` before the value of a setting.
    pub tunable: bool,
}

/// `target = value` or `target ~ value`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub target: NodeId,
    pub exact: bool,
    pub value: NodeId,
}

/// `function name: opaque(2);`, `function name = spline(…) { … };`, `function name: CubicSpline<16> = spline(…);`
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub docs: String,
    pub name: Name,
    pub origin: Origin,
    /// Number of arguments.
    pub arguments: usize,
    /// Size of a vector.
    pub size: Option<NodeId>,
    /// The form supplied at run time.
    pub supplied: Option<Form>,
    /// The form of its definition, or of its default.
    pub made: Form,
    pub options: Vec<Argument>,
}

impl Function {
    /// The nodes that the function uses.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let of = |form: &Form| match form {
            Form::Kind(_, data) => data.clone(),
            Form::Expression(value) => vec![*value],
            Form::Nothing => Vec::new(),
        };
        let data = self.supplied.iter().flat_map(of).chain(of(&self.made));
        self.size.into_iter().chain(data).chain(self.options.iter().map(|o| o.value))
    }
}

/// One item, in the order of the calls.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Element(Element),
    Condition(Condition),
    Function(Function),
    Kind(kinds::Written),
    Event(events::Written),
    Regular(events::Regular),
}

impl Item {
    /// The nodes that the item uses.
    pub(super) fn nodes(&self) -> Vec<NodeId> {
        match self {
            Item::Condition(condition) => vec![condition.target, condition.value],
            Item::Function(function) => function.nodes().collect(),
            Item::Kind(kind) => kind.nodes(),
            Item::Event(event) => event.nodes(),
            Item::Regular(regular) => regular.what.nodes(),
            Item::Element(element) => {
                let of_form = match &element.form {
                    Form::Nothing => Vec::new(),
                    Form::Expression(value) => vec![*value],
                    Form::Kind(_, ends) => ends.clone(),
                };
                let head = element.head.map(|head| head.on);
                of_form.into_iter().chain(head).chain(element.arguments.iter().flat_map(Argument::nodes)).collect()
            }
        }
    }
}

/// All declarations of a mechanism.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub name: String,
    pub origin: Origin,
    pub docs: String,
    pub visibility: String,
    /// Docs of the next declaration.
    pub pending: String,
    /// Prefix of the names that are declared now.
    pub group: String,
    /// All groups, each once.
    pub groups: Vec<(String, Origin)>,
    pub nodes: Vec<Node>,
    pub items: Vec<Item>,
    pub sites: Sites,
}

impl Contents {
    pub(super) fn push(&mut self, kind: NodeKind, here: Here) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 operations"));
        let origin = self.sites.push(here);
        self.nodes.push(Node { kind, origin });
        id
    }

    /// "`pin.angle`", for messages.
    fn describe(&self, node: NodeId) -> String {
        match &self.nodes[node.index()].kind {
            NodeKind::Name(name) => format!("`{name}`"),
            NodeKind::Local(_, name) => format!("`{name}`"),
            NodeKind::Field(inner, field) => match &self.nodes[inner.index()].kind {
                NodeKind::Name(name) => format!("`{name}.{field}`"),
                _ => "an expression".into(),
            },
            NodeKind::At(inner, _) => match &self.nodes[inner.index()].kind {
                NodeKind::Name(name) => format!("a place on `{name}`"),
                _ => "a place".into(),
            },
            NodeKind::Equation(..) => "an equation".into(),
            _ => "an expression".into(),
        }
    }
}

/// The contents in a cell.
pub(super) struct Store(RefCell<Contents>);

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.borrow().name)
    }
}

impl Store {
    pub(super) fn new(name: String, here: Here) -> Store {
        let mut sites = Sites::default();
        let origin = sites.push(here);
        Store(RefCell::new(Contents {
            name,
            origin,
            docs: String::new(),
            visibility: "pub".into(),
            pending: String::new(),
            group: String::new(),
            groups: Vec::new(),
            nodes: Vec::new(),
            items: Vec::new(),
            sites,
        }))
    }

    pub(super) fn read<V>(&self, read: impl FnOnce(&Contents) -> V) -> V {
        read(&self.0.borrow())
    }

    pub(super) fn write<V>(&self, write: impl FnOnce(&mut Contents) -> V) -> V {
        write(&mut self.0.borrow_mut())
    }

    pub(super) fn push(&self, kind: NodeKind, here: Here) -> Term<'_> {
        Term { store: self, node: self.write(|c| c.push(kind, here)) }
    }

    /// A value as a node of this store. Names have the location of their use, other expressions that of their declaration.
    pub(super) fn adopt<'a>(&self, value: impl Into<Value<'a>>, here: Here) -> NodeId {
        match value.into().0 {
            Written::Number(x) => self.write(|c| c.push(NodeKind::Number(x), here)),
            Written::Word(ident) => self.write(|c| c.push(NodeKind::Name(Name::word(ident)), here)),
            Written::List(items) => {
                let items = items.into_iter().map(|item| self.adopt(item, here)).collect();
                self.write(|c| c.push(NodeKind::Vector(items), here))
            }
            Written::Term(term) if std::ptr::eq(term.store, self) => {
                self.write(|c| match &c.nodes[term.node.index()].kind {
                    kind @ (NodeKind::Name(_) | NodeKind::Local(..)) => {
                        let name = kind.clone();
                        c.push(name, here)
                    }
                    _ => term.node,
                })
            }
            Written::Term(term) => {
                let (what, owner) = term.store.read(|c| (c.describe(term.node), c.name.clone()));
                self.write(|c| c.push(NodeKind::Foreign { what, owner }, here))
            }
        }
    }

    /// Declares an item without value and arguments, and returns its name.
    pub(super) fn declare(&self, category: &str, mut name: Name, here: Here) -> Declared<'_> {
        self.write(|c| {
            // Options belong to the whole mechanism.
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
    /// Declares a function, and returns the index of its item.
    pub(super) fn function(&self, mut name: Name, here: Here, fill: impl FnOnce(&mut Function)) -> usize {
        self.write(|c| {
            name.group.clone_from(&c.group);
            let (docs, origin) = (std::mem::take(&mut c.pending), c.sites.push(here));
            let (supplied, made, options) = (None, Form::Nothing, Vec::new());
            let mut function = Function { docs, name, origin, arguments: 1, size: None, supplied, made, options };
            fill(&mut function);
            c.items.push(Item::Function(function));
            c.items.len() - 1
        })
    }

    /// Changes a function.
    pub(super) fn edit_function(&self, item: usize, edit: impl FnOnce(&mut Function)) {
        self.write(|c| match &mut c.items[item] {
            Item::Function(function) => edit(function),
            _ => unreachable!("handles of this type are of functions"),
        });
    }

    /// Adds an option in braces.
    pub(super) fn add_option(&self, item: usize, name: &str, value: NodeId, here: Here) {
        let origin = self.write(|c| c.sites.push(here));
        self.edit_function(item, |f| f.options.push(Argument::new(name, origin, value)));
    }

    /// Enters a group for further declarations; returns the previous one.
    pub(super) fn enter_group(&self, mut name: Name, here: Here) -> String {
        self.write(|c| {
            name.group.clone_from(&c.group);
            let name = name.to_string();
            if !c.groups.iter().any(|(known, _)| *known == name) {
                let origin = c.sites.push(here);
                c.groups.push((name.clone(), origin));
            }
            std::mem::replace(&mut c.group, format!("{name}."))
        })
    }

    /// Name of a function.
    pub(super) fn function_name(&self, item: usize) -> Name {
        self.read(|c| match &c.items[item] {
            Item::Function(function) => function.name.clone(),
            _ => unreachable!("handles of this type are of functions"),
        })
    }

    /// Name of an item.
    pub(super) fn name_of(&self, item: usize) -> String {
        self.read(|c| match &c.items[item] {
            Item::Element(element) => element.name.to_string(),
            Item::Function(function) => function.name.to_string(),
            Item::Kind(kind) => kind.name.to_string(),
            Item::Event(event) => event.name.to_string(),
            Item::Condition(_) | Item::Regular(_) => String::new(),
        })
    }
}
