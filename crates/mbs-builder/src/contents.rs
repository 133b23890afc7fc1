//! The declarations of one mechanism: nodes of expressions, items, and the locations of the calls that made them.
//!
//! Nodes refer only to older nodes, so that they can be written out in their order.

pub(crate) mod events;
pub(crate) mod kinds;

use std::ops::Range;

use mbs_definition::{BinaryOp, Origin, UnaryOp};

use super::name::Name;
use super::sites::{Here, Sites};

/// A node, as an index into the nodes of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// One operation of an expression, as in the language.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
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
        description: String,
        owner: String,
    },
}

impl NodeKind {
    /// The operands of the operation.
    pub(crate) fn children(&self) -> Vec<NodeId> {
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
pub(crate) struct Node {
    pub kind: NodeKind,
    pub origin: Origin,
}

/// The form after `=`.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Nothing,
    Expression(NodeId),
    /// `kind(end, end)`
    Kind(String, Vec<NodeId>),
}

/// `name: value`
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub name: String,
    pub origin: Origin,
    pub value: NodeId,
    /// Arguments in braces after the value.
    pub arguments: Vec<Argument>,
}

impl Argument {
    pub(crate) fn new(name: &str, origin: Origin, value: NodeId) -> Self {
        Argument { name: name.to_string(), origin, value, arguments: Vec::new() }
    }

    /// The nodes that the argument uses.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        let inside = self.arguments.iter().flat_map(Argument::nodes);
        std::iter::once(self.value).chain(inside).collect()
    }
}

/// `(s) on shaft`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// Whether it has its own parameter.
    pub is_traced: bool,
    pub on: NodeId,
}

/// A declaration, or a setting when `category` is empty.
#[derive(Clone, Debug)]
pub(crate) struct Element {
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
pub(crate) struct Condition {
    pub target: NodeId,
    pub exact: bool,
    pub value: NodeId,
}

/// `function name: opaque(2);`, `function name = spline(…) { … };`, `function name: CubicSpline<16> = spline(…);`
#[derive(Clone, Debug)]
pub(crate) struct Function {
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
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = |form: &Form| match form {
            Form::Kind(_, data) => data.clone(),
            Form::Expression(value) => vec![*value],
            Form::Nothing => Vec::new(),
        };
        let data = self.supplied.iter().flat_map(nodes).chain(nodes(&self.made));
        self.size.into_iter().chain(data).chain(self.options.iter().map(|o| o.value))
    }
}

/// One item, in the order of the calls.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Element(Element),
    Condition(Condition),
    Function(Function),
    Kind(kinds::JointKindItem),
    Event(events::EventItem),
    Rule(events::RuleItem),
}

impl Item {
    /// The nodes that the item uses.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        match self {
            Item::Condition(condition) => vec![condition.target, condition.value],
            Item::Function(function) => function.nodes().collect(),
            Item::Kind(kind) => kind.nodes(),
            Item::Event(event) => event.nodes(),
            Item::Rule(item) => item.rule.nodes(),
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
pub(crate) struct Contents {
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
    pub(crate) fn push(&mut self, kind: NodeKind, here: Here) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 operations"));
        let origin = self.sites.push(here);
        self.nodes.push(Node { kind, origin });
        id
    }

    /// "`pin.angle`", for messages.
    pub(crate) fn describe(&self, node: NodeId) -> String {
        match &self.nodes[node.index()].kind {
            NodeKind::Name(name) => format!("`{name}`"),
            NodeKind::Local(_, name) => format!("`{name}`"),
            NodeKind::Field(inner, field) => match &self.nodes[inner.index()].kind {
                NodeKind::Name(name) => format!("`{name}.{field}`"),
                _ => "an expression".into(),
            },
            NodeKind::At(inner, _) => match &self.nodes[inner.index()].kind {
                NodeKind::Name(name) => format!("a point on `{name}`"),
                _ => "a point".into(),
            },
            NodeKind::Equation(..) => "an equation".into(),
            _ => "an expression".into(),
        }
    }
}
