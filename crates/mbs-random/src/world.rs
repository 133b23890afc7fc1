//! The generator's kinematics: poses of bodies as Taylor series in a direction of motion.
//!
//! Bodies are described by origins and axes of their frames for any coordinates of the declaration. The plane is z = 0, and its angles are stored
//! in addition to the axes, since they count revolutions. This is a second implementation of the kinematics of `mbs-model`, on purpose: it
//! determines lengths, offsets and angles of a declaration, so that an error in either implementation yields a mechanism that is not assembled at
//! its declared poses.

use mbs_expr::{Function, Scalar, Series};

use crate::number::{Number, Style};

/// Taylor series with coefficients for one derivative and the rates that expressions contain.
pub type S = Series<5>;

/// World components.
pub type V = [S; 3];

/// The plane's normal.
pub const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Pose of a body frame.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Its origin.
    pub position: V,
    /// Its x, y and z axis.
    pub axes: [V; 3],
    /// Its angle in the plane; zero in space.
    pub angle: S,
}

/// Poses of all bodies, coordinates that the poses do not determine, and time.
#[derive(Clone, Debug)]
pub struct World {
    /// One per body.
    pub poses: Vec<Pose>,
    /// Algebraic coordinates.
    pub algebraic: Vec<S>,
    /// Coordinates of joints of declared kinds.
    pub posed: Vec<S>,
    /// Time.
    pub t: S,
}

/// A number as a constant series.
pub fn constant(x: f64) -> S {
    S::constant(x)
}

/// a − b.
pub fn difference(a: V, b: V) -> V {
    [0, 1, 2].map(|k| a[k] - b[k])
}

/// a·b.
pub fn dot<const N: usize>(a: [Series<N>; 3], b: [Series<N>; 3]) -> Series<N> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn cross<const N: usize>(a: [Series<N>; 3], b: [Series<N>; 3]) -> [Series<N>; 3] {
    [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i] * b[j] - a[j] * b[i]
    })
}

/// Σ vₖ axisₖ: components in axes become world components.
pub fn combine(axes: &[V; 3], v: V) -> V {
    [0, 1, 2].map(|c| v[0] * axes[0][c] + v[1] * axes[1][c] + v[2] * axes[2][c])
}

/// v rotated about an axis of any length: Rodrigues' formula.
pub fn rotate(about: [f64; 3], angle: S, v: V) -> V {
    let length = about.iter().map(|x| x * x).sum::<f64>().sqrt();
    let k = about.map(|x| constant(x / length));
    let (s, c) = (angle.unary(Function::Sin), angle.unary(Function::Cos));
    let (perpendicular, parallel) = (cross(k, v), dot(k, v) * (constant(1.0) - c));
    [0, 1, 2].map(|i| c * v[i] + s * perpendicular[i] + parallel * k[i])
}

/// x, y and z axis of the world, rotated.
pub fn rotated_axes(about: [f64; 3], angle: S) -> [V; 3] {
    [0, 1, 2].map(|k| rotate(about, angle, unit(k)))
}

/// The unit vector along x, y or z.
pub fn unit(k: usize) -> V {
    [0, 1, 2].map(|c| constant(if c == k { 1.0 } else { 0.0 }))
}

/// World components of the unit vector along an axis that is fixed in a marker.
pub fn unit_axis(first: &Attachment, axis: [Number; 3], world: &World) -> V {
    let length = axis.iter().map(|x| x.value * x.value).sum::<f64>().sqrt();
    combine(&first.axes(world), axis.map(|x| constant(x.value / length)))
}

/// ω of axes that rotate: ½ Σ e × ė.
pub fn angular_velocity<const N: usize>(axes: &[[Series<N>; 3]; 3]) -> [Series<N>; 3] {
    let parts = axes.map(|e| cross(e, e.map(Scalar::rate)));
    [0, 1, 2].map(|c| Series::constant(0.5) * (parts[0][c] + parts[1][c] + parts[2][c]))
}

/// `function wave: opaque(4);`: sin(1.3 x) + 0.2 x and its derivatives, as many as `y` has values.
pub fn wave(x: f64, y: &mut [f64]) {
    let (s, c) = (1.3 * x).sin_cos();
    let values = [s + 0.2 * x, 1.3 * c + 0.2, -1.69 * s, -2.197 * c, 2.8561 * s];
    y.iter_mut().zip(values).for_each(|(y, value)| *y = value);
}

/// Value of [`wave`] on a motion.
pub fn opaque(x: S) -> S {
    let mut derivatives = [0.0; 5];
    wave(x.value(), &mut derivatives);
    x.compose(&derivatives)
}

