//! Placing bodies of the plane by basic points and vectors.

use mbs_expr::{BodyId, ExprId, Function2, Scalar};
use mbs_model::{BodyKind, Model, plane};

use super::{BodyState, Kinematics, Motion};
use crate::frame::rotate;
use crate::natural::basis::{Framed, PlacedBasis, terms};
use crate::{Frame, SolverCoordinate, Tree};

impl<S: Scalar> Kinematics<S> {
    /// Places a body by its basics.
    pub(super) fn place_naturally(
        &mut self,
        model: &Model,
        tree: &Tree,
        body: BodyId,
        coordinates: &[S],
        value: &dyn Fn(ExprId) -> S,
    ) -> BodyState<S> {
        let declared = &model.bodies[body.index()];
        let basis = model.natural.basis(body).expect("a body in natural coordinates has a basis");
        let mut framed = |(i, at): &(usize, [ExprId; 3])| {
            let (frame, coordinates) = self.basic(model, tree, *i, coordinates, value);
            Framed { frame, coordinates, at: plane(*at).map(value) }
        };
        let points: Vec<_> = basis.points.iter().map(&mut framed).collect();
        let vectors: Vec<_> = basis.vectors.iter().map(&mut framed).collect();
        let [zero, one] = [0.0, 1.0].map(S::number);
        let terms = terms(&points, &vectors);
        let basis = PlacedBasis { terms, points: points.iter().map(|point| (point.at, point.frame)).collect() };
        let mut support: Vec<usize> = basis.terms.iter().filter_map(|term| term.coordinates).flatten().collect();
        support.sort_unstable();
        let frame = match declared.kind {
            BodyKind::Particle => 0,
            BodyKind::Rigid => {
                let [cos, sin] = self.world_sum(&basis.direction([one, zero]));
                let counted = tree.index_of(SolverCoordinate::Unwound(body)).map(|i| coordinates[i]);
                let angle = counted.unwrap_or_else(|| near(declared.angle.map_or(zero, value), [cos, sin]));
                self.frames.push(Frame { angle, cos, sin, coordinate: None });
                self.frames.len() - 1
            }
        };
        let (origin, com) = (basis.point([zero; 2]), basis.point(plane(declared.com).map(value)));
        let basis = Some(Box::new(basis));
        BodyState { frame, offset: zero, turn: None, origin, com, support, basis, leaves: vec![(0, Some(body))] }
    }

    /// The frame of a basic point or vector, and its coordinates.
    fn basic(
        &mut self,
        model: &Model,
        tree: &Tree,
        i: usize,
        coordinates: &[S],
        value: &dyn Fn(ExprId) -> S,
    ) -> (usize, Option<[usize; 2]>) {
        let basic = &model.natural.basics[i];
        let own = basic.body.map(|_| {
            [0, 1].map(|c| {
                let at = tree.index_of(SolverCoordinate::Basic(i as u32, c));
                at.expect("basics that are not fixed are coordinates")
            })
        });
        if let Some((_, frame)) = self.basics.iter().find(|(of, _)| *of == i) {
            return (*frame, own);
        }
        let frame = self.frames.len();
        let [cos, sin] = own.map_or_else(|| plane(basic.at).map(value), |own| own.map(|k| coordinates[k]));
        self.frames.push(Frame { angle: S::number(0.0), cos, sin, coordinate: None });
        for (component, k) in own.into_iter().flat_map(|own| (0..).zip(own)) {
            self.motions[k] = Motion::Basic { frame, component };
        }
        self.basics.push((i, frame));
        (frame, own)
    }
}

/// The angle of (cos, sin) that is nearest to another.
fn near<S: Scalar>(angle: S, [cos, sin]: [S; 2]) -> S {
    let [c, s] = rotate(-angle, [cos, sin]);
    angle + s.binary(Function2::Atan2, c)
}
