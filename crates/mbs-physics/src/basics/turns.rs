//! Natural coordinates of the plane: rows of joints in directions instead of angles, and angles that count revolutions.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar};
use mbs_math::Vector;
use mbs_model::{BasicEquation, Row, RowId, RowLevel};

use super::rows::Builder;

impl Builder<'_> {
    /// Replaces rows θ_P + α − θ_Q of joints by x̂_Q × R(α) x̂_P, the sine of that sum, which needs no angle.
    pub fn turn_joints(&mut self) {
        for j in 0..self.model.joints.len() {
            let joint = &self.model.joints[j];
            let ends = joint.ends;
            let parallel = (0..).zip(&joint.rows).find_map(|(k, row)| match row.basic {
                Some(BasicEquation::Parallel { angle }) => Some((k, angle)),
                _ => None,
            });
            let Some((row, alpha)) = parallel else { continue };
            let is_replaced = self.natural.replaced.contains(&(JointId(j as u32), row));
            if is_replaced || !ends.iter().any(|m| self.is_natural(*m)) {
                continue;
            }
            let residual = self.model.exprs.write(|w| {
                let direction = |m, axis| Vector([0, 1].map(|c| w.op(Op::Direction(m, axis, c))));
                let (sin, cos) = w.expr(alpha).sin_cos();
                let first = cos * direction(ends[0], 0) + sin * direction(ends[0], 1);
                w.id(direction(ends[1], 0).cross(first))
            });
            self.natural.turned.insert((JointId(j as u32), row), residual);
        }
    }

    fn is_natural(&self, marker: MarkerId) -> bool {
        self.natural.places(self.model.markers[marker.index()].body)
    }

    /// Gives each body whose angle must not jump, because the motion depends on it, an unknown θ of its own. Its row is w − 2π ⌊w/2π + ½⌋ = 0
    /// with w = θ − atan2(x̂), whose derivatives and rates need no trigonometry.
    pub fn count_turns(&mut self) {
        let mut bodies: Vec<BodyId> = Vec::new();
        for root in self.lasting_roots() {
            self.bodies_whose_angles(root, &mut bodies);
        }
        bodies.sort_unstable();
        bodies.dedup();
        for body in &bodies {
            let declared = &self.model.bodies[body.index()];
            let (marker, name, origin) = (declared.origin_marker, format!("{}.angle", declared.name), declared.origin);
            let residual = self.model.exprs.write(|w| {
                let [x, y] = [0, 1].map(|c| w.op(Op::Direction(marker, 0, c)));
                let apart = w.op(Op::Angle(marker)) - y.atan2(x);
                w.id(apart - TAU * apart.whole_turns())
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
    fn lasting_roots(&self) -> Vec<ExprId> {
        let model = &*self.model;
        let rows = model.joints.iter().enumerate().flat_map(|(j, joint)| {
            let kept = move |k: usize| {
                let row = (JointId(j as u32), k);
                !self.natural.turned.contains_key(&row) && !self.natural.replaced.contains(&row)
            };
            joint.rows.iter().enumerate().filter(move |(k, _)| kept(*k)).map(|(_, row)| row.residual)
        });
        rows.chain(model.moving_roots()).collect()
    }

    /// Collects bodies whose angles an expression reads. Rates of angles need no angle.
    fn bodies_whose_angles(&self, root: ExprId, found: &mut Vec<BodyId>) {
        let exprs = &self.model.exprs;
        let (mut waiting, mut seen) = (vec![root], BTreeSet::new());
        while let Some(e) = waiting.pop() {
            if !seen.insert(e) {
                continue;
            }
            match exprs.op(e) {
                Op::Rate(of) if matches!(exprs.op(of), Op::Angle(_) | Op::JointCoordinate(..)) => {}
                Op::Angle(m) if self.is_natural(m) => found.extend(self.model.markers[m.index()].body),
                Op::JointCoordinate(j, k) => waiting.push(self.model.joint(j).coordinates[usize::from(k)].1),
                op => waiting.extend(exprs.children(op).into_iter().flatten()),
            }
        }
    }
}
