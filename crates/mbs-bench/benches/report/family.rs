//! N four-bars: the cost of an additional one.

use std::fmt::Write;

use mbs_bench::Executable;

use crate::Part;
use crate::format::{bytes, ns};
use crate::row::{Row, rows};

/// Smaller N of the stated growth.
const FEW: usize = 5;
/// Larger N of the stated growth.
const MANY: usize = 40;

/// Largest allowed relative growth of operations per four-bar between [`FEW`] and [`MANY`].
const BOUND: f64 = 0.3;

/// Times N four-bars for every N.
pub fn part() -> Part {
    eprintln!("timing N four-bars");
    let rows = rows(&|name| name.starts_with("four_bars_"));
    let mut part = Part::default();
    part.table += "### N four-bars\n\n\
                   N four-bars in a row: IFToMM benchmark A02, `mechanisms/n_four_bar_2.mbs` with another N.\n\n\
                   | coordinates | N | speeds + rows | operations | per four-bar | text \\[bytes\\] | generated \\[ns\\] \
                   | per four-bar | interpreted \\[ns\\] | engine \\[ns\\] | per four-bar | engine / generated |\n\
                   |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    let executable = Executable::running();
    for coordinates in ["body", "joint"] {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.case.coordinates() == coordinates).collect();
        rows.iter().for_each(|row| part.table += &line(row, &executable));
        let row_of = |n: usize| rows.iter().find(|row| four_bars(row) == n);
        if let (Some(few), Some(many)) = (row_of(FEW), row_of(MANY)) {
            part.findings += &finding(coordinates, few, many);
        }
    }
    part
}

fn four_bars(row: &Row) -> usize {
    row.case.four_bars().expect("the name ends in a number")
}

/// Operations, time of generated code and time of the engine \[ns\] per four-bar.
fn costs_per_four_bar(row: &Row) -> [f64; 3] {
    [row.case.counts.operations as f64, row.generated, row.engine].map(|x| x / four_bars(row) as f64)
}

fn line(row: &Row, executable: &Executable) -> String {
    let case = &row.case;
    let [n_v, n_c] = case.unknowns;
    let [operations, generated, engine] = costs_per_four_bar(row);
    format!(
        "| {} | {} | {n_v} + {n_c} | {} | {operations:.0} | {} | {} | {} | {} | {} | {} | {:.1} |\n",
        case.coordinates(),
        four_bars(row),
        case.counts.operations,
        bytes(executable.accelerations(case.coordinates(), case.module)),
        ns(row.generated),
        ns(generated),
        ns(row.interpreted),
        ns(row.engine),
        ns(engine),
        row.engine_ratio()
    )
}

fn finding(coordinates: &str, few: &Row, many: &Row) -> String {
    let (few, many) = (costs_per_four_bar(few), costs_per_four_bar(many));
    let mut text = format!(
        "- N four-bars in {coordinates} coordinates, from N = {FEW} to N = {MANY}: operations per four-bar grow by {:.1} % (bound: \
         {:.0} %); ",
        100.0 * (many[0] / few[0] - 1.0),
        100.0 * BOUND
    );
    let _ = writeln!(
        text,
        "time per four-bar goes from {} to {} ns in generated code and from {} to {} ns in the engine.",
        ns(few[1]),
        ns(many[1]),
        ns(few[2]),
        ns(many[2])
    );
    text
}
