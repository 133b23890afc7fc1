//! Chooses the method that solves the linear system of accelerations and multipliers.
//!
//! M is factorised with the rows, by LDLᵀ of [M Gᵀ; G 0] in a static order, possibly after elimination of contact parameters; or, in space
//! and without rows, link by link through the tree, by articulated bodies. LDLᵀ costs less for few links; the cost of articulated bodies grows
//! linearly with the number of links. Both are derived and counted, unless the structure alone shows that LDLᵀ costs more.
//!
//! After this point: accelerations and multipliers are nodes; the system solves for any other right side.

use std::rc::Rc;

use mbs_model::Cam;
use mbs_physics::{Articulated, LinkWrench, Mechanics, SolverCoordinate};

use super::Context;
use crate::derive::{LinkWrenches, Matrix, symbols, variables, zero_while_off};
use crate::graph::{Graph, NodeId, Stage, Sym, Symbol};
use crate::optimize::{count, optimize};
use crate::solve::{Augmentation, Contacts, Factor, Saddle, candidate_orders, leaves_first_cost};

/// Limit of compile time: number of operations, summed over the orders examined, beyond which the cheapest order so far is used.
const OPERATION_LIMIT: usize = 20_000;

/// Solution of the linear system.
pub struct Solved<'a> {
    /// The factorised system.
    pub system: System<'a>,
    /// LDLᵀ, if `system` is articulated bodies, or LDLᵀ with rows as they are, if `system` has scaled ones: it costs more for accelerations but may
    /// cost less for derivatives.
    other: Option<System<'a>>,
    /// Interface accelerations a, n_v, and multipliers λ, n_c.
    pub accelerations: (Vec<NodeId>, Vec<NodeId>),
    /// Solution (x, μ) for the right side (f, g), in interface speeds.
    pub response: (Vec<NodeId>, Vec<NodeId>),
}

/// The system M x + Gᵀ μ = f, G x = g, factorised.
pub enum System<'a> {
    /// LDLᵀ.
    Saddle {
        /// The factor of the chosen order.
        factor: Factor,
        /// The factorised matrix.
        saddle: Saddle,
        /// Whether M was augmented.
        augmented: bool,
        /// The reduced system without contact parameters, if that was factorised instead of the full one.
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
    /// Factorised systems, one of which is the cheapest for derivatives.
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
    /// The pivot d.
    pub pivot: NodeId,
    /// Sum of the absolute terms of which d is the sum, or a bound of it.
    pub magnitude: NodeId,
}

view_of_context! {
    /// Choice of the cheapest factorisation of the equations of motion.
    Factorisations
}

impl<'a> Context<'a> {
    /// Augmentation of the full system, or of the reduced one without contact parameters.
    fn augmentation<'j>(&self, jacobian: &'j Matrix, contacts: Option<&Rc<Contacts>>) -> Augmentation<'j> {
        let entries = |r: usize| self.equations.rows.jacobian.range((r, 0)..(r + 1, 0)).map(|(_, g)| *g);
        let weights = self.row_weights.iter().enumerate();
        let weights: Vec<NodeId> = weights.map(|(r, weight)| weight.node(self.graph, entries(r))).collect();
        let reduced = contacts.map(|contacts| contacts.weights(self.graph, &weights));
        Augmentation::new(jacobian, reduced.unwrap_or(weights))
    }

    /// Whether orders of the full system are certified for the augmented M only.
    pub(super) fn is_augmented(&self, system: &System<'_>) -> bool {
        match system {
            System::Articulated(_) => false,
            System::Saddle { augmented, contacts: None, .. } => *augmented,
            System::Saddle { contacts: Some(_), .. } => {
                let (graph, e) = (self.graph, self.equations);
                let diagonal = e.switched_diagonal(graph);
                let saddle = Saddle::new(e.n, self.tree.rows.len(), &e.mass, &e.rows.jacobian, &diagonal);
                candidate_orders(graph, &self.states, &saddle, 4, 1).is_empty()
            }
        }
    }

    /// Unit mass matrix: the metric of a mechanism without mass.
    pub(super) fn unit_mass(&self) -> Matrix {
        (0..self.equations.n).map(|i| ((i, i), self.graph.constant(1.0))).collect()
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

    /// M of the links by articulated bodies, if all speeds are speeds of links.
    fn articulated_bodies(&self) -> Option<Articulated<Sym<'a>>> {
        let (graph, model, tree) = (self.graph, self.model, self.tree);
        let moved: usize = tree.links.iter().map(|l| l.mobilizer.speeds()).sum();
        if tree.links.is_empty() || moved < tree.n() {
            return None;
        }
        let q = symbols(graph, tree.n_q(), Symbol::SolverCoordinate);
        let rest = vec![Sym::Literal(0.0); tree.n()];
        let at_rest = Mechanics::at_spatial_state(model, tree, variables(graph, model, tree), q, [&rest, &rest]);
        let state = at_rest.spatial().state;
        let bodies = state.articulated(tree, &state.regrouped(tree))?;
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
        let mut f = vec![graph.constant(0.0); e.n];
        for (i, row) in e.interface.derivatives.iter().enumerate() {
            for (j, derivative) in row {
                f[*j] = graph.add(f[*j], graph.mul(*derivative, graph.symbol(Symbol::Force(i as u32))));
            }
        }
        f
    }
}

