//! Rows per kind of joint and freedoms of textbook linkages, by compiling small texts.

use mbs_codegen::compile_text;
use mbs_compiler::compile::{Compiled, Options};
use mbs_model::Formulation;
use serde_json::Value;

use crate::reference::case::Case;

fn compile(text: &str, formulation: Formulation) -> Compiled {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let mut compiled = compile_text("counts.mbs", text, options).unwrap_or_else(|e| panic!("{text}\n{e}"));
    assert_eq!(compiled.len(), 1);
    compiled.remove(0).0
}

/// Numbers of rows of joints, and of rows that keep bodies rigid in natural coordinates.
fn rows(compiled: &Compiled) -> [usize; 2] {
    let intrinsic = compiled.tree.n_intrinsic();
    [compiled.tree.rows.len() - intrinsic, intrinsic]
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
            // A gear connects joints, which have four rows.
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
        for formulation in [Formulation::Body, Formulation::Joint, Formulation::Natural] {
            let compiled = compile(&text, formulation);
            assert_eq!(Value::from(compiled.checked.freedoms), *expected, "{name}, {formulation:?}");
            assert_eq!(
                compiled.tree.n() - compiled.tree.rows.len(),
                compiled.degrees_of_freedom(),
                "{name}, {formulation:?}"
            );
        }
        println!("{name}: {expected} freedoms");
    }
}

#[test]
fn joints_of_space_impose_the_textbook_counts() {
    let case = Case::read("natural_planar_and_counts");
    let counts = case.value("reference/joint_constraint_counts_3d").as_object().expect("a table");
    assert_eq!(counts.len(), 8);
    for (kind, count) in counts {
        let arguments = match kind.as_str() {
            "revolute" | "prismatic" | "cylindrical" => "{ axis: [1, 2, 0.5] }",
            "distance" => "{ length: 1.1 }",
            _ => "",
        };
        let x = if kind == "distance" { 1.2 } else { 0.1 };
        let text = format!(
            "spatial Pair {{
                body a {{ mass: 1, inertia: [0.1, 0.2, 0.25] }}
                body b {{ mass: 1, inertia: [0.1, 0.2, 0.25] }}
                joint base = free(ground, a);
                joint j = {kind}(a at [0.1, 0.2, 0.3], b at [{x}, 0.2, 0.3]) {arguments};
            }}"
        );
        let compiled = compile(&text, Formulation::Body);
        assert_eq!(Some(compiled.tree.rows.len() as u64), count.as_u64(), "{kind}");
        // Bodies that share points in natural coordinates have fewer coordinates, and as many fewer rows.
        let natural = compile(&text, Formulation::Natural);
        assert_eq!(natural.tree.n() - natural.tree.rows.len(), compiled.tree.n() - compiled.tree.rows.len(), "{kind}");
        assert_eq!(natural.checked.freedoms, 12 - count.as_u64().expect("a number") as usize, "{kind}");
    }
}

/// A free body, in declared coordinates and as a bar of two points; for linkages Kutzbach's formula, and the freedoms with dependent rows.
#[test]
fn bodies_and_linkages_of_space_have_the_textbook_counts() {
    let case = Case::read("natural_planar_and_counts");
    let integer_at = |path: &str| case.value(path).as_u64().expect("a number") as usize;
    for (name, basis) in [
        ("spatial_body", ""),
        ("spatial_body", "coordinates: natural { points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] },"),
        ("spatial_bar_2P", "coordinates: natural { points: [[-0.5, 0, 0], [0.5, 0, 0]] },"),
    ] {
        let inertia = if name == "spatial_body" { "[0.1, 0.2, 0.25]" } else { "[0, 0.1, 0.1]" };
        let compiled = compile(
            &format!(
                "spatial Flight {{ body b {{ {basis} mass: 1, inertia: {inertia} }} joint air = free(ground, b); }}"
            ),
            Formulation::Natural,
        );
        let [extrinsic, intrinsic] = rows(&compiled);
        let found = [compiled.tree.n(), intrinsic, compiled.checked.freedoms, extrinsic];
        let expected = ["coords", "intrinsic", "dof"].map(|key| integer_at(&format!("reference/{name}/{key}")));
        assert_eq!(found, [expected[0], expected[1], expected[2], 0], "{name} {basis}");
    }
    for (name, mechanism) in [("spatial_slider_crank_RSUP", "spatial_slider_crank"), ("bricard_6R_actual", "bricard")] {
        let path = format!("{}/../../mechanisms/{mechanism}.mbs", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        for formulation in [Formulation::Body, Formulation::Joint, Formulation::Natural] {
            let compiled = compile(&text, formulation);
            assert_eq!(
                compiled.checked.freedoms,
                integer_at(&format!("reference/dof_examples/{name}")),
                "{name}, {formulation:?}"
            );
            if mechanism == "bricard" && formulation == Formulation::Body {
                let kutzbach = compiled.tree.n() - compiled.tree.rows.len() - compiled.tree.redundant.rows.len();
                assert_eq!(kutzbach, integer_at("reference/dof_examples/bricard_6R_kutzbach"));
            }
        }
    }
}
