//! Values by name: `--param`, `--params-file`, and the values of `--input`.

use std::ops::Range;
use std::path::Path;

use mbs::{Describe, Engine, Error};
use mbs_model::Quantity;
use serde_json::Value;

use super::expression::Expression;
use crate::failure::{Failure, unknown};

/// `name = value` as written.
pub struct Given {
    pub name: String,
    pub value: String,
    /// `params.txt:3`, or the option.
    place: String,
    from: Origin,
}

/// Where a value was given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    CommandLine,
    File,
}

impl Given {
    /// Failure with this message about the value.
    pub fn wrong(&self, message: impl std::fmt::Display) -> Failure {
        let Given { name, value, place, from } = self;
        Failure::Usage(match from {
            Origin::CommandLine => format!("`{place} {name}={value}`: {message}"),
            Origin::File => format!("{place}: `{name} = {value}`: {message}"),
        })
    }

    /// Adds the place in the file to a failure that contains the name itself.
    fn located(&self, failure: Failure) -> Failure {
        let place = if self.from == Origin::File { &self.place } else { "" };
        failure.in_file(place)
    }
}

/// Lines of a file first, then those of the command line, which go before them.
pub fn read(options: &[String], file: Option<&Path>) -> Result<Vec<Given>, Failure> {
    let mut given = match file {
        Some(path) => read_file(path)?,
        None => Vec::new(),
    };
    for option in options {
        given.push(assignment(option, "--param")?);
    }
    Ok(given)
}

/// `name=value` of the command line.
pub fn assignment(text: &str, option: &str) -> Result<Given, Failure> {
    let parts = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    match parts {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            let place = option.to_owned();
            Ok(Given { name: name.to_owned(), value: value.to_owned(), place, from: Origin::CommandLine })
        }
        _ => Err(Failure::Usage(format!("`{option} {text}`: write `{option} NAME=VALUE`"))),
    }
}

fn read_file(path: &Path) -> Result<Vec<Given>, Failure> {
    let text = mbs_syntax::read_text(path).map_err(|e| Failure::io(path, e))?;
    let place = path.display();
    if text.trim_start().starts_with('{') {
        let object: serde_json::Map<String, Value> =
            serde_json::from_str(&text).map_err(|e| Failure::Usage(format!("{place}: {e}")))?;
        let place = place.to_string();
        let given = |(name, value): (String, Value)| Given {
            name,
            value: value.to_string(),
            place: place.clone(),
            from: Origin::File,
        };
        return Ok(object.into_iter().map(given).collect());
    }
    let mut list = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let text = text.split('#').next().unwrap_or("").trim();
        if text.is_empty() {
            continue;
        }
        let place = format!("{place}:{}", line + 1);
        match text.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
            Some((name, value)) if !name.is_empty() && !value.is_empty() => {
                list.push(Given { name: name.to_owned(), value: value.to_owned(), place, from: Origin::File });
            }
            _ => return Err(Failure::Usage(format!("{place}: write `name = value`"))),
        }
    }
    Ok(list)
}

/// Sets the parameters of an engine. Those whose defaults are made of them follow, unless they are given too: returns their flat indices.
pub fn set(engine: &mut Engine, given: &[Given]) -> Result<Vec<usize>, Failure> {
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let mut flat = engine.parameters().to_vec();
    let mut is_set = vec![false; flat.len()];
    for one in given {
        let range = find("parameter", &one.name, &engine.model().parameters).map_err(|e| one.located(e))?;
        is_set[range.clone()].fill(true);
        match parse(one)? {
            Parsed::Numbers(values) => fill(&mut flat[range.clone()], &values, one)?,
            Parsed::Law(law) => {
                let values = law.at(0.0);
                if values != law.at(1.0) {
                    return Err(one.wrong("a parameter cannot depend on time"));
                }
                fill(&mut flat[range.clone()], &values, one)?;
            }
        }
    }
    let followed = engine.model().update_derived(&mut flat, &|k| is_set[k]);
    engine.set_parameters(&flat).map_err(|error| refused(engine, error))?;
    Ok(followed)
}

fn refused(engine: &Engine, error: Error) -> Failure {
    Failure::Usage(match error {
        Error::ParameterOutsideDomain { parameter, value } => {
            let model = engine.model();
            let of = |q: &&Quantity| (q.offset..q.offset + q.size()).contains(&parameter);
            let quantity = model.parameters.iter().find(of);
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
pub fn find(kind: &str, name: &str, quantities: &[Quantity]) -> Result<Range<usize>, Failure> {
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

fn fill(target: &mut [f64], values: &[f64], given: &Given) -> Result<(), Failure> {
    check_size(target.len(), values.len(), given)?;
    target.copy_from_slice(values);
    Ok(())
}

/// As many values as the quantity has.
pub fn check_size(wanted: usize, found: usize, given: &Given) -> Result<(), Failure> {
    if wanted == found {
        return Ok(());
    }
    let s = if wanted == 1 { "" } else { "s" };
    Err(given.wrong(format!("{wanted} value{s} wanted, {found} given")))
}

/// A value as written.
pub enum Parsed {
    /// A number, or lists of them, flat.
    Numbers(Vec<f64>),
    /// An expression.
    Law(Expression),
}

/// Reads a value: a number, `[1, 2]`, or an expression of the language.
pub fn parse(given: &Given) -> Result<Parsed, Failure> {
    if let Ok(x) = given.value.parse::<f64>() {
        if !x.is_finite() {
            return Err(given.wrong("the number is not finite"));
        }
        return Ok(Parsed::Numbers(vec![x]));
    }
    let numbers = serde_json::from_str::<Value>(&given.value).ok().and_then(|value| flat(&value));
    let law = || Expression::new(&given.value).map(Parsed::Law).map_err(|mistake| given.wrong(mistake));
    numbers.map_or_else(law, |numbers| Ok(Parsed::Numbers(numbers)))
}

fn flat(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Number(x) => x.as_f64().map(|x| vec![x]),
        Value::Array(list) => {
            let parts: Option<Vec<Vec<f64>>> = list.iter().map(flat).collect();
            parts.map(|p| p.concat())
        }
        _ => None,
    }
}
