//! Where bodies are, as series along a direction of motion: what the generator computes with.
//!
//! Body coordinates throughout, whatever the declaration chooses: x, y, θ of each body frame. This is a second writing of the
//! planar kinematics of `mbs-model`, on purpose: it fixes lengths, offsets and angles of a declaration, so that a disagreement
//! shows as a mechanism that is not assembled where it was built.

use mbs_model::{Function, Scalar, Series};

use crate::number::{Number, Style};

/// Value and rates: a derivative, and some rates in the expressions themselves.
pub type S = Series<5>;

/// Poses of all bodies, algebraic coordinates and time.
#[derive(Clone, Debug)]
pub struct World {
    /// x, y, θ.
    pub poses: Vec<[S; 3]>,
    /// Algebraic coordinates.
    pub algebraic: Vec<S>,
    /// Time.
    pub t: S,
}

/// A number of the series.
pub fn number(x: f64) -> S {
    S::constant(x)
}

/// R(θ) r.
pub fn rotate(angle: S, [x, y]: [S; 2]) -> [S; 2] {
    let (s, c) = (angle.unary(Function::Sin), angle.unary(Function::Cos));
    [c * x - s * y, s * x + c * y]
}

/// a − b.
pub fn minus(a: [S; 2], b: [S; 2]) -> [S; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// a·b.
pub fn dot(a: [S; 2], b: [S; 2]) -> S {
    a[0] * b[0] + a[1] * b[1]
}

/// A function of time that is zero at t = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signal {
    /// Factor.
    pub amplitude: Number,
    /// ω \[rad/s\].
    pub frequency: Number,
    /// Course.
    pub shape: Shape,
}

/// Courses in time.
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
    /// At time t.
    pub fn value(&self, t: S) -> S {
        let (a, phase) = (number(self.amplitude.value), number(self.frequency.value) * t);
        match self.shape {
            Shape::Ramp => a * t,
            Shape::Sine => a * phase.unary(Function::Sin),
            Shape::Cosine => a * (number(1.0) - phase.unary(Function::Cos)),
            Shape::Square => a * t * t,
            Shape::Wave => a * crate::expr::opaque(phase),
        }
    }
}

/// How the place of a marker is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// `body`, or `body at [x, y]`; a marker where it is turned.
    Inline,
    /// `marker m = body at [x, y] { angle: … };`
    Angle,
    /// Its axes by `x: […]`.
    AxisX,
    /// Its axes by `y: […]`.
    AxisY,
    /// On another marker: `marker m = body at […]; marker n = m at […]`.
    Nested,
    /// `body at place` with a vector parameter.
    Vector,
    /// `body at com`.
    Com,
}

/// A frame on a body or on ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Its body; `None` is ground.
    pub body: Option<usize>,
    /// Origin in body axes \[m\].
    pub point: [Number; 2],
    /// Angle of its x axis from the body's \[rad\].
    pub angle: Number,
    /// What moves it, on ground: x, y, angle.
    pub motion: [Option<Signal>; 3],
    /// How it is written.
    pub write: Write,
}

impl Place {
    /// At rest, written inline.
    pub fn plain(body: Option<usize>, point: [Number; 2]) -> Self {
        let angle = Number { value: 0.0, style: Style::Literal };
        Place { body, point, angle, motion: [None; 3], write: Write::Inline }
    }

    /// Whether it moves with time on ground.
    pub fn moves(&self) -> bool {
        self.motion.iter().any(Option::is_some)
    }

    fn moved(&self, k: usize, world: &World) -> S {
        self.motion[k].map_or(number(0.0), |signal| signal.value(world.t))
    }

    /// World position.
    pub fn position(&self, world: &World) -> [S; 2] {
        let [x, y] = self.point.map(|x| number(x.value));
        match self.body {
            None => [x + self.moved(0, world), y + self.moved(1, world)],
            Some(b) => {
                let [p, q, angle] = world.poses[b];
                let r = rotate(angle, [x, y]);
                [p + r[0], q + r[1]]
            }
        }
    }

    /// Angle of its x axis from the world's.
    pub fn facing(&self, world: &World) -> S {
        let own = number(self.angle.value);
        self.body.map_or(own + self.moved(2, world), |b| world.poses[b][2] + own)
    }

    /// World components of its x axis (0) or y axis (1).
    pub fn axis(&self, world: &World, axis: usize) -> [S; 2] {
        let unit = [number(1.0 - axis as f64), number(axis as f64)];
        rotate(self.facing(world), unit)
    }
}
