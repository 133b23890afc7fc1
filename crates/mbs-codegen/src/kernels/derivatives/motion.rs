//! Slopes of accelerations and multipliers.

use rustc_hash::FxHashMap;

use super::super::System;
use super::left_over::LeftOver;
use super::{Along, transposed};
use crate::derive::{Inertial, Slopes};
use crate::graph::{NodeId, Symbol};

/// a, λ and what their slopes are made of, in interface symbols; in what is to be differentiated â and λ are symbols, which stay fixed.
pub struct Motion<'c, 's> {
    left_over: LeftOver<'c>,
    system: &'s System<'s>,
    /// Of M, instead of one solution for each direction.
    inverse: Option<Vec<Vec<NodeId>>>,
    accelerations: Vec<NodeId>,
    interface_slopes: Vec<Slopes>,
    /// â and λ.
    known: FxHashMap<NodeId, NodeId>,
    /// Accelerations.
    pub a: Vec<NodeId>,
    /// Multipliers.
    pub lambda: Vec<NodeId>,
}

impl<'c, 's> Motion<'c, 's> {
    /// By products with the inverse of M if `inverted`, which only mechanisms without rows may ask for.
    pub fn new(left_over: LeftOver<'c>, system: &'s System<'s>, inverted: bool) -> Self {
        let context = left_over.context;
        let e = context.equations;
        let rows_of = |slopes: &Slopes| {
            let nodes = context.to_interface(&slopes.iter().map(|(_, s)| *s).collect::<Vec<_>>());
            slopes.iter().map(|(i, _)| *i).zip(nodes).collect()
        };
        let mut motion = Motion {
            system,
            inverse: inverted.then(|| system.inverted(context.graph)),
            accelerations: context.with_accelerations_kept(&e.interface_accelerations),
            interface_slopes: e.interface_slopes.iter().map(rows_of).collect(),
            known: FxHashMap::default(),
            a: Vec::new(),
            lambda: Vec::new(),
            left_over,
        };
        let inertial = e.inertial.as_ref().filter(|_| motion.left_over.has_slopes());
        let forces = inertial.map_or_else(|| e.forces.clone(), |inertial| motion.forces(inertial));
        motion.solve(&forces);
        motion
    }

    /// Q̂ from slopes that are needed anyway: what is quadratic in speeds is half its slope times them.
    fn forces(&self, inertial: &Inertial) -> Vec<NodeId> {
        let graph = self.left_over.context.graph;
        let weights = inertial.loads.iter().zip(&inertial.still);
        let mut forces: Vec<NodeId> = weights.map(|(load, weight)| graph.sub(*load, *weight)).collect();
        let mut doubled = vec![graph.number(0.0); forces.len()];
        for ((i, j), slope) in &inertial.along_v {
            let term = graph.mul(*slope, graph.symbol(Symbol::SolverSpeed(*j as u32)));
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
        self.known = accelerations.chain(multipliers).collect();
        self.a = graph.substitute(&self.accelerations, &self.known);
    }

    /// Solution for forces and targets of rows.
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
    pub fn slopes(&self, along: Along) -> [Vec<NodeId>; 2] {
        let context = self.left_over.context;
        let (a, lambda): (Vec<_>, Vec<_>) = self.columns(along).into_iter().unzip();
        [transposed(&a, 0..context.equations.n), transposed(&lambda, 0..context.tree.rows.len())]
    }

    /// Equations (2) and (3): ∂a and ∂λ, direction by direction.
    pub fn columns(&self, along: Along) -> Vec<(Vec<NodeId>, Vec<NodeId>)> {
        let context = self.left_over.context;
        let (graph, n) = (context.graph, context.equations.n);
        let direct = context.columns(&self.accelerations, along);
        let column = |(left_over, direct): (Vec<NodeId>, Vec<NodeId>)| {
            let right: Vec<NodeId> = left_over.into_iter().map(|r| graph.neg(r)).collect();
            let (forces, targets) = right.split_at(n);
            let x = context.with_accelerations_kept(&self.answer(forces, targets));
            let mut all: Vec<NodeId> = self
                .interface_slopes
                .iter()
                .zip(direct)
                .map(|(row, direct)| row.iter().fold(direct, |sum, (k, h)| graph.add(sum, graph.mul(*h, x[*k]))))
                .collect();
            all.extend(&x[n..]);
            let mut all = graph.substitute(&all, &self.known);
            let lambda = all.split_off(n);
            (all, lambda)
        };
        self.left_over.columns(along).into_iter().zip(direct).map(column).collect()
    }
}
