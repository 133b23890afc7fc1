//! The angle of a torsion spring of space: a joint's, where one measures it, else one of its own.

use mbs_definition::Declaration;
use mbs_expr::{ExprId, Function, JointId, MarkerId, Op};
use mbs_model::catalog::{Argued, angle_about};
use mbs_model::{Joint, Step};

use crate::resolvers::{JointResolver, Resolves};
use crate::tables::Joints;

impl<'a> JointResolver<'_, 'a> {
    /// The turn of the second end about an axis of the first, unwrapped, for a force with a name.
    pub(crate) fn turn(&mut self, name: &str, d: &Declaration, ends: [MarkerId; 2], axis: Argued) -> ExprId {
        let measured = self.resolver.joints.all.iter().enumerate().find_map(|(j, joint)| {
            let (k, sense) = self.measures(joint.as_ref()?, ends, axis)?;
            Some((JointId(j as u32), k, sense))
        });
        if let Some((joint, k, sense)) = measured {
            let angle = self.resolver.exprs.push(Op::JointCoordinate(joint, k));
            return if sense == Sense::Same { angle } else { self.resolver.exprs.unary(Function::Neg, angle) };
        }
        // Joints are counted before any is resolved.
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

    /// The coordinate of a joint that is the turn of the second of two markers about an axis, whatever the parameters are: the joint turns
    /// about this axis alone, and its ends are on the same bodies with the same axes.
    fn measures(&self, joint: &Joint, ends: [MarkerId; 2], axis: Argued) -> Option<(u8, Sense)> {
        let same = |a: MarkerId, b: MarkerId| {
            let [a, b] = [a, b].map(|m| &self.resolver.bodies.markers[m.index()]);
            a.body == b.body && a.rotation == b.rotation
        };
        let [first, second] = joint.ends;
        let reversed = match ends {
            [p, q] if same(first, p) && same(second, q) => Sense::Same,
            [p, q] if same(first, q) && same(second, p) => Sense::Opposite,
            _ => return None,
        };
        let turns: Vec<(usize, &Step)> = joint
            .steps()
            .iter()
            .scan(0, |at, step| {
                *at += step.coordinates();
                Some((*at - step.coordinates(), step))
            })
            .filter(|(_, step)| !matches!(step, Step::Prismatic { .. } | Step::Orbit { .. }))
            .collect();
        let [(k, Step::Revolute { axis: own } | Step::Screw { axis: own, .. })] = turns[..] else { return None };
        let sense = self.along(*own, axis)?;
        Some((k as u8, if sense == reversed { Sense::Same } else { Sense::Opposite }))
    }

    /// Whether two unit vectors are the same or opposite, whatever the parameters are.
    fn along(&self, a: Argued, b: Argued) -> Option<Sense> {
        if a == b {
            return Some(Sense::Same);
        }
        let value = |v: Argued| -> Option<[f64; 3]> {
            let [x, y, z] = v.map(|x| self.resolver.exprs.value(x));
            Some([x?, y?, z?])
        };
        let (a, b) = (value(a)?, value(b)?);
        let apart = |sign: f64| a.iter().zip(&b).map(|(a, b)| (a - sign * b).abs()).fold(0.0, f64::max);
        // Literals, normalised: a few roundings.
        match (apart(1.0) < 1e-15, apart(-1.0) < 1e-15) {
            (true, _) => Some(Sense::Same),
            (_, true) => Some(Sense::Opposite),
            _ => None,
        }
    }
}

impl Joints {
    /// A joint, if it is resolved, or a measure.
    pub(crate) fn measured(&self, id: JointId) -> Option<&Joint> {
        match self.all.get(id.index()) {
            Some(joint) => joint.as_ref(),
            None => self.measures.get(id.index() - self.slots.len()),
        }
    }
}

/// How one angle counts against another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    Same,
    Opposite,
}
