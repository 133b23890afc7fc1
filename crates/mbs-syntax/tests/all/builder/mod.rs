//! Mechanisms made by the builder are equal to those of texts: models are compared part by part, without origins.

mod canonical;
mod everything;
mod inside;

use std::collections::BTreeSet;

use mbs_builder::{Frame, Planar, angle, angular_velocity, position};
use mbs_definition::{Definition, ExprKind, Item};
use mbs_model::Formulation;
use mbs_model::catalog::{FORCES, JOINTS};

use canonical::canonical;

fn written(text: &str) -> Definition {
    let mut parsed = mbs_syntax::parse_text("text.mbs", text);
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    parsed.definitions.remove(0)
}

fn assert_same(built: &Planar, text: &str) {
    let written = mbs_resolve::resolve(&written(text)).unwrap_or_else(|errors| panic!("{:?}", errors.list()));
    let built = built.resolve().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let (built, written) = (canonical(&built), canonical(&written));
    let differs = built.split(' ').zip(written.split(' ')).position(|(a, b)| a != b);
    if let Some(at) = differs {
        let around = |text: &str| text.split(' ').skip(at.saturating_sub(30)).take(60).collect::<Vec<_>>().join(" ");
        panic!("built:\n{}\nwritten:\n{}", around(&built), around(&written));
    }
    assert_eq!(built, written);
}

