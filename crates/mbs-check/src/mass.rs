//! Checks that M is definite on the admissible motions; finds the massless body or coordinate if it is not.

use mbs_definition::{Errors, Space};
use mbs_expr::{BodyId, Op, Series};
use mbs_model::{BodyKind, Model};
use mbs_physics::linear::{SparseRow, dependent_rows, solve};
use mbs_physics::{
    InterfaceCoordinate, InterfaceSpeed, Mechanics, SolverCoordinate, Tree, Variables, default_variables,
};

use super::assemble::saddle;
use super::{Context, Sample, mechanics_at};

const KINEMATICS_ALONE: &str = "ask for kinematics alone: `kernels: [kinematics, outputs];`";

/// Whether accelerations and multipliers exist at a pose. If they do not and the kernel `forward` is requested, reports the massless body or
/// coordinate (`MBS064`).
pub fn is_solvable(context: &Context<'_>, pose: &[f64], sample: &Sample, errors: &mut Errors) -> bool {
    let dependent = dependent_rows(&sample.jacobian);
    let independent = |r: &usize| dependent.binary_search(r).is_err();
    let rows: Vec<SparseRow> =
        (0..sample.jacobian.len()).filter(independent).map(|r| sample.jacobian[r].clone()).collect();
    let matrix = saddle(&without_noise(context, pose, &sample.mass), &rows);
    let size = matrix.len();
    let Err(null) = solve(matrix, vec![0.0; size]) else { return true };
    if context.model.settings.kernels.forward {
        report(context, pose, &null[..context.tree.n()], errors);
    }
    false
}

/// Entries of M below this part of the terms that formed them are round-off.
const ROUNDING: f64 = 1e-14;

/// M without entries that are round-off relative to √(M_ii M_jj), which bounds |M_ij|, to the terms that bodies in natural coordinates
/// contribute, or to the bodies that a speed moves, at a distance of the mechanism's size: a body without inertia that turns about its centre of mass
/// has the rounding of its parallel-axis terms as its moment of inertia. Round-off would give mass to massless motions.
fn without_noise(context: &Context<'_>, pose: &[f64], mass: &[SparseRow]) -> Vec<SparseRow> {
    let (mut mass, mechanics) = (mass.to_vec(), mechanics_at(context.model, context.tree, pose));
    for (i, j, noise) in mechanics.natural_mass_noise(ROUNDING) {
        for (row, column) in [(i, j), (j, i)] {
            mass[row].retain(|c, x| *c != column || x.abs() > noise.value());
        }
    }
    let diagonal: Vec<f64> = mass.iter().enumerate().map(|(i, row)| row.get(&i).copied().unwrap_or(0.0)).collect();
    let least = least_masses(context, pose, &mechanics, &diagonal);
    let has_mass = |i: usize| diagonal[i] > least[i];
    for (i, row) in mass.iter_mut().enumerate() {
        let is_noise = |j: usize, x: f64| x.abs() <= ROUNDING * (diagonal[i] * diagonal[j]).max(0.0).sqrt();
        row.retain(|j, x| has_mass(i) && has_mass(*j) && !is_noise(*j, *x));
    }
    mass
}

/// Round-off of each diagonal entry of M: m ℓ² times [`ROUNDING`], with the mass m of the bodies that the speed moves, and the size ℓ of the mechanism.
/// Zero for entries that are larger even than that of all bodies. `mechanics` are those at the pose.
fn least_masses(
    context: &Context<'_>,
    pose: &[f64],
    mechanics: &Mechanics<'_, Series<2>>,
    diagonal: &[f64],
) -> Vec<f64> {
    let model = context.model;
    let masses: Vec<f64> = model.bodies.iter().map(|body| mechanics.value(body.mass).value().abs()).collect();
    let square = ROUNDING * super::mechanism_size(model, context.tree, pose).powi(2);
    let all = square * masses.iter().sum::<f64>();
    let least = |(i, m): (usize, &f64)| {
        if *m == 0.0 || *m > all {
            return 0.0;
        }
        let mut motion = vec![0.0; diagonal.len()];
        motion[i] = 1.0;
        let moves = |(v, omega): &(f64, f64)| *v != 0.0 || *omega != 0.0;
        let moved = twists(context, pose, &motion).into_iter().zip(&masses).filter(|(twist, _)| moves(twist));
        square * moved.map(|(_, mass)| mass).sum::<f64>()
    };
    diagonal.iter().enumerate().map(least).collect()
}

/// The mechanics of the model at solver coordinates q and solver's speeds v, as series in time.
pub fn mechanics_in_motion<'m, const N: usize>(
    model: &'m Model,
    tree: &'m Tree,
    variables: Variables<Series<N>>,
    q: &[f64],
    v: &[f64],
) -> Mechanics<'m, Series<N>> {
    match model.space {
        Space::Planar => {
            let coordinates = q.iter().zip(v).map(|(q, v)| Series::linear(*q, *v)).collect();
            Mechanics::at_solver_coordinates(model, tree, variables, coordinates)
        }
        Space::Spatial => {
            let speeds: Vec<Series<N>> = v.iter().map(|v| Series::constant(*v)).collect();
            Mechanics::spatial_motion(model, tree, variables, q, &speeds)
        }
    }
}

