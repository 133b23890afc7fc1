//! Inputs as a law of time: constants, expressions, series.

use std::ops::Range;
use std::path::Path;

use mbs_model::Model;

use super::expression::Expression;
use super::series::Series;
use super::values::{Parsed, assignment, check_size, find, parse};
use crate::failure::Failure;

/// u(t). Inputs that are not given are zero.
pub struct Law {
    series: Option<Series>,
    /// Flat index of each column.
    columns: Vec<usize>,
    constants: Vec<(usize, f64)>,
    expressions: Vec<(Range<usize>, Expression)>,
}

impl Law {
    /// Reads the law from the options `--input` and `--inputs-file`.
    pub fn new(model: &Model, options: &[String], file: Option<&Path>) -> Result<Law, Failure> {
        let series = file.map(Series::read).transpose()?;
        let mut law = Law { series, columns: Vec::new(), constants: Vec::new(), expressions: Vec::new() };
        for (name, _) in law.series.iter().flat_map(|s| &s.columns) {
            let place = file.map_or_else(String::new, |path| path.display().to_string());
            let range = find("input", name, &model.inputs).map_err(|e| e.in_file(&place))?;
            if range.len() > 1 {
                let message =
                    format!("{place}: input `{name}` has {} values: give each a column, `{name}[0]`", range.len());
                return Err(Failure::Usage(message));
            }
            law.columns.push(range.start);
        }
        for option in options {
            let given = assignment(option, "--input")?;
            let range = find("input", &given.name, &model.inputs)?;
            match parse(&given)? {
                Parsed::Numbers(values) => {
                    check_size(range.len(), values.len(), &given)?;
                    law.constants.extend(range.zip(values));
                }
                Parsed::Law(expression) => {
                    check_size(range.len(), expression.size(), &given)?;
                    law.expressions.push((range, expression));
                }
            }
        }
        Ok(law)
    }

    /// Writes all inputs at a time.
    pub fn write(&self, t: f64, u: &mut [f64]) {
        u.fill(0.0);
        for (column, index) in self.columns.iter().enumerate() {
            u[*index] = self.series.as_ref().map_or(0.0, |s| s.at(column, t));
        }
        for (index, value) in &self.constants {
            u[*index] = *value;
        }
        for (range, expression) in &self.expressions {
            u[range.clone()].copy_from_slice(&expression.at(t));
        }
    }
}
