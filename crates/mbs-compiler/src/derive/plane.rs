//! Derives the equations of planar mechanisms.

use mbs_expr::{BodyId, ExprId};
use mbs_model::{BodyKind, InitialCondition, Load, Model, RowLevel};
use mbs_physics::{InterfaceCoordinate, Mechanics, SolverCoordinate, Tree};

use super::bodies::{body_jacobians, markers, poses};
use super::memories::declare_memories;
use super::{
    Bodies, Condition, Conditions, Energies, Equations, Forces, InterfaceMap, Matrix, Outputs, Rows, SolverMap, States,
    events, operators, power, rate_if_known, solver_mechanics, suggest_names, symbols, variables,
};
use crate::graph::{Graph, NodeId, Sym, Symbol, dependencies, partial, sparse_derivatives, without_acceleration};
use crate::reactions::reactions;

/// Derives the equations of a planar mechanism.
pub fn derive(graph: &Graph, model: &Model, tree: &Tree) -> Equations {
    Derivation::new(graph, model, tree).equations()
}

struct Derivation<'g, 'm> {
    graph: &'g Graph,
    model: &'m Model,
    tree: &'m Tree,
    /// Mechanics in solver symbols.
    mechanics: Mechanics<'m, Sym<'g>>,
}

impl<'g, 'm> Derivation<'g, 'm> {
    fn new(graph: &'g Graph, model: &'m Model, tree: &'m Tree) -> Self {
        graph.declare_functions(&model.functions);
        declare_rates(graph, model, tree);
        Derivation { graph, model, tree, mechanics: solver_mechanics(graph, model, tree) }
    }

    fn node(&self, e: ExprId) -> NodeId {
        self.mechanics.value(e).id(self.graph)
    }

    fn ids(&self, values: Vec<Sym<'g>>) -> Vec<NodeId> {
        values.into_iter().map(|s| s.id(self.graph)).collect()
    }

