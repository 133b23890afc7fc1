//! Properties of expressions other than their value: names that are valid in one joint kind or curve only, and conditions of events.

use std::collections::BTreeSet;

use mbs_definition::{BinaryOp, Origin, Passage, UnaryOp};

use super::Lowering;
use crate::contents::events::{Cause, Rule};
use crate::contents::kinds::JointKindItem;
use crate::contents::{Contents, Item, NodeId, NodeKind};

/// The joint kinds and curves whose names a node contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    None,
    Kind(usize),
    Several,
}

impl Owner {
    fn combined(self, other: Owner) -> Owner {
        match (self, other) {
            (Owner::None, owner) | (owner, Owner::None) => owner,
            (a, b) if a == b => a,
            _ => Owner::Several,
        }
    }

    fn permits(self, item: Owner) -> bool {
        self == Owner::None || self == item
    }
}

/// Invalid uses of names: those of a kind used outside it, and outer names that a name of the kind hides.
pub(super) struct Strays {
    owners: Vec<Owner>,
    nodes: BTreeSet<u32>,
    /// Origin, code, message and help, once for each use.
    mistakes: Vec<(Origin, &'static str, String, &'static str)>,
}

impl Strays {
    pub(super) fn new(contents: &Contents) -> Self {
        let mut strays = Strays { owners: owners(contents), nodes: BTreeSet::new(), mistakes: Vec::new() };
        for (i, item) in contents.items.iter().enumerate() {
            let owner = match item {
                Item::Kind(_) => Owner::Kind(i),
                Item::Element(element) if element.head.is_some() => Owner::Kind(i),
                Item::Function(_) => Owner::Kind(i),
                _ => Owner::None,
            };
            for root in item.nodes() {
                if !strays.owners[root.index()].permits(owner) {
                    strays.find_outside(contents, root, owner);
                }
            }
            if let Item::Kind(kind) = item {
                strays.find_hidden(contents, kind);
            }
        }
        strays
    }

    /// Whether a node contains names of a kind.
    pub(super) fn is_local(&self, node: NodeId) -> bool {
        self.owners[node.index()] != Owner::None
    }

    /// Whether a node is an invalid name.
    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.nodes.contains(&node.0)
    }

    /// Reports the first name below a root that belongs to another kind than `owner`.
    fn find_outside(&mut self, contents: &Contents, root: NodeId, owner: Owner) {
        let mut found = Vec::new();
        for node in nodes_below(contents, [root]) {
            if let NodeKind::Local(kind, name) = &contents.nodes[node.index()].kind
                && Owner::Kind(*kind) != owner
            {
                found.push((node, *kind, name));
            }
        }
        if let Some((node, kind, name)) = found.first().filter(|(node, ..)| !self.contains(*node)) {
            let (message, help) = match &contents.items[*kind] {
                Item::Kind(kind) => (
                    format!("`{name}` belongs to joint kind `{}`", kind.name),
                    "a joint of this kind has coordinates of its own: `joint.coordinate(…)`",
                ),
                Item::Element(curve) => (
                    format!("the parameter belongs to curve `{}`", curve.name),
                    "a cam has its contact parameter on the curve: `contact.first()`",
                ),
                Item::Function(function) => (
                    format!("the argument belongs to function `{}`", function.name),
                    "call the function with something: `function.of(x)`",
                ),
                _ => return,
            };
            self.mistakes.push((contents.nodes[node.index()].origin, "MBS010", message, help));
        }
        self.nodes.extend(found.iter().map(|(node, ..)| node.0));
    }

    /// Finds names in a kind that would refer to other items than in the program, because names of the kind hide them.
    fn find_hidden(&mut self, contents: &Contents, kind: &JointKindItem) {
        let owner: BTreeSet<&str> = kind.names().collect();
        for node in nodes_below(contents, kind.nodes()) {
            if let NodeKind::Name(name) = &contents.nodes[node.index()].kind
                && owner.contains(name.family().as_str())
                && self.nodes.insert(node.0)
            {
                let message =
                    format!("`{}` is a name in joint kind `{}`, and of something else", name.family(), kind.name);
                let origin = contents.nodes[node.index()].origin;
                self.mistakes.push((origin, "MBS011", message, "give one of them another name"));
            }
        }
    }
}

impl Lowering<'_> {
    pub(super) fn report_strays(&mut self) {
        for (origin, code, message, help) in std::mem::take(&mut self.strays.mistakes) {
            self.errors.push(code, origin, message, Some(help.into()));
        }
    }
}

/// Owner of each node. Children are older.
fn owners(contents: &Contents) -> Vec<Owner> {
    let mut owners: Vec<Owner> = Vec::with_capacity(contents.nodes.len());
    for node in &contents.nodes {
        let owner = match &node.kind {
            NodeKind::Local(kind, _) => Owner::Kind(*kind),
            kind => kind.children().into_iter().fold(Owner::None, |owner, child| owner.combined(owners[child.index()])),
        };
        owners.push(owner);
    }
    owners
}

/// All nodes of some expressions, each once, oldest first.
fn nodes_below(contents: &Contents, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<NodeId> = roots.into_iter().collect();
    while let Some(node) = waiting.pop() {
        if seen.insert(node.0) {
            waiting.extend(contents.nodes[node.index()].kind.children());
        }
    }
    seen.into_iter().map(NodeId).collect()
}

/// Marks the comparisons, `&&`, `||` and `!` in conditions of events and of the end of a run: their zero crossings are read from them, so
/// that they remain where they are used.
pub(super) fn logical(contents: &Contents) -> Vec<bool> {
    let mut logical = vec![false; contents.nodes.len()];
    let mut waiting: Vec<NodeId> = contents.items.iter().filter_map(condition).collect();
    while let Some(node) = waiting.pop() {
        let kind = &contents.nodes[node.index()].kind;
        let is_condition = match kind {
            NodeKind::Unary(op, _) => *op == UnaryOp::Not,
            NodeKind::Binary(op, ..) => !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div),
            _ => false,
        };
        if is_condition && !std::mem::replace(&mut logical[node.index()], true) {
            waiting.extend(kind.children());
        }
    }
    logical
}

/// The condition that has to become true.
fn condition(item: &Item) -> Option<NodeId> {
    match item {
        Item::Event(event) => match event.cause {
            Cause::When(condition, Passage::BecomesTrue | Passage::Holds) => Some(condition),
            _ => None,
        },
        Item::Rule(item) => match item.rule {
            Rule::StopWhen(condition) => Some(condition),
            _ => None,
        },
        _ => None,
    }
}
