//! Tensors and frames of space.

use super::Printer;
use crate::frame::Frame;
use crate::number::{Number, digits};
use crate::world::{Attachment, Notation};

/// `axis_angle([x, y, z], angle)`.
pub(super) fn rotation(about: [f64; 3], angle: &str) -> String {
    let [x, y, z] = about.map(digits);
    format!("axis_angle([{x}, {y}, {z}], {angle})")
}

fn list(v: &[f64]) -> String {
    format!("[{}]", v.iter().map(|x| digits(*x)).collect::<Vec<_>>().join(", "))
}

impl Printer<'_> {
    /// Principal moments, or all of them.
    pub(super) fn tensor(&mut self, tensor: [Number; 6]) -> String {
        let is_principal = tensor[3..].iter().all(|x| x.value == 0.0);
        let [xx, yy, zz, xy, xz, yz] = if is_principal {
            let [a, b, c] = [0, 1, 2].map(|k| self.number_text(tensor[k]));
            return format!("[{a}, {b}, {c}]");
        } else {
            tensor.map(|x| self.number_text(x))
        };
        self.features.add("products of inertia");
        format!("[[{xx}, {xy}, {xz}], [{xy}, {yy}, {yz}], [{xz}, {yz}, {zz}]]")
    }

    /// Options that rotate the axes of a marker.
    pub(super) fn axes_in_space(&mut self, attachment: &Attachment) -> String {
        let frame = Frame::rotated([0.0; 3], attachment.about, attachment.angle.value);
        let [x, y, z] = frame.axes.map(|axis| list(&axis));
        match attachment.notation {
            Notation::AxisX => {
                self.features.add("marker by its x and y axes");
                format!("x: {x}, y: {y}")
            }
            Notation::AxisY => {
                self.features.add("marker by its z and y axes");
                format!("z: {z}, y: {y}")
            }
            Notation::Euler => {
                self.features.add("marker by angles");
                let (_, [a, b, c]) = frame.angles([2, 1, 0]);
                format!("rotation: euler(zyx, {})", list(&[a, b, c]))
            }
            Notation::Quaternion => {
                self.features.add("marker by a quaternion");
                format!("rotation: quaternion({})", list(&frame.quaternion()))
            }
            _ => {
                self.features.add("marker by its rotation");
                let angle = self.sum(attachment.angle, attachment.motion[2]);
                format!("rotation: {}", rotation(attachment.about, &angle))
            }
        }
    }

    /// A marker on a rotated marker, given in the axes of that marker.
    pub(super) fn nested_marker_text(&mut self, owner: &str, attachment: &Attachment) -> String {
        self.features.add("marker on a marker");
        let (about, angle) = ([0.2, 0.5, 1.0], 0.3);
        let half = attachment.point.map(|x| x.value / 2.0);
        let inner = Frame::rotated(half, about, angle);
        let outer = inner.inverse().then(&Frame::rotated(
            attachment.point.map(|x| x.value),
            attachment.about,
            attachment.angle.value,
        ));
        let (first, second) = (self.name("m"), self.name("m"));
        let inner_angle = rotation(about, &digits(angle));
        self.markers.push(format!("marker {first} = {owner} at {} {{ rotation: {inner_angle} }};", list(&half)));
        let (rotation_text, at) = (rotation(attachment.about, &digits(attachment.angle.value)), list(&outer.position));
        self.markers.push(format!(
            "marker {second} = {first} at {at} {{ rotation: transpose({inner_angle}) * {rotation_text} }};"
        ));
        second
    }
}