/// A function of time that is zero at t = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signal {
    /// Factor.
    pub amplitude: Number,
    /// ω \[rad/s\].
    pub frequency: Number,
    /// Shape over time.
    pub shape: Shape,
}

/// Shapes of signals over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// a t.
    Ramp,
    /// a sin(ω t).
    Sine,
    /// a (1 − cos(ω t)).
    Cosine,
    /// a t².
    Square,
    /// a wave(ω t), of a function written in Rust.
    Wave,
}

impl Signal {
    /// Value at time t.
    pub fn value(&self, t: S) -> S {
        let (a, phase) = (constant(self.amplitude.value), constant(self.frequency.value) * t);
        match self.shape {
            Shape::Ramp => a * t,
            Shape::Sine => a * phase.unary(Function::Sin),
            Shape::Cosine => a * (constant(1.0) - phase.unary(Function::Cos)),
            Shape::Square => a * t * t,
            Shape::Wave => a * opaque(phase),
        }
    }
}

/// Notation of an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `body`, or `body at [x, y]`; a marker where it is rotated.
    Inline,
    /// `marker m = body at [x, y] { angle: … };`, in space by `rotation: axis_angle(…)`.
    Angle,
    /// Its axes by `x: […]`, in space by `x: […], y: […]`.
    AxisX,
    /// Its axes by `y: […]`, in space by `z: […], y: […]`.
    AxisY,
    /// On another marker: `marker m = body at […]; marker n = m at […]`.
    Nested,
    /// `body at point` with a vector parameter.
    Vector,
    /// `body at com`.
    Com,
    /// By `rotation: euler(…)`, of space.
    Euler,
    /// By `rotation: quaternion(…)`, of space.
    Quaternion,
}

/// A frame on a body or on ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Its body; `None` is ground.
    pub body: Option<usize>,
    /// Origin in body axes \[m\].
    pub point: [Number; 3],
    /// Axis of the rotation from the body's axes to those of the frame; z in the plane.
    pub about: [f64; 3],
    /// Angle of that rotation \[rad\].
    pub angle: Number,
    /// Motion of an attachment on ground: x, y, angle, z.
    pub motion: [Option<Signal>; 4],
    /// Its notation.
    pub notation: Notation,
}

impl Attachment {
    /// An attachment at rest, written inline.
    pub fn plain(body: Option<usize>, point: [Number; 3]) -> Self {
        let angle = Number { value: 0.0, style: Style::Literal };
        Attachment { body, point, about: Z, angle, motion: [None; 4], notation: Notation::Inline }
    }

    /// The body frame.
    pub fn origin(body: Option<usize>) -> Self {
        Attachment::plain(body, [Number::literal(0.0); 3])
    }

    /// Whether it moves with time on ground.
    pub fn moves(&self) -> bool {
        self.motion.iter().any(Option::is_some)
    }

    fn displacement(&self, k: usize, world: &World) -> S {
        self.motion[k].map_or(constant(0.0), |signal| signal.value(world.t))
    }

    /// Distance from the origin of another attachment.
    pub fn distance(&self, other: &Attachment, world: &World) -> f64 {
        let [p, q] = [self, other].map(|attachment| attachment.position(world).map(|x| x.value()));
        (p[0] - q[0]).hypot(p[1] - q[1]).hypot(p[2] - q[2])
    }

    /// World position.
    pub fn position(&self, world: &World) -> V {
        let [x, y, z] = self.point.map(|x| constant(x.value));
        match self.body {
            None => [x + self.displacement(0, world), y + self.displacement(1, world), z + self.displacement(3, world)],
            Some(b) => {
                let r = combine(&world.poses[b].axes, [x, y, z]);
                [0, 1, 2].map(|k| world.poses[b].position[k] + r[k])
            }
        }
    }

    /// Angle of its x axis relative to the world's, in the plane.
    pub fn facing(&self, world: &World) -> S {
        let angle = constant(self.angle.value);
        self.body.map_or(angle + self.displacement(2, world), |b| world.poses[b].angle + angle)
    }

    /// World components of its axes.
    pub fn axes(&self, world: &World) -> [V; 3] {
        let angle = constant(self.angle.value);
        match self.body {
            None => rotated_axes(self.about, angle + self.displacement(2, world)),
            Some(b) => rotated_axes(self.about, angle).map(|v| combine(&world.poses[b].axes, v)),
        }
    }

    /// World components of its x, y or z axis.
    pub fn axis(&self, world: &World, axis: usize) -> V {
        self.axes(world)[axis]
    }
}
