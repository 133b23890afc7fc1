//! The text that describes a sound mechanism, for people: parts, mobility, redundancy, sizes, costs.

use mbs_check::FreeMotion;
use mbs_compiler::compile::{Alternative, Compiled};
use mbs_compiler::program::Function;
use mbs_model::{Model, RowLevel};

/// Name, parts, mobility with the free motions, and sizes. `motions` is none if they were not computed: too many freedoms, or a
/// singular pose.
pub fn facts(compiled: &Compiled, motions: Option<&[FreeMotion]>) -> String {
    let described = [("parts", parts(&compiled.model)), ("coordinates", coordinates(compiled))];
    let alternatives = compiled.alternatives.iter().map(|a| ("costs", alternative(a)));
    let mobility = mobility(compiled, motions.unwrap_or_default());
    let facts = described.into_iter().chain(alternatives).chain([("rows", rows(compiled)), ("mobility", mobility)]);
    let sizes = [("values", values(&compiled.model)), ("nonzeros", nonzeros(compiled))];
    let moves = moves(compiled, motions).into_iter().map(|text| ("moves", text));
    let facts = facts.chain(moves).chain(sizes);
    let facts: String = facts.map(|(name, text)| fact(name, &text)).collect();
    format!("{}\n{facts}", compiled.model.header.name)
}

/// A line for each degree of freedom.
fn moves(compiled: &Compiled, motions: Option<&[FreeMotion]>) -> Vec<String> {
    let free = compiled.checked.freedoms;
    let Some(motions) = motions else {
        return vec!["not listed: more than 40 freedoms, or a singular pose".to_owned()];
    };
    let prescribed = compiled.tree.prescribed.iter().map(|p| {
        let joint = compiled.model.joint(p.joint);
        let equation = &compiled.model.equations[p.equation].name;
        format!("`{}.{}` as `{equation}` prescribes", joint.name, joint.coordinates[usize::from(p.coordinate)].0)
    });
    let numbered = |(i, text): (usize, String)| if free > 1 { format!("{}: {text}", i + 1) } else { text };
    prescribed.chain(motions.iter().map(FreeMotion::to_string)).enumerate().map(numbered).collect()
}

/// A line of a summary.
pub fn fact(name: &str, text: &str) -> String {
    format!("  {name:11}  {text}\n")
}

/// Table of the costs of each kernel.
pub fn costs(compiled: &Compiled) -> String {
    table(&costly(compiled))
}

