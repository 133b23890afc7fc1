//! Chooses the method that solves the linear system of accelerations and multipliers.
//!
//! M is factorised with the rows, by LDLᵀ of [M Gᵀ; G 0] in a static order, possibly after elimination of contact parameters; or, in space
//! and without rows, speed by speed along the tree, by articulated bodies. The first costs less for few links, the second grows linearly
//! with them. Both are written out and counted, unless the structure alone shows that LDLᵀ costs more.
//!
//! After this point: accelerations and multipliers are nodes; the system solves for any other right side.

use std::rc::Rc;

use mbs_model::Cam;
use mbs_physics::{Articulated, LinkWrench, Mechanics, SolverCoordinate};

use super::Context;
use crate::derive::{Gathered, Matrix, symbols, variables, while_on};
use crate::graph::{Graph, NodeId, Stage, Sym, Symbol};
use crate::optimize::{count, optimize};
use crate::solve::{Augmentation, Contacts, Factor, Saddle, candidate_orders, leaves_first};

/// Limit of compile time: number of operations, summed over the orders examined, beyond which the cheapest order so far is used.
const LOOKED_AT: usize = 20_000;

/// Solution of the linear system.
pub struct Solved<'a> {
    /// The factorised system.
    pub system: System<'a>,
    /// LDLᵀ in addition to articulated bodies: it costs more for accelerations but may cost less for derivatives.
    other: Option<System<'a>>,
    /// Accelerations in interface coordinates, then multipliers.
    pub accelerations: (Vec<NodeId>, Vec<NodeId>),
    /// Solution for the right side (f, g), in interface coordinates.
    pub response: (Vec<NodeId>, Vec<NodeId>),
}

/// M x + Gᵀ μ = f, G x = g, factorised.
pub enum System<'a> {
    /// LDLᵀ.
    Saddle {
        /// The factor of the chosen order.
        factor: Factor,
        /// The factorised matrix.
        saddle: Saddle,
        /// Whether M was augmented.
        augmented: bool,
        /// The reduced system without contact parameters, if that was factorised instead of the whole.
        contacts: Option<Rc<Contacts>>,
    },
    /// Articulated bodies.
    Articulated(Articulated<Sym<'a>>),
}

/// A solution with the number of its operations.
struct Counted<'a> {
    operations: usize,
    solved: Solved<'a>,
}

impl<'a> Solved<'a> {
    /// Systems that may solve for derivatives.
    pub fn systems(&self) -> impl Iterator<Item = &System<'a>> {
        std::iter::once(&self.system).chain(&self.other)
    }

    /// Accelerations and multipliers.
    fn roots(&self) -> Vec<NodeId> {
        let (a, lambda) = &self.accelerations;
        [a.as_slice(), lambda].concat()
    }
}

/// A pivot of a system.
#[derive(Clone, Copy)]
pub struct Pivot {
    /// Index of its speed, or number of speeds plus index of its row.
    pub row: usize,
    /// d.
    pub pivot: NodeId,
    /// Sum of the absolute terms that formed d, or a bound of it.
    pub magnitude: NodeId,
}

