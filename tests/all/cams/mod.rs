//! Cams against classical cam theory and closed forms, in every formulation.

mod followers;
mod forms;
mod lifts;
mod outputs;
mod pages;
mod references;
mod splines;
mod starts;

use mbs::InverseDynamics;
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;
use mbs_model::Formulation;
use serde_json::Value;

const FORMULATIONS: [Formulation; 3] = [Formulation::Joint, Formulation::Body, Formulation::Natural];

/// Tolerance relative to the largest value of a column: 1e-11 is a hundred times the rounding of accelerations on both sides.
const DRIVEN: f64 = 1e-11;

fn compiled(text: &str, formulation: Formulation) -> Interpreted {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let compiled = compile_text("cam.mbs", text, options);
    let (compiled, _) = compiled.unwrap_or_else(|e| panic!("{text}\n{e}")).remove(0);
    Interpreted::new(compiled, Fma::Fused).unwrap_or_else(|e| panic!("{e}"))
}

/// Outputs of a driven mechanism at some times.
fn driven(text: &str, formulation: Formulation, times: &[f64], outputs: &[&str]) -> Vec<Vec<f64>> {
    let mechanism = compiled(text, formulation);
    let run =
        InverseDynamics::new(&mechanism).at(times).run().unwrap_or_else(|e| panic!("{formulation:?} {text}\n{e}"));
    let columns: Vec<&[f64]> = outputs.iter().map(|name| run.output(name).expect("it is declared")).collect();
    (0..times.len()).map(|k| columns.iter().map(|column| column[k]).collect()).collect()
}

/// Asserts that columns are those expected, each to a part of its largest value.
fn assert_close(label: &str, within: f64, found: &[Vec<f64>], expected: &[Vec<f64>]) {
    assert!(found.len() == expected.len() && !found.is_empty(), "{label}");
    for k in 0..expected[0].len() {
        let largest = expected.iter().fold(0.0_f64, |m, row| m.max(row[k].abs()));
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            let miss = (found[k] - expected[k]).abs();
            let allowed = within * largest;
            assert!(miss <= allowed, "{label}, row {i}, column {k}: {} misses {} by {miss:.1e}", found[k], expected[k]);
        }
    }
}

/// The JSON of a reference case.
fn case(name: &str) -> Value {
    let path = format!("{}/reference/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

fn rows(table: &Value) -> Vec<Vec<f64>> {
    let rows = table["rows"].as_array().expect("rows").iter();
    rows.map(|row| row.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()).collect()
}
