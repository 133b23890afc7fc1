//! Derives the formulas of the sheet, as nodes of the compiler's graph in interface symbols.
//!
//! Φ and ψ are those of the kernels with the interface coordinates substituted; G, ν and γ follow from their derivatives. M = Wᵀ M̂ W and
//! Q = Wᵀ (Q̂ − M̂ b) with W = ∂q̂/∂q and b the solver's bias accelerations; Q is split by its sources.

use std::collections::BTreeMap;

use mbs_compiler::compile::Compiled;
use mbs_compiler::derive::{Equations, Matrix, derive, solver_mechanics};
use mbs_compiler::graph::{Graph, NodeId, Sym, Symbol, partial, without_acceleration};
use mbs_expr::ExprId;
use mbs_model::groups::Loads;
use mbs_model::{Force, Model};
use mbs_physics::SolverCoordinate;
use rustc_hash::FxHashMap;

/// Source of a part of Q.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Terms quadratic in speeds: −Σ m J̇ v and the terms due to the choice of coordinates.
    Velocity,
    /// The declared gravity.
    Gravity,
    /// A declared force or potential, by index.
    Force(usize),
}

/// All formulas as nodes.
pub struct Roots {
    pub phi: Vec<NodeId>,
    pub psi: Vec<NodeId>,
    pub jacobian: Matrix,
    pub nu: Vec<NodeId>,
    pub gamma: Vec<NodeId>,
    /// Lower triangle, i ≥ j.
    pub mass: Matrix,
    pub forces: Vec<(Source, Vec<NodeId>)>,
    pub kinetic: NodeId,
    pub potential: NodeId,
    pub rates: Vec<NodeId>,
    /// q̇, where some speeds are not rates.
    pub coordinate_rates: Vec<NodeId>,
    /// Solver coordinates and their rates.
    pub solver: Vec<[NodeId; 2]>,
    /// Indices of solver coordinates that are angles.
    pub angles: Vec<usize>,
}

impl Roots {
    /// Every node that is converted to a formula.
    pub fn nodes(&self) -> Vec<NodeId> {
        let mut all = [&self.phi[..], &self.psi, &self.nu, &self.gamma, &self.rates, &self.coordinate_rates].concat();
        all.extend(self.jacobian.values().chain(self.mass.values()));
        all.extend(self.forces.iter().flat_map(|(_, forces)| forces));
        all.extend([self.kinetic, self.potential]);
        all
    }
}

/// Derives the formulas of a mechanism as nodes of a new graph.
pub fn roots(graph: &Graph, compiled: &Compiled) -> Roots {
    let (model, tree) = (&compiled.model, &compiled.tree);
    let mut equations = derive(graph, model, tree);
    equations.switch(graph, tree);
    let interface = Interface::new(graph, &equations);
    let zero = graph.constant(0.0);
    let n = equations.n;

    let psi = interface.convert(&equations.rows.psi);
    let zero_speeds: FxHashMap<NodeId, NodeId> =
        (0..n as u32).map(|i| (graph.symbol(Symbol::Speed(i)), zero)).collect();
    let mut nu: Vec<NodeId> = graph.substitute(&psi, &zero_speeds).into_iter().map(|x| graph.neg(x)).collect();
    // Rates of states are in solver symbols.
    let rate = |x: &NodeId| interface.convert(&graph.rate(&[*x]))[0];
    let mut gamma: Vec<NodeId> = psi.iter().map(|x| graph.neg(without_acceleration(graph, rate(x)))).collect();
    let mut jacobian = Matrix::new();
    for (r, root) in psi.iter().enumerate() {
        for i in 0..n {
            let derivative = partial(graph, *root, Symbol::Speed(i as u32));
            if derivative != zero {
                jacobian.insert((r, i), derivative);
            }
        }
        if model.row_reads_speeds(&tree.rows[r]) {
            let entries = jacobian.range((r, 0)..(r + 1, 0));
            let products = entries.map(|((_, i), g)| graph.mul(*g, graph.symbol(Symbol::Speed(*i as u32))));
            nu[r] = graph.sub(products.fold(zero, |sum, term| graph.add(sum, term)), *root);
        }
    }
    for r in psi.len()..tree.rows.len() {
        let (row, target) = interface.acceleration_row(r);
        gamma.push(target);
        jacobian.extend(row.into_iter().map(|(i, derivative)| ((r, i), derivative)));
    }
    Roots {
        phi: interface.convert(&equations.rows.phi),
        psi,
        jacobian,
        nu,
        gamma,
        mass: interface.mass(),
        forces: forces(graph, compiled, &interface),
        kinetic: interface.convert(&[equations.energy.kinetic])[0],
        potential: interface.convert(&[equations.energy.potential])[0],
        rates: interface.convert(&equations.states.rates),
        coordinate_rates: equations.interface.coordinate_rates.clone().unwrap_or_default(),
        solver: equations.solver.coordinates.iter().zip(&equations.solver.speeds).map(|(x, v)| [*x, *v]).collect(),
        angles: (0..n).filter(|i| matches!(tree.solver[*i], SolverCoordinate::Angle(_))).collect(),
    }
}

