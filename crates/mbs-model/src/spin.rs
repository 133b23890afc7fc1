//! What turning adds to momentum and kinetic energy of a body, as expressions.
//!
//! ```text
//! (1)  L_G = R I Rᵀ ω                    2 T = ω·I ω                              of a rotation R
//! (2)  L_G = Σ Jₖₗ x̂ₖ × dx̂ₗ/dt          2 T = Σ Jₖₗ dx̂ₖ/dt · dx̂ₗ/dt            J = ½ tr I 1 − I
//! ```
//!
//! x̂ₖ are the axes of the body, J its second moments about the centre of mass. (2) is (1) where the axes are orthonormal. In natural coordinates, where
//! only rows keep them so, (2) is what M says: ½ vᵀ M v and Σ bᵢ × (M v)ᵢ. In the plane J is ½ I for either axis; a bar has one direction.

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, Op};

use crate::BodyKind;
use crate::catalog::Geometry;

/// The angular momentum L_G about the centre of mass, world axes, and twice the kinetic energy of turning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spin {
    /// L_G \[kg m²/s\]; x and y are zero in the plane.
    pub momentum: [ExprId; 3],
    /// 2 T \[J\].
    pub twice_energy: ExprId,
}

impl Spin {
    /// (1); zero of a particle.
    pub fn of_rotation(g: &mut Geometry<'_>, body: BodyId) -> Spin {
        Spin { momentum: momentum(g, body), twice_energy: twice_energy(g, body) }
    }

    /// (2) of axes, or of any orthogonal directions, with their J: no others are coupled.
    pub fn of_directions(g: &mut Geometry<'_>, moments: &[(ExprId, [[ExprId; 3]; 2])]) -> Spin {
        let zero = g.exprs.number(0.0);
        let mut spin = Spin { momentum: [zero; 3], twice_energy: zero };
        for (moment, [first, second]) in moments {
            let [first_rate, second_rate] = [first, second].map(|axis| axis.map(|x| g.exprs.rate(x)));
            let turned = g.cross(*first, second_rate);
            let turned = g.scaled(*moment, turned);
            let product = g.exprs.dot(&first_rate, &second_rate);
            let product = g.exprs.mul(*moment, product);
            spin.momentum = g.plus(spin.momentum, turned);
            spin.twice_energy = g.exprs.add(spin.twice_energy, product);
        }
        spin
    }

    /// All its expressions.
    pub fn expressions(&self) -> [ExprId; 4] {
        let [x, y, z] = self.momentum;
        [x, y, z, self.twice_energy]
    }
}

/// L_G of (1), world axes.
pub fn momentum(g: &mut Geometry<'_>, body: BodyId) -> [ExprId; 3] {
    if g.space == Space::Planar {
        let (inertia, omega) = (g.bodies[body.index()].inertia[2], planar_rate(g, body));
        let zero = g.exprs.number(0.0);
        return [zero, zero, g.exprs.mul(inertia, omega)];
    }
    let [_, momentum] = in_body(g, body);
    let origin = g.bodies[body.index()].origin_marker;
    g.to_world(origin, momentum)
}

/// 2 T of (1).
pub fn twice_energy(g: &mut Geometry<'_>, body: BodyId) -> ExprId {
    if g.space == Space::Planar {
        let (inertia, omega) = (g.bodies[body.index()].inertia[2], planar_rate(g, body));
        let square = g.exprs.mul(omega, omega);
        return g.exprs.mul(inertia, square);
    }
    let [omega, momentum] = in_body(g, body);
    g.exprs.dot(&omega, &momentum)
}

/// Angular velocity in the plane; zero for particles.
fn planar_rate(g: &mut Geometry<'_>, body: BodyId) -> ExprId {
    let b = &g.bodies[body.index()];
    if b.kind == BodyKind::Particle {
        return g.exprs.number(0.0);
    }
    let angle = g.exprs.push(Op::Angle(b.origin_marker));
    g.exprs.rate(angle)
}

/// ω and I ω of a body in space, in its axes.
pub fn in_body(g: &mut Geometry<'_>, body: BodyId) -> [[ExprId; 3]; 2] {
    let origin = g.bodies[body.index()].origin_marker;
    let omega = g.angular_velocity(origin);
    let omega = g.from_world(origin, omega);
    [omega, tensor_times(g, body, omega)]
}

/// I v of a vector in the axes of a body in space.
pub fn tensor_times(g: &mut Geometry<'_>, body: BodyId, v: [ExprId; 3]) -> [ExprId; 3] {
    let [xx, yy, zz, xy, xz, yz] = g.bodies[body.index()].inertia;
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]].map(|row| g.exprs.dot(&row, &v))
}
