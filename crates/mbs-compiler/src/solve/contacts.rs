//! Eliminates contact parameters from the linear system before it is factorised.
//!
//! Two curves that touch have two massless speeds s, the rates of the contact parameters, and three rows G x + A s = g, A = \[a₁ a₂\], the
//! only rows that involve s. With
//!
//! ```text
//! n = a₁ × a₂,  b₁ = (a₂ × n)/n²,  b₂ = (n × a₁)/n²        n·aᵢ = 0,  aᵢ·bⱼ = δᵢⱼ
//! Aᵀ λ = f_s                  λ = μ n + B f_s
//! nᵀ G x = nᵀ g               s = Bᵀ (g − G x)
//! ```
//!
//! one row remains of three, nᵀ G, with the multiplier μ. The reduction is exact wherever s is unique, with or without contact. n² vanishes
//! where s is not unique, because the curves have equal curvature.

use std::collections::{BTreeMap, BTreeSet};

use mbs_expr::Function;

use crate::derive::Matrix;
use crate::graph::{Graph, NodeId, Sym};

type Triple = [NodeId; 3];

/// A contact of two curves.
struct Contact {
    speeds: [usize; 2],
    rows: [usize; 3],
    /// Columns of A.
    columns: [Triple; 2],
    normal: Triple,
    /// n², and 1/n².
    square: NodeId,
    inverse: NodeId,
}

/// A system without contact parameters.
pub struct Contacts {
    all: Vec<Contact>,
    /// The remaining speeds, and the remaining rows: the first of each contact.
    speeds: Vec<usize>,
    rows: Vec<usize>,
    /// M of the remaining speeds.
    pub mass: Matrix,
    /// G of the remaining rows and speeds, including nᵀ G.
    pub jacobian: Matrix,
    /// Diagonal entries of rows that can be switched off.
    pub diagonal: Matrix,
}

impl Contacts {
    /// Reduces a system of n speeds and n_c rows by the given pairs of speeds; `None` if none can be eliminated.
    pub fn new(
        graph: &Graph,
        pairs: &[[usize; 2]],
        (n, n_c): (usize, usize),
        (mass, jacobian, diagonal): (&Matrix, &Matrix, &Matrix),
    ) -> Option<Contacts> {
        let all = contacts(graph, pairs, (mass, jacobian, diagonal));
        if all.is_empty() {
            return None;
        }
        let eliminated_speeds: BTreeSet<usize> = all.iter().flat_map(|c| c.speeds).collect();
        let eliminated_rows: BTreeSet<usize> = all.iter().flat_map(|c| [c.rows[1], c.rows[2]]).collect();
        let remaining = |size: usize, eliminated: &BTreeSet<usize>| {
            (0..size).filter(|i| !eliminated.contains(i)).collect::<Vec<_>>()
        };
        let (speeds, rows) = (remaining(n, &eliminated_speeds), remaining(n_c, &eliminated_rows));
        let new_indices =
            |old: &[usize]| old.iter().enumerate().map(|(new, old)| (*old, new)).collect::<BTreeMap<_, _>>();
        let (speed, row) = (new_indices(&speeds), new_indices(&rows));
        let contact_rows: BTreeSet<usize> = all.iter().flat_map(|c| c.rows).collect();
        let other = jacobian.iter().filter(|((r, _), _)| !contact_rows.contains(r));
        let mut reduced: Matrix = other.map(|((r, i), g)| ((row[r], speed[i]), *g)).collect();
        for contact in &all {
            for (i, column) in contact.jacobian_columns(jacobian) {
                let entry = dot(graph, contact.normal, contact.dense_column(graph, &column));
                if entry != graph.constant(0.0) {
                    reduced.insert((row[&contact.rows[0]], speed[&i]), entry);
                }
            }
        }
        Some(Contacts {
            mass: mass.iter().map(|((i, j), m)| ((speed[i], speed[j]), *m)).collect(),
            jacobian: reduced,
            diagonal: diagonal.iter().map(|((r, _), d)| ((row[r], row[r]), *d)).collect(),
            all,
            speeds,
            rows,
        })
    }

