//! Writes the types and methods of the planar kinds of joints and forces from the rows of the catalogue.
//!
//! A kind has a type and a method of `Planar` with its ends and its required arguments. Its handle has methods for the arguments with a default, and
//! for the coordinates of a joint or the load of a force. The names are those of the language.

use std::fmt::Write as _;
use std::{env, fs, io};

use mbs_model::catalog::{Argument, Coordinate, Ends, Exerts, FORCES, JOINTS, Kind, Shape};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(format!("{folder}/joints.rs"), joints_source())?;
    fs::write(format!("{folder}/forces.rs"), forces_source())
}

/// A category of items, with the names of its handles and methods.
struct Category {
    /// The type of its handles.
    handle: &'static str,
    /// The method of `Planar` that declares an item.
    declare: &'static str,
    /// Documentation of the methods.
    docs: &'static str,
}

const JOINT: Category = Category {
    handle: "Joint",
    declare: "joined",
    docs: "/// # Joints\n///\n/// Required arguments of a kind are arguments of the call; those with a default are methods of the joint.\n",
};

const FORCE: Category = Category {
    handle: "Force",
    declare: "applied",
    docs: "/// # Forces\n///\n/// Required arguments of a kind are arguments of the call; those with a default are methods of the force.\n",
};

fn joints_source() -> String {
    let mut text = declaring_methods(&JOINT, JOINTS);
    for kind in JOINTS {
        let name = type_name(kind);
        text += &type_item(kind);
        let mut methods: Vec<String> = argument_methods(&[kind]);
        methods.extend(kind.coordinates.iter().flat_map(coordinate_methods));
        text += &impl_block(&JOINT, &name, &methods);
        if kind.coordinates.iter().any(|c| c.name == "angle" && is_number(c)) {
            text += &conversion_impl(&name, "RotaryJoint");
        }
    }
    text
}

fn forces_source() -> String {
    let mut text = declaring_methods(&FORCE, FORCES);
    let mut written: Vec<String> = Vec::new();
    for kind in FORCES {
        let name = type_name(kind);
        if written.contains(&name) {
            continue;
        }
        text += &type_item(kind);
        let kinds: Vec<&Kind> = FORCES.iter().filter(|k| type_name(k) == name).collect();
        let mut methods = argument_methods(&kinds);
        methods.extend(against_method(kind));
        methods.push(load_method(kind));
        text += &impl_block(&FORCE, &name, &methods);
        written.push(name);
    }
    let single = |kind: &&Kind| matches!(kind.coordinates, [one] if is_number(one));
    for kind in JOINTS.iter().filter(single) {
        text += &conversion_impl(&format!("crate::joints::{}", type_name(kind)), "Coordinate");
    }
    text
}

/// Name of a kind's type: `spring_damper` → `SpringDamper`; all contacts have one type.
fn type_name(kind: &Kind) -> String {
    if kind.contact_surface().is_some() {
        return "Contact".to_owned();
    }
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    kind.name.split('_').map(capital).collect()
}

/// Whether a coordinate is a number, not a vector.
fn is_number(coordinate: &Coordinate) -> bool {
    coordinate.components == [coordinate.name]
}

/// The declaration of a kind's type.
fn type_item(kind: &Kind) -> String {
    let docs = match kind.contact_surface() {
        Some(_) => documentation(&["Contact force between two bodies."]),
        None => {
            let docs = documentation(&[first_sentence(kind.docs)]);
            format!("{docs}///\n/// The kind of [`Planar::{0}`](crate::Planar::{0}).\n", kind.name)
        }
    };
    format!("{docs}#[derive(Clone, Copy, Debug)]\npub struct {};\n", type_name(kind))
}

/// Methods of `Planar` that declare items.
fn declaring_methods(category: &Category, kinds: &[Kind]) -> String {
    let methods: String = kinds.iter().map(|kind| declaring_method(category, kind)).collect();
    format!("{}impl Planar {{\n{methods}}}\n", category.docs)
}

/// A parameter of a method, and the value made of it.
struct Part {
    parameter: String,
    value: String,
}

