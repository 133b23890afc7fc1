//! Converts the nodes of a builder to a [`Definition`].
//!
//! A definition has trees, the builder a graph: Rust variables use one node many times. A node that is used more than once and is not small
//! becomes a `let` of the family [`free_name`], which resolves to the same expression; so the definition is never larger than [`SMALL`]
//! times the nodes. Nodes are written out oldest first, without recursion.

mod events;
mod kinds;
mod owners;

use mbs_definition::{
    self, Argument, BinaryOp, Condition, CurveHead, Declaration, Definition, Errors, Expr, ExprKind, FunctionBody,
    FunctionDeclaration, Ident, Item, Made, Origin, Setting, Space,
};

use super::contents::{self, Contents, Form, Node, NodeId, NodeKind};
use super::name::Name;

use owners::{Strays, logical};

/// Largest number of operations of an expression that is repeated instead of named.
const SMALL: usize = 32;
/// Largest depth of an expression; dropping one recurses.
const DEEPEST: usize = 5_000;
/// Largest number of operations of an expression that cannot have a name, and is repeated.
const LARGEST: usize = 10_000;

/// The definition, with [`ExprKind::Broken`] at mistakes that only the builder detects.
pub(super) fn lower(contents: &Contents) -> (Definition, Errors) {
    let mut l = Lowering {
        contents,
        uses: uses(contents),
        written: vec![WrittenNode::default(); contents.nodes.len()],
        shared: free_name(contents, "shared"),
        parameter: free_name(contents, "s"),
        strays: Strays::new(contents),
        logical: logical(contents),
        lets: Vec::new(),
        errors: Errors::new(),
    };
    l.report_strays();
    for index in 0..contents.nodes.len() {
        if l.uses[index] > 0 {
            l.write(NodeId(index as u32));
        }
    }
    let groups = contents.groups.iter().map(|(name, origin)| Item::Group(ident(name, *origin)));
    let mut items: Vec<Item> = groups.collect();
    items.extend(contents.items.iter().map(|item| l.item(item)));
    items.append(&mut l.lets);
    let name = Name::word(contents.name.clone());
    l.check_plain(&name, contents.origin);
    let definition = Definition {
        docs: contents.docs.clone(),
        visibility: contents.visibility.clone(),
        space: Space::Planar,
        name: ident(&contents.name, contents.origin),
        items,
    };
    (definition, l.errors)
}

/// Number of uses of each node by items and by nodes that are used.
fn uses(contents: &Contents) -> Vec<usize> {
    let mut uses = vec![0; contents.nodes.len()];
    let mut count = |node: NodeId| uses[node.index()] += 1;
    contents.items.iter().flat_map(contents::Item::nodes).for_each(&mut count);
    for index in (0..contents.nodes.len()).rev() {
        // A node that cannot have a name is repeated with all nodes below it.
        let kind = &contents.nodes[index].kind;
        let times = if is_value(kind) { uses[index].min(1) } else { uses[index] };
        kind.children().into_iter().for_each(|child| uses[child.index()] += times);
    }
    uses
}

/// A name that is not in use, beginning with `name`.
fn free_name(contents: &Contents, name: &str) -> String {
    let mut name = name.to_string();
    let node = |n: &Node, name: &str| matches!(&n.kind, NodeKind::Name(n) if n.ident == name);
    let item = |i: &contents::Item, name: &str| match i {
        contents::Item::Function(function) => function.name.ident == name,
        contents::Item::Kind(kind) => kind.names().any(|local| local == name),
        _ => false,
    };
    while contents.nodes.iter().any(|n| node(n, &name)) || contents.items.iter().any(|i| item(i, &name)) {
        name.push('_');
    }
    name
}

/// A node that was written out.
#[derive(Clone, Debug, Default)]
struct WrittenNode {
    /// `None` before it is written, and after its only use has moved it.
    expr: Option<Expr>,
    size: usize,
    depth: usize,
    /// Whether a part of it is too deep, which has been reported.
    broken: bool,
}

struct Lowering<'c> {
    contents: &'c Contents,
    uses: Vec<usize>,
    written: Vec<WrittenNode>,
    shared: String,
    /// Name of the parameter of curves.
    parameter: String,
    strays: Strays,
    /// Conditions of events, which cannot have a name.
    logical: Vec<bool>,
    lets: Vec<Item>,
    errors: Errors,
}

