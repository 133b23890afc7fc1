//! The equations of a mechanism from truncated Taylor series of the model. No symbols are used, no derivative rules except those of products and
//! elementary functions, and none of the formulas of `mechanics/dynamics.rs` and `mechanics/space/dynamics.rs`.
//!
//! With q̇ = N(q) v, v(τ) = v + a τ and t(τ) = t + τ, in the plane q(τ) = q + v τ + ½ a τ², every expression of the model becomes a series;
//! its coefficients are the rates. Time always advances, since an expression may contain rates of functions of time; the part that is
//! linear in speeds is the difference to rest:
//!
//! ```text
//! (1)  Φ = value            ψ = Φ̇ (or Ψ)          γ = −Φ̈ (or −Ψ̇) at a = 0         ν = −ψ at v = 0
//! (2)  ∂ẋ/∂vⱼ = ẋ(v = eⱼ) − ẋ(v = 0)               G: ψ(v = eⱼ) − ψ(v = 0)
//! (3)  Mᵢⱼ = Σ_b m_b ∂ṗ_b/∂vᵢ·∂ṗ_b/∂vⱼ + ∂ω_b/∂vᵢ·∂L_b/∂vⱼ, p_b the centre of mass, L_b = I_b ω_b about it
//! (4)  Qᵢ = Σ_b m_b (g − p̈_b)·∂ṗ_b/∂vᵢ − L̇_b·∂ω_b/∂vᵢ + Σ loads, p̈_b and L̇_b at a = 0
//! ```
//!
//! In space q(τ) follows coefficient by coefficient; N, and the speeds in which the model's recursions are written, are taken from the
//! model. Velocities are derivatives of positions, and angular velocities those of axes, ω = ½ Σ e × ė. Results of the recursions for either are
//! contained in expressions only.

mod bodies;

use std::cell::OnceCell;

use mbs_definition::Space;
use mbs_expr::{ExprId, JointId, Op, Scalar, Series};
use mbs_interp::Interpreted;
use mbs_model::{InitialCondition, Model, Row, RowLevel};
use mbs_physics::{Mechanics, Tree, Variables};

use crate::matrix::unit;
use crate::state::OwnedState;

/// Taylor series with coefficients for three derivatives of a motion, whose expressions contain two nested rates at most, except in functions of
/// time: one scalar for all laws, because rustc compiles the physics for each.
pub type Motion = Series<4>;

type PathMechanics<'m> = Mechanics<'m, Motion>;

/// A mechanism at one state.
pub struct Oracle<'m> {
    model: &'m Model,
    tree: &'m Tree,
    parameters: &'m [f64],
    at: &'m OwnedState,
    rest: OnceCell<PathMechanics<'m>>,
    moving: OnceCell<PathMechanics<'m>>,
    columns: OnceCell<Vec<PathMechanics<'m>>>,
    still: OnceCell<PathMechanics<'m>>,
    drift: OnceCell<Vec<Vec<f64>>>,
}

/// Motion of q, t and z from a state, with multipliers.
struct Path<'a> {
    v: &'a [f64],
    a: &'a [f64],
    /// Rates of z, lowest order first.
    z: &'a [Vec<f64>],
    lambda: &'a [f64],
    /// Highest rates of coordinates that are needed.
    order: usize,
}

/// Rest, with third rates, which the rates of accelerations need.
const REST: Path<'static> = Path { v: &[], a: &[], z: &[], lambda: &[], order: 3 };

fn constants(values: &[f64]) -> Vec<Motion> {
    values.iter().map(|x| Series::constant(*x)).collect()
}

/// Whether G of a row is a difference of values at two accelerations, not at two speeds.
pub fn needs_accelerations(model: &Model, row: &Row) -> bool {
    row.level == RowLevel::Acceleration || model.row_reads_speeds(row)
}

impl<'m> Oracle<'m> {
    /// Creates the oracle of a compiled mechanism that is interpreted, with its parameters.
    pub fn new(interpreted: &'m Interpreted, at: &'m OwnedState) -> Self {
        let compiled = interpreted.compiled();
        Self::from_model(&compiled.model, &compiled.tree, interpreted.parameters(), at)
    }

