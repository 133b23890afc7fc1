//! Links whose twists depend on their coordinates: points guided on ellipsoids and spheres, and lines that the tree reaches backwards.
//!
//! A link's frame moves with the twist J = (w, u) = Σ S_k v_k relative to the one that its parent carries there, all in the link's axes,
//! linear parts at its origin; (ẇ, u̇) are the rates as seen from that frame. R turns components in a joint's second end to those in its
//! first, n is the second end's z axis, D = diag(r) of an ellipsoid's radii.
//!
//! Ellipsoid, reached from its own end, with E = Rᵀ D R, displaced by E z in the link's axes, and from the other end, displaced by −D n,
//! which turns with ṅ = −w × n:
//!
//! ```text
//! (1)  S_k = (e_k, E (e_k × z))                    u̇ = E (ẇ × z + w × (w × z))
//! (2)  S_k = (e_k, D (e_k × n) − e_k × D n)        u̇ = D (ẇ × n − w × (w × n)) − ẇ × D n + 2 w × D (w × n) − w × (w × D n)
//! ```
//!
//! Line from the other end, whose speeds stay in the axes of the second one: S_k = (−R e_k, 0), ẇ = −R Σ e_k a_k. Orbit, with the
//! displacement p(α, ε): S_k = (0, ∂p/∂q_k).
//!
//! Derived from the definitions; Simbody, `MobilizedBody::Ellipsoid`, has (1) in the other end's axes.

use mbs_expr::{ExprId, Scalar};
use mbs_math::{Mat3, Vector};

use super::attitude::rotation;
use super::links::Freedom;
use super::posed::Posed;
use super::transform::Part;
use super::twist::{Turned, Twist};
use super::vector::{Matrix3, Vector3, unit, zero};

/// Geometry that guides a link.
#[derive(Clone, Debug)]
enum Guide<S> {
    /// (1)
    On { displacement: Vector3<S>, rotation: Matrix3<S>, stretch: Matrix3<S> },
    /// (2)
    Carrying { rotation: Matrix3<S>, radii: Vector3<S>, normal: Vector3<S> },
    /// A line's first end.
    Line { rotation: Matrix3<S> },
    /// Pose that the joint's kind declares.
    Posed(Posed<S>),
    /// A sphere of a radius with a sign, sine and cosine of α and of ε.
    Orbit { radius: S, azimuth: (S, S), elevation: (S, S) },
}

/// A guided link at a state.
#[derive(Clone, Debug)]
pub struct Guided<S> {
    guide: Guide<S>,
    /// S of each speed.
    pub twists: Vec<Twist<S>>,
    v: Vec<S>,
    a: Vec<S>,
}

fn diagonal<S: Scalar>(radii: Vector3<S>, a: Vector3<S>) -> Vector3<S> {
    radii.zip(a, |radius, a| radius * a)
}

impl<S: Scalar> Guided<S> {
    /// State of a motion whose twists depend on coordinates.
    pub fn new(freedom: &Freedom, q: &[S], given: (&[S], &[S]), value: &dyn Fn(ExprId) -> S) -> Self {
        match *freedom {
            Freedom::Line { attitude, .. } => Self::line(rotation(attitude, q), given),
            Freedom::Ellipsoid { radii, attitude, reversed } => {
                Self::ellipsoid(Vector(radii.map(value)), rotation(attitude, q), reversed, given)
            }
            Freedom::Orbit { radius, sign } => {
                let radius = value(radius);
                Self::orbit(if sign < 0.0 { -radius } else { radius }, q, given)
            }
            _ => unreachable!("twists of other freedoms are constant, or those of a pose"),
        }
    }

    /// By a pose.
    pub fn posed(posed: Posed<S>, (v, a): (&[S], &[S])) -> Self {
        Guided { twists: posed.twists.clone(), v: v.to_vec(), a: a.to_vec(), guide: Guide::Posed(posed) }
    }

    /// N of q̇ = N v by columns, of a pose whose speeds are not the rates of its coordinates.
    pub fn rates(&self) -> Option<&[Vec<S>]> {
        match &self.guide {
            Guide::Posed(posed) => posed.rates.as_deref(),
            _ => None,
        }
    }

    /// The pose that moves it, if one does.
    pub fn pose(&self) -> Option<&Posed<S>> {
        match &self.guide {
            Guide::Posed(posed) => Some(posed),
            _ => None,
        }
    }

    /// Its speeds and accelerations.
    pub fn given(&self) -> (&[S], &[S]) {
        (&self.v, &self.a)
    }

    /// On an ellipsoid; `rotation` is R.
    fn ellipsoid(radii: Vector3<S>, rotation: Matrix3<S>, reversed: bool, (v, a): (&[S], &[S])) -> Self {
        let normal = rotation.column(2);
        let guide = if reversed {
            Guide::Carrying { rotation, radii, normal }
        } else {
            let stretched = Mat3([0, 1, 2].map(|i| rotation[i] * radii[i]));
            let stretch = rotation.transpose() * stretched;
            Guide::On { displacement: diagonal(radii, normal), rotation, stretch }
        };
        let own = |k: usize| Twist { angular: unit(k), linear: guide.linear(unit(k)) };
        Guided { twists: (0..3).map(own).collect(), v: v.to_vec(), a: a.to_vec(), guide }
    }

