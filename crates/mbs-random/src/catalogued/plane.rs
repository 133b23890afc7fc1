//! Planar joints: the rotation is about z, and its angle counts revolutions.

use super::{Catalogued, Measure, RotationKind, TranslationKind};
use crate::world::{Attachment, S, World, constant, difference, dot, unit_axis};

const NO_KIND: &str = "no kind of the plane has this step";

/// Value of a coordinate.
pub fn measure(joint: &Catalogued, [first, second]: &[Attachment; 2], measure: Measure, world: &World) -> S {
    let r = difference(second.position(world), first.position(world));
    match (measure, joint.kind().translation) {
        (Measure::Angle(..), _) => second.facing(world) - first.facing(world),
        (Measure::Displacement(..), TranslationKind::Along) => {
            dot(r, unit_axis(first, joint.axes[joint.kind().translation_axis], world))
        }
        (Measure::Displacement(k, _), TranslationKind::Anywhere) => dot(r, first.axis(world, k)),
        _ => unreachable!("{NO_KIND}"),
    }
}

/// Residuals of its rows.
pub fn residuals(joint: &Catalogued, [first, second]: &[Attachment; 2], world: &World) -> Vec<S> {
    let r = difference(first.position(world), second.position(world));
    let mut rows = match joint.kind().translation {
        TranslationKind::Fixed => r[..2].to_vec(),
        TranslationKind::Along => {
            let [x, y, _] = unit_axis(first, joint.axes[joint.kind().translation_axis], world);
            vec![dot(r, [-y, x, constant(0.0)])]
        }
        TranslationKind::Anywhere => Vec::new(),
        TranslationKind::Around => {
            let length = joint.number.value;
            vec![dot(r, r) / constant(2.0 * length) - constant(length / 2.0)]
        }
        _ => unreachable!("{NO_KIND}"),
    };
    let angle = first.facing(world) - second.facing(world);
    match joint.kind().rotation {
        RotationKind::Fixed => rows.push(angle),
        RotationKind::ByAngle => rows.push(angle + constant(joint.number.value)),
        RotationKind::About => {}
        _ => unreachable!("{NO_KIND}"),
    }
    rows
}