/// The method of `Planar` that declares an item of a kind.
fn declaring_method(category: &Category, kind: &Kind) -> String {
    let ends = end_parts(kind);
    let ends_given: Vec<&str> = ends.iter().map(|end| end.value.as_str()).collect();
    let mut parameters: Vec<String> = ends.iter().map(|end| end.parameter.clone()).collect();
    let (mut bounds, mut before, mut arguments) = (String::new(), String::new(), String::new());
    let required: Vec<&Argument> = kind.arguments.iter().filter(|a| a.default.is_none()).collect();
    for group in group_arguments(&required) {
        match group[..] {
            [argument] => {
                let part = argument_part(argument);
                parameters.push(part.parameter);
                let _ = write!(arguments, ".argument({:?}, {})", argument.name, part.value);
            }
            _ => {
                let name = group[0].together.expect("arguments stand together by a name");
                let bound = format!("N{}", bounds.matches(':').count());
                let value_names: Vec<String> = (0..group.len()).map(|i| format!("{name}_{i}")).collect();
                parameters.push(format!("{name}: [{bound}; {}]", group.len()));
                let (list, count) = (value_names.join(", "), group.len());
                let _ = writeln!(before, "let [{list}]: [Number<'m>; {count}] = {name}.map(Into::into);");
                for (argument, value) in group.iter().zip(&value_names) {
                    let _ = write!(arguments, ".argument({:?}, {value})", argument.name);
                }
                let _ = write!(bounds, ", {bound}: Into<Number<'m>>");
            }
        }
    }
    let mut docs = vec![kind.docs.to_owned()];
    if !required.is_empty() {
        let descriptions: Vec<String> = required.iter().map(|a| argument_docs(a)).collect();
        docs.push(format!("Takes {}.", descriptions.join("; ")));
    }
    let docs: Vec<&str> = docs.iter().map(String::as_str).collect();
    let Category { handle, declare, .. } = category;
    format!(
        "{docs}#[track_caller]\npub fn {name}<'m{bounds}>(&'m self, name: impl Into<Name>, {parameters}) -> {handle}<'m, {kind_name}> {{\n\
         {before}self.{declare}(name, {name:?}, [{ends}]){arguments}\n}}\n\n",
        docs = documentation(&docs),
        name = kind.name,
        parameters = parameters.join(", "),
        kind_name = type_name(kind),
        ends = ends_given.join(", "),
    )
}

/// The ends of a kind; if the first may be left out, the last only.
fn end_parts(kind: &Kind) -> Vec<Part> {
    let part = |name: &str, takes: &str, value: &str| Part {
        parameter: format!("{name}: {takes}"),
        value: format!("{name}{value}"),
    };
    let frame = "impl Into<Frame<'m>>";
    match kind.ends {
        Ends::Two => ["first", "second"].map(|name| part(name, frame, ".into()")).into(),
        Ends::OneOrTwo => vec![part("on", frame, ".into()")],
        Ends::TwoJoints => ["a", "b"].map(|name| part(name, "impl Into<RotaryJoint<'m>>", ".into().0")).into(),
        Ends::TwoCurves => ["first", "second"].map(|name| part(name, "Curve<'m>", ".0.term")).into(),
        Ends::Coordinate => vec![part("along", "impl Into<Coordinate<'m>>", ".into().0")],
    }
}

/// The parameter of an argument.
fn argument_part(argument: &Argument) -> Part {
    let name = argument.name;
    let (takes, value) = match argument.shape {
        Shape::Number => ("Number<'m>", ".into()"),
        Shape::Axis | Shape::World | Shape::Stated | Shape::Diagonal => ("Numbers<'m>", ".into()"),
        Shape::Function => ("Height<'m>", ".into().name(Location::caller())"),
        Shape::Carrier => ("Value<'m>", ".into()"),
    };
    Part { parameter: format!("{name}: impl Into<{takes}>"), value: format!("{name}{value}") }
}

/// The name and meaning of an argument; of arguments with a common parameter, the name of the parameter precedes.
fn argument_docs(argument: &Argument) -> String {
    let kind_name = argument.together.map_or(String::new(), |name| format!("of `{name}` "));
    format!("{kind_name}`{}` {}", argument.name, argument.docs)
}

/// Groups consecutive arguments that have a common parameter.
fn group_arguments<'k>(arguments: &[&'k Argument]) -> Vec<Vec<&'k Argument>> {
    let together = |a: &&Argument, b: &&Argument| a.together.is_some() && a.together == b.together;
    arguments.chunk_by(together).map(<[_]>::to_vec).collect()
}

/// The methods for arguments with a default, of all kinds of one type.
fn argument_methods(kinds: &[&Kind]) -> Vec<String> {
    let mut optional: Vec<&Argument> = Vec::new();
    for argument in kinds.iter().flat_map(|kind| kind.arguments).filter(|a| a.default.is_some()) {
        if !optional.iter().any(|known| known.name == argument.name) {
            optional.push(argument);
        }
    }
    group_arguments(&optional).iter().map(|group| argument_method(group)).collect()
}

