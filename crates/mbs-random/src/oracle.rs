//! The equations of a mechanism from truncated Taylor series of the model itself: no symbols, no derivative rules but those of
//! products and elementary functions, and none of the formulas of `mechanics/dynamics.rs`.
//!
//! With q(τ) = q + v τ + ½ a τ² and t(τ) = t + τ every expression of the model becomes a series; its coefficients are the
//! rates. Time always goes on, since an expression may hold rates of functions of time; what is linear in speeds is the
//! difference to rest:
//!
//! ```text
//! (1)  Φ = value            ψ = Φ̇ (or Ψ)          γ = −Φ̈ (or −Ψ̇) at a = 0         ν = −ψ at v = 0
//! (2)  ∂x/∂qⱼ = ẋ(v = eⱼ) − ẋ(v = 0)               G: ψ(v = eⱼ) − ψ(v = 0)
//! (3)  Mᵢⱼ = T(eᵢ + eⱼ) − T(eᵢ) − T(eⱼ), T(v) the kinetic energy
//! (4)  Qᵢ = Σ_b m_b (g − p̈_b)·∂p_b/∂qᵢ − I_b θ̈_b ∂θ_b/∂qᵢ + Σ loads, p_b the centre of mass, p̈_b at a = 0
//! ```

use mbs_codegen::Interpreted;
use mbs_model::mechanics::{Mechanics, Tree, Variables, observable_slopes, partials};
use mbs_model::{BodyId, ExprId, Load, MarkerId, Model, Op, RowLevel, Series, plane};

use crate::matrix::unit;
use crate::state::At;

/// Two derivatives, and some rates in the expressions themselves.
type Motion = Series<6>;

type Along<'m> = Mechanics<'m, Motion>;

/// A mechanism at one state.
pub struct Oracle<'m> {
    model: &'m Model,
    tree: &'m Tree,
    parameters: &'m [f64],
    at: &'m At,
}

/// Where q, t and z go from a state, and with which multipliers.
struct Path<'a> {
    v: &'a [f64],
    a: &'a [f64],
    /// Rates of z, first ones first.
    z: &'a [Vec<f64>],
    lambda: &'a [f64],
}

const REST: Path<'static> = Path { v: &[], a: &[], z: &[], lambda: &[] };

impl<'m> Oracle<'m> {
    /// Of a compiled mechanism that is interpreted, with its parameters.
    pub fn new(interpreted: &'m Interpreted, at: &'m At) -> Self {
        let compiled = interpreted.compiled();
        Self::of(&compiled.model, &compiled.tree, interpreted.parameters(), at)
    }

    /// Of a model in coordinates, at flat parameters.
    pub fn of(model: &'m Model, tree: &'m Tree, parameters: &'m [f64], at: &'m At) -> Self {
        Oracle { model, tree, parameters, at }
    }

    fn n(&self) -> usize {
        self.tree.n()
    }

    fn along(&self, path: &Path<'_>) -> Along<'m> {
        let constants = |values: &[f64]| values.iter().map(|x| Series::constant(*x)).collect::<Vec<_>>();
        let or_zero = |values: &[f64], i: usize| values.get(i).copied().unwrap_or(0.0);
        let mut multipliers = constants(path.lambda);
        multipliers.resize(self.tree.rows.len(), Series::constant(0.0));
        let z = self.at.z.iter().enumerate();
        let z = z.map(|(i, z)| series(std::iter::once(*z).chain(path.z.iter().map(|rates| rates[i]))));
        let variables = Variables {
            t: Series::linear(self.at.t, 1.0),
            parameters: constants(self.parameters),
            inputs: constants(&self.at.u),
            auxiliary: z.collect(),
            multipliers,
            reactions: Vec::new(),
        };
        let q = self.at.q.iter().enumerate();
        let q: Vec<Motion> = q.map(|(i, q)| series([*q, or_zero(path.v, i), or_zero(path.a, i)])).collect();
        Mechanics::at_interface(self.model, self.tree, variables, &q)
    }

    /// q(τ) = q + v τ, everything else moving as it does.
    fn moving(&self) -> Along<'m> {
        self.along(&Path { v: &self.at.v, ..REST })
    }

    /// q(τ) = q + eⱼ τ, one per coordinate, and q(τ) = q.
    fn columns(&self) -> (Vec<Along<'m>>, Along<'m>) {
        let along = |j| self.along(&Path { v: &unit(self.n(), j), ..REST });
        ((0..self.n()).map(along).collect(), self.along(&REST))
    }

