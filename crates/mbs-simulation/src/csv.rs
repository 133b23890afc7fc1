//! Comma-separated values.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::{Recording, Table};

impl Recording {
    /// Writes a CSV file: [`Recording::to_csv`]. Missing folders of the path are made.
    ///
    /// # Errors
    /// Those of creating and writing the file.
    pub fn write_csv(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let mut file = BufWriter::new(create(path.as_ref())?);
        self.to_csv(&mut file)?;
        file.flush()
    }

    /// Writes comma-separated values: one header line, then one line per recorded time.
    ///
    /// - Columns: `t`, then every table as `symbol.name` (`q.crank.angle`, `lambda.crank_pin.x`, `output.stroke`,
    ///   `energy.kinetic`, `error.position`, `reaction.crank_pin.x`; `q[0]` where there is no name), then
    ///   `reaction.name.point.x y z`, `body.name.x y z e0 e1 e2 e3` and `marker.name.x y z`, each component a column.
    /// - Numbers are the shortest decimals that are read as the same `f64`; names with commas or quotes are quoted.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn to_csv(&self, mut out: impl Write) -> io::Result<()> {
        writeln!(out, "{}", header(self).join(","))?;
        let mut line = String::new();
        for row in 0..self.len() {
            line.clear();
            push(&mut line, self.times()[row]);
            for column in self.tables().iter().flat_map(Table::columns) {
                push(&mut line, column[row]);
            }
            for points in self.reaction_points() {
                points[row].iter().for_each(|x| push(&mut line, *x));
            }
            for body in self.bodies() {
                body.positions[row].iter().chain(&body.attitudes[row]).for_each(|x| push(&mut line, *x));
            }
            for marker in self.markers() {
                marker.positions[row].iter().for_each(|x| push(&mut line, *x));
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

/// Names of the columns.
fn header(recording: &Recording) -> Vec<String> {
    let mut header = vec!["t".to_owned()];
    for table in recording.tables() {
        let symbol = table.quantity().symbol();
        header.extend(table.names().iter().enumerate().map(|(i, name)| {
            if *name == format!("{symbol}[{i}]") { name.clone() } else { quote(format!("{symbol}.{name}")) }
        }));
    }
    for (joint, _) in recording.joints().iter().zip(recording.reaction_points()) {
        header.extend(["x", "y", "z"].map(|c| quote(format!("reaction.{}.point.{c}", joint.name))));
    }
    for body in recording.bodies() {
        let components = ["x", "y", "z", "e0", "e1", "e2", "e3"];
        header.extend(components.map(|c| quote(format!("body.{}.{c}", body.name))));
    }
    for marker in recording.markers() {
        header.extend(["x", "y", "z"].map(|c| quote(format!("marker.{}.{c}", marker.name))));
    }
    header
}

/// Creates a file, with missing folders of its path.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create(path)
}

/// A field with the quotes of RFC 4180.
pub(crate) fn quote(field: String) -> String {
    if field.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

/// Appends a number, after a comma unless it is the first.
pub(crate) fn push(line: &mut String, x: f64) {
    if !line.is_empty() {
        line.push(',');
    }
    crate::json::push_number(line, x, ["NaN", "inf", "-inf"]);
}
