//! A mechanism written by hand: a disc that rolls on a floor, in space.
//!
//! `cargo run --release --example rolling_disc`
//!
//! The language declares mechanisms in the plane. Assembly, integrators, projection, recordings and reports require the trait
//! [`Mechanism`] alone, so that this one runs in all of them. World axes W are x, y (up) and z; the disc D rotates about its z
//! axis. Coordinates are (p_WC, e), the centre and the unit quaternion of R_WD; speeds are (v_C, ω), the velocity of the
//! centre in world axes and the angular velocity in the disc's: n_q = 7, n_v = 6.
//!
//! 1. q̇ = N(q) v: ṗ_WC = v_C, ė = ½ e ⊗ (0, ω)
//! 2. n = R ẑ, c = n·ŷ, s = √(1 − c²), ρ = −(r/s)(ŷ − c n): the axis, and the arm from the centre to the contact
//! 3. ṅ = R ω × n, ċ = ṅ·ŷ, ρ̇ = (r/s)(ċ n + c ṅ) + (c ċ/s²) ρ
//! 4. ψ = −(v_C + R ω × ρ) along y, x, z: ground minus disc, so that λ is the force of the floor on the disc
//! 5. Φ = r s − y_C: the first row of ψ is its rate; the other two are velocity rows
//! 6. G = [−1, [ρ] R], γ = R ω × ρ̇
//! 7. M = diag(m, m, m, A, A, C), Q = (−m g ŷ; τ ẑ − ω × I ω) with the input τ, a torque about the axis

use std::f64::consts::TAU;

use mbs::nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use mbs::report::Solid;
use mbs::runtime::{Condition, Energy, Level, Sizes};
use mbs::{Describe, Error, Eventful, Item, Mechanism, Momenta, Pose, Simulation, StateView};

const GRAVITY: f64 = 9.81;

/// Points of the rim, which the page draws.
const RIM: [&str; 9] = ["valve", "rim[1]", "rim[2]", "rim[3]", "rim[4]", "rim[5]", "rim[6]", "rim[7]", "rim[8]"];

/// A disc that rolls on the floor y = 0 without slipping, with the state in which it starts.
#[derive(Clone, Debug)]
pub struct RollingDisc {
    /// m \[kg\].
    pub mass: f64,
    /// r \[m\].
    pub radius: f64,
    /// A about a diameter, C about the axis \[kg m²\].
    pub inertia: [f64; 2],
    /// Lean from upright \[rad\]: c = sin lean.
    pub lean: f64,
    /// Ω \[rad/s\], about the vertical: (ŷ − c n)·R ω = s² Ω.
    pub turn: f64,
    /// ω_z \[rad/s\], about the axis.
    pub spin: f64,
}

impl RollingDisc {
    /// I ω in the disc's axes.
    fn angular_momentum(&self, omega: Vector3<f64>) -> Vector3<f64> {
        let [a, c] = self.inertia;
        Vector3::new(a * omega.x, a * omega.y, c * omega.z)
    }

    /// Point i of the rim, in the disc's axes.
    fn rim(&self, i: usize) -> Vector3<f64> {
        let (sin, cos) = (TAU * i as f64 / RIM.len() as f64).sin_cos();
        self.radius * Vector3::new(cos, sin, 0.0)
    }
}

/// Contact of the disc with the floor by equation 2 of the header. Quaternions within a step are not normalised; R(e) is smooth around unit
/// quaternions, which suffices.
struct Contact {
    rotation: Matrix3<f64>,
    axis: Vector3<f64>,
    c: f64,
    s: f64,
    arm: Vector3<f64>,
}

impl Contact {
    fn new(disc: &RollingDisc, q: &[f64]) -> Self {
        let rotation = attitude(q).to_rotation_matrix().into_inner();
        let axis = rotation * Vector3::z();
        let c = axis.y;
        let s = (1.0 - c * c).sqrt();
        Contact { rotation, axis, c, s, arm: -disc.radius / s * (Vector3::y() - c * axis) }
    }

    /// ρ̇, equation 3.
    fn arm_rate(&self, disc: &RollingDisc, v: &[f64]) -> Vector3<f64> {
        let axis_rate = (self.rotation * angular(v)).cross(&self.axis);
        let c_rate = axis_rate.y;
        let rate = disc.radius / self.s * (c_rate * self.axis + self.c * axis_rate);
        rate + self.c * c_rate / (self.s * self.s) * self.arm
    }

    /// \[ρ\] R, the second half of G.
    fn lever(&self) -> Matrix3<f64> {
        self.arm.cross_matrix() * self.rotation
    }
}

fn attitude(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(q[3], q[4], q[5], q[6]))
}

fn linear(v: &[f64]) -> Vector3<f64> {
    Vector3::new(v[0], v[1], v[2])
}

fn angular(v: &[f64]) -> Vector3<f64> {
    Vector3::new(v[3], v[4], v[5])
}

