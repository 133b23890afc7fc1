//! Values by name: `--param`, `--params-file`, and the values of `--input`.

use std::ops::Range;
use std::path::Path;

use mbs::{Describe, Engine, Error};
use mbs_model::Quantity;
use serde_json::Value;

use super::expression::Expression;
use crate::failure::{Failure, unknown};

/// `name = value` as given.
pub struct Given {
    pub name: String,
    pub value: String,
    /// `params.txt:3`, or the option.
    location: String,
    origin: Origin,
}

/// The origin of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    CommandLine,
    File,
}

impl Given {
    /// A failure with this message about the value.
    pub fn failure(&self, message: impl std::fmt::Display) -> Failure {
        let Given { name, value, location, origin } = self;
        Failure::Usage(match origin {
            Origin::CommandLine => format!("`{location} {name}={value}`: {message}"),
            Origin::File => format!("{location}: `{name} = {value}`: {message}"),
        })
    }

    /// Adds the location in the file to a failure that contains the name itself.
    fn locate(&self, failure: Failure) -> Failure {
        let location = if self.origin == Origin::File { &self.location } else { "" };
        failure.in_file(location)
    }
}

/// The parameters that are given: the lines of the file first, then those of the command line, which override them.
pub fn read_parameters(options: &[String], file: Option<&Path>) -> Result<Vec<Given>, Failure> {
    let mut given = match file {
        Some(path) => read_file(path)?,
        None => Vec::new(),
    };
    for option in options {
        given.push(parse_assignment(option, "--param")?);
    }
    Ok(given)
}

/// Reads `name=value` of the command line.
pub fn parse_assignment(text: &str, option: &str) -> Result<Given, Failure> {
    let parts = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    match parts {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            let location = option.to_owned();
            Ok(Given { name: name.to_owned(), value: value.to_owned(), location, origin: Origin::CommandLine })
        }
        _ => Err(Failure::Usage(format!("`{option} {text}`: write `{option} NAME=VALUE`"))),
    }
}

fn read_file(path: &Path) -> Result<Vec<Given>, Failure> {
    let text = mbs_syntax::read_text(path).map_err(|e| Failure::io(path, e))?;
    let file = path.display();
    if text.trim_start().starts_with('{') {
        let object: serde_json::Map<String, Value> =
            serde_json::from_str(&text).map_err(|e| Failure::Usage(format!("{file}: {e}")))?;
        let location = file.to_string();
        let given = |(name, value): (String, Value)| Given {
            name,
            value: value.to_string(),
            location: location.clone(),
            origin: Origin::File,
        };
        return Ok(object.into_iter().map(given).collect());
    }
    let mut list = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let text = text.split('#').next().unwrap_or("").trim();
        if text.is_empty() {
            continue;
        }
        let location = format!("{file}:{}", line + 1);
        match text.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
            Some((name, value)) if !name.is_empty() && !value.is_empty() => {
                list.push(Given { name: name.to_owned(), value: value.to_owned(), location, origin: Origin::File });
            }
            _ => return Err(Failure::Usage(format!("{location}: write `name = value`"))),
        }
    }
    Ok(list)
}

/// Sets the parameters of an engine. Parameters whose defaults are expressions of them follow, unless they are given too. Returns the
/// flat indices of the parameters that followed.
pub fn set_parameters(engine: &mut Engine, given: &[Given]) -> Result<Vec<usize>, Failure> {
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let mut flat = engine.parameters().to_vec();
    let mut is_set = vec![false; flat.len()];
    for one in given {
        let range =
            find_quantity("parameter", &one.name, &engine.model().quantities.parameters).map_err(|e| one.locate(e))?;
        is_set[range.clone()].fill(true);
        match parse_value(one)? {
            Parsed::Numbers(values) => copy_values(&mut flat[range.clone()], &values, one)?,
            Parsed::Law(law) => {
                let values = law.value_at(0.0);
                if values != law.value_at(1.0) {
                    return Err(one.failure("a parameter cannot depend on time"));
                }
                copy_values(&mut flat[range.clone()], &values, one)?;
            }
        }
    }
    let followed = engine.model().update_derived(&mut flat, &|k| is_set[k]);
    engine.set_parameters(&flat).map_err(|error| explain_refusal(engine, error))?;
    Ok(followed)
}