    /// Φ.
    pub fn position_residuals(&self) -> Vec<f64> {
        let here = self.along(&REST);
        let rows = self.tree.rows.iter().filter(|r| r.level == RowLevel::Position);
        rows.map(|r| here.value(r.residual).value()).collect()
    }

    /// ψ at speeds v.
    fn psi(&self, v: &[f64]) -> Vec<f64> {
        let moving = self.along(&Path { v, ..REST });
        let rows = self.tree.rows.iter().filter(|r| r.level <= RowLevel::Velocity);
        rows.map(|r| moving.value(r.residual).derivative(usize::from(r.level == RowLevel::Position))).collect()
    }

    /// ψ.
    pub fn velocity_residuals(&self) -> Vec<f64> {
        self.psi(&self.at.v)
    }

    /// ν.
    pub fn nu(&self) -> Vec<f64> {
        self.psi(&vec![0.0; self.n()]).into_iter().map(|x| -x).collect()
    }

    /// γ.
    pub fn gamma(&self) -> Vec<f64> {
        let moving = self.moving();
        let order = |level| match level {
            RowLevel::Position => 2,
            RowLevel::Velocity => 1,
            RowLevel::Acceleration => 0,
        };
        self.tree.rows.iter().map(|r| -moving.value(r.residual).derivative(order(r.level))).collect()
    }

    /// G, row-major.
    pub fn constraint_jacobian(&self) -> Vec<f64> {
        // There are no acceleration-only rows in the language yet.
        let (n, rows) = (self.n(), self.tree.n_velocity);
        let rest = self.psi(&vec![0.0; n]);
        let columns: Vec<Vec<f64>> = (0..n).map(|j| self.psi(&unit(n, j))).collect();
        (0..rows * n).map(|k| columns[k % n][k / n] - rest[k / n]).collect()
    }

    /// Kinetic energy at speeds v.
    fn kinetic_energy(&self, v: &[f64]) -> f64 {
        self.along(&Path { v, ..REST }).value(self.model.kinetic_energy).value()
    }

    /// M, row-major.
    pub fn mass_matrix(&self) -> Vec<f64> {
        let n = self.n();
        let alone: Vec<f64> = (0..n).map(|i| self.kinetic_energy(&unit(n, i))).collect();
        let entry = |i: usize, j: usize| {
            if i == j {
                return 2.0 * alone[i];
            }
            let mut both = unit(n, i);
            both[j] = 1.0;
            self.kinetic_energy(&both) - alone[i] - alone[j]
        };
        (0..n * n).map(|k| entry(k / n, k % n)).collect()
    }

    /// Q.
    pub fn generalized_forces(&self) -> Vec<f64> {
        let moving = self.moving();
        let number = |e: ExprId| moving.value(e).value();
        let gravity = self.model.gravity.map_or([0.0; 2], |g| plane(g).map(number));
        let (columns, rest) = self.columns();
        let force = |column: &Along<'_>| {
            let slope = |of: &dyn Fn(&Along<'_>) -> Motion| of(column).derivative(1) - of(&rest).derivative(1);
            let slide = |m: MarkerId| [0, 1].map(|k| slope(&|along| along.marker_point(m)[k]));
            let turn = |m: MarkerId| slope(&|along| along.marker_angle(m));
            let mut sum = 0.0;
            for body in &self.model.bodies {
                let (m, inertia, com) = (number(body.mass), number(body.inertia[2]), body.com_marker);
                let bias = moving.marker_point(com).map(|x| x.derivative(2));
                let column = slide(com);
                sum += m * ((gravity[0] - bias[0]) * column[0] + (gravity[1] - bias[1]) * column[1]);
                sum -= inertia * moving.marker_angle(com).derivative(2) * turn(com);
            }
            for load in self.model.forces.iter().flat_map(|f| &f.loads) {
                sum += match *load {
                    Load::Force { at, force } => {
                        let (f, column) = (force.map(number), slide(at));
                        f[0] * column[0] + f[1] * column[1]
                    }
                    Load::Torque { on, torque } => number(torque[2]) * turn(on),
                    Load::Along { coordinate, value } => number(value) * slope(&|along| along.value(coordinate)),
                    Load::Potential(potential) => -slope(&|along| along.value(potential)),
                };
            }
            sum
        };
        columns.iter().map(force).collect()
    }