    /// The first end of a line.
    fn line(rotation: Matrix3<S>, (v, a): (&[S], &[S])) -> Self {
        let back = |k: usize| Twist { angular: -rotation.column(k), linear: zero() };
        Guided { twists: vec![back(0), back(1)], v: v.to_vec(), a: a.to_vec(), guide: Guide::Line { rotation } }
    }

    /// On a sphere, whose radius has the sign of the way.
    fn orbit(radius: S, q: &[S], (v, a): (&[S], &[S])) -> Self {
        let guide = Guide::Orbit { radius, azimuth: q[0].sin_cos(), elevation: q[1].sin_cos() };
        let along =
            |k: usize| Twist { angular: zero(), linear: guide.place([usize::from(k == 0), usize::from(k == 1)]) };
        Guided { twists: vec![along(0), along(1)], v: v.to_vec(), a: a.to_vec(), guide }
    }

    /// From the frame that the parent carries to the link's.
    pub fn parts(&self) -> Vec<Part<S>> {
        match &self.guide {
            Guide::On { displacement, rotation, .. } => vec![Part::Shift(*displacement), Part::Rotate(*rotation)],
            Guide::Carrying { rotation, radii, normal } => {
                vec![Part::Rotate(rotation.transpose()), Part::Shift(zero() - diagonal(*radii, *normal))]
            }
            Guide::Line { rotation } => vec![Part::Rotate(rotation.transpose())],
            Guide::Posed(posed) => posed.parts.clone(),
            Guide::Orbit { .. } => vec![Part::Shift(self.guide.place([0, 0]))],
        }
    }

    /// J.
    pub fn velocity(&self) -> Twist<S> {
        if let Guide::Posed(posed) = &self.guide {
            return posed.velocity;
        }
        self.combined(&self.v)
    }

    /// (ẇ, u̇).
    pub fn acceleration(&self) -> Twist<S> {
        if let Guide::Posed(posed) = &self.guide {
            return posed.acceleration;
        }
        let along = self.combined(&self.a);
        match &self.guide {
            Guide::Line { .. } | Guide::Posed(_) => along,
            Guide::On { .. } | Guide::Carrying { .. } => {
                let linear = self.guide.bent(self.speeds(), self.accelerations(), None);
                Twist { angular: self.accelerations(), linear }
            }
            Guide::Orbit { .. } => {
                let bias = self.twice(&|k, m| self.guide.place(count(&[k, m])));
                Twist { linear: along.linear + bias, ..along }
            }
        }
    }

    /// Along speed j; of a pose see [`Turned::of_pose`].
    pub fn turned(&self, j: usize) -> Turned<S> {
        let (v, a) = (&self.v, &self.a);
        let still = Twist::zero();
        match &self.guide {
            Guide::On { .. } | Guide::Carrying { .. } => {
                let along = unit(j);
                let (w, w_dot) = (self.speeds(), self.accelerations());
                let derivative = |x: Vector3<S>| Twist { linear: self.guide.linear_turned(x, along), ..still };
                Turned {
                    twists: (0..3).map(|k| derivative(unit(k))).collect(),
                    velocity: derivative(w),
                    acceleration: Twist { linear: self.guide.bent(w, w_dot, Some(along)), ..still },
                    by_speed: Twist { linear: self.guide.bent_along(w, along), ..still },
                }
            }
            Guide::Posed(_) => unreachable!("derivatives of a pose are taken where it is known"),
            // δR = R ẽ_j.
            Guide::Line { rotation } => {
                let derivative = |x: [S; 2]| {
                    let turned = unit(j).cross(Vector([x[0], x[1], S::number(0.0)]));
                    Twist { angular: zero() - rotation * turned, ..still }
                };
                let (one, o) = (S::number(1.0), S::number(0.0));
                Turned {
                    twists: vec![derivative([one, o]), derivative([o, one])],
                    velocity: derivative([v[0], v[1]]),
                    acceleration: derivative([a[0], a[1]]),
                    by_speed: still,
                }
            }
            Guide::Orbit { .. } => {
                let derivative = |k: usize| self.guide.place(count(&[k, j]));
                let sum = |x: &[S]| derivative(0) * x[0] + derivative(1) * x[1];
                let bias = self.twice(&|k, m| self.guide.place(count(&[k, m, j])));
                let rate = sum(v);
                Turned {
                    twists: (0..2).map(|k| Twist { linear: derivative(k), ..still }).collect(),
                    velocity: Twist { linear: rate, ..still },
                    acceleration: Twist { linear: sum(a) + bias, ..still },
                    by_speed: Twist { linear: rate + rate, ..still },
                }
            }
        }
    }

    fn combined(&self, x: &[S]) -> Twist<S> {
        self.twists.iter().zip(x).fold(Twist::zero(), |sum, (twist, x)| sum + *twist * *x)
    }

