//! Joints of the plane: the turn is about z, and its angle counts revolutions.

use super::{Catalogued, Measure, Slide, Turning};
use crate::world::{Place, S, World, dot, minus, number, unit_axis};

const NO_KIND: &str = "no kind of the plane has this step";

/// Value of a coordinate.
pub fn measure(joint: &Catalogued, [first, second]: &[Place; 2], measure: Measure, world: &World) -> S {
    let r = minus(second.position(world), first.position(world));
    match (measure, joint.kind().slide) {
        (Measure::Turn(..), _) => second.facing(world) - first.facing(world),
        (Measure::Slide(..), Slide::Along) => dot(r, unit_axis(first, joint.axes[joint.kind().slide_axis], world)),
        (Measure::Slide(k, _), Slide::Anywhere) => dot(r, first.axis(world, k)),
        _ => unreachable!("{NO_KIND}"),
    }
}

/// Residuals of its rows.
pub fn residuals(joint: &Catalogued, [first, second]: &[Place; 2], world: &World) -> Vec<S> {
    let r = minus(first.position(world), second.position(world));
    let mut rows = match joint.kind().slide {
        Slide::Held => r[..2].to_vec(),
        Slide::Along => {
            let [x, y, _] = unit_axis(first, joint.axes[joint.kind().slide_axis], world);
            vec![dot(r, [-y, x, number(0.0)])]
        }
        Slide::Anywhere => Vec::new(),
        Slide::Around => {
            let length = joint.number.value;
            vec![dot(r, r) / number(2.0 * length) - number(length / 2.0)]
        }
        _ => unreachable!("{NO_KIND}"),
    };
    let turn = first.facing(world) - second.facing(world);
    match joint.kind().turning {
        Turning::Held => rows.push(turn),
        Turning::By => rows.push(turn + number(joint.number.value)),
        Turning::About => {}
        _ => unreachable!("{NO_KIND}"),
    }
    rows
}
