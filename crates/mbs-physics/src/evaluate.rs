//! Expressions of a model at a state.

use std::cell::RefCell;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar, Series, operands, operation};
use mbs_math::{Vec3, Vector};
use mbs_model::{BodyKind, JointPose, Marker, Model, Step, plane};

use crate::frame::rotate;
use crate::kinematics::Placing;
use crate::posed::Posing;
use crate::space::{Given, Moments, Turned, zero};
use crate::{
    Freedom, InertialDerivatives, InterfaceCoordinate, Kinematics, Motion, Placement, SolverCoordinate, SpaceState,
    Tree,
};

/// Variables of a state other than the solver coordinates.
#[derive(Clone, Debug)]
pub struct Variables<S> {
    /// Time.
    pub t: S,
    /// Flat parameters.
    pub parameters: Vec<S>,
    /// Flat inputs.
    pub inputs: Vec<S>,
    /// Auxiliary states.
    pub auxiliary: Vec<S>,
    /// Multipliers of the tree's rows; empty where they are not known.
    pub multipliers: Vec<S>,
    /// Reactions that [`Op::Reaction`] observes: force x, y \[N\] and moment \[N m\] of each, in space three components of either; empty
    /// where they are not known.
    pub reactions: Vec<Vec<S>>,
    /// Loads of the tree's prescribed coordinates; empty where they are not known.
    pub prescribed: Vec<S>,
}

impl<S: Scalar> Variables<S> {
    /// Load of the prescribed coordinate with a row of [`Model::rows`]; zero if that row is left out because others imply it.
    fn prescribed_load(&self, tree: &Tree, row: u32) -> S {
        let of = tree.prescribed.iter().position(|p| p.row == row as usize);
        of.and_then(|i| self.prescribed.get(i).copied()).unwrap_or(S::number(0.0))
    }
}

/// A model in a formulation at a state: poses placed, expressions evaluated on demand and remembered.
pub struct Mechanics<'m, S> {
    /// The model.
    pub model: &'m Model,
    /// Its coordinates.
    pub tree: &'m Tree,
    /// The rest of the state.
    pub variables: Variables<S>,
    /// Solver coordinates; in space those of the interface.
    pub coordinates: Vec<S>,
    /// Poses in the plane.
    pub kinematics: Kinematics<S>,
    /// Links in space.
    pub space: SpaceState<S>,
    memo: RefCell<Vec<Option<S>>>,
}

impl<'m, S: Scalar> Mechanics<'m, S> {
    /// At given solver coordinates.
    pub fn at_solver(model: &'m Model, tree: &'m Tree, variables: Variables<S>, coordinates: Vec<S>) -> Self {
        if model.space == Space::Spatial {
            let rest = vec![S::number(0.0); tree.n()];
            return Self::in_space(model, tree, variables, coordinates, [&rest, &rest]);
        }
        let mut mechanics = Self::unplaced(model, tree, variables, coordinates);
        for &body in &tree.order {
            mechanics.place(body);
        }
        mechanics.forget();
        mechanics
    }

    /// In space, at given coordinates and the solver's speeds and accelerations.
    pub fn in_space(
        model: &'m Model,
        tree: &'m Tree,
        variables: Variables<S>,
        coordinates: Vec<S>,
        given: [&[S]; 2],
    ) -> Self {
        Self::in_space_while(model, tree, variables, coordinates, given, true)
    }

    /// As [`Self::in_space`], with prescribed coordinates frozen at their values.
    pub fn in_space_at_once(
        model: &'m Model,
        tree: &'m Tree,
        variables: Variables<S>,
        coordinates: Vec<S>,
        given: [&[S]; 2],
    ) -> Self {
        Self::in_space_while(model, tree, variables, coordinates, given, false)
    }

    fn in_space_while(
        model: &'m Model,
        tree: &'m Tree,
        variables: Variables<S>,
        coordinates: Vec<S>,
        [speeds, accelerations]: [&[S]; 2],
        passes: bool,
    ) -> Self {
        let mut mechanics = Self::unplaced(model, tree, variables, coordinates);
        let gravity = model.gravity.map_or_else(zero, |g| mechanics.vector(g));
        let value = |e| mechanics.value(e);
        let q = &mechanics.coordinates;
        let t = mechanics.variables.t;
        let given = Given { q, v: speeds, a: accelerations, t, gravity, value: &value, passes };
        mechanics.space = SpaceState::new(model, tree, &given);
        mechanics.forget();
        mechanics
    }