fn argument_method(group: &[&Argument]) -> String {
    let parts: Vec<Part> = group.iter().map(|argument| argument_part(argument)).collect();
    let parameters: Vec<&str> = parts.iter().map(|part| part.parameter.as_str()).collect();
    let pairs = group.iter().zip(&parts);
    let arguments: String = pairs.map(|(a, part)| format!(".argument({:?}, {})", a.name, part.value)).collect();
    let descriptions: Vec<String> =
        group.iter().map(|a| format!("`{}` {}{}", a.name, a.docs, unless_given(a))).collect();
    let name = group[0].together.unwrap_or(group[0].name);
    let docs = format!("Sets {}.", descriptions.join("; "));
    let parameters = parameters.join(", ");
    format!(
        "{}#[track_caller]\npub fn {name}(self, {parameters}) -> Self {{\nself{arguments}\n}}\n\n",
        documentation(&[&docs])
    )
}

/// Text about the default of an argument.
fn unless_given(argument: &Argument) -> String {
    match (argument.shape, argument.default) {
        (Shape::Carrier | Shape::Function, _) | (_, None) => String::new(),
        (Shape::Number, Some([x, ..])) => format!(", {x} unless given"),
        (_, Some([x, y, z])) => format!(", [{x}, {y}, {z}] unless given"),
    }
}

/// The methods for a coordinate and its rates.
fn coordinate_methods(c: &Coordinate) -> Vec<String> {
    let (returns, read) = if is_number(c) { ("Scalar", "scalar_field") } else { ("Vector", "vector_field") };
    let measured = |power: &str| match c.unit {
        "" => String::new(),
        unit => format!(" [{unit}{power}]"),
    };
    let docs = [
        format!("The {}{}.", c.docs, measured("")),
        format!("The rate of `{}`{}.", c.name, measured("/s")),
        format!("The second derivative of `{}`{}; for outputs.", c.name, measured("/s²")),
    ];
    // Every joint has `q` and `u` already.
    let is_declared = |name: &&str| !["q", "u"].contains(name);
    let names = [c.name, c.speed, c.acceleration];
    let pairs = names.iter().zip(&docs).filter(|(name, _)| is_declared(name));
    pairs
        .map(|(name, docs)| {
            let docs = documentation(&[docs]);
            format!("{docs}#[track_caller]\npub fn {name}(self) -> {returns}<'m> {{\nself.{read}({name:?})\n}}\n\n")
        })
        .collect()
}

/// The method that sets the first end, if it may be left out.
fn against_method(kind: &Kind) -> Option<String> {
    let docs = documentation(&["The frame on which the opposite load acts, instead of ground."]);
    (kind.ends == Ends::OneOrTwo).then(|| {
        format!(
            "{docs}#[track_caller]\npub fn against(self, first: impl Into<Frame<'m>>) -> Self {{\nself.opposed(first.into())\n}}\n\n"
        )
    })
}

/// The method that reads the load.
fn load_method(kind: &Kind) -> String {
    let (docs, returns) = match kind.exerts {
        Exerts::Force => ("Load on the last end.", "Load"),
        Exerts::Torque => ("Torque on the last end [N m].", "Scalar"),
        Exerts::Generalized => ("The generalised force [N] or [N m].", "Scalar"),
        Exerts::Nothing => panic!("force kind `{}` exerts nothing", kind.name),
    };
    let docs = documentation(&[docs]);
    format!("{docs}#[track_caller]\npub fn load(self) -> {returns}<'m> {{\n{returns}(self.exerted())\n}}\n\n")
}

fn impl_block(category: &Category, kind_name: &str, methods: &[String]) -> String {
    if methods.is_empty() {
        return String::new();
    }
    format!("impl<'m> {}<'m, {kind_name}> {{\n{}}}\n\n", category.handle, methods.concat())
}

/// A conversion of joints of a kind to members of gears, or to coordinates.
fn conversion_impl(kind: &str, into: &str) -> String {
    format!(
        "impl<'m> From<Joint<'m, {kind}>> for {into}<'m> {{\nfn from(joint: Joint<'m, {kind}>) -> Self {{\n{into}(joint.declared.term)\n}}\n}}\n\n"
    )
}

/// Paragraphs as documentation; the first sentence is a separate paragraph.
fn documentation(paragraphs: &[&str]) -> String {
    let first = paragraphs.first().map_or("", |all| first_sentence(all));
    let rest = paragraphs.first().map_or("", |all| all[first.len()..].trim_start());
    let all = [first, rest].into_iter().chain(paragraphs.iter().skip(1).copied());
    let all: Vec<String> =
        all.filter(|text| !text.is_empty()).map(|text| format!("/// {}\n", escape_markup(text))).collect();
    all.join("///\n")
}

fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |end| &text[..=end])
}

/// Escapes brackets, stars and angle brackets in text, so that they are no markup; code between backticks stays.
fn escape_markup(text: &str) -> String {
    let mut escaped = String::new();
    let mut is_code = false;
    for c in text.chars() {
        is_code ^= c == '`';
        if !is_code && "[]*<>".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