impl<'a> Factorisations<'_, 'a> {
    /// Chooses the method and the elimination order by counted operations, and solves symbolically. `None` if no order is certified.
    pub fn solve(&self) -> Option<Solved<'a>> {
        self.name_symbols();
        let articulated =
            self.usable_articulated_bodies().map(|bodies| self.solve_and_count(System::Articulated(bodies)));
        let Some(articulated) = articulated else {
            let solved = self.cheapest_factorisation()?.solved;
            let other = if self.has_derivatives() { solved.system.unscaled(self.graph) } else { None };
            return Some(Solved { other, ..solved });
        };
        let is_much_more = |a: usize, b: usize| a > b + b / 8;
        // For derivatives (many right-hand sides) LDLᵀ stays cheaper up to longer chains than for one solve; break-even is at about twice the cost.
        let limit = if self.has_derivatives() { 2 * articulated.operations } else { articulated.operations };
        if is_much_more(self.factor_estimate(), limit) {
            return Some(articulated.solved);
        }
        let Some(factorisation) = self.cheapest_factorisation() else { return Some(articulated.solved) };
        let [a, b] = [articulated.operations, factorisation.operations];
        let [a, b] = match is_much_more(a, b) || is_much_more(b, a) {
            true => [a, b],
            false => [&articulated, &factorisation].map(|candidate| self.optimized_operations(candidate)),
        };
        if a >= b {
            return Some(factorisation.solved);
        }
        Some(Solved { other: self.has_derivatives().then_some(factorisation.solved.system), ..articulated.solved })
    }

    /// Whether kernels solve for derivatives in addition to accelerations.
    fn has_derivatives(&self) -> bool {
        let kernels = self.model.settings.kernels;
        kernels.jacobians || kernels.linearization || kernels.sensitivities
    }

    /// Number of operations after optimisation.
    fn optimized_operations(&self, candidate: &Counted<'_>) -> usize {
        let roots = candidate.solved.roots();
        count(self.graph, &optimize(self.graph, &roots, &[]).roots).operations
    }

    fn solve_and_count(&self, system: System<'a>) -> Counted<'a> {
        let solved = self.solve_for_accelerations(system);
        Counted { operations: count(self.graph, &solved.roots()).operations, solved }
    }

    /// Estimated operations for a tree by LDLᵀ: those of the factorisation by its sparsity pattern, plus the counted ones of matrix and right
    /// side.
    fn factor_estimate(&self) -> usize {
        let e = self.equations;
        let saddle = Saddle::new(e.n, 0, &e.mass, &e.rows.jacobian, &Matrix::new());
        let inputs: Vec<NodeId> = e.mass.values().chain(&e.forces.total).copied().collect();
        leaves_first_cost(self.graph, &saddle) as usize + count(self.graph, &inputs).operations
    }

    /// The cheapest LDLᵀ: of the system without contact parameters, if there are any and that has a certified order, else of the full system.
    fn cheapest_factorisation(&self) -> Option<Counted<'a>> {
        let (graph, e) = (self.graph, self.equations);
        let size = (e.n, self.tree.rows.len());
        let unit = self.unit_mass();
        let mass = if self.unit_metric { &unit } else { &e.mass };
        let diagonal = e.switched_diagonal(graph);
        let contact_speeds = |cam: &Cam| {
            let speed = |i: usize| self.tree.solver_index(SolverCoordinate::Algebraic(cam.sides[i].unknown));
            Some([speed(0)?, speed(1)?])
        };
        let pairs: Vec<[usize; 2]> = self.model.curves.cams.iter().filter_map(contact_speeds).collect();
        let contacts = Contacts::new(graph, &pairs, size, (mass, &e.rows.jacobian, &diagonal)).map(Rc::new);
        let reduced =
            contacts.and_then(|c| self.cheapest_saddle(c.size(), [&c.mass, &c.jacobian, &c.diagonal], Some(&c)));
        reduced.or_else(|| self.cheapest_saddle(size, [mass, &e.rows.jacobian, &diagonal], None))
    }

    /// The cheapest LDLᵀ among the most promising orders, for n speeds and n_c rows.
    fn cheapest_saddle(
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
        let mut counted_operations = 0;
        let mut consider = |mass: &Matrix, augmented: bool| {
            let saddle = Saddle::new(n, n_c, mass, jacobian, diagonal);
            for order in candidate_orders(graph, &self.states, &saddle, tries, keep) {
                if counted_operations > OPERATION_LIMIT {
                    break;
                }
                let Some(factor) = Factor::new(graph, &saddle, order) else { continue };
                let (saddle, contacts) = (saddle.clone(), contacts.cloned());
                let counted = self.solve_and_count(System::Saddle { factor, saddle, augmented, contacts });
                counted_operations += counted.operations;
                if best.as_ref().is_none_or(|b| counted.operations < b.operations) {
                    best = Some(counted);
                }
            }
        };
        // A massless speed with inertia outboard has a nonzero diagonal, yet M is singular in some pose: no order is safe without the rows.
        let full_index = |i: usize| contacts.map_or(i, |contacts| contacts.full_index(self.equations.n, i));
        let is_massless = |i: usize| !self.unit_metric && self.massless[full_index(i)];
        if !(0..n).any(|i| is_massless(i) && mass.contains_key(&(i, i))) {
            consider(mass, false);
        }
        if (0..n).any(|i| is_massless(i) || !mass.contains_key(&(i, i))) {
            consider(&self.augmentation(jacobian, contacts).mass(graph, mass), true);
        }
        let best = best?;
        // Scaled rows save little, and right sides with many terms may cost more.
        let unscaled = best.solved.system.unscaled(graph).map(|system| self.solve_and_count(system));
        Some(unscaled.filter(|unscaled| unscaled.operations < best.operations).unwrap_or(best))
    }

    /// M by articulated bodies, where that is possible and accelerations may use it.
    fn usable_articulated_bodies(&self) -> Option<Articulated<Sym<'a>>> {
        self.equations.forces.link_wrenches.as_ref().filter(|_| !self.unit_metric)?;
        self.articulated_bodies()
    }

    /// Solves for accelerations and multipliers, and for the response to right sides f and g.
    fn solve_for_accelerations(&self, system: System<'a>) -> Solved<'a> {
        let (graph, e) = (self.graph, self.equations);
        // Accelerations: (Q̂, γ̂), then a = ḧ with the solver's accelerations substituted.
        let x = match (&system, &e.forces.link_wrenches) {
            (System::Articulated(bodies), Some(link_wrenches)) => accelerations(graph, bodies, link_wrenches),
            _ => system.solve(self, &e.forces.total, &e.rows.gamma),
        };
        let (solver, lambda) = (x[..e.n].to_vec(), x[e.n..].to_vec());
        let replace = (0..e.n).map(|i| (graph.symbol(Symbol::SolverAcceleration(i as u32)), solver[i])).collect();
        let a = graph.substitute(&e.interface.accelerations, &replace);
        // Response: f̂ = Hᵀ f, x = H x̂ with H = ∂v/∂v̂.
        let derivatives = &e.interface.derivatives;
        let f = self.solver_forces();
        let target =
            |(r, enabled): (u32, &Option<NodeId>)| zero_while_off(graph, *enabled, graph.symbol(Symbol::Target(r)));
        let g: Vec<NodeId> = (0..).zip(&e.rows.enabled).map(target).collect();
        let y = system.solve(self, &f, &g);
        let x: Vec<NodeId> = derivatives
            .iter()
            .map(|row| {
                row.iter()
                    .fold(graph.constant(0.0), |sum, (j, derivative)| graph.add(sum, graph.mul(*derivative, y[*j])))
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

    /// Solves for given forces, n, and right sides of the rows, n_c, in solver speeds: accelerations, then multipliers.
    pub fn solve(&self, context: &Context<'_>, forces: &[NodeId], targets: &[NodeId]) -> Vec<NodeId> {
        let graph = context.graph;
        match self {
            System::Articulated(bodies) => ids(graph, &bodies.solve(&scalars(graph, forces), None)),
            System::Saddle { factor, saddle, augmented, contacts } => {
                let full = &context.equations.rows.jacobian;
                let solved = |jacobian: &Matrix, forces: &[NodeId], targets: &[NodeId]| {
                    let mut right = match augmented {
                        true => context.augmentation(jacobian, contacts.as_ref()).right_side(graph, forces, targets),
                        false => forces.to_vec(),
                    };
                    right.extend(targets);
                    factor.solve(graph, saddle, &right)
                };
                let Some(contacts) = contacts else { return solved(full, forces, targets) };
                let (f, g) = contacts.right_sides(graph, full, forces, targets);
                contacts.expand_solution(graph, full, &solved(&contacts.jacobian, &f, &g), forces, targets)
            }
        }
    }

    /// The system with rows as they are; `None` if it is this one.
    fn unscaled(&self, graph: &Graph) -> Option<Self> {
        let System::Saddle { factor, saddle, augmented, contacts } = self else { return None };
        let (factor, saddle) = (factor.unscaled(graph, saddle)?, saddle.clone());
        Some(System::Saddle { factor, saddle, augmented: *augmented, contacts: contacts.clone() })
    }

    /// M⁻¹, for mechanisms without rows.
    pub fn inverse_matrix(&self, graph: &Graph) -> Vec<Vec<NodeId>> {
        match self {
            System::Articulated(bodies) => bodies.inverse_mass_matrix().iter().map(|row| ids(graph, row)).collect(),
            System::Saddle { factor, .. } => factor.inverse_matrix(graph),
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
                let contact_pivots = contacts.iter().flat_map(|c| c.pivots(graph));
                let contact_pivots =
                    contact_pivots.map(|(row, pivot, magnitude)| Pivot { row: n + row, pivot, magnitude });
                let full_index = |i: usize| contacts.as_ref().map_or(i, |contacts| contacts.full_index(n, i));
                let rest = factor.pivots.iter().map(|(i, pivot, magnitude)| Pivot {
                    row: full_index(*i),
                    pivot: *pivot,
                    magnitude: *magnitude,
                });
                contact_pivots.chain(rest).collect()
            }
        }
    }
}

/// Accelerations from the wrenches from which Q̂ is projected: they propagate inwards with the elimination.
fn accelerations<'a>(graph: &'a Graph, bodies: &Articulated<Sym<'a>>, link_wrenches: &LinkWrenches) -> Vec<NodeId> {
    let wrench = |[moment, force]: &[[NodeId; 3]; 2]| LinkWrench {
        moment: Sym::vector(graph, *moment),
        force: Sym::vector(graph, *force),
    };
    let wrenches: Vec<LinkWrench<Sym<'a>>> = link_wrenches.wrenches.iter().map(wrench).collect();
    ids(graph, &bodies.solve(&scalars(graph, &link_wrenches.direct), Some(&wrenches)))
}

fn scalars<'g>(graph: &'g Graph, nodes: &[NodeId]) -> Vec<Sym<'g>> {
    nodes.iter().map(|id| Sym::Node(graph, *id)).collect()
}

fn ids(graph: &Graph, values: &[Sym<'_>]) -> Vec<NodeId> {
    values.iter().map(|s| s.id(graph)).collect()
}
