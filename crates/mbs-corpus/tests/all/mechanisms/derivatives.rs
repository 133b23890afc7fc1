//! Derivatives of accelerations, multipliers and inverse dynamics against dual numbers through the complete forward dynamics: dual numbers
//! differentiate the factorisation, the kernels do not.

mod compiled;
mod discrete;
mod kinds;
mod operators;

use mbs::{Mechanism, Sizes};
use mbs_compiler::compile::Options;
use mbs_compiler::interp::{Fma, Inputs};
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Kernels};

use crate::mechanisms::harness::ledger::Ledger;
use crate::mechanisms::harness::{OwnedState, for_each_consistent_state};
use crate::tiers::{by_tier, is_in_turn};
use mbs_random::dual::{self, Dual};

/// 1e-10 of the largest value a family of derivatives takes: a thousand roundings on either side, times condition numbers of M and of the
/// saddle of up to a thousand.
const TOLERANCE: f64 = 1e-10;

/// Variables of the derivatives, by the letters in names of arrays.
const FAMILIES: [char; 5] = ['q', 'v', 'z', 'u', 'p'];

#[test]
fn derivatives_in_body_coordinates_are_those_of_dual_numbers() {
    check_all(Formulation::Body);
}

#[test]
fn derivatives_in_joint_coordinates_are_those_of_dual_numbers() {
    check_all(Formulation::Joint);
}

/// Mechanisms with the longest equations are left out: kernels of derivatives are some twenty times as long.
#[test]
fn derivatives_in_natural_coordinates_are_those_of_dual_numbers() {
    check_all(Formulation::Natural);
}

/// Largest number of operations of the accelerations in natural coordinates.
const LONGEST: usize = 1_000;

fn check_all(formulation: Formulation) {
    let only = std::env::var("ONLY").ok();
    for path in crate::mechanisms::harness::files() {
        let stem = crate::mechanisms::harness::stem_of(&path);
        if !is_in_turn(&stem, formulation as usize, 3) || only.as_ref().is_some_and(|o| *o != stem) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("the file is readable");
        if formulation == Formulation::Natural {
            let plain = crate::mechanisms::harness::interpret(&stem, &text, Some(formulation), Fma::Plain);
            let counts = plain.compiled().function("accelerations").expect("it is always emitted").counts;
            // Driven at 3,000 rpm, and planets at 40 rad/s: vanishing derivatives are differences of accelerations of 4e3 m/s².
            if counts.operations > LONGEST || ["engine_single_cylinder", "planetary_set"].contains(&stem.as_str()) {
                continue;
            }
        }
        // Line joints in the tree have no linearization.
        let linearization = formulation == Formulation::Body || !text.contains("line_orientation(");
        let kernels =
            Kernels { jacobians: true, linearization, sensitivities: true, operators: true, ..Kernels::default() };
        // In joint coordinates in loops, as for large mechanisms.
        let column_products = (formulation == Formulation::Joint).then_some(0);
        let options =
            Options { formulation: Some(formulation), kernels: Some(kernels), column_products, ..Options::default() };
        let interpreted = crate::mechanisms::harness::interpret_with(&stem, &text, options, Fma::Plain);
        check(&format!("{stem} ({formulation:?})"), &interpreted, by_tier(1, 3));
    }
}

/// A mechanism at a state, on dual numbers.
struct Moving<'m> {
    mechanism: &'m Interpreted,
    at: &'m OwnedState,
    a: Vec<f64>,
    lambda: Vec<f64>,
}

/// Derivatives of the inputs of kernels.
#[derive(Clone)]
struct Direction {
    q: Vec<f64>,
    v: Vec<f64>,
    z: Vec<f64>,
    u: Vec<f64>,
    p: Vec<f64>,
}

impl Direction {
    fn zero(sizes: Sizes, parameters: usize) -> Self {
        let zeros = |n: usize| vec![0.0; n];
        Direction {
            q: zeros(sizes.n_q),
            v: zeros(sizes.n_v),
            z: zeros(sizes.n_z),
            u: zeros(sizes.n_u),
            p: zeros(parameters),
        }
    }
}