impl<'a> Context<'a> {
    /// Chooses the method and the order by counted operations and solves symbolically.
    pub fn solve(&self) -> Option<Solved<'a>> {
        self.name_symbols();
        let articulated = self.articulated().map(|bodies| self.counted(System::Articulated(bodies)));
        let Some(articulated) = articulated else { return self.factorised().map(|f| f.solved) };
        let much_more = |a: usize, b: usize| a > b + b / 8;
        // For derivatives (many right-hand sides) LDLᵀ stays cheaper up to longer chains than for one solve; break-even is at about twice the cost.
        let limit = if self.has_derivatives() { 2 * articulated.operations } else { articulated.operations };
        if much_more(self.factor_estimate(), limit) {
            return Some(articulated.solved);
        }
        let Some(factorised) = self.factorised() else { return Some(articulated.solved) };
        let [ours, theirs] = [articulated.operations, factorised.operations];
        let [ours, theirs] = match much_more(ours, theirs) || much_more(theirs, ours) {
            true => [ours, theirs],
            false => [&articulated, &factorised].map(|way| self.optimized(way)),
        };
        if ours >= theirs {
            return Some(factorised.solved);
        }
        Some(Solved { other: self.has_derivatives().then_some(factorised.solved.system), ..articulated.solved })
    }

    /// Whether kernels solve for derivatives in addition to accelerations.
    fn has_derivatives(&self) -> bool {
        let kernels = self.model.kernels;
        kernels.jacobians || kernels.linearization || kernels.sensitivities
    }

    /// Number of operations after optimisation.
    fn optimized(&self, way: &Counted<'_>) -> usize {
        let roots = way.solved.roots();
        count(self.graph, &optimize(self.graph, &roots, &[]).roots).operations
    }

    fn counted(&self, system: System<'a>) -> Counted<'a> {
        let solved = self.solved(system);
        Counted { operations: count(self.graph, &solved.roots()).operations, solved }
    }

    /// Estimated operations for a tree by LDLᵀ: factorisation from its sparsity pattern, its matrix and right side counted.
    fn factor_estimate(&self) -> usize {
        let e = self.equations;
        let saddle = Saddle::new(e.n, 0, &e.mass, &e.jacobian, &Matrix::new());
        let given: Vec<NodeId> = e.mass.values().chain(&e.forces).copied().collect();
        leaves_first(self.graph, &saddle) as usize + count(self.graph, &given).operations
    }

    /// The cheapest LDLᵀ: without contact parameters, if there are any and the rest has a certified order.
    fn factorised(&self) -> Option<Counted<'a>> {
        let (graph, e) = (self.graph, self.equations);
        let size = (e.n, self.tree.rows.len());
        let unit = self.unit_mass();
        let mass = if self.unit_metric { &unit } else { &e.mass };
        let diagonal = e.switched_diagonal(graph);
        let places = |cam: &Cam| {
            let place = |i: usize| self.tree.solver_index(SolverCoordinate::Algebraic(cam.sides[i].unknown));
            Some([place(0)?, place(1)?])
        };
        let pairs: Vec<[usize; 2]> = self.model.cams.iter().filter_map(places).collect();
        let contacts = Contacts::new(graph, &pairs, size, (mass, &e.jacobian, &diagonal)).map(Rc::new);
        let rest = contacts.and_then(|c| self.in_best_order(c.size(), [&c.mass, &c.jacobian, &c.diagonal], Some(&c)));
        rest.or_else(|| self.in_best_order(size, [mass, &e.jacobian, &diagonal], None))
    }

    /// The cheapest LDLᵀ among the most promising orders, for n speeds and n_c rows.
    fn in_best_order(
        &self,
        (n, n_c): (usize, usize),
        [mass, jacobian, diagonal]: [&Matrix; 3],
        contacts: Option<&Rc<Contacts>>,
    ) -> Option<Counted<'a>> {
        let graph = self.graph;
        let size = n + n_c;
        let (tries, keep) = if size <= 60 {
            (160, 16)
        } else if size <= 200 {
            (12, 2)
        } else {
            (3, 1)
        };
        let mut best: Option<Counted<'a>> = None;
        let mut looked_at = 0;
        let mut consider = |mass: &Matrix, augmented: bool| {
            let saddle = Saddle::new(n, n_c, mass, jacobian, diagonal);
            for order in candidate_orders(graph, &self.states, &saddle, tries, keep) {
                if looked_at > LOOKED_AT {
                    break;
                }
                let Some(factor) = Factor::new(graph, &saddle, order) else { continue };
                let (saddle, contacts) = (saddle.clone(), contacts.cloned());
                let counted = self.counted(System::Saddle { factor, saddle, augmented, contacts });
                looked_at += counted.operations;
                if best.as_ref().is_none_or(|b| counted.operations < b.operations) {
                    best = Some(counted);
                }
            }
        };
        // A massless speed with inertia outboard has a nonzero diagonal, yet M is singular in some pose: no order is safe without the rows.
        let of_all = |i: usize| contacts.map_or(i, |contacts| contacts.whole(self.equations.n, i));
        let light = |i: usize| !self.unit_metric && self.light[of_all(i)];
        if !(0..n).any(|i| light(i) && mass.contains_key(&(i, i))) {
            consider(mass, false);
        }
        if (0..n).any(|i| light(i) || !mass.contains_key(&(i, i))) {
            consider(&self.augmentation(jacobian, contacts).mass(graph, mass), true);
        }
        best
    }

    /// Whether orders of the whole system are certified for the augmented M alone.
    pub(super) fn is_augmented(&self, system: &System<'_>) -> bool {
        match system {
            System::Articulated(_) => false,
            System::Saddle { augmented, contacts: None, .. } => *augmented,
            System::Saddle { contacts: Some(_), .. } => {
                let (graph, e) = (self.graph, self.equations);
                let diagonal = e.switched_diagonal(graph);
                let saddle = Saddle::new(e.n, self.tree.rows.len(), &e.mass, &e.jacobian, &diagonal);
                candidate_orders(graph, &self.states, &saddle, 4, 1).is_empty()
            }
        }
    }

    /// Augmentation of the whole system, or of the reduced one without contact parameters.
    fn augmentation<'j>(&self, jacobian: &'j Matrix, contacts: Option<&Rc<Contacts>>) -> Augmentation<'j> {
        let entries = |r: usize| self.equations.jacobian.range((r, 0)..(r + 1, 0)).map(|(_, g)| *g);
        let weights = self.row_weights.iter().enumerate();
        let weights: Vec<NodeId> = weights.map(|(r, weight)| weight.node(self.graph, entries(r))).collect();
        let left = contacts.map(|contacts| contacts.weights(self.graph, &weights));
        Augmentation::new(jacobian, left.unwrap_or(weights))
    }

    /// Unit mass matrix: the metric of a mechanism without mass.
    pub(super) fn unit_mass(&self) -> Matrix {
        (0..self.equations.n).map(|i| ((i, i), self.graph.number(1.0))).collect()
    }

    /// Systems of M alone, without rows, by each available method; empty if M is singular for all parameters.
    pub(super) fn unconstrained(&self) -> Vec<System<'a>> {
        if self.unit_metric {
            return Vec::new();
        }
        let (graph, e) = (self.graph, self.equations);
        let saddle = Saddle::new(e.n, 0, &e.mass, &Matrix::new(), &Matrix::new());
        let (tries, keep) = if e.n <= 60 { (12, 2) } else { (1, 1) };
        let orders = candidate_orders(graph, &self.states, &saddle, tries, keep).into_iter();
        let factors = orders.filter_map(|order| Factor::new(graph, &saddle, order));
        let saddles =
            factors.map(|factor| System::Saddle { factor, saddle: saddle.clone(), augmented: false, contacts: None });
        saddles.chain(self.articulated_bodies().map(System::Articulated)).collect()
    }

    /// M by articulated bodies, where that is possible and accelerations may use it.
    fn articulated(&self) -> Option<Articulated<Sym<'a>>> {
        self.equations.gathered.as_ref().filter(|_| !self.unit_metric)?;
        self.articulated_bodies()
    }

    /// M of the links by articulated bodies, if all speeds are speeds of links.
    fn articulated_bodies(&self) -> Option<Articulated<Sym<'a>>> {
        let (graph, model, tree) = (self.graph, self.model, self.tree);
        let moved: usize = tree.links.iter().map(|l| l.mobilizer.speeds()).sum();
        if tree.links.is_empty() || moved < tree.n() {
            return None;
        }
        let q = symbols(graph, tree.n_q(), Symbol::SolverCoordinate);
        let rest = vec![Sym::Literal(0.0); tree.n()];
        let space = Mechanics::at_spatial_state(model, tree, variables(graph, model, tree), q, [&rest, &rest]).space;
        let bodies = space.articulated(tree, &space.regrouped(tree))?;
        for (row, pivot, _) in bodies.pivots() {
            let pivot = pivot.id(graph);
            if graph.stage(pivot) >= Stage::Position && graph.value(pivot).is_none() {
                graph.suggest(pivot, format!("pivot_v{row}"));
            }
        }
        Some(bodies)
    }

    /// Right side f in the solver's speeds: Hᵀ f.
    pub(super) fn solver_forces(&self) -> Vec<NodeId> {
        let (graph, e) = (self.graph, self.equations);
        let mut f = vec![graph.number(0.0); e.n];
        for (i, row) in e.interface_derivatives.iter().enumerate() {
            for (j, derivative) in row {
                f[*j] = graph.add(f[*j], graph.mul(*derivative, graph.symbol(Symbol::Force(i as u32))));
            }
        }
        f
    }

    fn solved(&self, system: System<'a>) -> Solved<'a> {
        let (graph, e) = (self.graph, self.equations);
        // Accelerations: (Q̂, γ̂), then a = ḧ with the solver's accelerations substituted.
        let x = match (&system, &e.gathered) {
            (System::Articulated(bodies), Some(gathered)) => accelerations(graph, bodies, gathered),
            _ => system.answer(self, &e.forces, &e.gamma),
        };
        let (solver, lambda) = (x[..e.n].to_vec(), x[e.n..].to_vec());
        let replace = (0..e.n).map(|i| (graph.symbol(Symbol::SolverAcceleration(i as u32)), solver[i])).collect();
        let a = graph.substitute(&e.interface_accelerations, &replace);
        // Response: f̂ = hᵀ f, x = h x̂ with h = ∂q/∂q̂.
        let derivatives = &e.interface_derivatives;
        let f = self.solver_forces();
        let target = |(r, enabled): (u32, &Option<NodeId>)| while_on(graph, *enabled, graph.symbol(Symbol::Target(r)));
        let g: Vec<NodeId> = (0..).zip(&e.enabled).map(target).collect();
        let y = system.answer(self, &f, &g);
        let x: Vec<NodeId> = derivatives
            .iter()
            .map(|row| {
                row.iter().fold(graph.number(0.0), |sum, (j, derivative)| graph.add(sum, graph.mul(*derivative, y[*j])))
            })
            .collect();
        let response = (x, y[e.n..].to_vec());
        Solved { system, other: None, accelerations: (a, lambda), response }
    }
}

