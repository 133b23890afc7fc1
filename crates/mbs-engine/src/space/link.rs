//! One elementary motion of a tree: its pose, its columns, and the rates of its coordinates.
//!
//! A link's frame is displaced by d and rotated by R in a base fixed to its parent, both in the base's axes. Interface speeds v
//! move it: with c_k, w_k the columns of ḋ and of the relative angular velocity w,
//!
//! ```text
//! (1)  ḋ = Σ c_k v_k        w = Σ w_k v_k        d̈ = Σ c_k v̇_k + b        ẇ = Σ w_k v̇_k   (seen from the base)
//! ```
//!
//! | motion | d | R | c_k, then w_k | b |
//! |---|---|---|---|---|
//! | turn, slide, screw of advance h | 0, n q, h n q | turn by q about n, 1 | 0, n, h n; then n, 0, n | 0 |
//! | ball | 0 | R(q) | 0; then R(q) | 0 |
//! | its reverse | 0 | R(q)ᵀ | 0; then −1 | 0 |
//! | line | 0 | R(q) | 0; then R(q), k < 2 | 0 |
//! | its reverse | 0 | R(q)ᵀ | 0; then −1, k < 2 | 0 |
//! | ellipsoid and its reverse, see `guided` | ± F n | as of the ball | ± F (w_k × n) …; then as of the ball | quadratic in w |
//! | orbit, see `guided` | d(α, ε) | 1 | ∂d/∂q_k; then 0 | quadratic in v |
//! | float, displacement's rate | p | R(q) | 1, 0; then 0, R(q) | 0 |
//! | float, velocity in own axes | p | R(q) | R(q), 0; then 0, R(q) | w × ḋ |
//! | reverse of the former | −R(q)ᵀ p | R(q)ᵀ | −R(q)ᵀ, d̃; then 0, −1 | w × (ḋ + Σ c_k v_k), k < 3 |
//! | reverse of the latter | −R(q)ᵀ p | R(q)ᵀ | −1, d̃; then 0, −1 | w × ḋ |
//!
//! R(q) maps components in the second end to components in the first: where the tree reaches the first end through the second, the
//! parent rotates.

use mbs_core::rotation::{Attitude, Axis, Sequence, matrix_of, normalized};
use mbs_math::{Mat3, Vec3, Vector};
use mbs_model::VelocityAxes;

use super::guided::{Ellipsoid, Orbit};
use super::vector::{Column, IDENTITY, ZERO, first, tilde, unit};

/// Motion of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// About [`Shape::axis`].
    Turn,
    /// Along [`Shape::axis`].
    Slide,
    /// About [`Shape::axis`], advancing along it by [`Shape::advance`] per radian.
    Screw,
    /// About a point.
    Ball { attitude: Attitude, reversed: bool },
    /// About a point, never about z of the second end.
    Line { attitude: Attitude, reversed: bool },
    /// About a point that moves on an ellipsoid of [`Shape::radii`].
    Ellipsoid { attitude: Attitude, reversed: bool },
    /// On a sphere of [`Shape::advance`] as radius.
    Orbit,
    /// As the text of the joint's kind defines, see `posed`; a joint that closes a loop has its coordinates and moves nothing.
    Posed { pose: usize, coordinates: usize, speeds: usize, reversed: bool, moves: bool },
    /// Along all axes.
    Shift,
    /// Everything.
    Float { attitude: Attitude, velocity: VelocityAxes, reversed: bool },
}

/// The numbers of a link that depend on parameters alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Unit vector in the direction of the coordinate, base's axes.
    pub axis: Vec3<f64>,
    /// Advance of a screw per radian, or radius of an orbit, negative where the joint's first end is the child \[m\].
    pub advance: f64,
    /// Radii of an ellipsoid \[m\].
    pub radii: Vec3<f64>,
}

/// d and R in the base.
pub(crate) struct Relative {
    pub displacement: Vec3<f64>,
    pub rotation: Mat3<f64>,
}

/// Most speeds of a link.
pub(crate) const SIX: usize = 6;

impl Kind {
    /// How many coordinates and speeds.
    pub fn sizes(&self) -> (usize, usize) {
        match *self {
            Kind::Turn | Kind::Slide | Kind::Screw => (1, 1),
            Kind::Ball { attitude, .. } | Kind::Ellipsoid { attitude, .. } => (attitude.n_q(), 3),
            Kind::Line { attitude, .. } => (attitude.n_q(), 2),
            Kind::Orbit => (2, 2),
            Kind::Posed { coordinates, speeds, .. } => (coordinates, speeds),
            Kind::Shift => (3, 3),
            Kind::Float { attitude, .. } => (3 + attitude.n_q(), SIX),
        }
    }