    fn speeds(&self) -> Vector3<S> {
        Vector([self.v[0], self.v[1], self.v[2]])
    }

    fn accelerations(&self) -> Vector3<S> {
        Vector([self.a[0], self.a[1], self.a[2]])
    }

    /// Σ c_km v_k v_m of two coordinates, c symmetric.
    fn twice(&self, c: &dyn Fn(usize, usize) -> Vector3<S>) -> Vector3<S> {
        let [x, y] = [self.v[0], self.v[1]];
        let mixed = c(0, 1) * (x * y);
        c(0, 0) * (x * x) + c(1, 1) * (y * y) + (mixed + mixed)
    }
}

/// Number of zeros and of ones in a list.
fn count(list: &[usize]) -> [usize; 2] {
    let ones = list.iter().sum();
    [list.len() - ones, ones]
}

impl<S: Scalar> Guide<S> {
    /// Partial derivative of the displacement p(α, ε), of the given orders.
    fn place(&self, [by_azimuth, by_elevation]: [usize; 2]) -> Vector3<S> {
        let Guide::Orbit { radius, azimuth, elevation } = *self else { return zero() };
        // Each derivative of (cos x, sin x) turns it by a quarter: (−sin x, cos x).
        let turned = |(sin, cos): (S, S), times: usize| match times % 4 {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        };
        let ((sin, cos), (up, flat)) = (turned(azimuth, by_azimuth), turned(elevation, by_elevation));
        let high = if by_azimuth == 0 { radius * up } else { S::number(0.0) };
        let flat = radius * flat;
        Vector([flat * cos, flat * sin, high])
    }

    /// Σ l_k x_k of an ellipsoid, linear in x.
    fn linear(&self, x: Vector3<S>) -> Vector3<S> {
        match self {
            Guide::On { stretch, .. } => stretch * x.cross(unit(2)),
            Guide::Carrying { radii, normal, .. } => self.carried_linear(*radii, *normal, x),
            Guide::Line { .. } | Guide::Orbit { .. } | Guide::Posed(_) => zero(),
        }
    }

    fn carried_linear(&self, radii: Vector3<S>, n: Vector3<S>, x: Vector3<S>) -> Vector3<S> {
        diagonal(radii, x.cross(n)) - x.cross(diagonal(radii, n))
    }

    /// Its derivative along a turn by e: δE = E ẽ − ẽ E, or δn = −e × n.
    fn linear_turned(&self, x: Vector3<S>, e: Vector3<S>) -> Vector3<S> {
        match self {
            Guide::On { stretch, .. } => self.stretched_turned(stretch, x.cross(unit(2)), e),
            Guide::Carrying { radii, normal, .. } => self.carried_linear(*radii, (*normal).cross(e), x),
            Guide::Line { .. } | Guide::Orbit { .. } | Guide::Posed(_) => zero(),
        }
    }

    fn stretched_turned(&self, stretch: &Matrix3<S>, y: Vector3<S>, e: Vector3<S>) -> Vector3<S> {
        stretch * e.cross(y) - e.cross(stretch * y)
    }

    /// u̇ of an ellipsoid, or its derivative along a turn.
    fn bent(&self, w: Vector3<S>, w_dot: Vector3<S>, along: Option<Vector3<S>>) -> Vector3<S> {
        match self {
            Guide::On { stretch, .. } => {
                let z = unit(2);
                let turning = w_dot.cross(z) + w.cross(w.cross(z));
                match along {
                    None => stretch * turning,
                    Some(e) => self.stretched_turned(stretch, turning, e),
                }
            }
            Guide::Carrying { radii, normal, .. } => {
                let n = along.map_or(*normal, |e| (*normal).cross(e));
                let (rate, place) = (w.cross(n), diagonal(*radii, n));
                let drawn = diagonal(*radii, w_dot.cross(n) - w.cross(rate));
                let carried = w_dot.cross(place) + w.cross(w.cross(place));
                let slipping = w.cross(diagonal(*radii, rate));
                drawn + (slipping + slipping) - carried
            }
            Guide::Line { .. } | Guide::Orbit { .. } | Guide::Posed(_) => zero(),
        }
    }

    /// Derivative of u̇ of an ellipsoid along the speed e.
    fn bent_along(&self, w: Vector3<S>, e: Vector3<S>) -> Vector3<S> {
        let both = |f: &dyn Fn(Vector3<S>, Vector3<S>) -> Vector3<S>| f(w, e) + f(e, w);
        match self {
            Guide::On { stretch, .. } => stretch * both(&|a, b| a.cross(b.cross(unit(2)))),
            Guide::Carrying { radii, normal, .. } => {
                let drawn = diagonal(*radii, both(&|a, b| a.cross(b.cross(*normal))));
                let slipping = both(&|a, b| a.cross(diagonal(*radii, b.cross(*normal))));
                let carried = both(&|a, b| a.cross(b.cross(diagonal(*radii, *normal))));
                slipping + slipping - (drawn + carried)
            }
            Guide::Line { .. } | Guide::Orbit { .. } | Guide::Posed(_) => zero(),
        }
    }
}
