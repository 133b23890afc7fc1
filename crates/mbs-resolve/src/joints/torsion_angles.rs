//! The angle of a torsion spring in space: a coordinate of a joint where one measures it, else an additional unknown.

use mbs_definition::Declaration;
use mbs_expr::{ExprId, Function, JointId, MarkerId, Op};
use mbs_model::catalog::{Argued, angle_about};
use mbs_model::{Joint, Step};

use crate::resolvers::{JointResolver, Resolves};
use crate::tables::Joints;

impl<'a> JointResolver<'_, 'a> {
    /// The continuous angle \[rad\] of the second end about an axis of the first, for a force with a name.
    pub(crate) fn torsion_angle(&mut self, name: &str, d: &Declaration, ends: [MarkerId; 2], axis: Argued) -> ExprId {
        let measured = self.resolver.joints.all.iter().enumerate().find_map(|(j, joint)| {
            let (k, sense) = self.measured_coordinate(joint.as_ref()?, ends, axis)?;
            Some((JointId(j as u32), k, sense))
        });
        if let Some((joint, k, sense)) = measured {
            let angle = self.resolver.exprs.push(Op::JointCoordinate(joint, k));
            return if sense == Sense::Same { angle } else { self.resolver.exprs.unary(Function::Neg, angle) };
        }
        // The number of joints is known before any joint is resolved.
        let id = JointId((self.resolver.joints.slots.len() + self.resolver.joints.measures.len()) as u32);
        let (angle, tie) = self.vectors().write(|g| {
            let (angle, tie) = angle_about(g, id, ends, g.vector(axis));
            (g.id(angle), tie.map(|tie| g.id(tie)))
        });
        self.resolver.joints.measures.push(Joint {
            name: name.to_string(),
            origin: d.name.ident.origin,
            docs: d.docs.clone(),
            kind_name: "torsion_spring".into(),
            ends,
            rows: Vec::new(),
            coordinates: vec![("angle".into(), angle)],
            ties: vec![tie],
            by_previous: Vec::new(),
            motion: None,
            geared: None,
            cut: true,
            enabled: None,
        });
        self.resolver.exprs.push(Op::JointCoordinate(id, 0))
    }

    /// The coordinate of a joint that is the rotation of the second of two markers about an axis, for all values of parameters: the joint has this
    /// rotation only, and its ends are on the bodies of the markers with equal axes.
    fn measured_coordinate(&self, joint: &Joint, ends: [MarkerId; 2], axis: Argued) -> Option<(u8, Sense)> {
        let equal = |a: MarkerId, b: MarkerId| {
            let [a, b] = [a, b].map(|m| &self.resolver.bodies.markers[m.index()]);
            a.body == b.body && a.rotation == b.rotation
        };
        let [first, second] = joint.ends;
        let reversed = match ends {
            [p, q] if equal(first, p) && equal(second, q) => Sense::Same,
            [p, q] if equal(first, q) && equal(second, p) => Sense::Opposite,
            _ => return None,
        };
        let rotations: Vec<(usize, &Step)> = joint
            .steps()
            .iter()
            .scan(0, |offset, step| {
                *offset += step.coordinates();
                Some((*offset - step.coordinates(), step))
            })
            .filter(|(_, step)| !matches!(step, Step::Prismatic { .. } | Step::Orbit { .. }))
            .collect();
        let [(k, Step::Revolute { axis: step_axis } | Step::Screw { axis: step_axis, .. })] = rotations[..] else {
            return None;
        };
        let sense = self.relative_sense(*step_axis, axis)?;
        Some((k as u8, if sense == reversed { Sense::Same } else { Sense::Opposite }))
    }

    /// The sense of a unit vector relative to another, if they are equal or opposite for all values of parameters.
    fn relative_sense(&self, a: Argued, b: Argued) -> Option<Sense> {
        if a == b {
            return Some(Sense::Same);
        }
        let value = |v: Argued| -> Option<[f64; 3]> {
            let [x, y, z] = v.map(|x| self.resolver.exprs.value(x));
            Some([x?, y?, z?])
        };
        let (a, b) = (value(a)?, value(b)?);
        let difference = |sign: f64| a.iter().zip(&b).map(|(a, b)| (a - sign * b).abs()).fold(0.0, f64::max);
        // The components are normalised literals, which differ by a few roundings.
        match (difference(1.0) < 1e-15, difference(-1.0) < 1e-15) {
            (true, _) => Some(Sense::Same),
            (_, true) => Some(Sense::Opposite),
            _ => None,
        }
    }
}

impl Joints {
    /// A joint that is resolved, or one that is only measured.
    pub(crate) fn measured(&self, id: JointId) -> Option<&Joint> {
        match self.all.get(id.index()) {
            Some(joint) => joint.as_ref(),
            None => self.measures.get(id.index() - self.slots.len()),
        }
    }
}

/// Sense of one angle relative to another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    Same,
    Opposite,
}
