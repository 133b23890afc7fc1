//! The rustdoc of a generated mechanism: coordinates, equations, costs, and the location of each textbook concept.

use std::fmt::Write;

use mbs_definition::Space;
use mbs_physics::{Prescribed, Redundant};

use mbs_compiler::compile::Compiled;
use mbs_compiler::kernels::HessianEntry;

/// Documentation of the module.
pub fn module(compiled: &Compiled) -> String {
    format!("The mechanism `{}`, compiled.", compiled.model.header.name)
}

/// Documentation of the type.
pub fn mechanism(compiled: &Compiled) -> String {
    let (model, tree) = (&compiled.model, &compiled.tree);
    let mut text = String::new();
    let mut line = |s: String| {
        let _ = writeln!(text, "{s}");
    };
    if !model.header.docs.is_empty() {
        line(model.header.docs.clone());
        line(String::new());
    }
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let spatial = model.space == Space::Spatial;
    let coordinates = if spatial { format!("{}, ", plural(tree.n_q(), "coordinate")) } else { String::new() };
    line(format!(
        "M(q, t) a + Gᵀ λ = Q(q, v, u, t, z), G a = γ: {coordinates}{}, {}, {}.",
        plural(tree.n(), "speed"),
        plural(tree.rows.len(), "row"),
        plural(compiled.checked.freedoms, "freedom"),
    ));
    line(format!(
        "M has {} nonzeros (lower triangle, solver coordinates), G has {}.",
        compiled.nonzeros.0, compiled.nonzeros.1
    ));
    super::functions::docs(&model.functions).into_iter().for_each(&mut line);
    coordinate_tables(compiled).into_iter().for_each(&mut line);
    if !tree.rows.is_empty() {
        let (head, rule) = if model.settings.kernels.hessians { (" second derivatives |", "---|") } else { ("", "") };
        line(format!("\n# Constraint rows\n\n| i | row | level |{head}\n|---|---|---|{rule}"));
        for (i, row) in tree.rows.iter().enumerate() {
            line(format!("| {i} | `{}` | {:?} |{}", row.name, row.level, second_derivatives(compiled, i)));
        }
    }
    prescribed_table(compiled).into_iter().for_each(&mut line);
    redundant(compiled).into_iter().for_each(&mut line);
    line(
        "\n# Cost\n\n| kernel | operations | sincos | other calls | critical path |\n|---|---|---|---|---|".to_owned(),
    );
    let costly =
        compiled.program.functions.iter().filter(|f| f.counts.operations + f.counts.sincos + f.counts.calls > 0);
    for f in costly {
        let c = &f.counts;
        line(format!("| `{}` | {} | {} | {} | {} |", f.name, c.operations, c.sincos, c.calls, c.critical_path));
    }
    line(String::new());
    let (rows, gamma) = (compiled.stage_of_rows(), compiled.stage_of_gamma());
    let hessian = match model.settings.kernels.hessians {
        true => format!("| its derivatives ∂G/∂q | [`{rows}::hessians`], of Gᵀ μ [`{rows}::constraint_hessian`] |\n"),
        false => String::new(),
    };
    line(format!(
        "# From the textbook to the code\n\n| concept | where |\n|---|---|\n\
         | mass matrix M | [`Position::mass_matrix`] |\n\
         | constraint functions Φ | [`Position::position_residuals`] |\n\
         | constraint Jacobian G | [`{rows}::constraint_jacobian`] |\n\
         {hessian}| right side ν of the velocity equations | [`{rows}::nu`] |\n\
         | right side γ of the acceleration equations | [`{gamma}::gamma`] |\n\
         | generalised forces Q | [`Motion::generalized_forces`] |\n\
         | accelerations and multipliers | `accelerations`, [`Velocity::accelerate`] |\n\
         | any other right side | [`{rows}::solve`] |"
    ));
    line(match compiled.function("coordinate_rates") {
        None => "| q̇ = N v | N is the identity |".to_owned(),
        Some(_) => "| q̇ = N v | [`Velocity::coordinate_rates`] |".to_owned(),
    });
    text
}

/// Dependence of the second derivatives of a row, if `kernels` requests them.
fn second_derivatives(compiled: &Compiled, row: usize) -> String {
    if !compiled.model.settings.kernels.hessians {
        return String::new();
    }
    let entries: Vec<&HessianEntry> = compiled.hessians.iter().filter(|e| e.row == row).collect();
    let depend = match &entries[..] {
        [] => "zero",
        entries if entries.iter().all(|e| e.value.is_some()) => "constant",
        entries if entries.iter().all(|e| e.fixed) => "of parameters",
        _ => "of the state",
    };
    format!(" {depend} |")
}

/// Coordinates that `prescribe` eliminates.
fn prescribed_table(compiled: &Compiled) -> Vec<String> {
    let (model, all) = (&compiled.model, &compiled.tree.prescribed);
    if all.is_empty() {
        return Vec::new();
    }
    let row = |p: &Prescribed| {
        let joint = model.joint(p.joint);
        let coordinate = &joint.coordinates[usize::from(p.coordinate)].0;
        format!("| `{}.{coordinate}` | `{}` |", joint.name, model.equations[p.equation].name)
    };
    let head =
        "\n# Prescribed coordinates\n\nFunctions of time, and therefore none of q.\n\n| coordinate | by |\n|---|---|";
    std::iter::once(head.to_owned()).chain(all.iter().map(row)).collect()
}

/// Rows that `redundant: resolve;` has removed.
fn redundant(compiled: &Compiled) -> Vec<String> {
    let Redundant { rows, sharing } = &compiled.tree.redundant;
    if rows.is_empty() {
        return Vec::new();
    }
    let quoted = |names: Vec<&str>| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    let (rows, sharing) =
        (quoted(rows.iter().map(|r| r.name.as_str()).collect()), quoted(sharing.iter().map(String::as_str).collect()));
    vec![
        "\n# Redundant rows\n".to_owned(),
        format!(
            "Left out, because other rows imply them, with multipliers that count as zero: {rows} ([`REDUNDANT`])."
        ),
        format!(
            "How {sharing} share their load is not determined by the equations of motion: reactions are one of many \
             distributions. Accelerations are unique."
        ),
    ]
}

/// Contents of q and v: one table if speeds are the rates of coordinates, two in space.
fn coordinate_tables(compiled: &Compiled) -> Vec<String> {
    let (model, tree) = (&compiled.model, &compiled.tree);
    let mut lines = Vec::new();
    if model.space == Space::Planar {
        lines.push("\n# Coordinates\n\n| i | q | v |\n|---|---|---|".to_owned());
        let row = |i| format!("| {i} | `{}` | `{}` |", tree.coordinate_name(model, i), tree.speed_name(model, i));
        lines.extend((0..tree.n()).map(row));
        return lines;
    }
    lines.push("\n# Coordinates\n\n| i | q |\n|---|---|".to_owned());
    lines.extend((0..tree.n_q()).map(|i| format!("| {i} | `{}` |", tree.coordinate_name(model, i))));
    lines.push("\n# Speeds\n\n| i | v |\n|---|---|".to_owned());
    lines.extend((0..tree.n()).map(|i| format!("| {i} | `{}` |", tree.speed_name(model, i))));
    lines
}
