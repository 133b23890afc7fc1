//! Finds values of a state that are not finite numbers: the item, its operation, and the operands.

use mbs_core::{FewDigits, StateView};
use mbs_definition::Space;
use mbs_expr::{Comparison, ExprId, Function, Function2, MarkerId, Op, Scalar, Series};
use mbs_model::{EquationCategory, Load, Model};

use super::{Mechanics, Tree, Variables};
use crate::ItemNames;

/// Values and two rates.
type Motion = Series<3>;

/// Expressions of an item that may be undefined, with the number of their rates that the equations of motion take.
struct Suspect {
    item: String,
    values: Vec<ExprId>,
    rates: usize,
}

/// A sentence such as "force `spring`: division of 3.2 by 0" for the first item of a model that is not finite at a state, or whose rate is
/// not, where the equations of motion take that. Loads and outputs that depend on accelerations are not checked. `parameters` are flat.
pub fn undefined(model: &Model, tree: &Tree, parameters: &[f64], at: StateView) -> Option<String> {
    let mechanics = moving(model, tree, parameters, at);
    let names = ItemNames::new(model, tree);
    suspects(model).iter().find_map(|suspect| {
        let known = suspect.values.iter().filter(|e| {
            let m = model.exprs.mentions(**e);
            !m.multiplier && m.order.is_none_or(|order| order < 2)
        });
        (0..=suspect.rates).find_map(|rate| {
            let root = known.clone().find(|e| !derivative(&mechanics, **e, rate).is_finite())?;
            let reason = reason(&mechanics, &names, culprit(&mechanics, *root, rate));
            Some(format!("{}: {reason}", suspect.item))
        })
    })
}

/// The model along the motion with constant speeds.
fn moving<'m>(model: &'m Model, tree: &'m Tree, parameters: &[f64], at: StateView) -> Mechanics<'m, Motion> {
    let constants = |values: &[f64]| values.iter().map(|x| Series::constant(*x)).collect::<Vec<Motion>>();
    let filled = |values: &[f64], n: usize| {
        let mut filled = constants(values);
        filled.resize(n, Series::constant(0.0));
        filled
    };
    let variables = Variables {
        t: Series::linear(at.t, 1.0),
        parameters: constants(parameters),
        inputs: filled(at.u, Model::flat_size(&model.inputs)),
        auxiliary: filled(at.z, model.n_stored()),
        multipliers: filled(&[], tree.rows.len()),
        reactions: Vec::new(),
        prescribed: Vec::new(),
    };
    let (q, v) = (constants(at.q), filled(at.v, tree.n()));
    if model.space == Space::Planar {
        let q = Mechanics::path_in_plane(model, tree, &variables, (&q, &v), 2);
        return Mechanics::at_interface(model, tree, variables, &q);
    }
    let [q, speeds] = Mechanics::path_in_space(model, tree, &variables, (&q, &v), 2);
    let accelerations: Vec<Motion> = speeds.iter().map(|v| v.rate()).collect();
    Mechanics::in_space(model, tree, variables, q, [&speeds, &accelerations])
}

