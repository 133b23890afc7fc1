//! Finds the item, the operation and the operands of a value that is not finite at a state.

use mbs_core::{FewDigits, StateView};
use mbs_definition::Space;
use mbs_expr::{Comparison, ExprId, Function, Function2, MarkerId, Op, Scalar, Series};
use mbs_model::{EquationCategory, Load, Model};

use mbs_physics::{ItemNames, Mechanics, Tree, Variables};

use crate::nested_rates::Motion;

/// Expressions of an item that may be undefined, with the number of their rates that the equations of motion use.
struct Suspect {
    item: String,
    values: Vec<ExprId>,
    rates: usize,
}

/// A message such as "force `spring`: 3.2 divided by 0 is not finite" for the first item of a model with a value that is not finite at a state, or
/// with such a rate that the equations of motion use; `None` if all are finite. Loads and outputs that depend on accelerations are not checked.
/// `parameters` are flat.
pub fn find_undefined(model: &Model, tree: &Tree, parameters: &[f64], at: StateView) -> Option<String> {
    let mechanics = at_constant_speeds(model, tree, parameters, at);
    let names = ItemNames::new(model, tree);
    suspects(model).iter().find_map(|suspect| {
        let known = suspect.values.iter().filter(|e| {
            let m = model.exprs.mentions(**e);
            !m.multiplier && m.order.is_none_or(|order| order < 2)
        });
        (0..=suspect.rates).find_map(|rate| {
            let root = known.clone().find(|e| !derivative(&mechanics, **e, rate).is_finite())?;
            let reason = reason(&mechanics, &names, undefined_operation(&mechanics, *root, rate));
            Some(format!("{}: {reason}", suspect.item))
        })
    })
}

/// The model on the motion with constant speeds.
fn at_constant_speeds<'m>(
    model: &'m Model,
    tree: &'m Tree,
    parameters: &[f64],
    at: StateView,
) -> Mechanics<'m, Motion> {
    let constants = |values: &[f64]| values.iter().map(|x| Series::constant(*x)).collect::<Vec<Motion>>();
    let filled = |values: &[f64], n: usize| {
        let mut filled = constants(values);
        filled.resize(n, Series::constant(0.0));
        filled
    };
    let variables = Variables {
        t: Series::linear(at.t, 1.0),
        parameters: constants(parameters),
        inputs: filled(at.u, Model::flat_size(&model.quantities.inputs)),
        auxiliary: filled(at.z, model.n_stored()),
        multipliers: filled(&[], tree.rows.len()),
        reactions: Vec::new(),
        prescribed: Vec::new(),
    };
    let (q, v) = (constants(at.q), filled(at.v, tree.n()));
    if model.space == Space::Planar {
        let q = Mechanics::planar_path(model, tree, &variables, &q, &v, 2);
        return Mechanics::at_interface_coordinates(model, tree, variables, &q);
    }
    let [q, speeds] = Mechanics::spatial_path(model, tree, &variables, &q, &v, 2);
    let accelerations: Vec<Motion> = speeds.iter().map(|v| v.rate()).collect();
    Mechanics::at_spatial_state(model, tree, variables, q, [&speeds, &accelerations])
}

/// Items that the motion depends on, then reported ones, in the order of evaluation.
fn suspects(model: &Model) -> Vec<Suspect> {
    let suspect = |kind: &str, name: &str, values: Vec<ExprId>, rates| Suspect {
        item: format!("{kind} `{name}`"),
        values,
        rates,
    };
    let bodies = model.bodies.iter().map(|b| {
        let values = [b.mass].into_iter().chain(b.inertia).chain(b.com).collect();
        suspect("body", &b.name, values, 0)
    });
    let markers = model.markers.iter().map(|m| {
        let axes = m.rotation.into_iter().flatten().flatten();
        suspect("marker", &m.name, m.point.into_iter().chain([m.angle]).chain(axes).collect(), 0)
    });
    let joints =
        model.joints.iter().map(|j| suspect("joint", &j.name, j.rows.iter().map(|row| row.residual).collect(), 2));
    let equations = model.equations.iter().map(|e| {
        let kind = match e.category {
            EquationCategory::Drive => "drive",
            EquationCategory::Constraint => "constraint",
            EquationCategory::Coupling => "coupling",
        };
        suspect(kind, &e.name, e.rows.clone(), 2)
    });
    let forces = model.loads.forces.iter().flat_map(move |f| {
        let loads = f.loads.iter().flat_map(|load| match *load {
            Load::Force { force: v, .. } | Load::Torque { torque: v, .. } => v.to_vec(),
            Load::Generalized { value, .. } => vec![value],
            Load::Potential(_) => Vec::new(),
        });
        let derivatives = f.loads.iter().filter_map(|load| match *load {
            Load::Generalized { coordinate: e, .. } | Load::Potential(e) => Some(e),
            _ => None,
        });
        [suspect("force", &f.name, loads.collect(), 0), suspect("force", &f.name, derivatives.collect(), 1)]
    });
    let states =
        model.quantities.auxiliary.iter().map(|a| suspect("the rate of state", &a.quantity.name, a.rates.clone(), 0));
    let events = model.events.iter().map(|e| suspect("event", &e.name, e.roots().collect(), 0));
    let outputs = model.outputs.iter().map(|o| suspect("output", &o.name, o.values.clone(), 0));
    bodies
        .chain(markers)
        .chain(joints)
        .chain(equations)
        .chain(forces)
        .chain(states)
        .chain(events)
        .chain(outputs)
        .collect()
}