    /// Pose at coordinates q.
    pub fn place(&self, shape: &Shape, q: &[f64]) -> Relative {
        let (mut displacement, mut rotation) = (ZERO, IDENTITY);
        match *self {
            Kind::Turn => rotation = about(shape.axis, q[0]),
            Kind::Slide => displacement = shape.axis * q[0],
            Kind::Screw => {
                rotation = about(shape.axis, q[0]);
                displacement = shape.axis * (shape.advance * q[0]);
            }
            Kind::Ball { attitude, reversed } | Kind::Line { attitude, reversed } => {
                rotation = towards(rotation_of(attitude, q), reversed);
            }
            Kind::Ellipsoid { attitude, reversed } => {
                rotation = towards(rotation_of(attitude, q), reversed);
                displacement = Ellipsoid::new(shape.radii, rotation, reversed).displacement();
            }
            Kind::Orbit => displacement = Orbit::new(shape.advance, q).displacement(),
            Kind::Posed { .. } => unreachable!("a pose is placed where it is known"),
            Kind::Shift => displacement = first(q),
            Kind::Float { attitude, reversed, .. } => {
                let p = first(q);
                rotation = towards(rotation_of(attitude, &q[3..]), reversed);
                displacement = if reversed { -(rotation * p) } else { p };
            }
        }
        Relative { displacement, rotation }
    }

    /// Columns c_k, w_k in the base's axes.
    pub fn columns(&self, shape: &Shape, q: &[f64], at: &Relative, columns: &mut [Column]) {
        let own = |k: usize| at.rotation.column(k);
        let moving = |velocity: Vec3<f64>| Column { velocity, rate: ZERO };
        let turning = |rate: Vec3<f64>| Column { velocity: ZERO, rate };
        for (k, to) in columns.iter_mut().enumerate() {
            *to = match *self {
                Kind::Turn => turning(shape.axis),
                Kind::Slide => moving(shape.axis),
                Kind::Screw => Column { velocity: shape.axis * shape.advance, rate: shape.axis },
                Kind::Ball { reversed: false, .. } | Kind::Line { reversed: false, .. } => turning(own(k)),
                Kind::Ball { reversed: true, .. } | Kind::Line { reversed: true, .. } => turning(-unit(k)),
                Kind::Ellipsoid { reversed, .. } => {
                    let rate = if reversed { -unit(k) } else { own(k) };
                    Column { velocity: Ellipsoid::new(shape.radii, at.rotation, reversed).velocity(rate), rate }
                }
                Kind::Posed { .. } => Column::ZERO,
                Kind::Orbit => moving(Orbit::new(shape.advance, q).column(k)),
                Kind::Shift => moving(unit(k)),
                Kind::Float { velocity, reversed, .. } => match (reversed, velocity, k) {
                    (false, VelocityAxes::World, 0..3) => moving(unit(k)),
                    (false, VelocityAxes::Body, 0..3) => moving(own(k)),
                    (false, _, _) => turning(own(k - 3)),
                    (true, VelocityAxes::World, 0..3) => moving(-own(k)),
                    (true, VelocityAxes::Body, 0..3) => moving(-unit(k)),
                    (true, _, _) => {
                        let rate = -unit(k - 3);
                        Column { velocity: rate.cross(at.displacement), rate }
                    }
                },
            };
        }
    }

    /// b of guided motions, in the base's axes.
    pub fn guided_bias(&self, shape: &Shape, q: &[f64], at: &Relative, v: &[f64]) -> Vec3<f64> {
        match *self {
            Kind::Ellipsoid { reversed, .. } => {
                let w = if reversed { -first(v) } else { at.rotation * first(v) };
                Ellipsoid::new(shape.radii, at.rotation, reversed).bias(w)
            }
            Kind::Orbit => Orbit::new(shape.advance, q).bias(v),
            _ => ZERO,
        }
    }

    /// b of the others, from the columns in any axes, ḋ and w in the same.
    pub fn bias(&self, columns: &[Column], v: &[f64], moving: Column) -> Vec3<f64> {
        let Kind::Float { velocity, reversed, .. } = *self else { return ZERO };
        match (reversed, velocity) {
            (false, VelocityAxes::World) => ZERO,
            (_, VelocityAxes::Body) => moving.rate.cross(moving.velocity),
            (true, VelocityAxes::World) => {
                let mut displaced = Column::ZERO;
                columns.iter().zip(v).take(3).for_each(|(c, v)| displaced += *c * *v);
                moving.rate.cross(moving.velocity + displaced.velocity)
            }
        }
    }

