//! Which element holds what others hold already. Judged in body coordinates whatever the formulation, so that a message does
//! not depend on which joints the tree has absorbed.

use super::elements::{Element, component, elements, in_formulation, listed};
use super::{at, guess, numeric_sample};
use crate::linear::{SparseRow, dependences};
use crate::mechanics::Tree;
use crate::{Formulation, Model};

/// A model in body coordinates.
pub struct Bodies {
    model: Model,
    tree: Tree,
}

/// An element that holds what others hold already.
pub struct Dependence<'b> {
    pub element: Element<'b>,
    /// Its dependent rows by component; empty if they all are.
    pub components: Vec<String>,
    /// Elements that hold the same together.
    pub others: Vec<&'b str>,
}

impl Bodies {
    pub fn new(model: &Model) -> Self {
        let model = in_formulation(model, Formulation::Body);
        let tree = Tree::new(&model);
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
        let q = guess::read_solver_coordinates(&self.tree, &at(model, tree, pose));
        let jacobian = numeric_sample(&self.model, &self.tree)(&q, false).jacobian;
        let elements: Vec<Element<'_>> = elements(&self.model, &self.tree).into_iter().filter(|e| wanted(e)).collect();
        let rows: Vec<(usize, usize)> =
            elements.iter().enumerate().flat_map(|(e, el)| el.rows.iter().map(move |r| (e, *r))).collect();
        let ordered: Vec<SparseRow> = rows.iter().map(|(_, r)| jacobian[*r].clone()).collect();
        let mut found: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
        for (row, on) in dependences(&ordered) {
            let (e, r) = rows[row];
            let others = on.into_iter().map(|k| rows[k].0).filter(|other| *other != e);
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
            let components = components.map(|r| component(&self.tree.rows[*r], &element).to_owned()).collect();
            others.sort_unstable();
            others.dedup();
            Dependence { element, components, others: others.into_iter().map(|o| elements[o].name).collect() }
        };
        found.into_iter().map(dependence).collect()
    }

    /// Largest entry in body coordinates of each row of another formulation: entries that are less by the resolution of numbers
    /// are round-off, even where they are all that a row has.
    pub fn row_sizes(&self, model: &Model, tree: &Tree, pose: &[f64]) -> Vec<f64> {
        let q = guess::read_solver_coordinates(&self.tree, &at(model, tree, pose));
        let jacobian = numeric_sample(&self.model, &self.tree)(&q, false).jacobian;
        let size = |name: &str| {
            let row = self.tree.rows.iter().position(|r| r.name == name);
            row.map_or(0.0, |r| jacobian[r].values().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs())))
        };
        tree.rows.iter().map(|r| size(&r.name)).collect()
    }
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