/// Speed of the centre of mass and angular speed of each body, for solver's speeds.
fn twists(context: &Context<'_>, pose: &[f64], motion: &[f64]) -> Vec<(f64, f64)> {
    let (model, tree) = (context.model, context.tree);
    let mut variables = default_variables(model, tree);
    variables.t = Series::constant(0.0);
    let mechanics = mechanics_in_motion::<2>(model, tree, variables, pose, motion);
    let twist = |b: usize| {
        let com = mechanics.marker_point(model.bodies[b].com_marker).map(|x| x.derivative(1));
        let angular = match model.bodies[b].kind {
            BodyKind::Particle => 0.0,
            BodyKind::Rigid => {
                let omega = mechanics.angular_velocity(BodyId(b as u32)).map(Series::value);
                omega.dot(omega).sqrt()
            }
        };
        (com[0].hypot(com[1]).hypot(com[2]), angular)
    };
    (0..model.bodies.len()).map(twist).collect()
}

/// Reports a motion without kinetic energy (`MBS064`): names the first body that it moves, else the algebraic coordinate.
fn report(context: &Context<'_>, pose: &[f64], motion: &[f64], errors: &mut Errors) {
    let (model, tree) = (context.model, context.tree);
    let length = context.scales.iter().zip(&tree.solver).find(|(_, c)| !matches!(c, SolverCoordinate::Angle(_)));
    let length = length.map_or_else(|| super::mechanism_size(model, tree, pose), |(s, _)| *s);
    let twists: Vec<(f64, f64)> =
        twists(context, pose, motion).into_iter().map(|(v, omega)| (v, length * omega)).collect();
    let largest = twists.iter().fold(0.0_f64, |m, (v, w)| m.max(*v).max(*w));
    let changes = tree.solver.iter().zip(motion).zip(&context.scales).filter_map(|((c, v), s)| match c {
        SolverCoordinate::Algebraic(i) => Some((*i, (v / s).abs())),
        _ => None,
    });
    let algebraic = changes.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, v)| *v * length > 1e6 * largest);
    if let Some((i, _)) = algebraic {
        return report_algebraic(context, i, errors);
    }
    let moves = |(v, w): &(f64, f64)| v.max(*w) > 1e-6 * largest;
    let Some(b) = twists.iter().position(moves) else { return report_idle(context, motion, errors) };
    let body = &model.bodies[b];
    let (category, only_rotates) = match body.kind {
        BodyKind::Rigid => ("body", twists[b].0 <= 1e-6 * twists[b].1),
        BodyKind::Particle => ("particle", false),
    };
    let tunable = |e| model.exprs.any(e, &|o| matches!(o, Op::Parameter(_)));
    let by_default =
        if tunable(body.mass) || body.inertia.into_iter().any(tunable) { " at default parameters" } else { "" };
    let (name, remedy) = (&body.name, if body.kind == BodyKind::Particle { "`mass`" } else { "`mass` and `inertia`" });
    let (message, remedy) = match only_rotates {
        true => (format!("{category} `{name}` can turn without inertia{by_default}"), "`inertia`"),
        false => (format!("{category} `{name}` can move without mass{by_default}"), remedy),
    };
    let help = format!("give it {remedy}, hold it, or {KINEMATICS_ALONE}");
    errors.push("MBS064", body.origin, format!("{message}: its acceleration is undetermined"), Some(help));
}

/// Reports a coordinate that moves no body (`MBS064`); it belongs to a joint of a declared kind.
fn report_idle(context: &Context<'_>, motion: &[f64], errors: &mut Errors) {
    let (model, tree) = (context.model, context.tree);
    let most = (0..motion.len()).max_by(|i, k| motion[*i].abs().total_cmp(&motion[*k].abs()));
    let joint = most.and_then(|i| match (model.space, tree.solver.get(i), tree.speeds.get(i)) {
        (Space::Planar, Some(SolverCoordinate::Posed(j, _)), _) => Some(*j),
        (Space::Spatial, _, Some(InterfaceSpeed::Joint(j, _))) => Some(*j),
        _ => None,
    });
    let Some(joint) = joint.map(|j| model.joint(j)) else { return };
    let message = format!("a coordinate of joint `{}` moves nothing: its acceleration is undetermined", joint.name);
    let help = format!("let the pose of `{}` change with each of its coordinates", joint.kind_name);
    errors.push("MBS064", joint.origin, message, Some(help));
}

/// Reports algebraic coordinate i, which no constraint determines (`MBS064`).
fn report_algebraic(context: &Context<'_>, i: u32, errors: &mut Errors) {
    let wanted = InterfaceCoordinate::Algebraic(i);
    let index = context.tree.interface.iter().position(|c| *c == wanted).expect("it has an interface coordinate");
    let declared = context.model.quantities.algebraic.iter().rfind(|q| q.offset <= i as usize).expect("it is declared");
    errors.push(
        "MBS064",
        declared.origin,
        format!("coordinate `{}` is closed by no constraint", context.tree.coordinate_name(context.model, index)),
        Some("write a `constraint` that determines it".to_owned()),
    );
}
