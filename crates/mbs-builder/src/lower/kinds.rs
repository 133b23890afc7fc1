//! Converts kinds of joints to the form of the definition.

use mbs_definition::{
    Argument, Expr, Ident, JointKindDeclaration, KindCoordinate, KindPose, KindRow, KindSpeed, Parameter,
};

use super::{Lowering, ident};
use crate::contents::kinds::{JointKindItem, Local};

impl Lowering<'_> {
    pub(super) fn joint_kind(&mut self, kind: &JointKindItem) -> JointKindDeclaration {
        let name = |local: &Local| ident(&local.name, local.origin);
        let word = |text: &str, local: &Local| ident(text, local.origin);
        if let Some(second) = kind.kinematics.get(1) {
            self.errors.push("MBS019", second.origin, "`kinematics` is given twice", None);
        }
        JointKindDeclaration {
            docs: kind.docs.clone(),
            name: ident(&kind.name.to_string(), kind.origin),
            parameters: kind
                .parameters
                .iter()
                .map(|p| Parameter { name: name(p), default: p.value.map(|value| self.expr(value)) })
                .collect(),
            coordinates: kind
                .coordinates
                .iter()
                .map(|c| KindCoordinate {
                    name: name(&c.local),
                    shape: self.size(&c.local),
                    nature: c.is_angle.then(|| word("angle", &c.local)),
                    start: Some(self.expr(c.start)),
                })
                .collect(),
            speeds: kind.speeds.iter().map(|s| KindSpeed { name: name(s), shape: self.size(s) }).collect(),
            kinematics: kind.kinematics.first().and_then(|rates| rates.value).map(|rates| self.expr(rates)),
            pose: self.pose(kind),
            rows: kind
                .rows
                .iter()
                .map(|(n, equation)| KindRow { name: n.as_ref().map(name), equation: self.expr(*equation) })
                .collect(),
        }
    }

    fn size(&mut self, local: &Local) -> Vec<Expr> {
        local.value.into_iter().map(|size| self.expr(size)).collect()
    }

    fn pose(&mut self, kind: &JointKindItem) -> Option<KindPose> {
        let (first, _) = kind.pose.first()?;
        let word: Ident = ident("pose", first.origin);
        let mut argument = |(part, value): &(Local, _)| {
            let (name, value) = (ident(&part.name, part.origin), self.expr(*value));
            Argument { name, value, arguments: None }
        };
        Some(KindPose { word, arguments: kind.pose.iter().map(&mut argument).collect() })
    }
}