    /// q̇ = N v.
    pub fn rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]) {
        match *self {
            Kind::Ball { attitude, .. } | Kind::Ellipsoid { attitude, .. } => {
                attitude.rates(q, [v[0], v[1], v[2]], rates);
            }
            Kind::Line { attitude, .. } => attitude.rates(q, [v[0], v[1], 0.0], rates),
            Kind::Float { attitude, velocity, .. } => {
                rates[..3].copy_from_slice(&displacing(attitude, velocity, &q[3..], first(v)).0);
                attitude.rates(&q[3..], [v[3], v[4], v[5]], &mut rates[3..]);
            }
            _ => rates.copy_from_slice(v),
        }
    }

    /// q̈ = N v̇ + Ṅ v.
    pub fn second_rates(&self, q: &[f64], v: &[f64], a: &[f64], rates: &mut [f64]) {
        match *self {
            Kind::Ball { attitude, .. } | Kind::Ellipsoid { attitude, .. } => {
                attitude.second_rates(q, [v[0], v[1], v[2]], [a[0], a[1], a[2]], rates);
            }
            Kind::Line { attitude, .. } => attitude.second_rates(q, [v[0], v[1], 0.0], [a[0], a[1], 0.0], rates),
            Kind::Float { attitude, velocity, .. } => {
                let (mut linear, turn) = (first(a), first(&v[3..]));
                if velocity == VelocityAxes::Body {
                    // d(R v)/dt = R (v̇ + ω × v)
                    linear += turn.cross(first(v));
                }
                rates[..3].copy_from_slice(&displacing(attitude, velocity, &q[3..], linear).0);
                attitude.second_rates(&q[3..], turn.0, [a[3], a[4], a[5]], &mut rates[3..]);
            }
            _ => rates.copy_from_slice(a),
        }
    }

    /// Nᵀ x, added to `sums`.
    pub fn spread(&self, q: &[f64], x: &[f64], sums: &mut [f64]) {
        let mut add = |at: usize, y: Vec3<f64>| sums[at..].iter_mut().zip(y.0).for_each(|(sum, y)| *sum += y);
        let turning = |attitude: Attitude, q: &[f64], x: &[f64]| -> Vec3<f64> {
            let n = attitude.rate_matrix(q);
            Vector([0, 1, 2].map(|k| n.iter().zip(x).map(|(row, x)| row[k] * x).sum()))
        };
        match *self {
            // As many sums as speeds: of a line the third component falls away.
            Kind::Ball { attitude, .. } | Kind::Ellipsoid { attitude, .. } | Kind::Line { attitude, .. } => {
                add(0, turning(attitude, q, x));
            }
            Kind::Float { attitude, velocity, .. } => {
                let linear = match velocity {
                    VelocityAxes::World => first(x),
                    VelocityAxes::Body => rotation_of(attitude, &q[3..]).transpose_times(first(x)),
                };
                add(0, linear);
                add(3, turning(attitude, &q[3..], &x[3..]));
            }
            _ => sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += x),
        }
    }
}

/// Rate of a displacement from the linear speeds.
fn displacing(attitude: Attitude, velocity: VelocityAxes, q: &[f64], v: Vec3<f64>) -> Vec3<f64> {
    match velocity {
        VelocityAxes::World => v,
        VelocityAxes::Body => rotation_of(attitude, q) * v,
    }
}

/// R(q) of an attitude; a quaternion of any length is the rotation of its direction.
fn rotation_of(attitude: Attitude, q: &[f64]) -> Mat3<f64> {
    let rows = match attitude {
        Attitude::Quaternion => matrix_of(normalized([q[0], q[1], q[2], q[3]])),
        _ => attitude.matrix_of(q),
    };
    Mat3(rows.map(Vector))
}

/// R in the direction of the tree.
fn towards(rotation: Mat3<f64>, reversed: bool) -> Mat3<f64> {
    if reversed { rotation.transpose() } else { rotation }
}

/// Rotation about a unit vector: 1 + sin φ ñ + (1 − cos φ) ñ².
fn about(n: Vec3<f64>, angle: f64) -> Mat3<f64> {
    let (sin, cos) = mbs_core::math::sin_cos(angle);
    let skew = tilde(n);
    IDENTITY + skew * sin + skew * skew * (1.0 - cos)
}

/// The attitude of mbs-core.
pub(crate) fn described(attitude: mbs_model::Attitude) -> Attitude {
    match attitude {
        mbs_model::Attitude::Quaternion => Attitude::Quaternion,
        mbs_model::Attitude::ModifiedRodrigues => Attitude::ModifiedRodrigues,
        mbs_model::Attitude::Rodrigues => Attitude::Rodrigues,
        mbs_model::Attitude::RotationVector => Attitude::RotationVector,
        mbs_model::Attitude::Euler(axes) => {
            let axes = axes.map(|k| [Axis::X, Axis::Y, Axis::Z][usize::from(k)]);
            Attitude::Euler(Sequence::new(axes).expect("neighbours of a resolved sequence differ"))
        }
    }
}
