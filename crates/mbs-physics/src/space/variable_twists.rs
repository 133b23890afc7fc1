//! Links whose twists depend on their coordinates: origins guided on ellipsoids and spheres, and reversed line joints.
//!
//! A link has the twist J = (w, u) = Σ S_k v_k relative to the coincident frame that is fixed in its parent, all in the link's axes, linear parts
//! at its origin; (ẇ, u̇) are the rates relative to that frame. R maps components in the axes of a joint's second end to those of its first, n is
//! the second end's z axis in the first end's axes, D = diag(r) of an ellipsoid's radii.
//!
//! Ellipsoid: as the second end, with E = Rᵀ D R, the link is displaced by E z in its axes (1); as the first end it is displaced by −D n, with
//! ṅ = −w × n (2):
//!
//! ```text
//! (1)  S_k = (e_k, E (e_k × z))                    u̇ = E (ẇ × z + w × (w × z))
//! (2)  S_k = (e_k, D (e_k × n) − e_k × D n)        u̇ = D (ẇ × n − w × (w × n)) − ẇ × D n + 2 w × D (w × n) − w × (w × D n)
//! ```
//!
//! Line, with the link as the first end and speeds in the axes of the second: S_k = (−R e_k, 0), ẇ = −R Σ e_k a_k. Orbit, with the displacement
//! p(α, ε): S_k = (0, ∂p/∂q_k).
//!
//! Derived from the definitions; Simbody, `MobilizedBody::Ellipsoid`, has (1) in the other end's axes.

use mbs_expr::{ExprId, Scalar};
use mbs_math::{Mat3, Vector};

use super::attitude::rotation;
use super::declared_pose::DeclaredPose;
use super::links::Mobilizer;
use super::transform::Part;
use super::twist::{Twist, TwistDerivatives};
use super::vector::{Matrix3, Vector3, unit, zero};

/// Geometry of the motion of a link.
#[derive(Clone, Debug)]
enum Geometry<S> {
    /// An ellipsoid, the link as second end: (1).
    Ellipsoid { displacement: Vector3<S>, rotation: Matrix3<S>, stretch: Matrix3<S> },
    /// An ellipsoid, the link as first end: (2).
    ReversedEllipsoid { rotation: Matrix3<S>, radii: Vector3<S>, normal: Vector3<S> },
    /// A line joint, the link as first end.
    ReversedLine { rotation: Matrix3<S> },
    /// A pose that the joint's kind declares.
    Declared(DeclaredPose<S>),
    /// A sphere: its radius, negative for a link as first end, and (sin, cos) of α and of ε.
    Orbit { radius: S, azimuth: (S, S), elevation: (S, S) },
}

/// Twists of a link that depend on its coordinates, at a state.
#[derive(Clone, Debug)]
pub struct VariableTwists<S> {
    geometry: Geometry<S>,
    /// S of each speed.
    pub twists: Vec<Twist<S>>,
    v: Vec<S>,
    a: Vec<S>,
}

/// diag(radii) a.
fn scaled<S: Scalar>(radii: Vector3<S>, a: Vector3<S>) -> Vector3<S> {
    radii.zip(a, |radius, a| radius * a)
}

impl<S: Scalar> VariableTwists<S> {
    /// Twists of a reversed line, an ellipsoid or an orbit at coordinates q and `motion`, its (speeds, accelerations).
    pub fn new(mobilizer: &Mobilizer, q: &[S], motion: (&[S], &[S]), value: &dyn Fn(ExprId) -> S) -> Self {
        match *mobilizer {
            Mobilizer::Line { attitude, .. } => Self::reversed_line(rotation(attitude, q), motion),
            Mobilizer::Ellipsoid { radii, attitude, reversed } => {
                Self::ellipsoid(Vector(radii).map(value), rotation(attitude, q), reversed, motion)
            }
            Mobilizer::Orbit { radius, sign } => {
                let radius = value(radius);
                Self::orbit(if sign < 0.0 { -radius } else { radius }, q, motion)
            }
            _ => unreachable!("twists of other mobilizers are constant, or those of a declared pose"),
        }
    }

