//! Joints of space.

use mbs_expr::{Function, Function2, Scalar};

use super::{Catalogued, Measure, Slide, Turning};
use crate::frame::{Frame, inner, outer, plus};
use crate::number::{Number, Style};
use crate::world::{Place, S, V, World, angular_velocity, combine, dot, minus, number};

/// The unit vector along an axis.
fn unit(axis: [Number; 3]) -> [f64; 3] {
    let axis = axis.map(|x| x.value);
    let length = inner(axis, axis).sqrt();
    axis.map(|x| x / length)
}

/// Whether a declaration shows that a component is zero.
fn is_plainly_zero(x: Number) -> bool {
    x.value == 0.0 && matches!(x.style, Style::Literal | Style::Constant)
}

/// The two directions across an axis that the book documents: where a component is plainly zero, b̂ is that coordinate axis; else Duff et
/// al. (2017).
fn across(axis: [Number; 3]) -> [[f64; 3]; 2] {
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

    fn slide_axis(&self) -> [Number; 3] {
        self.axes[self.kind().slide_axis]
    }

    /// Directions along which the kind translates, in the frame in which they are fixed.
    fn free_directions(&self) -> Vec<[f64; 3]> {
        match self.kind().slide {
            Slide::Along | Slide::Carried => vec![unit(self.slide_axis())],
            Slide::Across => across(self.slide_axis()).to_vec(),
            Slide::Anywhere => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Slide::Held | Slide::Around | Slide::Ellipsoid | Slide::Screw => Vec::new(),
        }
    }

    pub(super) fn measure_in_space(&self, ends: &[Place; 2], measure: Measure, world: &World) -> S {
        match measure {
            Measure::Slide(k, _) if self.kind().slide == Slide::Around => {
                let r = minus(ends[1].position(world), ends[0].position(world));
                let [x, y, z] = ends[0].axes(world).map(|axis| dot(r, axis));
                match k {
                    0 => y.binary(Function2::Atan2, x),
                    _ => z.binary(Function2::Atan2, (x * x + y * y).unary(Function::Sqrt)),
                }
            }
            Measure::Slide(k, _) => {
                let r = minus(ends[1].position(world), ends[0].position(world));
                let holder = if self.kind().slide == Slide::Carried { &ends[1] } else { &ends[0] };
                dot(r, image(holder, self.free_directions()[k], world))
            }
            Measure::Turn(k, _) => self.angle(ends, k, world),
        }
    }

    fn angle(&self, ends: &[Place; 2], k: usize, world: &World) -> S {
        let [first, second] = ends;
        let cosine = |a: [f64; 3], b: [f64; 3]| dot(image(first, a, world), image(second, b, world));
        let by = |s: S, c: S| s.binary(Function2::Atan2, c);
        let [i, j] = self.kind().turn_axes;
        match self.kind().turning {
            Turning::About => {
                let [s, c] = turn_about(self.axes[i], ends, world);
                by(s, c)
            }
            Turning::Cross => {
                let (u, v) = (self.axis(i), self.axis(j));
                let (w, common) = (outer(u, v), inner(u, v));
                match k {
                    0 => by(cosine(w, v), cosine(plus(v, -common, u), v)),
                    _ => by(cosine(u, w), cosine(u, plus(u, -common, v))),
                }
            }
            _ => {
                // R_x(a) R_y(b) R_z(c) = R_AB, row by row.
                let axes = [first.axes(world), second.axes(world)];
                let r = |row: usize, column: usize| dot(axes[0][row], axes[1][column]);
                let (x, y) = (r(0, 0), r(0, 1));
                match k {
                    0 => by(-r(1, 2), r(2, 2)),
                    1 => by(r(0, 2), (x * x + y * y).unary(Function::Sqrt)),
                    _ => by(-y, x),
                }
            }
        }
    }

    pub(super) fn residuals_in_space(&self, ends: &[Place; 2], world: &World) -> Vec<S> {
        let [first, second] = ends;
        let r = minus(first.position(world), second.position(world));
        let along = |holder: &Place, d: [f64; 3]| dot(r, image(holder, d, world));
        let held = |holder: &Place| across(self.slide_axis()).map(|d| along(holder, d)).to_vec();
        let mut rows = match self.kind().slide {
            Slide::Held => r.to_vec(),
            Slide::Along => held(first),
            Slide::Carried => held(second),
            Slide::Across => vec![along(first, unit(self.slide_axis()))],
            Slide::Anywhere => Vec::new(),
            Slide::Around => {
                let radius = self.number.value;
                vec![dot(r, r) * number(0.5 / radius) - number(0.5 * radius)]
            }
            Slide::Ellipsoid => {
                // Q − P is the second end's z, stretched along the axes of the first.
                let (axes, [_, _, out]) = (first.axes(world), second.axes(world));
                [0, 1, 2].map(|k| dot(axes[k], r) + number(self.radii[k].value) * dot(axes[k], out)).to_vec()
            }
            Slide::Screw => {
                let advance = number(self.number.value / std::f64::consts::TAU) * self.angle(ends, 0, world);
                let mut rows = held(first);
                rows.push(along(first, unit(self.slide_axis())) + advance);
                rows
            }
        };
        rows.extend(self.held_turns(ends, world));
        rows
    }

    fn held_turns(&self, [first, second]: &[Place; 2], world: &World) -> Vec<S> {
        let cosine = |a: [f64; 3], b: [f64; 3]| dot(image(first, a, world), image(second, b, world));
        let [i, j] = self.kind().turn_axes;
        match self.kind().turning {
            Turning::Held => {
                let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                vec![cosine(y, z), -cosine(x, z), cosine(x, y)]
            }
            Turning::About => {
                let ([n, b], u) = (across(self.axes[i]), self.axis(i));
                vec![cosine(b, u), -cosine(n, u)]
            }
            Turning::Cross => {
                let (u, v) = (self.axis(i), self.axis(j));
                vec![cosine(u, v) - number(inner(u, v))]
            }
            Turning::Lean => vec![cosine(self.axis(i), self.axis(j)) - number(self.number.value.cos())],
            Turning::Gimbal | Turning::Ball | Turning::Line => Vec::new(),
            Turning::By => unreachable!("no kind of space is turned by an angle"),
        }
    }

    /// Residuals of its rows of speeds: a line does not spin about itself relative to the first end.
    pub fn speed_residuals(&self, [first, second]: &[Place; 2], world: &World) -> Vec<S> {
        if self.kind().turning != Turning::Line {
            return Vec::new();
        }
        let turned = [first, second].map(|end| end.axes(world));
        let [a, b] = [0, 1].map(|k| angular_velocity(&turned[k]));
        vec![dot(minus(a, b), turned[1][2])]
    }

    /// Pose of the second end in the first, after translations and rotations: for a ball three angles about x, y and z; for motion on a
    /// sphere `slides` is the position.
    pub fn motion(&self, slides: [f64; 3], turns: [f64; 3]) -> Frame {
        let none = Frame::turned([0.0; 3], crate::world::Z, 0.0);
        let about = |axis: [f64; 3], angle: f64| Frame::turned([0.0; 3], axis, angle);
        let [i, j] = self.kind().turn_axes;
        let turned = match self.kind().turning {
            Turning::Held => none,
            Turning::About => about(self.axis(i), turns[0]),
            Turning::Cross => about(self.axis(i), turns[0]).then(&about(self.axis(j), turns[1])),
            Turning::By => unreachable!("no kind of space is turned by an angle"),
            Turning::Gimbal | Turning::Ball | Turning::Line | Turning::Lean => {
                let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                about(x, turns[0]).then(&about(y, turns[1])).then(&about(z, turns[2]))
            }
        };
        let free = self.free_directions();
        let moved = free.iter().zip(slides).fold([0.0; 3], |sum, (d, s)| plus(sum, s, *d));
        let position = match self.kind().slide {
            Slide::Carried => turned.outward(moved),
            Slide::Around => slides,
            Slide::Ellipsoid => self.on_ellipsoid(&turned),
            Slide::Screw => {
                plus([0.0; 3], self.number.value / std::f64::consts::TAU * turns[0], unit(self.slide_axis()))
            }
            _ => moved,
        };
        Frame { position, ..turned }
    }

    /// Position of the second end on the ellipsoid, from its axes.
    pub fn on_ellipsoid(&self, turned: &Frame) -> [f64; 3] {
        [0, 1, 2].map(|k| self.radii[k].value * turned.axes[2][k])
    }

    /// The angle between the axes that a `constant_angle` keeps, at its ends' frames.
    pub fn lean(&self, frame: &Frame) -> f64 {
        let [i, j] = self.kind().turn_axes;
        inner(self.axis(i), frame.outward(self.axis(j))).clamp(-1.0, 1.0).acos()
    }
}

/// Sine and cosine, times a positive factor, of the rotation of the second end about an axis.
pub fn turn_about(axis: [Number; 3], [first, second]: &[Place; 2], world: &World) -> [S; 2] {
    let [n, b] = across(axis);
    let facing = image(second, n, world);
    [b, n].map(|d| dot(image(first, d, world), facing))
}

/// World components of a vector fixed in a place.
fn image(place: &Place, v: [f64; 3], world: &World) -> V {
    combine(&place.axes(world), v.map(number))
}
