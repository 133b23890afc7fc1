//! Prints the rows: Φ and ψ by joint and equation, G, ν, γ.

use mbs_model::{EquationCategory, Model, RowLevel, catalog};

use super::Document;
use crate::Place;
use crate::algebra::Sum;
use crate::lines::Formula;

impl Document<'_> {
    pub(super) fn constraints(&mut self) {
        let tree = &self.compiled.tree;
        self.section("Constraints");
        if tree.rows.is_empty() {
            self.line("None: the coordinates describe every pose, and the joints hold by themselves.");
            return;
        }
        self.line(
            "Residuals $\\Phi(q, t) = 0$, first end minus second, left side minus right. Each row has a multiplier",
        );
        self.line("$\\lambda$: the rows act on the mechanism with $-G^{\\mathsf T} \\lambda$.");
        let mut from = 0;
        while from < tree.rows.len() {
            let same = |r: &usize| {
                let (a, b) = (&tree.rows[from], &tree.rows[*r]);
                (a.element(), a.level) == (b.element(), b.level)
            };
            let to = (from..tree.rows.len()).take_while(same).last().unwrap_or(from) + 1;
            self.element(from..to);
            from = to;
        }
        self.jacobian();
        self.right_sides();
    }

    /// Prints the rows of one joint or equation.
    fn element(&mut self, rows: std::ops::Range<usize>) {
        let tree = &self.compiled.tree;
        let row = &tree.rows[rows.start];
        let is_position = row.level == RowLevel::Position;
        let (letter, place): (_, fn(usize) -> Place) =
            if is_position { ("\\Phi", Place::Position) } else { ("\\psi", Place::Velocity) };
        let names: Vec<String> = rows.clone().map(|r| format!("`{}`", tree.rows[r].name)).collect();
        let formulas: Vec<Formula> = rows
            .map(|r| self.formula(format!("{letter}_{{{r}}}"), 20, self.at(place(r)).unwrap_or(&Sum::default())))
            .collect();
        let what = describe(&self.compiled.model, row);
        if row.level == RowLevel::Acceleration {
            // Its only residual is G a − γ.
            self.line(format!("\n{}, {what}: $G\\ a = \\gamma$ as below.", names.join(", ")));
            return;
        }
        self.line(format!("\n{}, {what}:\n", names.join(", ")));
        self.display(&formulas);
    }

    fn jacobian(&mut self) {
        let tree = &self.compiled.tree;
        self.line("\n### Jacobian G\n");
        self.line(match tree.n_position == tree.rows.len() {
            true => "$G = \\partial \\Phi / \\partial q \\cdot N$:\n",
            false => "$G = \\partial \\psi / \\partial v$, with $\\psi = \\dot \\Phi$ for position rows:\n",
        });
        self.matrix("G", tree.rows.len(), tree.n(), &Place::Jacobian);
    }

    /// Prints those of ν and γ that are not zero.
    fn right_sides(&mut self) {
        type List = (&'static str, &'static str, &'static str, fn(usize) -> Place);
        let nu = match self.compiled.model.jacobian_reads_speeds() {
            false => "In $G\\ v = \\nu$; it is $-\\psi$ at $v = 0$",
            true => "In $G\\ v = \\nu$; it is $G\\ v - \\psi$",
        };
        let gamma = match self.compiled.tree.n_velocity == self.compiled.tree.rows.len() {
            true => "In $G\\ a = \\gamma$; it is $-\\dot \\psi$ at $a = 0$",
            false => {
                "In $G\\ a = \\gamma$; it is $-\\dot \\psi$, or right less left of equations between accelerations, at $a = 0$"
            }
        };
        let lists: [List; 2] =
            [("### Right side ν", "\\nu", nu, Place::Nu), ("### Right side γ", "\\gamma", gamma, Place::Gamma)];
        for (title, letter, what, place) in lists {
            let rows = 0..self.compiled.tree.rows.len();
            let formulas: Vec<Formula> =
                rows.filter_map(|r| Some(self.formula(format!("{letter}_{{{r}}}"), 20, self.at(place(r))?))).collect();
            self.line(format!("\n{title}\n"));
            match formulas.len() {
                0 => self.line(format!("{what}. Here ${letter} = 0$.")),
                n => {
                    let others = if n < self.compiled.tree.rows.len() { ". Other rows have 0" } else { "" };
                    self.line(format!("{what}{others}:\n"));
                    self.display(&formulas);
                }
            }
        }
    }
}

/// Describes the joint or equation of a row.
fn describe(model: &Model, row: &mbs_model::Row) -> String {
    if let Some(joint) = row.joint() {
        let between = if row.level == RowLevel::Position { "" } else { " between speeds, $\\psi = 0$" };
        let joint = model.joint(joint);
        return match catalog::kind_of_joint(model.space, joint) {
            Some(kind) => format!("a {} joint{between}", kind.name.replace('_', " ")),
            None => format!("a joint of kind {}{between}", joint.kind_name),
        };
    }
    let category = row.equation().map(|e| model.equations[e].category);
    let what = match category {
        Some(EquationCategory::Drive) => "a drive",
        Some(EquationCategory::Coupling) => "a coupling",
        _ => "a constraint",
    };
    match row.level {
        RowLevel::Position => what.to_owned(),
        RowLevel::Velocity => format!("{what} between speeds, $\\psi = 0$"),
        RowLevel::Acceleration => format!("{what} between accelerations"),
    }
}
