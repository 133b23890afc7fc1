//! Definitions in canonical text, every operation in parentheses, for snapshots.

use mbs_definition::{
    Argument, BinaryOp, Declaration, Definition, EventDeclaration, Expr, ExprKind, FunctionBody, FunctionDeclaration,
    Item, JointKindDeclaration, Passage, Report, Statement, Trigger, UnaryOp,
};
use mbs_syntax::{Imported, Parsed, parse_text, parse_text_with};

/// The complete example of the language's description.
pub const SLIDER_CRANK: &str = include_str!("slider_crank.mbs");

/// A spatial mechanism with the constructs that only space has.
pub const ROBOT: &str = include_str!("robot.mbs");

/// Most other constructs.
pub const ZOO: &str = include_str!("zoo.mbs");

/// `items` inside a planar mechanism.
pub fn parse_items(items: &str) -> Parsed {
    parse_text("m.mbs", &format!("planar M {{ {items} }}"))
}

/// Parses a sample whose imports bring a part.
pub fn parse_sample(text: &str) -> Parsed {
    parse_text_with("m.mbs", text, &mut spare_part)
}

/// The file that every import gets.
pub fn spare_part(name: &str) -> Result<Imported, String> {
    Ok(Imported { path: name.to_owned(), text: "part spare() { }".to_owned() })
}

/// The items in canonical text, one per line, then the diagnostics.
pub fn items_shown(items: &str) -> String {
    let parsed = parse_items(items);
    let mut lines: Vec<String> = parsed.definitions.iter().flat_map(|d| d.items.iter().map(item)).collect();
    if !parsed.errors.is_empty() {
        lines.push(parsed.sources.render(parsed.errors.list()));
    }
    lines.join("\n")
}

/// The diagnostics of `items`, rendered.
pub fn errors_of(items: &str) -> String {
    let parsed = parse_text("m.mbs", &format!("planar M {{\n{items}\n}}\n"));
    parsed.sources.render(parsed.errors.list())
}

pub fn definition(definition: &Definition) -> String {
    let items: Vec<String> = definition.items.iter().map(|i| format!("    {}\n", item(i))).collect();
    let docs: String = definition.docs.lines().map(|line| format!("/// {line}\n")).collect();
    let (visibility, name) = (&definition.visibility, &definition.name.text);
    format!("{docs}{visibility} {:?} {name} {{\n{}}}\n", definition.space, items.concat())
}

pub fn item(item: &Item) -> String {
    match item {
        Item::Declaration(declared) => declaration(declared),
        Item::Setting(s) => {
            let value = s.value.as_ref().map(|v| format!(" {}", expr(v))).unwrap_or_default();
            let param = if s.tunable { " param" } else { "" };
            format!("{}:{param}{value}{};", s.name.text, arguments(&s.arguments))
        }
        Item::Initial(conditions) => {
            let sign = |exact| if exact { "=" } else { "~" };
            let one =
                |c: &mbs_definition::Condition| format!("{} {} {}", expr(&c.target), sign(c.exact), expr(&c.value));
            format!("initial {};", conditions.iter().map(one).collect::<Vec<_>>().join(", "))
        }
        Item::Loop(l) => {
            let variables: Vec<&str> = l.variables.iter().map(|v| v.text.as_str()).collect();
            let items: Vec<String> = l.items.iter().map(self::item).collect();
            format!("for ({}) in {} {{ {} }}", variables.join(", "), expr(&l.over), items.join(" "))
        }
        Item::Function(f) => function(f),
        Item::Event(e) => event(e),
        Item::Report(Report::Every(_, period)) => format!("report every {};", expr(period)),
        Item::Report(Report::On(events)) => format!("report on {};", list(events)),
        Item::Stop(_, condition) => format!("stop when {};", expr(condition)),
        Item::Part(p) => {
            let default = |p: &mbs_definition::Parameter| {
                p.default.as_ref().map(|e| format!(" = {}", expr(e))).unwrap_or_default()
            };
            let parameters: Vec<String> =
                p.parameters.iter().map(|p| format!("{}{}", p.name.text, default(p))).collect();
            let items: Vec<String> = p.items.iter().map(self::item).collect();
            format!("part {}({}) {{ {} }}", p.name.text, parameters.join(", "), items.join(" "))
        }
        Item::JointKind(kind) => joint_kind(kind),
        Item::Library(library) => {
            let name = library.name.as_ref().map(|name| format!(" {}", name.text)).unwrap_or_default();
            let items: Vec<String> = library.items.iter().map(self::item).collect();
            format!("library{name} {{ {} }}", items.join(" "))
        }
        Item::Group(prefix) => format!("group {};", prefix.text),
        // The language has no items for these data.
        Item::Solid(solid) => format!("solid on {}: {:?};", solid.body.text, solid.shape),
        Item::Limits(given) => format!("limits of {}: {:?};", given.joint.text, given.limits),
        Item::Reserved(word) => format!("reserved {};", word.text),
    }
}

