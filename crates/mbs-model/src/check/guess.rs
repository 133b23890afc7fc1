//! Solver coordinates of the declared poses: a guess to assemble from.

use std::collections::BTreeMap;

use crate::check::default_variables;
use crate::mechanics::{Mechanics, Placement, SolverCoordinate, Tree};
use crate::{BodyId, ExprId, Formulation, JointKind, Model, Op, RowLevel, Series};

/// Places bodies along joints: a declared angle turns a pin, a declared position moves a slide, an `initial` joint coordinate
/// sets it; what is not declared stays zero. Joints of the tree in joint coordinates serve for both formulations.
pub fn declared(model: &Model, tree: &Tree) -> Vec<f64> {
    let joint_model = super::elements::in_formulation(model, Formulation::Joint);
    let joint_tree = Tree::new(&joint_model);
    let placed = place_along_joints(&joint_model, &joint_tree);
    read_solver_coordinates(tree, &placed)
}

type Numbers<'m> = Mechanics<'m, Series<1>>;

fn place_along_joints<'m>(model: &'m Model, tree: &'m Tree) -> Numbers<'m> {
    let n = tree.n();
    let mut coordinates = vec![Series::<1>::constant(0.0); n];
    let at = |coordinates: &[Series<1>]| {
        Mechanics::at_solver(model, tree, default_variables(model, tree), coordinates.to_vec())
    };
    let initial = initial_joint_coordinates(model, &at(&coordinates));
    for (i, c) in tree.solver.iter().enumerate() {
        if let SolverCoordinate::Algebraic(a) = c {
            let values: Vec<f64> = model.algebraic.iter().flat_map(|q| q.default.clone()).collect();
            coordinates[i] = Series::constant(values[*a as usize]);
        }
    }
    // Poses so far; placed again when a body is reached whose parent has been set since: once per level of the tree.
    let mut mechanics = at(&coordinates);
    let mut waiting: Vec<BodyId> = Vec::new();
    for &body in &tree.order {
        if let Placement::Joint { parent: Some(parent), .. } = tree.placements[body.index()]
            && waiting.contains(&parent)
        {
            mechanics = at(&coordinates);
            waiting.clear();
        }
        waiting.push(body);
        let declared = &model.bodies[body.index()];
        let number = |e: ExprId| mechanics.value(e).value();
        let mut set = |c: SolverCoordinate, x: f64| {
            if let Some(i) = tree.index_of(c) {
                coordinates[i] = Series::constant(x);
            }
        };
        match tree.placements[body.index()] {
            Placement::Free { joint, .. } => {
                let measured = |k: u8| joint.and_then(|j| initial.get(&(j.0, k)).copied());
                let angle = measured(2).or(declared.angle.map(number)).unwrap_or(0.0);
                let origin =
                    [0, 1].map(|k| measured(k as u8).or(declared.position.map(|p| number(p[k]))).unwrap_or(0.0));
                let com = declared.com.map(number);
                let (s, c) = angle.sin_cos();
                set(SolverCoordinate::World(body, 0), origin[0] + c * com[0] - s * com[1]);
                set(SolverCoordinate::World(body, 1), origin[1] + s * com[0] + c * com[1]);
                set(SolverCoordinate::Turn(body), angle);
            }
            Placement::Joint { joint: id, reversed, .. } => {
                let joint = &model.joints[id.index()];
                let given = initial.get(&(id.0, 0)).copied();
                match joint.kind {
                    JointKind::Revolute => {
                        let ends = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
                        let facing = mechanics.marker_angle(ends[0]).value();
                        let own = number(model.markers[ends[1].index()].angle);
                        let sign = if reversed { -1.0 } else { 1.0 };
                        let angle = match given {
                            Some(q) => facing + sign * q - own,
                            None => declared.angle.map_or(facing - own, number),
                        };
                        set(SolverCoordinate::Turn(body), angle);
                    }
                    JointKind::Prismatic { .. } => {
                        let displacement = declared.position.map(|p| {
                            let p = p.map(number);
                            slide_of(&mechanics, body, p, id)
                        });
                        set(SolverCoordinate::Slide(id), given.or(displacement).unwrap_or(0.0));
                    }
                    _ => {}
                }
            }
        }
    }
    at(&coordinates)
}

/// Displacement along a slide that brings a body's origin closest to a declared position.
fn slide_of(mechanics: &Numbers<'_>, body: BodyId, p: [f64; 2], joint: crate::JointId) -> f64 {
    let i = mechanics.tree.index_of(SolverCoordinate::Slide(joint)).expect("a tree slide");
    let crate::mechanics::Motion::Slide { frame, axis } = mechanics.kinematics.motions[i] else { return 0.0 };
    let axis = mechanics.kinematics.world(frame, axis).map(Series::value);
    let origin = &mechanics.kinematics.body(body).origin;
    let at_zero = mechanics.kinematics.world_sum(origin).map(Series::value);
    (p[0] - at_zero[0]) * axis[0] + (p[1] - at_zero[1]) * axis[1]
}

/// `initial hinge.angle = 0.5` and `~`, by (joint, coordinate).
fn initial_joint_coordinates(model: &Model, mechanics: &Numbers<'_>) -> BTreeMap<(u32, u8), f64> {
    let conditions = model.conditions.iter().filter(|c| c.level == RowLevel::Position);
    conditions
        .filter_map(|c| match model.exprs.op(c.target) {
            Op::JointCoordinate(j, k) => Some(((j.0, k), mechanics.value(c.value).value())),
            _ => None,
        })
        .collect()
}

/// The same poses in the solver coordinates of the chosen formulation.
pub fn read_solver_coordinates(tree: &Tree, placed: &Numbers<'_>) -> Vec<f64> {
    let pose = |b: BodyId| {
        let com = placed.kinematics.world_sum(&placed.kinematics.body(b).com).map(Series::value);
        [com[0], com[1], placed.kinematics.angle(b).value()]
    };
    tree.solver
        .iter()
        .map(|c| match *c {
            SolverCoordinate::World(b, axis) => pose(b)[axis as usize],
            SolverCoordinate::Turn(b) => pose(b)[2],
            SolverCoordinate::Slide(_) | SolverCoordinate::Algebraic(_) => {
                placed.tree.index_of(*c).map_or(0.0, |i| placed.coordinates[i].value())
            }
        })
        .collect()
}
