//! Joints of kinds that the text declares: their freedoms and arguments from the numbers of a link.

use super::Builder;
use super::links_in_space::MIDDLE;
use crate::declared::{Declared, Stand, kinds};
use crate::description::Link;
use crate::plan::{JointKind, Space};
use crate::world::{S, number};

/// Arguments are no smaller.
const LEAST: f64 = 0.1;

/// Freedoms of a kind: displacements and turns of a link, the outer of three turns below half a turn.
fn freedoms(space: Space, kind: usize, link: &Link) -> Vec<S> {
    let [a, b, c] = link.turns.map(|x| x.value);
    let mut turns = [a, b.clamp(-MIDDLE, MIDDLE), c].into_iter();
    let mut slides = link.offset.into_iter().map(|x| x.value);
    let next = |(_, is_angle): &(&str, bool)| if *is_angle { turns.next() } else { slides.next() };
    kinds(space)[kind].freedoms.iter().map_while(next).map(number).collect()
}

/// A joint of a kind, and where it puts its second end in the first.
pub(super) fn drawn(space: Space, kind: usize, link: &Link) -> (Stand, Declared) {
    let argument = link.computed.with_value(LEAST + link.axes[1][0].value.abs().min(1.0) / 2.0);
    let declared = Declared { space, kind, number: argument, first: 0 };
    (declared.stand(&freedoms(space, kind, link)), declared)
}

impl Builder {
    /// Which way the later body's end faces in the plane, where the earlier one's does.
    pub(super) fn facing_of_second(&self, kind: usize, link: &Link, facing: f64) -> f64 {
        let angle = drawn(Space::Planar, kind, link).0.angle().value();
        if link.reversed { facing - angle } else { facing + angle }
    }

    /// The coordinates of a joint that a link draws join the others.
    pub(super) fn posed(&mut self, kind: JointKind, link: &Link) -> JointKind {
        let JointKind::Declared(declared) = kind else { return kind };
        let first = self.plan.posed.len();
        let own = freedoms(self.plan.space, declared.kind, link);
        self.plan.posed.extend(own.iter().take(declared.coordinates().len()).map(|x| x.value()));
        JointKind::Declared(Declared { first, ..declared })
    }
}
