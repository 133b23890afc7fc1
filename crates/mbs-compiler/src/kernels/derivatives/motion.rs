//! Derivatives of accelerations and multipliers.

use super::super::System;
use super::left_over::LeftOver;
use super::{Along, transposed};
use crate::derive::{Derivatives, Inertial};
use crate::graph::{NodeId, Substitution, Symbol};

/// a, λ and the parts of their derivatives, in interface symbols.
pub struct Motion<'c> {
    left_over: &'c LeftOver<'c>,
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
    /// Uses products with the inverse of M if `inverted`, which is limited to mechanisms without rows.
    pub fn new(left_over: &'c LeftOver<'c>, system: &'c System<'c>, inverted: bool) -> Self {
        let context = left_over.context;
        let mut motion = Motion {
            left_over,
            system,
            inverse: inverted.then(|| system.inverted(context.graph)),
            known: Substitution::default(),
            a: Vec::new(),
            lambda: Vec::new(),
        };
        let e = context.equations;
        // Prescribed coordinates move bodies without any speed: inertial forces are then not quadratic in speeds.
        let quadratic = context.tree.prescribed.is_empty();
        let inertial = e.inertial.as_ref().filter(|_| left_over.has_derivatives() && quadratic);
        let forces = inertial.map_or_else(|| e.forces.clone(), |inertial| motion.forces(inertial));
        motion.solve(&forces);
        motion
    }

    /// Q̂ from derivatives that are needed anyway: a term quadratic in speeds is half its derivative times the speeds.
    fn forces(&self, inertial: &Inertial) -> Vec<NodeId> {
        let graph = self.left_over.context.graph;
        let weights = inertial.loads.iter().zip(&inertial.still);
        let mut forces: Vec<NodeId> = weights.map(|(load, weight)| graph.sub(*load, *weight)).collect();
        let mut doubled = vec![graph.number(0.0); forces.len()];
        for ((i, j), derivative) in &inertial.along_v {
            let term = graph.mul(*derivative, graph.symbol(Symbol::SolverSpeed(*j as u32)));
            doubled[*i] = graph.add(doubled[*i], term);
        }
        for (force, doubled) in forces.iter_mut().zip(doubled) {
            *force = graph.sub(*force, graph.mul(graph.number(0.5), doubled));
        }
        forces
    }

    /// a and λ.
    fn solve(&mut self, forces: &[NodeId]) {
        let context = self.left_over.context;
        let (graph, e) = (context.graph, context.equations);
        let mut solver = context.to_interface(&self.answer(forces, &e.gamma));
        self.lambda = solver.split_off(e.n);
        let accelerations = (0..).map(|i| graph.symbol(Symbol::SolverAcceleration(i))).zip(solver);
        let multipliers = (0..).map(|i| graph.symbol(Symbol::Multiplier(i))).zip(self.lambda.iter().copied());
        self.known = Substitution::new(accelerations.chain(multipliers).collect());
        self.a = self.known.apply(graph, &self.left_over.accelerations);
    }

    /// Solves for given forces and right sides of the rows.
    fn answer(&self, forces: &[NodeId], targets: &[NodeId]) -> Vec<NodeId> {
        let context = self.left_over.context;
        if let Some(inverse) = &self.inverse {
            let graph = context.graph;
            let product = |row: &Vec<NodeId>| {
                let terms = row.iter().zip(forces).map(|(x, f)| graph.mul(*x, *f));
                terms.fold(graph.number(0.0), |sum, term| graph.add(sum, term))
            };
            return inverse.iter().map(product).collect();
        }
        self.system.answer(context, forces, targets)
    }

    /// ∂a and ∂λ, row-major.
    pub fn derivatives(&self, along: Along) -> [Vec<NodeId>; 2] {
        let context = self.left_over.context;
        let (a, lambda): (Vec<_>, Vec<_>) = self.columns(along).into_iter().unzip();
        [transposed(&a, 0..context.equations.n), transposed(&lambda, 0..context.tree.rows.len())]
    }

    /// Equations (2) and (3): ∂a and ∂λ, direction by direction.
    pub fn columns(&self, along: Along) -> Vec<(Vec<NodeId>, Vec<NodeId>)> {
        let context = self.left_over.context;
        let (graph, n) = (context.graph, context.equations.n);
        let direct = self.left_over.direct(along);
        let column = |(left_over, direct): (&Vec<NodeId>, &Vec<NodeId>)| {
            let right: Vec<NodeId> = left_over.iter().map(|r| graph.neg(*r)).collect();
            let (forces, targets) = right.split_at(n);
            let x = context.with_accelerations_kept(&self.answer(forces, targets));
            let product = |(row, direct): (&Derivatives, &NodeId)| {
                row.iter().fold(*direct, |sum, (k, h)| graph.add(sum, graph.mul(*h, x[*k])))
            };
            let mut all: Vec<NodeId> = self.left_over.interface_derivatives.iter().zip(direct).map(product).collect();
            all.extend(&x[n..]);
            let mut all = self.known.apply(graph, &all);
            let lambda = all.split_off(n);
            (all, lambda)
        };
        self.left_over.columns(along).iter().zip(direct).map(column).collect()
    }
}
