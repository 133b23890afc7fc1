//! Implicit methods on every mechanism of `mechanisms/`, interpreted in its declared coordinates and in natural ones. Steps with derivatives,
//! factorised densely or by kernels of the mechanism, equal those without derivatives, and converge to the solution of Dormand and Prince's
//! method at the order of the method.

use mbs_core::{
    DormandPrince, Gauss4, Gauss6, GeneralizedAlpha, ImplicitMidpoint, State, Stepper, assemble, zero_inputs,
};
use mbs_interp::Interpreted;
use mbs_model::{Formulation, Kernels};

use crate::mechanisms::{KINKED, LARGE, by_tier, files, gap, interpret, stem_of};

/// Steps of a run.
const STEPS: f64 = 8.0;

/// A run from an assembled state.
struct Run<'m> {
    mechanism: &'m Interpreted,
    start: State<Interpreted>,
    label: String,
    t_end: f64,
}

impl Run<'_> {
    /// The state at the end of the run.
    fn end(&self, mut stepper: impl Stepper<Interpreted>) -> Vec<f64> {
        let mut state = self.start.clone();
        let outcome = stepper.advance_to(self.mechanism, &mut state, self.t_end, &mut zero_inputs);
        outcome.unwrap_or_else(|error| panic!("{}: {error}", self.label));
        [&state.q[..], &state.v[..], &state.z[..]].concat()
    }

    fn assert_agreement(&self) {
        let (m, h, label) = (self.mechanism, self.t_end / STEPS, &self.label);
        let exact = self.end(DormandPrince::new(m).with_tolerances(1e-10, 1e-12));
        let gauss = [self.end(Gauss4::new(m, h)), self.end(Gauss6::new(m, h))];
        let midpoint = [h, 0.5 * h].map(|h| self.end(ImplicitMidpoint::new(m, h)));
        let alpha = [h, 0.5 * h].map(|h| self.end(GeneralizedAlpha::new(m, h, 0.8)));
        // Steps are solved to 64 roundings, which stiff springs magnify.
        for (with_derivatives, without) in [
            (&midpoint[0], self.end(ImplicitMidpoint::without_derivatives(m, h))),
            (&gauss[0], self.end(Gauss4::without_derivatives(m, h))),
            (&gauss[1], self.end(Gauss6::without_derivatives(m, h))),
            (&alpha[0], self.end(GeneralizedAlpha::without_derivatives(m, h, 0.8))),
        ] {
            let miss = gap(with_derivatives, &without);
            assert!(miss < 1e-10, "{label}: {miss:.1e} between steps with derivatives and without");
        }
        let [four, six] = [&gauss[0], &gauss[1]].map(|end| gap(end, &exact));
        println!("{label}: Gauss4 {four:.0e}, Gauss6 {six:.0e}");
        let is_smooth = !KINKED.contains(&label.as_str());
        assert!(four < 1e-3 && (!is_smooth || six < 0.1 * four + 1e-9), "{label}: {four:.1e} {six:.1e}");
        for (name, [long, short]) in [("implicit midpoint", &midpoint), ("generalized-α", &alpha)] {
            let [long, short] = [long, short].map(|end| gap(end, &exact));
            println!("    {name} {long:.0e}, {short:.0e}");
            assert!(short < 0.35 * long + 1e-9, "{label}, {name}: {long:.1e} {short:.1e}");
        }
    }
}

#[test]
fn implicit_steps_agree_on_every_mechanism() {
    assert_all(&[(false, None), (true, None)], by_tier(110, 150));
}

#[test]
fn implicit_steps_agree_on_every_mechanism_in_natural_coordinates() {
    assert_all(&[(true, Some(Formulation::Natural))], by_tier(55, 70));
}

/// Runs every mechanism with a kernel for steps or without, in a formulation, and checks that there were more than `least` runs. The cases are
/// separate tests, which run in parallel.
fn assert_all(cases: &[(bool, Option<Formulation>)], least: usize) {
    let mut count = 0;
    for path in files() {
        let label = stem_of(&path);
        for (steps, formulation) in cases.iter().copied() {
            let kernels = Kernels { linearization: true, steps, ..Kernels::default() };
            if formulation.is_some() && LARGE.contains(&&label[..]) {
                continue;
            }
            let Some(mechanism) = interpret(&path, formulation, kernels) else { continue };
            let mut start = State::new(&mechanism);
            assemble(&mechanism, &mut start).unwrap_or_else(|error| panic!("{label}: {error}"));
            // Andrews' squeezer and the engine rotate fast, and the prism's cables vibrate; unit vectors allow smaller rotations in a step than
            // angles.
            let fast = ["andrews", "tensegrity_prism", "engine_single_cylinder"];
            let t_end = match (fast.contains(&label.as_str()), formulation) {
                (true, _) => 2e-3,
                (false, None) => 4e-2,
                (false, Some(_)) => 1e-2,
            };
            Run { mechanism: &mechanism, start, label: label.clone(), t_end }.assert_agreement();
            count += 1;
        }
    }
    println!("{count}");
    assert!(count > least, "{count} mechanisms");
}
