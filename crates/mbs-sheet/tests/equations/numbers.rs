//! The trees that are printed, evaluated, against the compiled functions.

use mbs_sheet::{FormulaId, Sheet};

use crate::{Comparison, State, corpus};

/// 1e-10 of the largest entry: different formulas for one value, some hundred roundings of 1e-16, at random states with
/// values of order one; a wrong sign or a lost term is an error of at least 1e-3.
const TOLERANCE: f64 = 1e-10;

#[test]
fn printed_trees_equal_the_computed_functions() {
    let mut comparison = Comparison::default();
    for (name, mechanism) in corpus() {
        let sheet = Sheet::new(mechanism.compiled());
        let mut random = oorandom::Rand64::new(11);
        for _ in 0..4 {
            let state = State::random(mechanism, &mut random);
            let state_inputs = state.inputs(mechanism);
            let value = |id: FormulaId| sheet.value(id, &state_inputs);
            let mut compare = |function: &str, found: Vec<f64>| {
                let expected = state.run(mechanism, function);
                comparison.compare(&format!("{name} {function}"), &found, &expected, TOLERANCE);
            };
            let tree = &mechanism.compiled().tree;
            let (n, rows) = (tree.n(), tree.rows.len());
            compare("position_residuals", (0..tree.n_position).map(|r| value(FormulaId::Position(r))).collect());
            compare("nu", (0..tree.n_velocity).map(|r| value(FormulaId::Nu(r))).collect());
            compare("gamma", (0..rows).map(|r| value(FormulaId::Gamma(r))).collect());
            let entries = |rows: usize| (0..rows * n).map(move |k| (k / n, k % n));
            compare("constraint_jacobian", entries(rows).map(|(r, i)| value(FormulaId::Jacobian(r, i))).collect());
            compare("mass_matrix", entries(n).map(|(i, j)| value(FormulaId::Mass(i.max(j), i.min(j)))).collect());
            let mut forces = vec![0.0; n];
            for id in sheet.formula_ids() {
                if let FormulaId::Force(_, i) = id {
                    forces[i] += value(id);
                }
            }
            compare("generalized_forces", forces);
            if mechanism.compiled().model.settings.kernels.energies {
                compare("energy", vec![value(FormulaId::Kinetic), value(FormulaId::Potential)]);
            }
            compare("auxiliary_rates", (0..state.z.len()).map(|i| value(FormulaId::Rate(i))).collect());
            if mechanism.compiled().function("coordinate_rates").is_some() {
                compare("coordinate_rates", (0..n).map(|i| value(FormulaId::CoordinateRate(i))).collect());
            }
            // ψ of position rows is G v − ν, which were compared; that of velocity rows is printed.
            let psi = state.run(mechanism, "velocity_residuals");
            let found = (tree.n_position..tree.n_velocity).map(|r| value(FormulaId::Velocity(r))).collect::<Vec<_>>();
            let label = format!("{name} velocity_residuals");
            comparison.compare(&label, &found, &psi[tree.n_position..], TOLERANCE);
        }
    }
    comparison.finish(10_000);
}