    /// Partial derivatives of an expression with respect to the solver's coordinates, n.
    fn gradient(&self, e: ExprId) -> Vec<Sym<'g>> {
        let root = self.node(e);
        let derivative = |i: u32| Sym::Node(self.graph, partial(self.graph, root, Symbol::SolverCoordinate(i)));
        (0..self.tree.n() as u32).map(derivative).collect()
    }

    fn equations(&self) -> Equations {
        let (graph, model, tree, mechanics) = (self.graph, self.model, self.tree, &self.mechanics);
        let auxiliary_rates = self.auxiliary_rates();
        declare_memories(graph, model);
        self.declare_contact_parameters();
        let mass: Matrix = mechanics.mass_matrix().into_iter().map(|(i, j, m)| ((i, j), m.id(graph))).collect();
        let mut rows = derive_rows(graph, tree, &|e| self.node(e));
        let gradient = |e: ExprId| self.gradient(e);
        let forces = self.ids(mechanics.planar().generalized_forces(&gradient));
        let interface_speeds = self.ids(mechanics.declared_speeds());
        let coordinates = solver_of_interface(graph, model, tree);
        let speeds = graph.rate(&coordinates);
        let accelerations = graph.rate(&speeds);
        let bias = accelerations.iter().map(|a| without_acceleration(graph, *a)).collect();
        let velocity_forces = self.ids(mechanics.planar().velocity_terms());
        let reactions = reactions(graph, mechanics);
        let outputs: Vec<NodeId> = model.outputs.iter().flat_map(|o| &o.values).map(|e| self.node(*e)).collect();
        let output_rates = outputs.iter().map(|o| rate_if_known(graph, *o)).collect();
        let force_potentials = model.loads.forces.iter().map(|f| f.potential.map(|e| self.node(e))).collect();
        let force_powers = model.loads.forces.iter().map(|f| self.power(&f.loads)).collect();
        suggest_names(graph, mechanics);
        // The order in which nodes are created affects optimisations: keep it.
        let interface_derivatives = sparse_derivatives(graph, &interface_speeds, Symbol::SolverSpeed);
        let interface_accelerations = graph.rate(&interface_speeds);
        let derivatives = sparse_derivatives(graph, &speeds, Symbol::Speed);
        let coordinate_rates = self.coordinate_rates();
        let loads = model.settings.kernels.momenta.then(|| self.ids(mechanics.planar().all_loads(&gradient)));
        let operators = model.settings.kernels.operators.then(|| operators::planar_operators(graph, mechanics));
        let memories = model.quantities.memories.iter().map(|m| self.node(m.value)).collect();
        let declared_memories = model.start.declared_memories.iter().map(|e| self.node(*e)).collect();
        let kinetic = self.node(model.energy.kinetic);
        let potential = self.node(model.energy.potential);
        let bodies = Bodies {
            momentum: momentum(graph, mechanics),
            poses: poses(graph, mechanics),
            markers: markers(graph, mechanics),
            jacobians: body_jacobians(graph, mechanics),
        };
        let exact = model.start.conditions.iter().filter(|c| c.exact).map(|c| self.condition(c)).collect();
        let guesses = model.start.conditions.iter().filter(|c| !c.exact).map(|c| self.condition(c)).collect();
        let events = events::events(graph, model, &|e| reactions.substitute_into(graph, &[self.node(e)])[0]);
        let event_conditions =
            model.event_conditions().chain(&model.start.guesses).map(|c| self.condition(c)).collect();
        rows.enabled = tree.rows.iter().map(|row| row.enabled.map(|e| self.node(e))).collect();
        let outputs = reactions.substitute_into(graph, &outputs);
        Equations {
            n: tree.n(),
            mass,
            rows,
            forces: Forces {
                total: forces,
                velocity: velocity_forces,
                loads,
                link_wrenches: None,
                body_wrenches: Vec::new(),
            },
            inverse: None,
            inertial: None,
            reactions: reactions.joints,
            interface: InterfaceMap {
                derivatives: interface_derivatives,
                accelerations: interface_accelerations,
                coordinate_rates,
            },
            solver: SolverMap { coordinates, speeds, accelerations, derivatives, bias },
            states: States { rates: auxiliary_rates, memories, declared_memories },
            outputs: Outputs { values: outputs, rates: output_rates },
            energy: Energies { kinetic, potential, force_potentials, force_powers },
            bodies,
            operators,
            conditions: Conditions { exact, guesses, imposed: event_conditions },
            events,
        }
    }

    /// ż, declared as the rates of the auxiliary states.
    fn auxiliary_rates(&self) -> Vec<NodeId> {
        let rates: Vec<NodeId> =
            self.model.quantities.auxiliary.iter().flat_map(|a| &a.rates).map(|e| self.node(*e)).collect();
        for (i, rate) in (0..).zip(&rates) {
            self.graph.set_rate(Symbol::Auxiliary(i), *rate);
        }
        rates
    }

    /// Declares the contact parameters of cams as parameters of curves: expressions contain them often.
    fn declare_contact_parameters(&self) {
        for side in self.model.curves.cams.iter().flat_map(|cam| &cam.sides) {
            let coordinate = InterfaceCoordinate::Algebraic(side.unknown);
            let interface =
                self.tree.interface.iter().position(|c| *c == coordinate).map(|i| Symbol::Coordinate(i as u32));
            let solver = self.tree.solver_index(SolverCoordinate::Algebraic(side.unknown));
            let solver = solver.map(|i| Symbol::SolverCoordinate(i as u32));
            interface.into_iter().chain(solver).for_each(|symbol| self.graph.declare_curve_parameter(symbol));
        }
    }

    /// q̇ in interface symbols, where kinds of joints declare speeds; `None` where q̇ = v.
    fn coordinate_rates(&self) -> Option<Vec<NodeId>> {
        if self.tree.declared_speeds(self.model).is_empty() {
            return None;
        }
        let q: Vec<NodeId> = (0..self.tree.n() as u32).map(|i| self.graph.symbol(Symbol::Coordinate(i))).collect();
        Some(self.graph.rate(&q))
    }

    /// Power of the loads of a force: Q̂_forceᵀ v̂, plus the power on prescribed motion.
    fn power(&self, loads: &[Load]) -> NodeId {
        let mut forces = vec![Sym::Literal(0.0); self.tree.n()];
        loads.iter().for_each(|load| self.mechanics.planar().add_load(load, &|e| self.gradient(e), &mut forces));
        power::power(self.graph, &self.mechanics, loads, &forces)
    }

    fn condition(&self, c: &InitialCondition) -> Condition {
        let residual = self.mechanics.condition_residual(c).id(self.graph);
        let symbol = match c.level {
            RowLevel::Position => Symbol::SolverCoordinate,
            _ => Symbol::SolverSpeed,
        };
        let derivatives = sparse_derivatives(self.graph, &[residual], symbol).remove(0);
        Condition { residual, level: c.level, derivatives }
    }
}

