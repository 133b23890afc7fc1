//! Coincidence constraints of joints: points, vectors, and triples of vectors (for bodies that do not rotate relative to each other) that two
//! bodies share.

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar};
use mbs_math::Vector;
use mbs_model::{BasicEquation, Formulation, Joint, Model};

use crate::{Tree, exact, in_formulation};

/// A point or a vector, fixed in a body or in ground; in the plane without a third component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub body: Option<BodyId>,
    pub is_point: bool,
    pub at: [ExprId; 3],
}

/// Rows of a joint that only require points or vectors to coincide: one pair, or three pairs of vectors of bodies that do not rotate relative
/// to each other.
pub struct Link {
    pub joint: JointId,
    pub rows: std::ops::Range<usize>,
    pub pairs: Vec<[Place; 2]>,
}

/// Collects the coincidence constraints of joints between `members` (and ground): attitudes first, then points, then vectors.
pub fn links(model: &mut Model, members: &[bool], axes: [[ExprId; 3]; 3]) -> Vec<Link> {
    // Rows that others imply can only be left out where they are.
    let spanning = model.redundant.is_some().then(|| Tree::new(&in_formulation(model, Formulation::Joint)));
    let closes = |j: JointId| spanning.as_ref().is_some_and(|tree| !tree.spans(j));
    let (mut frames, mut points, mut vectors) = (Vec::new(), Vec::new(), Vec::new());
    for j in 0..model.joints.len() {
        let joint = &model.joints[j];
        let ends = joint.ends;
        if !is_between(model, joint, members) {
            continue;
        }
        if model.space == Space::Planar {
            let (point, vector) = in_the_plane(model, JointId(j as u32));
            points.extend(point);
            vectors.extend(vector.filter(|link| !closes(link.joint)));
            continue;
        }
        if closes(JointId(j as u32)) {
            continue;
        }
        let basics = (0..).zip(&joint.rows).filter_map(|(k, row)| Some((k, row.basic?)));
        // First rows of each.
        let (mut point, mut tilt, mut turn) = (None, None, None);
        basics.for_each(|(k, basic)| match basic {
            BasicEquation::Coincident(0) => point = Some(k),
            BasicEquation::Untilted { axis, row: 0 } => tilt = Some((k, axis)),
            BasicEquation::Unturned(0) => turn = Some(k),
            _ => {}
        });
        let joint = JointId(j as u32);
        if let Some(first) = point {
            let place = |m: MarkerId| {
                let marker = &model.markers[m.index()];
                Place { body: marker.body, is_point: true, at: marker.point }
            };
            points.push(Link { joint, rows: first..first + 3, pairs: vec![ends.map(place)] });
        }
        let mut vector = |axis: [ExprId; 3]| {
            ends.map(|m| Place { body: model.markers[m.index()].body, is_point: false, at: in_body(model, m, axis) })
        };
        match (tilt, turn) {
            (Some((first, axis)), _) => {
                vectors.push(Link { joint, rows: first..first + 2, pairs: vec![vector(axis)] });
            }
            (None, Some(first)) => {
                frames.push(Link { joint, rows: first..first + 3, pairs: axes.map(vector).to_vec() });
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
fn in_the_plane(model: &mut Model, j: JointId) -> (Option<Link>, Option<Link>) {
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
    let place = |m: MarkerId| {
        let marker = &model.markers[m.index()];
        Place { body: marker.body, is_point: true, at: marker.point }
    };
    let point = first.map(|first| Link { joint: j, rows: first..first + 2, pairs: vec![ends.map(place)] });
    let bodies = ends.map(|m| model.markers[m.index()].body);
    let [p, q] = ends.map(|m| model.markers[m.index()].angle);
    let vector = parallel.map(|(row, turned)| {
        let ahead = model.exprs.write(|w| w.id(w.expr(p) + w.expr(turned)));
        let at = [ahead, q].map(|angle| unit_at(model, angle));
        let pair = [0, 1].map(|k| Place { body: bodies[k], is_point: false, at: at[k] });
        Link { joint: j, rows: row..row + 1, pairs: vec![pair] }
    });
    (point, vector)
}

/// (cos, sin, 0) of an angle in the plane; of quarter turns without rounding.
fn unit_at(model: &mut Model, angle: ExprId) -> [ExprId; 3] {
    model.exprs.write(|w| {
        let angle = w.expr(angle);
        let (sin, cos) = match angle.literal() {
            Some(angle) => {
                let (sin, cos) = exact(angle);
                (sin.into(), cos.into())
            }
            None => angle.sin_cos(),
        };
        w.ids(Vector([cos, sin, 0.0.into()]))
    })
}

/// A vector of a marker in the axes of its body.
fn in_body(model: &mut Model, marker: MarkerId, v: [ExprId; 3]) -> [ExprId; 3] {
    let Some(axes) = model.markers[marker.index()].rotation else { return v };
    [0, 1, 2].map(|k| {
        let row = axes.map(|axis| axis[k]);
        model.exprs.write(|w| w.id(w.dot(&row, &v)))
    })
}
