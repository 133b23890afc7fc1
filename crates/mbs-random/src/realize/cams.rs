//! Cams between circles, or a circle and a line: their radii and contact parameters from the poses of their ends.

use super::Builder;
use super::links::SHORTEST;
use crate::description::Link;
use crate::number::Number;
use crate::plan::{Cam, JointKind};
use crate::world::{Attachment, difference, dot};

/// Radius of the first circle as a fraction of the distance of both.
const SHARE: f64 = 0.4;

impl Builder {
    /// Makes a cam whose radii and contact parameters follow from the poses of its ends: the curves touch there, circles from outside.
    pub(super) fn cam(&self, link: &Link, [from, to]: [&Attachment; 2]) -> JointKind {
        let [first, second] = if link.reversed { [to, from] } else { [from, to] };
        let world = self.plan.world();
        let r = difference(second.position(&world), first.position(&world));
        let component = |axis: usize| dot(r, first.axis(&world, axis)).value();
        let facing = [first, second].map(|end| end.facing(&world).value());
        let [x, y] = [r[0].value(), r[1].value()];
        let (length, style) = (x.hypot(y), |x: f64| link.computed.with_value(x));
        let [a, b] = [style(SHARE * length), style((1.0 - SHARE) * length)];
        let height = component(1);
        let cam = if link.axes[0][1].value > 0.0 && height.abs() >= SHORTEST {
            // The centre of the circle is that far above the line, or below.
            let down = if height > 0.0 { -std::f64::consts::FRAC_PI_2 } else { std::f64::consts::FRAC_PI_2 };
            let starts = [component(0), facing[0] + down - facing[1]];
            Cam { line: Some(height.signum()), radii: [Number::literal(0.0), style(height.abs())], starts }
        } else {
            Cam { line: None, radii: [a, b], starts: [y.atan2(x) - facing[0], (-y).atan2(-x) - facing[1]] }
        };
        JointKind::Cam(cam)
    }
}