    /// In space, derivatives of the inertial forces with given moments of the links; see [`SpaceState::inertial_derivatives`].
    pub fn inertial_derivatives(&self, moments: &[Moments<S>]) -> InertialDerivatives<S> {
        let value = |e| self.value(e);
        let turned = |i: usize| {
            let (link, state) = (&self.tree.links[i], &self.space.links[i]);
            let (Freedom::Posed { pose, reversed, moves: true, .. }, Some(guided)) = (&link.freedom, &state.guided)
            else {
                return Vec::new();
            };
            let pose = &self.model.poses[*pose as usize];
            let posing = Posing { model: self.model, pose, constant: &value, t: self.variables.t };
            Turned::of_pose(&posing, &state.q, guided.given(), *reversed, &link.given)
        };
        self.space.inertial_derivatives(self.tree, moments, &turned)
    }

    /// At given interface coordinates q: the solver coordinates follow, parents first.
    pub fn at_interface(model: &'m Model, tree: &'m Tree, variables: Variables<S>, q: &[S]) -> Self {
        if model.space == Space::Spatial {
            return Self::at_solver(model, tree, variables, q.to_vec());
        }
        let zero = S::number(0.0);
        let mut mechanics = Self::unplaced(model, tree, variables, vec![zero; tree.n()]);
        let interface =
            |wanted: InterfaceCoordinate| tree.interface.iter().position(|c| *c == wanted).map_or(zero, |i| q[i]);
        for (i, c) in tree.solver.iter().enumerate() {
            match *c {
                SolverCoordinate::Algebraic(a) => {
                    mechanics.coordinates[i] = interface(InterfaceCoordinate::Algebraic(a));
                }
                SolverCoordinate::Posed(j, k) => {
                    mechanics.coordinates[i] = interface(InterfaceCoordinate::Joint(j, k));
                }
                SolverCoordinate::Basic(b, k) => {
                    mechanics.coordinates[i] = interface(InterfaceCoordinate::Basic(b, k));
                }
                SolverCoordinate::Unwound(b) => {
                    mechanics.coordinates[i] = interface(InterfaceCoordinate::Unwound(b));
                }
                _ => {}
            }
        }
        for &body in &tree.order {
            mechanics.solve_body(body, &interface);
            mechanics.place(body);
        }
        mechanics.forget();
        mechanics
    }

    pub(super) fn unplaced(model: &'m Model, tree: &'m Tree, variables: Variables<S>, coordinates: Vec<S>) -> Self {
        let kinematics = Kinematics::new(model, tree);
        let memo = RefCell::new(vec![None; model.exprs.len()]);
        let space = SpaceState::empty();
        Mechanics { model, tree, variables, coordinates, kinematics, space, memo }
    }

    fn place(&mut self, body: BodyId) {
        // Markers' points, axes and centres of mass are constant: evaluating them needs no pose.
        let mut kinematics = std::mem::replace(&mut self.kinematics, Kinematics::empty());
        let value = |e| self.value(e);
        let (coordinates, t) = (&self.coordinates[..], self.variables.t);
        kinematics.place(&Placing { model: self.model, tree: self.tree, coordinates, t, value: &value }, body);
        self.kinematics = kinematics;
    }

    /// Forgets values of expressions: after a change of [`Mechanics::variables`].
    pub fn forget(&mut self) {
        self.memo.borrow_mut().fill(None);
    }

