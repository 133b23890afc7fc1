//! An extended generated mechanism: a wrapper adds a load, a state, a constraint row and outputs to it.
//!
//! `cargo run --release --example trolley_on_wire`
//!
//! A wheel that rolls on a rail, with two links on its axle, is compiled as [`Trolley`]. [`TrolleyOnWire`] adds air, which
//! exerts F = −k |ẋ| ẋ on the tip and is heated, ż = k |ẋ|³, and constrains the tip to a height c by the row
//! Φ_w = c − y. With h = ∂Φ_w/∂q and Q⁺ the load's generalised force, its equations are those of the trolley, bordered:
//!
//! ```text
//! M a + Gᵀ λ + hᵀ λ_w = Q + Q⁺      G a = γ      h a = γ_w
//! ```
//!
//! The trolley's factorisation of [M Gᵀ; G 0] solves that system for any right-hand side (f, g, g_w):
//!
//! 1. M x₀ + Gᵀ μ₀ = f,   G x₀ = g
//! 2. M x₁ + Gᵀ μ₁ = hᵀ,  G x₁ = 0
//! 3. μ_w = (h x₀ − g_w)/(h x₁),  x = x₀ − μ_w x₁,  μ = μ₀ − μ_w μ₁
//!
//! All of this could be declared as well (a test does, and compares). A wrapper is for items that cannot be declared: a load from
//! another library, a table read at run time, a row with a special law.

use std::cmp::Ordering;

use mbs::runtime::{Condition, Energy, Event, Placement, RowKind, Sizes};
use mbs::{Describe, Error, Eventful, Item, Mechanism, Momenta, Pose, Reaction, Simulation, StateView};
use trolley::{NC, NQ, NV, NZ, index};

mbs::mechanism! {
    /// A wheel that rolls on a rail, and two links that hang from its axle.
    pub planar Trolley {
        gravity: [0, -9.81];
        coordinates: body;
        param radius = 0.1;                                             // m
        param upper_length = 0.5;
        param lower_length = 0.4;
        input push;                                                     // N, on the wheel
        state work = 0 { rate: push * velocity(wheel).x };              // J, of the push

        body wheel { mass: 2, inertia: 0.01, position: [0, radius] }
        body upper { mass: 0.5, inertia: 0.5 * upper_length.powi(2) / 12, com: [0, -upper_length / 2], angle: 0.6 }
        body lower { mass: 0.8, inertia: 0.8 * lower_length.powi(2) / 12, com: [0, -lower_length / 2], angle: -0.7 }
        marker spoke = wheel at [0, radius];
        marker tip = lower at [0, -lower_length];

        joint axle  = revolute(wheel, upper);
        joint elbow = revolute(upper at [0, -upper_length], lower);
        constraint contact = position(wheel).y == radius;
        constraint rolling = velocity(wheel).x + radius * rate(wheel) == 0;     // a velocity row
        force motor = point_force(wheel) { force: [push, 0] };

        initial position(wheel).x = 0, velocity(wheel).x = 0.5, angle(upper) = 0.6, rate(upper) = -1;
        freedoms: 3;
        output travel = position(wheel).x;
    }
}

/// Index of the wire's row: after the position rows of the trolley and before its velocity rows.
pub const WIRE: usize = trolley::N_POSITION;
/// Index of the heat in z: the last.
pub const HEAT: usize = NZ;

/// h x₁ \[1/kg\] is the reciprocal of the effective mass of the tip along the wire's row. Below this, other rows constrain the tip already.
const LEAST_MOBILITY: f64 = 1e-12;

/// A [`Trolley`] in air, with its tip on a horizontal wire.
#[derive(Clone, Debug)]
pub struct TrolleyOnWire {
    /// The wrapped trolley.
    pub trolley: Trolley,
    /// Height c of the wire \[m\].
    pub height: f64,
    /// Air resistance k \[N s²/m²\].
    pub resistance: f64,
    sizes: Sizes,
    tip: usize,
}

impl TrolleyOnWire {
    /// Creates a trolley with its tip constrained to a height \[m\], in air of a resistance ≥ 0 \[N s²/m²\].
    pub fn new(trolley: Trolley, height: f64, resistance: f64) -> Self {
        let sizes = trolley.sizes();
        let tip = (0..sizes.n_markers).position(|i| trolley.name(Item::Marker(i)) == "tip");
        TrolleyOnWire { trolley, height, resistance, sizes, tip: tip.expect("the declaration names a tip") }
    }

    /// From the origin of the lower link to the tip, in world axes.
    fn arm(&self, q: &[f64]) -> [f64; 2] {
        let (sin, cos) = q[index::LOWER_ANGLE].sin_cos();
        let length = self.trolley.params().lower_length;
        [length * sin, -length * cos]
    }