/// Everything that the motion depends on, then what is reported, in the order in which it is evaluated.
fn suspects(model: &Model) -> Vec<Suspect> {
    let of = |kind: &str, name: &str, values: Vec<ExprId>, rates| Suspect {
        item: format!("{kind} `{name}`"),
        values,
        rates,
    };
    let bodies = model.bodies.iter().map(|b| {
        let values = [b.mass].into_iter().chain(b.inertia).chain(b.com).collect();
        of("body", &b.name, values, 0)
    });
    let markers = model.markers.iter().map(|m| {
        let axes = m.rotation.into_iter().flatten().flatten();
        of("marker", &m.name, m.point.into_iter().chain([m.angle]).chain(axes).collect(), 0)
    });
    let joints = model.joints.iter().map(|j| of("joint", &j.name, j.rows.iter().map(|row| row.residual).collect(), 2));
    let equations = model.equations.iter().map(|e| {
        let kind = match e.category {
            EquationCategory::Drive => "drive",
            EquationCategory::Constraint => "constraint",
            EquationCategory::Coupling => "coupling",
        };
        of(kind, &e.name, e.rows.clone(), 2)
    });
    let forces = model.forces.iter().flat_map(move |f| {
        let loads = f.loads.iter().flat_map(|load| match *load {
            Load::Force { force: v, .. } | Load::Torque { torque: v, .. } => v.to_vec(),
            Load::Along { value, .. } => vec![value],
            Load::Potential(_) => Vec::new(),
        });
        let derivatives = f.loads.iter().filter_map(|load| match *load {
            Load::Along { coordinate: e, .. } | Load::Potential(e) => Some(e),
            _ => None,
        });
        [of("force", &f.name, loads.collect(), 0), of("force", &f.name, derivatives.collect(), 1)]
    });
    let states = model.auxiliary.iter().map(|a| of("the rate of state", &a.quantity.name, a.rates.clone(), 0));
    let events = model.events.iter().map(|e| of("event", &e.name, e.roots().collect(), 0));
    let outputs = model.outputs.iter().map(|o| of("output", &o.name, o.values.clone(), 0));
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

/// The operation below an expression that is not finite although all its operands are.
fn culprit(mechanics: &Mechanics<'_, Motion>, root: ExprId, rate: usize) -> ExprId {
    let exprs = &mechanics.model.exprs;
    let mut at = root;
    loop {
        // Positions and directions have no operands, and children come first: this ends.
        let children = match exprs.op(at) {
            Op::Select(test, cases) => [Some(cases[0]), Some(cases[1]), Some(chosen(mechanics, test, cases)), None],
            op => exprs.children(op),
        };
        let is_bad = |e: &ExprId| (0..=rate).any(|k| !derivative(mechanics, *e, k).is_finite());
        match children.into_iter().flatten().find(is_bad) {
            Some(child) => at = child,
            None => return at,
        }
    }
}

/// The case of a [`Op::Select`] that counts.
fn chosen(mechanics: &Mechanics<'_, Motion>, test: Comparison, [left, right, then, otherwise]: [ExprId; 4]) -> ExprId {
    let [left, right] = [left, right].map(|e| derivative(mechanics, e, 0));
    let holds = match test {
        Comparison::Less => left < right,
        Comparison::LessEqual => left <= right,
        Comparison::Equal => left == right,
    };
    if holds { then } else { otherwise }
}

/// Describes why an operation is undefined, with the values of its operands.
fn reason(mechanics: &Mechanics<'_, Motion>, names: &ItemNames, e: ExprId) -> String {
    let value = |e: ExprId| FewDigits(derivative(mechanics, e, 0));
    let is_rate = derivative(mechanics, e, 0).is_finite();
    let what = match mechanics.model.exprs.op(e) {
        Op::Binary(Function2::Div, a, b) => format!("{} divided by {}", value(a), value(b)),
        Op::Binary(Function2::Powf, a, b) => format!("{} to the power of {}", value(a), value(b)),
        Op::Binary(Function2::Atan2, a, b) => format!("atan2({}, {})", value(a), value(b)),
        Op::Binary(Function2::Add, a, b) => format!("{} + {}", value(a), value(b)),
        Op::Binary(Function2::Sub, a, b) => format!("{} - {}", value(a), value(b)),
        Op::Binary(Function2::Mul, a, b) => format!("{} times {}", value(a), value(b)),
        Op::Binary(Function2::Min, a, b) => format!("min({}, {})", value(a), value(b)),
        Op::Binary(Function2::Max, a, b) => format!("max({}, {})", value(a), value(b)),
        Op::Unary(f, a) => format!("{}({})", name_of(f), value(a)),
        Op::Called { function, partial, arguments, .. } => {
            let taken =
                arguments[..usize::from(partial.arguments)].iter().map(|a| value(*a).to_string()).collect::<Vec<_>>();
            format!("function `{}` of {}", mechanics.model.functions[function.index()].name, taken.join(", "))
        }
        op => return leaf(mechanics.model, names, op, derivative(mechanics, e, 0)),
    };
    let prefix = if is_rate { "the derivative of " } else { "" };
    format!("{prefix}{what} is not finite{}", made_of(mechanics, names, e))
}

/// ", from `gap` = 0 and `stiffness` = 300": what has a name below an operation, at most four of it.
fn made_of(mechanics: &Mechanics<'_, Motion>, names: &ItemNames, e: ExprId) -> String {
    let exprs = &mechanics.model.exprs;
    let mut named: Vec<String> = Vec::new();
    for below in exprs.below(e) {
        let Some(name) = name_of_leaf(mechanics.model, names, exprs.op(below)) else { continue };
        let found = format!("{name} = {}", FewDigits(derivative(mechanics, below, 0)));
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

/// A value that the state supplies.
fn leaf(model: &Model, names: &ItemNames, op: Op, value: f64) -> String {
    match name_of_leaf(model, names, op) {
        Some(name) => format!("{name} is {}", FewDigits(value)),
        None => "a position or a direction is not finite".to_owned(),
    }
}

/// Name of a value of the state, for messages; `None` if it has no name.
fn name_of_leaf(model: &Model, names: &ItemNames, op: Op) -> Option<String> {
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

/// A function as the language calls it.
fn name_of(f: Function) -> String {
    format!("{f:?}").to_lowercase()
}