    /// Sets the solver coordinates of one body from interface coordinates; its parent is placed.
    fn solve_body(&mut self, body: BodyId, interface: &dyn Fn(InterfaceCoordinate) -> S) {
        let declared = &self.model.bodies[body.index()];
        let com = plane(declared.com).map(|e| self.value(e));
        match self.tree.placements[body.index()] {
            Placement::Natural => {}
            Placement::Free { joint: None, .. } => {
                let angle = interface(InterfaceCoordinate::Body(body, 2));
                let origin = [0, 1].map(|k| interface(InterfaceCoordinate::Body(body, k)));
                let arm = rotate(angle, com);
                self.set_free(body, [origin[0] + arm[0], origin[1] + arm[1]], angle);
            }
            Placement::Free { joint: Some(j), reversed } => {
                let joint = self.model.joint(j);
                let q = [0, 1, 2].map(|k| interface(InterfaceCoordinate::Joint(j, k)));
                let [first, second] = joint.ends;
                let (placed, own) = if reversed { (second, first) } else { (first, second) };
                let p = plane(self.marker_point(placed).0);
                let facing = self.marker_angle(placed);
                let own = &self.model.markers[own.index()];
                // (p_second − p_first) in the first marker's axes is q₀, q₁; second's angle minus first's is q₂. The axes of a
                // particle stay the world's, whatever the other end does.
                let own_facing = match (declared.kind, reversed) {
                    (BodyKind::Particle, _) => self.value(own.angle),
                    (BodyKind::Rigid, true) => facing - q[2],
                    (BodyKind::Rigid, false) => facing + q[2],
                };
                let own_point = if reversed {
                    let r = rotate(own_facing, [q[0], q[1]]);
                    [p[0] - r[0], p[1] - r[1]]
                } else {
                    let r = rotate(facing, [q[0], q[1]]);
                    [p[0] + r[0], p[1] + r[1]]
                };
                let angle = own_facing - self.value(own.angle);
                let at = plane(own.point).map(|e| self.value(e));
                let arm = rotate(angle, [com[0] - at[0], com[1] - at[1]]);
                self.set_free(body, [own_point[0] + arm[0], own_point[1] + arm[1]], angle);
            }
            Placement::Joint { joint: j, reversed, .. } => {
                let joint = self.model.joint(j);
                for (k, step) in (0..).zip(joint.steps()) {
                    let q = interface(InterfaceCoordinate::Joint(j, k));
                    match step {
                        Step::Turn { .. } => {
                            let [first, second] = joint.ends;
                            let (placed, own) = if reversed { (second, first) } else { (first, second) };
                            let facing = self.marker_angle(placed);
                            let facing = if reversed { facing - q } else { facing + q };
                            let angle = facing - self.value(self.model.markers[own.index()].angle);
                            self.set(SolverCoordinate::Turn(body), angle);
                        }
                        Step::Slide { .. } => self.set(SolverCoordinate::Slide(j, k), q),
                        _ => {}
                    }
                }
            }
        }
    }

    fn set_free(&mut self, body: BodyId, com: [S; 2], angle: S) {
        self.set(SolverCoordinate::World(body, 0), com[0]);
        self.set(SolverCoordinate::World(body, 1), com[1]);
        self.set(SolverCoordinate::Turn(body), angle);
    }

    fn set(&mut self, coordinate: SolverCoordinate, value: S) {
        if let Some(i) = self.tree.solver.iter().position(|c| *c == coordinate) {
            self.coordinates[i] = value;
        }
    }

    /// Interface coordinates q as functions of the solver coordinates.
    pub fn interface_coordinates(&self) -> Vec<S> {
        if self.model.space == Space::Spatial {
            return self.coordinates.clone();
        }
        self.tree
            .interface
            .iter()
            .map(|c| match *c {
                InterfaceCoordinate::Body(b, 2) => self.kinematics.angle(b),
                InterfaceCoordinate::Body(b, axis) => {
                    let origin = &self.kinematics.body(b).origin;
                    self.kinematics.world_sum(origin)[axis as usize]
                }
                InterfaceCoordinate::Joint(j, k) => self.joint_coordinate(j, k),
                InterfaceCoordinate::Basic(i, k) => self.own(SolverCoordinate::Basic(i, k)),
                InterfaceCoordinate::Unwound(b) => self.own(SolverCoordinate::Unwound(b)),
                InterfaceCoordinate::Algebraic(a) => self.algebraic(a),
            })
            .collect()
    }

    fn own(&self, coordinate: SolverCoordinate) -> S {
        self.coordinates[self.tree.index_of(coordinate).expect("it is one of the formulation's")]
    }

    fn algebraic(&self, a: u32) -> S {
        let i = self.tree.interface.iter().position(|c| *c == InterfaceCoordinate::Algebraic(a));
        self.coordinates[i.expect("every algebraic coordinate is a coordinate of the formulation")]
    }

