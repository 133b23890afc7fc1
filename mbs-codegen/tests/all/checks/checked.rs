//! Mechanisms through parser, `resolve` and checks, without the rest of the compiler.

use mbs_check::{Checked, check, numeric_sample};
use mbs_compiler::derive::derive;
use mbs_compiler::graph::Graph;
use mbs_compiler::sampler::Sampler;
use mbs_definition::Errors;
use mbs_model::{Formulation, Model};
use mbs_physics::Tree;
use mbs_resolve::resolve;

pub const FORMULATIONS: [Formulation; 2] = [Formulation::Body, Formulation::Joint];

/// The checks of one mechanism's text, with whatever they find rendered.
pub fn checked(text: &str, formulation: Formulation) -> Result<Checked, String> {
    let parsed = mbs_syntax::parse_text("m.mbs", text);
    let render = |errors: Errors| parsed.sources.render(errors.list());
    if !parsed.errors.is_empty() {
        return Err(render(parsed.errors.clone()));
    }
    let mut model = resolve(&parsed.definitions[0]).map_err(render)?;
    model.formulation = formulation;
    let found = check_model(&model);
    assert_same_findings(&found, &check_numbers(&model));
    found.map_err(render)
}

/// The checks of a model, which evaluate the compiler's graph.
pub fn check_model(model: &Model) -> Result<Checked, Errors> {
    let tree = Tree::new(model);
    let graph = Graph::new();
    let equations = derive(&graph, model, &tree);
    let sampler = Sampler::new(&graph, model, &tree, &equations);
    check(model, &tree, &|q, guesses| sampler.sample(q, &vec![0.0; tree.n()], guesses))
}

/// The checks of a model on numbers alone.
fn check_numbers(model: &Model) -> Result<Checked, Errors> {
    let tree = Tree::new(model);
    check(model, &tree, &numeric_sample(model, &tree))
}

/// They find the same, to the word.
fn assert_same_findings(found: &Result<Checked, Errors>, on_numbers: &Result<Checked, Errors>) {
    match (found, on_numbers) {
        (Ok(found), Ok(on_numbers)) => {
            let decided = |c: &Checked| (c.freedoms, c.undriven, c.solvable);
            assert_eq!(decided(found), decided(on_numbers));
        }
        _ => {
            let mistakes = |checked: &Result<Checked, Errors>| checked.as_ref().err().map(|e| e.list().to_vec());
            assert_eq!(mistakes(found), mistakes(on_numbers));
        }
    }
}

/// Items inside a planar mechanism `M`, a line each.
pub fn planar(items: &str) -> String {
    format!("planar M {{\n{items}\n}}\n")
}

/// Items inside a mechanism `M` of space, a line each.
pub fn spatial(items: &str) -> String {
    format!("spatial M {{\n{items}\n}}\n")
}

/// What is found in both formulations alike.
pub fn found(items: &str) -> String {
    found_in(&planar(items))
}

/// The same of a whole text.
pub fn found_in(text: &str) -> String {
    let [body, joint] = FORMULATIONS.map(|f| checked(text, f).err().unwrap_or_default());
    if body == joint { body } else { format!("body:\n{body}\njoint:\n{joint}") }
}

/// Code, message and help without the place.
pub fn messages(items: &str) -> String {
    messages_in(&planar(items))
}

/// The same of a whole text.
pub fn messages_in(text: &str) -> String {
    let shown = found_in(text);
    let kept = shown.lines().filter(|l| l.starts_with("error") || l.contains("= help") || l.ends_with(':'));
    kept.map(|l| l.trim().trim_start_matches("error: ")).collect::<Vec<_>>().join("\n")
}
