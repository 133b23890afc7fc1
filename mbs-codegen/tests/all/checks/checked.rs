//! The pipeline of parser, `resolve` and checks, without the rest of the compiler.

use mbs_check::{Checked, check, declared_pose, numeric_sample};
use mbs_compiler::derive::derive;
use mbs_compiler::graph::Graph;
use mbs_compiler::sampler::Sampler;
use mbs_definition::Errors;
use mbs_model::{Formulation, Model};
use mbs_physics::Tree;
use mbs_resolve::resolve;

pub const FORMULATIONS: [Formulation; 2] = [Formulation::Body, Formulation::Joint];

/// Results of the checks of a mechanism's text, or the rendered messages.
pub fn checked(text: &str, formulation: Formulation) -> Result<Checked, String> {
    let parsed = mbs_syntax::parse_text("m.mbs", text);
    let render = |errors: Errors| parsed.sources.render(errors.list());
    if !parsed.errors.is_empty() {
        return Err(render(parsed.errors.clone()));
    }
    let mut model = resolve(&parsed.definitions[0]).map_err(render)?;
    model.coordinates.formulation = formulation;
    let found = check_model(&model);
    compare_results(&found, &check_numbers(&model));
    found.map_err(render)
}

/// Results of the checks of a model, on samples from the compiler's graph.
pub fn check_model(model: &Model) -> Result<Checked, Errors> {
    let tree = Tree::new(model);
    let graph = Graph::new();
    let equations = derive(&graph, model, &tree);
    let sampler = Sampler::new(&graph, model, &tree, &equations);
    check(model, &tree, &declared_pose(model, &tree), &|q, guesses| sampler.sample(q, &vec![0.0; tree.n()], guesses))
}

/// Results of the checks of a model, on samples of the model's physics.
fn check_numbers(model: &Model) -> Result<Checked, Errors> {
    let tree = Tree::new(model);
    check(model, &tree, &declared_pose(model, &tree), &numeric_sample(model, &tree))
}

/// Compares results and messages of the checks on both kinds of samples.
fn compare_results(found: &Result<Checked, Errors>, on_numbers: &Result<Checked, Errors>) {
    match (found, on_numbers) {
        (Ok(found), Ok(on_numbers)) => {
            let counts = |c: &Checked| (c.freedoms, c.undriven, c.solvable);
            assert_eq!(counts(found), counts(on_numbers));
        }
        _ => {
            let mistakes = |checked: &Result<Checked, Errors>| checked.as_ref().err().map(|e| e.list().to_vec());
            assert_eq!(mistakes(found), mistakes(on_numbers));
        }
    }
}

/// A planar mechanism `M` with items, which begin on the second line.
pub fn planar(items: &str) -> String {
    format!("planar M {{\n{items}\n}}\n")
}

/// A spatial mechanism `M` with items, which begin on the second line.
pub fn spatial(items: &str) -> String {
    format!("spatial M {{\n{items}\n}}\n")
}

/// Rendered messages of a planar mechanism with items, which are listed by formulation if they differ.
pub fn rendered(items: &str) -> String {
    rendered_text(&planar(items))
}

/// As [`rendered`], for the text of a mechanism.
pub fn rendered_text(text: &str) -> String {
    let [body, joint] = FORMULATIONS.map(|f| checked(text, f).err().unwrap_or_default());
    if body == joint { body } else { format!("body:\n{body}\njoint:\n{joint}") }
}

/// Code, message and help of each message, without its location.
pub fn messages(items: &str) -> String {
    messages_of_text(&planar(items))
}

/// As [`messages`], for the text of a mechanism.
pub fn messages_of_text(text: &str) -> String {
    let rendered = rendered_text(text);
    let lines = rendered.lines().filter(|l| l.starts_with("error") || l.contains("= help") || l.ends_with(':'));
    lines.map(|l| l.trim().trim_start_matches("error: ")).collect::<Vec<_>>().join("\n")
}
