//! Prints the rows: Φ and ψ by joint and equation, G, ν, γ.

use mbs_model::{EquationCategory, Model, RowLevel, catalog};

use super::Document;
use crate::FormulaId;
use crate::algebra::Sum;
use crate::lines::Formula;

impl Document<'_> {
    pub(super) fn constraints(&mut self) {
        let tree = &self.compiled.tree;
        self.section("Constraints");
        if tree.rows.is_empty() {
            self.line("None: the coordinates describe every pose, and all joints are satisfied.");
            return;
        }
        self.line(
            "Residuals $\\Phi(q, t) = 0$, first end minus second, left side minus right. Each row has a multiplier",
        );
        self.line("$\\lambda$: the rows act on the mechanism with $-G^{\\mathsf T} \\lambda$.");
        let mut start = 0;
        while start < tree.rows.len() {
            let is_same_element = |r: &usize| {
                let (a, b) = (&tree.rows[start], &tree.rows[*r]);
                (a.element(), a.level) == (b.element(), b.level)
            };
            let end = (start..tree.rows.len()).take_while(is_same_element).last().unwrap_or(start) + 1;
            self.element(start..end);
            start = end;
        }
        self.jacobian();
        self.right_sides();
    }

    /// Prints the rows of one joint or equation.
    fn element(&mut self, rows: std::ops::Range<usize>) {
        let tree = &self.compiled.tree;
        let row = &tree.rows[rows.start];
        let is_position = row.level == RowLevel::Position;
        let (letter, id): (_, fn(usize) -> FormulaId) =
            if is_position { ("\\Phi", FormulaId::Position) } else { ("\\psi", FormulaId::Velocity) };
        let names: Vec<String> = rows.clone().map(|r| format!("`{}`", tree.rows[r].name)).collect();
        let formulas: Vec<Formula> = rows
            .map(|r| self.formula(format!("{letter}_{{{r}}}"), 20, self.sum(id(r)).unwrap_or(&Sum::default())))
            .collect();
        let description = describe(&self.compiled.model, row);
        if row.level == RowLevel::Acceleration {
            // Its only residual is G a − γ.
            self.line(format!("\n{}, {description}: $G\\ a = \\gamma$ as below.", names.join(", ")));
            return;
        }
        self.line(format!("\n{}, {description}:\n", names.join(", ")));
        self.display(&formulas);
    }

    fn jacobian(&mut self) {
        let tree = &self.compiled.tree;
        self.line("\n### Jacobian G\n");
        self.line(match tree.n_position == tree.rows.len() {
            true => "$G = \\partial \\Phi / \\partial q \\cdot N$:\n",
            false => "$G = \\partial \\psi / \\partial v$, with $\\psi = \\dot \\Phi$ for position rows:\n",
        });
        self.matrix("G", tree.rows.len(), tree.n(), &FormulaId::Jacobian);
    }

    /// Prints those of ν and γ that are not zero.
    fn right_sides(&mut self) {
        type List = (&'static str, &'static str, &'static str, fn(usize) -> FormulaId);
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
            [("### Right side ν", "\\nu", nu, FormulaId::Nu), ("### Right side γ", "\\gamma", gamma, FormulaId::Gamma)];
        for (title, letter, description, id) in lists {
            let rows = 0..self.compiled.tree.rows.len();
            let formulas: Vec<Formula> =
                rows.filter_map(|r| Some(self.formula(format!("{letter}_{{{r}}}"), 20, self.sum(id(r))?))).collect();
            self.line(format!("\n{title}\n"));
            match formulas.len() {
                0 => self.line(format!("{description}. Here ${letter} = 0$.")),
                n => {
                    let others = if n < self.compiled.tree.rows.len() { ". Other rows have 0" } else { "" };
                    self.line(format!("{description}{others}:\n"));
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
    let description = match category {
        Some(EquationCategory::Drive) => "a drive",
        Some(EquationCategory::Coupling) => "a coupling",
        _ => "a constraint",
    };
    match row.level {
        RowLevel::Position => description.to_owned(),
        RowLevel::Velocity => format!("{description} between speeds, $\\psi = 0$"),
        RowLevel::Acceleration => format!("{description} between accelerations"),
    }
}