/// A world vector in the order of the rows: y (up) first, since position rows are before velocity rows.
fn to_rows(world: Vector3<f64>) -> [f64; 3] {
    [world.y, world.x, world.z]
}

fn from_rows(rows: &[f64]) -> Vector3<f64> {
    Vector3::new(rows[1], rows[0], rows[2])
}

impl Mechanism for RollingDisc {
    type Coordinates = [f64; 7];
    type Speeds = [f64; 6];
    type Multipliers = [f64; 3];
    type Auxiliary = [f64; 1];
    type Inputs = [f64; 1];
    type Scratch = [f64; 33]; // n_conditions (n_v + n_conditions + 2)

    fn sizes(&self) -> Sizes {
        Sizes {
            n_q: 7,
            n_v: 6,
            n_c: 3,
            n_position: 1,
            n_velocity: 3,
            n_z: 1,
            n_u: 1,
            n_outputs: 5,
            n_bodies: 1,
            n_markers: RIM.len(),
            n_conditions: 3,
            ..Sizes::default()
        }
    }

    fn storage(&self) -> ([f64; 7], [f64; 6], [f64; 3], [f64; 1], [f64; 1], [f64; 33]) {
        ([0.0; 7], [0.0; 6], [0.0; 3], [0.0], [0.0], [0.0; 33])
    }

    /// Upright and at rest: assembly finds the attitude, the height of the centre and the speeds.
    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
        q.copy_from_slice(&[0.0, self.radius, 0.0, 1.0, 0.0, 0.0, 0.0]);
        v.fill(0.0);
        z.fill(0.0);
    }

    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let contact = Contact::new(self, at.q);
        let gamma = (contact.rotation * angular(at.v)).cross(&contact.arm_rate(self, at.v));
        let mut forces = [0.0; 6];
        self.generalized_forces(at, &mut forces);
        self.solve(at, &forces, &to_rows(gamma), a, lambda)
    }

    /// M x = f − Gᵀ μ into G x = g: (G M⁻¹ Gᵀ) μ = G M⁻¹ f − g with G M⁻¹ Gᵀ = 1/m + [ρ] R I⁻¹ Rᵀ [ρ]ᵀ, positive definite.
    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let StateView { t, q, .. } = at;
        let lever = Contact::new(self, q).lever();
        let [a, c] = self.inertia;
        let inverse = Matrix3::from_diagonal(&Vector3::new(1.0 / a, 1.0 / a, 1.0 / c));
        let schur = Matrix3::identity() / self.mass + lever * inverse * lever.transpose();
        let right = lever * inverse * angular(f) - linear(f) / self.mass - from_rows(g);
        // If the disc lies flat, s = 0, every point of its rim is in contact and ρ is not a number.
        let force = schur.cholesky().map(|factor| factor.solve(&right)).filter(|force| force.norm().is_finite());
        let force = force.ok_or(Error::Singular { row: 6, t })?;
        x[..3].copy_from_slice(((linear(f) + force) / self.mass).as_slice());
        x[3..].copy_from_slice((inverse * (angular(f) - lever.transpose() * force)).as_slice());
        mu.copy_from_slice(&to_rows(force));
        Ok(())
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let StateView { q, .. } = at;
        phi[0] = self.radius * Contact::new(self, q).s - q[1];
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let StateView { q, v, .. } = at;
        psi.copy_from_slice(&to_rows(Contact::new(self, q).lever() * angular(v) - linear(v)));
    }

    fn coordinate_rates(&self, _t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        let rate = attitude(q).into_inner() * Quaternion::from_imag(0.5 * angular(v));
        rates[..3].copy_from_slice(&v[..3]);
        rates[3..].copy_from_slice(&[rate.w, rate.i, rate.j, rate.k]);
    }

    fn normalize(&self, q: &mut [f64]) {
        let length = attitude(q).norm();
        q[3..].iter_mut().for_each(|e| *e /= length);
    }

    /// The work of the input: ż = τ ω_z.
    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        rates[0] = at.u[0] * at.v[5];
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        let omega = angular(at.v);
        let torque = Vector3::new(0.0, 0.0, at.u[0]) - omega.cross(&self.angular_momentum(omega));
        forces[..3].copy_from_slice(&[0.0, -self.mass * GRAVITY, 0.0]);
        forces[3..].copy_from_slice(torque.as_slice());
    }

    fn energy(&self, at: StateView) -> Energy {
        let (v, omega) = (linear(at.v), angular(at.v));
        let kinetic = 0.5 * (self.mass * v.norm_squared() + omega.dot(&self.angular_momentum(omega)));
        Energy { kinetic, potential: self.mass * GRAVITY * at.q[1] }
    }

    /// Position of the contact, the lean, the normal force of the floor, and the least coefficient of friction for its force.
    fn outputs(&self, at: StateView, _a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        let contact = Contact::new(self, at.q);
        let (x, z) = (at.q[0] + contact.arm.x, at.q[2] + contact.arm.z);
        let friction = lambda[1].hypot(lambda[2]) / lambda[0];
        outputs.copy_from_slice(&[x, z, contact.c.asin(), lambda[0], friction]);
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        let StateView { q, .. } = at;
        poses[0] = Pose { position: [q[0], q[1], q[2]], attitude: [q[3], q[4], q[5], q[6]] };
    }

    /// Velocity of the centre: the first three speeds. Angular velocity in world axes: R ω.
    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        let StateView { q, .. } = at;
        let rotation = Contact::new(self, q).rotation;
        jacobians.fill(0.0);
        for i in 0..3 {
            jacobians[6 * i + i] = 1.0;
            for j in 0..3 {
                jacobians[6 * (3 + i) + 3 + j] = rotation[(i, j)];
            }
        }
    }

    /// Conditions of lean, turn and spin. With w = Rᵀ ŷ: c = w_z, ∂c/∂δ = (0; ẑ × w), (ŷ − c n)·R ω = w_x ω_x + w_y ω_y.
    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        let w = Contact::new(self, at.q).rotation.tr_mul(&Vector3::y());
        let (level, residual, row) = match condition {
            0 => (Level::Position, w.z - self.lean.sin(), [-w.y, w.x, 0.0]),
            1 => {
                let square = w.x * w.x + w.y * w.y;
                (Level::Velocity, w.x * at.v[3] + w.y * at.v[4] - square * self.turn, [w.x, w.y, 0.0])
            }
            _ => (Level::Velocity, at.v[5] - self.spin, [0.0, 0.0, 1.0]),
        };
        gradient[..3].fill(0.0);
        gradient[3..].copy_from_slice(&row);
        Condition { residual, level }
    }
}