    /// Numbers of remaining speeds and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.speeds.len(), self.rows.len())
    }

    /// Weights of the remaining rows: those of the full system, divided by n² for nᵀ G.
    pub fn weights(&self, graph: &Graph, full: &[NodeId]) -> Vec<NodeId> {
        let weight = |r: &usize| match self.all.iter().find(|contact| contact.rows[0] == *r) {
            Some(contact) => graph.mul(full[*r], contact.inverse),
            None => full[*r],
        };
        self.rows.iter().map(weight).collect()
    }

    /// Index in the full system (n speeds, then rows) of unknown i of the reduced one.
    pub fn full_index(&self, n: usize, i: usize) -> usize {
        match i.checked_sub(self.speeds.len()) {
            None => self.speeds[i],
            Some(r) => n + self.rows[r],
        }
    }

    /// Right sides of the reduced system: forces and targets of the rows.
    pub fn right_sides(
        &self,
        graph: &Graph,
        jacobian: &Matrix,
        forces: &[NodeId],
        targets: &[NodeId],
    ) -> (Vec<NodeId>, Vec<NodeId>) {
        let (mut forces, mut targets) = (forces.to_vec(), targets.to_vec());
        for contact in &self.all {
            let particular_multipliers = contact.particular_multipliers(graph, &forces);
            for (i, column) in contact.jacobian_columns(jacobian) {
                let load = dot(graph, particular_multipliers, contact.dense_column(graph, &column));
                forces[i] = graph.sub(forces[i], load);
            }
            targets[contact.rows[0]] = dot(graph, contact.normal, contact.rows.map(|r| targets[r]));
        }
        (self.speeds.iter().map(|i| forces[*i]).collect(), self.rows.iter().map(|r| targets[*r]).collect())
    }

    /// All speeds and multipliers from those of the reduced system, with the right sides of the full one.
    pub fn expand_solution(
        &self,
        graph: &Graph,
        jacobian: &Matrix,
        solution: &[NodeId],
        forces: &[NodeId],
        targets: &[NodeId],
    ) -> Vec<NodeId> {
        let n = forces.len();
        let mut x = vec![graph.constant(0.0); n + targets.len()];
        for (i, value) in solution.iter().enumerate() {
            x[self.full_index(n, i)] = *value;
        }
        for contact in &self.all {
            let mut missing = contact.rows.map(|r| targets[r]);
            for (i, column) in contact.jacobian_columns(jacobian) {
                for (x_missing, g) in missing.iter_mut().zip(contact.dense_column(graph, &column)) {
                    *x_missing = graph.sub(*x_missing, graph.mul(g, x[i]));
                }
            }
            // b₁·r = a₂·(n × r)/n², b₂·r = −a₁·(n × r)/n².
            let rotated = cross(graph, contact.normal, missing);
            let [first, second] = contact.columns.map(|a| graph.mul(dot(graph, a, rotated), contact.inverse));
            (x[contact.speeds[0]], x[contact.speeds[1]]) = (second, graph.neg(first));
            let mu = x[n + contact.rows[0]];
            let particular_multipliers = contact.particular_multipliers(graph, forces);
            for ((r, normal), particular) in contact.rows.into_iter().zip(contact.normal).zip(particular_multipliers) {
                x[n + r] = graph.add(graph.mul(mu, normal), particular);
            }
        }
        x
    }

    /// For each contact: the last of its rows, the pivot n², and the sum of absolute terms of n².
    pub fn pivots(&self, graph: &Graph) -> Vec<(usize, NodeId, NodeId)> {
        let magnitude = |a: NodeId, b: NodeId| graph.unary(Function::Abs, graph.mul(a, b));
        let pivot = |c: &Contact| {
            let [a, b] = c.columns;
            let terms = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| graph.add(magnitude(a[i], b[j]), magnitude(a[j], b[i])));
            (c.rows[2], c.square, dot(graph, terms, terms))
        };
        self.all.iter().map(pivot).collect()
    }
}

impl Contact {
    /// Columns of G in the contact's rows, except those of A: three entries each, `None` where there is none.
    fn jacobian_columns(&self, jacobian: &Matrix) -> BTreeMap<usize, [Option<NodeId>; 3]> {
        let mut columns: BTreeMap<usize, [Option<NodeId>; 3]> = BTreeMap::new();
        for (k, r) in self.rows.into_iter().enumerate() {
            let entries = jacobian.range((r, 0)..(r + 1, 0)).filter(|((_, i), _)| !self.speeds.contains(i));
            for ((_, i), g) in entries {
                columns.entry(*i).or_default()[k] = Some(*g);
            }
        }
        columns
    }

    fn dense_column(&self, graph: &Graph, column: &[Option<NodeId>; 3]) -> Triple {
        column.map(|g| g.unwrap_or(graph.constant(0.0)))
    }

    /// The part B f_s of the contact's multipliers.
    fn particular_multipliers(&self, graph: &Graph, forces: &[NodeId]) -> Triple {
        let [f, g] = self.speeds.map(|i| graph.mul(forces[i], self.inverse));
        let [a, b] = [cross(graph, self.columns[1], self.normal), cross(graph, self.normal, self.columns[0])];
        [0, 1, 2].map(|k| graph.add(graph.mul(f, a[k]), graph.mul(g, b[k])))
    }
}

/// The contacts that can be eliminated: pairs of speeds without mass that occur in exactly three rows, which are always on.
fn contacts(
    graph: &Graph,
    pairs: &[[usize; 2]],
    (mass, jacobian, diagonal): (&Matrix, &Matrix, &Matrix),
) -> Vec<Contact> {
    let zero = graph.constant(0.0);
    let mut used_rows = BTreeSet::new();
    let mut found = Vec::new();
    for speeds in pairs {
        let rows: BTreeSet<usize> = jacobian.keys().filter(|(_, i)| speeds.contains(i)).map(|(r, _)| *r).collect();
        let Ok(rows) = <[usize; 3]>::try_from(rows.into_iter().collect::<Vec<_>>()) else { continue };
        let has_mass = mass.keys().any(|(i, j)| speeds.contains(i) || speeds.contains(j));
        if has_mass || rows.iter().any(|r| used_rows.contains(r) || diagonal.contains_key(&(*r, *r))) {
            continue;
        }
        let columns = speeds.map(|i| rows.map(|r| jacobian.get(&(r, i)).copied().unwrap_or(zero)));
        let normal = cross(graph, columns[0], columns[1]);
        let square = dot(graph, normal, normal);
        if square == zero {
            continue;
        }
        used_rows.extend(rows);
        found.push(Contact { speeds: *speeds, rows, columns, normal, square, inverse: graph.inv(square) });
    }
    found
}

fn dot(graph: &Graph, a: Triple, b: Triple) -> NodeId {
    Sym::vector(graph, a).dot(Sym::vector(graph, b)).id(graph)
}

fn cross(graph: &Graph, a: Triple, b: Triple) -> Triple {
    Sym::vector(graph, a).cross(Sym::vector(graph, b)).map(|x| x.id(graph)).0
}
