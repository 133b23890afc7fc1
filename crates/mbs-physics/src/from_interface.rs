//! Poses at interface coordinates. In the plane the solver coordinates follow from these, parents first.

use mbs_definition::Space;
use mbs_expr::{BodyId, JointId, MarkerId, Scalar};
use mbs_model::{BodyKind, Model, Step, plane};

use crate::frame::rotate;
use crate::{InterfaceCoordinate, Mechanics, Placement, SolverCoordinate, Tree, Variables};

impl<'m, S: Scalar> Mechanics<'m, S> {
    /// Evaluates poses at interface coordinates q (n_q).
    pub fn at_interface_coordinates(model: &'m Model, tree: &'m Tree, variables: Variables<S>, q: &[S]) -> Self {
        if model.space == Space::Spatial {
            return Self::at_solver_coordinates(model, tree, variables, q.to_vec());
        }
        let mechanics = Self::without_poses(model, tree, variables, vec![S::number(0.0); tree.n()]);
        let mut conversion = Conversion { mechanics, q };
        conversion.copy_equal_coordinates();
        for &body in &tree.order {
            conversion.set_body(body);
            conversion.mechanics.add_pose(body);
        }
        conversion.mechanics.clear_cache();
        conversion.mechanics
    }
}

/// A conversion of interface coordinates to solver coordinates, body by body.
struct Conversion<'q, 'm, S> {
    /// The model with the solver coordinates and the poses of the bodies so far.
    mechanics: Mechanics<'m, S>,
    /// Interface coordinates.
    q: &'q [S],
}

impl<S: Scalar> Conversion<'_, '_, S> {
    /// Value of an interface coordinate; zero if the formulation does not have it.
    fn interface(&self, wanted: InterfaceCoordinate) -> S {
        self.mechanics.tree.interface_index(wanted).map_or(S::number(0.0), |i| self.q[i])
    }

    /// Sets a solver coordinate, if the formulation has it.
    fn set(&mut self, coordinate: SolverCoordinate, value: S) {
        if let Some(i) = self.mechanics.tree.solver_index(coordinate) {
            self.mechanics.coordinates[i] = value;
        }
    }

    /// Sets the solver coordinates that equal interface coordinates.
    fn copy_equal_coordinates(&mut self) {
        for coordinate in &self.mechanics.tree.solver {
            let equal = match *coordinate {
                SolverCoordinate::Algebraic(a) => InterfaceCoordinate::Algebraic(a),
                SolverCoordinate::Posed(j, k) => InterfaceCoordinate::Joint(j, k),
                SolverCoordinate::Basic(b, k) => InterfaceCoordinate::Basic(b, k),
                SolverCoordinate::ContinuousAngle(b) => InterfaceCoordinate::ContinuousAngle(b),
                _ => continue,
            };
            self.set(*coordinate, self.interface(equal));
        }
    }

    /// Sets the solver coordinates of a body whose parent has a pose.
    fn set_body(&mut self, body: BodyId) {
        match self.mechanics.tree.placements[body.index()] {
            Placement::Natural => {}
            Placement::Free { joint: None, .. } => {
                let angle = self.interface(InterfaceCoordinate::Body(body, 2));
                let origin = [0, 1].map(|k| self.interface(InterfaceCoordinate::Body(body, k)));
                self.set_pose(body, origin, [S::number(0.0); 2], angle);
            }
            Placement::Free { joint: Some(joint), reversed } => self.set_pose_in_free_joint(body, joint, reversed),
            Placement::Joint { joint, reversed, .. } => self.set_joint_coordinates(body, joint, reversed),
        }
    }

    /// Sets the solver coordinates of a body that a free joint places: (p_second − p_first) in the first marker's axes is q₀, q₁; second's angle
    /// minus first's is q₂. The axes of a particle stay the world's, whatever the other end does.
    fn set_pose_in_free_joint(&mut self, body: BodyId, joint: JointId, reversed: bool) {
        let mechanics = &self.mechanics;
        let q = [0, 1, 2].map(|k| self.interface(InterfaceCoordinate::Joint(joint, k)));
        let [inboard, outboard] = self.ends(joint, reversed);
        let p = plane(mechanics.marker_point(inboard).0);
        let inboard_angle = mechanics.marker_angle(inboard);
        let outboard = &mechanics.model.markers[outboard.index()];
        let outboard_angle = match (mechanics.model.bodies[body.index()].kind, reversed) {
            (BodyKind::Particle, _) => mechanics.value(outboard.angle),
            (BodyKind::Rigid, true) => inboard_angle - q[2],
            (BodyKind::Rigid, false) => inboard_angle + q[2],
        };
        let point = if reversed {
            let r = rotate(outboard_angle, [q[0], q[1]]);
            [p[0] - r[0], p[1] - r[1]]
        } else {
            let r = rotate(inboard_angle, [q[0], q[1]]);
            [p[0] + r[0], p[1] + r[1]]
        };
        let angle = outboard_angle - mechanics.value(outboard.angle);
        let in_body = plane(outboard.point).map(|e| mechanics.value(e));
        self.set_pose(body, point, in_body, angle);
    }

    /// Sets the solver coordinates of a body that a joint of the tree places.
    fn set_joint_coordinates(&mut self, body: BodyId, joint: JointId, reversed: bool) {
        let model = self.mechanics.model;
        for (k, step) in (0..).zip(model.joint(joint).steps()) {
            let q = self.interface(InterfaceCoordinate::Joint(joint, k));
            match step {
                Step::Revolute { .. } => {
                    let [inboard, outboard] = self.ends(joint, reversed);
                    let inboard_angle = self.mechanics.marker_angle(inboard);
                    let outboard_angle = if reversed { inboard_angle - q } else { inboard_angle + q };
                    let angle = outboard_angle - self.mechanics.value(model.markers[outboard.index()].angle);
                    self.set(SolverCoordinate::Angle(body), angle);
                }
                Step::Prismatic { .. } => self.set(SolverCoordinate::Displacement(joint, k), q),
                _ => {}
            }
        }
    }

    /// Inboard and outboard end of a joint.
    fn ends(&self, joint: JointId, reversed: bool) -> [MarkerId; 2] {
        let [first, second] = self.mechanics.model.joint(joint).ends;
        if reversed { [second, first] } else { [first, second] }
    }

    /// Sets the solver coordinates of a free body: those of its centre of mass, world axes, and its angle \[rad\]. `point` is the world location
    /// \[m\] of the point `in_body`, body axes.
    fn set_pose(&mut self, body: BodyId, point: [S; 2], in_body: [S; 2], angle: S) {
        let com = plane(self.mechanics.model.bodies[body.index()].com).map(|e| self.mechanics.value(e));
        let arm = rotate(angle, [com[0] - in_body[0], com[1] - in_body[1]]);
        self.set(SolverCoordinate::World(body, 0), point[0] + arm[0]);
        self.set(SolverCoordinate::World(body, 1), point[1] + arm[1]);
        self.set(SolverCoordinate::Angle(body), angle);
    }
}