impl Moving<'_> {
    fn sizes(&self) -> Sizes {
        self.mechanism.sizes()
    }

    fn inputs(&self) -> Inputs<'_> {
        let (at, model) = (self.at, &self.mechanism.compiled().model);
        Inputs {
            p: self.mechanism.parameters(),
            t: at.t,
            q: &at.q,
            v: &at.v,
            z: &at.z,
            u: &at.u,
            a: &self.a,
            lambda: &self.lambda,
            functions: &model.functions,
            ..Inputs::default()
        }
    }

    /// Partial derivatives of the outputs of a kernel with respect to time.
    fn time_derivatives(&self, name: &str) -> Vec<f64> {
        let still = Direction::zero(self.sizes(), self.mechanism.parameters().len());
        self.dual_with_time(name, &still, 1.0).into_iter().map(|x| x.0[1]).collect()
    }

    /// Outputs of a kernel, concatenated, with their derivatives in a direction.
    fn dual(&self, name: &str, direction: &Direction) -> Vec<Dual> {
        self.dual_with_time(name, direction, 0.0)
    }

    fn dual_with_time(&self, name: &str, direction: &Direction, t: f64) -> Vec<Dual> {
        let compiled = self.mechanism.compiled();
        let Some(function) = compiled.function(name) else { return Vec::new() };
        let (values, derivatives) = dual::prepared(&compiled.program.prepare, &self.inputs(), &direction.p);
        let still = [vec![0.0; self.a.len()], vec![0.0; self.lambda.len()]];
        let at = Inputs { prepared: &values, ..self.inputs() };
        let along = Inputs {
            p: &direction.p,
            prepared: &derivatives,
            t,
            q: &direction.q,
            v: &direction.v,
            z: &direction.z,
            u: &direction.u,
            a: &still[0],
            lambda: &still[1],
            ..Inputs::default()
        };
        dual::run(function, &at, &along).concat()
    }

    fn derivatives(&self, name: &str, direction: &Direction) -> Vec<f64> {
        self.dual(name, direction).into_iter().map(|x| x.0[1]).collect()
    }

    /// Derivatives of M a + Gᵀ λ − Q, then of G a − γ, in a direction.
    fn residual_derivatives(&self, direction: &Direction) -> Vec<f64> {
        let mut tau = self.dual("inverse_dynamics", direction);
        let jacobian = self.dual("constraint_jacobian", direction);
        let mut rows: Vec<Dual> = self.dual("gamma", direction).into_iter().map(|gamma| -gamma).collect();
        for (k, g) in jacobian.into_iter().enumerate() {
            let (r, i) = (k / self.a.len(), k % self.a.len());
            tau[i] = tau[i] + g * Dual::constant(self.lambda[r]);
            rows[r] = rows[r] + g * Dual::constant(self.a[i]);
        }
        tau.into_iter().chain(rows).map(|x| x.0[1]).collect()
    }

    /// The directions of a family: displacements N(q) e_j for coordinates.
    fn directions(&self, family: char) -> Vec<Direction> {
        let sizes = self.sizes();
        let parameters = self.mechanism.parameters().len();
        let zero = || Direction::zero(sizes, parameters);
        let single = |n: usize, part: fn(&mut Direction) -> &mut Vec<f64>| {
            let direction = |j: usize| {
                let mut direction = zero();
                part(&mut direction)[j] = 1.0;
                direction
            };
            (0..n).map(direction).collect::<Vec<_>>()
        };
        match family {
            'q' => {
                let displacement = |j: usize| {
                    let (mut v, mut direction) = (vec![0.0; sizes.n_v], zero());
                    v[j] = 1.0;
                    self.mechanism.coordinate_rates(self.at.t, &self.at.q, &v, &mut direction.q);
                    direction
                };
                (0..sizes.n_v).map(displacement).collect()
            }
            'v' => single(sizes.n_v, |d| &mut d.v),
            'z' => single(sizes.n_z, |d| &mut d.z),
            'u' => single(sizes.n_u, |d| &mut d.u),
            'x' => single(sizes.n_q, |d| &mut d.q),
            _ => single(parameters, |d| &mut d.p),
        }
    }

    /// Outputs of a kernel by name.
    fn kernel(&self, name: &str) -> impl Fn(&str) -> Vec<f64> {
        let outputs = self.mechanism.run(name, self.inputs());
        let outputs = outputs.unwrap_or_else(|row| panic!("{name}: row {row} is singular"));
        let function = self.mechanism.compiled().function(name).expect("it was asked for");
        let names: Vec<String> = function.results().map(|o| o.name.clone()).collect();
        move |array: &str| {
            let k = names.iter().position(|n| n == array).unwrap_or_else(|| panic!("no {array}"));
            outputs[k].clone()
        }
    }
}

