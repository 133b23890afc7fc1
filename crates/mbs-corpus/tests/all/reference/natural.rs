//! Natural coordinates in space: mass matrices, rigidity constraints, weights and energies, against an independent computation.

use mbs::{Mechanism, StateView};
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use serde_json::Value;

use crate::reference::case::Case;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().expect("a list of rows").iter().map(numbers).collect()
}

fn list(x: &[f64]) -> String {
    let items: Vec<String> = x.iter().map(|x| format!("{x:?}")).collect();
    format!("[{}]", items.join(", "))
}

/// One of the bodies: a first point, and the columns of X as vectors; in some kinds the first vector leads to a second point.
fn body(case: &Value) -> Interpreted {
    let of = |key: &str| &case["body"][key];
    let (from, com, x, i) = (numbers(of("r_i")), numbers(of("com")), matrix(of("X")), matrix(of("inertia_com")));
    let column = |k: usize| -> Vec<f64> { x.iter().map(|row| row[k]).collect() };
    let (points, vectors) = match of("kind").as_str() {
        Some("2P2V") => {
            let second: Vec<f64> = from.iter().zip(column(0)).map(|(a, b)| a + b).collect();
            (vec![from, second], vec![column(1), column(2)])
        }
        _ => (vec![from], vec![column(0), column(1), column(2)]),
    };
    let lists = |all: Vec<Vec<f64>>| all.iter().map(|x| list(x)).collect::<Vec<_>>().join(", ");
    let text = format!(
        "pub spatial Body {{
            gravity: [0, 0, -9.81];
            body body {{ mass: {}, inertia: [{}], com: {},
                coordinates: natural {{ points: [{}], vectors: [{}] }} }}
            joint air = free(ground, body);
        }}",
        of("mass"),
        lists(i),
        list(&com),
        lists(points),
        lists(vectors),
    );
    let mut compiled =
        mbs_codegen::compile_text("body", &text, Options::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
    Interpreted::new(compiled.remove(0).0, Fma::Plain).expect("no parameters")
}

#[test]
fn bodies_of_points_and_vectors_are_those_of_the_textbook() {
    let reference = Case::read("natural_mass_matrix");
    let tolerance = reference.number_at("accuracy/rel");
    let close = |quantity: &str, got: &[f64], expected: &[f64]| {
        assert_eq!(got.len(), expected.len(), "{quantity}");
        let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        let miss = got.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(miss <= tolerance * size, "{quantity}: {miss:.1e} of {size:.1e}");
    };
    for case in reference.value("reference/cases").as_array().expect("three bodies") {
        let body = body(case);
        let sample = &case["sample"];
        let (q, v) = (numbers(&sample["q"]), numbers(&sample["qdot"]));
        let at = StateView::new(0.0, &q, &v);
        let mass = body.mass_matrix(at);
        close("M", &mass, &matrix(&case["M"]).concat());
        let mut weight = vec![0.0; 12];
        body.generalized_forces(at, &mut weight);
        close("weight", &weight, &numbers(&case["gravity_force"]));
        // States on the rows, and off them.
        let perturbed = &case["perturbed"];
        for (q, phi, jacobian) in [
            (&sample["q"], &sample["phi_intrinsic"], &sample["J_intrinsic"]),
            (&perturbed["q"], &perturbed["phi"], &perturbed["J"]),
        ] {
            let q = numbers(q);
            let at = StateView { q: &q, ..at };
            close("J", &body.constraint_jacobian(at), &matrix(jacobian).concat());
            let mut found = vec![0.0; 6];
            body.position_residuals(at, &mut found);
            close("phi", &found, &numbers(phi));
        }
        let energy = body.energy(at).kinetic;
        close("kinetic energy", &[energy], &[sample["kinetic_energy"].as_f64().expect("a number")]);
        let product = (0..144).map(|k| 0.5 * v[k / 12] * mass[k] * v[k % 12]).sum::<f64>();
        close("½ vᵀ M v", &[product], &[energy]);
    }
}
