//! Names of the symbols in the text: x, y, θ, s with the declaration's names as subscripts, parameters upright.
//!
//! Markdown is parsed before LaTeX. So no name contains a backslash before punctuation, and an underscore always follows a letter: no
//! Markdown renderer finds escapes or emphasis.

use std::collections::{BTreeMap, BTreeSet};

use mbs_compiler::compile::Compiled;
use mbs_compiler::graph::Symbol;
use mbs_model::{Model, Quantity};
use mbs_physics::{InterfaceCoordinate, InterfaceSpeed, ItemNames, SolverCoordinate, Tree};

/// A symbol as LaTeX, and its width in tenths of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub latex: String,
    pub width: i64,
}

/// All symbols of a mechanism.
pub struct Symbols {
    labels: BTreeMap<Symbol, Label>,
    taken: BTreeSet<String>,
}

/// A letter and its subscript, stored separately so that a dot can be set above the letter.
#[derive(Clone)]
struct Letter {
    letter: String,
    subscript: String,
}

impl Letter {
    fn new(letter: &str, subscript: &str) -> Letter {
        Letter { letter: letter.to_owned(), subscript: subscript.to_owned() }
    }

    fn label(&self, accent: &str) -> Label {
        // A dot over one letter needs no braces; over a word the subscript is written inside it.
        let is_word = self.letter.chars().count() > 1 && !self.letter.starts_with('\\');
        let subscript = if self.subscript.is_empty() { String::new() } else { format!("_{{{}}}", self.subscript) };
        let latex = match (accent, is_word) {
            ("", true) => format!("\\mathit{{{}{subscript}}}", self.letter),
            ("", false) => format!("{}{subscript}", self.letter),
            (_, true) => format!("{accent}{{\\mathit{{{}{subscript}}}}}", self.letter),
            (_, false) if self.letter.starts_with('\\') => format!("{accent}{}{subscript}", self.letter),
            (_, false) => format!("{accent} {}{subscript}", self.letter),
        };
        let letters = if is_word { self.letter.chars().count() as i64 } else { 1 };
        Label { latex, width: 10 * letters + 6 * visible_letters(&self.subscript) }
    }
}

/// Number of visible letters in a subscript.
fn visible_letters(subscript: &str) -> i64 {
    let plain = subscript.replace("\\text", "").replace("\\mathrm", "");
    plain.chars().filter(|c| !matches!(c, '{' | '}' | '_')).count() as i64
}

impl Symbols {
    pub fn new(compiled: &Compiled) -> Symbols {
        let (model, tree) = (&compiled.model, &compiled.tree);
        let mut symbols = Symbols { labels: BTreeMap::new(), taken: BTreeSet::new() };
        symbols.add(&[Symbol::Time], [Label { latex: "t".into(), width: 10 }].to_vec());
        for i in 0..tree.n() as u32 {
            let rates = [Symbol::Coordinate(i), Symbol::Speed(i), Symbol::Acceleration(i)];
            let choices = [coordinate(model, tree, i as usize), Letter::new("q", &i.to_string())];
            match declared_speed(model, tree, i as usize) {
                None => symbols.add_with_rates(&rates, &choices),
                Some(speed) => {
                    symbols.add_with_rates(&rates[..1], &choices);
                    symbols.add_with_rates(&rates[1..], &[speed, Letter::new("v", &i.to_string())]);
                }
            }
        }
        for (i, c) in tree.solver.iter().enumerate() {
            if let SolverCoordinate::Angle(body) = c {
                let i = i as u32;
                let rates = [Symbol::SolverCoordinate(i), Symbol::SolverSpeed(i), Symbol::SolverAcceleration(i)];
                let name = subscript(&model.bodies[body.index()].name);
                symbols
                    .add_with_rates(&rates, &[Letter::new("\\varphi", &name), Letter::new("\\varphi", &i.to_string())]);
            }
        }
        let names = ItemNames::new(model, tree);
        for (i, name) in names.parameters.iter().enumerate() {
            let fallback = Label { latex: format!("\\mathrm{{p_{{{i}}}}}"), width: 20 };
            symbols.add(&[Symbol::Parameter(i as u32)], vec![parameter(name), fallback]);
        }
        let inputs: (_, _, fn(u32) -> Symbol) = (&names.inputs, "u", Symbol::Input);
        let states: (_, _, fn(u32) -> Symbol) = (&names.auxiliary, "z", Symbol::Auxiliary);
        for (list, letter, symbol) in [inputs, states] {
            for (i, name) in list.iter().enumerate() {
                let symbol = symbol(i as u32);
                let fallback = Letter::new(letter, &i.to_string()).label("");
                symbols.add(&[symbol], vec![Letter::new(letter, &subscript(name)).label(""), fallback]);
            }
        }
        for (i, row) in tree.rows.iter().enumerate() {
            let fallback = Letter::new("\\lambda", &i.to_string()).label("");
            symbols.add(
                &[Symbol::Multiplier(i as u32)],
                vec![Letter::new("\\lambda", &subscript(&row.name)).label(""), fallback],
            );
        }
        symbols
    }

