//! Momenta and kinetic energies of turning as the mass matrix of natural coordinates has them.

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, Op};
use mbs_model::BodyKind;
use mbs_model::catalog::Geometry;
use mbs_model::spin::{Spin, tensor_times};

use super::rows::Builder;

impl Builder<'_> {
    /// Finds the expressions that state momenta and energies of turning by rotations, and writes them by directions.
    pub fn write_spins(&mut self, number: &dyn Fn([ExprId; 3]) -> [f64; 3]) {
        for body in (0..self.model.bodies.len() as u32).map(BodyId) {
            if self.natural.basis(body).is_none() || self.model.bodies[body.index()].kind == BodyKind::Particle {
                continue;
            }
            let moments = self.moments(body, number);
            let g = &mut self.geometry();
            let [rotation, directions] = [Spin::of_rotation(g, body), Spin::of_directions(g, &moments)];
            let pairs = rotation.expressions().into_iter().zip(directions.expressions());
            self.natural.own_momenta.insert(body, directions.momentum);
            // Numbers are those of bodies without inertia. A bare angular velocity is not only the momentum of a body with I = 1.
            let exprs = &self.model.exprs;
            let is_product = |e: ExprId| matches!(exprs.op(e), Op::Unary(..) | Op::Binary(..));
            self.natural.spins.extend(pairs.filter(|(rotation, _)| is_product(*rotation)));
        }
    }

    fn geometry(&mut self) -> Geometry<'_> {
        let model = &mut *self.model;
        Geometry {
            exprs: &mut model.exprs,
            markers: &model.markers,
            bodies: &model.bodies,
            space: model.space,
            functions: &model.functions,
        }
    }

    /// Second moments about the centre of mass with the directions, of unit length, that they belong to.
    fn moments(&mut self, body: BodyId, number: &dyn Fn([ExprId; 3]) -> [f64; 3]) -> Vec<(ExprId, [[ExprId; 3]; 2])> {
        let declared = &self.model.bodies[body.index()];
        let (origin, [xx, yy, zz, xy, xz, yz]) = (declared.origin_marker, declared.inertia);
        let basis = self.natural.basis(body).cloned();
        let bar = basis.filter(|basis| basis.has_one_direction());
        match (self.model.space, bar) {
            (Space::Planar, bar) => {
                let [x, y, _] = self.geometry().axes(origin);
                let half = self.model.exprs.number(0.5);
                // With one direction the axes turn as one, and keep their lengths alike.
                match bar {
                    Some(_) => vec![(zz, [x, x])],
                    None => {
                        let each = self.model.exprs.mul(half, zz);
                        vec![(each, [x, x]), (each, [y, y])]
                    }
                }
            }
            (Space::Spatial, Some(basis)) => {
                let (direction, along) = self.only_direction(&basis, number);
                let g = &mut self.geometry();
                let carried = tensor_times(g, body, along);
                let exprs = &mut *g.exprs;
                let [square, about] = [exprs.dot(&along, &along), exprs.dot(&along, &carried)];
                let about = exprs.div(about, square);
                let sum = exprs.add(xx, yy);
                let trace = exprs.add(sum, zz);
                let rest = exprs.sub(trace, about);
                let half = exprs.number(0.5);
                let across = exprs.mul(half, rest);
                vec![(exprs.div(across, square), [direction; 2])]
            }
            (Space::Spatial, None) => {
                let axes = self.geometry().axes(origin);
                let exprs = &mut self.model.exprs;
                let half = exprs.number(0.5);
                let mut along = |own: ExprId, [a, b]: [ExprId; 2]| {
                    let others = exprs.add(a, b);
                    let rest = exprs.sub(others, own);
                    exprs.mul(half, rest)
                };
                let squares = [along(xx, [yy, zz]), along(yy, [xx, zz]), along(zz, [xx, yy])];
                let mixed = [(xy, [0, 1]), (xz, [0, 2]), (yz, [1, 2])];
                let squares = (0..3).map(|k| (squares[k], [axes[k]; 2]));
                let zero = exprs.number(0.0);
                let mixed = mixed.into_iter().filter(|(product, _)| *product != zero).flat_map(|(product, [i, k])| {
                    let moment = exprs.neg(product);
                    [(moment, [axes[i], axes[k]]), (moment, [axes[k], axes[i]])]
                });
                let mixed: Vec<_> = mixed.collect();
                squares.chain(mixed).collect()
            }
        }
    }
}