/// The k-th derivative of an expression with respect to time; its value where k = 0.
fn derivative(mechanics: &Mechanics<'_, Motion>, e: ExprId, k: usize) -> f64 {
    mechanics.value(e).derivative(k)
}

/// The operation in an expression that is not finite although all its operands are.
fn undefined_operation(mechanics: &Mechanics<'_, Motion>, root: ExprId, rate: usize) -> ExprId {
    let exprs = &mechanics.model.exprs;
    let mut e = root;
    loop {
        // Positions and directions have no operands, and children come first: this ends.
        let children = match exprs.op(e) {
            Op::Select(test, cases) => {
                [Some(cases[0]), Some(cases[1]), Some(selected_branch(mechanics, test, cases)), None]
            }
            op => exprs.children(op),
        };
        let is_bad = |e: &ExprId| (0..=rate).any(|k| !derivative(mechanics, *e, k).is_finite());
        match children.into_iter().flatten().find(is_bad) {
            Some(child) => e = child,
            None => return e,
        }
    }
}

/// The branch that a [`Op::Select`] takes.
fn selected_branch(
    mechanics: &Mechanics<'_, Motion>,
    test: Comparison,
    [left, right, then, otherwise]: [ExprId; 4],
) -> ExprId {
    let [left, right] = [left, right].map(|e| derivative(mechanics, e, 0));
    let is_true = match test {
        Comparison::Less => left < right,
        Comparison::LessEqual => left <= right,
        Comparison::Equal => left == right,
    };
    if is_true { then } else { otherwise }
}

/// Describes why an operation is undefined, with the values of its operands.
fn reason(mechanics: &Mechanics<'_, Motion>, names: &ItemNames, e: ExprId) -> String {
    let value = |e: ExprId| FewDigits(derivative(mechanics, e, 0));
    let is_rate = derivative(mechanics, e, 0).is_finite();
    let operation = match mechanics.model.exprs.op(e) {
        Op::Binary(Function2::Div, a, b) => format!("{} divided by {}", value(a), value(b)),
        Op::Binary(Function2::Powf, a, b) => format!("{} to the power of {}", value(a), value(b)),
        Op::Binary(Function2::Atan2, a, b) => format!("atan2({}, {})", value(a), value(b)),
        Op::Binary(Function2::Add, a, b) => format!("{} + {}", value(a), value(b)),
        Op::Binary(Function2::Sub, a, b) => format!("{} - {}", value(a), value(b)),
        Op::Binary(Function2::Mul, a, b) => format!("{} times {}", value(a), value(b)),
        Op::Binary(Function2::Min, a, b) => format!("min({}, {})", value(a), value(b)),
        Op::Binary(Function2::Max, a, b) => format!("max({}, {})", value(a), value(b)),
        Op::Unary(f, a) => format!("{}({})", function_name(f), value(a)),
        Op::Called { function, partial, arguments, .. } => {
            let taken =
                arguments[..usize::from(partial.arguments)].iter().map(|a| value(*a).to_string()).collect::<Vec<_>>();
            format!("function `{}` of {}", mechanics.model.functions[function.index()].name, taken.join(", "))
        }
        op => return describe_leaf(mechanics.model, names, op, derivative(mechanics, e, 0)),
    };
    let prefix = if is_rate { "the derivative of " } else { "" };
    format!("{prefix}{operation} is not finite{}", named_operands(mechanics, names, e))
}

/// ", from `gap` = 0 and `stiffness` = 300": at most four named quantities in an operation, with their values.
fn named_operands(mechanics: &Mechanics<'_, Motion>, names: &ItemNames, e: ExprId) -> String {
    let exprs = &mechanics.model.exprs;
    let mut named: Vec<String> = Vec::new();
    for operand in exprs.subexpressions(e) {
        let Some(name) = leaf_name(mechanics.model, names, exprs.op(operand)) else { continue };
        let found = format!("{name} = {}", FewDigits(derivative(mechanics, operand, 0)));
        if !named.contains(&found) {
            named.push(found);
        }
    }
    named.truncate(4);
    match named.split_last() {
        None => String::new(),
        Some((last, [])) => format!(", from {last}"),
        Some((last, others)) => format!(", from {} and {last}", others.join(", ")),
    }
}

/// Describes a value of the state that is not finite.
fn describe_leaf(model: &Model, names: &ItemNames, op: Op, value: f64) -> String {
    match leaf_name(model, names, op) {
        Some(name) => format!("{name} is {}", FewDigits(value)),
        None => "a position or a direction is not finite".to_owned(),
    }
}

/// Name of a value of the state, for messages; `None` if it has no name.
fn leaf_name(model: &Model, names: &ItemNames, op: Op) -> Option<String> {
    let marker = |m: MarkerId| model.markers[m.index()].name.as_str();
    let component = |c: u8| ["x", "y", "z"][usize::from(c)];
    Some(match op {
        Op::Parameter(i) => format!("parameter `{}`", names.parameters.get(i as usize)?),
        Op::Input(i) => format!("input `{}`", names.inputs.get(i as usize)?),
        Op::Auxiliary(i) => format!("state `{}`", names.auxiliary.get(i as usize)?),
        Op::Time => "`t`".to_owned(),
        Op::Position(m, c) => format!("`position({}).{}`", marker(m), component(c)),
        Op::JointCoordinate(j, k) => {
            let joint = model.joint(j);
            format!("`{}.{}`", joint.name, joint.coordinates.get(usize::from(k))?.0)
        }
        _ => return None,
    })
}

/// Name of a function in the language.
fn function_name(f: Function) -> String {
    format!("{f:?}").to_lowercase()
}
