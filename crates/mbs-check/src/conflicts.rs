//! Finds elements that impose constraints which others impose already. The search uses body coordinates for every formulation, so that a
//! message does not depend on which joints the tree has absorbed.

use std::fmt;

use mbs_core::math::irrational;
use mbs_expr::BodyId;
use mbs_model::{Formulation, Model};
use mbs_physics::linear::{SparseRow, dependences, dependent_rows};
use mbs_physics::{Link, LinkOwner, SolverCoordinate, Tree, in_formulation};

use super::elements::{Element, component, elements, listed, ties};
use super::{coordinate_scales, displaced, guess, mechanics_at, numeric_sample, remove_noise};

/// A model in body coordinates.
pub struct BodyCoordinates {
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
    /// Bodies whose orientation gains one.
    pub rotating: Vec<&'b str>,
    /// Bodies whose position alone gains one.
    pub translating: Vec<&'b str>,
}

impl fmt::Display for Gains<'_> {
    /// ", so the angles of `c` and `r` gain a freedom".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |quantity: &str, bodies: &[&str]| match bodies.len() {
            0 => None,
            1 => Some(format!("the {quantity} of {}", listed(bodies.iter().copied()))),
            _ => Some(format!("the {quantity}s of {}", listed(bodies.iter().copied()))),
        };
        let parts: Vec<String> =
            [part("angle", &self.rotating), part("position", &self.translating)].into_iter().flatten().collect();
        let s = if self.rotating.len() + self.translating.len() == 1 { "s" } else { "" };
        match parts.is_empty() {
            true => Ok(()),
            false => write!(f, ", so {} gain{s} a freedom", parts.join(" and ")),
        }
    }
}

impl BodyCoordinates {
    /// The model in body coordinates, without the redundant rows that `tree` leaves out.
    pub fn new(model: &Model, tree: &Tree) -> Self {
        let model = in_formulation(model, Formulation::Body);
        let tree = Tree::new(&model).without_rows(tree.redundant.clone());
        BodyCoordinates { model, tree }
    }

    /// Elements that depend on earlier ones at a pose given in another formulation (`model`, `tree`); `wanted` selects the elements that take part.
    pub fn dependences(
        &self,
        model: &Model,
        tree: &Tree,
        pose: &[f64],
        wanted: &dyn Fn(&Element<'_>) -> bool,
    ) -> Vec<Dependence<'_>> {
        let q = guess::read_solver_coordinates(&self.model, &self.tree, &mechanics_at(model, tree, pose));
        let mut jacobian = numeric_sample(&self.model, &self.tree)(&q, false).jacobian;
        remove_noise(&mut jacobian, &self.sizes_near(&q));
        let elements: Vec<Element<'_>> = elements(&self.model, &self.tree).into_iter().filter(|e| wanted(e)).collect();
        dependences_of(&elements, &self.tree, &jacobian)
    }

    /// Elements and earlier conditions that determine exact position-level `initial` condition k at a pose, joints of the tree included.
    pub fn deciders(&self, model: &Model, tree: &Tree, pose: &[f64], k: usize) -> Vec<Decider<'_>> {
        let q = guess::read_solver_coordinates(&self.model, &self.tree, &mechanics_at(model, tree, pose));
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