fn mechanism(name: &str) -> String {
    let path = format!("{}/../../../mechanisms/{name}.mbs", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn the_four_bar_is_that_of_the_text() {
    let m = Planar::new("FourBar");
    m.describe(
        "Four-bar linkage of uniform bars swinging under gravity.\n\nPivots at (0, 0) and (ground_length, 0). Reference case \
         `fourbar_forward`, whose spring has neither stiffness nor damping.",
    );
    let g = m.param("g", 9.81);
    m.gravity((0.0, -g));
    m.coordinates(Formulation::Joint);
    let bars = [("crank", 0.1, 1.0), ("coupler", 0.35, -1.12), ("rocker", 0.25, 4.32)];
    let lengths = bars.map(|(name, length, _)| m.param(format!("{name}_length"), length));
    let ground_length = m.param("ground_length", 0.3);
    let density = m.param("density", 2.0);
    let masses = [0, 1, 2].map(|i: usize| m.param(format!("{}_mass", bars[i].0), density * lengths[i]));
    let inertias =
        [0, 1, 2].map(|i: usize| m.param(format!("{}_inertia", bars[i].0), masses[i] * lengths[i].powi(2) / 12.0));
    let [crank, coupler, rocker] = [0, 1, 2].map(|i: usize| {
        let (name, _, angle) = bars[i];
        m.body(name).mass(masses[i]).inertia(inertias[i]).com((lengths[i] / 2.0, 0.0)).angle(angle)
    });
    let bearing = m.revolute("crank_bearing", m.ground(), crank);
    m.revolute("crank_pin", crank.at((lengths[0], 0.0)), coupler);
    m.revolute("rocker_pin", coupler.at((lengths[1], 0.0)), rocker.at((lengths[2], 0.0)));
    m.revolute("rocker_bearing", m.ground().at((ground_length, 0.0)), rocker);
    m.initial(bearing.angle(), 1.0);
    m.initial(bearing.rate(), 10.0);
    m.freedoms(1);
    m.output("crank_angle", angle(crank));
    m.output("crank_rate", angular_velocity(crank));
    m.output("coupler_angle", angle(coupler));
    m.output("rocker_angle", angle(rocker));
    m.output("energy", m.kinetic_energy() + m.potential_energy());
    assert_same(&m, &mechanism("four_bar"));
}

#[test]
fn the_compiler_may_choose_the_coordinates() {
    let m = Planar::new("Swing");
    m.automatic_coordinates();
    let rod = m.body("rod").mass(1.0).inertia(0.1);
    m.revolute("pin", m.ground(), rod);
    let text = "pub planar Swing {
        coordinates: auto;
        body rod { mass: 1, inertia: 0.1 }
        joint pin = revolute(ground, rod);
    }";
    assert_same(&m, text);
    let built = m.resolve().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert!(built.coordinates.is_automatic);
}

#[test]
fn the_slider_crank_with_its_motor_is_that_of_the_text() {
    let m = Planar::new("SliderCrankMotor");
    m.describe("Slider-crank with a return spring and a motor behind a first-order lag: the example of the language.");
    m.gravity((0.0, -9.81));
    m.coordinates(Formulation::Joint);
    let crank_length = m.param("crank_length", 0.05);
    let rod_length = m.constant("rod_length", 0.15);
    let motor_torque = m.input("motor_torque");
    let charge = m.state("charge", 0.0);
    charge.rate((motor_torque - charge) / 0.02);
    let crank = m.body("crank").mass(0.8).inertia(4e-4).com((crank_length / 2.0, 0.0)).angle(0.5);
    let rod = m.body("rod").mass(0.5).inertia(9e-4).com((rod_length / 2.0, 0.0));
    let piston = m.body("piston").mass(0.4).inertia(1e-4);
    let rod_end = m.marker("rod_end", rod.at((rod_length, 0.0)));
    let bearing = m.revolute("main_bearing", m.ground(), crank);
    m.revolute("crank_pin", crank.at((crank_length, 0.0)), rod);
    m.revolute("wrist_pin", rod_end, piston);
    m.prismatic("cylinder", m.ground(), piston, (1.0, 0.0));
    m.torque("motor", crank, charge).against(m.ground());
    m.spring_damper("spring", m.ground().at((0.3, 0.0)), piston, 500.0).damping(5.0).free_length(0.1);
    m.initial(bearing.angle(), 0.5);
    m.initial(bearing.rate(), 10.0);
    m.freedoms(1);
    m.output("stroke", position(piston).x());
    assert_same(&m, &mechanism("slider_crank_motor"));
}

#[test]
fn a_mechanism_with_everything_in_it_is_that_of_the_text() {
    assert_same(&everything::built(), everything::WRITTEN);
}

#[test]
fn every_kind_has_a_method() {
    let definition = everything::built().definition().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let kind = |item: &Item| match item {
        Item::Declaration(d) if ["joint", "force"].contains(&d.category.text.as_str()) => match &d.value.as_ref()?.kind
        {
            ExprKind::Call(kind, _) => Some(kind.text.clone()),
            _ => None,
        },
        _ => None,
    };
    let own = |item: &Item| matches!(item, Item::JointKind(own) if ["Knee", "Slot"].contains(&own.name.text.as_str()));
    assert_eq!(definition.items.iter().filter(|item| own(item)).count(), 2);
    let used: BTreeSet<String> = definition
        .items
        .iter()
        .filter_map(kind)
        .filter(|kind| !["Knee", "Slot", "cam"].contains(&kind.as_str()))
        .collect();
    let known: BTreeSet<String> = JOINTS.iter().chain(FORCES).map(|kind| kind.name.to_string()).collect();
    assert_eq!(used, known, "use the method of a new kind in everything.rs");
}

/// Hangs a bar with a weight at its end on a frame; returns the frame for the next one.
fn bar<'m>(m: &'m Planar, place: impl Into<Frame<'m>>) -> Frame<'m> {
    let mass = m.param("mass", 2.0);
    let rod = m.body("rod").mass(mass).inertia(0.1);
    let pin = m.revolute("pin", place, rod);
    m.group("weight", |m| {
        let bobs = [0, 1].map(|k| m.body(("bob", k)).mass(1.0).inertia(0.1));
        m.fixed("first", rod, bobs[0]);
        m.fixed("second", rod.at((0.1, 0.0)), bobs[1]);
        m.output_vector("centre", position(m.family("bob")));
    });
    let loss = m.opaque("loss", 0);
    m.mobility("brake", pin, loss.of(pin.rate()));
    let lift = m.spline("lift", [0.0, 1.0, 2.0], [0.0, 0.5, 0.3]);
    m.mobility("cam", pin, lift.of(pin.angle()));
    m.initial(pin.angle(), 0.3);
    rod.at((1.0, 0.0))
}

#[test]
fn a_group_is_an_instance_of_a_part() {
    let m = Planar::new("Chain");
    let mut end = m.ground();
    for i in 0..2 {
        end = m.group(("link", i), |m| bar(m, end));
    }
    m.group("last", |m| bar(m, end));
    m.output_vector("place", position(m.family("link")));
    m.output_vector("end", position(m.family("last")));
    let text = "pub planar Chain {
        part bar(place) {
            param mass = 2;
            body rod { mass, inertia: 0.1 }
            joint pin = revolute(place, rod);
            part pair() {
                for k in 0..2 { body bob[k] { mass: 1, inertia: 0.1 } }
                joint first = fixed(rod, bob[0]);
                joint second = fixed(rod at [0.1, 0], bob[1]);
                output centre = position(bob);
            }
            part weight = pair();
            function loss: opaque(0);
            force brake = mobility(pin) { value: loss(pin.rate) };
            function lift = spline([0, 1, 2], [0, 0.5, 0.3]);
            force cam = mobility(pin) { value: lift(pin.angle) };
            initial pin.angle = 0.3;
        }
        part link[0] = bar(ground);
        part link[1] = bar(link[0].rod at [1, 0]);
        part last = bar(link[1].rod at [1, 0]);
        output place = position(link);
        output end = position(last);
    }";
    assert_same(&m, text);
}

