//! The complete mechanism of the book, and chains written with `for`, resolve to the expected models.

use mbs_definition::Space;
use mbs_expr::Op;
use mbs_model::{Formulation, Load, Model, RowLevel};
use mbs_resolve::resolve;
use mbs_syntax::parse_text;

use crate::oracle::{Oracle, assert_close, items, model};

const SLIDER_CRANK: &str = include_str!("shown/slider_crank.mbs");

fn row_names(model: &Model) -> Vec<String> {
    model.rows().into_iter().map(|row| row.name).collect()
}

#[test]
fn the_slider_crank_resolves() {
    let m = model(SLIDER_CRANK);
    assert_eq!((m.header.name.as_str(), m.header.visibility.as_str()), ("SliderCrank", "pub"));
    assert_eq!(m.header.docs, "Slider-crank with a return spring and a motor.");
    assert_eq!(m.coordinates.formulation, Formulation::Joint);
    assert_eq!(m.settings.freedoms.map(|(n, _)| n), Some(1));
    assert_eq!(
        (
            m.quantities.parameters.len(),
            m.quantities.inputs.len(),
            m.quantities.auxiliary.len(),
            m.quantities.algebraic.len()
        ),
        (1, 1, 1, 0)
    );
    assert_eq!(m.quantities.parameters[0].default, [0.05]);
    let rows = ["main_bearing.x", "main_bearing.y", "crank_pin.x", "crank_pin.y", "wrist_pin.x", "wrist_pin.y"];
    assert_eq!(row_names(&m), [&rows[..], &["cylinder.normal", "cylinder.angle"]].concat());
    let coordinates: Vec<_> = m.joints.iter().flat_map(|j| j.coordinates.iter().map(|(name, _)| &**name)).collect();
    assert_eq!(coordinates, ["angle", "angle", "angle", "position"]);
    let gravity = m.loads.gravity.expect("it is declared").map(|x| m.exprs.value(x));
    assert_eq!(gravity, [Some(0.0), Some(-9.81), Some(0.0)]);
    let conditions: Vec<_> = m.start.conditions.iter().map(|c| (c.name.as_str(), c.exact, c.level)).collect();
    assert_eq!(
        conditions,
        [("main_bearing.angle", true, RowLevel::Position), ("main_bearing.rate", true, RowLevel::Velocity)]
    );
    assert_eq!(m.outputs.iter().map(|o| o.name.as_str()).collect::<Vec<_>>(), ["stroke"]);
    // The part on ground has no load.
    assert_eq!(m.loads.forces.iter().map(|f| f.loads.len()).collect::<Vec<_>>(), [1, 1]);
    assert!(matches!(m.exprs.op(m.quantities.auxiliary[0].rates[0]), Op::Binary(..)));
}

#[test]
fn markers_are_shared_and_named() {
    let m = model(SLIDER_CRANK);
    let drawn: Vec<_> = m.markers.iter().filter(|x| x.drawn).map(|x| x.name.as_str()).collect();
    assert_eq!(
        drawn,
        ["crank", "rod", "piston", "crank.com", "rod.com", "rod_end", "ground", "crank_pin.first", "spring.first"]
    );
    assert!(m.markers.iter().all(|x| x.drawn));
    assert_eq!(m.bodies[2].com_marker, m.bodies[2].origin_marker);
}

/// A chain of n links, everything in loops.
fn chain(n: usize) -> String {
    format!(
        "const N = {n}; const length = 0.4;
        for i in 0..N {{
            param mass[i] = 1 + i;
            body link[i] {{ mass: mass[i], inertia: 0.01, com: [length / 2, 0], angle: 0.1 * i }}
            marker tip[i] = link[i] at [length, 0];
        }}
        joint pin[0] = revolute(ground, link[0]);
        for i in 1..N {{ joint pin[i] = revolute(tip[i - 1], link[i]); }}
        for i in 0..N {{ initial pin[i].angle ~ 0.1 * i; output bend[i] = pin[i].angle; }}
        output total = sum(mass[i] for i in 0..N);
        output centre = position(link at com);"
    )
}

