//! Operations per four-bar are nearly independent of the number of four-bars.

use mbs_bench::four_bars;
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_model::Formulation;

/// Operations of `accelerations` per four-bar.
fn operations_per_four_bar(n: usize, formulation: Formulation) -> f64 {
    let options = Options { formulation: Some(formulation), ..Options::default() };
    let compiled = compile_text("four-bars", &four_bars(n), options).unwrap_or_else(|failure| panic!("{failure}"));
    let function = compiled[0].0.function("accelerations").expect("it is always emitted");
    function.counts.operations as f64 / n as f64
}

/// Asserts growth below 30 %: above 120 unknowns elimination orders follow from least degree alone, which costs up to that much more.
fn assert_grows_by_less_than_30_percent(formulation: Formulation) {
    let [few, many] = [5, 40].map(|n| operations_per_four_bar(n, formulation));
    assert!(many < 1.3 * few, "{many:.1} operations per four-bar of 40, {few:.1} of 5");
}

#[test]
fn a_four_bar_among_40_costs_at_most_30_percent_more_than_among_5_in_body_coordinates() {
    assert_grows_by_less_than_30_percent(Formulation::Body);
}

#[test]
fn a_four_bar_among_40_costs_at_most_30_percent_more_than_among_5_in_joint_coordinates() {
    assert_grows_by_less_than_30_percent(Formulation::Joint);
}