    /// Creates the oracle of a model in coordinates, at flat parameters.
    pub fn from_model(model: &'m Model, tree: &'m Tree, parameters: &'m [f64], at: &'m OwnedState) -> Self {
        let [rest, moving, still] = [OnceCell::new(), OnceCell::new(), OnceCell::new()];
        let (columns, drift) = (OnceCell::new(), OnceCell::new());
        Oracle { model, tree, parameters, at, rest, moving, columns, still, drift }
    }

    /// One oracle for each state.
    pub fn all(interpreted: &'m Interpreted, states: &'m [OwnedState]) -> Vec<Self> {
        states.iter().map(|at| Self::new(interpreted, at)).collect()
    }

    /// The state.
    pub fn state(&self) -> &'m OwnedState {
        self.at
    }

    fn n(&self) -> usize {
        self.tree.n()
    }

    fn is_spatial(&self) -> bool {
        self.model.space == Space::Spatial
    }

    fn mechanics_on(&self, path: &Path<'_>) -> PathMechanics<'m> {
        let or_zero = |values: &[f64], i: usize| values.get(i).copied().unwrap_or(0.0);
        let mut multipliers = constants(path.lambda);
        multipliers.resize(self.tree.rows.len(), Series::constant(0.0));
        let z = self.at.z.iter().enumerate();
        let z = z.map(|(i, z)| series(std::iter::once(*z).chain(path.z.iter().map(|rates| or_zero(rates, i)))));
        let variables = Variables {
            t: Series::linear(self.at.t, 1.0),
            parameters: constants(self.parameters),
            inputs: constants(&self.at.u),
            auxiliary: z.collect(),
            multipliers,
            reactions: Vec::new(),
            prescribed: Vec::new(),
        };
        let v: Vec<Motion> = (0..self.n()).map(|i| series([or_zero(path.v, i), or_zero(path.a, i)])).collect();
        if self.is_spatial() {
            return self.spatial_mechanics_on(variables, path, &v);
        }
        let q = PathMechanics::planar_path(self.model, self.tree, &variables, &constants(&self.at.q), &v, path.order);
        Mechanics::at_interface_coordinates(self.model, self.tree, variables, &q)
    }

    /// Mechanics on a spatial path, with the user's speeds v(τ).
    fn spatial_mechanics_on(&self, variables: Variables<Motion>, path: &Path<'_>, v: &[Motion]) -> PathMechanics<'m> {
        let (model, tree) = (self.model, self.tree);
        if path.v.is_empty() {
            let rest = vec![Series::constant(0.0); self.n()];
            return Mechanics::at_spatial_state(model, tree, variables, constants(&self.at.q), [&rest, &rest]);
        }
        let [q, speeds] = PathMechanics::spatial_path(model, tree, &variables, &constants(&self.at.q), v, path.order);
        let accelerations: Vec<Motion> = speeds.iter().map(|v| v.rate()).collect();
        Mechanics::at_spatial_state(model, tree, variables, q, [&speeds, &accelerations])
    }

    /// Mechanics at rest: q is fixed while time advances.
    fn rest(&self) -> &PathMechanics<'m> {
        self.rest.get_or_init(|| self.mechanics_on(&REST))
    }

    /// Mechanics as `rest`, with auxiliary states that advance, too, where rows depend on them.
    fn still(&self) -> &PathMechanics<'m> {
        match self.drift() {
            [] => self.rest(),
            z => self.still.get_or_init(|| self.mechanics_on(&Path { z, ..REST })),
        }
    }

    /// ż, z̈, z⃛ on the motion at a = 0, where rows depend on auxiliary states; these rates contain neither inputs nor, in rows of positions,
    /// speeds.
    fn drift(&self) -> &[Vec<f64>] {
        let rows_read_states = self.model.positions_read_states();
        self.drift.get_or_init(|| if rows_read_states { self.auxiliary_motion(&[]) } else { Vec::new() })
    }

    /// Mechanics at speeds v, while time and auxiliary states advance.
    fn moving(&self) -> &PathMechanics<'m> {
        self.moving.get_or_init(|| self.mechanics_on(&Path { v: &self.at.v, z: self.drift(), ..REST }))
    }

    /// Mechanics at speeds eⱼ, one for each speed, to first order.
    fn columns(&self) -> &[PathMechanics<'m>] {
        let column = |j| self.mechanics_on(&Path { v: &unit(self.n(), j), z: self.drift(), order: 1, ..REST });
        self.columns.get_or_init(|| (0..self.n()).map(column).collect())
    }

    /// A value of a row; zero while the row is off.
    fn zero_if_off(&self, row: &Row, number: impl FnOnce() -> f64) -> f64 {
        let is_off = row.enabled.is_some_and(|enabled| self.rest().value(enabled).value() != 1.0);
        if is_off { 0.0 } else { number() }
    }

    /// Φ.
    pub fn position_residuals(&self) -> Vec<f64> {
        let rows = self.tree.rows.iter().filter(|r| r.level == RowLevel::Position);
        rows.map(|r| self.zero_if_off(r, || self.still().value(r.residual).value())).collect()
    }

    /// ψ on a motion.
    fn psi(&self, motion: &PathMechanics<'_>) -> Vec<f64> {
        let rows = self.tree.rows.iter().filter(|r| r.level <= RowLevel::Velocity);
        let psi = |r: &Row| motion.value(r.residual).derivative(usize::from(r.level == RowLevel::Position));
        rows.map(|r| self.zero_if_off(r, || psi(r))).collect()
    }

    /// ψ.
    pub fn velocity_residuals(&self) -> Vec<f64> {
        self.psi(self.moving())
    }

    /// ν: −ψ at rest, or G v − ψ where rows are not affine in speeds.
    pub fn nu(&self) -> Vec<f64> {
        let rest = self.psi(self.still());
        if !self.model.jacobian_reads_speeds() {
            return rest.into_iter().map(|x| -x).collect();
        }
        let (psi, jacobian, n) = (self.velocity_residuals(), self.constraint_jacobian(), self.n());
        let row_rate = |r: usize| jacobian[r * n..(r + 1) * n].iter().zip(&self.at.v).map(|(g, v)| g * v).sum::<f64>();
        let nu = |(r, row): (usize, &Row)| match self.model.row_reads_speeds(row) {
            true => row_rate(r) - psi[r],
            false => -rest[r],
        };
        self.tree.rows[..psi.len()].iter().enumerate().map(nu).collect()
    }

    /// γ.
    pub fn gamma(&self) -> Vec<f64> {
        let order = |level| match level {
            RowLevel::Position => 2,
            RowLevel::Velocity => 1,
            RowLevel::Acceleration => 0,
        };
        let rate = |r: &Row| self.moving().value(r.residual).derivative(order(r.level));
        self.tree.rows.iter().map(|r| -self.zero_if_off(r, || rate(r))).collect()
    }

    /// G, row-major: by (2) where ψ is affine in v; otherwise, and in rows of accelerations, the change of the highest rate by a = eⱼ at the
    /// state.
    pub fn constraint_jacobian(&self) -> Vec<f64> {
        let (n, rows) = (self.n(), self.tree.n_velocity);
        let rest = self.psi(self.still());
        let columns: Vec<Vec<f64>> = self.columns().iter().map(|motion| self.psi(motion)).collect();
        let mut jacobian: Vec<f64> = (0..rows * n).map(|k| columns[k % n][k / n] - rest[k / n]).collect();
        jacobian.resize(self.tree.rows.len() * n, 0.0);
        if !self.tree.rows.iter().any(|row| needs_accelerations(self.model, row)) {
            return jacobian;
        }
        let accelerated = |j| self.mechanics_on(&Path { v: &self.at.v, a: &unit(n, j), z: self.drift(), ..REST });
        let columns: Vec<PathMechanics<'_>> = (0..n).map(accelerated).collect();
        for (r, row) in self.tree.rows.iter().enumerate().filter(|(_, row)| needs_accelerations(self.model, row)) {
            let order = usize::from(row.level == RowLevel::Velocity);
            let highest = |motion: &PathMechanics<'_>| motion.value(row.residual).derivative(order);
            for (entry, motion) in jacobian[r * n..].iter_mut().zip(&columns) {
                *entry = self.zero_if_off(row, || highest(motion) - highest(self.moving()));
            }
        }
        jacobian
    }

    /// ż.
    pub fn auxiliary_rates(&self) -> Vec<f64> {
        let rates = self.model.quantities.auxiliary.iter().flat_map(|a| &a.rates);
        rates.map(|e| self.moving().value(*e).value()).collect()
    }

    /// ż, z̈, z⃛ at accelerations a and constant inputs.
    fn auxiliary_motion(&self, a: &[f64]) -> Vec<Vec<f64>> {
        let mut known: Vec<Vec<f64>> = Vec::new();
        if self.at.z.is_empty() {
            return known;
        }
        for k in 0..3 {
            let moving = self.mechanics_on(&Path { v: &self.at.v, a, z: &known, ..REST });
            let rates = self.model.quantities.auxiliary.iter().flat_map(|a| &a.rates);
            let next = rates.map(|e| moving.value(*e).derivative(k)).collect();
            known.push(next);
        }
        known
    }

    /// Rates of the values that memories take.
    pub fn memory_rates(&self) -> Vec<f64> {
        self.model.quantities.memories.iter().map(|m| self.moving().value(m.value).derivative(1)).collect()
    }

    /// Kinetic and potential energy.
    pub fn energy(&self) -> [f64; 2] {
        [self.model.energy.kinetic, self.model.energy.potential].map(|e| self.moving().value(e).value())
    }

    /// d/dt of kinetic and potential energy at accelerations a.
    pub fn energy_rates(&self, a: &[f64]) -> [f64; 2] {
        let moving = self.mechanics_on(&Path { v: &self.at.v, a, z: &[self.auxiliary_rates()], ..REST });
        [self.model.energy.kinetic, self.model.energy.potential].map(|e| moving.value(e).derivative(1))
    }

    /// Rates of the potentials of all forces on the motion, zero for forces without one.
    pub fn potential_rates(&self) -> Vec<f64> {
        let moving = self.mechanics_on(&Path { v: &self.at.v, z: &[self.auxiliary_rates()], ..REST });
        let rate = |f: &mbs_model::Force| f.potential.map_or(0.0, |p| moving.value(p).derivative(1));
        self.model.loads.forces.iter().map(rate).collect()
    }

    /// The motion at accelerations a and multipliers λ, with the reactions of joints.
    fn mechanics_with_reactions(&self, a: &[f64], lambda: &[f64]) -> PathMechanics<'m> {
        let z = self.auxiliary_motion(a);
        let mut moving = self.mechanics_on(&Path { v: &self.at.v, a, z: &z, lambda, ..REST });
        (moving.variables.reactions, moving.variables.prescribed) = reaction_values(&moving);
        moving
    }

    /// Values of events with their rates, NaN where an event is switched off; z after the assignments of each handler, and targets of its
    /// conditions.
    pub fn events(&self, a: &[f64], lambda: &[f64]) -> (Vec<[f64; 2]>, Vec<(Vec<f64>, Vec<f64>)>) {
        let moving = self.mechanics_with_reactions(a, lambda);
        let number = |e: ExprId| moving.value(e).value();
        let value = |event: &mbs_model::Event| {
            let series = moving.value(event.value);
            let is_off = event.enabled.is_some_and(|enabled| number(enabled) != 1.0);
            [if is_off { f64::NAN } else { series.value() }, series.derivative(1)]
        };
        let handler = |event: &mbs_model::Event| {
            let mut z = self.at.z.clone();
            event.assignments.iter().for_each(|(flat, e)| z[*flat] = number(*e));
            (z, event.targets.iter().map(|e| number(*e)).collect())
        };
        let events = &self.model.events;
        (events.iter().map(value).collect(), events.iter().map(handler).collect())
    }

    /// Outputs with their rates, at accelerations a and multipliers λ.
    pub fn outputs(&self, a: &[f64], lambda: &[f64]) -> Vec<[f64; 2]> {
        let moving = self.mechanics_with_reactions(a, lambda);
        let values = self.model.outputs.iter().flat_map(|o| &o.values);
        values.map(|e| moving.value(*e)).map(|s| [s.value(), s.derivative(1)]).collect()
    }

    /// Power that the drives of prescribed coordinates and the rows supply at accelerations a and multipliers λ. Only the dependence of rows on
    /// bodies is counted, so that time in a row and moving markers on ground do no work.
    pub fn supplied_power(&self, a: &[f64], lambda: &[f64]) -> f64 {
        let moving = self.mechanics_on(&Path { v: &self.at.v, a, z: self.drift(), lambda, ..REST });
        let given = self.tree.prescribed.iter().map(|p| moving.value(p.value).derivative(1));
        let drives: f64 = reaction_values(&moving).1.iter().zip(given).map(|(load, rate)| load.value() * rate).sum();
        let power = |row: &Row| self.observed_rate(&moving, row.residual, row.level);
        drives - self.tree.rows.iter().zip(lambda).map(|(row, lambda)| lambda * power(row)).sum::<f64>()
    }

    /// Rate of an expression on a motion through its dependence on bodies; a joint coordinate is replaced by the expression that measures it, if
    /// there is one.
    fn observed_rate(&self, moving: &PathMechanics<'_>, e: ExprId, level: RowLevel) -> f64 {
        let exprs = &self.model.exprs;
        let on_ground = |m: mbs_expr::MarkerId| self.model.markers[m.index()].body.is_none();
        let rate = |observed: Op| match observed {
            Op::Position(m, _) | Op::Direction(m, ..) | Op::Angle(m) | Op::AngularVelocity(m, _) if on_ground(m) => 0.0,
            Op::JointCoordinate(j, k)
                if exprs.op(self.model.joint(j).coordinates[usize::from(k)].1) != observed
                    && self.tree.joint_coordinate_index(j, k).is_none() =>
            {
                self.observed_rate(moving, self.model.joint(j).coordinates[usize::from(k)].1, RowLevel::Position)
            }
            _ => {
                let of = |e: &ExprId| exprs.op(*e) == observed;
                let e = (0..exprs.len() as u32).map(ExprId).find(of).expect("an expression observes it");
                moving.value(e).derivative(usize::from(!matches!(observed, Op::AngularVelocity(..))))
            }
        };
        moving.derivatives(e, level).into_iter().map(|(op, derivative)| derivative.value() * rate(op)).sum()
    }

    /// A coordinate of a joint, measured on the poses, and its rate.
    pub fn measured(&self, joint: JointId, k: u8) -> [f64; 2] {
        let value = self.moving().value(self.model.joint(joint).coordinates[usize::from(k)].1);
        [0, 1].map(|order| value.derivative(order))
    }

    /// Residual and gradient of each exact `initial` condition.
    pub fn conditions(&self) -> Vec<(f64, Vec<f64>)> {
        let difference = |motion: &PathMechanics<'_>, c: &InitialCondition, order: usize| {
            motion.condition_residual(c).derivative(order)
        };
        let residual_and_gradient = |c: &InitialCondition| {
            let order = usize::from(c.level == RowLevel::Position);
            let at_rest = difference(self.still(), c, order);
            let gradient = self.columns().iter().map(|column| difference(column, c, order) - at_rest).collect();
            (difference(self.moving(), c, 0), gradient)
        };
        self.model.start.conditions.iter().filter(|c| c.exact).map(residual_and_gradient).collect()
    }
}

/// Σ x⁽ᵏ⁾ τᵏ / k!.
fn series(derivatives: impl IntoIterator<Item = f64>) -> Motion {
    let mut series = Motion::constant(0.0);
    let mut factorial = 1.0;
    for (k, (c, x)) in series.0.iter_mut().zip(derivatives).enumerate() {
        factorial *= k.max(1) as f64;
        *c = x / factorial;
    }
    series
}

/// Quantities that [`Op::Reaction`] observes, in its order, and loads of prescribed coordinates. Derivatives of rows are numbers here, so
/// that rates of reactions are not known.
fn reaction_values(motion: &PathMechanics<'_>) -> (Vec<Vec<Motion>>, Vec<Motion>) {
    let derivatives = |e, level| motion.derivatives(e, level);
    let found = motion.reactions(&derivatives);
    (motion.observed_reactions(&found, &derivatives), found.prescribed)
}
