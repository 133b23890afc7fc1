//! Values of a model's expressions at a state.

use std::cell::RefCell;
use std::ops::Deref;

use mbs_definition::Space;
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar, Series, function_of_time, operands, operation};
use mbs_math::{Vec3, Vector};
use mbs_model::{BodyKind, JointPose, Marker, Model, plane};

use crate::frame::rotate;
use crate::kinematics::PoseInputs;
use crate::pose_evaluator::PoseEvaluator;
use crate::space::{LinkInputs, Moments, TwistDerivatives, axis_vector, zero};
use crate::{
    InertialDerivatives, InterfaceCoordinate, Kinematics, Mobilizer, Motion, SolverCoordinate, SpaceState, Tree,
};

/// Variables of a state other than the solver coordinates.
#[derive(Clone, Debug)]
pub struct Variables<S> {
    /// Time.
    pub t: S,
    /// Parameters p, flat.
    pub parameters: Vec<S>,
    /// Inputs u, flat.
    pub inputs: Vec<S>,
    /// Auxiliary states z, flat, then memories.
    pub auxiliary: Vec<S>,
    /// Multipliers λ of the tree's rows; empty where they are not known.
    pub multipliers: Vec<S>,
    /// Reactions that [`Op::Reaction`] observes: force x, y \[N\] and moment \[N m\] of each, in space three components of either; empty
    /// where they are not known.
    pub reactions: Vec<Vec<S>>,
    /// Loads of the tree's prescribed coordinates, \[N\] or \[N m\]; empty where they are not known.
    pub prescribed: Vec<S>,
}

impl<S: Scalar> Variables<S> {
    /// Load of the prescribed coordinate whose row of [`Model::rows`] is `row`; zero if that row is omitted as redundant.
    fn prescribed_load(&self, tree: &Tree, row: u32) -> S {
        let index = tree.prescribed.iter().position(|p| p.row == row as usize);
        index.and_then(|i| self.prescribed.get(i).copied()).unwrap_or(S::number(0.0))
    }
}

/// Poses at a state.
pub enum Poses<S> {
    /// Frames of bodies in the plane.
    Planar(Kinematics<S>),
    /// Links in space, with their velocities and accelerations.
    Spatial(SpaceState<S>),
}

/// A model in a formulation at a state: its poses, and the values of its expressions, which are evaluated on demand and cached.
pub struct Mechanics<'m, S> {
    /// The model.
    pub model: &'m Model,
    /// The coordinates of its formulation.
    pub tree: &'m Tree,
    /// Variables other than coordinates.
    pub variables: Variables<S>,
    /// Values of the solver coordinates; in space of the interface coordinates.
    pub coordinates: Vec<S>,
    /// Poses, of the model's space.
    pub poses: Poses<S>,
    memo: RefCell<Vec<Option<S>>>,
}

/// A planar model at a state: the formulas of the plane. Those of every space are reached through it, too.
#[derive(Clone, Copy)]
pub struct PlanarMechanics<'a, 'm, S> {
    mechanics: &'a Mechanics<'m, S>,
    /// Poses of the bodies.
    pub kinematics: &'a Kinematics<S>,
}

/// A spatial model at a state: the formulas of space. Those of every space are reached through it, too.
#[derive(Clone, Copy)]
pub struct SpatialMechanics<'a, 'm, S> {
    mechanics: &'a Mechanics<'m, S>,
    /// Links, with their velocities and accelerations.
    pub state: &'a SpaceState<S>,
}

impl<'m, S> Deref for PlanarMechanics<'_, 'm, S> {
    type Target = Mechanics<'m, S>;

    fn deref(&self) -> &Self::Target {
        self.mechanics
    }
}

impl<'m, S> Deref for SpatialMechanics<'_, 'm, S> {
    type Target = Mechanics<'m, S>;

    fn deref(&self) -> &Self::Target {
        self.mechanics
    }
}