    fn tip_velocity(&self, q: &[f64], v: &[f64]) -> [f64; 2] {
        let (arm, rate) = (self.arm(q), v[index::LOWER_ANGLE]);
        [v[index::LOWER_X] - arm[1] * rate, v[index::LOWER_Y] + arm[0] * rate]
    }

    /// The row h = ∂Φ_w/∂q: the tip has y = y_lower + arm_y.
    fn row(&self, q: &[f64]) -> [f64; NV] {
        let mut row = [0.0; NV];
        row[index::LOWER_Y] = -1.0;
        row[index::LOWER_ANGLE] = -self.arm(q)[0];
        row
    }

    /// γ_w = −ḣ v = arm_xˑ ω, and arm_xˑ = −arm_y ω.
    fn gamma(&self, q: &[f64], v: &[f64]) -> f64 {
        -self.arm(q)[1] * v[index::LOWER_ANGLE] * v[index::LOWER_ANGLE]
    }

    /// Q⁺ = Jᵀ F, the force of the air at the tip.
    fn drag(&self, q: &[f64], v: &[f64]) -> [f64; NV] {
        let (arm, [x, y]) = (self.arm(q), self.tip_velocity(q, v));
        let force = [x, y].map(|component| -self.resistance * x.hypot(y) * component);
        let mut forces = [0.0; NV];
        forces[index::LOWER_X] = force[0];
        forces[index::LOWER_Y] = force[1];
        forces[index::LOWER_ANGLE] = arm[0] * force[1] - arm[1] * force[0];
        forces
    }

    /// The power that the air absorbs, −F·ẋ.
    fn drag_power(&self, at: StateView) -> f64 {
        let [x, y] = self.tip_velocity(at.q, at.v);
        self.resistance * x.hypot(y).powi(3)
    }
}