impl Describe for RollingDisc {
    fn is_spatial(&self) -> bool {
        true
    }

    fn marker_positions(&self, at: StateView, positions: &mut [[f64; 3]]) {
        let StateView { q, .. } = at;
        for (i, position) in positions.iter_mut().enumerate() {
            *position = (linear(q) + attitude(q) * self.rim(i)).into();
        }
    }

    fn marker_body(&self, _marker: usize) -> Option<usize> {
        Some(0)
    }

    fn name(&self, item: Item) -> &str {
        match item {
            Item::Mechanism => "RollingDisc",
            Item::Coordinate(i) => ["disc.x", "disc.y", "disc.z", "disc.e0", "disc.e1", "disc.e2", "disc.e3"][i],
            Item::Speed(i) => ["disc.vx", "disc.vy", "disc.vz", "disc.omega_x", "disc.omega_y", "disc.omega_z"][i],
            Item::Row(i) => ["floor.normal", "floor.x", "floor.z"][i],
            Item::Auxiliary(_) => "work",
            Item::Input(_) => "push",
            Item::Output(i) => ["contact.x", "contact.z", "lean", "normal_force", "friction"][i],
            Item::Body(_) => "disc",
            Item::Marker(i) => RIM[i],
            Item::Condition(i) => ["lean", "turn", "spin"][i],
            _ => "",
        }
    }
}

impl Eventful for RollingDisc {}
impl Momenta for RollingDisc {}

#[allow(dead_code)] // tests take the type and not the run
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let disc = RollingDisc { mass: 2.0, radius: 0.3, inertia: [0.045, 0.09], lean: 0.3, turn: 0.5, spin: -6.0 };
    let recording = Simulation::new(&disc).duration(6.0).every(0.01).run()?;

    println!("   t [s]   contact x, z [m]     lean [rad]   force [N]   friction   energy [J]   |e|² − 1");
    let output = |name| recording.output(name);
    let (x, z, lean) = (output("contact.x")?, output("contact.z")?, output("lean")?);
    let (force, friction, energy) = (output("normal_force")?, output("friction")?, recording.total_energy());
    let attitudes = &recording.body("disc")?.attitudes;
    for (i, t) in recording.times().iter().enumerate().step_by(60) {
        let miss = attitudes[i].iter().map(|e| e * e).sum::<f64>() - 1.0;
        println!(
            "{t:8.2} {:9.5} {:9.5} {:13.5} {:11.4} {:10.4} {:12.8} {miss:10.1e}",
            x[i], z[i], lean[i], force[i], friction[i], energy[i]
        );
    }
    recording.write_csv("target/rolling_disc.csv")?;
    let (wheel, axle) = (Solid::cylinder("disc", disc.radius, 0.02), Solid::cylinder("disc", 0.02, 0.12));
    let page = recording.page().title("Rolling disc").up([0.0, 1.0, 0.0]).solids([wheel, axle])?.trace("valve")?;
    page.write("target/rolling_disc.html")?;
    println!("wrote target/rolling_disc.html and target/rolling_disc.csv");
    Ok(())
}