    /// A component of a basic point or vector.
    fn basic_component(&self, i: u32, c: u8) -> S {
        if self.model.space == Space::Spatial {
            return self.space.basic_component(i as usize, usize::from(c));
        }
        self.basic_coordinates(i)[usize::from(c)]
    }

    /// Expressions as a vector.
    pub fn vector(&self, components: [ExprId; 3]) -> Vec3<S> {
        Vector(components.map(|e| self.value(e)))
    }

    /// World position of a marker; z = 0 in the plane.
    pub fn marker_point(&self, marker: MarkerId) -> Vec3<S> {
        let m = &self.model.markers[marker.index()];
        let point = self.vector(m.point);
        match (m.body, self.model.space) {
            (None, _) => point,
            (Some(b), Space::Spatial) => self.space.point(b.index(), point),
            (Some(b), Space::Planar) => {
                let [x, y] = self.kinematics.world_sum(&self.kinematics.body(b).point(plane(point.0)));
                Vector([x, y, point[2]])
            }
        }
    }

    /// Absolute angle of a marker.
    pub fn marker_angle(&self, marker: MarkerId) -> S {
        let m = &self.model.markers[marker.index()];
        let angle = self.value(m.angle);
        m.body.map_or(angle, |b| self.kinematics.angle(b) + angle)
    }

    /// R of a pose in space at the coordinates of its joint: axes of the second end in the first's.
    pub fn posed_axes(&self, pose: &JointPose) -> [Vec3<S>; 3] {
        let constant = |e: ExprId| self.value(e);
        let q: Vec<S> = self.model.joint(pose.joint).coordinates.iter().map(|(_, e)| self.value(*e)).collect();
        Posing { model: self.model, pose, constant: &constant, t: self.variables.t }.axes(&q)
    }

    /// World components of a marker's x axis (0), y axis (1) or z axis (2).
    pub fn marker_axis(&self, marker: MarkerId, axis: u8) -> Vec3<S> {
        let m = &self.model.markers[marker.index()];
        if self.model.space == Space::Spatial {
            let own = self.axis_in_body(marker, axis);
            return match m.body {
                Some(b) if self.model.bodies[b.index()].kind == BodyKind::Rigid => self.space.direction(b.index(), own),
                _ => own,
            };
        }
        let [x, y] = self.planar_axis(m, axis);
        Vector([x, y, S::number(0.0)])
    }

    fn planar_axis(&self, m: &Marker, axis: u8) -> [S; 2] {
        let unit = [S::number(1.0 - f64::from(axis)), S::number(f64::from(axis))];
        let in_body = rotate(self.value(m.angle), unit);
        match m.body {
            None => in_body,
            Some(b) => {
                let state = self.kinematics.body(b);
                match state.basis.as_ref().filter(|basis| basis.is_spanned()) {
                    Some(basis) => self.kinematics.world_sum(&basis.direction(in_body)),
                    None => self.kinematics.world(state.frame, state.to_frame(in_body)),
                }
            }
        }
    }

    /// Coordinate k of a joint: the tree's own where there is one, or what is prescribed, else measured.
    fn joint_coordinate(&self, joint: JointId, k: u8) -> S {
        if let Some(given) = self.tree.prescribed(joint, k) {
            return self.value(given);
        }
        match self.own_coordinate(joint, k) {
            Some(i) => self.coordinates[i],
            None => self.value(self.model.joint(joint).coordinates[usize::from(k)].1),
        }
    }

    /// The solver coordinate that a joint coordinate is; in the plane those of turns are angles of bodies instead.
    pub fn own_coordinate(&self, joint: JointId, k: u8) -> Option<usize> {
        if self.model.space == Space::Spatial {
            return self.tree.joint_coordinate(joint, k);
        }
        let own = [SolverCoordinate::Slide(joint, k), SolverCoordinate::Posed(joint, k)];
        own.into_iter().find_map(|c| self.tree.index_of(c))
    }