impl<'m, S: Scalar> Mechanics<'m, S> {
    /// Evaluates poses at solver coordinates; in space at interface coordinates, with zero speeds and accelerations.
    pub fn at_solver_coordinates(model: &'m Model, tree: &'m Tree, variables: Variables<S>, q: Vec<S>) -> Self {
        if model.space == Space::Spatial {
            let rest = vec![S::number(0.0); tree.n()];
            return Self::at_spatial_state(model, tree, variables, q, [&rest, &rest]);
        }
        let mut mechanics = Self::without_poses(model, tree, variables, q);
        for &body in &tree.order {
            mechanics.add_pose(body);
        }
        mechanics.clear_cache();
        mechanics
    }

    /// In space, evaluates poses, velocities and accelerations at interface coordinates (n_q) and the solver's `[speeds, accelerations]` (n_v each).
    pub fn at_spatial_state(
        model: &'m Model,
        tree: &'m Tree,
        variables: Variables<S>,
        coordinates: Vec<S>,
        motion: [&[S]; 2],
    ) -> Self {
        Self::spatial_state(model, tree, variables, coordinates, motion, true)
    }

    /// As [`Self::at_spatial_state`], with prescribed coordinates frozen at their values: their rates are zero.
    pub fn at_frozen_spatial_state(
        model: &'m Model,
        tree: &'m Tree,
        variables: Variables<S>,
        coordinates: Vec<S>,
        motion: [&[S]; 2],
    ) -> Self {
        Self::spatial_state(model, tree, variables, coordinates, motion, false)
    }

    fn spatial_state(
        model: &'m Model,
        tree: &'m Tree,
        variables: Variables<S>,
        coordinates: Vec<S>,
        [speeds, accelerations]: [&[S]; 2],
        prescribed_move: bool,
    ) -> Self {
        let mut mechanics = Self::without_poses(model, tree, variables, coordinates);
        let gravity = model.loads.gravity.map_or_else(zero, |g| mechanics.vector(g));
        let value = |e| mechanics.value(e);
        let q = &mechanics.coordinates;
        let t = mechanics.variables.t;
        let inputs = LinkInputs { q, v: speeds, a: accelerations, t, gravity, value: &value, prescribed_move };
        mechanics.poses = Poses::Spatial(SpaceState::new(model, tree, &inputs));
        mechanics.clear_cache();
        mechanics
    }

    /// A model at a state without any poses: only expressions that need none can be evaluated.
    pub(super) fn without_poses(model: &'m Model, tree: &'m Tree, variables: Variables<S>, q: Vec<S>) -> Self {
        let poses = match model.space {
            Space::Planar => Poses::Planar(Kinematics::new(model, tree)),
            Space::Spatial => Poses::Spatial(SpaceState::empty()),
        };
        let memo = RefCell::new(vec![None; model.exprs.len()]);
        Mechanics { model, tree, variables, coordinates: q, poses, memo }
    }

    /// The formulas of the plane.
    ///
    /// # Panics
    ///
    /// If the model is spatial.
    pub fn planar(&self) -> PlanarMechanics<'_, 'm, S> {
        match &self.poses {
            Poses::Planar(kinematics) => PlanarMechanics { mechanics: self, kinematics },
            Poses::Spatial(_) => unreachable!("a formula of the plane is evaluated for a spatial model"),
        }
    }

    /// The formulas of space.
    ///
    /// # Panics
    ///
    /// If the model is planar.
    pub fn spatial(&self) -> SpatialMechanics<'_, 'm, S> {
        match &self.poses {
            Poses::Spatial(state) => SpatialMechanics { mechanics: self, state },
            Poses::Planar(_) => unreachable!("a formula in space is evaluated for a planar model"),
        }
    }

    /// Evaluates the pose of a planar body whose parent has one.
    pub(super) fn add_pose(&mut self, body: BodyId) {
        // Markers' points, axes and centres of mass are constant: evaluating them needs no pose.
        let mut poses = std::mem::replace(&mut self.poses, Poses::Planar(Kinematics::empty()));
        let Poses::Planar(kinematics) = &mut poses else { unreachable!("links in space have their poses at once") };
        let value = |e| self.value(e);
        let (coordinates, t) = (&self.coordinates[..], self.variables.t);
        kinematics.add_body(&PoseInputs { model: self.model, tree: self.tree, coordinates, t, value: &value }, body);
        self.poses = poses;
    }

