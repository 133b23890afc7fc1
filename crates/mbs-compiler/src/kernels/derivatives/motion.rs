//! Derivatives of accelerations and multipliers.

use super::super::System;
use super::residual::ResidualEquations;
use super::{Directions, row_major};
use crate::derive::{Derivatives, Inertial};
use crate::graph::{NodeId, Substitution, Symbol};

/// a, λ and the parts of their derivatives, in interface symbols.
pub struct Motion<'c> {
    residual: &'c ResidualEquations<'c>,
    system: &'c System<'c>,
    /// Inverse of M, instead of one solution for each direction.
    inverse: Option<Vec<Vec<NodeId>>>,
    /// â and λ.
    known: Substitution,
    /// Accelerations.
    pub a: Vec<NodeId>,
    /// Multipliers.
    pub lambda: Vec<NodeId>,
}

impl<'c> Motion<'c> {
    /// Solves for a and λ. If `inverted`, products with M⁻¹ replace the solutions of the system; only for mechanisms without rows.
    pub fn new(residual: &'c ResidualEquations<'c>, system: &'c System<'c>, inverted: bool) -> Self {
        let context = residual.context;
        let mut motion = Motion {
            residual,
            system,
            inverse: inverted.then(|| system.inverse_matrix(context.graph)),
            known: Substitution::default(),
            a: Vec::new(),
            lambda: Vec::new(),
        };
        let e = context.equations;
        // Prescribed coordinates move bodies without any speed: inertial forces are then not quadratic in speeds.
        let is_quadratic = context.tree.prescribed.is_empty();
        let inertial = e.inertial.as_ref().filter(|_| residual.has_inertial_derivatives() && is_quadratic);
        let forces = inertial.map_or_else(|| e.forces.total.clone(), |inertial| motion.forces(inertial));
        motion.solve(&forces);
        motion
    }

    /// Q̂ from derivatives that the kernel contains anyway: a term quadratic in speeds is half its derivative times the speeds.
    fn forces(&self, inertial: &Inertial) -> Vec<NodeId> {
        let graph = self.residual.context.graph;
        let at_rest = inertial.loads.iter().zip(&inertial.at_rest);
        let mut forces: Vec<NodeId> = at_rest.map(|(load, inertial)| graph.sub(*load, *inertial)).collect();
        let mut doubled = vec![graph.constant(0.0); forces.len()];
        for ((i, j), derivative) in &inertial.v_derivatives {
            let term = graph.mul(*derivative, graph.symbol(Symbol::SolverSpeed(*j as u32)));
            doubled[*i] = graph.add(doubled[*i], term);
        }
        for (force, doubled) in forces.iter_mut().zip(doubled) {
            *force = graph.sub(*force, graph.mul(graph.constant(0.5), doubled));
        }
        forces
    }

    /// Solves for a and λ, given Q̂.
    fn solve(&mut self, forces: &[NodeId]) {
        let context = self.residual.context;
        let (graph, e) = (context.graph, context.equations);
        let mut solver = context.to_interface(&self.solve_system(forces, &e.rows.gamma));
        self.lambda = solver.split_off(e.n);
        let accelerations = (0..).map(|i| graph.symbol(Symbol::SolverAcceleration(i))).zip(solver);
        let multipliers = (0..).map(|i| graph.symbol(Symbol::Multiplier(i))).zip(self.lambda.iter().copied());
        self.known = Substitution::new(accelerations.chain(multipliers).collect());
        self.a = self.known.apply(graph, &self.residual.accelerations);
    }

    /// Solves the system for given forces, n, and right sides of the rows, n_c: accelerations, then multipliers.
    fn solve_system(&self, forces: &[NodeId], targets: &[NodeId]) -> Vec<NodeId> {
        let context = self.residual.context;
        if let Some(inverse) = &self.inverse {
            let graph = context.graph;
            let product = |row: &Vec<NodeId>| {
                let terms = row.iter().zip(forces).map(|(x, f)| graph.mul(*x, *f));
                terms.fold(graph.constant(0.0), |sum, term| graph.add(sum, term))
            };
            return inverse.iter().map(product).collect();
        }
        self.system.solve(context, forces, targets)
    }

    /// Derivatives of a and λ, row-major, with a column for each direction.
    pub fn derivatives(&self, directions: Directions) -> [Vec<NodeId>; 2] {
        let context = self.residual.context;
        let (a, lambda): (Vec<_>, Vec<_>) = self.columns(directions).into_iter().unzip();
        [row_major(&a, 0..context.equations.n), row_major(&lambda, 0..context.tree.rows.len())]
    }

    /// Right sides of equation (2): a column for each direction, with those of the speeds and then those of the rows.
    pub fn right_sides(&self, directions: Directions) -> Vec<Vec<NodeId>> {
        let graph = self.residual.context.graph;
        let right = |column: &Vec<NodeId>| {
            let right: Vec<NodeId> = column.iter().map(|r| graph.neg(*r)).collect();
            self.known.apply(graph, &right)
        };
        self.residual.columns(directions).iter().map(right).collect()
    }

    /// Equations (2) and (3): derivatives of a and of λ, a pair of columns for each direction.
    pub fn columns(&self, directions: Directions) -> Vec<(Vec<NodeId>, Vec<NodeId>)> {
        let context = self.residual.context;
        let (graph, n) = (context.graph, context.equations.n);
        let explicit = self.residual.explicit_columns(directions);
        let column = |(residual, explicit): (&Vec<NodeId>, &Vec<NodeId>)| {
            let right: Vec<NodeId> = residual.iter().map(|r| graph.neg(*r)).collect();
            let (forces, targets) = right.split_at(n);
            let x = context.state_to_interface(&self.solve_system(forces, targets));
            let product = |(row, explicit): (&Derivatives, &NodeId)| {
                row.iter().fold(*explicit, |sum, (k, h)| graph.add(sum, graph.mul(*h, x[*k])))
            };
            let mut all: Vec<NodeId> = self.residual.interface_derivatives.iter().zip(explicit).map(product).collect();
            all.extend(&x[n..]);
            let mut all = self.known.apply(graph, &all);
            let lambda = all.split_off(n);
            (all, lambda)
        };
        self.residual.columns(directions).iter().zip(explicit).map(column).collect()
    }
}