    /// Twists of a declared pose at (speeds, accelerations).
    pub fn from_declared_pose(pose: DeclaredPose<S>, (v, a): (&[S], &[S])) -> Self {
        let twists = pose.twists.clone();
        VariableTwists { twists, v: v.to_vec(), a: a.to_vec(), geometry: Geometry::Declared(pose) }
    }

    /// N of q̇ = N v by columns; `None` if the speeds are the rates of the coordinates.
    pub fn rate_columns(&self) -> Option<&[Vec<S>]> {
        match &self.geometry {
            Geometry::Declared(pose) => pose.rates.as_deref(),
            _ => None,
        }
    }

    /// The declared pose, if the joint has one.
    pub fn pose(&self) -> Option<&DeclaredPose<S>> {
        match &self.geometry {
            Geometry::Declared(pose) => Some(pose),
            _ => None,
        }
    }

    /// The link's speeds and accelerations.
    pub fn speeds_and_accelerations(&self) -> (&[S], &[S]) {
        (&self.v, &self.a)
    }

    /// Twists on an ellipsoid; `rotation` is R.
    fn ellipsoid(radii: Vector3<S>, rotation: Matrix3<S>, reversed: bool, (v, a): (&[S], &[S])) -> Self {
        let normal = rotation.column(2);
        let geometry = if reversed {
            Geometry::ReversedEllipsoid { rotation, radii, normal }
        } else {
            let scaled_rotation = Mat3::from_rows(|i| rotation[i] * radii[i]);
            let stretch = rotation.transpose() * scaled_rotation;
            Geometry::Ellipsoid { displacement: scaled(radii, normal), rotation, stretch }
        };
        let twist = |k: usize| Twist { angular: unit(k), linear: geometry.linear_part(unit(k)) };
        VariableTwists { twists: (0..3).map(twist).collect(), v: v.to_vec(), a: a.to_vec(), geometry }
    }

    /// Twists of the first end of a line joint.
    fn reversed_line(rotation: Matrix3<S>, (v, a): (&[S], &[S])) -> Self {
        let twist = |k: usize| Twist { angular: -rotation.column(k), linear: zero() };
        let geometry = Geometry::ReversedLine { rotation };
        VariableTwists { twists: vec![twist(0), twist(1)], v: v.to_vec(), a: a.to_vec(), geometry }
    }

    /// Twists on a sphere, whose radius is negative for a link as first end.
    fn orbit(radius: S, q: &[S], (v, a): (&[S], &[S])) -> Self {
        let geometry = Geometry::Orbit { radius, azimuth: q[0].sin_cos(), elevation: q[1].sin_cos() };
        let linear = |k: usize| geometry.displacement_derivative([usize::from(k == 0), usize::from(k == 1)]);
        let twist = |k: usize| Twist { angular: zero(), linear: linear(k) };
        VariableTwists { twists: vec![twist(0), twist(1)], v: v.to_vec(), a: a.to_vec(), geometry }
    }

    /// Pose of the link in the frame that is fixed in the parent.
    pub fn parts(&self) -> Vec<Part<S>> {
        match &self.geometry {
            Geometry::Ellipsoid { displacement, rotation, .. } => {
                vec![Part::Translation(*displacement), Part::Rotation(*rotation)]
            }
            Geometry::ReversedEllipsoid { rotation, radii, normal } => {
                vec![Part::Rotation(rotation.transpose()), Part::Translation(zero() - scaled(*radii, *normal))]
            }
            Geometry::ReversedLine { rotation } => vec![Part::Rotation(rotation.transpose())],
            Geometry::Declared(pose) => pose.parts.clone(),
            Geometry::Orbit { .. } => vec![Part::Translation(self.geometry.displacement_derivative([0, 0]))],
        }
    }

    /// J, the velocity relative to the parent.
    pub fn velocity(&self) -> Twist<S> {
        if let Geometry::Declared(pose) = &self.geometry {
            return pose.velocity;
        }
        self.combined(&self.v)
    }

