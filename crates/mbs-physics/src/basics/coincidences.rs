//! Coincidence constraints of joints: points, vectors, and triples of vectors (for bodies that do not rotate relative to each other) that two
//! bodies can share.

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar};
use mbs_math::Vector;
use mbs_model::{BasicEquation, Formulation, Joint, Model};

use crate::{Tree, exact_sin_cos, in_formulation};

/// A candidate for a basic point or vector: a point or a vector that is fixed in a body or in ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// The body; `None` is ground.
    pub body: Option<BodyId>,
    /// Whether it is a point, not a vector.
    pub is_point: bool,
    /// Components in body axes \[m\]; of a vector without unit. The third is not used in the plane.
    pub components: [ExprId; 3],
}

/// Rows of a joint that only require points or vectors to coincide: one pair, or three pairs of vectors of bodies that do not rotate relative
/// to each other.
pub struct Coincidence {
    /// The joint.
    pub joint: JointId,
    /// Its rows, which sharing makes unnecessary.
    pub rows: std::ops::Range<usize>,
    /// Candidates on the first and on the second end.
    pub pairs: Vec<[Candidate; 2]>,
}

/// Collects the coincidence constraints of joints between `members` (and ground): attitudes first, then points, then vectors.
pub fn coincidences(model: &mut Model, members: &[bool], axes: [[ExprId; 3]; 3]) -> Vec<Coincidence> {
    // Redundant rows can only be omitted where they exist: joints that close loops keep theirs.
    let spanning = model.settings.redundant.is_some().then(|| Tree::new(&in_formulation(model, Formulation::Joint)));
    let closes = |j: JointId| spanning.as_ref().is_some_and(|tree| !tree.contains_joint(j));
    let (mut frames, mut points, mut vectors) = (Vec::new(), Vec::new(), Vec::new());
    for j in 0..model.joints.len() {
        let joint = &model.joints[j];
        let ends = joint.ends;
        if !is_between(model, joint, members) {
            continue;
        }
        if model.space == Space::Planar {
            let (point, vector) = planar_coincidences(model, JointId(j as u32));
            points.extend(point);
            vectors.extend(vector.filter(|coincidence| !closes(coincidence.joint)));
            continue;
        }
        if closes(JointId(j as u32)) {
            continue;
        }
        let basics = (0..).zip(&joint.rows).filter_map(|(k, row)| Some((k, row.basic?)));
        // Indices of their first rows.
        let (mut point, mut common_axis, mut parallel_axes) = (None, None, None);
        basics.for_each(|(k, basic)| match basic {
            BasicEquation::Coincident(0) => point = Some(k),
            BasicEquation::CommonAxis { axis, row: 0 } => common_axis = Some((k, axis)),
            BasicEquation::ParallelAxes(0) => parallel_axes = Some(k),
            _ => {}
        });
        let joint = JointId(j as u32);
        if let Some(first) = point {
            let candidate = |m: MarkerId| {
                let marker = &model.markers[m.index()];
                Candidate { body: marker.body, is_point: true, components: marker.point }
            };
            points.push(Coincidence { joint, rows: first..first + 3, pairs: vec![ends.map(candidate)] });
        }
        let mut vector = |axis: [ExprId; 3]| {
            ends.map(|m| {
                let body = model.markers[m.index()].body;
                Candidate { body, is_point: false, components: to_body_axes(model, m, axis) }
            })
        };
        match (common_axis, parallel_axes) {
            (Some((first, axis)), _) => {
                vectors.push(Coincidence { joint, rows: first..first + 2, pairs: vec![vector(axis)] });
            }
            (None, Some(first)) => {
                frames.push(Coincidence { joint, rows: first..first + 3, pairs: axes.map(vector).to_vec() });
            }
            (None, None) => {}
        }
    }
    frames.into_iter().chain(points).chain(vectors).collect()
}

/// Whether a joint cannot be switched off, and connects two bodies of `members`, or one of them and ground where that does not move.
fn is_between(model: &Model, joint: &Joint, members: &[bool]) -> bool {
    let is_time = |e: ExprId| model.exprs.any(e, &|op| op == Op::Time);
    let on_member = |m: MarkerId| {
        let marker = &model.markers[m.index()];
        let axes = marker.rotation.into_iter().flatten().flatten();
        let mut parts = marker.point.into_iter().chain([marker.angle]).chain(axes);
        marker.body.map_or_else(|| !parts.any(is_time), |b| members[b.index()])
    };
    let [first, second] = joint.ends.map(|m| model.markers[m.index()].body);
    joint.enabled.is_none() && first != second && joint.ends.into_iter().all(on_member)
}

/// Coincidences that a planar joint imposes: that of a point, and that of a vector, the x axis of the second end.
fn planar_coincidences(model: &mut Model, j: JointId) -> (Option<Coincidence>, Option<Coincidence>) {
    let joint = model.joint(j);
    let ends = joint.ends;
    let (mut first, mut parallel) = (None, None);
    (0..).zip(&joint.rows).for_each(|(k, row)| match row.basic {
        Some(BasicEquation::Coincident(0)) => first = Some(k),
        Some(BasicEquation::Parallel { angle }) => parallel = Some((k, angle)),
        _ => {}
    });
    if parallel.is_some_and(|(_, angle)| model.exprs.any(angle, &|op| op == Op::Time)) {
        return (None, None);
    }
    let candidate = |m: MarkerId| {
        let marker = &model.markers[m.index()];
        Candidate { body: marker.body, is_point: true, components: marker.point }
    };
    let point = first.map(|first| Coincidence { joint: j, rows: first..first + 2, pairs: vec![ends.map(candidate)] });
    let bodies = ends.map(|m| model.markers[m.index()].body);
    let [p, q] = ends.map(|m| model.markers[m.index()].angle);
    let vector = parallel.map(|(row, alpha)| {
        let sum = model.exprs.write(|w| w.id(w.expr(p) + w.expr(alpha)));
        let directions = [sum, q].map(|angle| direction_of_angle(model, angle));
        let pair = [0, 1].map(|k| Candidate { body: bodies[k], is_point: false, components: directions[k] });
        Coincidence { joint: j, rows: row..row + 1, pairs: vec![pair] }
    });
    (point, vector)
}

/// (cos, sin, 0) of an angle in the plane; exact for literal multiples of π/2.
fn direction_of_angle(model: &mut Model, angle: ExprId) -> [ExprId; 3] {
    model.exprs.write(|w| {
        let angle = w.expr(angle);
        let (sin, cos) = match angle.literal() {
            Some(angle) => {
                let (sin, cos) = exact_sin_cos(angle);
                (sin.into(), cos.into())
            }
            None => angle.sin_cos(),
        };
        w.ids(Vector([cos, sin, 0.0.into()]))
    })
}

/// Components in body axes of a vector that is given in the axes of a marker.
fn to_body_axes(model: &mut Model, marker: MarkerId, v: [ExprId; 3]) -> [ExprId; 3] {
    let Some(axes) = model.markers[marker.index()].rotation else { return v };
    [0, 1, 2].map(|k| {
        let row = axes.map(|axis| axis[k]);
        model.exprs.write(|w| w.id(w.dot(&row, &v)))
    })
}
