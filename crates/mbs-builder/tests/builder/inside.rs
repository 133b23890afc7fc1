//! The builder's own checks of kinds of joints and of events: names that are valid inside a kind only, handles of other builders, forbidden
//! assignments.

use mbs_builder::{Planar, position};

use super::{mistakes, model, only, rod};

#[test]
fn names_of_a_kind_mean_nothing_outside() {
    let m = rod();
    let kind = m.joint_kind("Knee", ["femur", "tibia"]);
    let bend = kind.angle("bend", 0.0);
    kind.rotation(bend);
    let line = line!() + 1;
    m.output("bend", bend.sin() + bend);
    assert_eq!(only(&mistakes(&m)), ("[MBS010] `bend` belongs to joint kind `Knee`".into(), line));

    let m = rod();
    let [knee, hip] = ["Knee", "Hip"].map(|name| m.joint_kind(name, ["a", "b"]));
    let bends = [knee, hip].map(|kind| kind.angle("bend", 0.0));
    knee.rotation(bends[0]);
    hip.rotation(bends[1] + 2.0 * bends[0]);
    assert_eq!(only(&mistakes(&m)), ("[MBS010] `bend` belongs to joint kind `Knee`".into(), line!() - 1));

    let m = rod();
    let kind = m.joint_kind("Hinge", ["a", "b"]);
    let [a, b] = kind.ends();
    kind.coincident(a, b);
    m.marker("tip", a.at((1.0, 0.0)));
    assert_eq!(only(&mistakes(&m)), ("[MBS010] `a` belongs to joint kind `Hinge`".into(), line!() - 1));
}

#[test]
fn a_kind_hides_no_name_that_it_uses() {
    let m = rod();
    let scale = m.param("scale", 2.0);
    let kind = m.joint_kind("Knee", ["femur", "tibia"]);
    let (own, bend) = (kind.parameter_or("scale", 1.0), kind.angle("bend", 0.0));
    kind.rotation(bend * own);
    assert_eq!(model(&m).quantities.parameters.len(), 1, "names that nothing mixes up may be the same");
    kind.translation((bend * scale, 0.0));
    let message = "[MBS011] `scale` is a name in joint kind `Knee`, and of something else";
    assert_eq!(only(&mistakes(&m)), (message.into(), line!() - 2));
}

#[test]
fn missing_parts_of_a_kind_are_reported_at_its_call() {
    let m = rod();
    let kind = m.joint_kind("Knee", ["femur", "tibia"]);
    let width = kind.parameter("width");
    let bend = kind.angle("bend", width);
    kind.rotation(bend);
    m.joint_of("knee", kind, m.ground(), m.body("shank").mass(1.0));
    assert_eq!(only(&mistakes(&m)), ("[MBS018] joint `knee` needs `width`".into(), line!() - 1));

    let m = rod();
    m.joint_kind("Knee", ["a", "b"]).angle("bend", 0.0);
    assert_eq!(only(&mistakes(&m)).0, "[MBS048] joint kind `Knee` has coordinates without a pose");

    let m = rod();
    let kind = m.joint_kind("Knee", ["a", "b"]);
    kind.rotation(kind.angle("bend", 0.0)).rotation(1.0);
    let line = line!() - 1;
    m.joint_of("knee", kind, m.ground(), m.body("shank").mass(1.0));
    assert_eq!(only(&mistakes(&m)), ("[MBS019] argument `rotation` is given twice, in `knee`".into(), line));

    let m = rod();
    let kind = m.joint_kind("Knee", ["a", "b"]);
    kind.rotation(kind.angle("bend", 0.0));
    let u = kind.speed("u");
    kind.kinematics([u]).kinematics([2.0 * u]);
    assert!(
        m.definition().expect_err("it is given twice").to_string().contains("[MBS019] `kinematics` is given twice")
    );
}

#[test]
fn expressions_that_a_kind_shares_with_others_keep_their_meaning() {
    let m = rod();
    let x = (0..40).fold(m.param("x", 0.5), |x, _| x.sin());
    let kind = m.joint_kind("Knee", ["shared", "b"]);
    let bend = kind.angle("bend", 0.0);
    kind.rotation(bend).translation((x * bend, x));
    m.joint_of("knee", kind, m.ground(), m.body("shank").mass(1.0));
    m.output("x", x);
    assert_eq!(model(&m).coordinates.poses.len(), 1);
}