#[test]
fn a_chain_of_links_unrolls() {
    let m = items(&chain(5));
    assert_eq!(m.bodies.iter().map(|b| b.name.as_str()).collect::<Vec<_>>()[3..], ["link[3]", "link[4]"]);
    assert_eq!(m.quantities.parameters[4].name, "mass[4]");
    assert_eq!((m.quantities.parameters[4].offset, m.quantities.parameters[4].default[0]), (4, 5.0));
    assert_eq!(row_names(&m)[8..], ["pin[4].x", "pin[4].y"]);
    assert_eq!(m.start.conditions[3].name, "pin[3].angle");
    assert!(!m.start.conditions[3].exact);
    assert_eq!(m.outputs.len(), 7);
    assert_close(&Oracle::new(&m).output("total"), &[15.0]);
}

#[test]
fn a_chain_of_a_thousand_links_unrolls() {
    let m = items(&chain(1000));
    assert_eq!((m.bodies.len(), m.rows().len()), (1000, 2000));
}

#[test]
fn tunable_gravity_is_a_parameter() {
    let m = items(
        "param a = 1; gravity: param [0, -9.81]; param b = 2; body x { mass: a } joint j = free(ground, x);
        output g = gravity;",
    );
    assert_eq!(m.quantities.parameters.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["a", "gravity", "b"]);
    let gravity = m.loads.gravity.expect("it is declared").map(|x| m.exprs.op(x));
    assert_eq!(gravity, [Op::Parameter(1), Op::Parameter(2), Op::Number(0.0)]);
    assert_eq!(m.outputs[0].shape, [2]);
}

#[test]
fn settings_choose() {
    let m = items(
        "coordinates: body; kernels: [forward, outputs]; budget: { operations: 5000 };
        body x { coordinates: joint } joint j = free(ground, x) { cut: true };",
    );
    assert_eq!((m.coordinates.formulation, m.bodies[0].formulation), (Formulation::Body, Some(Formulation::Joint)));
    assert!(
        m.settings.kernels.forward
            && m.settings.kernels.outputs
            && !m.settings.kernels.energies
            && !m.settings.kernels.kinematics
    );
    assert_eq!(m.settings.budget.map(|(n, _)| n), Some(5000));
    assert!(m.joints[0].cut);
}

#[test]
fn names_can_be_published_as_outputs() {
    let m = items(
        "state z: [2] = [1, 2] { rate: [0, 0] }; body x { } joint j = free(ground, x); output z;
        output kinetic_energy; for i in 0..2 { let k[i] = i + 5; output k[i]; } output t;",
    );
    let names: Vec<_> = m.outputs.iter().map(|o| (o.name.as_str(), o.values.len())).collect();
    assert_eq!(names, [("z", 2), ("kinetic_energy", 1), ("k[0]", 1), ("k[1]", 1), ("t", 1)]);
    assert_eq!(m.exprs.value(m.outputs[3].values[0]), Some(6.0));
}

#[test]
fn an_empty_mechanism_moves_in_the_space_it_declares() {
    for (text, space) in [("planar Arm { }", Space::Planar), ("spatial Arm { }", Space::Spatial)] {
        let parsed = parse_text("m.mbs", text);
        let model = resolve(&parsed.definitions[0]).expect("it has no mistakes");
        assert_eq!(model.space, space);
    }
}

#[test]
fn loads_of_massless_coordinates() {
    let m = items(
        "coordinate s = 0.2; body x { } joint j = free(ground, x); force f = mobility(s) { value: -3 * s };
        constraint c = position(x) == [s, s * s];",
    );
    let Load::Generalized { coordinate, .. } = m.loads.forces[0].loads[0] else { panic!("a load along s") };
    assert_eq!(m.exprs.op(coordinate), Op::Algebraic(0));
    assert_eq!(row_names(&m), ["c[0]", "c[1]"]);
}
