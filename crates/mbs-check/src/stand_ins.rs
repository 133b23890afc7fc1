//! Functions written in Rust, which stand-ins replace: the rows and poses that depend on them, and models whose poses are defined without them.

use std::borrow::Cow;

use mbs_expr::{BodyId, ExprId, FunctionId, Op, Series, StandIn};
use mbs_model::{Body, Model, Row};
use mbs_physics::linear::SparseRow;
use mbs_physics::{Mechanics, Placement, Tree, default_variables};

/// Whether two numbers differ; two NaNs count as equal.
pub fn differ(a: f64, b: f64) -> bool {
    a != b && !(a.is_nan() && b.is_nan())
}

/// Whether two rows differ; a zero is equal to a missing entry.
pub fn derivatives_differ(a: &SparseRow, b: &SparseRow) -> bool {
    let entry = |row: &SparseRow, i: &usize| row.get(i).copied().unwrap_or(0.0);
    a.keys().chain(b.keys()).any(|i| differ(entry(a, i), entry(b, i)))
}

/// Whether a row contains no function with a stand-in, either itself or in the motion of points on ground that it reads. In body coordinates a row
/// contains no other functions.
pub fn is_known(model: &Model, row: &Row) -> bool {
    let on_ground = |e: ExprId| match model.exprs.op(e) {
        Op::Position(m, _) | Op::Direction(m, ..) | Op::Angle(m) => {
            Some(&model.markers[m.index()]).filter(|m| m.body.is_none())
        }
        _ => None,
    };
    let known = |e: ExprId| model.unbound_function_in(e).is_none();
    !model.has_stand_ins()
        || (known(row.residual)
            && model
                .exprs
                .subexpressions(row.residual)
                .into_iter()
                .filter_map(on_ground)
                .flat_map(|m| m.pose_expressions())
                .all(known))
}

/// The model with stand-ins for which the poses at solver coordinates q are finite: zero for functions that are not known, or a generic function
/// where zero gives no finite values.
pub fn model_with_finite_poses<'m>(model: &'m Model, tree: &Tree, q: &[f64]) -> Cow<'m, Model> {
    let zero = model.with_stand_ins(StandIn::Zero);
    if model.has_stand_ins() {
        let coordinates = q.iter().map(|x| Series::<2>::constant(*x)).collect();
        let mechanics = Mechanics::at_solver_coordinates(&zero, tree, default_variables(&zero, tree), coordinates);
        let finite = |x: Series<2>| x.value().is_finite();
        let bodies = model.bodies.iter().flat_map(|b| mechanics.marker_point(b.com_marker));
        if !bodies.chain(mechanics.interface_coordinates()).all(finite) {
            return model.with_stand_ins(StandIn::Generic);
        }
    }
    zero
}

/// Unbound functions in the poses of the joints inboard of a body.
#[derive(Clone, Copy, Debug, Default)]
pub struct PoseFunctions {
    /// A function that the body's orientation depends on, if any.
    pub orientation: Option<FunctionId>,
    /// A function that the body's orientation or position depends on, if any.
    pub pose: Option<FunctionId>,
}

/// Unbound functions that the pose of each body depends on in the coordinates of the tree, in the order of the model's bodies.
pub fn pose_functions(model: &Model, tree: &Tree) -> Vec<PoseFunctions> {
    let mut all = vec![PoseFunctions::default(); model.bodies.len()];
    for body in &tree.order {
        if let Placement::Joint { joint, parent, .. } = tree.placements[body.index()] {
            let [translation, rotation] = model.pose_of(joint).map_or([None; 2], |pose| pose.unbound_functions(model));
            let parent = parent.map_or(PoseFunctions::default(), |parent| all[parent.index()]);
            let orientation = parent.orientation.or(rotation);
            all[body.index()] = PoseFunctions { orientation, pose: parent.pose.or(orientation).or(translation) };
        }
    }
    all
}

/// Bodies with completely or partly declared poses that depend on unbound functions: joint coordinates cannot be measured at these poses.
pub fn bodies_not_measured(model: &Model, tree: &Tree) -> Vec<BodyId> {
    let is_declared = |b: &Body| b.position.is_some() || b.angle.is_some() || b.rotation.is_some();
    let bodies = (0..).map(BodyId).zip(&model.bodies).zip(pose_functions(model, tree));
    bodies
        .filter(|((_, body), functions)| functions.pose.is_some() && is_declared(body))
        .map(|((id, _), _)| id)
        .collect()
}