    /// Bodies that gain a degree of freedom by a dependence at a singular pose: those that its elements constrain at a regular pose, and that no row
    /// constrains at the singular one.
    pub fn gains(
        &self,
        model: &Model,
        tree: &Tree,
        (singular, regular): (&[f64], &[f64]),
        dependence: &Dependence<'_>,
    ) -> Gains<'_> {
        let jacobian = |pose: &[f64]| {
            let q = guess::read_solver_coordinates(&self.model, &self.tree, &mechanics_at(model, tree, pose));
            numeric_sample(&self.model, &self.tree)(&q, false).jacobian
        };
        let elements = elements(&self.model, &self.tree);
        let taking_part = |e: &&Element<'_>| e.name == dependence.element.name || dependence.others.contains(&e.name);
        let rows = elements.iter().filter(taking_part).flat_map(|e| &e.rows);
        let near = jacobian(regular);
        let constrained: Vec<usize> =
            rows.flat_map(|r| near[*r].iter().filter(|(_, x)| **x != 0.0).map(|(i, _)| *i)).collect();
        let mut rows = jacobian(singular);
        let mut moves = |coordinate: SolverCoordinate| {
            let Some(i) = self.tree.solver_index(coordinate).filter(|i| constrained.contains(i)) else { return false };
            rows.push(SparseRow::from([(i, 1.0)]));
            let dependent = dependent_rows(&rows).last() == Some(&(rows.len() - 1));
            rows.pop();
            !dependent
        };
        let mut gains = Gains::default();
        for (b, body) in self.model.bodies.iter().enumerate() {
            let id = BodyId(b as u32);
            let link = |k: u8| {
                let floats = |l: &Link| l.owner == LinkOwner::Body(id);
                let index = self.tree.links.iter().position(floats);
                SolverCoordinate::Link(index.unwrap_or(usize::MAX) as u32, k)
            };
            if moves(SolverCoordinate::Angle(id)) || (3..6).any(|k| moves(link(k))) {
                gains.rotating.push(&body.name);
            } else if (0..3).any(|axis| moves(SolverCoordinate::World(id, axis)) || moves(link(axis))) {
                gains.translating.push(&body.name);
            }
        }
        gains
    }

    /// Size of each row of another formulation: its largest entry in body coordinates, at a pose and near it. Entries below the resolution of
    /// this size are round-off, even where a row has no other entries at the pose.
    pub fn row_sizes(&self, model: &Model, tree: &Tree, pose: &[f64]) -> Vec<f64> {
        let q = guess::read_solver_coordinates(&self.model, &self.tree, &mechanics_at(model, tree, pose));
        let sizes = self.sizes_near(&q);
        let size = |name: &str| self.tree.rows.iter().position(|r| r.name == name).map_or(0.0, |r| sizes[r]);
        tree.rows.iter().map(|r| size(&r.name)).collect()
    }

    /// Largest entry of each row at solver coordinates and at others that differ by a tenth of the coordinates' scales: factors that vanish in one
    /// pose do not vanish in the other.
    fn sizes_near(&self, q: &[f64]) -> Vec<f64> {
        let sample = numeric_sample(&self.model, &self.tree);
        let lengths = coordinate_scales(&self.model, &self.tree, q);
        let delta: Vec<f64> = lengths.iter().enumerate().map(|(i, length)| 0.1 * length * irrational(1.0, i)).collect();
        let neighbour = displaced(&self.model, &self.tree, q, &delta);
        let mut sizes = vec![0.0; self.tree.rows.len()];
        for pose in [q, &neighbour] {
            for (size, row) in sizes.iter_mut().zip(sample(pose, false).jacobian) {
                *size = row.values().filter(|x| x.is_finite()).fold(*size, |m: f64, x| m.max(x.abs()));
            }
        }
        sizes
    }
}

/// Elements of a tree that depend on earlier ones by the rows of G, with the earlier elements that they depend on.
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
    /// The other elements as a subject with its verb: "`rail_a` constrains", "`p1` and `p2` constrain".
    pub fn others_with_verb(&self) -> String {
        let s = if self.others.len() == 1 { "s" } else { "" };
        format!("{} constrain{s}", listed(self.others.iter().copied()))
    }

    /// The dependent element, with its components: "joint `rail_b`", "`y` of joint `p3`".
    pub fn subject(&self) -> String {
        let element = format!("{} `{}`", self.element.category, self.element.name);
        match self.components.len() {
            0 => element,
            _ => format!("{} of {element}", listed(self.components.iter().map(String::as_str))),
        }
    }
}
