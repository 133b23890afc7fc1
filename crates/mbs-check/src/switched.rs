//! Checks of mechanisms whose rows can be switched off: each declared combination is checked as a separate mechanism.

use mbs_definition::Errors;
use mbs_expr::JointId;
use mbs_model::{Alternative, Model, Row};
use mbs_physics::Tree;

use super::{Checked, Context, Evaluate, check_assembled, guess, mass, mechanics_at};

/// Assembles with the rows that are on at the start, then checks every combination ([`Model::combinations`]) at that pose; degrees of freedom are
/// counted in the first combination. Accelerations must be determined also with all switches off.
///
/// # Errors
/// As [`check`](super::check).
pub(super) fn check(model: &Model, tree: &Tree, declared: &[f64], evaluate: Evaluate<'_>) -> Result<Checked, Errors> {
    let switched = switched_elements(model);
    let combinations = model.combinations();
    let initially_off = initially_off(model, tree, declared, &switched);
    let mechanism = SwitchedMechanism { tree, evaluate };
    let start = model_without(model, &initially_off);
    let pose = mechanism.check_with(&start, &initially_off, &super::assembled)?;
    let check_combination = |off: &[Alternative], counts_freedoms: bool| {
        let mut model = model_without(model, off);
        if off != initially_off {
            // Initial values may contradict rows that are off when the values are set.
            model.start.conditions.iter_mut().for_each(|condition| condition.exact = false);
        }
        if !counts_freedoms {
            (model.settings.freedoms, model.settings.kernels.inverse) = (None, false);
        }
        mechanism.check_with(&model, off, &|context| check_assembled(context, pose.clone()))
    };
    let mut checked = check_combination(&combinations[0], true)?;
    let others = combinations.iter().skip(1).chain([&initially_off]);
    for off in others.filter(|off| **off != combinations[0]) {
        checked.solvable &= check_combination(off, false)?.solvable;
    }
    let least = model_without(model, &switched);
    checked.solvable &= mechanism.check_with(&least, &switched, &|context| {
        let mut errors = Errors::new();
        let sample = context.sample(&pose, false);
        let solvable = mass::is_solvable(context, &pose, &sample, &mut errors);
        errors.into_result(solvable)
    })?;
    Ok(checked)
}

/// All joints and equations with a switch.
fn switched_elements(model: &Model) -> Vec<Alternative> {
    let joints = (0..).zip(&model.joints).filter(|(_, joint)| joint.enabled.is_some());
    let equations = (0..).zip(&model.equations).filter(|(_, equation)| equation.enabled.is_some());
    joints
        .map(|(j, _)| Alternative::Joint(JointId(j)))
        .chain(equations.map(|(e, _)| Alternative::Equation(e)))
        .collect()
}

/// Joints and equations that are off at the initial values of discrete variables and the defaults of parameters.
fn initially_off(model: &Model, tree: &Tree, declared: &[f64], switched: &[Alternative]) -> Vec<Alternative> {
    let mechanics = mechanics_at(model, tree, declared);
    let is_off = |alternative: &Alternative| {
        let enabled = match *alternative {
            Alternative::Joint(j) => model.joints[j.index()].enabled,
            Alternative::Equation(e) => model.equations[e].enabled,
        };
        enabled.is_some_and(|enabled| mechanics.value(enabled).value() != 1.0)
    };
    switched.iter().copied().filter(is_off).collect()
}

/// The model without the rows of the elements in `off`; the other rows are always on.
fn model_without(model: &Model, off: &[Alternative]) -> Model {
    let mut model = model.clone();
    for alternative in off {
        match *alternative {
            Alternative::Joint(j) => model.joints[j.index()].rows.clear(),
            Alternative::Equation(e) => model.equations[e].rows.clear(),
        }
    }
    model.joints.iter_mut().for_each(|joint| joint.enabled = None);
    model.equations.iter_mut().for_each(|equation| equation.enabled = None);
    model
}

/// A check of a mechanism.
type Check<'l, R> = dyn Fn(&Context<'_>) -> Result<R, Errors> + 'l;

/// The mechanism with all rows on.
struct SwitchedMechanism<'a> {
    tree: &'a Tree,
    evaluate: Evaluate<'a>,
}

impl SwitchedMechanism<'_> {
    /// Checks a model without the rows in `off`.
    fn check_with<R>(&self, model: &Model, off: &[Alternative], check: &Check<'_, R>) -> Result<R, Errors> {
        // All coordinates stay, including those that only rows in `off` need.
        let is_off = |row: &Row| row.element().is_some_and(|element| off.contains(&element));
        let mut removed = self.tree.redundant.clone();
        removed.rows.extend(self.tree.rows.iter().filter(|row| is_off(row)).cloned());
        let tree = self.tree.clone().without_rows(removed);
        let kept: Vec<bool> = self.tree.rows.iter().map(|row| !is_off(row)).collect();
        let sample = |q: &[f64], guesses: bool| {
            let mut sample = (self.evaluate)(q, guesses);
            let (mut kept_phi, mut kept_rows) = (kept.iter(), kept.iter());
            sample.phi.retain(|_| *kept_phi.next().expect("rows of positions come first"));
            sample.jacobian.retain(|_| *kept_rows.next().expect("there is one for each row"));
            if model.start.conditions.iter().all(|condition| !condition.exact) {
                sample.conditions.clear();
            }
            sample
        };
        check(&Context::new(model, &tree, &sample, guess::declared_pose(model, &tree)))
    }
}
