//! Why a simulation stopped, in the words of the declaration.

use std::fmt;

use super::Recording;
use crate::Error;

/// A name that a recording or a mechanism does not have, with the nearest one it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What was looked for: `output`, `body`, …
    pub kind: &'static str,
    /// The name as given.
    pub name: String,
    /// The nearest name, if one is near.
    pub nearest: Option<String>,
}

impl UnknownName {
    pub(super) fn new<'a>(kind: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let limit = name.chars().count() / 3 + 1;
        let nearest = known.map(|known| (distance(name, known), known)).min().filter(|(far, _)| *far <= limit);
        UnknownName { kind, name: name.into(), nearest: nearest.map(|(_, known)| known.into()) }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}`", self.kind, self.name)?;
        match &self.nearest {
            Some(nearest) => write!(f, ", the nearest name is `{nearest}`"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownName {}

/// Edits (insertion, deletion, substitution) that turn one name into the other, case ignored.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let substitution = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// What stopped a simulation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// Assembly, integration or a kernel failed.
    Run(Error),
    /// A load names a body that the mechanism does not have.
    Unknown(UnknownName),
    /// Recorded times must be finite, start at or after the initial time, and not decrease; times\[index\] does.
    Times {
        /// The first offending time.
        index: usize,
    },
    /// A setting is out of its domain: steps, intervals and `atol` are positive and finite, `duration` and `rtol` finite
    /// and not negative; an interval gives fewer than 1e8 rows.
    Setting {
        /// The method or field that sets it: `every`, `step`, …
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// A simulation that stopped early: why, and everything recorded until then.
///
/// `Debug`, which `main` prints of an error, gives the message and not the recording.
#[derive(Clone, PartialEq)]
pub struct Failure {
    /// What went wrong.
    pub cause: Cause,
    /// The rows before it; without rows if assembly failed.
    pub recording: Box<Recording>,
}

impl Failure {
    /// Name of the constraint row, speed or condition at fault, if there is one.
    pub fn item(&self) -> Option<&str> {
        let (speeds, rows, conditions) = self.recording.fault_names();
        match &self.cause {
            Cause::Run(Error::Singular { row, .. }) => speeds.iter().chain(rows).nth(*row).map(String::as_str),
            Cause::Run(Error::NotAssembled { row, .. }) => rows.iter().chain(conditions).nth(*row).map(String::as_str),
            _ => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.cause, self.item()) {
            (Cause::Run(Error::Singular { t, .. }), Some(item)) => {
                write!(f, "singular at t = {t}: the pivot of `{item}` vanishes")
            }
            (Cause::Run(Error::NotAssembled { residual, iterations, t, .. }), Some(item)) => {
                write!(f, "not assembled at t = {t}: `{item}` misses by {residual:.3e} after {iterations} iterations")
            }
            (Cause::Run(error), _) => error.fmt(f),
            (Cause::Unknown(unknown), _) => write!(f, "{unknown} in a load"),
            (Cause::Times { index }, _) => {
                write!(f, "times[{index}] is not finite or lies before the time in front of it")
            }
            (Cause::Setting { name, value }, _) => {
                let domain = match *name {
                    "duration" | "rtol" => "finite and not negative",
                    "every" if *value > 0.0 && value.is_finite() => "long enough for fewer than 1e8 rows",
                    _ => "positive and finite",
                };
                write!(f, "`{name}` is {value}, it has to be {domain}")
            }
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({} rows recorded)", self.recording.len())
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_is_near() {
        let known = ["stroke", "angle"];
        let find = |name| UnknownName::new("output", name, known.into_iter()).nearest;
        assert_eq!(find("strok").as_deref(), Some("stroke"));
        assert_eq!(find("Angel").as_deref(), Some("angle"));
        assert_eq!(find("pressure"), None);
    }
}
