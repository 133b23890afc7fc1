//! What `mbs check` says about a sound mechanism.

use mbs_codegen::compile::Compiled;
use mbs_codegen::program::Function;
use mbs_model::{Formulation, Model};

/// Sizes, freedoms and costs.
pub fn of(compiled: &Compiled) -> String {
    let model = &compiled.model;
    let forces =
        [counted(model.forces.len(), "force", "forces"), counted(model.equations.len(), "equation", "equations")];
    let parts = [counted(model.bodies.len(), "body", "bodies"), counted(model.joints.len(), "joint", "joints")];
    let parts: Vec<String> = parts.into_iter().chain(forces).flatten().collect();
    format!("{}: {}\n  {}\n\n{}", model.name, parts.join(", "), sizes(compiled), table(&functions(compiled)))
}

/// "3 bodies"; nothing for none.
fn counted(n: usize, one: &str, many: &str) -> Option<String> {
    (n > 0).then(|| format!("{n} {}", if n == 1 { one } else { many }))
}

/// "0 rows".
fn number_of(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

fn sizes(compiled: &Compiled) -> String {
    let tree = &compiled.tree;
    let (free, left) = (compiled.checked.freedoms, compiled.undriven());
    let freedoms = match free == left {
        true => number_of(free, "freedom"),
        false => format!("{}, {left} after drives", number_of(free, "freedom")),
    };
    let n = tree.n();
    format!(
        "{}: {}, {}, {freedoms}",
        formulation(&compiled.model),
        number_of(n, "speed"),
        number_of(tree.rows.len(), "row")
    )
}

fn formulation(model: &Model) -> &'static str {
    let of = |b: &mbs_model::Body| b.formulation.unwrap_or(model.formulation);
    let mixed = model.bodies.iter().any(|b| of(b) != model.formulation);
    match model.formulation {
        _ if mixed => "body and joint coordinates",
        Formulation::Body => "body coordinates",
        Formulation::Joint => "joint coordinates",
    }
}

/// Functions that compute something.
fn functions(compiled: &Compiled) -> Vec<&Function> {
    let all = std::iter::once(&compiled.program.prepare).chain(&compiled.program.functions);
    all.filter(|f| f.counts.operations + f.counts.sincos + f.counts.calls > 0).collect()
}

/// Aligned columns; `calls` only where there are any.
fn table(functions: &[&Function]) -> String {
    let calls = functions.iter().any(|f| f.counts.calls > 0);
    let head: Vec<String> = ["kernel", "operations", "sincos", "calls", "critical path"].map(String::from).to_vec();
    let row = |f: &&Function| {
        let c = &f.counts;
        let numbers = [c.operations, c.sincos, c.calls, c.critical_path].map(|n| n.to_string());
        std::iter::once(f.name.clone()).chain(numbers).collect::<Vec<String>>()
    };
    let mut rows: Vec<Vec<String>> = std::iter::once(head).chain(functions.iter().map(row)).collect();
    if !calls {
        rows.iter_mut().for_each(|row| {
            row.remove(3);
        });
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let numbers = row.iter().zip(&widths).skip(1).map(|(cell, w)| format!("  {cell:>w$}"));
        format!("  {:w$}{}\n", row[0], numbers.collect::<String>(), w = widths[0])
    };
    rows.iter().map(line).collect()
}
