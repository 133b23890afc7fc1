//! Angular momenta and kinetic energies of rotation that agree with the mass matrix of natural coordinates.

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, Op, Scalar};
use mbs_model::BodyKind;
use mbs_model::catalog::{Geometry, Scene};
use mbs_model::rotational::{RotationalMomentum, inertia_tensor};

use super::rows::Builder;

impl Builder<'_> {
    /// Records, for each expression that states a momentum or an energy of rotation in terms of R and ω, a substitute in terms of directions,
    /// (2) of [`rotational`](mbs_model::rotational) in place of (1). `evaluate` returns components at default parameters.
    pub fn substitute_momenta(&mut self, evaluate: &dyn Fn([ExprId; 3]) -> [f64; 3]) {
        for body in (0..self.model.bodies.len() as u32).map(BodyId) {
            if self.natural.basis(body).is_none() || self.model.bodies[body.index()].kind == BodyKind::Particle {
                continue;
            }
            let moments = self.second_moments(body, evaluate);
            let [rotation, directions] = self.write(|g| {
                let moments: Vec<_> =
                    moments.iter().map(|(moment, axes)| (g.expr(*moment), axes.map(|axis| g.vector(axis)))).collect();
                let forms = [RotationalMomentum::from_rotation(g, body), RotationalMomentum::from_directions(&moments)];
                forms.map(|momentum| momentum.ids(g))
            });
            let pairs = rotation.expressions().into_iter().zip(directions.expressions());
            self.natural.angular_momenta.insert(body, directions.momentum.0);
            // A literal is the momentum of a body without inertia. An angular velocity alone is not only the momentum of a body with I = 1.
            let exprs = &self.model.exprs;
            let is_product = |e: ExprId| matches!(exprs.op(e), Op::Unary(..) | Op::Binary(..));
            self.natural.substitutes.extend(pairs.filter(|(rotation, _)| is_product(*rotation)));
        }
    }

    /// Writes formulas into the model's expressions.
    fn write<R>(&mut self, formulas: impl FnOnce(&Geometry<'_>) -> R) -> R {
        let model = &mut *self.model;
        let (markers, bodies, space, functions) = (&model.markers, &model.bodies, model.space, &model.functions);
        Scene { markers, bodies, space, functions }.write(&mut model.exprs, formulas)
    }

    /// Second moments Jₖₗ \[kg m²\] about the centre of mass, each with the world components of its directions x̂ₖ and x̂ₗ.
    fn second_moments(
        &mut self,
        body: BodyId,
        evaluate: &dyn Fn([ExprId; 3]) -> [f64; 3],
    ) -> Vec<(ExprId, [[ExprId; 3]; 2])> {
        let declared = &self.model.bodies[body.index()];
        let (origin, [xx, yy, zz, xy, xz, yz]) = (declared.origin_marker, declared.inertia);
        let basis = self.natural.basis(body).cloned();
        let bar = basis.filter(|basis| basis.has_one_direction());
        match (self.model.space, bar) {
            (Space::Planar, bar) => {
                let ([x, y, _], half) =
                    self.write(|g| (g.axes(origin).map(|axis| g.ids(axis)), g.id(0.5 * g.expr(zz))));
                // With one direction both axes rotate and stretch together.
                match bar {
                    Some(_) => vec![(zz, [x, x])],
                    None => vec![(half, [x, x]), (half, [y, y])],
                }
            }
            (Space::Spatial, Some(basis)) => {
                let (direction, axis) = self.bar_direction(&basis, evaluate);
                let moment = self.write(|g| {
                    let [axis, trace] = [axis, [xx, yy, zz]].map(|v| g.vector(v));
                    let square = axis.square();
                    let axial_inertia = axis.dot(inertia_tensor(g, body) * axis) / square;
                    let trace = trace[0] + trace[1] + trace[2];
                    g.id(0.5 * (trace - axial_inertia) / square)
                });
                vec![(moment, [direction; 2])]
            }
            (Space::Spatial, None) => self.write(|g| {
                let axes = g.axes(origin).map(|axis| g.ids(axis));
                let [xx, yy, zz, xy, xz, yz] = [xx, yy, zz, xy, xz, yz].map(|x| g.expr(x));
                let squares = [yy + zz - xx, xx + zz - yy, xx + yy - zz].map(|twice| g.id(0.5 * twice));
                let squares = (0..3).map(|k| (squares[k], [axes[k]; 2]));
                let mixed = [(xy, [0, 1]), (xz, [0, 2]), (yz, [1, 2])];
                let mixed =
                    mixed.into_iter().filter(|(product, _)| !product.is_zero()).flat_map(|(product, [i, k])| {
                        let moment = g.id(-product);
                        [(moment, [axes[i], axes[k]]), (moment, [axes[k], axes[i]])]
                    });
                squares.chain(mixed).collect()
            }),
        }
    }
}