    /// (ẇ, u̇), the acceleration relative to the parent.
    pub fn acceleration(&self) -> Twist<S> {
        if let Geometry::Declared(pose) = &self.geometry {
            return pose.acceleration;
        }
        let linear_in_a = self.combined(&self.a);
        match &self.geometry {
            Geometry::ReversedLine { .. } | Geometry::Declared(_) => linear_in_a,
            Geometry::Ellipsoid { .. } | Geometry::ReversedEllipsoid { .. } => {
                let linear = self.geometry.linear_acceleration(self.speeds(), self.accelerations(), None);
                Twist { angular: self.accelerations(), linear }
            }
            Geometry::Orbit { .. } => {
                let bias = self.quadratic(&|k, m| self.geometry.displacement_derivative(orders(&[k, m])));
                Twist { linear: linear_in_a.linear + bias, ..linear_in_a }
            }
        }
    }

    /// Derivatives with respect to a displacement by speed j; those of a declared pose are [`TwistDerivatives::from_pose`].
    pub fn derivatives(&self, j: usize) -> TwistDerivatives<S> {
        let (v, a) = (&self.v, &self.a);
        let no_twist = Twist::zero();
        match &self.geometry {
            Geometry::Ellipsoid { .. } | Geometry::ReversedEllipsoid { .. } => {
                let e = unit(j);
                let (w, w_dot) = (self.speeds(), self.accelerations());
                let derivative =
                    |x: Vector3<S>| Twist { linear: self.geometry.linear_part_derivative(x, e), ..no_twist };
                TwistDerivatives {
                    twists: (0..3).map(|k| derivative(unit(k))).collect(),
                    velocity: derivative(w),
                    acceleration: Twist { linear: self.geometry.linear_acceleration(w, w_dot, Some(e)), ..no_twist },
                    by_speed: Twist { linear: self.geometry.linear_acceleration_by_speed(w, e), ..no_twist },
                }
            }
            Geometry::Declared(_) => unreachable!("derivatives of a declared pose need its declaration"),
            // δR = R ẽ_j.
            Geometry::ReversedLine { rotation } => {
                let derivative = |x: [S; 2]| {
                    let cross = unit(j).cross(Vector([x[0], x[1], S::number(0.0)]));
                    Twist { angular: zero() - rotation * cross, ..no_twist }
                };
                let (one, o) = (S::number(1.0), S::number(0.0));
                TwistDerivatives {
                    twists: vec![derivative([one, o]), derivative([o, one])],
                    velocity: derivative([v[0], v[1]]),
                    acceleration: derivative([a[0], a[1]]),
                    by_speed: no_twist,
                }
            }
            Geometry::Orbit { .. } => {
                let derivative = |k: usize| self.geometry.displacement_derivative(orders(&[k, j]));
                let sum = |x: &[S]| derivative(0) * x[0] + derivative(1) * x[1];
                let bias = self.quadratic(&|k, m| self.geometry.displacement_derivative(orders(&[k, m, j])));
                let rate = sum(v);
                TwistDerivatives {
                    twists: (0..2).map(|k| Twist { linear: derivative(k), ..no_twist }).collect(),
                    velocity: Twist { linear: rate, ..no_twist },
                    acceleration: Twist { linear: sum(a) + bias, ..no_twist },
                    by_speed: Twist { linear: rate + rate, ..no_twist },
                }
            }
        }
    }

    /// Σ S_k x_k.
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
    fn quadratic(&self, c: &dyn Fn(usize, usize) -> Vector3<S>) -> Vector3<S> {
        let [x, y] = [self.v[0], self.v[1]];
        let mixed = c(0, 1) * (x * y);
        c(0, 0) * (x * x) + c(1, 1) * (y * y) + (mixed + mixed)
    }
}

/// Orders of a partial derivative with respect to (α, ε): numbers of zeros and of ones in a list of coordinate indices.
fn orders(list: &[usize]) -> [usize; 2] {
    let ones = list.iter().sum();
    [list.len() - ones, ones]
}

impl<S: Scalar> Geometry<S> {
    /// Partial derivative of the displacement p(α, ε) of an orbit, of the given orders.
    fn displacement_derivative(&self, [by_azimuth, by_elevation]: [usize; 2]) -> Vector3<S> {
        let Geometry::Orbit { radius, azimuth, elevation } = *self else { return zero() };
        // Each derivative rotates (cos x, sin x) by π/2: (−sin x, cos x).
        let differentiated = |(sin, cos): (S, S), times: usize| match times % 4 {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        };
        let ((sin, cos), (up, flat)) = (differentiated(azimuth, by_azimuth), differentiated(elevation, by_elevation));
        let z = if by_azimuth == 0 { radius * up } else { S::number(0.0) };
        let horizontal = radius * flat;
        Vector([horizontal * cos, horizontal * sin, z])
    }