/// "3 bodies", "1 body", "0 rows".
fn number_of(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn parts(model: &Model) -> String {
    let lists = [
        (model.bodies.len(), "body", "bodies"),
        (model.joints.len(), "joint", "joints"),
        (model.loads.forces.len(), "force", "forces"),
        (model.equations.len(), "equation", "equations"),
    ];
    let some = lists.iter().filter(|(n, ..)| *n > 0);
    let some: Vec<String> = some.map(|(n, one, many)| number_of(*n, one, many)).collect();
    if some.is_empty() { "none".to_owned() } else { some.join(", ") }
}

fn coordinates(compiled: &Compiled) -> String {
    let chosen = if compiled.alternatives.is_empty() { "" } else { ", the cheapest by estimated time" };
    format!("{}: {}{chosen}", compiled.model.coordinates_word(), number_of(compiled.tree.n(), "speed", "speeds"))
}

/// A choice of coordinates with its cost.
fn alternative(alternative: &Alternative) -> String {
    let (word, [speeds, rows]) = (alternative.formulation.word(), alternative.size);
    match alternative.cost {
        Ok(counts) => format!("{word}: {:.0} ns, {speeds} + {rows} unknowns, {counts}", counts.nanoseconds()),
        Err(code) => format!("{word}: does not compile, {code}"),
    }
}

/// Number of rows that first exist at a level.
pub fn rows_at(compiled: &Compiled, level: RowLevel) -> usize {
    compiled.tree.rows.iter().filter(|r| r.level == level).count()
}

/// Numbers of constraint rows. They are independent: the check has refused dependent rows, or left them out.
fn rows(compiled: &Compiled) -> String {
    let (all, left_out) = (compiled.tree.rows.len(), compiled.tree.redundant.rows.len());
    let levels = [
        (rows_at(compiled, RowLevel::Position), "of positions"),
        (rows_at(compiled, RowLevel::Velocity), "of velocities"),
        (rows_at(compiled, RowLevel::Acceleration), "of accelerations"),
    ];
    let some: Vec<String> = levels.iter().filter(|l| l.0 > 0).map(|(n, level)| format!("{n} {level}")).collect();
    let some = some.join(", ")
        + &match compiled.tree.n_intrinsic() {
            0 => String::new(),
            intrinsic => format!(" ({intrinsic} intrinsic, {} extrinsic)", all - intrinsic),
        };
    match all {
        0 if left_out > 0 => format!("none, {left_out} redundant left out"),
        _ if left_out > 0 => format!("{some}, independent, {left_out} redundant left out"),
        0 => "none: nothing is redundant".to_owned(),
        1 => format!("{some}, independent"),
        _ => format!("{some}, all independent: nothing is redundant"),
    }
}

fn mobility(compiled: &Compiled, motions: &[FreeMotion]) -> String {
    let (free, left) = (compiled.checked.freedoms, compiled.degrees_of_freedom());
    let freedoms = number_of(free, "freedom", "freedoms");
    let driven = match (free, free - left) {
        (0, _) => "none: nothing can move".to_owned(),
        (_, 0) => format!("{freedoms}, none of them driven").replace("1 freedom, none of them", "1 freedom, not"),
        (1, 1) => "1 freedom, driven: the motion is prescribed".to_owned(),
        (_, driven) if left == 0 => format!("{freedoms}, all {driven} driven: the motion is prescribed"),
        (_, driven) => format!("{freedoms}, {driven} of them driven: {left} left"),
    };
    let massless = if compiled.checked.solvable { "" } else { "; without mass: kinematics only" };
    let internal = match motions.iter().filter(|motion| motion.is_internal).count() {
        0 => String::new(),
        1 if free == 1 => "; it is internal".to_owned(),
        1 => "; 1 of them is internal".to_owned(),
        n => format!("; {n} of them are internal"),
    };
    format!("{driven}{internal}{massless}")
}

fn values(model: &Model) -> String {
    let discrete = model.n_discrete();
    let outputs: usize = model.outputs.iter().map(|o| o.values.len()).sum();
    [
        number_of(Model::flat_size(&model.quantities.parameters), "parameter", "parameters"),
        number_of(Model::flat_size(&model.quantities.inputs), "input", "inputs"),
        number_of(model.n_z() - discrete, "state", "states"),
        number_of(outputs, "output", "outputs"),
    ]
    .into_iter()
    .chain((discrete > 0).then(|| number_of(discrete, "discrete variable", "discrete variables")))
    .chain((!model.events.is_empty()).then(|| number_of(model.events.len(), "event", "events")))
    .collect::<Vec<_>>()
    .join(", ")
}

fn nonzeros(compiled: &Compiled) -> String {
    let (n, rows) = (compiled.tree.n(), compiled.tree.rows.len());
    let (mass, jacobian) = compiled.nonzeros;
    let mut text = format!("{mass} of {} in M (lower triangle)", n * (n + 1) / 2);
    if rows > 0 {
        text.push_str(&format!(", {jacobian} of {} in G", n * rows));
    }
    text + ", solver coordinates"
}

/// Functions with at least one operation, sin-cos pair or call.
pub fn costly(compiled: &Compiled) -> Vec<&Function> {
    let all = std::iter::once(&compiled.program.prepare).chain(&compiled.program.functions);
    all.filter(|f| f.counts.operations + f.counts.sincos + f.counts.calls > 0).collect()
}

/// A table with aligned columns; `calls` is a column only if there are any.
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