/// Q by its sources.
fn forces(graph: &Graph, compiled: &Compiled, interface: &Interface<'_>) -> Vec<(Source, Vec<NodeId>)> {
    let model = &compiled.model;
    let n = interface.equations.n;
    let loaded =
        |forces: Vec<Force>, gravity: Option<[ExprId; 3]>| Model { loads: Loads { forces, gravity }, ..model.clone() };
    let solver_forces = |model: &Model| -> Vec<NodeId> {
        let mechanics = solver_mechanics(graph, model, &compiled.tree);
        let gradient = |e: ExprId| -> Vec<Sym<'_>> {
            let root = mechanics.value(e).id(graph);
            let derivative = |i: usize| partial(graph, root, Symbol::SolverCoordinate(i as u32));
            (0..n).map(|i| Sym::Node(graph, derivative(i))).collect()
        };
        mechanics.planar().generalized_forces(&gradient).into_iter().map(|s| s.id(graph)).collect()
    };
    let velocity = solver_forces(&loaded(Vec::new(), None));
    let without_velocity =
        |forces: &[NodeId]| forces.iter().zip(&velocity).map(|(q, v)| graph.sub(*q, *v)).collect::<Vec<_>>();

    let mut list = vec![(Source::Velocity, interface.forces(&interface.subtract_bias(&velocity)))];
    if model.loads.gravity.is_some() {
        list.push((
            Source::Gravity,
            interface.forces(&without_velocity(&solver_forces(&loaded(Vec::new(), model.loads.gravity)))),
        ));
    }
    for (k, force) in model.loads.forces.iter().enumerate() {
        let single = loaded(vec![force.clone()], None);
        list.push((Source::Force(k), interface.forces(&without_velocity(&solver_forces(&single)))));
    }
    list
}

/// Converts solver symbols to interface symbols.
struct Interface<'a> {
    graph: &'a Graph,
    equations: &'a Equations,
    replace: FxHashMap<NodeId, NodeId>,
    /// ∂v̂ₖ/∂v, nonzero entries by row.
    derivatives: Vec<BTreeMap<usize, NodeId>>,
}

impl<'a> Interface<'a> {
    fn new(graph: &'a Graph, equations: &'a Equations) -> Self {
        let mut replace = FxHashMap::default();
        for i in 0..equations.n {
            let k = i as u32;
            replace.insert(graph.symbol(Symbol::SolverCoordinate(k)), equations.solver.coordinates[i]);
            replace.insert(graph.symbol(Symbol::SolverSpeed(k)), equations.solver.speeds[i]);
            replace.insert(graph.symbol(Symbol::SolverAcceleration(k)), equations.solver.accelerations[i]);
        }
        let derivatives = equations.solver.derivatives.iter().map(|row| row.iter().copied().collect()).collect();
        Interface { graph, equations, replace, derivatives }
    }

    /// Nodes with solver symbols replaced by interface expressions.
    fn convert(&self, roots: &[NodeId]) -> Vec<NodeId> {
        self.graph.substitute(roots, &self.replace)
    }

    /// An acceleration row: g = ĝ W, and γ = γ̂ − ĝ b.
    fn acceleration_row(&self, r: usize) -> (BTreeMap<usize, NodeId>, NodeId) {
        let (graph, zero) = (self.graph, self.graph.constant(0.0));
        let mut row = BTreeMap::new();
        let mut target = self.convert(&[self.equations.rows.gamma[r]])[0];
        for ((_, k), g) in self.equations.rows.jacobian.range((r, 0)..(r + 1, 0)) {
            let g = self.convert(&[*g])[0];
            target = graph.sub(target, graph.mul(g, self.equations.solver.bias[*k]));
            for (i, w) in &self.derivatives[*k] {
                let sum = row.entry(*i).or_insert(zero);
                *sum = graph.add(*sum, graph.mul(g, *w));
            }
        }
        row.retain(|_, derivative| *derivative != zero);
        (row, target)
    }

    /// Wᵀ M̂ W, lower triangle.
    fn mass(&self) -> Matrix {
        let graph = self.graph;
        let mut mass = Matrix::new();
        let nodes = self.convert(&self.equations.mass.values().copied().collect::<Vec<_>>());
        for (&(k, l), m) in self.equations.mass.keys().zip(nodes) {
            let mut add = |i: usize, j: usize, term: NodeId| {
                let sum = mass.entry((i, j)).or_insert(graph.constant(0.0));
                *sum = graph.add(*sum, term);
            };
            for (i, wi) in &self.derivatives[k] {
                for (j, wj) in &self.derivatives[l] {
                    let term = graph.mul(graph.mul(*wi, *wj), m);
                    if i >= j {
                        add(*i, *j, term);
                    }
                    // The entry (l, k) of M̂, which is not stored, contributes the transpose.
                    if k != l && j >= i {
                        add(*j, *i, term);
                    }
                }
            }
        }
        let zero = graph.constant(0.0);
        mass.retain(|_, m| *m != zero);
        mass
    }

    /// Q̂ − M̂ b for the velocity terms Q̂, in solver symbols except for b.
    fn subtract_bias(&self, velocity: &[NodeId]) -> Vec<NodeId> {
        let (graph, bias) = (self.graph, &self.equations.solver.bias);
        let mut forces = velocity.to_vec();
        for (&(k, l), m) in &self.equations.mass {
            forces[k] = graph.sub(forces[k], graph.mul(*m, bias[l]));
            if k != l {
                forces[l] = graph.sub(forces[l], graph.mul(*m, bias[k]));
            }
        }
        forces
    }

    /// Generalised forces in solver coordinates, converted to interface coordinates: Wᵀ f.
    fn forces(&self, solver: &[NodeId]) -> Vec<NodeId> {
        let graph = self.graph;
        let mut forces = vec![graph.constant(0.0); self.equations.n];
        for (force, derivatives) in self.convert(solver).into_iter().zip(&self.derivatives) {
            for (i, derivative) in derivatives {
                forces[*i] = graph.add(forces[*i], graph.mul(*derivative, force));
            }
        }
        forces
    }
}