    /// Clears the cached values of expressions: required after a change of [`Mechanics::variables`].
    pub fn clear_cache(&mut self) {
        self.memo.borrow_mut().fill(None);
    }

    /// Interface coordinates q as functions of the solver coordinates. Shape: n_q.
    pub fn interface_coordinates(&self) -> Vec<S> {
        let kinematics = match &self.poses {
            Poses::Spatial(_) => return self.coordinates.clone(),
            Poses::Planar(kinematics) => kinematics,
        };
        let value = |c: &InterfaceCoordinate| match *c {
            InterfaceCoordinate::Body(b, 2) => kinematics.angle(b),
            InterfaceCoordinate::Body(b, axis) => kinematics.world_sum(&kinematics.body(b).origin)[axis as usize],
            InterfaceCoordinate::Joint(j, k) => self.joint_coordinate(j, k),
            InterfaceCoordinate::Basic(i, k) => self.solver_value(SolverCoordinate::Basic(i, k)),
            InterfaceCoordinate::ContinuousAngle(b) => self.solver_value(SolverCoordinate::ContinuousAngle(b)),
            InterfaceCoordinate::Algebraic(a) => self.algebraic(a),
        };
        self.tree.interface.iter().map(value).collect()
    }

    /// Value of a solver coordinate that the formulation has.
    fn solver_value(&self, coordinate: SolverCoordinate) -> S {
        self.coordinates[self.tree.solver_index(coordinate).expect("it is one of the formulation's")]
    }

    /// Value of an algebraic coordinate, by flat index.
    fn algebraic(&self, a: u32) -> S {
        let i = self.tree.interface.iter().position(|c| *c == InterfaceCoordinate::Algebraic(a));
        self.coordinates[i.expect("every algebraic coordinate is a coordinate of the formulation")]
    }

    /// World component c of basic point or vector i.
    fn basic_component(&self, i: u32, c: u8) -> S {
        match &self.poses {
            Poses::Spatial(state) => state.basic_component(i as usize, usize::from(c)),
            Poses::Planar(_) => self.planar().basic_coordinates(i)[usize::from(c)],
        }
    }

    /// Values of three expressions, as a vector.
    pub fn vector(&self, components: [ExprId; 3]) -> Vec3<S> {
        Vector(components).map(|e| self.value(e))
    }

    /// World position p_WM \[m\] of a marker; z = 0 in the plane.
    pub fn marker_point(&self, marker: MarkerId) -> Vec3<S> {
        let m = &self.model.markers[marker.index()];
        let point = self.vector(m.point);
        match (m.body, &self.poses) {
            (None, _) => point,
            (Some(b), Poses::Spatial(state)) => state.point(b.index(), point),
            (Some(b), Poses::Planar(kinematics)) => {
                let [x, y] = kinematics.world_sum(&kinematics.body(b).point(plane(point.0)));
                Vector([x, y, point[2]])
            }
        }
    }

    /// In the plane, angle \[rad\] of a marker's x axis from the world's, counterclockwise.
    pub fn marker_angle(&self, marker: MarkerId) -> S {
        let m = &self.model.markers[marker.index()];
        let angle = self.value(m.angle);
        m.body.map_or(angle, |b| self.planar().kinematics.angle(b) + angle)
    }

    /// R of a declared pose in space at the coordinates of its joint: the axes of the second end in those of the first.
    pub fn posed_axes(&self, pose: &JointPose) -> [Vec3<S>; 3] {
        let constant = |e: ExprId| self.value(e);
        let q: Vec<S> = self.model.joint(pose.joint).coordinates.iter().map(|(_, e)| self.value(*e)).collect();
        PoseEvaluator::new(self.model, pose, &constant, self.variables.t).axes(&q)
    }