#[test]
fn mistakes_in_a_group_name_it() {
    let m = Planar::new("Leg");
    m.group("left", |m| m.revolute("hip", m.ground(), m.body("thigh").mass(-1.0)));
    let mistakes = m.resolve().expect_err("a mass is not negative").to_string();
    assert!(mistakes.contains("`mass` of body `left.thigh` is -1"), "{mistakes}");
    let m = Planar::new("Leg");
    m.free("left_thigh", m.ground(), m.body("trunk").mass(1.0));
    m.group("left", |m| m.free("hip", m.ground(), m.body("thigh").mass(1.0)));
    m.group("a b", |m| m.param("x", 1.0));
    let mistakes = m.resolve().expect_err("names clash").to_string();
    assert!(mistakes.contains("`left.thigh` and `left_thigh` would have one name in Rust"), "{mistakes}");
    assert!(mistakes.contains("[MBS028] `a b` is not a plain identifier"), "{mistakes}");
}

#[test]
fn switches_are_those_of_the_text() {
    let m = Planar::new("Switched");
    let (engaged, parked) = (m.switch("engaged", false), m.switch("parked", true));
    let gain = m.discrete("gain", 2.0);
    m.discrete_vector("goal", (0.1, 0.2));
    let rod = m.body("rod").mass(1.0).inertia(0.1);
    let pin = m.revolute("pin", m.ground(), rod);
    m.revolute("hook", m.ground().at((1.0, 0.0)), rod.at((1.0, 0.0))).enabled(engaged);
    m.torque("motor", rod, gain * pin.rate()).enabled(!engaged);
    let spin = m.drive("spin", pin.rate().equals(3.0)).enabled(!parked);
    let lock = m.constraint("lock", pin.rate().equals(0.0)).enabled(parked);
    m.exclusive([spin, lock]);
    assert_same(
        &m,
        "pub planar Switched {
            switch engaged = off;
            switch parked = on;
            discrete gain = 2;
            discrete goal = [0.1, 0.2];
            body rod { mass: 1, inertia: 0.1 }
            joint pin = revolute(ground, rod);
            joint hook = revolute(ground at [1, 0], rod at [1, 0]) { enabled: engaged };
            force motor = torque(rod) { torque: gain * pin.rate, enabled: !engaged };
            drive spin = pin.rate == 3 { enabled: !parked };
            constraint lock = pin.rate == 0 { enabled: parked };
            exclusive: [spin, lock];
        }",
    );
}