    /// Adds symbols with the first of the labels that no other symbol has.
    fn add(&mut self, symbols: &[Symbol], choices: Vec<Label>) {
        let free = choices.iter().find(|c| !self.taken.contains(&c.latex)).or(choices.last());
        for (symbol, written) in symbols.iter().zip(free) {
            self.taken.insert(written.latex.clone());
            self.labels.insert(*symbol, written.clone());
        }
    }

    /// Adds a coordinate, its rate and its second rate.
    fn add_with_rates(&mut self, symbols: &[Symbol], choices: &[Letter]) {
        let free = choices.iter().find(|c| !self.taken.contains(&c.label("").latex)).or(choices.last());
        if let Some(letter) = free {
            for (symbol, accent) in symbols.iter().zip(["", "\\dot", "\\ddot"]) {
                let written = letter.label(accent);
                self.taken.insert(written.latex.clone());
                self.labels.insert(*symbol, written);
            }
        }
    }

    /// LaTeX of a symbol.
    ///
    /// # Panics
    /// For a symbol that no formula contains: solver coordinates that are not angles.
    pub fn label(&self, symbol: Symbol) -> &Label {
        self.labels.get(&symbol).expect("formulas are in interface symbols and named angles")
    }

    pub fn labels(&self) -> impl Iterator<Item = (Symbol, &Label)> {
        self.labels.iter().map(|(symbol, written)| (*symbol, written))
    }

    /// A letter with the first number, from `from`, that makes it unique.
    pub fn unique_label(&mut self, letter: &str, from: usize) -> (Label, usize) {
        let mut number = from;
        loop {
            let written = Letter::new(letter, &number.to_string()).label("");
            number += 1;
            if self.taken.insert(written.latex.clone()) {
                return (written, number);
            }
        }
    }
}

/// x, y, θ of a body; θ, s, or x, y, θ of a joint; the name of an algebraic coordinate.
fn coordinate(model: &Model, tree: &Tree, i: usize) -> Letter {
    let letter = |axis: u8| ["x", "y", "\\theta"][axis as usize];
    match tree.interface[i] {
        InterfaceCoordinate::Body(body, axis) => {
            Letter::new(letter(axis), &subscript(&model.bodies[body.index()].name))
        }
        InterfaceCoordinate::Joint(joint, k) => {
            let joint = model.joint(joint);
            if joint.pose().is_some() {
                let (base, rest) = split(&joint.coordinates[k as usize].0);
                return Letter::new(&base, &format!("{rest}{}", subscript(&joint.name)));
            }
            let letter = match &*joint.coordinates[k as usize].0 {
                "angle" => "\\theta",
                "position" => "s",
                _ => letter(k),
            };
            Letter::new(letter, &subscript(&joint.name))
        }
        InterfaceCoordinate::Basic(b, axis) => {
            let basic = &model.coordinates.natural.basics[b as usize];
            let letter = if basic.is_point { letter(axis) } else { ["u", "v", "w"][usize::from(axis)] };
            Letter::new(letter, &subscript(&basic.name))
        }
        InterfaceCoordinate::ContinuousAngle(body) => {
            Letter::new("\\theta", &subscript(&model.bodies[body.index()].name))
        }
        InterfaceCoordinate::Algebraic(_) => {
            let (base, rest) = split(&tree.coordinate_name(model, i));
            Letter::new(&base, &rest)
        }
    }
}

/// A speed that is not the rate of the coordinate with its index.
fn declared_speed(model: &Model, tree: &Tree, i: usize) -> Option<Letter> {
    let InterfaceSpeed::Joint(joint, k) = tree.speeds[i] else { return None };
    let (base, rest) = split(model.pose_of(joint)?.speeds.get(usize::from(k))?);
    Some(Letter::new(&base, &format!("{rest}{}", subscript(&model.joint(joint).name))))
}

/// `crank_pin` → `\text{crank pin}`, `link[0]` → `\text{link 0}`.
pub fn subscript(name: &str) -> String {
    format!("\\text{{{}}}", words_of_name(name).join(" "))
}