/// The state of the trolley alone.
fn inner(at: StateView<'_>) -> StateView<'_> {
    StateView { z: &at.z[..NZ], ..at }
}

/// Splits values of rows into those of the trolley and that of the wire.
fn split(rows: &[f64]) -> ([f64; NC], f64) {
    let mut inner = [0.0; NC];
    inner[..WIRE].copy_from_slice(&rows[..WIRE]);
    inner[WIRE..].copy_from_slice(&rows[WIRE + 1..]);
    (inner, rows[WIRE])
}

/// The inverse of [`split`].
fn join(inner: &[f64; NC], wire: f64, rows: &mut [f64]) {
    rows[..WIRE].copy_from_slice(&inner[..WIRE]);
    rows[WIRE] = wire;
    rows[WIRE + 1..].copy_from_slice(&inner[WIRE..]);
}

/// Errors of the trolley refer to its rows by index; after the wire's row the index is one larger.
pub fn renumbered(error: Error) -> Error {
    match error {
        Error::Singular { row, t } if row >= NV + WIRE => Error::Singular { row: row + 1, t },
        other => other,
    }
}

/// A slice of the trait as the array of a generated method.
fn array<const N: usize>(values: &[f64]) -> Result<&[f64; N], Error> {
    values.try_into().map_err(|_| Error::Size { expected: N, found: values.len() })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(sum: &mut [f64], factor: f64, terms: &[f64]) {
    for (sum, term) in sum.iter_mut().zip(terms) {
        *sum += factor * term;
    }
}

impl Mechanism for TrolleyOnWire {
    type Coordinates = [f64; NQ];
    type Speeds = [f64; NV];
    type Multipliers = [f64; NC + 1];
    type Auxiliary = [f64; NZ + 1];
    type Inputs = <Trolley as Mechanism>::Inputs;
    type Scratch = <Trolley as Mechanism>::Scratch; // depends on n_v and n_conditions alone

    fn sizes(&self) -> Sizes {
        let inner = self.sizes;
        Sizes {
            n_c: NC + 1,
            n_position: inner.n_position + 1,
            n_velocity: inner.n_velocity + 1,
            n_z: NZ + 1,
            n_outputs: inner.n_outputs + 2,
            n_markers: inner.n_markers + 1,
            n_joints: inner.n_joints + 1,
            n_forces: inner.n_forces + 1,
            ..inner
        }
    }

    fn storage(
        &self,
    ) -> (Self::Coordinates, Self::Speeds, Self::Multipliers, Self::Auxiliary, Self::Inputs, Self::Scratch) {
        let (q, v, _, _, u, scratch) = self.trolley.storage();
        (q, v, [0.0; NC + 1], [0.0; NZ + 1], u, scratch)
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], z: &mut [f64]) {
        self.trolley.guess(q, v, &mut z[..NZ]);
        z[HEAT] = 0.0;
    }

    /// The accelerations of the trolley alone, and their change by the air and the wire: M x + Gᵀ μ + hᵀ μ_w = Q⁺, G x = 0,
    /// h x = γ_w − h a.
    fn accelerations(&self, at: StateView, a: &mut [f64], lambda: &mut [f64]) -> Result<(), Error> {
        let mut alone = [0.0; NC];
        // The generated method of the same name takes arrays; this is the trait's.
        Mechanism::accelerations(&self.trolley, inner(at), a, &mut alone).map_err(renumbered)?;
        let mut missing = [0.0; NC + 1];
        missing[WIRE] = self.gamma(at.q, at.v) - dot(&self.row(at.q), a);
        let mut x = [0.0; NV];
        let mut mu = [0.0; NC + 1];
        self.solve(at, &self.drag(at.q, at.v), &missing, &mut x, &mut mu)?;
        add(a, 1.0, &x);
        join(&alone, 0.0, lambda);
        add(lambda, 1.0, &mu);
        Ok(())
    }

    /// Steps 1 to 3 of the header, for any right-hand side: projections, assembly and loads call this too. A position stage factorises
    /// once for both solves.
    fn solve(&self, at: StateView, f: &[f64], g: &[f64], x: &mut [f64], mu: &mut [f64]) -> Result<(), Error> {
        let (h, (g, g_wire)) = (self.row(at.q), split(g));
        let position = self.trolley.at_position(at.t, array(at.q)?);
        let (mut x_0, mut mu_0, mut x_1, mut mu_1) = ([0.0; NV], [0.0; NC], [0.0; NV], [0.0; NC]);
        position.solve(array(f)?, &g, &mut x_0, &mut mu_0).map_err(renumbered)?;
        position.solve(&h, &[0.0; NC], &mut x_1, &mut mu_1).map_err(renumbered)?;
        let mobility = dot(&h, &x_1);
        if mobility <= LEAST_MOBILITY {
            return Err(Error::Singular { row: NV + WIRE, t: at.t });
        }
        let mu_wire = (dot(&h, &x_0) - g_wire) / mobility;
        add(&mut x_0, -mu_wire, &x_1);
        add(&mut mu_0, -mu_wire, &mu_1);
        x.copy_from_slice(&x_0);
        join(&mu_0, mu_wire, mu);
        Ok(())
    }

    fn position_residuals(&self, at: StateView, phi: &mut [f64]) {
        let StateView { q, .. } = at;
        self.trolley.position_residuals(inner(at), &mut phi[..WIRE]);
        phi[WIRE] = self.height - (q[index::LOWER_Y] + self.arm(q)[1]);
    }

    fn velocity_residuals(&self, at: StateView, psi: &mut [f64]) {
        let StateView { q, v, .. } = at;
        let mut rows = [0.0; NC];
        self.trolley.velocity_residuals(inner(at), &mut rows);
        join(&rows, dot(&self.row(q), v), psi);
    }

    fn coordinate_rates(&self, t: f64, q: &[f64], v: &[f64], rates: &mut [f64]) {
        self.trolley.coordinate_rates(t, q, v, rates);
    }

    fn normalize(&self, q: &mut [f64]) {
        self.trolley.normalize(q);
    }

    fn auxiliary_rates(&self, at: StateView, rates: &mut [f64]) {
        self.trolley.auxiliary_rates(inner(at), &mut rates[..NZ]);
        rates[HEAT] = self.drag_power(at);
    }

    fn generalized_forces(&self, at: StateView, forces: &mut [f64]) {
        self.trolley.generalized_forces(inner(at), forces);
        add(forces, 1.0, &self.drag(at.q, at.v));
    }

    fn velocity_forces(&self, at: StateView, forces: &mut [f64]) {
        self.trolley.velocity_forces(inner(at), forces);
    }

    /// In body coordinates reactions follow from the rows alone: the wire's reaction on the tip is its multiplier, perpendicular to it.
    fn reactions(&self, at: StateView, a: &[f64], lambda: &[f64], reactions: &mut [Reaction]) {
        let ((rows, wire), n, arm) = (split(lambda), self.sizes.n_joints, self.arm(at.q));
        self.trolley.reactions(inner(at), a, &rows, &mut reactions[..n]);
        let tip = [at.q[index::LOWER_X] + arm[0], at.q[index::LOWER_Y] + arm[1], 0.0];
        reactions[n] = Reaction { point: tip, force: [0.0, wire, 0.0], torque: [0.0; 3] };
    }

    fn energy(&self, at: StateView) -> Energy {
        self.trolley.energy(inner(at))
    }

    fn outputs(&self, at: StateView, a: &[f64], lambda: &[f64], outputs: &mut [f64]) {
        let ((rows, wire), n) = (split(lambda), self.sizes.n_outputs);
        self.trolley.outputs(inner(at), a, &rows, &mut outputs[..n]);
        outputs[n..].copy_from_slice(&[wire, self.drag_power(at)]);
    }

    fn poses(&self, at: StateView, poses: &mut [Pose]) {
        self.trolley.poses(inner(at), poses);
    }

    fn body_jacobians(&self, at: StateView, jacobians: &mut [f64]) {
        self.trolley.body_jacobians(inner(at), jacobians);
    }

    fn initial_condition(&self, condition: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        self.trolley.initial_condition(condition, inner(at), gradient)
    }
}

impl Describe for TrolleyOnWire {
    fn placement(&self, body: usize) -> Option<Placement> {
        self.trolley.placement(body)
    }

    fn row_kind(&self, row: usize) -> RowKind {
        match row.cmp(&WIRE) {
            Ordering::Less => self.trolley.row_kind(row),
            Ordering::Equal => RowKind::Joint(self.sizes.n_joints),
            Ordering::Greater => self.trolley.row_kind(row - 1),
        }
    }

    fn marker_positions(&self, at: StateView, positions: &mut [[f64; 3]]) {
        let n = self.sizes.n_markers;
        self.trolley.marker_positions(inner(at), &mut positions[..n]);
        positions[n] = [0.0, self.height, 0.0];
    }

    fn marker_body(&self, marker: usize) -> Option<usize> {
        if marker < self.sizes.n_markers { self.trolley.marker_body(marker) } else { None }
    }

    /// The wire runs from a marker on ground to the tip; the air has no ends to draw.
    fn ends(&self, item: Item) -> Option<[usize; 2]> {
        match item {
            Item::Joint(i) if i == self.sizes.n_joints => Some([self.sizes.n_markers, self.tip]),
            Item::Force(i) if i == self.sizes.n_forces => None,
            item => self.trolley.ends(item),
        }
    }

    fn name(&self, item: Item) -> &str {
        let inner = self.sizes;
        match item {
            Item::Mechanism => "TrolleyOnWire",
            Item::Row(i) => match i.cmp(&WIRE) {
                Ordering::Less => self.trolley.name(item),
                Ordering::Equal => "wire.normal",
                Ordering::Greater => self.trolley.name(Item::Row(i - 1)),
            },
            Item::Auxiliary(HEAT) => "heat",
            Item::Output(i) if i >= inner.n_outputs => ["wire_force", "drag_power"][i - inner.n_outputs],
            Item::Marker(i) if i == inner.n_markers => "wire.first",
            Item::Joint(i) if i == inner.n_joints => "wire",
            Item::Force(i) if i == inner.n_forces => "drag",
            item => self.trolley.name(item),
        }
    }
}

impl Eventful for TrolleyOnWire {
    fn event(&self, event: usize) -> Event {
        self.trolley.event(event)
    }

    fn event_values(&self, at: StateView, values: &mut [f64]) -> Result<(), Error> {
        self.trolley.event_values(inner(at), values)
    }
}

impl Momenta for TrolleyOnWire {}

#[allow(dead_code)] // tests take the types and not the run
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mechanism = TrolleyOnWire::new(Trolley::new(trolley::Params::default())?, -0.6, 0.8);
    let push = |at: StateView, u: &mut [f64]| u[0] = 3.0 * (2.0 * at.t).sin();
    let recording = Simulation::new(&mechanism).inputs(push).duration(5.0).every(0.01).run()?;

    println!("   t [s]   travel [m]   wire force [N]   T + V [J]   work [J]   heat [J]   T + V + heat − work [J]");
    let (travel, force) = (recording.output("travel")?, recording.output("wire_force")?);
    let (energy, work, heat) = (recording.total_energy(), recording.auxiliary("work")?, recording.auxiliary("heat")?);
    for (i, t) in recording.times().iter().enumerate().step_by(50) {
        let balance = energy[i] + heat[i] - work[i];
        println!(
            "{t:8.2} {:12.5} {:16.4} {:11.5} {:10.5} {:10.5} {balance:25.9}",
            travel[i], force[i], energy[i], work[i], heat[i]
        );
    }
    let miss = recording.position_error().iter().fold(0.0, |worst: f64, miss| worst.max(*miss));
    println!("the rows are kept to {miss:.1e} m");

    recording.write_csv("target/trolley_on_wire.csv")?;
    recording.page().title("Trolley on a wire").write("target/trolley_on_wire.html")?;
    println!("wrote target/trolley_on_wire.html (open it in a browser) and target/trolley_on_wire.csv");
    Ok(())
}