#[test]
fn expressions_of_a_kind_are_written_out() {
    let knee = |squares: usize| {
        let m = rod();
        let kind = m.joint_kind("Knee", ["a", "b"]);
        let bend = kind.angle("bend", 0.0);
        let x = (0..squares).fold(bend.sin(), |x, _| x * x - 0.5);
        kind.rotation(bend).translation((x, x));
        m.joint_of("knee", kind, m.ground(), m.body("shank").mass(1.0));
        m
    };
    assert_eq!(model(&knee(8)).coordinates.poses.len(), 1);
    let m = knee(80);
    assert!(
        only(&mistakes(&m))
            .0
            .starts_with("[MBS002] an expression of more than 10000 operations is used more than once")
    );
}

#[test]
fn kinds_and_events_of_another_builder_are_mistakes() {
    let other = rod();
    let kind = other.joint_kind("Knee", ["a", "b"]);
    kind.rotation(kind.angle("bend", 0.0));
    let event = other.event("tick", other.every(0.1));

    let m = rod();
    m.joint_of("knee", kind, m.ground(), m.body("shank").mass(1.0));
    let message = "[MBS010] `Knee` belongs to another builder of a mechanism `Rod`";
    assert_eq!(only(&mistakes(&m)), (message.into(), line!() - 2));

    let m = Planar::new("Other");
    m.free("base", m.ground(), m.body("b").mass(1.0).inertia(0.1));
    m.report_on([event]);
    assert_eq!(only(&mistakes(&m)), ("[MBS010] `tick` belongs to mechanism `Rod`, not to `Other`".into(), line!() - 1));
}

#[test]
fn handlers_assign_variables() {
    let m = rod();
    let length = m.param("length", 1.0);
    m.event("longer", m.at(2.0)).set(length, 2.0);
    assert_eq!(only(&mistakes(&m)), ("[MBS045] `length` cannot be assigned".into(), line!() - 1));

    let m = rod();
    let gear = m.choice("gear", &["low", "high"], "low");
    m.event("up", m.at(2.0)).choose(gear, "hgh");
    assert_eq!(only(&mistakes(&m)), ("[MBS010] `hgh` is none of its words".into(), line!() - 1));

    let m = rod();
    let count = m.discrete("count", 0.0);
    m.event("twice", m.at(2.0)).set(count, 1.0).set(count, 2.0);
    assert_eq!(only(&mistakes(&m)), ("[MBS045] `count` is assigned twice".into(), line!() - 1));

    let m = rod();
    let ball = m.body("ball").mass(1.0).inertia(0.1);
    m.free("air", m.ground(), ball);
    m.event("hit", position(ball).y().falls()).impulse(m.ground(), ball, (0.0, 0.0));
    assert_eq!(only(&mistakes(&m)).1, line!() - 1);

    let m = rod();
    m.event("never", m.number(1.0).gt(0.0));
    assert_eq!(only(&mistakes(&m)).0, "[MBS036] what sets an event off never changes");
}

#[test]
fn a_condition_of_several_events_stays_a_comparison() {
    let m = rod();
    let ball = m.body("ball").mass(1.0).inertia(0.1);
    m.free("air", m.ground(), ball);
    let height = (0..40).fold(position(ball).y(), |x, _| x.sin());
    let low = height.lt(0.0) | height.gt(1.0);
    m.event("a", low);
    m.event("b", low & height.lt(3.0));
    m.stop_when(low);
    let model = model(&m);
    // A condition with a name is known only as a truth value, −1 or 1.
    assert!(model.events.iter().all(|e| !matches!(model.exprs.op(e.value), mbs_expr::Op::Select(..))));
    assert_eq!(model.events[0].value, model.events[2].value);
}

#[test]
fn the_parameter_of_a_curve_stays_in_it() {
    let m = rod();
    let mut taken = None;
    m.curve("lobe", m.ground(), |s| {
        taken = Some(s);
        (s.cos(), s.sin())
    });
    m.output("at", taken.expect("it was called").sin());
    assert_eq!(only(&mistakes(&m)), ("[MBS010] the parameter belongs to curve `lobe`".into(), line!() - 1));
    // Another item with the name `s` is different.
    let m = rod();
    let size = m.param("s", 2.0);
    let shank = m.body("shank").mass(1.0);
    m.revolute("knee", m.ground(), shank);
    let lobe = m.curve("lobe", shank, |s| (size * s.cos(), size * s.sin()));
    m.output_vector("at", lobe.point(size));
    assert_eq!(model(&m).quantities.parameters.len(), 1);
}