    /// Σ l_k x_k of an ellipsoid with the linear parts l_k of its twists.
    fn linear_part(&self, x: Vector3<S>) -> Vector3<S> {
        match self {
            Geometry::Ellipsoid { stretch, .. } => stretch * x.cross(unit(2)),
            Geometry::ReversedEllipsoid { radii, normal, .. } => self.reversed_linear_part(*radii, *normal, x),
            Geometry::ReversedLine { .. } | Geometry::Orbit { .. } | Geometry::Declared(_) => zero(),
        }
    }

    /// [`Self::linear_part`] by (2).
    fn reversed_linear_part(&self, radii: Vector3<S>, n: Vector3<S>, x: Vector3<S>) -> Vector3<S> {
        scaled(radii, x.cross(n)) - x.cross(scaled(radii, n))
    }

    /// Directional derivative of [`Self::linear_part`] for a rotation by e: δE = E ẽ − ẽ E, or δn = −e × n.
    fn linear_part_derivative(&self, x: Vector3<S>, e: Vector3<S>) -> Vector3<S> {
        match self {
            Geometry::Ellipsoid { stretch, .. } => self.stretch_derivative(stretch, x.cross(unit(2)), e),
            Geometry::ReversedEllipsoid { radii, normal, .. } => {
                self.reversed_linear_part(*radii, (*normal).cross(e), x)
            }
            Geometry::ReversedLine { .. } | Geometry::Orbit { .. } | Geometry::Declared(_) => zero(),
        }
    }

    /// δE y for a rotation by e.
    fn stretch_derivative(&self, stretch: &Matrix3<S>, y: Vector3<S>, e: Vector3<S>) -> Vector3<S> {
        stretch * e.cross(y) - e.cross(stretch * y)
    }

    /// u̇ of an ellipsoid, or its directional derivative for a rotation.
    fn linear_acceleration(&self, w: Vector3<S>, w_dot: Vector3<S>, rotation: Option<Vector3<S>>) -> Vector3<S> {
        match self {
            Geometry::Ellipsoid { stretch, .. } => {
                let z = unit(2);
                let z_acceleration = w_dot.cross(z) + w.cross(w.cross(z));
                match rotation {
                    None => stretch * z_acceleration,
                    Some(e) => self.stretch_derivative(stretch, z_acceleration, e),
                }
            }
            Geometry::ReversedEllipsoid { radii, normal, .. } => {
                let n = rotation.map_or(*normal, |e| (*normal).cross(e));
                let (rate, position) = (w.cross(n), scaled(*radii, n));
                let relative = scaled(*radii, w_dot.cross(n) - w.cross(rate));
                let transported = w_dot.cross(position) + w.cross(w.cross(position));
                let half_coriolis = w.cross(scaled(*radii, rate));
                relative + (half_coriolis + half_coriolis) - transported
            }
            Geometry::ReversedLine { .. } | Geometry::Orbit { .. } | Geometry::Declared(_) => zero(),
        }
    }

    /// Directional derivative of u̇ of an ellipsoid for a change e of the speeds.
    fn linear_acceleration_by_speed(&self, w: Vector3<S>, e: Vector3<S>) -> Vector3<S> {
        let symmetrized = |f: &dyn Fn(Vector3<S>, Vector3<S>) -> Vector3<S>| f(w, e) + f(e, w);
        match self {
            Geometry::Ellipsoid { stretch, .. } => stretch * symmetrized(&|a, b| a.cross(b.cross(unit(2)))),
            Geometry::ReversedEllipsoid { radii, normal, .. } => {
                let relative = scaled(*radii, symmetrized(&|a, b| a.cross(b.cross(*normal))));
                let half_coriolis = symmetrized(&|a, b| a.cross(scaled(*radii, b.cross(*normal))));
                let transported = symmetrized(&|a, b| a.cross(b.cross(scaled(*radii, *normal))));
                half_coriolis + half_coriolis - (relative + transported)
            }
            Geometry::ReversedLine { .. } | Geometry::Orbit { .. } | Geometry::Declared(_) => zero(),
        }
    }
}