fn joint_kind(kind: &JointKindDeclaration) -> String {
    let given = |e: &Option<Expr>| e.as_ref().map(|e| format!(" = {}", expr(e))).unwrap_or_default();
    let shape = |shape: &[Expr]| if shape.is_empty() { String::new() } else { format!(": [{}]", list(shape)) };
    let parameters: Vec<String> =
        kind.parameters.iter().map(|p| format!("{}{}", p.name.text, given(&p.default))).collect();
    let coordinates = kind.coordinates.iter().map(|c| {
        let nature = c.nature.as_ref().map(|word| format!(": {}", word.text)).unwrap_or_default();
        format!(" coordinate {}{}{nature}{};", c.name.text, shape(&c.shape), given(&c.start))
    });
    let speeds = kind.speeds.iter().map(|s| format!(" speed {}{};", s.name.text, shape(&s.shape)));
    let kinematics = kind.kinematics.iter().map(|e| format!(" kinematics: {};", expr(e)));
    let pose = kind.pose.iter().map(|pose| format!(" pose{}", arguments(&pose.arguments)));
    let rows = kind.rows.iter().map(|row| {
        let name = row.name.as_ref().map(|name| format!("constraint {} = ", name.text)).unwrap_or_default();
        format!(" {name}{};", expr(&row.equation))
    });
    let items: String = coordinates.chain(speeds).chain(kinematics).chain(pose).chain(rows).collect();
    format!("joint kind {}({}) {{{items} }}", kind.name.text, parameters.join(", "))
}

fn event(e: &EventDeclaration) -> String {
    let docs = if e.docs.is_empty() { String::new() } else { format!("/* {} */ ", e.docs.replace('\n', " | ")) };
    let index = e.name.index.as_ref().map(|i| format!("[{}]", expr(i))).unwrap_or_default();
    let trigger = match &e.trigger {
        Trigger::When(x, Passage::BecomesTrue) => format!("when {}", expr(x)),
        Trigger::When(x, passage) => format!("when {} {}", expr(x), format!("{passage:?}").to_lowercase()),
        Trigger::Every(period) => format!("every {}", expr(period)),
        Trigger::At(times) => format!("at {}", expr(times)),
        Trigger::Broken => "broken".to_owned(),
    };
    let one = |statement: &Statement| match statement {
        Statement::Assign { target, value } => format!(" {} = {};", expr(target), expr(value)),
        Statement::Impulse { ends, arguments, .. } => {
            format!(" impulse({}){};", list(ends), self::arguments(arguments))
        }
        Statement::Enabled(_, value) => format!(" enabled: {};", expr(value)),
        Statement::Stop(_) => " stop;".to_owned(),
        Statement::Report(_) => " report;".to_owned(),
    };
    let statements: String = e.statements.iter().map(one).collect();
    format!("{docs}event {}{index} = {trigger} {{{statements} }}", e.name.ident.text)
}

