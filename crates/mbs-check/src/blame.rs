//! Finds elements that impose constraints which others impose already. The check uses body coordinates for every formulation, so that a
//! message does not depend on which joints the tree has absorbed.

use std::fmt;

use mbs_core::math::irrational;
use mbs_expr::BodyId;
use mbs_model::{Formulation, Model};
use mbs_physics::linear::{SparseRow, dependences, dependent_rows};
use mbs_physics::{Link, LinkOwner, SolverCoordinate, Tree, in_formulation};

use super::elements::{Element, component, elements, listed, ties};
use super::{at, displaced, guess, numeric_sample, remove_noise, scales};

/// A model in body coordinates.
pub struct Bodies {
    pub model: Model,
    pub tree: Tree,
}

/// An element that imposes constraints which others impose already.
pub struct Dependence<'b> {
    pub element: Element<'b>,
    /// Its dependent rows by component; empty if they all are.
    pub components: Vec<String>,
    /// Elements that together impose the same constraints.
    pub others: Vec<&'b str>,
}

/// Element or condition that determines an `initial` condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Decider<'b> {
    Element(&'b str),
    /// An earlier exact condition.
    Condition(usize),
}

/// Bodies that gain a degree of freedom at a singular configuration.
#[derive(Default)]
pub struct Gains<'b> {
    pub turning: Vec<&'b str>,
    /// Those that cannot turn.
    pub shifting: Vec<&'b str>,
}

impl fmt::Display for Gains<'_> {
    /// ", so the angles of `c` and `r` gain a freedom".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |what: &str, of: &[&str]| match of.len() {
            0 => None,
            1 => Some(format!("the {what} of {}", listed(of.iter().copied()))),
            _ => Some(format!("the {what}s of {}", listed(of.iter().copied()))),
        };
        let parts: Vec<String> =
            [part("angle", &self.turning), part("position", &self.shifting)].into_iter().flatten().collect();
        let s = if self.turning.len() + self.shifting.len() == 1 { "s" } else { "" };
        match parts.is_empty() {
            true => Ok(()),
            false => write!(f, ", so {} gain{s} a freedom", parts.join(" and ")),
        }
    }
}

impl Bodies {
    /// Without the rows that another formulation's tree does without.
    pub fn new(model: &Model, tree: &Tree) -> Self {
        let model = in_formulation(model, Formulation::Body);
        let tree = Tree::new(&model).without_rows(tree.redundant.clone());
        Bodies { model, tree }
    }

    /// Elements that depend on earlier ones at a pose given in another formulation; `wanted` says which take part.
    pub fn dependences(
        &self,
        model: &Model,
        tree: &Tree,
        pose: &[f64],
        wanted: &dyn Fn(&Element<'_>) -> bool,
    ) -> Vec<Dependence<'_>> {
        let q = guess::read_solver_coordinates(&self.model, &self.tree, &at(model, tree, pose));
        let mut jacobian = numeric_sample(&self.model, &self.tree)(&q, false).jacobian;
        remove_noise(&mut jacobian, &self.own_sizes(&q));
        let elements: Vec<Element<'_>> = elements(&self.model, &self.tree).into_iter().filter(|e| wanted(e)).collect();
        dependences_of(&elements, &self.tree, &jacobian)
    }

    /// Elements and earlier conditions that determine the exact position-level `initial` condition k at a pose, joints of the tree included.
    pub fn deciding(&self, model: &Model, tree: &Tree, pose: &[f64], k: usize) -> Vec<Decider<'_>> {
        let q = guess::read_solver_coordinates(&self.model, &self.tree, &at(model, tree, pose));
        let sample = numeric_sample(&self.model, &self.tree)(&q, false);
        let elements = elements(&self.model, &self.tree);
        let owned = elements.iter().flat_map(|e| e.rows.iter().map(|r| (Some(Decider::Element(e.name)), *r)));
        let rows = ties(&self.tree).map(|r| (None, r)).chain(owned);
        let (mut deciders, rows): (Vec<Option<Decider<'_>>>, Vec<usize>) = rows.unzip();
        deciders.extend((0..k).map(|c| Some(Decider::Condition(c))));
        let gradients = sample.conditions[..=k].iter().map(|c| c.1.clone());
        let ordered: Vec<SparseRow> = rows.iter().map(|r| sample.jacobian[*r].clone()).chain(gradients).collect();
        let last = ordered.len() - 1;
        let on = dependences(&ordered).into_iter().find(|(row, _)| *row == last).map_or(Vec::new(), |(_, on)| on);
        let mut found: Vec<Decider<'_>> = Vec::new();
        for decider in on.into_iter().filter_map(|i| deciders[i].clone()) {
            if !found.contains(&decider) {
                found.push(decider);
            }
        }
        found
    }