impl System<'_> {
    /// Name of the method.
    pub fn name(&self) -> &'static str {
        match self {
            System::Articulated(_) => "articulated bodies",
            System::Saddle { .. } => "sparse LDLᵀ",
        }
    }

    /// Solves for given forces and right sides of the rows.
    pub fn answer(&self, context: &Context<'_>, forces: &[NodeId], targets: &[NodeId]) -> Vec<NodeId> {
        let graph = context.graph;
        match self {
            System::Articulated(bodies) => ids(graph, &bodies.solve(&scalars(graph, forces), None)),
            System::Saddle { factor, saddle, augmented, contacts } => {
                let whole = &context.equations.jacobian;
                let solved = |jacobian: &Matrix, forces: &[NodeId], targets: &[NodeId]| {
                    let mut right = match augmented {
                        true => context.augmentation(jacobian, contacts.as_ref()).right(graph, forces, targets),
                        false => forces.to_vec(),
                    };
                    right.extend(targets);
                    factor.solve(graph, saddle, &right)
                };
                let Some(contacts) = contacts else { return solved(whole, forces, targets) };
                let (f, g) = contacts.right(graph, whole, forces, targets);
                contacts.expanded(graph, whole, &solved(&contacts.jacobian, &f, &g), (forces, targets))
            }
        }
    }

    /// M⁻¹, for mechanisms without rows.
    pub fn inverted(&self, graph: &Graph) -> Vec<Vec<NodeId>> {
        match self {
            System::Articulated(bodies) => bodies.inverse_mass_matrix().iter().map(|row| ids(graph, row)).collect(),
            System::Saddle { factor, .. } => factor.inverted(graph),
        }
    }

    /// Pivots in the order of elimination, for a mechanism of n speeds.
    pub fn pivots(&self, graph: &Graph, n: usize) -> Vec<Pivot> {
        match self {
            System::Articulated(bodies) => {
                let pivots = bodies.pivots();
                pivots.map(|(row, d, size)| Pivot { row, pivot: d.id(graph), magnitude: size.id(graph) }).collect()
            }
            System::Saddle { factor, contacts, .. } => {
                let of_contacts = contacts.iter().flat_map(|c| c.pivots(graph));
                let of_contacts = of_contacts.map(|(row, pivot, magnitude)| Pivot { row: n + row, pivot, magnitude });
                let whole = |i: usize| contacts.as_ref().map_or(i, |contacts| contacts.whole(n, i));
                let pivots = factor.order.iter().zip(&factor.pivots);
                let rest = pivots.map(|(i, (pivot, magnitude))| Pivot {
                    row: whole(*i),
                    pivot: *pivot,
                    magnitude: *magnitude,
                });
                of_contacts.chain(rest).collect()
            }
        }
    }
}

/// Accelerations from the wrenches from which Q̂ is projected: they propagate inwards with the elimination.
fn accelerations<'a>(graph: &'a Graph, bodies: &Articulated<Sym<'a>>, gathered: &Gathered) -> Vec<NodeId> {
    let wrench = |[moment, force]: &[[NodeId; 3]; 2]| LinkWrench {
        moment: Sym::vector(graph, *moment),
        force: Sym::vector(graph, *force),
    };
    let wrenches: Vec<LinkWrench<Sym<'a>>> = gathered.wrenches.iter().map(wrench).collect();
    ids(graph, &bodies.solve(&scalars(graph, &gathered.direct), Some(&wrenches)))
}

fn scalars<'g>(graph: &'g Graph, nodes: &[NodeId]) -> Vec<Sym<'g>> {
    nodes.iter().map(|id| Sym::Node(graph, *id)).collect()
}

fn ids(graph: &Graph, values: &[Sym<'_>]) -> Vec<NodeId> {
    values.iter().map(|s| s.id(graph)).collect()
}
