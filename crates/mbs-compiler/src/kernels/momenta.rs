//! Momenta p = ∂T/∂v, their rates, and the steps of an integrator that advances them, where q̇ = v.
//!
//! ```text
//! (1)  p = M v plus terms of prescribed motions          T = ½ vᵀ M v where no motion is prescribed
//! (2)  f = ∂T/∂q + Q of loads                            ṗ = f − Gᵀ λ
//! (3)  v = M⁻¹ (p − p at v = 0)
//! ```
//!
//! A step of length h has the mean state (q_m, v_m) at its middle, t_m; it begins at q = q_m − ½h v_m with momenta p and ends at
//! q⁺ = q_m + ½h v_m. Newton's method for p_m − ½h f_m + G(q)ᵀ μ = p, Φ(q⁺)/h = 0 solves, with d the derivative with respect to v_m, where
//! q_m changes by ½h of the change of v_m,
//!
//! ```text
//! (4)  [ d(p_m − ½h f_m)  G(q)ᵀ ] [ δ ]   [ p − p_m + ½h f_m ]
//!      [ d(Φ(q⁺)/h)         0   ] [ μ ] = [    −Φ(q⁺)/h      ]     d(Φ(q⁺)/h) = G(q⁺)
//! (5)  p⁺ = 2 (p_m + dp_m δ) − p + (G(q) − G(q⁺) − dG(q⁺) δ)ᵀ μ
//! ```
//!
//! For velocity rows, ψ(q_m, v_m) replaces Φ(q⁺)/h. (5) is p_m + ½h f_m − G(q⁺)ᵀ μ after the correction, f_m taken from (4).

use std::collections::BTreeMap;

use mbs_physics::SolverCoordinate;
use rustc_hash::FxHashMap;

use super::linear::LinearSystem;
use super::products::ProductKernels;
use super::{Context, Solved};
use crate::derive::Derivatives;
use crate::graph::{Node, NodeId, Stage, Substitution, Symbol};
use crate::optimize::count;
use crate::schedule::{Entry, Group, OutputArray};

/// The kernel of (1).
pub const MOMENTA: &str = "momenta";
/// The kernel of (2).
pub const MOMENTUM_RATES: &str = "momentum_rates";
/// The kernel of (3).
pub const SPEEDS_OF_MOMENTA: &str = "speeds_of_momenta";
/// The kernel of (4) and (5).
pub const MOMENTUM_STEP: &str = "momentum_step";

view_of_context! {
    /// Kernels of momenta, and of the steps of Zhong06.
    MomentumKernels
}

impl MomentumKernels<'_, '_> {
    /// Kernels of (1) to (5), if momenta are requested; (2), (4) and (5) only where q̇ = v.
    pub(super) fn kernels(&self, solved: &Solved<'_>) -> Vec<Group> {
        let kernels = self.model.settings.kernels;
        let Some(loads) = self.equations.forces.loads.as_ref().filter(|_| !self.unit_metric) else { return Vec::new() };
        let p = self.momenta();
        let single = |entry: Entry| Group { entries: vec![entry] };
        let mut groups = Vec::new();
        let outputs = vec![self.output_array("momenta", &p)];
        groups.push(single(self.entry(MOMENTA, "p = ∂T/∂v.", Stage::Velocity, outputs)));
        groups.push(single(self.speeds_of_momenta(&p)));
        if !self.tree.rows.is_empty() && !kernels.operators && self.factorisation_stage() == Stage::Position {
            groups.push(ProductKernels(self).transposed_jacobian_group());
        }
        if !self.has_plain_rates() {
            return groups;
        }
        let f = self.momentum_rates(loads);
        let outputs = vec![self.output_array("rates", &f)];
        let docs = "f = ∂T/∂q + loads: ṗ = f − Gᵀ λ.";
        groups.push(single(self.entry(MOMENTUM_RATES, docs, Stage::Acceleration, outputs)));
        groups.extend(self.momentum_step(solved, &p, &f).map(single));
        groups
    }

    fn speed_symbols(&self) -> Vec<NodeId> {
        (0..self.equations.n as u32).map(|i| self.graph.symbol(Symbol::Speed(i))).collect()
    }

    /// p of (1), by the expression that needs the fewest operations.
    fn momenta(&self) -> Vec<NodeId> {
        let (graph, n) = (self.graph, self.equations.n as u32);
        let gradient = || self.gradient(self.kinetic_energy(), Symbol::Speed);
        if !self.tree.prescribed.is_empty() {
            return gradient();
        }
        let at_speeds: FxHashMap<NodeId, NodeId> =
            (0..n).map(|i| graph.symbol(Symbol::Acceleration(i))).zip(self.speed_symbols()).collect();
        let products = [self.mass_product_from_solver_entries(), self.mass_product_from_entries()];
        let [from_solver, from_interface] = products.map(|product| graph.substitute(&product, &at_speeds));
        let candidates = [from_solver, from_interface, gradient()];
        candidates.into_iter().min_by_key(|nodes| count(graph, nodes).operations).expect("there are three candidates")
    }

