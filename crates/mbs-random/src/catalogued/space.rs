//! Spatial joints.

use mbs_expr::{Function, Function2, Scalar};

use super::{Catalogued, Measure, RotationKind, TranslationKind};
use crate::frame::{Frame, inner, outer, plus};
use crate::number::{Number, Style};
use crate::world::{Attachment, S, V, World, angular_velocity, combine, constant, difference, dot};

/// The unit vector along an axis.
fn unit(axis: [Number; 3]) -> [f64; 3] {
    let axis = axis.map(|x| x.value);
    let length = inner(axis, axis).sqrt();
    axis.map(|x| x / length)
}

/// Whether a component is zero by its text, without the value of a parameter.
fn is_plainly_zero(x: Number) -> bool {
    x.value == 0.0 && matches!(x.style, Style::Literal | Style::Constant)
}

/// The two normals of an axis as the book documents them: if a component is zero by its text, b̂ is that coordinate axis, otherwise they follow
/// Duff et al. (2017).
fn perpendiculars(axis: [Number; 3]) -> [[f64; 3]; 2] {
    let u = unit(axis);
    let zero = |k: usize| is_plainly_zero(axis[k % 3]);
    if let Some(c) = (0..3).find(|c| zero(*c) && !zero(c + 1)) {
        let mut b = [0.0; 3];
        b[c] = 1.0;
        return [outer(b, u), b];
    }
    let sign = if u[2] < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + u[2]);
    let n = [1.0 + sign * a * u[0] * u[0], sign * a * u[0] * u[1], -sign * u[0]];
    [n, outer(u, n)]
}

impl Catalogued {
    fn axis(&self, k: usize) -> [f64; 3] {
        unit(self.axes[k])
    }

    fn translation_axis(&self) -> [Number; 3] {
        self.axes[self.kind().translation_axis]
    }

    /// Directions of the translation, in the frame in which they are fixed.
    fn free_directions(&self) -> Vec<[f64; 3]> {
        match self.kind().translation {
            TranslationKind::Along | TranslationKind::AlongSecond => vec![unit(self.translation_axis())],
            TranslationKind::Across => perpendiculars(self.translation_axis()).to_vec(),
            TranslationKind::Anywhere => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            TranslationKind::Fixed | TranslationKind::Around | TranslationKind::Ellipsoid | TranslationKind::Screw => {
                Vec::new()
            }
        }
    }

    pub(super) fn measure_in_space(&self, ends: &[Attachment; 2], measure: Measure, world: &World) -> S {
        match measure {
            Measure::Displacement(k, _) if self.kind().translation == TranslationKind::Around => {
                let r = difference(ends[1].position(world), ends[0].position(world));
                let [x, y, z] = ends[0].axes(world).map(|axis| dot(r, axis));
                match k {
                    0 => y.binary(Function2::Atan2, x),
                    _ => z.binary(Function2::Atan2, (x * x + y * y).unary(Function::Sqrt)),
                }
            }
            Measure::Displacement(k, _) => {
                let r = difference(ends[1].position(world), ends[0].position(world));
                let base = if self.kind().translation == TranslationKind::AlongSecond { &ends[1] } else { &ends[0] };
                dot(r, image(base, self.free_directions()[k], world))
            }
            Measure::Angle(k, _) => self.angle(ends, k, world),
        }
    }

    fn angle(&self, ends: &[Attachment; 2], k: usize, world: &World) -> S {
        let [first, second] = ends;
        let cosine = |a: [f64; 3], b: [f64; 3]| dot(image(first, a, world), image(second, b, world));
        let atan2 = |s: S, c: S| s.binary(Function2::Atan2, c);
        let [i, j] = self.kind().rotation_axes;
        match self.kind().rotation {
            RotationKind::About => {
                let [s, c] = sine_cosine_about(self.axes[i], ends, world);
                atan2(s, c)
            }
            RotationKind::Cross => {
                let (u, v) = (self.axis(i), self.axis(j));
                let (w, common) = (outer(u, v), inner(u, v));
                match k {
                    0 => atan2(cosine(w, v), cosine(plus(v, -common, u), v)),
                    _ => atan2(cosine(u, w), cosine(u, plus(u, -common, v))),
                }
            }
            _ => {
                // R_x(a) R_y(b) R_z(c) = R_AB, row by row.
                let axes = [first.axes(world), second.axes(world)];
                let r = |row: usize, column: usize| dot(axes[0][row], axes[1][column]);
                let (x, y) = (r(0, 0), r(0, 1));
                match k {
                    0 => atan2(-r(1, 2), r(2, 2)),
                    1 => atan2(r(0, 2), (x * x + y * y).unary(Function::Sqrt)),
                    _ => atan2(-y, x),
                }
            }
        }
    }

