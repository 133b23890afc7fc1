//! Rows per kind of joint and freedoms of textbook linkages, by compiling small texts.

use mbs_codegen::compile::{Compiled, Options};
use mbs_codegen::compile_text;
use mbs_model::Formulation;
use serde_json::Value;

use crate::case::Case;

fn compile(text: &str, formulation: Formulation) -> Compiled {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let mut compiled = compile_text("counts.mbs", text, options).unwrap_or_else(|e| panic!("{text}\n{e}"));
    assert_eq!(compiled.len(), 1);
    compiled.remove(0).0
}

/// Two bodies that could move freely, and one joint between them.
fn pair(joint: &str) -> String {
    format!(
        "planar Pair {{
            body a {{ mass: 1, inertia: 0.1 }}
            body b {{ mass: 1, inertia: 0.1, position: [1, 0.3], angle: 0.2 }}
            joint base = free(ground, a);
            {joint}
        }}"
    )
}

#[test]
fn planar_joints_impose_the_textbook_counts() {
    let case = Case::read("natural_planar_and_counts");
    let counts = case.value("reference/joint_constraint_counts_2d").as_object().expect("a table");
    assert_eq!(counts.len(), 6);
    for (kind, count) in counts {
        let (text, others) = match kind.as_str() {
            "fixed" => (pair("joint j = fixed(a, b);"), 0),
            "revolute" => (pair("joint j = revolute(a at [1, 0.3], b);"), 0),
            "prismatic" => (pair("joint j = prismatic(a, b) { axis: [1, 0.5] };"), 0),
            "point_on_line" => (pair("joint j = point_on_line(a, b) { axis: [1, 0.5] };"), 0),
            "distance" => (pair("joint j = distance(a, b) { length: 1.1 };"), 0),
            // A gear joins joints: four rows are theirs.
            "gear" => (
                "planar Gears {
                    body a { inertia: 1 }
                    body b { inertia: 1 }
                    joint p = revolute(ground, a);
                    joint q = revolute(ground at [1, 0], b);
                    joint j = gear(p, q) { ratio: -2 };
                }"
                .to_owned(),
                4,
            ),
            other => panic!("unknown kind `{other}`"),
        };
        let compiled = compile(&text, Formulation::Body);
        assert_eq!(Some((compiled.tree.rows.len() - others) as u64), count.as_u64(), "{kind}");
        println!("{kind}: {count} rows");
    }
}

#[test]
fn planar_linkages_have_the_textbook_freedoms() {
    let case = Case::read("natural_planar_and_counts");
    for (name, mechanism) in
        [("planar_fourbar", "four_bar"), ("slider_crank", "slider_crank"), ("double_pendulum", "double_pendulum")]
    {
        let path = format!("{}/../../mechanisms/{mechanism}.mbs", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let expected = case.value(&format!("reference/dof_examples/{name}"));
        for formulation in [Formulation::Body, Formulation::Joint] {
            let compiled = compile(&text, formulation);
            assert_eq!(Value::from(compiled.checked.freedoms), *expected, "{name}, {formulation:?}");
            assert_eq!(compiled.tree.n() - compiled.tree.rows.len(), compiled.undriven(), "{name}, {formulation:?}");
        }
        println!("{name}: {expected} freedoms");
    }
}
