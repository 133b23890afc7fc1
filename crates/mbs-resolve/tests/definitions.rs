//! Tests of `resolve` on definitions built in Rust, without source text, and of the arena that it fills.

use mbs_definition::{Argument, Declaration, Definition, Expr, ExprKind, Ident, Item, Name, Origin, Space};
use mbs_expr::{Comparison, ExprId, Exprs, Function, MarkerId, Op, Scalar};
use mbs_resolve::resolve;

fn ident(text: &str) -> Ident {
    Ident { text: text.into(), origin: Origin::NONE }
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, origin: Origin::NONE }
}

fn name(text: &str) -> Expr {
    expr(ExprKind::Name(text.into()))
}

fn declaration(category: &str, declared: &str, value: Option<Expr>, arguments: Vec<Argument>) -> Item {
    let name = Name { ident: ident(declared), index: None };
    let category = ident(category);
    Item::Declaration(Declaration {
        docs: String::new(),
        category,
        name,
        shape: vec![],
        variants: vec![],
        frame: None,
        curve: None,
        value,
        arguments,
    })
}

fn definition(items: Vec<Item>) -> Definition {
    let (docs, visibility) = (String::new(), "pub".into());
    Definition { docs, visibility, space: Space::Planar, name: ident("Built"), items }
}

#[test]
fn a_built_definition_resolves() {
    let mass = Argument { name: ident("mass"), value: expr(ExprKind::Number(2.0)), arguments: None };
    let ends = vec![name("ground"), name("arm")];
    let model = resolve(&definition(vec![
        declaration("body", "arm", None, vec![mass]),
        declaration("joint", "pin", Some(expr(ExprKind::Call(ident("revolute"), ends))), vec![]),
    ]))
    .expect("it has no mistakes");
    assert_eq!(model.rows().len(), 2);
    assert_eq!(model.exprs.value(model.bodies[0].mass), Some(2.0));
}

#[test]
fn mistakes_without_an_origin_are_all_kept() {
    let errors = resolve(&definition(vec![
        declaration("let", "a", Some(name("nothing")), vec![]),
        declaration("let", "b", Some(name("nobody")), vec![]),
    ]))
    .expect_err("two names are unknown");
    assert_eq!(errors.list().len(), 2);
}

#[test]
fn broken_parts_are_passed_over_in_silence() {
    let errors = resolve(&definition(vec![
        declaration("body", "arm", None, vec![]),
        declaration("joint", "pin", Some(expr(ExprKind::Broken)), vec![]),
        declaration("output", "y", Some(expr(ExprKind::Field(Box::new(name("pin")), ident("angle")))), vec![]),
    ]))
    .expect_err("a broken definition is no model");
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn rates_go_inside_sums() {
    let mut e = Exprs::default();
    e.write(|w| {
        let (x, p, t) = (w.op(Op::Angle(MarkerId(0))), w.op(Op::Parameter(0)), w.op(Op::Time));
        let rate = (x + p - t).rate();
        assert_eq!(w.id(rate), w.id(w.op(Op::Rate(w.id(x))) - 1.0));
    });
}

#[test]
fn long_chains_need_no_stack() {
    let mut e = Exprs::default();
    let sum = e.write(|w| {
        let x = w.op(Op::Angle(MarkerId(0)));
        w.id((0..200_000).fold(x, |sum, _| sum + sum * x))
    });
    assert_eq!(e.order(sum), Some(0));
    let rate = e.rate(sum);
    assert_eq!(e.order(rate), Some(1));
    assert!(!e.any(rate, &|op| op == Op::Time));
}

#[test]
fn the_order_counts_rates_of_the_configuration() {
    let mut e = Exprs::default();
    let (x, u, t) = (e.push(Op::Angle(MarkerId(0))), e.push(Op::Input(0)), e.push(Op::Time));
    let sin = e.unary(Function::Sin, t);
    let orders = |e: &Exprs, ids: &[ExprId]| ids.iter().map(|x| e.order(*x)).collect::<Vec<_>>();
    let (v, w) = (e.rate(x), e.rate(sin));
    let a = e.rate(v);
    let choice = e.select(Comparison::Less, t, u, v, x);
    assert_eq!(orders(&e, &[x, v, a, w, u, choice]), [Some(0), Some(1), Some(2), None, None, Some(1)]);
    assert!(e.mentions(choice).input && e.mentions(choice).time && !e.mentions(a).time);
}