    pub(super) fn residuals_in_space(&self, ends: &[Attachment; 2], world: &World) -> Vec<S> {
        let [first, second] = ends;
        let r = difference(first.position(world), second.position(world));
        let component = |base: &Attachment, d: [f64; 3]| dot(r, image(base, d, world));
        let across_components =
            |base: &Attachment| perpendiculars(self.translation_axis()).map(|d| component(base, d)).to_vec();
        let mut rows = match self.kind().translation {
            TranslationKind::Fixed => r.to_vec(),
            TranslationKind::Along => across_components(first),
            TranslationKind::AlongSecond => across_components(second),
            TranslationKind::Across => vec![component(first, unit(self.translation_axis()))],
            TranslationKind::Anywhere => Vec::new(),
            TranslationKind::Around => {
                let radius = self.number.value;
                vec![dot(r, r) * constant(0.5 / radius) - constant(0.5 * radius)]
            }
            TranslationKind::Ellipsoid => {
                // Q − P is the z axis of the second end, scaled by the radii in the axes of the first.
                let (axes, [_, _, normal]) = (first.axes(world), second.axes(world));
                [0, 1, 2].map(|k| dot(axes[k], r) + constant(self.radii[k].value) * dot(axes[k], normal)).to_vec()
            }
            TranslationKind::Screw => {
                let advance = constant(self.number.value / std::f64::consts::TAU) * self.angle(ends, 0, world);
                let mut rows = across_components(first);
                rows.push(component(first, unit(self.translation_axis())) + advance);
                rows
            }
        };
        rows.extend(self.rotation_residuals(ends, world));
        rows
    }

    fn rotation_residuals(&self, [first, second]: &[Attachment; 2], world: &World) -> Vec<S> {
        let cosine = |a: [f64; 3], b: [f64; 3]| dot(image(first, a, world), image(second, b, world));
        let [i, j] = self.kind().rotation_axes;
        match self.kind().rotation {
            RotationKind::Fixed => {
                let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                vec![cosine(y, z), -cosine(x, z), cosine(x, y)]
            }
            RotationKind::About => {
                let ([n, b], u) = (perpendiculars(self.axes[i]), self.axis(i));
                vec![cosine(b, u), -cosine(n, u)]
            }
            RotationKind::Cross => {
                let (u, v) = (self.axis(i), self.axis(j));
                vec![cosine(u, v) - constant(inner(u, v))]
            }
            RotationKind::ConstantAngle => vec![cosine(self.axis(i), self.axis(j)) - constant(self.number.value.cos())],
            RotationKind::Gimbal | RotationKind::Ball | RotationKind::Line => Vec::new(),
            RotationKind::ByAngle => unreachable!("no kind of space is rotated by an angle"),
        }
    }

    /// Residuals of its rows of speeds: a line does not rotate about its own direction relative to the first end.
    pub fn speed_residuals(&self, [first, second]: &[Attachment; 2], world: &World) -> Vec<S> {
        if self.kind().rotation != RotationKind::Line {
            return Vec::new();
        }
        let rotated = [first, second].map(|end| end.axes(world));
        let [a, b] = [0, 1].map(|k| angular_velocity(&rotated[k]));
        vec![dot(difference(a, b), rotated[1][2])]
    }

    /// Pose of the second end in the first after displacements and rotations. The angles of a ball are about x, y and z; for a translation on a
    /// sphere, `displacements` is the position.
    pub fn motion(&self, displacements: [f64; 3], angles: [f64; 3]) -> Frame {
        let none = Frame::rotated([0.0; 3], crate::world::Z, 0.0);
        let about = |axis: [f64; 3], angle: f64| Frame::rotated([0.0; 3], axis, angle);
        let [i, j] = self.kind().rotation_axes;
        let rotated = match self.kind().rotation {
            RotationKind::Fixed => none,
            RotationKind::About => about(self.axis(i), angles[0]),
            RotationKind::Cross => about(self.axis(i), angles[0]).then(&about(self.axis(j), angles[1])),
            RotationKind::ByAngle => unreachable!("no kind of space is rotated by an angle"),
            RotationKind::Gimbal | RotationKind::Ball | RotationKind::Line | RotationKind::ConstantAngle => {
                let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                about(x, angles[0]).then(&about(y, angles[1])).then(&about(z, angles[2]))
            }
        };
        let free = self.free_directions();
        let translation = free.iter().zip(displacements).fold([0.0; 3], |sum, (d, s)| plus(sum, s, *d));
        let position = match self.kind().translation {
            TranslationKind::AlongSecond => rotated.outward(translation),
            TranslationKind::Around => displacements,
            TranslationKind::Ellipsoid => self.on_ellipsoid(&rotated),
            TranslationKind::Screw => {
                plus([0.0; 3], self.number.value / std::f64::consts::TAU * angles[0], unit(self.translation_axis()))
            }
            _ => translation,
        };
        Frame { position, ..rotated }
    }

    /// Position of the second end on the ellipsoid, from its axes.
    pub fn on_ellipsoid(&self, rotated: &Frame) -> [f64; 3] {
        [0, 1, 2].map(|k| self.radii[k].value * rotated.axes[2][k])
    }

    /// The angle between the axes of a `constant_angle`, with the second end's frame in the first.
    pub fn angle_between_axes(&self, frame: &Frame) -> f64 {
        let [i, j] = self.kind().rotation_axes;
        inner(self.axis(i), frame.outward(self.axis(j))).clamp(-1.0, 1.0).acos()
    }
}

/// Sine and cosine, times a positive factor, of the rotation of the second end about an axis.
pub fn sine_cosine_about(axis: [Number; 3], [first, second]: &[Attachment; 2], world: &World) -> [S; 2] {
    let [n, b] = perpendiculars(axis);
    let facing = image(second, n, world);
    [b, n].map(|d| dot(image(first, d, world), facing))
}

/// World components of a vector fixed in an attachment.
fn image(attachment: &Attachment, v: [f64; 3], world: &World) -> V {
    combine(&attachment.axes(world), v.map(constant))
}
