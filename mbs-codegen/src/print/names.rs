//! Chooses variable names, unique in their function: suggested ones, else names by role.

use std::collections::BTreeMap;

use mbs_definition::KEYWORDS;
use rustc_hash::FxHashMap;

use super::output_name;
use mbs_compiler::program::{Called, Function, Input, Op, Operand, Statement, ValueId};

/// The names of the values of a function.
pub struct Names {
    names: Vec<String>,
    /// Names of the prepared values.
    prepared: BTreeMap<u32, String>,
}

impl Names {
    /// Chooses all names.
    pub fn new(function: &Function, called: &[Called]) -> Names {
        let mut taken = Taken::default();
        function.inputs.iter().for_each(|a| taken.reserve(a.input.name()));
        function.outputs.iter().for_each(|o| taken.reserve(&output_name(function, o)));
        ["w", "row", "steps"].into_iter().for_each(|name| taken.reserve(name));

        let prepared: BTreeMap<u32, String> =
            function.prepared.iter().map(|(i, name)| (*i, taken.unique(snake_case(name)))).collect();
        let mut suggested: Vec<Option<String>> = function.names.iter().map(|n| n.as_deref().map(snake_case)).collect();
        for output in &function.outputs {
            for (i, value) in output.values.iter().enumerate() {
                if let Operand::Value(v) = value {
                    suggested[v.index()].get_or_insert_with(|| format!("{}_{i}", output.name));
                }
            }
        }
        let mut names: Vec<String> = vec![String::new(); function.values()];
        for statement in &function.body {
            let Statement::Let { value, op } = statement else { continue };
            let roles = roles(op, called, &prepared, &suggested, &names);
            for (k, role) in roles.into_iter().chain(std::iter::repeat(None)).enumerate().take(op.results()) {
                let v = value.index() + k;
                names[v] = match suggested[v].take().or(role) {
                    Some(name) => taken.unique(name),
                    None => taken.next_numbered_name(),
                };
                suggested[v] = Some(names[v].clone());
            }
        }
        // A sine, cosine or derivative without a reader needs no name.
        for (name, is_read) in names.iter_mut().zip(read_values(function)) {
            if !is_read {
                *name = "_".to_owned();
            }
        }
        Names { names, prepared }
    }

    /// The name of a prepared value, if it has one.
    pub fn prepared_name(&self, index: u32) -> Option<&str> {
        self.prepared.get(&index).map(String::as_str)
    }

    /// The name of a value.
    pub fn value_name(&self, value: ValueId) -> &str {
        &self.names[value.index()]
    }
}

/// For each value, whether a statement or an output reads it.
fn read_values(function: &Function) -> Vec<bool> {
    let mut read = vec![false; function.values()];
    for operand in function.operands() {
        if let Operand::Value(v) = operand {
            read[v.index()] = true;
        }
    }
    read
}

/// Names by the role of an operation's results: `sin_q2`, `cos_q2`, `inv_mass`, `gas_q0`, `d_gas_q0`, `d2_gas_q0`.
fn roles(
    op: &Op,
    called: &[Called],
    prepared: &BTreeMap<u32, String>,
    suggested: &[Option<String>],
    names: &[String],
) -> Vec<Option<String>> {
    let name = |o: Operand| match o {
        Operand::Input(input, i) => match (input, prepared.get(&i)) {
            (Input::Prepared, Some(name)) => Some(name.clone()),
            _ => Some(format!("{}{i}", input.name())),
        },
        Operand::Value(v) if suggested[v.index()].is_some() => Some(names[v.index()].clone()),
        _ => None,
    };
    match *op {
        Op::SinCos(angle) => ["sin", "cos"].map(|f| name(angle).map(|a| format!("{f}_{a}"))).into(),
        Op::Div(Operand::Literal(1.0), y) => vec![name(y).map(|y| format!("inv_{y}"))],
        Op::Called(call, list) => {
            let called = &called[call.function.index()];
            let function = snake_case(&called.name);
            let base = match (call.arguments, name(list[0])) {
                (1, Some(x)) => format!("{function}_{x}"),
                _ => function,
            };
            let component = |v: usize| if called.shape.is_some() { format!("{base}_{v}") } else { base.clone() };
            let derivative = |k: usize, value: String| match (k, called.arguments) {
                (0, _) => value,
                (1, 1) => format!("d_{value}"),
                (k, _) => format!("d{k}_{value}"),
            };
            let n = called.numbers_per_component;
            let result = |k: usize| derivative(k % n, component(k / n));
            (0..usize::from(call.results)).map(|k| Some(result(k))).collect()
        }
        _ => Vec::new(),
    }
}

/// The names in use.
#[derive(Default)]
struct Taken {
    /// Number for the next variable with an equal name.
    next: FxHashMap<String, usize>,
    numbered: usize,
}

impl Taken {
    fn reserve(&mut self, name: &str) {
        self.next.insert(name.to_owned(), 2);
    }

    /// `name`, or `name_2`, `name_3`, … if it is taken.
    fn unique(&mut self, name: String) -> String {
        let Some(mut number) = self.next.get(&name).copied() else {
            self.reserve(&name);
            return name;
        };
        let found = loop {
            let candidate = format!("{name}_{number}");
            number += 1;
            if !self.next.contains_key(&candidate) {
                break candidate;
            }
        };
        self.next.insert(name, number);
        self.reserve(&found);
        found
    }

    /// The next of `x1`, `x2`, … that is not taken.
    fn next_numbered_name(&mut self) -> String {
        self.numbered += 1;
        self.unique(format!("x{}", self.numbered))
    }
}

/// A legal identifier similar to the suggestion.
fn snake_case(name: &str) -> String {
    let mut text: String = String::with_capacity(name.len() + 1);
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            text.push(c.to_ascii_lowercase());
        } else if !text.ends_with('_') {
            text.push('_');
        }
    }
    let text = text.trim_matches('_');
    let needs_prefix = text.chars().next().is_none_or(|c| c.is_ascii_digit());
    if needs_prefix || text.starts_with("regular_") || KEYWORDS.contains(&text) {
        return format!("x_{text}").trim_end_matches('_').to_owned();
    }
    text.to_owned()
}
