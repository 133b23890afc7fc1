//! Contribution of rotation to the angular momentum and kinetic energy of a body, as expressions.
//!
//! ```text
//! (1)  L_G = R I Rᵀ ω                    2 T = ω·I ω                              of a rotation R
//! (2)  L_G = Σ Jₖₗ x̂ₖ × dx̂ₗ/dt          2 T = Σ Jₖₗ dx̂ₖ/dt · dx̂ₗ/dt            J = ½ tr I 1 − I
//! ```
//!
//! x̂ₖ are the axes of the body, J its second moments about the centre of mass. (2) is (1) where the axes are orthonormal. In natural
//! coordinates, where only rows keep them so, (2) agrees with M: ½ vᵀ M v and Σ bᵢ × (M v)ᵢ. In the plane J is ½ I for either axis; a bar has
//! one direction.

use mbs_definition::Space;
use mbs_expr::{BodyId, Expr, ExprId, Op, Scalar};
use mbs_math::{Mat3, Vec3, Vector};

use crate::BodyKind;
use crate::catalog::Geometry;
use crate::catalog::geometry::{rate, zero};

/// The angular momentum L_G about the centre of mass, world axes, and twice the kinetic energy of rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spin<S = ExprId> {
    /// L_G \[kg m²/s\]; x and y are zero in the plane.
    pub momentum: Vec3<S>,
    /// 2 T \[J\].
    pub twice_energy: S,
}

impl<'e> Spin<Expr<'e>> {
    /// (1); zero of a particle.
    pub fn of_rotation(g: &Geometry<'e>, body: BodyId) -> Self {
        Spin { momentum: momentum(g, body), twice_energy: twice_energy(g, body) }
    }

    /// (2) of axes, or of any orthogonal directions, with their J: no others are coupled.
    pub fn of_directions(moments: &[(Expr<'e>, [Vec3<Expr<'e>>; 2])]) -> Self {
        let none = Spin { momentum: zero(), twice_energy: 0.0.into() };
        moments.iter().fold(none, |spin, (moment, [first, second])| Spin {
            momentum: spin.momentum + *moment * first.cross(rate(*second)),
            twice_energy: spin.twice_energy + *moment * rate(*first).dot(rate(*second)),
        })
    }

    /// Where it has been written.
    pub fn ids(self, g: &Geometry<'e>) -> Spin {
        Spin { momentum: self.momentum.map(|x| g.id(x)), twice_energy: g.id(self.twice_energy) }
    }
}

impl Spin {
    /// All its expressions.
    pub fn expressions(&self) -> [ExprId; 4] {
        let [x, y, z] = self.momentum.0;
        [x, y, z, self.twice_energy]
    }
}

/// L_G of (1), world axes.
pub fn momentum<'e>(g: &Geometry<'e>, body: BodyId) -> Vec3<Expr<'e>> {
    let b = &g.scene.bodies[body.index()];
    if g.scene.space == Space::Planar {
        return Vector([0.0.into(), 0.0.into(), g.expr(b.inertia[2]) * planar_rate(g, body)]);
    }
    let [_, momentum] = in_body(g, body);
    g.to_world(b.origin_marker, momentum)
}

/// 2 T of (1).
pub fn twice_energy<'e>(g: &Geometry<'e>, body: BodyId) -> Expr<'e> {
    if g.scene.space == Space::Planar {
        let omega = planar_rate(g, body);
        return g.expr(g.scene.bodies[body.index()].inertia[2]) * (omega * omega);
    }
    let [omega, momentum] = in_body(g, body);
    omega.dot(momentum)
}

/// Angular velocity in the plane; zero for particles.
fn planar_rate<'e>(g: &Geometry<'e>, body: BodyId) -> Expr<'e> {
    let b = &g.scene.bodies[body.index()];
    if b.kind == BodyKind::Particle {
        return 0.0.into();
    }
    g.writer.op(Op::Angle(b.origin_marker)).rate()
}

/// ω and I ω of a body in space, in its axes.
pub fn in_body<'e>(g: &Geometry<'e>, body: BodyId) -> [Vec3<Expr<'e>>; 2] {
    let origin = g.scene.bodies[body.index()].origin_marker;
    let omega = g.from_world(origin, g.angular_velocity(origin));
    [omega, tensor(g, body) * omega]
}

/// I of a body in space, in its axes.
pub fn tensor<'e>(g: &Geometry<'e>, body: BodyId) -> Mat3<Expr<'e>> {
    Mat3::symmetric(g.vector(g.scene.bodies[body.index()].inertia).0)
}