/// Columns as a row-major matrix.
fn matrix(columns: &[Vec<f64>], rows: std::ops::Range<usize>) -> Vec<f64> {
    rows.flat_map(|i| columns.iter().map(move |c| c[i])).collect()
}

fn check(label: &str, mechanism: &Interpreted, states: usize) {
    let mut ledger = Ledger::default();
    let sizes = mechanism.sizes();
    let (n, n_c) = (sizes.n_v, sizes.n_c);
    for_each_consistent_state(label, mechanism, states, |k, at| {
        let mut random = crate::mechanisms::harness::Random::new(k as u128 + 7);
        let (a, lambda) = (random.vector(n, 3.0), random.vector(n_c, 3.0));
        let moving = Moving { mechanism, at, a, lambda };
        for family in FAMILIES {
            let directions = moving.directions(family);
            let of_state = family != 'p';
            let motion = moving.kernel(if of_state { "derivatives" } else { "sensitivities" });
            let inverse = moving.kernel(if of_state { "inverse_derivatives" } else { "inverse_sensitivities" });
            let expected: Vec<Vec<f64>> = directions.iter().map(|d| moving.derivatives("accelerations", d)).collect();
            let mut record = |array: &str, got: Vec<f64>, expected: Vec<f64>| {
                // Entries that vanish on the constraints are differences of terms that do not vanish.
                let floor = 1e-3
                    * (crate::mechanisms::harness::size(&expected)
                        + crate::mechanisms::harness::size(&moving.at.v)
                        + crate::mechanisms::harness::size(&moving.a));
                ledger.record_all(&format!("{array}_{family}"), &got, &expected, floor, at);
            };
            record("a", motion(&format!("a_{family}")), matrix(&expected, 0..n));
            record("lambda", motion(&format!("lambda_{family}")), matrix(&expected, n..n + n_c));
            let expected: Vec<Vec<f64>> = directions.iter().map(|d| moving.residual_derivatives(d)).collect();
            record("tau", inverse(&format!("tau_{family}")), matrix(&expected, 0..n));
            record("rows", inverse(&format!("rows_{family}")), matrix(&expected, n..n + n_c));
        }
        operators::check(&moving, &mut ledger);
        if mechanism.compiled().function("state_jacobian").is_some() {
            let columns = ['x', 'v', 'z', 'u'].into_iter().flat_map(|family| moving.directions(family)).map(|d| {
                let accelerations = &moving.derivatives("accelerations", &d)[..n];
                [&moving.derivatives("coordinate_rates", &d), accelerations, &moving.derivatives("auxiliary_rates", &d)]
                    .concat()
            });
            let columns: Vec<Vec<f64>> = columns.collect();
            let rows = sizes.n_q + n + sizes.n_z;
            let got = moving.kernel("state_jacobian")("jacobian");
            ledger.record_all("state Jacobian", &got, &matrix(&columns, 0..rows), 0.0, at);
        }
    });
    println!("{label}: {:.1e}", ledger.worst());
    ledger.settle(label, TOLERANCE);
}