    /// The value of an expression.
    pub fn value(&self, id: ExprId) -> S {
        // Children have smaller ids, but only those needed may be evaluated: observables exist once bodies are placed.
        let mut stack = vec![id];
        while let Some(&next) = stack.last() {
            if self.memo.borrow()[next.0 as usize].is_some() {
                stack.pop();
                continue;
            }
            let written = self.model.natural.written(next);
            let before = stack.len();
            let waits = |c: &ExprId| self.memo.borrow()[c.0 as usize].is_none();
            match written == next {
                true => stack.extend(operands(self.model.exprs.op(next)).filter(waits)),
                false => stack.extend(Some(written).filter(waits)),
            }
            if stack.len() == before {
                let value = if written == next { self.apply(next) } else { self.known(written) };
                self.memo.borrow_mut()[next.0 as usize] = Some(value);
                stack.pop();
            }
        }
        self.known(id)
    }

    fn known(&self, id: ExprId) -> S {
        self.memo.borrow()[id.0 as usize].expect("operands come first")
    }

    fn apply(&self, id: ExprId) -> S {
        let at = |e: ExprId| self.known(e);
        match self.model.exprs.op(id) {
            Op::Parameter(i) => self.variables.parameters[i as usize],
            Op::Input(i) => self.variables.inputs[i as usize],
            Op::Auxiliary(i) => self.variables.auxiliary[i as usize],
            Op::Algebraic(i) => self.algebraic(i),
            Op::Time => self.variables.t,
            Op::Position(m, c) => self.marker_point(m)[c as usize],
            Op::Direction(m, axis, c) => self.marker_axis(m, axis)[c as usize],
            Op::Angle(m) => self.marker_angle(m),
            Op::Basic(i, c) => self.basic_component(i, c),
            Op::AngularVelocity(m, c) if self.model.space == Space::Spatial => {
                let body = self.model.markers[m.index()].body;
                body.map_or(S::number(0.0), |b| self.space.angular_velocity(b.index())[usize::from(c)])
            }
            Op::AngularVelocity(m, 2) => {
                let body = self.model.markers[m.index()].body;
                body.map_or_else(|| self.marker_angle(m).rate(), |b| self.turning_rate(b))
            }
            Op::AngularVelocity(..) => S::number(0.0),
            Op::JointCoordinate(j, k) => self.joint_coordinate(j, k),
            Op::Multiplier(row) => match self.tree.row_index[row as usize] {
                Some(i) => self.variables.multipliers[i],
                None => -self.variables.prescribed_load(self.tree, row),
            },
            Op::Reaction(i, c) => {
                self.variables.reactions.get(i as usize).map_or(S::number(0.0), |wrench| wrench[c as usize])
            }
            op => operation(&self.model.functions, op, &at, self.variables.t),
        }
    }

    /// Arm of a body's centre of mass for solver coordinate i, as (frame, components); `None` if the coordinate does not move the body. For a
    /// rotation it is the part of the centre of mass in the rotating frame, for a translation the axis, for a basic point or vector its part
    /// in the centre of mass.
    pub(super) fn arm(&self, i: usize, body: BodyId) -> Option<(usize, [S; 2])> {
        let state = self.kinematics.body(body);
        if !state.support.contains(&i) {
            return None;
        }
        match self.kinematics.motions[i] {
            Motion::Turn { frame } => Some((frame, state.com.part(frame))),
            Motion::Slide { frame, axis } => Some((frame, axis)),
            Motion::Basic { frame, .. } => Some((frame, state.com.part(frame))),
            Motion::Algebraic => None,
        }
    }
}

/// Default values of the flat parameters and auxiliary states.
pub fn default_symbol_values(model: &Model) -> (Vec<f64>, Vec<f64>) {
    let parameters = model.parameters.iter().flat_map(|p| p.default.clone()).collect();
    (parameters, model.stored_defaults().collect())
}

/// Series of parameters, time and states at their defaults.
pub fn default_variables<const N: usize>(model: &Model, tree: &Tree) -> Variables<Series<N>> {
    let constants = |values: Vec<f64>| values.into_iter().map(Series::constant).collect();
    Variables {
        t: Series::linear(0.0, 1.0),
        parameters: constants(model.parameters.iter().flat_map(|p| p.default.clone()).collect()),
        inputs: constants(vec![0.0; Model::flat_size(&model.inputs)]),
        auxiliary: constants(model.stored_defaults().collect()),
        multipliers: constants(vec![0.0; tree.rows.len()]),
        reactions: Vec::new(),
        prescribed: Vec::new(),
    }
}
