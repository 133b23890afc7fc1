//! Joints of declared kinds: their degrees of freedom and arguments from the numbers of a link.

use super::Builder;
use crate::declared::{Declared, RelativePose, kinds};
use crate::description::Link;
use crate::plan::{JointKind, Space};
use crate::world::{S, constant};

/// Largest middle angle of three that is drawn.
pub(super) const MIDDLE: f64 = 1.2;
/// Least argument.
const LEAST: f64 = 0.1;

/// Degrees of freedom of a kind: displacements and angles of a link, the outer of three angles below half a revolution.
fn freedoms(space: Space, kind: usize, link: &Link) -> Vec<S> {
    let [a, b, c] = link.angles.map(|x| x.value);
    let mut angles = [a, b.clamp(-MIDDLE, MIDDLE), c].into_iter();
    let mut displacements = link.offset.into_iter().map(|x| x.value);
    let next = |(_, is_angle): &(&str, bool)| if *is_angle { angles.next() } else { displacements.next() };
    kinds(space)[kind].freedoms.iter().map_while(next).map(constant).collect()
}

/// A joint of a kind, and the pose of its second end in the first.
pub(super) fn draw_declared(space: Space, kind: usize, link: &Link) -> (RelativePose, Declared) {
    let argument = link.computed.with_value(LEAST + link.axes[1][0].value.abs().min(1.0) / 2.0);
    let declared = Declared { space, kind, number: argument, first: 0 };
    (declared.relative_pose(&freedoms(space, kind, link)), declared)
}

impl Builder {
    /// Direction of the later body's end in the plane, where `facing` is the direction of the earlier one's.
    pub(super) fn facing_of_second(&self, kind: usize, link: &Link, facing: f64) -> f64 {
        let angle = draw_declared(Space::Planar, kind, link).0.angle().value();
        if link.reversed { facing - angle } else { facing + angle }
    }

    /// Appends the coordinates of a joint of a declared kind to those of the others; returns other joints unchanged.
    pub(super) fn declared_joint(&mut self, kind: JointKind, link: &Link) -> JointKind {
        let JointKind::Declared(declared) = kind else { return kind };
        let first = self.plan.posed.len();
        let values = freedoms(self.plan.space, declared.kind, link);
        self.plan.posed.extend(values.iter().take(declared.coordinates().len()).map(|x| x.value()));
        JointKind::Declared(Declared { first, ..declared })
    }
}
