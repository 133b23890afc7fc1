//! Second derivatives of rows, by the formulas of mbs-physics on dual numbers with two directions over Taylor series in time.
//!
//! ```text
//! (1)  q(τ) with q̇ = N(q) v from q + ε N(q) e_j, with v + η e_i        ε² = η² = 0
//! (2)  ψ_r = Φ̇_r or Ψ_r        G[r, i] = coefficient of η in ψ_r        ∂G[r, i]/∂q N e_j = coefficient of ε η
//! (3)  H(μ)[i, j] = Σ_r μ_r (2);   rows of accelerations likewise, with v̇ = η e_i
//! ```
//!
//! The result is exact, for mechanisms of all kinds; it is NaN where a function written in Rust has too few derivatives. The rows with μ ≠ 0 are
//! evaluated once for each pair (i, j), which allocates.

use mbs_core::{Mechanism, StateView};
use mbs_definition::Space;
use mbs_expr::{Dual, Scalar, Series};
use mbs_model::{Model, Row, RowLevel};
use mbs_physics::{Mechanics, Variables};

use crate::Engine;

/// Coefficients of 1 and ε in the value, of η and ε η in the derivative, each a Taylor series in time.
/// Their number is that for two nested rates, which is the most that a motion has, and the rate of a row: one scalar for all rows, because rustc
/// compiles the physics for each.
type Number = Dual<Dual<Series<COEFFICIENTS>>>;

const COEFFICIENTS: usize = 4;

fn constant(x: f64) -> Number {
    Scalar::number(x)
}

/// x + y ε.
fn displaced(x: f64, y: f64) -> Number {
    Dual::constant(Dual { value: Series::constant(x), derivative: Series::constant(y) })
}

/// A state, and the two directions of differentiation.
struct Perturbation<'a> {
    model: &'a Model,
    at: StateView<'a>,
    /// N(q) e_j.
    displacement: &'a [f64],
    /// Index i of the speed.
    speed: usize,
    /// Whether the rows are of accelerations, so that η is in v̇ instead of v.
    accelerates: bool,
}

impl Engine {
    /// H(μ), n_v × n_v, row-major, overwritten.
    pub(crate) fn hessian(&self, at: StateView, mu: &[f64], hessian: &mut [f64]) {
        hessian.fill(0.0);
        let (tree, n) = (&self.shared.tree, self.shared.tree.n());
        let wanted = || tree.rows.iter().zip(mu).filter(|(_, mu)| **mu != 0.0);
        let (mut faster, mut accelerated) = (Vec::new(), Vec::new());
        for (row, mu) in wanted() {
            let rows = if row.level == RowLevel::Acceleration { &mut accelerated } else { &mut faster };
            rows.push((row, *mu));
        }
        // Splines may have been set after the model was resolved.
        let known = self.dynamics().constants().functions();
        let model = (!known.is_empty()).then(|| Model { functions: known.to_vec(), ..self.shared.model.clone() });
        let model = model.as_ref().unwrap_or(&self.shared.model);
        let rest = vec![0.0; n];
        let at = StateView { v: if self.shared.reads_speeds { at.v } else { &rest }, ..at };
        let has_plain_rates = self.is_plain() && accelerated.is_empty();
        let is_symmetric = has_plain_rates && faster.iter().all(|(row, _)| row.level == RowLevel::Position);
        let groups = [(&faster[..], false), (&accelerated, true)];
        let (mut unit, mut displacement) = (rest.clone(), vec![0.0; tree.n_q()]);
        for j in 0..n {
            unit[j] = 1.0;
            self.coordinate_rates(at.t, at.q, &unit, &mut displacement);
            unit[j] = 0.0;
            for i in (if is_symmetric { j } else { 0 })..n {
                for (rows, accelerates) in groups.into_iter().filter(|(rows, _)| !rows.is_empty()) {
                    let perturbation = Perturbation { model, at, displacement: &displacement, speed: i, accelerates };
                    hessian[i * n + j] += self.mixed_derivatives(rows, &perturbation);
                }
                if is_symmetric {
                    hessian[j * n + i] = hessian[i * n + j];
                }
            }
        }
    }

    /// Whether q̇ = v in every state.
    fn is_plain(&self) -> bool {
        let (model, tree) = (&self.shared.model, &self.shared.tree);
        model.space == Space::Planar && tree.declared_speeds(model).is_empty()
    }

    /// Σ μ_r (2).
    fn mixed_derivatives(&self, rows: &[(&Row, f64)], perturbation: &Perturbation<'_>) -> f64 {
        let moving = self.perturbed_mechanics(perturbation);
        let part = |(row, mu): &(&Row, f64)| {
            let order = usize::from(row.level == RowLevel::Position);
            mu * moving.value(row.residual).derivative.derivative.derivative(order)
        };
        rows.iter().map(part).sum()
    }

    /// Mechanics on the path (1).
    fn perturbed_mechanics<'a>(&'a self, perturbation: &Perturbation<'a>) -> Mechanics<'a, Number> {
        let (model, tree, at) = (perturbation.model, &self.shared.tree, perturbation.at);
        let constants = |values: &[f64]| values.iter().map(|x| constant(*x)).collect::<Vec<Number>>();
        let zeros = |n: usize| vec![constant(0.0); n];
        let mut inputs = constants(at.u);
        inputs.resize(Model::flat_size(&model.quantities.inputs), constant(0.0));
        let variables = Variables {
            t: Dual::constant(Dual::constant(Series::linear(at.t, 1.0))),
            parameters: constants(self.parameters()),
            inputs,
            auxiliary: constants(at.z),
            multipliers: zeros(tree.rows.len()),
            reactions: Vec::new(),
            prescribed: Vec::new(),
        };
        let q: Vec<Number> = at.q.iter().zip(perturbation.displacement).map(|(q, d)| displaced(*q, *d)).collect();
        let mut v = constants(at.v);
        let eta = if perturbation.accelerates { Series::linear(0.0, 1.0) } else { Series::constant(1.0) };
        v[perturbation.speed].derivative = Dual::constant(eta);
        let order = COEFFICIENTS - 1;
        match model.space {
            Space::Planar => {
                let q = Mechanics::planar_path(model, tree, &variables, &q, &v, order);
                Mechanics::at_interface_coordinates(model, tree, variables, &q)
            }
            Space::Spatial => {
                let [q, speeds] = Mechanics::spatial_path(model, tree, &variables, &q, &v, order);
                let accelerations: Vec<Number> = speeds.iter().map(|v| v.rate()).collect();
                Mechanics::at_spatial_state(model, tree, variables, q, [&speeds, &accelerations])
            }
        }
    }
}
