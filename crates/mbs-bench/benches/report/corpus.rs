//! Every planar mechanism of `mechanisms/`: generated, interpreted, engine.

use std::fmt::Write;

use crate::Part;
use crate::format::{mean_and_range, ns};
use crate::row::{Row, rows};

/// Times all mechanisms.
pub fn part() -> Part {
    eprintln!("timing all mechanisms");
    let rows = rows(&|name| !name.starts_with("four_bars_"));
    let mut part = Part::default();
    part.table += "### Every mechanism of the plane\n\n\
                   | mechanism | coordinates | speeds + rows | operations | generated \\[ns\\] | interpreted \\[ns\\] \
                   | engine \\[ns\\] | interpreted / generated | engine / generated |\n\
                   |---|---|---:|---:|---:|---:|---:|---:|---:|\n";
    for row in &rows {
        let [n_v, n_c] = row.case.unknowns;
        let _ = writeln!(
            part.table,
            "| {} | {} | {n_v} + {n_c} | {} | {} | {} | {} | {:.1} | {:.1} |",
            row.case.name,
            row.case.coordinates(),
            row.case.counts.operations,
            ns(row.generated),
            ns(row.interpreted),
            ns(row.engine),
            row.interpreter_ratio(),
            row.engine_ratio()
        );
    }
    let ratios = |of: &dyn Fn(&Row) -> f64| mean_and_range(&rows.iter().map(of).collect::<Vec<_>>());
    let _ = writeln!(
        part.findings,
        "- All mechanisms of the plane: the engine takes {}, the interpreter {} the time of generated code.",
        ratios(&Row::engine_ratio),
        ratios(&Row::interpreter_ratio)
    );
    let mut spreads: Vec<f64> = rows.iter().map(|row| row.spread).collect();
    spreads.sort_by(f64::total_cmp);
    let _ = writeln!(
        part.noise,
        "- Noise of this run: for half of the mechanisms the quartiles of no time are further apart than {:.0} % of its median.",
        100.0 * spreads[spreads.len() / 2]
    );
    part
}
