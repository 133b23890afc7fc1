//! Natural coordinates of the plane: rows of joints in terms of directions instead of angles, and continuous angles.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar};
use mbs_math::Vector;
use mbs_model::{BasicEquation, Row, RowId, RowLevel};

use super::rows::Builder;

impl Builder<'_> {
    /// Replaces rows θ_P + α − θ_Q of joints by x̂_Q × R(α) x̂_P, the sine of that sum, which needs no angle.
    pub fn replace_angle_rows(&mut self) {
        for j in 0..self.model.joints.len() {
            let joint = &self.model.joints[j];
            let ends = joint.ends;
            let parallel = (0..).zip(&joint.rows).find_map(|(k, row)| match row.basic {
                Some(BasicEquation::Parallel { angle }) => Some((k, angle)),
                _ => None,
            });
            let Some((row, alpha)) = parallel else { continue };
            let is_replaced = self.natural.replaced.contains(&(JointId(j as u32), row));
            if is_replaced || !ends.iter().any(|m| self.is_marker_natural(*m)) {
                continue;
            }
            let residual = self.model.exprs.write(|w| {
                let direction = |m, axis| Vector([0, 1].map(|c| w.op(Op::Direction(m, axis, c))));
                let (sin, cos) = w.expr(alpha).sin_cos();
                let first = cos * direction(ends[0], 0) + sin * direction(ends[0], 1);
                w.id(direction(ends[1], 0).cross(first))
            });
            self.natural.direction_rows.insert((JointId(j as u32), row), residual);
        }
    }

    /// Whether a marker is on a body in natural coordinates.
    fn is_marker_natural(&self, marker: MarkerId) -> bool {
        self.natural.is_natural(self.model.markers[marker.index()].body)
    }

    /// Adds a continuous angle θ as an unknown for each body whose angle must not jump, because the motion depends on it. Its row is
    /// w − 2π ⌊w/2π + ½⌋ = 0 with w = θ − atan2(x̂), whose derivatives and rates need no trigonometry.
    pub fn add_continuous_angles(&mut self) {
        let mut bodies: Vec<BodyId> = Vec::new();
        for root in self.remaining_motion_roots() {
            self.collect_bodies_by_angle(root, &mut bodies);
        }
        bodies.sort_unstable();
        bodies.dedup();
        for body in &bodies {
            let declared = &self.model.bodies[body.index()];
            let (marker, name, origin) = (declared.origin_marker, format!("{}.angle", declared.name), declared.origin);
            let residual = self.model.exprs.write(|w| {
                let [x, y] = [0, 1].map(|c| w.op(Op::Direction(marker, 0, c)));
                let difference = w.op(Op::Angle(marker)) - y.atan2(x);
                w.id(difference - TAU * difference.whole_turns())
            });
            let row = Row {
                id: RowId::Revolutions(*body),
                name,
                basic: None,
                origin,
                residual,
                enabled: None,
                level: RowLevel::Position,
            };
            self.natural.rows.push(row);
        }
        self.natural.angles = bodies;
    }

    /// Expressions that the motion depends on, without those that are only reported and without replaced rows of joints.
    fn remaining_motion_roots(&self) -> Vec<ExprId> {
        let model = &*self.model;
        let rows = model.joints.iter().enumerate().flat_map(|(j, joint)| {
            let kept = move |k: usize| {
                let row = (JointId(j as u32), k);
                !self.natural.direction_rows.contains_key(&row) && !self.natural.replaced.contains(&row)
            };
            joint.rows.iter().enumerate().filter(move |(k, _)| kept(*k)).map(|(_, row)| row.residual)
        });
        rows.chain(model.motion_roots_without_joints()).collect()
    }

    /// Adds to `found` the bodies whose angles an expression reads. Rates of angles need no angle.
    fn collect_bodies_by_angle(&self, root: ExprId, found: &mut Vec<BodyId>) {
        let exprs = &self.model.exprs;
        let (mut waiting, mut seen) = (vec![root], BTreeSet::new());
        while let Some(e) = waiting.pop() {
            if !seen.insert(e) {
                continue;
            }
            match exprs.op(e) {
                Op::Rate(operand) if matches!(exprs.op(operand), Op::Angle(_) | Op::JointCoordinate(..)) => {}
                Op::Angle(m) if self.is_marker_natural(m) => found.extend(self.model.markers[m.index()].body),
                Op::JointCoordinate(j, k) => waiting.push(self.model.joint(j).coordinates[usize::from(k)].1),
                op => waiting.extend(exprs.children(op).into_iter().flatten()),
            }
        }
    }
}