impl Lowering<'_> {
    fn write(&mut self, id: NodeId) {
        let Node { kind, origin } = &self.contents.nodes[id.index()];
        let children = kind.children();
        let parts = || children.iter().map(|child| &self.written[child.index()]);
        let size = parts().fold(1, |sum, part| sum + part.size);
        let depth = 1 + parts().map(|part| part.depth).max().unwrap_or(0);
        let broken = parts().any(|part| part.broken);
        let meant = if self.strays.contains(id) { ExprKind::Broken } else { self.kind(kind, *origin) };
        let expr = Expr { kind: meant, origin: *origin };
        let (is_repeated, is_nameless) =
            (self.uses[id.index()] > 1, self.logical[id.index()] || self.strays.is_local(id));
        let beyond = if depth > DEEPEST {
            let message = format!("an expression of more than {DEEPEST} operations one in another");
            Some((message, "name parts of it with `define`"))
        } else if is_repeated && is_nameless && size > LARGEST {
            let message = format!("an expression of more than {LARGEST} operations is used more than once");
            Some((message, "what is made of names of a joint kind, or sets an event off, is written out at every use"))
        } else {
            None
        };
        self.written[id.index()] = if let Some((message, help)) = beyond {
            if !broken {
                self.errors.push("MBS002", *origin, message, Some(help.into()));
            }
            let expr = Expr { kind: ExprKind::Broken, origin: *origin };
            WrittenNode { expr: Some(expr), size: 1, depth: 1, broken: true }
        } else if is_repeated && !is_nameless && size > SMALL && is_value(kind) {
            WrittenNode { expr: Some(self.share(expr)), size: 2, depth: 2, broken }
        } else {
            WrittenNode { expr: Some(expr), size, depth, broken }
        };
    }

    /// Declares an expression as a `let`, and returns its name.
    fn share(&mut self, expr: Expr) -> Expr {
        let origin = expr.origin;
        let (name, index) = (ident(&self.shared, origin), number(self.lets.len(), origin));
        self.lets.push(Item::Declaration(Declaration {
            docs: String::new(),
            category: ident("let", origin),
            name: mbs_definition::Name { ident: name, index: Some(index.clone()) },
            shape: Vec::new(),
            variants: vec![],
            frame: None,
            curve: None,
            value: Some(expr),
            arguments: Vec::new(),
        }));
        let family = Expr { kind: ExprKind::Name(self.shared.clone()), origin };
        Expr { kind: ExprKind::Index(Box::new(family), Box::new(index)), origin }
    }

    /// The expression of a node, for one of its uses.
    fn expr(&mut self, node: NodeId) -> Expr {
        let written = &mut self.written[node.index()];
        let expr = if self.uses[node.index()] == 1 { written.expr.take() } else { written.expr.clone() };
        expr.expect("nodes are written before they are used, and uses are counted")
    }

    fn boxed(&mut self, node: NodeId) -> Box<Expr> {
        Box::new(self.expr(node))
    }

    fn exprs(&mut self, nodes: &[NodeId]) -> Vec<Expr> {
        nodes.iter().map(|node| self.expr(*node)).collect()
    }

    fn kind(&mut self, kind: &NodeKind, origin: Origin) -> ExprKind {
        match kind {
            NodeKind::Number(x) if x.is_finite() => ExprKind::Number(*x),
            NodeKind::Number(x) => {
                self.errors.push("MBS030", origin, format!("the number {x} is not finite"), None);
                ExprKind::Broken
            }
            NodeKind::Name(name) => {
                let family = ExprKind::Name(name.family());
                match name.index {
                    None => family,
                    Some(index) => {
                        let family = Expr { kind: family, origin };
                        ExprKind::Index(Box::new(family), Box::new(number(index, origin)))
                    }
                }
            }
            NodeKind::Local(owner, name) => ExprKind::Name(match &self.contents.items[*owner] {
                contents::Item::Element(_) | contents::Item::Function(_) => self.parameter.clone(),
                _ => name.clone(),
            }),
            NodeKind::Field(inner, name) => ExprKind::Field(self.boxed(*inner), ident(name, origin)),
            NodeKind::Element(inner, i) => ExprKind::Index(self.boxed(*inner), Box::new(number(*i, origin))),
            NodeKind::Slice(inner, range) => {
                let [start, end] = [range.start, range.end].map(|bound| Box::new(number(bound, origin)));
                let range = Expr { kind: ExprKind::Range(start, end), origin };
                ExprKind::Index(self.boxed(*inner), Box::new(range))
            }
            NodeKind::Unary(op, inner) => ExprKind::Unary(*op, self.boxed(*inner)),
            NodeKind::Binary(op, a, b) => ExprKind::Binary(*op, self.boxed(*a), self.boxed(*b)),
            NodeKind::Call(function, arguments) => ExprKind::Call(ident(function, origin), self.exprs(arguments)),
            NodeKind::If([test, a, b]) => ExprKind::If(self.boxed(*test), self.boxed(*a), self.boxed(*b)),
            NodeKind::Vector(items) => ExprKind::Vector(self.exprs(items)),
            NodeKind::In(vector, frame) => ExprKind::In(self.boxed(*vector), self.boxed(*frame)),
            NodeKind::At(owner, point) => ExprKind::At(self.boxed(*owner), self.boxed(*point)),
            NodeKind::Equation(left, right, frame) => {
                let equation = ExprKind::Binary(BinaryOp::Equal, self.boxed(*left), self.boxed(*right));
                match frame {
                    None => equation,
                    Some(frame) => ExprKind::In(Box::new(Expr { kind: equation, origin }), self.boxed(*frame)),
                }
            }
            NodeKind::Foreign { description, owner } => {
                let here = &self.contents.name;
                let message = match owner == here {
                    true => format!("{description} belongs to another builder of a mechanism `{here}`"),
                    false => format!("{description} belongs to mechanism `{owner}`, not to `{here}`"),
                };
                self.errors.push("MBS010", origin, message, Some("make it with this builder".into()));
                ExprKind::Broken
            }
        }
    }

    fn item(&mut self, item: &contents::Item) -> Item {
        match item {
            contents::Item::Condition(condition) => Item::Initial(vec![Condition {
                target: self.expr(condition.target),
                exact: condition.exact,
                value: self.expr(condition.value),
            }]),
            contents::Item::Element(element) => self.element(element),
            contents::Item::Function(function) => Item::Function(self.function(function)),
            contents::Item::Kind(kind) => Item::JointKind(self.joint_kind(kind)),
            contents::Item::Event(event) => Item::Event(self.event(event)),
            contents::Item::Rule(item) => self.rule_item(item),
        }
    }

    fn function(&mut self, function: &contents::Function) -> FunctionDeclaration {
        let origin = function.origin;
        let made = match &function.made {
            Form::Kind(kind, data) => {
                let value = Expr { kind: ExprKind::Call(ident(kind, origin), self.exprs(data)), origin };
                Some(Made { value, arguments: self.arguments(&function.options) })
            }
            Form::Nothing | Form::Expression(_) => None,
        };
        let body = match &function.supplied {
            Some(Form::Kind(kind, arguments)) => FunctionBody::Supplied {
                parameters: if function.arguments == 1 {
                    Vec::new()
                } else {
                    (0..function.arguments).map(|i| ident(&format!("x{i}"), origin)).collect()
                },
                shape: function.size.into_iter().map(|size| self.expr(size)).collect(),
                kind: ident(kind, origin),
                arguments: self.exprs(arguments),
                default: made,
            },
            _ => match function.made {
                Form::Expression(value) => {
                    FunctionBody::Inlined { parameters: vec![ident(&self.parameter, origin)], value: self.expr(value) }
                }
                _ => {
                    let broken = Expr { kind: ExprKind::Broken, origin };
                    FunctionBody::Made(made.unwrap_or(Made { value: broken, arguments: Vec::new() }))
                }
            },
        };
        FunctionDeclaration { docs: function.docs.clone(), name: ident(&function.name.to_string(), origin), body }
    }

    fn arguments(&mut self, arguments: &[contents::Argument]) -> Vec<Argument> {
        let one = |a: &contents::Argument| {
            let arguments = (!a.arguments.is_empty()).then(|| self.arguments(&a.arguments));
            Argument { name: ident(&a.name, a.origin), value: self.expr(a.value), arguments }
        };
        arguments.iter().map(one).collect()
    }

    fn element(&mut self, element: &contents::Element) -> Item {
        let origin = element.origin;
        let value = match &element.form {
            Form::Nothing => None,
            Form::Expression(value) => Some(self.expr(*value)),
            Form::Kind(kind, ends) => {
                Some(Expr { kind: ExprKind::Call(ident(kind, origin), self.exprs(ends)), origin })
            }
        };
        let arguments = self.arguments(&element.arguments);
        let name = ident(&element.name.family(), origin);
        if element.category.is_empty() {
            return Item::Setting(Setting { name, tunable: element.tunable, value, arguments });
        }
        if element.category == "output" {
            // Names of outputs become fields, too; `resolve` checks the names of all other items.
            self.check_plain(&element.name, origin);
        }
        let curve = element.head.map(|head| CurveHead {
            parameter: head.is_traced.then(|| ident(&self.parameter, origin)),
            on: self.expr(head.on),
        });
        Item::Declaration(Declaration {
            docs: element.docs.clone(),
            category: ident(&element.category, origin),
            name: mbs_definition::Name { ident: name, index: element.name.index.map(|index| number(index, origin)) },
            shape: element.shape.iter().map(|size| number(*size, origin)).collect(),
            variants: element.variants.iter().map(|word| ident(word, origin)).collect(),
            frame: None,
            curve,
            value,
            arguments,
        })
    }

    fn check_plain(&mut self, name: &Name, origin: Origin) {
        if !name.is_plain() {
            self.errors.push("MBS028", origin, format!("`{}` is not a plain identifier", name.ident), None);
        }
    }
}

/// Whether an expression may be a `let`; markers keep their names, and equations are not values.
fn is_value(kind: &NodeKind) -> bool {
    !matches!(
        kind,
        NodeKind::Number(_)
            | NodeKind::Name(_)
            | NodeKind::Local(..)
            | NodeKind::At(..)
            | NodeKind::Equation(..)
            | NodeKind::Foreign { .. }
    )
}

fn ident(text: &str, origin: Origin) -> Ident {
    Ident { text: text.to_string(), origin }
}

fn number(n: usize, origin: Origin) -> Expr {
    Expr { kind: ExprKind::Number(n as f64), origin }
}