fn function(f: &FunctionDeclaration) -> String {
    let docs = if f.docs.is_empty() { String::new() } else { format!("/* {} */ ", f.docs.replace('\n', " | ")) };
    let rest = match &f.body {
        FunctionBody::Inlined { parameters, value } => {
            let names: Vec<&str> = parameters.iter().map(|p| p.text.as_str()).collect();
            format!("({}) = {}", names.join(", "), expr(value))
        }
        FunctionBody::Made(made) => format!(" = {}{}", expr(&made.value), self::arguments(&made.arguments)),
        FunctionBody::Supplied { parameters, shape, kind, arguments, default } => {
            let names: Vec<&str> = parameters.iter().map(|p| p.text.as_str()).collect();
            let names = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
            let shape = if shape.is_empty() { String::new() } else { format!("[{}] ", list(shape)) };
            let default = default.as_ref();
            let default = default.map(|m| format!(" = {}{}", expr(&m.value), self::arguments(&m.arguments)));
            format!("{names}: {shape}{}({}){}", kind.text, list(arguments), default.unwrap_or_default())
        }
    };
    format!("{docs}function {}{rest};", f.name.text)
}

fn declaration(d: &Declaration) -> String {
    let docs = if d.docs.is_empty() { String::new() } else { format!("/* {} */ ", d.docs.replace('\n', " | ")) };
    let index = d.name.index.as_ref().map(|i| format!("[{}]", expr(i))).unwrap_or_default();
    let shape = if d.shape.is_empty() { String::new() } else { format!(": [{}]", list(&d.shape)) };
    let words: Vec<&str> = d.variants.iter().map(|v| v.text.as_str()).collect();
    let shape = if words.is_empty() { shape } else { format!(": enum {{ {} }}", words.join(", ")) };
    let frame = d.frame.as_ref().map(|f| format!(" in {}", expr(f))).unwrap_or_default();
    let value = d.value.as_ref().map(|v| format!(" = {}", expr(v))).unwrap_or_default();
    let (category, name) = (&d.category.text, &d.name.ident.text);
    format!("{docs}{category} {name}{index}{shape}{frame}{value}{};", arguments(&d.arguments))
}

fn arguments(arguments: &[Argument]) -> String {
    if arguments.is_empty() {
        return String::new();
    }
    let one = |a: &Argument| {
        let within = a.arguments.as_deref().map(self::arguments).unwrap_or_default();
        format!("{}: {}{within}", a.name.text, expr(&a.value))
    };
    format!(" {{ {} }}", arguments.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn list(items: &[Expr]) -> String {
    items.iter().map(expr).collect::<Vec<_>>().join(", ")
}

pub fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number(value) => value.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Field(of, name) => format!("{}.{}", expr(of), name.text),
        ExprKind::Index(of, index) => format!("{}[{}]", expr(of), expr(index)),
        ExprKind::Range(a, b) => format!("{}..{}", expr(a), expr(b)),
        ExprKind::Unary(UnaryOp::Neg, x) => format!("(-{})", expr(x)),
        ExprKind::Unary(UnaryOp::Not, x) => format!("(!{})", expr(x)),
        ExprKind::Binary(operator, a, b) => {
            format!("({} {} {})", expr(a), sign(*operator), expr(b))
        }
        ExprKind::Call(name, arguments) => format!("{}({})", name.text, list(arguments)),
        ExprKind::If(c, a, b) => format!("if {} {{ {} }} else {{ {} }}", expr(c), expr(a), expr(b)),
        ExprKind::Sum { body, variable, over } => {
            format!("sum({} for {} in {})", expr(body), variable.text, expr(over))
        }
        ExprKind::Vector(items) => format!("[{}]", list(items)),
        ExprKind::In(a, b) => format!("({} in {})", expr(a), expr(b)),
        ExprKind::At(a, b) => format!("({} at {})", expr(a), expr(b)),
        ExprKind::Broken => "?".to_owned(),
    }
}

fn sign(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}