    /// Bodies that a dependence lets move at a singular pose: those that its elements touch at a regular one, and that no row holds.
    pub fn gains(
        &self,
        model: &Model,
        tree: &Tree,
        (singular, regular): (&[f64], &[f64]),
        dependence: &Dependence<'_>,
    ) -> Gains<'_> {
        let jacobian = |pose: &[f64]| {
            let q = guess::read_solver_coordinates(&self.model, &self.tree, &at(model, tree, pose));
            numeric_sample(&self.model, &self.tree)(&q, false).jacobian
        };
        let elements = elements(&self.model, &self.tree);
        let taking_part = |e: &&Element<'_>| e.name == dependence.element.name || dependence.others.contains(&e.name);
        let rows = elements.iter().filter(taking_part).flat_map(|e| &e.rows);
        let near = jacobian(regular);
        let touched: Vec<usize> =
            rows.flat_map(|r| near[*r].iter().filter(|(_, x)| **x != 0.0).map(|(i, _)| *i)).collect();
        let mut held = jacobian(singular);
        let mut moves = |coordinate: SolverCoordinate| {
            let Some(i) = self.tree.solver_index(coordinate).filter(|i| touched.contains(i)) else { return false };
            held.push(SparseRow::from([(i, 1.0)]));
            let dependent = dependent_rows(&held).last() == Some(&(held.len() - 1));
            held.pop();
            !dependent
        };
        let mut gains = Gains::default();
        for (b, body) in self.model.bodies.iter().enumerate() {
            let id = BodyId(b as u32);
            let link = |k: u8| {
                let own = |l: &Link| l.owner == LinkOwner::Body(id);
                let at = self.tree.links.iter().position(own);
                SolverCoordinate::Link(at.unwrap_or(usize::MAX) as u32, k)
            };
            if moves(SolverCoordinate::Angle(id)) || (3..6).any(|k| moves(link(k))) {
                gains.turning.push(&body.name);
            } else if (0..3).any(|axis| moves(SolverCoordinate::World(id, axis)) || moves(link(axis))) {
                gains.shifting.push(&body.name);
            }
        }
        gains
    }

    /// Largest entry in body coordinates of each row of another formulation, at a pose and near it: entries that are less by the
    /// resolution of numbers are round-off, even where they are all that a row has at the pose.
    pub fn row_sizes(&self, model: &Model, tree: &Tree, pose: &[f64]) -> Vec<f64> {
        let q = guess::read_solver_coordinates(&self.model, &self.tree, &at(model, tree, pose));
        let sizes = self.own_sizes(&q);
        let size = |name: &str| self.tree.rows.iter().position(|r| r.name == name).map_or(0.0, |r| sizes[r]);
        tree.rows.iter().map(|r| size(&r.name)).collect()
    }

    /// Largest entry of each row at solver coordinates and a tenth of the sizes of bodies away from them, where factors that vanish
    /// in one pose do not.
    fn own_sizes(&self, q: &[f64]) -> Vec<f64> {
        let sample = numeric_sample(&self.model, &self.tree);
        let lengths = scales(&self.model, &self.tree, q);
        let delta: Vec<f64> = lengths.iter().enumerate().map(|(i, length)| 0.1 * length * irrational(1.0, i)).collect();
        let beside = displaced(&self.model, &self.tree, q, &delta);
        let mut sizes = vec![0.0; self.tree.rows.len()];
        for pose in [q, &beside] {
            for (size, row) in sizes.iter_mut().zip(sample(pose, false).jacobian) {
                *size = row.values().filter(|x| x.is_finite()).fold(*size, |m: f64, x| m.max(x.abs()));
            }
        }
        sizes
    }
}

/// Elements of a tree that depend on earlier ones, by the rows of G.
pub fn dependences_of<'b>(elements: &[Element<'b>], tree: &Tree, jacobian: &[SparseRow]) -> Vec<Dependence<'b>> {
    let owned = elements.iter().enumerate().flat_map(|(e, el)| el.rows.iter().map(move |r| (Some(e), *r)));
    let rows: Vec<(Option<usize>, usize)> = ties(tree).map(|r| (None, r)).chain(owned).collect();
    let ordered: Vec<SparseRow> = rows.iter().map(|(_, r)| jacobian[*r].clone()).collect();
    let mut found: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
    for (row, on) in dependences(&ordered) {
        let (Some(e), r) = rows[row] else { continue };
        let others = on.into_iter().filter_map(|k| rows[k].0).filter(|other| *other != e);
        match found.iter_mut().find(|f| f.0 == e) {
            Some(f) => {
                f.1.push(r);
                f.2.extend(others);
            }
            None => found.push((e, vec![r], others.collect())),
        }
    }
    let dependence = |(e, rows, mut others): (usize, Vec<usize>, Vec<usize>)| {
        let element = elements[e].clone();
        let all = rows.len() == element.rows.len();
        let components = rows.iter().filter(|_| !all);
        let components = components.map(|r| component(&tree.rows[*r], &element).to_owned()).collect();
        others.sort_unstable();
        others.dedup();
        Dependence { element, components, others: others.into_iter().map(|o| elements[o].name).collect() }
    };
    found.into_iter().map(dependence).collect()
}

impl Dependence<'_> {
    /// "`rail_a` holds", "`p1` and `p2` hold".
    pub fn holders(&self) -> String {
        let s = if self.others.len() == 1 { "s" } else { "" };
        format!("{} hold{s}", listed(self.others.iter().copied()))
    }

    /// "joint `rail_b`", "`y` of joint `p3`".
    pub fn subject(&self) -> String {
        let whole = format!("{} `{}`", self.element.category, self.element.name);
        match self.components.len() {
            0 => whole,
            _ => format!("{} of {whole}", listed(self.components.iter().map(String::as_str))),
        }
    }
}