    /// World components of a marker's x axis (0), y axis (1) or z axis (2).
    pub fn marker_axis(&self, marker: MarkerId, axis: u8) -> Vec3<S> {
        let m = &self.model.markers[marker.index()];
        let state = match &self.poses {
            Poses::Planar(_) => {
                let [x, y] = self.planar().axis(m, axis);
                return Vector([x, y, S::number(0.0)]);
            }
            Poses::Spatial(state) => state,
        };
        let in_body = self.axis_in_body(marker, axis);
        match m.body {
            Some(b) if self.model.bodies[b.index()].kind == BodyKind::Rigid => state.direction(b.index(), in_body),
            _ => in_body,
        }
    }

    /// Coordinate k of a joint: its prescribed value, else that of a solver coordinate, else measured on the poses.
    fn joint_coordinate(&self, joint: JointId, k: u8) -> S {
        if let Some(prescribed) = self.tree.prescribed(joint, k) {
            return self.value(prescribed);
        }
        match self.joint_solver_index(joint, k) {
            Some(i) => self.coordinates[i],
            None => self.value(self.model.joint(joint).coordinates[usize::from(k)].1),
        }
    }

    /// As [`Tree::joint_solver_index`].
    pub fn joint_solver_index(&self, joint: JointId, k: u8) -> Option<usize> {
        self.tree.joint_solver_index(self.model.space, joint, k)
    }

    /// Value of an expression, evaluated at most once for this state.
    pub fn value(&self, id: ExprId) -> S {
        // Children have smaller ids, but only those needed may be evaluated: observables exist once bodies have poses.
        let mut stack = vec![id];
        while let Some(&next) = stack.last() {
            if self.memo.borrow()[next.0 as usize].is_some() {
                stack.pop();
                continue;
            }
            let substitute = self.model.coordinates.natural.substitute(next);
            let before = stack.len();
            let is_pending = |c: &ExprId| self.memo.borrow()[c.0 as usize].is_none();
            match substitute == next {
                true => stack.extend(operands(self.model.exprs.op(next)).filter(is_pending)),
                false => stack.extend(Some(substitute).filter(is_pending)),
            }
            if stack.len() == before {
                let value = if substitute == next { self.apply(next) } else { self.known(substitute) };
                self.memo.borrow_mut()[next.0 as usize] = Some(value);
                stack.pop();
            }
        }
        self.known(id)
    }

    /// Cached value of an expression that has one.
    fn known(&self, id: ExprId) -> S {
        self.memo.borrow()[id.0 as usize].expect("operands come first")
    }

    /// Evaluates an expression whose operands have values.
    fn apply(&self, id: ExprId) -> S {
        let operand = |e: ExprId| self.known(e);
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
            Op::AngularVelocity(m, c) => self.marker_angular_velocity(m, c),
            Op::JointCoordinate(j, k) => self.joint_coordinate(j, k),
            Op::Multiplier(row) => match self.tree.row_index[row as usize] {
                Some(i) => self.variables.multipliers[i],
                None => -self.variables.prescribed_load(self.tree, row),
            },
            Op::Reaction(i, c) => {
                self.variables.reactions.get(i as usize).map_or(S::number(0.0), |wrench| wrench[c as usize])
            }
            op => {
                let of_time = matches!(op, Op::Rate(_)).then(|| self.rate_of_time(id)).flatten();
                of_time.unwrap_or_else(|| operation(&self.model.functions, op, &operand, self.variables.t))
            }
        }
    }

    /// A rate that is a function of time, with all its coefficients: each nested rate of short series would cost one. `None` for other
    /// expressions, and where parameters or time are not plain numbers.
    fn rate_of_time(&self, rate: ExprId) -> Option<S> {
        let (exprs, functions) = (&self.model.exprs, &self.model.functions);
        if !exprs.mentions(rate).is_of_time() {
            return None;
        }
        let parameter = |i: u32| match self.variables.parameters[i as usize].steady() {
            Some([value, 0.0]) => Some(value),
            _ => None,
        };
        let long = function_of_time(exprs, functions, &parameter, self.variables.t.steady()?, rate)?;
        S::from_long_series(&long)
    }

    /// Angular velocity ω \[rad/s\] of a body, world axes; in the plane about z.
    pub fn angular_velocity(&self, body: BodyId) -> Vec3<S> {
        match &self.poses {
            Poses::Planar(_) => axis_vector(2, self.planar().angle_rate(body)),
            Poses::Spatial(state) => state.angular_velocity(body.index()),
        }
    }

    /// World component c \[rad/s\] of the angular velocity of a marker.
    fn marker_angular_velocity(&self, marker: MarkerId, c: u8) -> S {
        match (self.model.markers[marker.index()].body, &self.poses, c) {
            (Some(body), Poses::Spatial(_), _) | (Some(body), Poses::Planar(_), 2) => {
                self.angular_velocity(body)[usize::from(c)]
            }
            (None, Poses::Planar(_), 2) => self.marker_angle(marker).rate(),
            _ => S::number(0.0),
        }
    }
}

