//! Poses of planar bodies from basic points and vectors.

use mbs_expr::{BodyId, ExprId, Function2, Scalar};
use mbs_math::Each;
use mbs_model::{BodyKind, Model, plane};

use super::{BodyState, Kinematics, Motion};
use crate::frame::rotate;
use crate::natural::basis::{BasicFrame, PlacedBasis, basis_terms};
use crate::{Frame, SolverCoordinate, Tree};

impl<S: Scalar> Kinematics<S> {
    /// Pose of a body in natural coordinates from the solver coordinates of its basics.
    pub(super) fn natural_pose(
        &mut self,
        model: &Model,
        tree: &Tree,
        body: BodyId,
        coordinates: &[S],
        value: &dyn Fn(ExprId) -> S,
    ) -> BodyState<S> {
        let declared = &model.bodies[body.index()];
        let basis = model.coordinates.natural.basis(body).expect("a body in natural coordinates has a basis");
        let mut basic_frame = |(i, x): &(usize, [ExprId; 3])| {
            let (frame, coordinates) = self.frame_of_basic(model, tree, *i, coordinates, value);
            BasicFrame { frame, coordinates, components: plane(*x).each(value) }
        };
        let points: Vec<_> = basis.points.iter().map(&mut basic_frame).collect();
        let vectors: Vec<_> = basis.vectors.iter().map(&mut basic_frame).collect();
        let [zero, one] = [0.0, 1.0].each(S::number);
        let terms = basis_terms(&points, &vectors);
        let basis = PlacedBasis { terms, points: points.iter().map(|point| (point.components, point.frame)).collect() };
        let mut support: Vec<usize> = basis.terms.iter().filter_map(|term| term.coordinates).flatten().collect();
        support.sort_unstable();
        let frame = match declared.kind {
            BodyKind::Particle => 0,
            BodyKind::Rigid => {
                let [cos, sin] = self.world_sum(&basis.direction([one, zero]));
                let continuous = tree.solver_index(SolverCoordinate::ContinuousAngle(body)).map(|i| coordinates[i]);
                let angle = continuous.unwrap_or_else(|| nearest_angle(declared.angle.map_or(zero, value), [cos, sin]));
                self.frames.push(Frame { angle, cos, sin, coordinate: None });
                self.frames.len() - 1
            }
        };
        let (origin, com) = (basis.point([zero; 2]), basis.point(plane(declared.com).each(value)));
        let basis = Some(Box::new(basis));
        let path = vec![(0, Some(body))];
        BodyState { frame, offset: zero, offset_rotation: None, origin, com, support, basis, path }
    }

    /// The frame of basic point or vector i, which is added if it does not exist, and the indices of its solver coordinates; `None` if it is fixed on
    /// ground.
    fn frame_of_basic(
        &mut self,
        model: &Model,
        tree: &Tree,
        i: usize,
        coordinates: &[S],
        value: &dyn Fn(ExprId) -> S,
    ) -> (usize, Option<[usize; 2]>) {
        let basic = &model.coordinates.natural.basics[i];
        let indices = basic.body.map(|_| {
            [0, 1].each(|c| {
                let index = tree.solver_index(SolverCoordinate::Basic(i as u32, c));
                index.expect("basics that are not fixed are coordinates")
            })
        });
        if let Some((_, frame)) = self.basics.iter().find(|(known, _)| *known == i) {
            return (*frame, indices);
        }
        let frame = self.frames.len();
        let [cos, sin] =
            indices.map_or_else(|| plane(basic.components).each(value), |all| all.each(|k| coordinates[k]));
        self.frames.push(Frame { angle: S::number(0.0), cos, sin, coordinate: None });
        if let Some([x, y]) = indices {
            self.motions[x] = Motion::Basic { frame, component: 0 };
            self.motions[y] = Motion::Basic { frame, component: 1 };
        }
        self.basics.push((i, frame));
        (frame, indices)
    }
}

/// The angle of the direction (cos, sin), by revolutions the nearest to `angle`.
fn nearest_angle<S: Scalar>(angle: S, [cos, sin]: [S; 2]) -> S {
    let [c, s] = rotate(-angle, [cos, sin]);
    angle + s.binary(Function2::Atan2, c)
}