    /// Q without any load.
    pub fn velocity_forces(&self) -> Vec<f64> {
        let mut model = self.model.clone();
        model.forces.clear();
        model.gravity = None;
        Oracle::of(&model, self.tree, self.parameters, self.at).generalized_forces()
    }

    /// q as measured on the poses that q gives: the inverse map of [`Mechanics::at_interface`].
    pub fn measured_coordinates(&self) -> Vec<f64> {
        self.along(&REST).interface_coordinates().into_iter().map(Series::value).collect()
    }

    /// x, y, θ of each body.
    pub fn poses(&self) -> Vec<f64> {
        pose_series(&self.along(&REST)).iter().map(|x| x.value()).collect()
    }

    /// Rates and second rates of [`Oracle::poses`] at accelerations a.
    pub fn pose_rates(&self, a: &[f64]) -> [Vec<f64>; 2] {
        let poses = pose_series(&self.along(&Path { v: &self.at.v, a, ..REST }));
        [1, 2].map(|k| poses.iter().map(|x| x.derivative(k)).collect())
    }

    /// Twist Jacobians: v_x, v_y of the origin and ω for each body, n_v columns.
    pub fn body_jacobians(&self) -> Vec<f64> {
        let columns: Vec<Vec<Motion>> = self.columns().0.iter().map(pose_series).collect();
        let rows = 3 * self.model.bodies.len();
        (0..rows).flat_map(|row| columns.iter().map(move |c| c[row].derivative(1))).collect()
    }

    /// World positions of drawn markers.
    pub fn marker_positions(&self) -> Vec<f64> {
        let here = self.along(&REST);
        let drawn = self.model.markers.iter().enumerate().filter(|(_, m)| m.drawn);
        drawn.flat_map(|(i, _)| plane(here.marker_point(MarkerId(i as u32))).map(Series::value)).collect()
    }

    /// ż.
    pub fn auxiliary_rates(&self) -> Vec<f64> {
        let moving = self.moving();
        self.model.auxiliary.iter().flat_map(|a| &a.rates).map(|e| moving.value(*e).value()).collect()
    }

    /// ż, z̈, z⃛ at accelerations a, inputs held.
    fn auxiliary_motion(&self, a: &[f64]) -> Vec<Vec<f64>> {
        let mut known: Vec<Vec<f64>> = Vec::new();
        for k in 0..3 {
            let moving = self.along(&Path { v: &self.at.v, a, z: &known, ..REST });
            let rates = self.model.auxiliary.iter().flat_map(|a| &a.rates);
            let next = rates.map(|e| moving.value(*e).derivative(k)).collect();
            known.push(next);
        }
        known
    }

    /// Kinetic and potential energy.
    pub fn energy(&self) -> [f64; 2] {
        let moving = self.moving();
        [self.model.kinetic_energy, self.model.potential_energy].map(|e| moving.value(e).value())
    }

    /// d/dt of kinetic and potential energy at accelerations a.
    pub fn energy_rates(&self, a: &[f64]) -> [f64; 2] {
        let moving = self.along(&Path { v: &self.at.v, a, z: &[self.auxiliary_rates()], ..REST });
        [self.model.kinetic_energy, self.model.potential_energy].map(|e| moving.value(e).derivative(1))
    }

    /// Rates of the potentials of all forces along the motion, zero for forces without one.
    pub fn potential_rates(&self) -> Vec<f64> {
        let moving = self.along(&Path { v: &self.at.v, z: &[self.auxiliary_rates()], ..REST });
        let rate = |f: &mbs_model::Force| f.potential.map_or(0.0, |p| moving.value(p).derivative(1));
        self.model.forces.iter().map(rate).collect()
    }