    /// T of (1). For bodies in natural coordinates it is ½ v̂ᵀ M̂ v̂, which equals the energy of rigid bodies where their rows are satisfied.
    fn kinetic_energy(&self) -> NodeId {
        let (graph, e) = (self.graph, self.equations);
        let is_natural = |i: usize| {
            matches!(self.tree.solver[i], SolverCoordinate::Basic(..) | SolverCoordinate::ContinuousAngle(_))
        };
        let speed = |i: usize| graph.symbol(Symbol::SolverSpeed(i as u32));
        let at_rest = (0..e.n).filter(|i| is_natural(*i)).map(|i| (speed(i), graph.constant(0.0))).collect();
        let others = graph.substitute(&[e.energy.kinetic], &at_rest)[0];
        // Only rows connect such bodies with others: M does not couple them.
        let natural = e.mass.iter().filter(|((i, _), _)| is_natural(*i)).map(|((i, j), m)| {
            let product = graph.mul(*m, graph.mul(speed(*i), speed(*j)));
            if i == j { graph.mul(graph.constant(0.5), product) } else { product }
        });
        self.to_interface(&[natural.fold(others, |sum, term| graph.add(sum, term))])[0]
    }

    /// f of (2).
    fn momentum_rates(&self, loads: &[NodeId]) -> Vec<NodeId> {
        let graph = self.graph;
        let loads = self.project_to_interface(&self.equations.solver.derivatives, &self.to_interface(loads));
        let derivatives = self.gradient(self.kinetic_energy(), Symbol::Coordinate);
        derivatives.into_iter().zip(loads).map(|(derivative, load)| graph.add(derivative, load)).collect()
    }

    /// The kernel of (3), which ignores constraint rows.
    fn speeds_of_momenta(&self, p: &[NodeId]) -> Entry {
        let graph = self.graph;
        let docs = "Speeds of momenta p, without regard to rows.";
        let mut entry = Entry {
            name: SPEEDS_OF_MOMENTA.to_owned(),
            docs: docs.to_owned(),
            ..ProductKernels(self).inverse_mass_entry()
        };
        if !self.tree.prescribed.is_empty() {
            let zero = graph.constant(0.0);
            let rest = self.speed_symbols().into_iter().map(|v| (v, zero)).collect();
            let forces = (0..).map(|i| graph.symbol(Symbol::Force(i)));
            let at_rest = graph.substitute(p, &rest).into_iter();
            let differences = forces.zip(at_rest).map(|(f, p)| (f, graph.sub(f, p))).collect();
            for output in &mut entry.outputs {
                output.nodes = graph.substitute(&output.nodes, &differences);
            }
        }
        entry
    }

    /// Gradient of a root with respect to coordinates or speeds: one reverse sweep, or one forward sweep for each, whichever costs less.
    fn gradient(&self, root: NodeId, symbol: fn(u32) -> Symbol) -> Vec<NodeId> {
        let (graph, n) = (self.graph, self.equations.n as u32);
        let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
        let forward: Vec<NodeId> =
            (0..n).map(|i| graph.tangent(&[root], &mut |s| if s == symbol(i) { one } else { zero })[0]).collect();
        // Directional derivative; acceleration symbols serve as the direction.
        let direction: FxHashMap<Symbol, NodeId> =
            (0..n).map(|i| (symbol(i), graph.symbol(Symbol::Acceleration(i)))).collect();
        let derivative = graph.tangent(&[root], &mut |s| direction.get(&s).copied().unwrap_or(zero));
        if self.contains_selection(derivative[0]) {
            return forward;
        }
        let directions: Vec<Symbol> = (0..n).map(Symbol::Acceleration).collect();
        let reverse = graph.transposed_product(&derivative, &[one], &directions);
        let [reverse_cost, forward_cost] = [&reverse, &forward].map(|nodes| count(graph, nodes).operations);
        if reverse_cost < forward_cost { reverse } else { forward }
    }

