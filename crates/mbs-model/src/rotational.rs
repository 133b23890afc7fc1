//! Contribution of rotation to the angular momentum and kinetic energy of a body, as expressions.
//!
//! ```text
//! (1)  L_G = R I Rᵀ ω                    2 T = ω·I ω                              of a rotation R
//! (2)  L_G = Σ Jₖₗ x̂ₖ × dx̂ₗ/dt          2 T = Σ Jₖₗ dx̂ₖ/dt · dx̂ₗ/dt            J = ½ tr I 1 − I
//! ```
//!
//! x̂ₖ are the axes of the body, J its second moments about the centre of mass. For orthonormal axes (2) equals (1). In natural
//! coordinates only rows keep the axes orthonormal; (2) then agrees with M: the energy is ½ vᵀ M v and the momentum Σ bᵢ × (M v)ᵢ. In the
//! plane J is ½ I for either axis. A bar has one direction.

use mbs_definition::Space;
use mbs_expr::{BodyId, Expr, ExprId, Op, Scalar};
use mbs_math::{Mat3, Vec3, Vector};

use crate::BodyKind;
use crate::catalog::Geometry;
use crate::catalog::geometry::{rate, zero};

/// The angular momentum L_G about the centre of mass, world axes, and twice the kinetic energy of rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RotationalMomentum<S = ExprId> {
    /// L_G \[kg m²/s\]; x and y are zero in the plane.
    pub momentum: Vec3<S>,
    /// 2 T \[J\].
    pub twice_energy: S,
}

impl<'e> RotationalMomentum<Expr<'e>> {
    /// Momentum and energy (1) of a rotation; zero of a particle.
    pub fn from_rotation(g: &Geometry<'e>, body: BodyId) -> Self {
        RotationalMomentum { momentum: momentum(g, body), twice_energy: twice_energy(g, body) }
    }

    /// Momentum and energy (2) of pairs of directions x̂ₖ, x̂ₗ, each with its second moment Jₖₗ; pairs that are not listed have Jₖₗ = 0.
    pub fn from_directions(moments: &[(Expr<'e>, [Vec3<Expr<'e>>; 2])]) -> Self {
        let zero = RotationalMomentum { momentum: zero(), twice_energy: 0.0.into() };
        moments.iter().fold(zero, |sum, (moment, [first, second])| RotationalMomentum {
            momentum: sum.momentum + *moment * first.cross(rate(*second)),
            twice_energy: sum.twice_energy + *moment * rate(*first).dot(rate(*second)),
        })
    }

    /// The ids of its expressions.
    pub fn ids(self, g: &Geometry<'e>) -> RotationalMomentum {
        RotationalMomentum { momentum: self.momentum.map(|x| g.id(x)), twice_energy: g.id(self.twice_energy) }
    }
}

impl RotationalMomentum {
    /// All its expressions: the momentum's components, then twice the energy.
    pub fn expressions(&self) -> [ExprId; 4] {
        let [x, y, z] = self.momentum.0;
        [x, y, z, self.twice_energy]
    }
}

/// Angular momentum L_G of (1), world axes \[kg m²/s\].
pub fn momentum<'e>(g: &Geometry<'e>, body: BodyId) -> Vec3<Expr<'e>> {
    let b = &g.scene.bodies[body.index()];
    if g.scene.space == Space::Planar {
        return Vector([0.0.into(), 0.0.into(), g.expr(b.inertia[2]) * planar_rate(g, body)]);
    }
    let [_, momentum] = angular_velocity_and_momentum(g, body);
    g.to_world(b.origin_marker, momentum)
}

/// Twice the kinetic energy of rotation, 2 T of (1) \[J\].
pub fn twice_energy<'e>(g: &Geometry<'e>, body: BodyId) -> Expr<'e> {
    if g.scene.space == Space::Planar {
        let omega = planar_rate(g, body);
        return g.expr(g.scene.bodies[body.index()].inertia[2]) * (omega * omega);
    }
    let [omega, momentum] = angular_velocity_and_momentum(g, body);
    omega.dot(momentum)
}

/// Angular velocity of a body in the plane \[rad/s\]; zero for particles.
fn planar_rate<'e>(g: &Geometry<'e>, body: BodyId) -> Expr<'e> {
    let b = &g.scene.bodies[body.index()];
    if b.kind == BodyKind::Particle {
        return 0.0.into();
    }
    g.writer.op(Op::Angle(b.origin_marker)).rate()
}

/// Angular velocity ω \[rad/s\] and angular momentum I ω \[kg m²/s\] of a body in space, body axes.
pub fn angular_velocity_and_momentum<'e>(g: &Geometry<'e>, body: BodyId) -> [Vec3<Expr<'e>>; 2] {
    let origin = g.scene.bodies[body.index()].origin_marker;
    let omega = g.from_world(origin, g.angular_velocity(origin));
    [omega, inertia_tensor(g, body) * omega]
}

/// Inertia tensor of a body in space about its centre of mass, body axes \[kg m²\].
pub fn inertia_tensor<'e>(g: &Geometry<'e>, body: BodyId) -> Mat3<Expr<'e>> {
    Mat3::symmetric(g.vector(g.scene.bodies[body.index()].inertia).0)
}