    /// Potentials of all forces, zero for forces without one, and their powers: of loads along what coordinates move, not time.
    pub fn force_energies(&self) -> [Vec<f64>; 2] {
        let (moving, rest) = (self.moving(), self.along(&REST));
        let number = |e: ExprId| moving.value(e).value();
        let speed = |of: &dyn Fn(&Along<'_>) -> Motion| of(&moving).derivative(1) - of(&rest).derivative(1);
        let power = |load: &Load| match *load {
            Load::Force { at, force } => {
                (0..2).map(|k| number(force[k]) * speed(&|along| along.marker_point(at)[k])).sum()
            }
            Load::Torque { on, torque } => number(torque[2]) * speed(&|along| along.marker_angle(on)),
            Load::Along { coordinate, value } => number(value) * speed(&|along| along.value(coordinate)),
            Load::Potential(potential) => -speed(&|along| along.value(potential)),
        };
        let forces = &self.model.forces;
        let potentials = forces.iter().map(|f| f.potential.map_or(0.0, number)).collect();
        [potentials, forces.iter().map(|f| f.loads.iter().map(power).sum()).collect()]
    }

    /// Power of gravity.
    pub fn gravity_power(&self) -> f64 {
        let moving = self.moving();
        let Some(gravity) = self.model.gravity else { return 0.0 };
        let g = gravity.map(|e| moving.value(e).value());
        let power = |b: &mbs_model::Body| {
            let v = moving.marker_point(b.com_marker).map(|x| x.derivative(1));
            moving.value(b.mass).value() * (g[0] * v[0] + g[1] * v[1])
        };
        self.model.bodies.iter().map(power).sum()
    }

    /// Linear momentum x, y and angular momentum about the world origin.
    pub fn momentum(&self) -> Vec<f64> {
        let moving = self.moving();
        let mut sum = vec![0.0; 3];
        for body in &self.model.bodies {
            let [m, inertia] = [body.mass, body.inertia[2]].map(|e| moving.value(e).value());
            let p = moving.marker_point(body.com_marker);
            let v = p.map(|x| x.derivative(1));
            let spin = moving.marker_angle(body.com_marker).derivative(1);
            sum[0] += m * v[0];
            sum[1] += m * v[1];
            sum[2] += m * (p[0].value() * v[1] - p[1].value() * v[0]) + inertia * spin;
        }
        sum
    }

    /// Outputs with their rates, at accelerations a and multipliers λ.
    pub fn outputs(&self, a: &[f64], lambda: &[f64]) -> Vec<[f64; 2]> {
        let z = self.auxiliary_motion(a);
        let mut moving = self.along(&Path { v: &self.at.v, a, z: &z, lambda });
        moving.variables.reactions = reactions(&moving);
        let values = self.model.outputs.iter().flat_map(|o| &o.values);
        values.map(|e| moving.value(*e)).map(|s| [s.value(), s.derivative(1)]).collect()
    }

    /// Residual and gradient of each exact `initial` condition.
    pub fn conditions(&self) -> Vec<(f64, Vec<f64>)> {
        let n = self.n();
        let (moving, (columns, rest)) = (self.moving(), self.columns());
        let difference =
            |along: &Along<'_>, c: &mbs_model::InitialCondition| along.value(c.target) - along.value(c.value);
        let exact = self.model.conditions.iter().filter(|c| c.exact);
        exact
            .map(|c| {
                let gradient = match c.level {
                    RowLevel::Position => {
                        let held = difference(&rest, c).derivative(1);
                        columns.iter().map(|column| difference(column, c).derivative(1) - held).collect()
                    }
                    _ => {
                        let at = |v: &[f64]| difference(&self.along(&Path { v, ..REST }), c).value();
                        let rest = at(&vec![0.0; n]);
                        (0..n).map(|j| at(&unit(n, j)) - rest).collect()
                    }
                };
                (difference(&moving, c).value(), gradient)
            })
            .collect()
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

fn pose_series(along: &Along<'_>) -> Vec<Motion> {
    let bodies = along.model.bodies.iter().enumerate();
    let pose = |(b, body): (usize, &mbs_model::Body)| {
        let [x, y] = plane(along.marker_point(body.origin_marker));
        [x, y, along.kinematics.angle(BodyId(b as u32))]
    };
    bodies.flat_map(pose).collect()
}

/// What [`Op::Reaction`] observes, in its order; slopes of rows are those of numbers, so that rates are not known.
fn reactions(along: &Along<'_>) -> Vec<Vec<Motion>> {
    let model = along.model;
    let slopes = |e: ExprId, level: RowLevel| {
        let partials = |op: Op, children: [Option<ExprId>; 4]| {
            let values = children.map(|c| c.map_or(0.0, |c| along.value(c).value()));
            partials(&model.functions, op, values).map(Series::constant)
        };
        observable_slopes(&model.exprs, e, level, Series::constant(1.0), &partials)
    };
    let joints = along.reactions(&slopes).into_iter().map(|reaction| reaction.wrench);
    let equations = model.equation_reactions.iter().map(|(e, b)| along.equation_reaction(*e, *b, &slopes));
    joints.chain(equations).map(|w| vec![w.force[0], w.force[1], w.torque[2]]).collect()
}
