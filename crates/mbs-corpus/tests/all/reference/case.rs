//! Reading the cases of `tests/reference/`.

use std::fs;
use std::path::Path;

use mbs_interp::Interpreted;
use mbs_model::Formulation;
use serde_json::Value;

use crate::mechanisms::harness::{compiled_fma, fresh};
use crate::reference::figures::Accuracy;

/// One file: parameters, initial conditions, results.
pub struct Case {
    /// The file's stem.
    pub name: String,
    json: Value,
}

impl Case {
    pub fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/reference/{name}.json"));
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let json = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        Case { name: name.to_owned(), json }
    }

    /// The JSON value at a path such as `reference/at_t2`.
    pub fn value(&self, path: &str) -> &Value {
        path.split('/').fold(&self.json, |value, key| match value.get(key) {
            Some(inner) => inner,
            None => panic!("{}: no `{key}` of `{path}`", self.name),
        })
    }

    pub fn number_at(&self, path: &str) -> f64 {
        self.value(path).as_f64().unwrap_or_else(|| panic!("{}: `{path}` is not a number", self.name))
    }

    pub fn numbers_at(&self, path: &str) -> Vec<f64> {
        let list = self.value(path).as_array().unwrap_or_else(|| panic!("{}: `{path}` is not a list", self.name));
        list.iter().map(|x| x.as_f64().expect("a number")).collect()
    }

    /// A number of `parameters`.
    pub fn parameter(&self, name: &str) -> f64 {
        self.number_at(&format!("parameters/{name}"))
    }

    /// Stated accuracy of the reference values themselves.
    pub fn accuracy(&self) -> f64 {
        self.number_at("accuracy/abs")
    }

    /// A column of `reference.series`.
    pub fn series(&self, column: &str) -> Vec<f64> {
        self.column("reference/series", column)
    }

    /// A column of the table at a path.
    pub fn column(&self, table: &str, column: &str) -> Vec<f64> {
        let columns = self.value(&format!("{table}/columns")).as_array().expect("a list of columns");
        let position = columns.iter().position(|c| c.as_str() == Some(column));
        let i = position.unwrap_or_else(|| panic!("{}: no column `{column}`", self.name));
        let rows = self.value(&format!("{table}/rows")).as_array().expect("a list of rows");
        rows.iter().map(|row| row[i].as_f64().expect("a number")).collect()
    }

    /// Times of `reference.series`.
    pub fn times(&self) -> Vec<f64> {
        self.series("t")
    }

    /// Times at which a crank that starts at zero with the case's `omega` has the angles of the table at a path.
    pub fn crank_times(&self, table: &str) -> Vec<f64> {
        let omega = self.parameter("omega");
        self.column(table, "theta_deg").into_iter().map(|degrees| degrees.to_radians() / omega).collect()
    }

    /// Stated accuracy, relative to the largest value.
    pub fn relative_accuracy(&self) -> Accuracy {
        Accuracy::Relative(self.number_at("accuracy/rel"))
    }
}

/// `for_both_formulations!(stem { parameter: value, … } => check(argument, …))` calls `check(coordinates, &mechanism, argument, …)` for a mechanism
/// of `mechanisms/` in body and in joint coordinates; other parameters keep their defaults. The mechanisms are interpreted: compiled code
/// has the interpreter's bits (`mechanisms/differential.rs`), and those are compared as well for which rustc would take longest.
macro_rules! for_both_formulations {
    ($stem:ident { $($field:ident: $value:expr),* $(,)? } => $check:ident($($argument:expr),*)) => {
        $crate::reference::case::for_each_of!(Body Joint: $stem { $($field: $value),* } => $check($($argument),*))
    };
}
pub(crate) use for_both_formulations;

/// `for_every_formulation!` also calls `check` for the mechanism in natural coordinates; see [`for_both_formulations!`].
macro_rules! for_every_formulation {
    ($stem:ident { $($field:ident: $value:expr),* $(,)? } => $check:ident($($argument:expr),*)) => {
        $crate::reference::case::for_each_of!(Body Joint Natural: $stem { $($field: $value),* } => $check($($argument),*))
    };
}
pub(crate) use for_every_formulation;

/// Formulations of [`for_both_formulations!`] and [`for_every_formulation!`]: the full tier checks each, a landing one for each case.
macro_rules! for_each_of {
    ($($formulation:ident)*: $stem:ident { $($field:ident: $value:expr),* } => $check:ident($($argument:expr),*)) => {{
        let formulations = [$(mbs_model::Formulation::$formulation),*];
        for (k, formulation) in formulations.into_iter().enumerate() {
            if $crate::tiers::is_in_turn(concat!(stringify!($stem), " ", stringify!($check)), k, formulations.len()) {
                let parameters: &[(&str, &[f64])] =
                    &[$((stringify!($field), &$crate::reference::case::Flat::flat(&$value))),*];
                let mechanism = $crate::reference::case::with_parameters(stringify!($stem), formulation, parameters);
                $check(&format!("{formulation:?}").to_lowercase(), &mechanism $(, $argument)*);
            }
        }
    }};
}
pub(crate) use for_each_of;

/// A mechanism of `mechanisms/` in one formulation with some of its parameters.
pub fn with_parameters(stem: &str, formulation: Formulation, parameters: &[(&str, &[f64])]) -> Interpreted {
    let mut mechanism = fresh(stem, formulation, compiled_fma());
    let mut values = mechanism.parameters().to_vec();
    for (name, value) in parameters {
        let first = if value.len() > 1 { format!("{name}[0]") } else { (*name).to_owned() };
        let index = mechanism.parameter_index(&first).unwrap_or_else(|| panic!("no parameter `{first}`"));
        values[index..][..value.len()].copy_from_slice(value);
    }
    mechanism.set_parameters(&values).expect("parameters in their domain");
    mechanism
}

/// The numbers of a parameter.
pub trait Flat {
    fn flat(&self) -> Vec<f64>;
}

impl Flat for f64 {
    fn flat(&self) -> Vec<f64> {
        vec![*self]
    }
}

impl<const N: usize> Flat for [f64; N] {
    fn flat(&self) -> Vec<f64> {
        self.to_vec()
    }
}