    /// Whether a directional derivative contains a selection between directions, which a reverse sweep cannot differentiate.
    fn contains_selection(&self, derivative: NodeId) -> bool {
        let (graph, mut linear) = (self.graph, rustc_hash::FxHashSet::default());
        graph.reachable(&[derivative]).into_iter().any(|id| match graph.node(id) {
            Node::Symbol(Symbol::Acceleration(_)) => {
                linear.insert(id);
                false
            }
            node => {
                let is_linear = node.operands().any(|o| linear.contains(&o));
                if is_linear {
                    linear.insert(id);
                }
                is_linear && !matches!(node, Node::Add(..) | Node::Sub(..) | Node::Mul(..) | Node::Neg(_))
            }
        })
    }

    /// The kernel of (4) and (5). `None` unless the body that each speed moves gives it inertia, rows constrain positions or speeds alone, and
    /// the quantities that rows read are known at the midpoint.
    fn momentum_step(&self, solved: &Solved<'_>, p: &[NodeId], f: &[NodeId]) -> Option<Entry> {
        let (graph, e, model) = (self.graph, self.equations, self.model);
        let augmented = self.is_augmented(&solved.system);
        let all_have_mass = (0..e.n).all(|i| e.mass.contains_key(&(i, i)) && !self.massless[i]);
        let continuous = e.states.rates.len() > model.n_discrete();
        let rows_read_motion = self.tree.rows.len() > self.tree.n_velocity || model.jacobian_reads_speeds();
        if augmented || !all_have_mass || rows_read_motion || continuous && model.positions_read_states() {
            return None;
        }
        let h = graph.symbol(Symbol::Step);
        let half = graph.mul(graph.constant(0.5), h);
        let step = Step { half, ends: [graph.neg(half), half].map(|shift| self.shifted_state(shift)) };
        let impulse: Vec<NodeId> = f.iter().map(|f| graph.mul(half, *f)).collect();
        let balance: Vec<NodeId> = p.iter().zip(&impulse).map(|(p, f)| graph.sub(*p, *f)).collect();
        let given = (0..).map(|i| graph.symbol(Symbol::Force(i)));
        let mut right: Vec<NodeId> = given.zip(&balance).map(|(p, balance)| graph.sub(p, *balance)).collect();
        right.extend(self.step_targets(&step));
        let matrix = self.step_matrix(&step, &balance);
        let known_order = self.order_of_accelerations(solved);
        let system = LinearSystem { known_order, ..LinearSystem::new(graph, e.n, matrix, right) };
        let (outputs, checks) = system.solve(graph, &self.states, &|x| self.step_outputs(&step, p, x))?;
        let docs = "One iteration of Newton's method for a step of momenta: δ of mean speeds, impulse μ of the rows, momenta at the end.";
        let entry = self.entry(MOMENTUM_STEP, docs, Stage::Acceleration, outputs);
        Some(Entry { checks, ..entry })
    }

    /// Substitutes q_m + s v_m for q and t_m + s for t.
    fn shifted_state(&self, s: NodeId) -> Substitution {
        let graph = self.graph;
        let coordinates = (0..).zip(self.speed_symbols()).map(|(i, v)| {
            let q = graph.symbol(Symbol::Coordinate(i));
            (q, graph.add(q, graph.mul(s, v)))
        });
        let t = graph.symbol(Symbol::Time);
        Substitution::new(coordinates.chain([(t, graph.add(t, s))]).collect())
    }

    /// Right sides of the rows in (4): −Φ(q⁺)/h, −ψ(q_m, v_m).
    fn step_targets(&self, step: &Step) -> Vec<NodeId> {
        let (graph, n) = (self.graph, self.tree.n_position);
        let inverse = graph.inv(graph.symbol(Symbol::Step));
        let phi = step.ends[1].apply(graph, &self.to_interface(&self.equations.rows.phi));
        let psi = self.to_interface(&self.equations.rows.psi);
        let positions = phi.into_iter().map(|phi| graph.neg(graph.mul(phi, inverse)));
        positions.chain(psi.into_iter().skip(n).map(|psi| graph.neg(psi))).collect()
    }

    /// Rows of G at an end of the step.
    fn rows_at_end(&self, end: &Substitution) -> Vec<Derivatives> {
        let rows = (0..self.tree.rows.len()).map(|r| {
            let row: Derivatives =
                self.equations.rows.jacobian.range((r, 0)..(r + 1, 0)).map(|((_, k), g)| (*k, *g)).collect();
            let row = self.row_to_interface(&row);
            let nodes = end.apply(self.graph, &row.iter().map(|(_, g)| *g).collect::<Vec<_>>());
            row.into_iter().zip(nodes).map(|((i, _), g)| (i, g)).collect()
        });
        rows.collect()
    }

