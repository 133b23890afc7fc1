//! Momenta and kinetic energies of turning as the mass matrix of natural coordinates has them.

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, Op, Scalar};
use mbs_model::BodyKind;
use mbs_model::catalog::{Geometry, Scene};
use mbs_model::spin::{Spin, tensor};

use super::rows::Builder;

impl Builder<'_> {
    /// Finds the expressions that state momenta and energies of turning by rotations, and writes them by directions.
    pub fn write_spins(&mut self, number: &dyn Fn([ExprId; 3]) -> [f64; 3]) {
        for body in (0..self.model.bodies.len() as u32).map(BodyId) {
            if self.natural.basis(body).is_none() || self.model.bodies[body.index()].kind == BodyKind::Particle {
                continue;
            }
            let moments = self.moments(body, number);
            let [rotation, directions] = self.write(|g| {
                let moments: Vec<_> =
                    moments.iter().map(|(moment, axes)| (g.expr(*moment), axes.map(|axis| g.vector(axis)))).collect();
                [Spin::of_rotation(g, body), Spin::of_directions(&moments)].map(|spin| spin.ids(g))
            });
            let pairs = rotation.expressions().into_iter().zip(directions.expressions());
            self.natural.own_momenta.insert(body, directions.momentum.0);
            // Numbers are those of bodies without inertia. A bare angular velocity is not only the momentum of a body with I = 1.
            let exprs = &self.model.exprs;
            let is_product = |e: ExprId| matches!(exprs.op(e), Op::Unary(..) | Op::Binary(..));
            self.natural.spins.extend(pairs.filter(|(rotation, _)| is_product(*rotation)));
        }
    }

    fn write<R>(&mut self, formulas: impl FnOnce(&Geometry<'_>) -> R) -> R {
        let model = &mut *self.model;
        let (markers, bodies, space, functions) = (&model.markers, &model.bodies, model.space, &model.functions);
        Scene { markers, bodies, space, functions }.write(&mut model.exprs, formulas)
    }

    /// Second moments about the centre of mass with the directions, of unit length, that they belong to.
    fn moments(&mut self, body: BodyId, number: &dyn Fn([ExprId; 3]) -> [f64; 3]) -> Vec<(ExprId, [[ExprId; 3]; 2])> {
        let declared = &self.model.bodies[body.index()];
        let (origin, [xx, yy, zz, xy, xz, yz]) = (declared.origin_marker, declared.inertia);
        let basis = self.natural.basis(body).cloned();
        let bar = basis.filter(|basis| basis.has_one_direction());
        match (self.model.space, bar) {
            (Space::Planar, bar) => {
                let ([x, y, _], half) =
                    self.write(|g| (g.axes(origin).map(|axis| g.ids(axis)), g.id(0.5 * g.expr(zz))));
                // With one direction the axes turn as one, and keep their lengths alike.
                match bar {
                    Some(_) => vec![(zz, [x, x])],
                    None => vec![(half, [x, x]), (half, [y, y])],
                }
            }
            (Space::Spatial, Some(basis)) => {
                let (direction, along) = self.only_direction(&basis, number);
                let moment = self.write(|g| {
                    let [along, trace] = [along, [xx, yy, zz]].map(|v| g.vector(v));
                    let square = along.square();
                    let about = along.dot(tensor(g, body) * along) / square;
                    let trace = trace[0] + trace[1] + trace[2];
                    g.id(0.5 * (trace - about) / square)
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
