//! The builder's own work: locations of mistakes, handles of other builders, expressions used many times.
//! Tests in `mbs-syntax` compare its models with those of texts.

use std::panic::Location;

use mbs_builder::{Mistakes, Planar, Scalar, distance, position};
use mbs_definition::{ExprKind, Item};
use mbs_expr::Op;
use mbs_model::Model;

mod inside;

/// The only mistake, and the line of its call, in the file of the caller.
#[track_caller]
fn only(mistakes: &Mistakes) -> (String, u32) {
    let [mistake] = mistakes.list() else { panic!("one mistake is expected:\n{mistakes}") };
    let place = mistakes.sites().location(mistake.origin).expect("calls have places");
    assert_eq!(place.file(), Location::caller().file());
    (format!("[{}] {}", mistake.code, mistake.message), place.line())
}

fn mistakes(m: &Planar) -> Mistakes {
    m.resolve().expect_err("there is a mistake")
}

fn model(m: &Planar) -> Model {
    m.resolve().unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// A mechanism with a rod on ground.
fn rod() -> Planar {
    let m = Planar::new("Rod");
    m.revolute("pin", m.ground(), m.body("rod").mass(1.0));
    m
}

#[test]
fn a_mistake_is_shown_with_its_call_and_its_help() {
    let m = rod();
    #[rustfmt::skip]
    let (line, _) = (line!(), m.joint("hinge", "revolut", [m.ground()]));
    let mistakes = mistakes(&m);
    let expected = format!(
        "error: [MBS013] unknown kind of joint `revolut`\n --> {}:{line}:33\n  = help: did you mean `revolute`?",
        file!()
    );
    assert_eq!(mistakes.to_string(), expected);
    assert_eq!(format!("{mistakes:?}"), expected);
}

#[test]
fn a_mistake_of_an_operator_is_shown_at_its_expression() {
    let m = rod();
    let x = m.param("x", 1.0);
    let line = line!() + 1;
    let infinite = m.number(1.0) / 0.0;
    m.output("y", infinite + x);
    assert_eq!(only(&mistakes(&m)), ("[MBS030] division by zero".into(), line));
}

#[test]
fn a_mistake_of_an_argument_is_shown_at_its_method() {
    let m = Planar::new("Rod");
    let rod = m.body("rod").mass(1.0);
    rod.com((0.5, 0.0));
    rod.inertia(-0.5);
    let line = line!() - 1;
    m.revolute("pin", m.ground(), rod);
    let message = "[MBS031] `inertia` of body `rod` is -0.5, it must not be negative";
    assert_eq!(only(&mistakes(&m)), (message.into(), line));
}

#[test]
fn rows_of_a_table_complain_one_by_one() {
    let m = Planar::new("Table");
    for (name, mass) in [("a", 1.0), ("b", -2.0), ("c", -3.0)] {
        m.free(format!("free_{name}"), m.ground(), m.body(name).mass(mass));
    }
    let mistakes = mistakes(&m);
    let messages: Vec<&str> = mistakes.list().iter().map(|mistake| mistake.message.as_str()).collect();
    let wrong = |name: &str, mass: f64| format!("`mass` of body `{name}` is {mass}, it must not be negative");
    assert_eq!(messages, [wrong("b", -2.0), wrong("c", -3.0)]);
}

#[test]
fn handles_of_another_builder_are_mistakes_that_name_both() {
    let other = Planar::new("Other");
    let stranger = other.body("stranger").mass(1.0);
    let hinge = other.revolute("hinge", other.ground(), stranger);

    let m = rod();
    m.revolute("joint", m.ground(), stranger);
    let end = "[MBS010] `stranger` belongs to mechanism `Other`, not to `Rod`";
    assert_eq!(only(&mistakes(&m)), (end.into(), line!() - 2));
    assert!(m.definition().is_err());

    let m = rod();
    m.output("swing", m.t() + hinge.angle());
    let operand = "[MBS010] `hinge.angle` belongs to mechanism `Other`, not to `Rod`";
    assert_eq!(only(&mistakes(&m)), (operand.into(), line!() - 2));

    let m = rod();
    m.drive("turning", hinge.angle().equals(m.t()));
    let equation = "[MBS010] an equation belongs to mechanism `Other`, not to `Rod`";
    assert_eq!(only(&mistakes(&m)), (equation.into(), line!() - 2));
    assert!(other.resolve().is_ok(), "what is used elsewhere alone is no mistake of its own builder");

    let twin = rod();
    m.output("gap", distance(m.ground(), twin.body("b").at((1.0, 0.0))));
    assert!(mistakes(&m).to_string().contains("a point on `b` belongs to another builder of a mechanism `Rod`"));
}

#[test]
fn a_bad_name_is_one_mistake_however_often_it_is_used() {
    let m = Planar::new("Names");
    let part = m.body("Part-12 (copy)").mass(1.0);
    let line = line!() - 1;
    m.revolute("pin", m.ground(), part);
    m.output("x", position(part).x());
    assert_eq!(only(&mistakes(&m)), ("[MBS028] `Part-12 (copy)` is not a plain identifier".into(), line));
}

#[test]
fn names_of_outputs_and_mechanisms_are_identifiers() {
    let m = Planar::new("four bar");
    m.output("tip speed", m.t());
    let messages: Vec<String> = mistakes(&m).list().iter().map(|mistake| mistake.message.clone()).collect();
    assert_eq!(messages, ["`four bar` is not a plain identifier", "`tip speed` is not a plain identifier"]);
}

#[test]
fn numbers_are_finite() {
    let m = rod();
    let x = m.param("x", f64::NAN);
    m.output("y", x + 1.0);
    assert_eq!(only(&mistakes(&m)), ("[MBS030] the number NaN is not finite".into(), line!() - 2));
}

#[test]
fn missing_and_repeated_arguments_are_reported() {
    let m = rod();
    m.state("charge", 0.0);
    assert_eq!(only(&mistakes(&m)), ("[MBS018] state `charge` needs its `rate`".into(), line!() - 1));

    let m = rod();
    let body = m.body("body").mass(1.0).mass(2.0);
    m.free("base", m.ground(), body);
    assert_eq!(only(&mistakes(&m)), ("[MBS019] argument `mass` is given twice".into(), line!() - 2));

    let m = rod();
    m.output("x", m.t());
    m.output("x", m.t());
    assert_eq!(only(&mistakes(&m)), ("[MBS011] `x` is declared twice".into(), line!() - 1));

    let m = rod();
    let arm = m.body("arm").mass(1.0);
    m.torque("motor", arm, 1.0).against(m.ground()).against(m.ground());
    let message = "[MBS014] force `motor` has 3 ends, `torque` takes 1 or 2";
    assert_eq!(only(&mistakes(&m)), (message.into(), line!() - 2));
}

#[test]
fn docs_are_those_of_the_next_declaration() {
    let m = Planar::new("Documented");
    m.describe("A mechanism.");
    m.docs("A length [m]").param("length", 1.0);
    m.docs("Of all motion").freedoms(0);
    m.param("width", 1.0);
    let model = model(&m);
    assert_eq!(model.header.docs, "A mechanism.");
    let docs: Vec<&str> = model.quantities.parameters.iter().map(|p| p.docs.as_str()).collect();
    assert_eq!(docs, ["A length [m]", "Of all motion"]);
}

#[test]
fn names_with_an_index_are_families() {
    let m = Planar::new("Chain");
    let mut last = m.ground();
    for i in 0..3 {
        let name = format!("link[{i}]");
        let link = m.body(&name).mass(1.0).inertia(0.1);
        m.revolute(("pin", i), last, link);
        last = link.at((1.0, 0.0));
    }
    m.output_vector("center", position(m.family("link")));
    let model = model(&m);
    assert_eq!(model.bodies[2].name, "link[2]");
    assert_eq!(model.joints[1].name, "pin[1]");
}

#[test]
fn an_expression_used_many_times_stays_small() {
    let m = Planar::new("Doubled");
    // Only x gets a name: each of the others is used twice, so that x would be written 2^20 times.
    let mut x: Scalar = m.define("x", m.t());
    for _ in 0..20 {
        x = x * x - 0.5;
    }
    m.output("y", x);
    let model = model(&m);
    let count = (0..model.exprs.len() as u32)
        .filter(|id| matches!(model.exprs.op(mbs_expr::ExprId(*id)), Op::Binary(..)))
        .count();
    assert_eq!(count, 40);
    let definition = m.definition().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let lets = definition.items.iter().filter(|i| matches!(i, Item::Declaration(d) if d.category.text == "let"));
    assert!(lets.count() < 20, "small expressions are repeated");
}

#[test]
fn names_of_shared_expressions_keep_clear_of_others() {
    let m = Planar::new("Shared");
    let shared = m.param("shared", 2.0);
    let mut sum = m.t() * shared;
    for _ in 0..20 {
        sum += sum * 0.5;
    }
    m.output("y", sum);
    assert!(m.resolve().is_ok());
}

#[test]
fn small_expressions_keep_their_text() {
    let m = rod();
    let arm = m.body("arm").mass(1.0);
    let angle = m.revolute("elbow", m.ground(), arm).angle();
    m.initial(angle, 0.5);
    m.output("a", angle);
    m.output("b", angle * 2.0);
    assert_eq!(model(&m).start.conditions[0].name, "elbow.angle");
    let definition = m.definition().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let named = |item: &Item| matches!(item, Item::Declaration(d) if d.category.text == "let");
    assert!(!definition.items.iter().any(named));
}

#[test]
fn long_sums_resolve_and_endless_ones_are_refused() {
    let m = Planar::new("Sums");
    m.output("sum", m.sum((0..4000).map(|i| m.t() * f64::from(i))));
    assert!(m.resolve().is_ok());

    let m = Planar::new("Sums");
    let mut sum = m.number(0.0);
    for i in 0..100_000 {
        sum += m.t() * f64::from(i);
    }
    let line = line!() - 2;
    m.output("sum", sum);
    let message = "[MBS002] an expression of more than 5000 operations one in another";
    assert_eq!(only(&mistakes(&m)), (message.into(), line));
    let m = Planar::new("Nested");
    m.output("x", (0..4900).fold(m.t(), |x, _| x.sin()));
    assert_eq!(mistakes(&m).list()[0].code, "MBS039");
}

#[test]
fn a_definition_has_the_names_of_the_calls() {
    let m = rod();
    let definition = m.definition().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let Item::Declaration(pin) = &definition.items[1] else { panic!("the joint comes after the body") };
    assert_eq!((pin.category.text.as_str(), pin.name.ident.text.as_str()), ("joint", "pin"));
    let Some(ExprKind::Call(kind, ends)) = pin.value.as_ref().map(|value| &value.kind) else { panic!("it has a kind") };
    assert_eq!((kind.text.as_str(), ends.len()), ("revolute", 2));
}
