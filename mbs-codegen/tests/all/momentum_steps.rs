//! Steps of momenta on every mechanism of `mechanisms/`, interpreted in every formulation in which speeds are rates of coordinates. Steps with
//! exact derivatives equal those without derivatives, and converge to the solution of Dormand and Prince's method; their derivatives are
//! those of their equations.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use expect_test::expect;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_core::{
    DormandPrince, Error, Mechanism, Momenta, State, StateView, Stepper, Zhong06, admissible_speeds_of_momenta,
    assemble, max_norm, momenta_of_energy, momentum_rates_of_accelerations, zero_inputs,
};
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Kernels};

use crate::mechanisms::{KINKED, file, files, gap, interpret, is_full_tier, stem_of};

/// Steps of a run.
const STEPS: f64 = 8.0;

/// The mechanism with kernels of momenta; `None` if it has none in the formulation.
fn with_momenta(path: &Path, formulation: Formulation) -> Option<Interpreted> {
    interpret(path, Some(formulation), Kernels { momenta: true, ..Kernels::default() })
}

struct Run<'m> {
    mechanism: &'m Interpreted,
    start: State<Interpreted>,
    label: String,
    duration: f64,
    inputs: Vec<f64>,
}

impl Run<'_> {
    fn end(&self, stepper: &mut impl Stepper<Interpreted>) -> Vec<f64> {
        let mut state = self.start.clone();
        let t_end = state.t + self.duration;
        let outcome = stepper.advance_to(self.mechanism, &mut state, t_end, &mut zero_inputs);
        outcome.unwrap_or_else(|error| panic!("{}: {error}", self.label));
        [&state.q[..], &state.z[..]].concat()
    }

    fn assert_steps(&self) {
        let (m, h, label) = (self.mechanism, self.duration / STEPS, &self.label);
        let exact = self.end(&mut DormandPrince::new(m).with_tolerances(1e-10, 1e-12));
        let mut newton = Zhong06::new(m, h);
        let long = self.end(&mut newton);
        let short = self.end(&mut Zhong06::new(m, 0.5 * h));
        let miss = gap(&long, &self.end(&mut Zhong06::without_derivatives(m, h)));
        assert!(miss < 1e-10, "{label}: {miss:.1e} between steps with derivatives and without");
        let [long, short] = [&long, &short].map(|end| gap(end, &exact));
        let evaluations = newton.statistics().evaluations as f64 / STEPS;
        println!("{label}: {long:.0e}, {short:.0e}, {evaluations} evaluations a step");
        let is_smooth = !KINKED.iter().any(|kinked| label.starts_with(kinked));
        assert!(!is_smooth || short < 0.35 * long + 1e-9, "{label}: {long:.1e} {short:.1e}");
    }

    /// Rates of momenta equal those that follow from accelerations.
    fn assert_rates(&self) {
        let (m, at) = (self.mechanism, self.start.view(&self.inputs));
        let (mut f, mut other) = (vec![0.0; at.v.len()], vec![0.0; at.v.len()]);
        m.momentum_rates(at, &mut f).expect("speeds are rates");
        match momentum_rates_of_accelerations(m, at, &mut other) {
            Ok(()) => {}
            // A prescribed motion has kinetic energy.
            Err(Error::Unsuited { .. }) => return,
            Err(error) => panic!("{}: {error}", self.label),
        }
        let miss = gap(&f, &other);
        assert!(miss < 1e-9, "{}: rates of momenta {miss:.1e} apart: {f:?} {other:?}", self.label);
    }

    /// At a distance ε from the solution of a step, an iteration of Newton's method leaves an error of O(ε²).
    fn assert_derivatives(&self) -> bool {
        let (m, h) = (self.mechanism, self.duration / STEPS);
        let n = self.start.v.len();
        let sizes = m.sizes();
        let (mut p, mut mu, mut end) = (vec![0.0; n], vec![0.0; sizes.n_c], vec![0.0; n]);
        m.momenta(self.start.view(&[]), &mut p).expect("it has momenta");
        let scale = max_norm(&self.start.v).max(0.1 * max_norm(&self.start.q)).max(0.1);
        let mut correction = |v: &[f64]| -> Result<Vec<f64>, Error> {
            let q: Vec<f64> = self.start.q.iter().zip(v).map(|(q, v)| q + 0.5 * h * v).collect();
            let at = StateView { t: self.start.t + 0.5 * h, q: &q, v, z: &self.start.z, u: &self.inputs };
            let mut delta = vec![0.0; n];
            m.momentum_step(at, h, &p, &mut delta, &mut mu, &mut end)?;
            Ok(delta)
        };
        let mut v = self.start.v.to_vec();
        for _ in 0..20 {
            match correction(&v) {
                Ok(delta) => v.iter_mut().zip(delta).for_each(|(v, d)| *v += d),
                Err(Error::MissingKernel { .. }) => return false,
                Err(error) => panic!("{}: {error}", self.label),
            }
        }
        let errors = [1e-2, 1e-3].map(|epsilon| {
            let perturbed = |(i, v): (usize, &f64)| v + epsilon * scale * (1.3 + 2.1 * i as f64).sin();
            let start: Vec<f64> = v.iter().enumerate().map(perturbed).collect();
            let delta = correction(&start).expect("the matrix is regular near the solution");
            let misses: Vec<f64> = start.iter().zip(&delta).zip(&v).map(|((x, d), v)| x + d - v).collect();
            max_norm(&misses) / scale
        });
        // With wrong derivatives, errors would be proportional to ε.
        let is_quadratic = errors[1] < 0.02 * errors[0] || errors[1] < 1e-9;
        let is_smooth = !KINKED.iter().any(|kinked| self.label.starts_with(kinked));
        assert!(is_quadratic || !is_smooth, "{}: {errors:?}", self.label);
        true
    }
}

