//! Joints of kinds that the text declares: their degrees of freedom and arguments from the numbers of a link.

use super::Builder;
use crate::declared::{Declared, Stand, kinds};
use crate::description::Link;
use crate::plan::{JointKind, Space};
use crate::world::{S, number};

/// Largest middle angle of three that is drawn.
pub(super) const MIDDLE: f64 = 1.2;
/// Least argument.
const LEAST: f64 = 0.1;

/// Degrees of freedom of a kind: displacements and angles of a link, the outer of three angles below half a revolution.
fn freedoms(space: Space, kind: usize, link: &Link) -> Vec<S> {
    let [a, b, c] = link.turns.map(|x| x.value);
    let mut turns = [a, b.clamp(-MIDDLE, MIDDLE), c].into_iter();
    let mut slides = link.offset.into_iter().map(|x| x.value);
    let next = |(_, is_angle): &(&str, bool)| if *is_angle { turns.next() } else { slides.next() };
    kinds(space)[kind].freedoms.iter().map_while(next).map(number).collect()
}

/// A joint of a kind, and the pose of its second end in the first.
pub(super) fn drawn(space: Space, kind: usize, link: &Link) -> (Stand, Declared) {
    let argument = link.computed.with_value(LEAST + link.axes[1][0].value.abs().min(1.0) / 2.0);
    let declared = Declared { space, kind, number: argument, first: 0 };
    (declared.stand(&freedoms(space, kind, link)), declared)
}

impl Builder {
    /// Direction of the later body's end in the plane, from the direction `facing` of the earlier one's.
    pub(super) fn facing_of_second(&self, kind: usize, link: &Link, facing: f64) -> f64 {
        let angle = drawn(Space::Planar, kind, link).0.angle().value();
        if link.reversed { facing - angle } else { facing + angle }
    }

    /// Appends the coordinates of a joint that a link describes to those of the others.
    pub(super) fn posed(&mut self, kind: JointKind, link: &Link) -> JointKind {
        let JointKind::Declared(declared) = kind else { return kind };
        let first = self.plan.posed.len();
        let own = freedoms(self.plan.space, declared.kind, link);
        self.plan.posed.extend(own.iter().take(declared.coordinates().len()).map(|x| x.value()));
        JointKind::Declared(Declared { first, ..declared })
    }
}