    /// The matrix of (4), row by row, with a symmetric pattern.
    fn step_matrix(&self, step: &Step, balance: &[NodeId]) -> Vec<BTreeMap<usize, NodeId>> {
        let (graph, e, n) = (self.graph, self.equations, self.equations.n);
        let zero = graph.constant(0.0);
        let mut matrix = vec![BTreeMap::new(); n + self.tree.rows.len()];
        let mut put = |i: usize, j: usize, x: NodeId| {
            if x != zero {
                matrix[i].insert(j, x);
                matrix[j].entry(i).or_insert(zero);
            }
        };
        let psi = self.to_interface(&e.rows.psi);
        for j in 0..n {
            let derivatives = self.mean_derivative(step, balance, &|i| if i == j { graph.constant(1.0) } else { zero });
            derivatives.into_iter().enumerate().for_each(|(i, derivative)| put(i, j, derivative));
            let velocity = &psi[self.tree.n_position..];
            let derivatives =
                self.mean_derivative(step, velocity, &|i| if i == j { graph.constant(1.0) } else { zero });
            derivatives.into_iter().zip(n + self.tree.n_position..).for_each(|(derivative, r)| put(r, j, derivative));
        }
        let [start, end] = step.ends.each_ref().map(|end| self.rows_at_end(end));
        for (r, (start, end)) in start.iter().zip(&end).enumerate() {
            start.iter().for_each(|(i, g)| put(*i, n + r, *g));
            if r < self.tree.n_position {
                end.iter().for_each(|(i, g)| put(n + r, *i, *g));
            }
        }
        for ((r, _), diagonal) in e.switched_diagonal(graph) {
            put(n + r, n + r, diagonal);
        }
        matrix
    }

    /// d of (4) in a direction of mean speeds.
    fn mean_derivative(&self, step: &Step, roots: &[NodeId], direction: &dyn Fn(usize) -> NodeId) -> Vec<NodeId> {
        let graph = self.graph;
        graph.tangent(roots, &mut |s| match s {
            Symbol::Speed(i) => direction(i as usize),
            Symbol::Coordinate(i) => graph.mul(step.half, direction(i as usize)),
            _ => graph.constant(0.0),
        })
    }

    /// Outputs of the step: δ, μ, and p⁺ of (5).
    fn step_outputs(&self, step: &Step, p: &[NodeId], x: &[NodeId]) -> Vec<OutputArray> {
        let (graph, n) = (self.graph, self.equations.n);
        let (delta, mu) = x.split_at(n);
        let change = self.mean_derivative(step, p, &|i| delta[i]);
        let two = graph.constant(2.0);
        let given = (0..).map(|i| graph.symbol(Symbol::Force(i)));
        let mut momenta: Vec<NodeId> = p
            .iter()
            .zip(change)
            .zip(given)
            .map(|((p, change), given)| graph.sub(graph.mul(two, graph.add(*p, change)), given))
            .collect();
        let [start, end] = step.ends.each_ref().map(|end| self.rows_at_end(end));
        let changes = self.row_changes(step, delta);
        for (((start, end), changes), mu) in start.iter().zip(&end).zip(&changes).zip(mu) {
            for (((i, a), (_, b)), change) in start.iter().zip(end).zip(changes) {
                let difference = graph.sub(graph.sub(*a, *b), *change);
                momenta[*i] = graph.add(momenta[*i], graph.mul(difference, *mu));
            }
        }
        vec![self.output_array("delta", delta), self.output_array("mu", mu), self.output_array("end", &momenta)]
    }

    /// dG(q⁺) δ, with the entries of [`Context::rows_at_end`].
    fn row_changes(&self, step: &Step, delta: &[NodeId]) -> Vec<Vec<NodeId>> {
        let (graph, zero) = (self.graph, self.graph.constant(0.0));
        let h = graph.symbol(Symbol::Step);
        let direction = |i: usize| graph.symbol(Symbol::Acceleration(i as u32));
        let substitution = delta.iter().enumerate().map(|(i, delta)| (direction(i), graph.mul(h, *delta))).collect();
        let substitution = Substitution::new(substitution);
        let row = |row: &Derivatives| {
            let entries: Vec<NodeId> = row.iter().map(|(_, g)| *g).collect();
            let derivatives = graph.tangent(&entries, &mut |s| match s {
                Symbol::Coordinate(i) => direction(i as usize),
                _ => zero,
            });
            substitution.apply(graph, &step.ends[1].apply(graph, &derivatives))
        };
        let identity = Substitution::new(FxHashMap::default());
        self.rows_at_end(&identity).iter().map(row).collect()
    }
}

/// Half length and end states of a step.
struct Step {
    /// ½h.
    half: NodeId,
    /// Substitutions of the states at the beginning and at the end for the midpoint.
    ends: [Substitution; 2],
}
