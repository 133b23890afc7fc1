//! Cycle tables as text, Markdown and comma-separated values.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use super::{CycleColumn, CycleTable};

/// Names of the rows below the table.
const SUMMARY: [&str; 4] = ["min", "max", "mean", "rms"];

impl CycleTable {
    /// A Markdown table: the angle in degrees, the columns to six digits, then `min`, `max`, `mean` and `rms`.
    pub fn to_markdown(&self) -> String {
        let [head, rows, summary] = self.cells();
        let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
        let escaped: Vec<String> = head[0].iter().map(|name| name.replace('|', "\\|")).collect();
        let rule = vec!["---:".to_owned(); escaped.len()];
        [escaped, rule].iter().chain(&rows).chain(&summary).map(line).collect()
    }

    /// Writes comma-separated values with all digits: `angle` \[rad\] and `t` \[s\], then the columns. `min`, `max`, `mean` and `rms` are not
    /// written.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn to_csv(&self, mut out: impl Write) -> io::Result<()> {
        let names = self.columns.iter().map(|column| crate::csv::quote(column.name.clone()));
        let header: Vec<String> = ["angle".to_owned(), "t".to_owned()].into_iter().chain(names).collect();
        writeln!(out, "{}", header.join(","))?;
        let mut line = String::new();
        for (row, (angle, time)) in self.angles.iter().zip(&self.times).enumerate() {
            line.clear();
            let values = self.columns.iter().map(|column| column.values[row]);
            [*angle, *time].into_iter().chain(values).for_each(|x| crate::csv::push(&mut line, x));
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// Writes a CSV file: [`CycleTable::to_csv`]. Missing folders of the path are made.
    ///
    /// # Errors
    /// Those of creating and writing the file.
    pub fn write_csv(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let mut file = io::BufWriter::new(crate::csv::create(path.as_ref())?);
        self.to_csv(&mut file)?;
        file.flush()
    }

    /// Heading, rows and summary as text.
    fn cells(&self) -> [Vec<Vec<String>>; 3] {
        let head = ["angle [°]".to_owned()].into_iter().chain(self.columns.iter().map(|column| column.name.clone()));
        let row = |(i, angle): (usize, &f64)| -> Vec<String> {
            let values = self.columns.iter().map(|column| format_number(column.values[i]));
            [format_number(angle.to_degrees())].into_iter().chain(values).collect()
        };
        let summaries = |column: &CycleColumn| [column.minimum, column.maximum, column.mean, column.rms];
        let summary = |(i, name): (usize, &&str)| -> Vec<String> {
            let values = self.columns.iter().map(|column| format_number(summaries(column)[i]));
            [(*name).to_owned()].into_iter().chain(values).collect()
        };
        let rows = self.angles.iter().enumerate().map(row).collect();
        [vec![head.collect()], rows, SUMMARY.iter().enumerate().map(summary).collect()]
    }
}

impl fmt::Display for CycleTable {
    /// The table with aligned columns and a rule above `min`, `max`, `mean` and `rms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks = self.cells();
        let width = |i: usize| blocks.iter().flatten().map(|cells| cells[i].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..=self.columns.len()).map(width).collect();
        let total = widths.iter().sum::<usize>() + 2 * self.columns.len();
        for (i, block) in blocks.iter().enumerate() {
            if i > 0 {
                writeln!(f, "{}", "-".repeat(total))?;
            }
            for cells in block {
                let aligned = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
                writeln!(f, "{}", aligned.collect::<Vec<_>>().join("  "))?;
            }
        }
        Ok(())
    }
}

/// A number with six digits, and with an exponent where there would be many zeros.
fn format_number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e7).contains(&size) {
        return format!("{x:.5e}");
    }
    let digits = (5.0 - size.log10().floor()).max(0.0) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::format_number;

    #[test]
    fn numbers_have_six_digits() {
        let shown = [0.0, 1.0, -0.25, 1234.5678, 123456.78, 9999999.9, 1.0e7, 3.1e-5, 0.0001234567, 359.99999999]
            .map(format_number);
        assert_eq!(
            shown,
            ["0", "1", "-0.25", "1234.57", "123457", "10000000", "1.00000e7", "3.10000e-5", "0.000123457", "360"]
        );
    }
}