fn declare_rates(graph: &Graph, model: &Model, tree: &Tree) {
    let n = tree.n();
    for i in 0..n as u32 {
        graph.set_rate(Symbol::SolverCoordinate(i), graph.symbol(Symbol::SolverSpeed(i)));
        graph.set_rate(Symbol::SolverSpeed(i), graph.symbol(Symbol::SolverAcceleration(i)));
        graph.set_rate(Symbol::Speed(i), graph.symbol(Symbol::Acceleration(i)));
    }
    let [q, v] = [Symbol::Coordinate, Symbol::Speed].map(|symbol| symbols(graph, n, symbol));
    for (i, rate) in (0..).zip(Mechanics::declared_rates(model, tree, variables(graph, model, tree), &q, &v)) {
        graph.set_rate(Symbol::Coordinate(i), rate.id(graph));
    }
}

/// Solver coordinates as functions w(q) of the interface coordinates.
fn solver_of_interface(graph: &Graph, model: &Model, tree: &Tree) -> Vec<NodeId> {
    let q = symbols(graph, tree.n(), Symbol::Coordinate);
    let mechanics = Mechanics::at_interface_coordinates(model, tree, variables(graph, model, tree), &q);
    mechanics.coordinates.iter().map(|s| s.id(graph)).collect()
}

/// Φ, ψ, G, γ of the rows that remain: ψ = Φ̇ (or Ψ), G = ∂ψ/∂v̂, γ = −ψ̇ at â = 0.
fn derive_rows(graph: &Graph, tree: &Tree, value: &dyn Fn(ExprId) -> NodeId) -> Rows {
    let mut rows = Rows::default();
    let zero = graph.constant(0.0);
    for (r, row) in tree.rows.iter().enumerate() {
        let residual = value(row.residual);
        let psi = match row.level {
            RowLevel::Position => {
                rows.phi.push(residual);
                graph.rate(&[residual])[0]
            }
            _ => residual,
        };
        let derivatives = |root: NodeId, symbol: fn(u32) -> Symbol| -> Vec<(usize, NodeId)> {
            let depends = dependencies(graph, root);
            let columns = (0..tree.n()).filter(|i| depends.contains(&symbol(*i as u32)));
            columns.map(|i| (i, partial(graph, root, symbol(i as u32)))).collect()
        };
        let entries = match row.level {
            RowLevel::Position => derivatives(residual, Symbol::SolverCoordinate),
            RowLevel::Velocity => derivatives(psi, Symbol::SolverSpeed),
            RowLevel::Acceleration => derivatives(psi, Symbol::SolverAcceleration),
        };
        for (i, entry) in entries {
            if entry != zero {
                graph.suggest(entry, format!("g_{r}_{i}"));
                rows.jacobian.insert((r, i), entry);
            }
        }
        let gamma = match row.level {
            RowLevel::Acceleration => graph.neg(without_acceleration(graph, residual)),
            _ => graph.neg(without_acceleration(graph, graph.rate(&[psi])[0])),
        };
        rows.gamma.push(gamma);
        if row.level <= RowLevel::Velocity {
            rows.psi.push(psi);
        }
    }
    rows
}

/// Linear momentum x, y and angular momentum about the world origin.
fn momentum<'g>(graph: &'g Graph, mechanics: &Mechanics<'_, Sym<'g>>) -> Vec<NodeId> {
    let mut sum = vec![graph.constant(0.0); 3];
    for (b, body) in (0..).zip(&mechanics.model.bodies) {
        let m = mechanics.value(body.mass).id(graph);
        let r = mechanics.marker_point(body.com_marker).map(|s| s.id(graph));
        let v = [0, 1].map(|k| graph.rate(&[r[k]])[0]);
        for k in 0..2 {
            sum[k] = graph.add(sum[k], graph.mul(m, v[k]));
        }
        let moment = graph.sub(graph.mul(r[0], v[1]), graph.mul(r[1], v[0]));
        sum[2] = graph.add(sum[2], graph.mul(m, moment));
        if let Some(moments) = mechanics.model.coordinates.natural.angular_momenta.get(&BodyId(b)) {
            sum[2] = graph.add(sum[2], mechanics.value(moments[2]).id(graph));
        } else if body.kind == BodyKind::Rigid {
            let spin = mechanics.planar().angle_rate(BodyId(b)).id(graph);
            sum[2] = graph.add(sum[2], graph.mul(mechanics.value(body.inertia[2]).id(graph), spin));
        }
    }
    sum
}
