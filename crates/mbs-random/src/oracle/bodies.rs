//! Motions of bodies: velocities as derivatives of positions and axes, mass matrix, loads, energies and momenta.

use std::f64::consts::TAU;

use mbs_core::rotation::quaternion_of;
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar};
use mbs_model::{Body, BodyKind, Load, Model};
use mbs_physics::{InterfaceCoordinate, Poses, Tree};

use super::{Motion, Oracle, Path, PathMechanics, REST};
use crate::frame::attitude_parameters;
use crate::state::OwnedState;
use crate::world::{angular_velocity, cross, dot};

/// World components.
type Vector = [Motion; 3];

/// Whether an elevation or middle angle exceeds a quarter revolution, which the angle measured on poses never does.
fn is_beyond_pole(angle: f64, measured: f64) -> bool {
    let [(sin, cos), (measured_sin, measured_cos)] = [angle, measured].map(f64::sin_cos);
    cos < 0.0 && (sin - measured_sin).abs() < 1e-9 && (cos + measured_cos).abs() < 1e-9
}

/// Rate of a point.
fn velocity(motion: &PathMechanics<'_>, marker: MarkerId) -> [f64; 3] {
    motion.marker_point(marker).map(|x| x.derivative(1)).0
}

impl Oracle<'_> {
    /// ω of a marker's body: ½ Σ e × ė, in the plane the rate of its angle.
    fn angular_velocity(&self, motion: &PathMechanics<'_>, marker: MarkerId) -> Vector {
        let zero = Motion::constant(0.0);
        if !self.is_spatial() {
            let is_natural = |b: &BodyId| self.model.coordinates.natural.basis(*b).is_some();
            if let Some(b) = self.model.markers[marker.index()].body.filter(is_natural) {
                // Rate of the body's x axis: where its axes are skew, the other axes have other rates.
                let [x, y, _] = motion.marker_axis(self.model.bodies[b.index()].origin_marker, 0).0;
                return [zero, zero, x * y.rate() - y * x.rate()];
            }
            return [zero, zero, motion.marker_angle(marker).rate()];
        }
        let body = self.model.markers[marker.index()].body;
        let Some((b, line)) = body.and_then(|b| Some((b.index(), self.line(b.index())?))) else {
            return angular_velocity(&axes(motion, marker));
        };
        // A bar rotates with its line.
        let com = self.model.bodies[b].com.map(|e| self.rest().value(e).value());
        let [end, start] = [line, [0.0; 3]].map(|r| mass_point(motion, b, [0, 1, 2].map(|k| com[k] + r[k])));
        let d = [0, 1, 2].map(|k| end[k] - start[k]);
        let line = line.map(Motion::constant);
        cross(d, d.map(Scalar::rate)).map(|x| x / dot(line, line))
    }

    /// The direction of a bar, in its axes.
    fn line(&self, b: usize) -> Option<[f64; 3]> {
        let basis = self.model.coordinates.natural.basis(BodyId(b as u32)).filter(|_| self.is_spatial())?;
        basis.bar_direction(&|e| self.rest().value(e).value())
    }

    /// I ω of a body about its centre of mass.
    fn angular_momentum(&self, motion: &PathMechanics<'_>, body: &Body) -> Vector {
        let omega = self.angular_velocity(motion, body.origin_marker);
        let [xx, yy, zz, xy, xz, yz] = body.inertia.map(|e| motion.value(e));
        if !self.is_spatial() {
            return [omega[0], omega[1], zz * omega[2]];
        }
        let axes = axes(motion, body.origin_marker);
        let local_omega = axes.map(|e| dot(e, omega));
        let momentum = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]].map(|row| dot(row, local_omega));
        [0, 1, 2].map(|c| momentum[0] * axes[0][c] + momentum[1] * axes[1][c] + momentum[2] * axes[2][c])
    }

    /// Point masses with the mass and the second moments of a body in natural coordinates. In the plane each axis has half of the moment of
    /// inertia; the second moment of a bar is represented by a pair of masses on its line.
    fn point_masses(&self, b: usize) -> Option<Vec<(f64, [f64; 3])>> {
        self.model.coordinates.natural.basis(BodyId(b as u32))?;
        let body = &self.model.bodies[b];
        let number = |e: ExprId| self.rest().value(e).value();
        let (mass, com) = (number(body.mass), body.com.map(number));
        if body.kind == BodyKind::Particle {
            return Some(vec![(mass, com)]);
        }
        let [xx, yy, zz, xy, xz, yz] = body.inertia.map(number);
        if let Some(u) = self.line(b) {
            let square: f64 = u.iter().map(|x| x * x).sum();
            let about = (xx * u[0] * u[0]
                + yy * u[1] * u[1]
                + zz * u[2] * u[2]
                + 2.0 * (xy * u[0] * u[1] + xz * u[0] * u[2] + yz * u[1] * u[2]))
                / square;
            let weight = 0.25 * (xx + yy + zz - about) / square;
            let end = |sign: f64| (weight, [0, 1, 2].map(|k| com[k] + sign * u[k]));
            return Some(vec![(mass - 2.0 * weight, com), end(1.0), end(-1.0)]);
        }
        let (squares, mixed) = match self.is_spatial() {
            false => ([0.5 * zz, 0.5 * zz, 0.0], [0.0; 3]),
            true => {
                let half = 0.5 * (xx + yy + zz);
                ([half - xx, half - yy, half - zz], [-yz, -xz, -xy])
            }
        };
        // A pair of masses w at ±u has the second moments 2 w u uᵀ.
        let single = |k: usize| {
            (squares[k] - mixed[(k + 1) % 3] - mixed[(k + 2) % 3], [0, 1, 2].map(|i| f64::from(u8::from(i == k))))
        };
        let double = |k: usize| (mixed[k], [0, 1, 2].map(|i| f64::from(u8::from(i != k))));
        let pairs = (0..3).map(single).chain((0..3).map(double));
        let mut masses = vec![(mass, com)];
        for (moment, u) in pairs {
            masses[0].0 -= moment;
            masses.extend([1.0, -1.0].map(|sign| (0.5 * moment, [0, 1, 2].map(|k| com[k] + sign * u[k]))));
        }
        Some(masses)
    }

    /// M, row-major.
    pub fn mass_matrix(&self) -> Vec<f64> {
        let n = self.n();
        let mut sum = vec![0.0; n * n];
        for (b, body) in self.model.bodies.iter().enumerate() {
            if let Some(masses) = self.point_masses(b) {
                for (mass, at) in masses {
                    let velocity = |motion: &PathMechanics<'_>| mass_point(motion, b, at).map(|x| x.derivative(1));
                    let columns: Vec<[f64; 3]> = self.columns().iter().map(velocity).collect();
                    for (k, sum) in sum.iter_mut().enumerate() {
                        *sum += (0..3).map(|c| mass * columns[k / n][c] * columns[k % n][c]).sum::<f64>();
                    }
                }
                continue;
            }
            let mass = self.rest().value(body.mass).value();
            let twist_and_momentum = |motion: &PathMechanics<'_>| {
                let (omega, angular_momentum) =
                    (self.angular_velocity(motion, body.com_marker), self.angular_momentum(motion, body));
                (velocity(motion, body.com_marker), omega.map(Motion::value), angular_momentum.map(Motion::value))
            };
            // The part that is due to time alone is subtracted.
            let less = |x: [f64; 3], y: [f64; 3]| [0, 1, 2].map(|c| x[c] - y[c]);
            let still = twist_and_momentum(self.rest());
            let per_speed = |motion| {
                let (v, omega, angular_momentum) = twist_and_momentum(motion);
                (less(v, still.0), less(omega, still.1), less(angular_momentum, still.2))
            };
            let columns: Vec<_> = self.columns().iter().map(per_speed).collect();
            for (k, sum) in sum.iter_mut().enumerate() {
                let ((v, omega, _), (w, _, angular_momentum)) = (&columns[k / n], &columns[k % n]);
                *sum += (0..3).map(|c| mass * v[c] * w[c] + omega[c] * angular_momentum[c]).sum::<f64>();
            }
        }
        sum
    }

    /// Q.
    pub fn generalized_forces(&self) -> Vec<f64> {
        let loads = self.speed_coefficients(&|motion| {
            let power = |load: &Load| self.power(load, motion);
            let weight = |body: &Body| {
                self.load_power(body, motion, gravity(self.moving()).map(|g| mass(self.moving(), body) * g), [0.0; 3])
            };
            let forces = self.model.loads.forces.iter().flat_map(|f| &f.loads);
            forces.map(power).sum::<f64>() + self.model.bodies.iter().map(weight).sum::<f64>()
        });
        loads.iter().zip(self.velocity_forces()).map(|(load, inertial)| load + inertial).collect()
    }

    /// Q without any load.
    pub fn velocity_forces(&self) -> Vec<f64> {
        let inertial = |body: &Body| {
            let force =
                self.moving().marker_point(body.com_marker).map(|x| -mass(self.moving(), body) * x.derivative(2));
            (force.0, self.angular_momentum(self.moving(), body).map(|x| -x.derivative(1)))
        };
        let inertial: Vec<_> = self.model.bodies.iter().map(inertial).collect();
        self.speed_coefficients(&|motion| {
            let bodies = self.model.bodies.iter().zip(&inertial).enumerate();
            let power =
                |(b, (body, (force, moment))): (usize, (&Body, &([f64; 3], [f64; 3])))| match self.point_masses(b) {
                    Some(masses) => {
                        masses.into_iter().map(|(mass, at)| inertial_power(self.moving(), motion, b, mass, at)).sum()
                    }
                    None => self.load_power(body, motion, *force, *moment),
                };
            bodies.map(power).sum()
        })
    }

    /// Coefficients of the speeds in a quantity that is affine in the speeds.
    fn speed_coefficients(&self, quantity: &dyn Fn(&PathMechanics<'_>) -> f64) -> Vec<f64> {
        let rest = quantity(self.rest());
        self.columns().iter().map(|column| quantity(column) - rest).collect()
    }

    /// Power on a motion of a force at a body's centre of mass and of a moment on the body.
    fn load_power(&self, body: &Body, motion: &PathMechanics<'_>, force: [f64; 3], moment: [f64; 3]) -> f64 {
        let (v, omega) = (velocity(motion, body.com_marker), self.angular_velocity(motion, body.com_marker));
        (0..3).map(|c| force[c] * v[c] + moment[c] * omega[c].value()).sum()
    }

    /// Power on a motion of a load with its value at the state; functions of time contribute, too.
    fn power(&self, load: &Load, motion: &PathMechanics<'_>) -> f64 {
        let number = |e: ExprId| self.moving().value(e).value();
        match *load {
            Load::Force { at, force } => (0..3).map(|c| number(force[c]) * velocity(motion, at)[c]).sum(),
            Load::Torque { on, torque } => {
                let omega = self.angular_velocity(motion, on);
                (0..3).map(|c| number(torque[c]) * omega[c].value()).sum()
            }
            Load::Generalized { coordinate, value } => number(value) * motion.value(coordinate).derivative(1),
            Load::Potential(potential) => -motion.value(potential).derivative(1),
        }
    }

    /// The model with prescribed coordinates fixed at their values, and its tree.
    fn with_fixed_coordinates(&self) -> (Model, Tree) {
        let mut model = self.model.clone();
        let Model { equations, exprs, .. } = &mut model;
        for given in equations.iter_mut().filter_map(|equation| equation.prescribes.as_mut()) {
            given.value = exprs.constant(self.rest().value(given.value).value());
        }
        let tree = self.tree.with_same_placements(&model).without_rows(self.tree.redundant.clone());
        (model, tree)
    }

    /// Potentials of all forces, zero for forces without one, and their powers on the motion, without the part that is due to time in an
    /// expression.
    pub fn force_energies(&self) -> [Vec<f64>; 2] {
        let (model, tree) = self.with_fixed_coordinates();
        let fixed = Oracle::from_model(&model, &tree, self.parameters, self.at);
        let power = |load: &Load| match *load {
            Load::Generalized { coordinate: e, .. } | Load::Potential(e) if depends_on_time(self.model, e) => {
                self.power(load, self.moving()) - self.power(load, fixed.rest())
            }
            _ => self.power(load, self.moving()),
        };
        let forces = &self.model.loads.forces;
        let potential = |f: &mbs_model::Force| f.potential.map_or(0.0, |e| self.moving().value(e).value());
        [forces.iter().map(potential).collect(), forces.iter().map(|f| f.loads.iter().map(power).sum()).collect()]
    }

    /// Power of gravity.
    pub fn gravity_power(&self) -> f64 {
        let g = gravity(self.moving());
        let power =
            |body: &Body| self.load_power(body, self.moving(), g.map(|g| mass(self.moving(), body) * g), [0.0; 3]);
        self.model.bodies.iter().map(power).sum()
    }

    /// Linear momentum and angular momentum about the world origin: x, y and z of each, in the plane x, y and the last z.
    pub fn momentum(&self) -> Vec<f64> {
        let moving = self.moving();
        let mut sum = [0.0; 6];
        for (b, body) in self.model.bodies.iter().enumerate() {
            if let Some(masses) = self.point_masses(b) {
                for (m, at) in masses {
                    let p = mass_point(moving, b, at);
                    let v = p.map(Scalar::rate);
                    let moment = cross(p, v);
                    for c in 0..3 {
                        sum[c] += m * v[c].value();
                        sum[3 + c] += m * moment[c].value();
                    }
                }
                continue;
            }
            let (m, p) = (mass(self.moving(), body), moving.marker_point(body.com_marker));
            let v = p.map(Scalar::rate);
            let (moment, angular_momentum) = (cross(p.0, v.0), self.angular_momentum(moving, body));
            for c in 0..3 {
                sum[c] += m * v[c].value();
                sum[3 + c] += m * moment[c].value() + angular_momentum[c].value();
            }
        }
        if self.is_spatial() { sum.to_vec() } else { vec![sum[0], sum[1], sum[5]] }
    }

    /// Origins, in the plane with angles, in space with rotation matrices row by row.
    fn pose_series(&self, motion: &PathMechanics<'_>) -> Vec<Motion> {
        let pose = |(b, body): (usize, &Body)| {
            let origin = motion.marker_point(body.origin_marker);
            if let Poses::Planar(kinematics) = &motion.poses {
                return vec![origin[0], origin[1], kinematics.angle(BodyId(b as u32))];
            }
            let axes = axes(motion, body.origin_marker);
            origin.into_iter().chain((0..3).flat_map(|row| axes.map(|axis| axis[row]))).collect()
        };
        self.model.bodies.iter().enumerate().flat_map(pose).collect()
    }

    /// x, y, θ of each body; in space x, y, z and the rotation matrix, row by row.
    pub fn poses(&self) -> Vec<f64> {
        self.pose_series(self.rest()).iter().map(|x| x.value()).collect()
    }

    /// Rates and second rates of [`Oracle::poses`] at accelerations a.
    pub fn pose_rates(&self, a: &[f64]) -> [Vec<f64>; 2] {
        let poses = self.pose_series(&self.mechanics_on(&Path { v: &self.at.v, a, ..REST }));
        [1, 2].map(|k| poses.iter().map(|x| x.derivative(k)).collect())
    }

    /// Twist Jacobians: velocity of the origin and ω for each body, n_v columns; x, y and the angle in the plane.
    pub fn body_jacobians(&self) -> Vec<f64> {
        // The part that is due to time alone is subtracted.
        let still = self.twists_at_rest();
        let per_speed = |motion| self.twists(motion).iter().zip(&still).map(|(x, y)| x - y).collect();
        let columns: Vec<Vec<f64>> = self.columns().iter().map(per_speed).collect();
        let rows = columns.first().map_or(0, Vec::len);
        (0..rows).flat_map(|row| columns.iter().map(move |c| c[row])).collect()
    }

    fn twists(&self, motion: &PathMechanics<'_>) -> Vec<f64> {
        let of = |body: &Body| {
            let (v, omega) = (velocity(motion, body.origin_marker), self.angular_velocity(motion, body.origin_marker));
            let all = [v, omega.map(Motion::value)].concat();
            if self.is_spatial() { all } else { vec![all[0], all[1], all[5]] }
        };
        self.model.bodies.iter().flat_map(of).collect()
    }

    /// Twists of all bodies at zero speeds, which prescribed coordinates cause.
    pub fn twists_at_rest(&self) -> Vec<f64> {
        self.twists(self.rest())
    }

    /// A prescribed coordinate, its rate and second rate.
    pub fn prescribed(&self, joint: JointId, coordinate: u8) -> Option<[f64; 3]> {
        let given = self.rest().value(self.tree.prescribed(joint, coordinate)?);
        Some([0, 1, 2].map(|k| given.derivative(k)))
    }

    /// World positions of drawn markers.
    pub fn marker_positions(&self) -> Vec<f64> {
        let drawn = self.model.markers.iter().enumerate().filter(|(_, m)| m.drawn);
        let d = if self.is_spatial() { 3 } else { 2 };
        drawn.flat_map(|(i, _)| self.rest().marker_point(MarkerId(i as u32))[..d].to_vec()).map(Motion::value).collect()
    }

    /// q as measured on the poses that q gives. In the plane the inverse map of
    /// [`Mechanics::at_interface_coordinates`](mbs_physics::Mechanics::at_interface_coordinates); in space there is no such map, because an
    /// attitude has many parameters and continuous angles are measured up to whole revolutions: see [`Oracle::measured_again`].
    pub fn measured_coordinates(&self) -> Vec<f64> {
        let rest = self.rest();
        if !self.is_spatial() {
            return rest.interface_coordinates().into_iter().map(Motion::value).collect();
        }
        let poses = self.poses();
        let of_body = |b: BodyId, k: usize| {
            let pose = &poses[12 * b.index()..][..12];
            let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|c| pose[3 + 3 * i + c]));
            let attitude = self.model.bodies[b.index()].attitude;
            if k < 3 { pose[k] } else { attitude_parameters(attitude, quaternion_of(rows))[k - 3] }
        };
        let coordinate = |(i, c): (usize, &InterfaceCoordinate)| match *c {
            InterfaceCoordinate::Body(b, k) => of_body(b, usize::from(k)),
            InterfaceCoordinate::Joint(j, k) => {
                let joint = self.model.joint(j);
                let measured = rest.value(joint.coordinates[usize::from(k)].1).value();
                // The coordinate of a screw counts revolutions.
                let revolutions =
                    if k == 0 && joint.kind_name == "screw" { ((self.at.q[i] - measured) / TAU).round() } else { 0.0 };
                measured + TAU * revolutions
            }
            InterfaceCoordinate::Algebraic(_)
            | InterfaceCoordinate::Basic(..)
            | InterfaceCoordinate::ContinuousAngle(_) => self.at.q[i],
        };
        self.tree.interface.iter().enumerate().map(coordinate).collect()
    }

    /// Whether a prescribed elevation or middle angle is beyond its pole, a quarter revolution: the angle measured on poses is π minus that angle,
    /// and the neighbouring angles differ by half a revolution.
    fn prescribes_beyond_pole(&self) -> bool {
        let rest = self.rest();
        self.tree.prescribed.iter().any(|p| {
            let measured = self.model.joint(p.joint).coordinates[usize::from(p.coordinate)].1;
            is_beyond_pole(rest.value(p.value).value(), rest.value(measured).value())
        })
    }

    /// Whether any coordinate of a joint, prescribed or not, is an angle beyond its pole.
    pub fn has_angle_beyond_pole(&self) -> bool {
        let pairs = || self.at.q.iter().zip(self.measured_coordinates());
        self.prescribes_beyond_pole() || pairs().any(|(given, measured)| is_beyond_pole(*given, measured))
    }

    /// Whether coordinates are prescribed.
    pub fn is_prescribed(&self) -> bool {
        !self.tree.prescribed.is_empty()
    }

    /// Poses at [`Oracle::measured_coordinates`], which have to equal [`Oracle::poses`].
    pub fn measured_again(&self) -> Vec<f64> {
        let at = OwnedState { q: self.measured_coordinates(), ..self.at.clone() };
        Oracle::from_model(self.model, self.tree, self.parameters, &at).poses()
    }
}

