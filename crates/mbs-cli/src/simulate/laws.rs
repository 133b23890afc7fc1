//! Inputs as a law of time: constants, expressions, series.

use std::ops::Range;
use std::path::Path;

use mbs_model::Model;

use super::expression::Expression;
use super::series::Series;
use super::values::{Parsed, check_size, find_quantity, parse_assignment, parse_value};
use crate::failure::Failure;

/// The inputs u(t). Inputs that are not given are zero.
pub struct Law {
    series: Option<Series>,
    /// Flat index of the input that each column of the series sets.
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
            let location = file.map_or_else(String::new, |path| path.display().to_string());
            let range = find_quantity("input", name, &model.quantities.inputs).map_err(|e| e.in_file(&location))?;
            if range.len() > 1 {
                let message =
                    format!("{location}: input `{name}` has {} values: give each a column, `{name}[0]`", range.len());
                return Err(Failure::Usage(message));
            }
            law.columns.push(range.start);
        }
        for option in options {
            let given = parse_assignment(option, "--input")?;
            let range = find_quantity("input", &given.name, &model.quantities.inputs)?;
            match parse_value(&given)? {
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

    /// Overwrites u, of n_u values, with all inputs at time t \[s\].
    pub fn write(&self, t: f64, u: &mut [f64]) {
        u.fill(0.0);
        for (column, index) in self.columns.iter().enumerate() {
            u[*index] = self.series.as_ref().map_or(0.0, |s| s.value_at(column, t));
        }
        for (index, value) in &self.constants {
            u[*index] = *value;
        }
        for (range, expression) in &self.expressions {
            u[range.clone()].copy_from_slice(&expression.value_at(t));
        }
    }
}