/// A function written in Rust: `\operatorname{gas}`, `\operatorname{valve_{lift}}`.
pub fn operator(name: &str) -> Label {
    let (base, rest) = split(name);
    let width = 10 * base.chars().count() as i64 + 6 * visible_letters(&rest);
    let indexed = if rest.is_empty() { String::new() } else { format!("_{{{rest}}}") };
    Label { latex: format!("\\operatorname{{{base}{indexed}}}"), width }
}

/// The parts of a name, separated at characters that are neither letters nor digits.
fn words_of_name(name: &str) -> Vec<&str> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect()
}

/// Greek letters that no coordinate or equation uses as its symbol.
const GREEK: [&str; 14] =
    ["alpha", "beta", "delta", "epsilon", "zeta", "eta", "kappa", "mu", "xi", "rho", "sigma", "tau", "chi", "omega"];

/// `crank_length` → crank with the subscript length, upright; `m1` → m₁; `omega` → ω.
fn parameter(name: &str) -> Label {
    let (base, rest) = split(name);
    let width = 6 * visible_letters(&rest);
    let indexed = if rest.is_empty() { String::new() } else { format!("_{{{rest}}}") };
    if GREEK.contains(&base.as_str()) {
        let indexed = if rest.is_empty() { String::new() } else { format!("_{{\\mathrm{{{rest}}}}}") };
        return Label { latex: format!("\\{base}{indexed}"), width: width + 10 };
    }
    Label { width: width + 10 * base.chars().count() as i64, latex: format!("\\mathrm{{{base}{indexed}}}") }
}

/// The first word of a name, and the others as a subscript: `crank_length`, `m1`, `gains[1][0]`.
fn split(name: &str) -> (String, String) {
    let mut parts: Vec<&str> = words_of_name(name);
    let first = if parts.is_empty() { name } else { parts.remove(0) };
    let letters = first.trim_end_matches(|c: char| c.is_ascii_digit());
    if !letters.is_empty() && letters.len() < first.len() {
        parts.insert(0, &first[letters.len()..]);
        return (letters.to_owned(), parts.join(","));
    }
    (first.to_owned(), parts.join(","))
}

/// Quantity that a coordinate measures, and its unit.
pub fn coordinate_meaning(model: &Model, tree: &Tree, i: usize) -> (String, &'static str) {
    let name = |m: mbs_expr::MarkerId| {
        model.markers[m.index()].body.map_or("ground".to_owned(), |b| format!("`{}`", model.bodies[b.index()].name))
    };
    match tree.interface[i] {
        InterfaceCoordinate::Body(body, axis) => {
            let body = &model.bodies[body.index()].name;
            match axis {
                2 => (format!("angle of body `{body}`, from the world's x axis"), "rad"),
                _ => (format!("{} of the origin of `{body}`, world axes", ["x", "y"][axis as usize]), "m"),
            }
        }
        InterfaceCoordinate::Joint(joint, k) => {
            let joint = model.joint(joint);
            let [first, second] = joint.ends.map(name);
            match &*joint.coordinates[k as usize].0 {
                name if joint.pose().is_some() => (format!("coordinate `{name}` of joint `{}`", joint.name), ""),
                "angle" => (format!("angle of {second} from {first}, at joint `{}`", joint.name), "rad"),
                "position" => (format!("displacement of {second} along the axis of joint `{}`", joint.name), "m"),
                _ => (
                    format!(
                        "{} of {second} in the axes of {first}, at joint `{}`",
                        ["x", "y"][k as usize % 2],
                        joint.name
                    ),
                    "m",
                ),
            }
        }
        InterfaceCoordinate::Basic(i, axis) => {
            let (basic, axis) = (&model.coordinates.natural.basics[i as usize], ["x", "y", "z"][usize::from(axis)]);
            match basic.is_point {
                true => (format!("{axis} of the point `{}`, world axes", basic.name), "m"),
                false => (format!("{axis} of the vector `{}`, world axes", basic.name), "1"),
            }
        }
        InterfaceCoordinate::ContinuousAngle(body) => {
            (format!("angle of body `{}`, from the world's x axis", model.bodies[body.index()].name), "rad")
        }
        InterfaceCoordinate::Algebraic(_) => ("algebraic coordinate".to_owned(), "as declared"),
    }
}

/// Quantity and offset of each scalar, for tables.
pub fn scalars(quantities: &[Quantity]) -> impl Iterator<Item = (&Quantity, usize)> {
    quantities.iter().flat_map(|q| (0..q.size()).map(move |k| (q, k)))
}