impl<S: Scalar> SpatialMechanics<'_, '_, S> {
    /// In space, derivatives of the inertial forces, with the links' own moments or regrouped ones; see [`SpaceState::inertial_derivatives`].
    pub fn inertial_derivatives(&self, moments: &[Moments<S>]) -> InertialDerivatives<S> {
        let value = |e| self.value(e);
        let twist_derivatives = |i: usize| {
            let (link, state) = (&self.tree.links[i], &self.state.links[i]);
            let (Mobilizer::Posed { pose, reversed, moves: true, .. }, Some(variable)) =
                (&link.mobilizer, &state.variable)
            else {
                return Vec::new();
            };
            let pose = &self.model.coordinates.poses[*pose as usize];
            let posing = PoseEvaluator::new(self.model, pose, &value, self.variables.t);
            let motion = variable.speeds_and_accelerations();
            TwistDerivatives::from_pose(&posing, &state.q, motion, *reversed, &link.prescribed)
        };
        self.state.inertial_derivatives(self.tree, moments, &twist_derivatives)
    }
}

impl<S: Scalar> PlanarMechanics<'_, '_, S> {
    /// World components of a planar marker's x axis (0) or y axis (1).
    fn axis(&self, m: &Marker, axis: u8) -> [S; 2] {
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

    /// Arm of a body's centre of mass for motion i, as (frame, components); `None` if the motion does not move the body. For a rotation the arm is
    /// the part of the centre of mass in the rotating frame, for a translation the axis, for a basic point or vector its coefficients (α, β).
    pub(super) fn arm(&self, i: usize, body: BodyId) -> Option<(usize, [S; 2])> {
        let state = self.kinematics.body(body);
        if !state.support.contains(&i) {
            return None;
        }
        match self.kinematics.motions[i] {
            Motion::Rotation { frame } => Some((frame, state.com.part(frame))),
            Motion::Translation { frame, axis } => Some((frame, axis)),
            Motion::Basic { frame, .. } => Some((frame, state.com.part(frame))),
            Motion::Algebraic => None,
        }
    }
}

/// Default values of the parameters, flat, and of z: auxiliary states, then memories.
pub fn default_symbol_values(model: &Model) -> (Vec<f64>, Vec<f64>) {
    let parameters = model.quantities.parameters.iter().flat_map(|p| p.default.clone()).collect();
    (parameters, model.stored_defaults().collect())
}

/// Variables at default parameters and states, as series in time from t = 0; inputs and multipliers are zero.
pub fn default_variables<const N: usize>(model: &Model, tree: &Tree) -> Variables<Series<N>> {
    let constants = |values: Vec<f64>| values.into_iter().map(Series::constant).collect();
    let (parameters, auxiliary) = default_symbol_values(model);
    Variables {
        t: Series::linear(0.0, 1.0),
        parameters: constants(parameters),
        inputs: constants(vec![0.0; Model::flat_size(&model.quantities.inputs)]),
        auxiliary: constants(auxiliary),
        multipliers: constants(vec![0.0; tree.rows.len()]),
        reactions: Vec::new(),
        prescribed: Vec::new(),
    }
}
