//! Motions of bodies: velocities as derivatives of positions and axes, and masses and loads along a motion.

use std::f64::consts::TAU;

use mbs_core::rotation::quaternion_of;
use mbs_expr::{BodyId, ExprId, JointId, MarkerId, Op, Scalar};
use mbs_model::{Body, BodyKind, Load, Model};
use mbs_physics::{InterfaceCoordinate, Tree};

use super::{Along, Motion, Oracle, Path, REST};
use crate::frame::parameters;
use crate::state::At;
use crate::world::{angular_velocity, cross, dot};

/// World components.
type Vector = [Motion; 3];

/// Whether an elevation or middle angle has passed a quarter revolution; the angle measured on poses never does.
fn is_beyond_pole(angle: f64, measured: f64) -> bool {
    let [(sin, cos), (measured_sin, measured_cos)] = [angle, measured].map(f64::sin_cos);
    cos < 0.0 && (sin - measured_sin).abs() < 1e-9 && (cos + measured_cos).abs() < 1e-9
}

/// Rate of a point.
fn velocity(along: &Along<'_>, marker: MarkerId) -> [f64; 3] {
    along.marker_point(marker).map(|x| x.derivative(1)).0
}

impl Oracle<'_> {
    fn axes(along: &Along<'_>, marker: MarkerId) -> [Vector; 3] {
        [0, 1, 2].map(|k| along.marker_axis(marker, k).0)
    }

    /// ω of a marker's body: ½ Σ e × ė, in the plane the rate of its angle.
    fn turning(&self, along: &Along<'_>, marker: MarkerId) -> Vector {
        let zero = Motion::constant(0.0);
        if !self.is_spatial() {
            let is_natural = |b: &BodyId| self.model.natural.basis(*b).is_some();
            if let Some(b) = self.model.markers[marker.index()].body.filter(is_natural) {
                // Rate of the body's own x axis: where its axes are skew, others rotate at other rates.
                let [x, y, _] = along.marker_axis(self.model.bodies[b.index()].origin_marker, 0).0;
                return [zero, zero, x * y.rate() - y * x.rate()];
            }
            return [zero, zero, along.marker_angle(marker).rate()];
        }
        let body = self.model.markers[marker.index()].body;
        let Some((b, line)) = body.and_then(|b| Some((b.index(), self.line(b.index())?))) else {
            return angular_velocity(&Self::axes(along, marker));
        };
        // A bar rotates with its line.
        let com = self.model.bodies[b].com.map(|e| self.rest().value(e).value());
        let [end, start] = [line, [0.0; 3]].map(|r| self.lump(along, b, [0, 1, 2].map(|k| com[k] + r[k])));
        let d = [0, 1, 2].map(|k| end[k] - start[k]);
        let line = line.map(Motion::constant);
        cross(d, d.map(Scalar::rate)).map(|x| x / dot(line, line))
    }

    /// The direction that places a bar, in its axes.
    fn line(&self, b: usize) -> Option<[f64; 3]> {
        let basis = self.model.natural.basis(BodyId(b as u32)).filter(|_| self.is_spatial())?;
        basis.bar_direction(&|e| self.rest().value(e).value())
    }

    /// I ω of a body about its centre of mass.
    fn spin(&self, along: &Along<'_>, body: &Body) -> Vector {
        let omega = self.turning(along, body.origin_marker);
        let [xx, yy, zz, xy, xz, yz] = body.inertia.map(|e| along.value(e));
        if !self.is_spatial() {
            return [omega[0], omega[1], zz * omega[2]];
        }
        let axes = Self::axes(along, body.origin_marker);
        let own = axes.map(|e| dot(e, omega));
        let own = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]].map(|row| dot(row, own));
        [0, 1, 2].map(|c| own[0] * axes[0][c] + own[1] * axes[1][c] + own[2] * axes[2][c])
    }

    /// Point masses equivalent to a body in natural coordinates: its mass, and its second moments. In the plane half of its moment of
    /// inertia is along either axis; for a bar, the moment across its line is represented by a pair on that line.
    fn lumps(&self, b: usize) -> Option<Vec<(f64, [f64; 3])>> {
        self.model.natural.basis(BodyId(b as u32))?;
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
        let (along, mixed) = match self.is_spatial() {
            false => ([0.5 * zz, 0.5 * zz, 0.0], [0.0; 3]),
            true => {
                let half = 0.5 * (xx + yy + zz);
                ([half - xx, half - yy, half - zz], [-yz, -xz, -xy])
            }
        };
        // A pair of masses w at ±u has the second moments 2 w u uᵀ.
        let single = |k: usize| {
            (along[k] - mixed[(k + 1) % 3] - mixed[(k + 2) % 3], [0, 1, 2].map(|i| f64::from(u8::from(i == k))))
        };
        let double = |k: usize| (mixed[k], [0, 1, 2].map(|i| f64::from(u8::from(i != k))));
        let pairs = (0..3).map(single).chain((0..3).map(double));
        let mut lumps = vec![(mass, com)];
        for (moment, u) in pairs {
            lumps[0].0 -= moment;
            lumps.extend([1.0, -1.0].map(|sign| (0.5 * moment, [0, 1, 2].map(|k| com[k] + sign * u[k]))));
        }
        Some(lumps)
    }

    /// A point of a body in natural coordinates.
    fn lump(&self, along: &Along<'_>, b: usize, at: [f64; 3]) -> [Motion; 3] {
        let at = at.map(Motion::constant);
        if self.is_spatial() {
            return along.space.point(b, at.into()).0;
        }
        let [x, y] = along.kinematics.world_sum(&along.kinematics.body(BodyId(b as u32)).point([at[0], at[1]]));
        [x, y, at[2]]
    }

    /// M, row-major.
    pub fn mass_matrix(&self) -> Vec<f64> {
        let n = self.n();
        let mut sum = vec![0.0; n * n];
        for (b, body) in self.model.bodies.iter().enumerate() {
            if let Some(lumps) = self.lumps(b) {
                for (mass, at) in lumps {
                    let velocity = |along: &Along<'_>| self.lump(along, b, at).map(|x| x.derivative(1));
                    let columns: Vec<[f64; 3]> = self.columns().iter().map(velocity).collect();
                    for (k, sum) in sum.iter_mut().enumerate() {
                        *sum += (0..3).map(|c| mass * columns[k / n][c] * columns[k % n][c]).sum::<f64>();
                    }
                }
                continue;
            }
            let mass = self.rest().value(body.mass).value();
            let of = |along: &Along<'_>| {
                let (turn, spin) = (self.turning(along, body.com_marker), self.spin(along, body));
                (velocity(along, body.com_marker), turn.map(Motion::value), spin.map(Motion::value))
            };
            // Without the contribution of time alone.
            let less = |x: [f64; 3], y: [f64; 3]| [0, 1, 2].map(|c| x[c] - y[c]);
            let still = of(self.rest());
            let own = |along| {
                let (v, turn, spin) = of(along);
                (less(v, still.0), less(turn, still.1), less(spin, still.2))
            };
            let columns: Vec<_> = self.columns().iter().map(own).collect();
            for (k, sum) in sum.iter_mut().enumerate() {
                let ((v, turn, _), (w, _, spin)) = (&columns[k / n], &columns[k % n]);
                *sum += (0..3).map(|c| mass * v[c] * w[c] + turn[c] * spin[c]).sum::<f64>();
            }
        }
        sum
    }

    /// Gravity \[m/s²\].
    fn gravity(&self) -> [f64; 3] {
        let gravity = self.model.gravity.map(|g| g.map(|e| self.moving().value(e).value()));
        gravity.unwrap_or([0.0; 3])
    }

    /// Q.
    pub fn generalized_forces(&self) -> Vec<f64> {
        let loads = self.along_columns(&|along| {
            let power = |load: &Load| self.power(load, along);
            let weight = |body: &Body| self.pull(body, along, self.gravity().map(|g| self.mass(body) * g), [0.0; 3]);
            let forces = self.model.forces.iter().flat_map(|f| &f.loads);
            forces.map(power).sum::<f64>() + self.model.bodies.iter().map(weight).sum::<f64>()
        });
        loads.iter().zip(self.velocity_forces()).map(|(load, inertial)| load + inertial).collect()
    }

    /// Q without any load.
    pub fn velocity_forces(&self) -> Vec<f64> {
        let inertial = |body: &Body| {
            let force = self.moving().marker_point(body.com_marker).map(|x| -self.mass(body) * x.derivative(2));
            (force.0, self.spin(self.moving(), body).map(|x| -x.derivative(1)))
        };
        let inertial: Vec<_> = self.model.bodies.iter().map(inertial).collect();
        self.along_columns(&|along| {
            let bodies = self.model.bodies.iter().zip(&inertial).enumerate();
            let power = |(b, (body, (force, moment))): (usize, (&Body, &([f64; 3], [f64; 3])))| match self.lumps(b) {
                Some(lumps) => lumps.into_iter().map(|(mass, at)| self.inertial_power(along, b, mass, at)).sum(),
                None => self.pull(body, along, *force, *moment),
            };
            bodies.map(power).sum()
        })
    }

    /// Power along a motion of the inertial force of a point mass on a body.
    fn inertial_power(&self, along: &Along<'_>, b: usize, mass: f64, at: [f64; 3]) -> f64 {
        let acceleration = self.lump(self.moving(), b, at).map(|x| x.derivative(2));
        let velocity = self.lump(along, b, at).map(|x| x.derivative(1));
        -mass * (0..3).map(|c| acceleration[c] * velocity[c]).sum::<f64>()
    }

    /// Coefficients of the speeds in a quantity that is affine in them.
    fn along_columns(&self, of: &dyn Fn(&Along<'_>) -> f64) -> Vec<f64> {
        let rest = of(self.rest());
        self.columns().iter().map(|column| of(column) - rest).collect()
    }

    fn mass(&self, body: &Body) -> f64 {
        self.moving().value(body.mass).value()
    }

    /// Power along a motion of a force at a body's centre of mass and of a moment on the body.
    fn pull(&self, body: &Body, along: &Along<'_>, force: [f64; 3], moment: [f64; 3]) -> f64 {
        let (v, turn) = (velocity(along, body.com_marker), self.turning(along, body.com_marker));
        (0..3).map(|c| force[c] * v[c] + moment[c] * turn[c].value()).sum()
    }

    /// Power along a motion of a load with its value at the state; functions of time contribute as well.
    fn power(&self, load: &Load, along: &Along<'_>) -> f64 {
        let number = |e: ExprId| self.moving().value(e).value();
        match *load {
            Load::Force { at, force } => (0..3).map(|c| number(force[c]) * velocity(along, at)[c]).sum(),
            Load::Torque { on, torque } => {
                let turn = self.turning(along, on);
                (0..3).map(|c| number(torque[c]) * turn[c].value()).sum()
            }
            Load::Generalized { coordinate, value } => number(value) * along.value(coordinate).derivative(1),
            Load::Potential(potential) => -along.value(potential).derivative(1),
        }
    }

    /// Whether an expression contains time, or observes a marker on ground that moves with time.
    fn holds_time(&self, e: ExprId) -> bool {
        let (model, exprs) = (self.model, &self.model.exprs);
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
                    !matches!(exprs.op(measured), Op::JointCoordinate(..)) && self.holds_time(measured)
                }
                _ => false,
            })
    }

    /// The model with prescribed coordinates fixed at their values, and its tree.
    fn held(&self) -> (Model, Tree) {
        let mut model = self.model.clone();
        let Model { equations, exprs, .. } = &mut model;
        for given in equations.iter_mut().filter_map(|equation| equation.prescribes.as_mut()) {
            given.value = exprs.constant(self.rest().value(given.value).value());
        }
        let tree = self.tree.with_same_placements(&model).without_rows(self.tree.redundant.clone());
        (model, tree)
    }

    /// Potentials of all forces, zero for forces without one, and their powers: of loads along the motion, without the part due to time in
    /// an expression.
    pub fn force_energies(&self) -> [Vec<f64>; 2] {
        let (model, tree) = self.held();
        let held = Oracle::of(&model, &tree, self.parameters, self.at);
        let power = |load: &Load| match *load {
            Load::Generalized { coordinate: e, .. } | Load::Potential(e) if self.holds_time(e) => {
                self.power(load, self.moving()) - self.power(load, held.rest())
            }
            _ => self.power(load, self.moving()),
        };
        let forces = &self.model.forces;
        let potential = |f: &mbs_model::Force| f.potential.map_or(0.0, |e| self.moving().value(e).value());
        [forces.iter().map(potential).collect(), forces.iter().map(|f| f.loads.iter().map(power).sum()).collect()]
    }

    /// Power of gravity.
    pub fn gravity_power(&self) -> f64 {
        let g = self.gravity();
        let power = |body: &Body| self.pull(body, self.moving(), g.map(|g| self.mass(body) * g), [0.0; 3]);
        self.model.bodies.iter().map(power).sum()
    }

    /// Linear momentum and angular momentum about the world origin: x, y and z of each, in the plane x, y and the last z.
    pub fn momentum(&self) -> Vec<f64> {
        let moving = self.moving();
        let mut sum = [0.0; 6];
        for (b, body) in self.model.bodies.iter().enumerate() {
            if let Some(lumps) = self.lumps(b) {
                for (m, at) in lumps {
                    let p = self.lump(moving, b, at);
                    let v = p.map(Scalar::rate);
                    let moment = cross(p, v);
                    for c in 0..3 {
                        sum[c] += m * v[c].value();
                        sum[3 + c] += m * moment[c].value();
                    }
                }
                continue;
            }
            let (m, p) = (self.mass(body), moving.marker_point(body.com_marker));
            let v = p.map(Scalar::rate);
            let (moment, spin) = (cross(p.0, v.0), self.spin(moving, body));
            for c in 0..3 {
                sum[c] += m * v[c].value();
                sum[3 + c] += m * moment[c].value() + spin[c].value();
            }
        }
        if self.is_spatial() { sum.to_vec() } else { vec![sum[0], sum[1], sum[5]] }
    }

    /// Origins, in the plane with angles, in space with rotation matrices row by row.
    fn pose_series(&self, along: &Along<'_>) -> Vec<Motion> {
        let pose = |(b, body): (usize, &Body)| {
            let origin = along.marker_point(body.origin_marker);
            if !self.is_spatial() {
                return vec![origin[0], origin[1], along.kinematics.angle(BodyId(b as u32))];
            }
            let axes = Self::axes(along, body.origin_marker);
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
        let poses = self.pose_series(&self.along(&Path { v: &self.at.v, a, ..REST }));
        [1, 2].map(|k| poses.iter().map(|x| x.derivative(k)).collect())
    }

    /// Twist Jacobians: velocity of the origin and ω for each body, n_v columns; x, y and the angle in the plane.
    pub fn body_jacobians(&self) -> Vec<f64> {
        // Without the contribution of time alone.
        let still = self.twists_at_rest();
        let own = |along| self.twists(along).iter().zip(&still).map(|(x, y)| x - y).collect();
        let columns: Vec<Vec<f64>> = self.columns().iter().map(own).collect();
        let rows = columns.first().map_or(0, Vec::len);
        (0..rows).flat_map(|row| columns.iter().map(move |c| c[row])).collect()
    }

    fn twists(&self, along: &Along<'_>) -> Vec<f64> {
        let of = |body: &Body| {
            let (v, turn) = (velocity(along, body.origin_marker), self.turning(along, body.origin_marker));
            let all = [v, turn.map(Motion::value)].concat();
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
            if k < 3 { pose[k] } else { parameters(attitude, quaternion_of(rows))[k - 3] }
        };
        let coordinate = |(i, c): (usize, &InterfaceCoordinate)| match *c {
            InterfaceCoordinate::Body(b, k) => of_body(b, usize::from(k)),
            InterfaceCoordinate::Joint(j, k) => {
                let joint = self.model.joint(j);
                let measured = rest.value(joint.coordinates[usize::from(k)].1).value();
                // Each revolution of a screw advances it.
                let turns =
                    if k == 0 && joint.kind_name == "screw" { ((self.at.q[i] - measured) / TAU).round() } else { 0.0 };
                measured + TAU * turns
            }
            InterfaceCoordinate::Algebraic(_)
            | InterfaceCoordinate::Basic(..)
            | InterfaceCoordinate::ContinuousAngle(_) => self.at.q[i],
        };
        self.tree.interface.iter().enumerate().map(coordinate).collect()
    }

    /// Whether a prescribed elevation or middle angle is beyond its pole, a quarter revolution: measured on poses it is π less that, and
    /// the neighbouring angles are half a revolution off.
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
        self.prescribes_beyond_pole() || pairs().any(|(own, measured)| is_beyond_pole(*own, measured))
    }

    /// Whether coordinates are prescribed.
    pub fn is_prescribed(&self) -> bool {
        !self.tree.prescribed.is_empty()
    }

    /// Poses at [`Oracle::measured_coordinates`]: the same poses again.
    pub fn measured_again(&self) -> Vec<f64> {
        let at = At { q: self.measured_coordinates(), ..self.at.clone() };
        Oracle::of(self.model, self.tree, self.parameters, &at).poses()
    }
}
