//! Markers that joints and springs connect: in recordings, and in the data of the page.

use mbs::simulation::Connection;
use mbs::{Recording, Simulation};
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::support::{Ends, Planar, four_bar, slider_crank};

/// Every planar joint, and a spring between markers that joints use too.
const EVERY_KIND: &str = "
planar EveryKind {
    gravity: [0, -9.81];
    body arm { mass: 1, inertia: 0.1, com: [0.1, 0] }
    body wheel { mass: 1, inertia: 0.1 }
    body plate { mass: 1, inertia: 0.1 }
    body block { mass: 1, inertia: 0.1 }
    body kite { mass: 1, inertia: 0.1, position: [1, 1] }
    particle bead { mass: 0.1, position: [0.4, 0.5] }
    particle bob { mass: 0.1, position: [0.2, -0.5] }
    joint bearing = revolute(ground, arm);
    joint axle    = revolute(ground at [0.5, 0], wheel);
    joint weld    = fixed(arm at [0.2, 0], plate);
    joint guide   = prismatic(arm, block) { axis: [1, 0] };
    joint air     = free(ground, kite);
    joint wire    = point_on_line(ground at [0, 0.5], bead) { axis: [1, 0] };
    joint thread  = distance(arm at [0.2, 0], bob) { length: 0.5 };
    joint mesh    = gear(bearing, axle) { ratio: -0.5 };
    force spring  = spring_damper(ground at [0.5, 0], arm at [0.2, 0]) { stiffness: 10, free_length: 0.1 };
    force brake   = torsion_damper(ground, arm) { damping: 0.1 };
}";

fn recorded(mechanism: &Planar) -> Recording {
    Simulation::new(mechanism).duration(0.1).run().unwrap()
}

/// Names of the two markers of each connection; `-` for those without.
fn ends(recording: &Recording, connections: &[Connection]) -> Vec<String> {
    let marker = |i: usize| recording.markers()[i].name.as_str();
    let pair = |ends: [usize; 2]| format!("{} {}", marker(ends[0]), marker(ends[1]));
    connections.iter().map(|c| format!("{}: {}", c.name, c.ends.map_or("-".into(), pair))).collect()
}

fn data(recording: &Recording) -> serde_json::Value {
    let page = recording.page().to_html();
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let length = page[start..].find("</script>").unwrap();
    serde_json::from_str(&page[start..start + length]).unwrap()
}

#[test]
fn recordings_keep_what_joints_and_springs_connect() {
    let recording = recorded(&slider_crank());
    let joints = ["main_bearing", "crank_pin", "wrist_pin", "cylinder"].map(|j| format!("{j}: {j}.first {j}.second"));
    assert_eq!(ends(&recording, recording.joints()), joints);
    assert_eq!(ends(&recording, recording.forces()), ["spring: spring.first spring.second"]);
}

#[test]
fn loads_do_not_hide_what_joints_connect() {
    let mechanism = slider_crank();
    let loaded = Simulation::new(&mechanism).load(|_, loads| loads.generalized(0, 0.1)).duration(0.1).run().unwrap();
    assert_eq!(loaded.joints(), recorded(&mechanism).joints());
    assert_eq!(loaded.forces(), recorded(&mechanism).forces());
}

#[test]
fn a_mechanism_need_not_report_its_ends() {
    let recording = recorded(&Planar { ends: Ends::Unreported, ..four_bar() });
    assert!(recording.joints().iter().all(|joint| joint.ends.is_none()));
    assert_eq!(data(&recording)["joints"][0]["ends"], serde_json::Value::Null);
}

#[test]
fn the_page_knows_each_joint_by_its_kind() {
    let kinds = ["pin", "pin", "weld", "slide", "free", "slot", "rod", ""];
    for formulation in [Formulation::Body, Formulation::Joint] {
        let options = Options { formulation: Some(formulation), ..Options::default() };
        let (compiled, _) = compile_text("every_kind.mbs", EVERY_KIND, options).unwrap().remove(0);
        let mechanism = Interpreted::new(compiled, Fma::Fused).unwrap();
        let recording = Simulation::new(&mechanism).duration(0.0).run().unwrap();
        let data = data(&recording);
        let joints = data["joints"].as_array().unwrap();
        assert_eq!(joints.len(), kinds.len());
        for (joint, expected) in joints.iter().zip(kinds) {
            let (name, kind) = (&joint["name"], joint["kind"].as_str().unwrap());
            // Neither rows nor coordinates identify a weld inside the tree, or a body that is free by its coordinates.
            assert!(kind == expected || (kind.is_empty() && ["weld", "free"].contains(&expected)), "{name}: {kind}");
            assert_eq!(joint["ends"].is_null(), *name == "mesh", "{name}");
        }
        assert_eq!(data["forces"][0]["ends"].as_array().unwrap().len(), 2);
        assert!(data["forces"][1]["ends"].is_null());
    }
}

#[test]
fn the_page_draws_reactions_where_their_kinds_state() {
    for formulation in [Formulation::Body, Formulation::Joint] {
        let options = Options { formulation: Some(formulation), ..Options::default() };
        let (compiled, _) = compile_text("every_kind.mbs", EVERY_KIND, options).unwrap().remove(0);
        let mechanism = Interpreted::new(compiled, Fma::Fused).unwrap();
        let recording = Simulation::new(&mechanism).duration(0.05).run().unwrap();
        let data = data(&recording);
        let reactions = data["reactions"].as_array().unwrap();
        assert_eq!(reactions.len(), recording.joints().len());
        for (drawn, joint) in reactions.iter().zip(recording.joints()) {
            assert_eq!(drawn["name"], joint.name);
            let points = recording.reaction(&joint.name).unwrap().points;
            match drawn["at"].as_u64() {
                Some(at) => assert_eq!(at as usize, joint.ends.unwrap()[1]),
                None => {
                    assert!(points.iter().enumerate().all(|(i, p)| drawn["px"][i] == p[0] && drawn["py"][i] == p[1]))
                }
            }
        }
    }
}