/// The failure of an engine that refuses its parameters.
fn explain_refusal(engine: &Engine, error: Error) -> Failure {
    Failure::Usage(match error {
        Error::ParameterOutsideDomain { parameter, value } => {
            let model = engine.model();
            let contains = |q: &&Quantity| (q.offset..q.offset + q.size()).contains(&parameter);
            let quantity = model.quantities.parameters.iter().find(contains);
            let domain = match quantity.map(|q| q.domain) {
                Some(mbs_model::Domain::Positive) => "it has to be positive",
                Some(mbs_model::Domain::NonNegative) if value < 0.0 => "it must not be negative",
                _ if value.is_finite() => "the equations have no solution with it",
                _ => "it has to be finite",
            };
            format!("parameter `{}` is {value}: {domain}", engine.name(mbs::Item::Parameter(parameter)))
        }
        error => format!("the parameters are refused: {error}"),
    })
}

/// The flat indices of a quantity, or of one component of it: `gains`, `gains[1]`, `table[0][1]`.
pub fn find_quantity(kind: &str, name: &str, quantities: &[Quantity]) -> Result<Range<usize>, Failure> {
    let plain: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    let mut known = Vec::new();
    for q in quantities {
        if q.name == plain {
            return Ok(q.offset..q.offset + q.size());
        }
        for (k, component) in components(q).into_iter().enumerate() {
            if component == plain {
                return Ok(q.offset + k..q.offset + k + 1);
            }
            known.push(component);
        }
        if !q.shape.is_empty() {
            known.push(q.name.clone());
        }
    }
    Err(unknown(kind, name, &known))
}

/// Names of the scalars of a quantity.
fn components(q: &Quantity) -> Vec<String> {
    match q.shape[..] {
        [] => vec![q.name.clone()],
        [_, columns] => (0..q.size()).map(|k| format!("{}[{}][{}]", q.name, k / columns, k % columns)).collect(),
        _ => (0..q.size()).map(|k| format!("{}[{k}]", q.name)).collect(),
    }
}

/// Overwrites the scalars of a quantity with the values given for it.
fn copy_values(target: &mut [f64], values: &[f64], given: &Given) -> Result<(), Failure> {
    check_size(target.len(), values.len(), given)?;
    target.copy_from_slice(values);
    Ok(())
}

/// Refuses another number of values than the quantity has.
pub fn check_size(wanted: usize, found: usize, given: &Given) -> Result<(), Failure> {
    if wanted == found {
        return Ok(());
    }
    let s = if wanted == 1 { "" } else { "s" };
    Err(given.failure(format!("{wanted} value{s} wanted, {found} given")))
}

/// A value that has been read.
pub enum Parsed {
    /// A number, or lists of them, flat.
    Numbers(Vec<f64>),
    /// An expression.
    Law(Expression),
}

/// Reads a value: a number, `[1, 2]`, or an expression of the language.
pub fn parse_value(given: &Given) -> Result<Parsed, Failure> {
    if let Ok(x) = given.value.parse::<f64>() {
        if !x.is_finite() {
            return Err(given.failure("the number is not finite"));
        }
        return Ok(Parsed::Numbers(vec![x]));
    }
    let numbers = serde_json::from_str::<Value>(&given.value).ok().and_then(|value| flatten(&value));
    let law = || Expression::new(&given.value).map(Parsed::Law).map_err(|mistake| given.failure(mistake));
    numbers.map_or_else(law, |numbers| Ok(Parsed::Numbers(numbers)))
}

/// The numbers of a number or of nested lists of them, in order.
fn flatten(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Number(x) => x.as_f64().map(|x| vec![x]),
        Value::Array(list) => {
            let parts: Option<Vec<Vec<f64>>> = list.iter().map(flatten).collect();
            parts.map(|p| p.concat())
        }
        _ => None,
    }
}