/// World components of the axes of a marker.
fn axes(motion: &PathMechanics<'_>, marker: MarkerId) -> [Vector; 3] {
    [0, 1, 2].map(|k| motion.marker_axis(marker, k).0)
}

/// A point of a body in natural coordinates.
fn mass_point(motion: &PathMechanics<'_>, b: usize, at: [f64; 3]) -> [Motion; 3] {
    let at = at.map(Motion::constant);
    match &motion.poses {
        Poses::Spatial(state) => state.point(b, at.into()).0,
        Poses::Planar(kinematics) => {
            let [x, y] = kinematics.world_sum(&kinematics.body(BodyId(b as u32)).point([at[0], at[1]]));
            [x, y, at[2]]
        }
    }
}

/// Power on a motion of the inertial force of a point mass on a body.
fn inertial_power(moving: &PathMechanics<'_>, motion: &PathMechanics<'_>, b: usize, mass: f64, at: [f64; 3]) -> f64 {
    let acceleration = mass_point(moving, b, at).map(|x| x.derivative(2));
    let velocity = mass_point(motion, b, at).map(|x| x.derivative(1));
    -mass * (0..3).map(|c| acceleration[c] * velocity[c]).sum::<f64>()
}

fn mass(moving: &PathMechanics<'_>, body: &Body) -> f64 {
    moving.value(body.mass).value()
}

/// Whether an expression contains time, or depends on a marker on ground that moves with time.
fn depends_on_time(model: &Model, e: ExprId) -> bool {
    let exprs = &model.exprs;
    let timed = |e: ExprId| exprs.mentions(e).time;
    let moved = |m: MarkerId| {
        let marker = &model.markers[m.index()];
        marker
            .point
            .into_iter()
            .chain([marker.angle])
            .chain(marker.rotation.iter().flatten().flatten().copied())
            .any(timed)
    };
    timed(e)
        || exprs.any(e, &|op| match op {
            Op::Position(m, _) | Op::Direction(m, ..) | Op::Angle(m) => moved(m),
            Op::JointCoordinate(j, k) => {
                let measured = model.joint(j).coordinates[usize::from(k)].1;
                // A coordinate of a declared kind has no expression that measures it.
                !matches!(exprs.op(measured), Op::JointCoordinate(..)) && depends_on_time(model, measured)
            }
            _ => false,
        })
}

/// Gravity \[m/s²\].
fn gravity(moving: &PathMechanics<'_>) -> [f64; 3] {
    let gravity = moving.model.loads.gravity.map(|g| g.map(|e| moving.value(e).value()));
    gravity.unwrap_or([0.0; 3])
}