#[test]
fn steps_of_momenta_are_right_for_every_mechanism() {
    let mut exact = BTreeMap::new();
    for path in files() {
        let name = stem_of(&path);
        for formulation in [Formulation::Body, Formulation::Joint, Formulation::Natural] {
            let label = format!("{name}, {formulation:?}");
            let Some(mechanism) = with_momenta(&path, formulation) else { continue };
            let mut start = State::new(&mechanism);
            if assemble(&mechanism, &mut start).is_err() {
                continue;
            }
            let inputs = vec![0.0; mechanism.sizes().n_u];
            // Andrews' squeezer rotates fast, and the prism's cables vibrate.
            let duration = if ["andrews", "tensegrity_prism"].contains(&&name[..]) { 1e-3 } else { 2e-2 };
            let run = Run { mechanism: &mechanism, start, label, duration, inputs };
            let mut first = Zhong06::new(&mechanism, 1e-3);
            match first.step(&mechanism, &mut run.start.clone(), &mut zero_inputs, 1e-3) {
                Err(Error::Unsuited { cause }) => {
                    println!("{}: {cause}", run.label);
                    continue;
                }
                Err(error) => panic!("{}: {error}", run.label),
                Ok(()) => {}
            }
            run.assert_rates();
            *exact.entry(format!("{formulation:?}")).or_insert(0) += usize::from(run.assert_derivatives());
            run.assert_steps();
        }
    }
    // The numbers of mechanisms whose steps have exact derivatives. Others have massless speeds or velocity rows that states move, for example.
    let expected = if is_full_tier() {
        expect![[r#"with exact derivatives: {"Body": 41, "Joint": 58, "Natural": 43}"#]]
    } else {
        expect![[r#"with exact derivatives: {"Body": 37, "Joint": 46, "Natural": 32}"#]]
    };
    expected.assert_eq(&format!("with exact derivatives: {exact:?}"));
}

/// A crank with a prescribed rotation, an arm on it, and a hand in natural coordinates that is pinned to the arm.
const PRESCRIBED: [&str; 2] = [
    "pub planar Beside { kernels: [forward, energies, momenta]; coordinates: joint; gravity: [0.3, -9.81];
        body crank { mass: 2, inertia: 0.3, com: [0.1, 0.05], angle: 0.4 }
        body arm { mass: 1, inertia: 0.2, com: [0.4, 0.1], position: [0.4, 0.1], angle: 0.5 }
        body hand { mass: 0.5, inertia: 0.1, com: [0.05, 0.1], position: [1.2, 0.9], angle: 0.3, coordinates: natural }
        joint pivot = revolute(ground, crank);
        joint shoulder = revolute(crank at [0.2, 0.1], arm);
        joint wrist = revolute(arm at [0.8, 0.1], hand);
        prescribe turning = pivot.angle == 0.4 + 3 * sin(2 * t + 0.3);
        force spring = spring_damper(ground at [1, 1], hand at [-0.1, 0.2]) { stiffness: 20, damping: 0.7, free_length: 0.4 };
    }",
    "pub spatial Beside { kernels: [forward, energies, momenta]; coordinates: joint; gravity: [0.3, 0.5, -9.81];
        body crank { mass: 2, inertia: [0.3, 0.2, 0.4], com: [0.1, 0.05, 0.2] }
        body arm { mass: 1, inertia: [0.2, 0.3, 0.25], com: [0.4, 0.1, 0.05], position: [0.4, 0.1, 0] }
        body hand { mass: 0.5, inertia: [0.1, 0.12, 0.15], com: [0.05, 0.1, -0.1], position: [1.2, 0.9, 0.3], coordinates: natural }
        joint pivot = revolute(ground, crank) { axis: [0, 0.6, 0.8] };
        joint shoulder = universal(crank at [0.2, 0.1, 0], arm);
        joint wrist = spherical(arm at [0.8, 0.1, 0], hand);
        prescribe turning = pivot.angle == 0.4 + 3 * sin(2 * t + 0.3);
        force spring = spring_damper(ground at [1, 1, 0], hand at [-0.1, 0.2, 0]) { stiffness: 20, damping: 0.7, free_length: 0.4 };
    }",
];

#[test]
fn natural_coordinates_have_momenta_together_with_prescribed_ones() {
    for text in PRESCRIBED {
        let compiled = mbs_codegen::compile_text("beside.mbs", text, Options::default());
        let compiled = compiled.unwrap_or_else(|failure| panic!("{failure}")).remove(0).0;
        assert_eq!(compiled.tree.prescribed.len(), 1);
        let mechanism = Interpreted::new(compiled, Fma::Plain).expect("defaults are inside their domains");
        let mut start = State::new(&mechanism);
        assemble(&mechanism, &mut start).expect("it assembles");
        DormandPrince::new(&mechanism)
            .advance_to(&mechanism, &mut start, 0.4, &mut zero_inputs)
            .expect("it moves regularly");
        let (n, label) = (start.v.len(), text[4..18].to_owned());
        let (mut p, mut by_energy, mut speeds) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        mechanism.momenta(start.view(&[]), &mut p).expect("it was requested");
        mechanism.speeds_of_momenta(start.view(&[]), &p, &mut speeds).expect("all have mass");
        assert!(gap(&speeds, &start.v) < 1e-12, "{label}: {speeds:?} {:?}", start.v);
        // The energy of rigid bodies has other derivatives off the rows, and so momenta that differ by Gᵀ μ.
        momenta_of_energy(&mechanism, start.view(&[]), &mut by_energy).expect("it has energy");
        admissible_speeds_of_momenta(&mechanism, start.view(&[]), &by_energy, &mut speeds).expect("rows are regular");
        assert!(gap(&speeds, &start.v) < 1e-12, "{label}: {speeds:?} {:?}", start.v);
        let run = Run { mechanism: &mechanism, duration: 0.04, start, label, inputs: Vec::new() };
        run.assert_steps();
        assert!(run.assert_derivatives(), "steps have exact derivatives");
    }
}

#[test]
fn kernels_of_momenta_cost_as_recorded() {
    let mut table = String::new();
    for (name, formulation) in [
        ("four_bar", Formulation::Natural),
        ("four_bar", Formulation::Joint),
        ("four_bar", Formulation::Body),
        ("double_pendulum", Formulation::Joint),
        ("spatial_arm", Formulation::Joint),
        ("heavy_top", Formulation::Natural),
    ] {
        let mechanism = with_momenta(&file(name), formulation).expect("it compiles");
        let _ = writeln!(table, "{name}, {formulation:?}");
        for kernel in ["accelerations", "momenta", "momentum_rates", "speeds_of_momenta", "momentum_step"] {
            let counts = &mechanism.compiled().function(kernel).expect("it was requested").counts;
            let _ = writeln!(table, "  {kernel}: {} operations, {} sines", counts.operations, counts.sincos);
        }
    }
    expect![[r#"
        four_bar, Natural
          accelerations: 125 operations, 0 sines
          momenta: 12 operations, 0 sines
          momentum_rates: 0 operations, 0 sines
          speeds_of_momenta: 12 operations, 0 sines
          momentum_step: 270 operations, 0 sines
        four_bar, Joint
          accelerations: 114 operations, 3 sines
          momenta: 14 operations, 2 sines
          momentum_rates: 21 operations, 3 sines
          speeds_of_momenta: 17 operations, 2 sines
          momentum_step: 300 operations, 9 sines
        four_bar, Body
          accelerations: 223 operations, 3 sines
          momenta: 39 operations, 3 sines
          momentum_rates: 36 operations, 3 sines
          speeds_of_momenta: 39 operations, 3 sines
          momentum_step: 553 operations, 9 sines
        double_pendulum, Joint
          accelerations: 36 operations, 2 sines
          momenta: 13 operations, 2 sines
          momentum_rates: 20 operations, 2 sines
          speeds_of_momenta: 16 operations, 2 sines
          momentum_step: 147 operations, 2 sines
        spatial_arm, Joint
          accelerations: 367 operations, 2 sines
          momenta: 149 operations, 2 sines
          momentum_rates: 671 operations, 3 sines
          speeds_of_momenta: 161 operations, 2 sines
          momentum_step: 3546 operations, 3 sines
        heavy_top, Natural
          accelerations: 266 operations, 0 sines
          momenta: 9 operations, 0 sines
          momentum_rates: 0 operations, 0 sines
          speeds_of_momenta: 9 operations, 0 sines
          momentum_step: 614 operations, 0 sines
    "#]]
    .assert_eq(&table);
}

/// A step of momenta costs at most 8 accelerations of the four-bar, 10 of the heavy top, counted as operations of all functions that a step
/// evaluates. The chapter *Numerics* of the book has times and instructions.
#[test]
fn steps_cost_a_few_accelerations() {
    for (name, h, bound) in [("four_bar", 1e-3, 8.0), ("heavy_top", 2e-4, 10.0)] {
        let mechanism = with_momenta(&file(name), Formulation::Natural).expect("it compiles");
        let operations =
            |kernel: &str| mechanism.compiled().function(kernel).expect("it is there").counts.operations as f64;
        let mut state = State::new(&mechanism);
        assemble(&mechanism, &mut state).expect("it assembles");
        let mut stepper = Zhong06::new(&mechanism, h);
        stepper.advance_to(&mechanism, &mut state, 100.0 * h, &mut zero_inputs).expect("it moves regularly");
        let statistics = stepper.statistics();
        let evaluations = statistics.evaluations as f64 / statistics.accepted as f64;
        let evaluated = evaluations * operations("momentum_step");
        let step =
            evaluated + operations("momenta") + operations("speeds_of_momenta") + operations("position_residuals");
        let accelerations = step / operations("accelerations");
        println!("{name}: {evaluations} evaluations, {accelerations:.2} accelerations a step");
        assert!(accelerations <= bound, "{name}: {accelerations:.2} accelerations a step");
    }
}
