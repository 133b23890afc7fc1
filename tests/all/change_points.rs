//! Runs across change points: they stay on their branch in every formulation and with every integrator, in the engine and compiled, or end with
//! an error that names the pose at which the branch may have been lost. Positions after many revolutions.

use mbs::simulation::Cause;
use mbs::{
    Describe, Engine, Error, FullMechanism, Integrator, Projection, Recording, Simulation, State, assemble,
    project_positions,
};
use mbs_model::Formulation;

use crate::tier::{by_tier, is_in_turn};

const FORMULATIONS: [Formulation; 3] = [Formulation::Joint, Formulation::Body, Formulation::Natural];

/// Every integrator at the step of the command line.
const INTEGRATORS: [Integrator; 11] = [
    Integrator::DormandPrince { rtol: 1e-9, atol: 1e-11 },
    Integrator::Rk4 { step: 1e-3 },
    Integrator::Rk3 { step: 1e-3 },
    Integrator::Rk2 { step: 1e-3 },
    Integrator::ImplicitMidpoint { step: 1e-3 },
    Integrator::Gauss4 { step: 1e-3 },
    Integrator::Gauss6 { step: 1e-3 },
    Integrator::GeneralizedAlpha { step: 1e-3, spectral_radius: 0.8 },
    Integrator::Zhong06 { step: 1e-3 },
    Integrator::SemiImplicitEuler { step: 1e-3 },
    Integrator::ExplicitEuler { step: 1e-3 },
];

/// IFToMM A02: N adjacent parallelograms with links of 1 m and 1 kg. Outputs vanish on the declared branch.
fn cells(n: usize) -> String {
    let mut text = String::from(
        "planar Cells {
    gravity: [0, -9.81];
    body left0 { mass: 1, inertia: 1/12, com: [0, 0.5] }
    joint pivot = revolute(ground, left0);
    initial pivot.angle = 0, pivot.rate = -1;
    output angle = pivot.angle;
    output tip = position(left0 at [0, 1]);
",
    );
    for i in 1..=n {
        let last = i - 1;
        text.push_str(&format!(
            "    body left{i} {{ mass: 1, inertia: 1/12, com: [0, 0.5], position: [{i}, 0] }}
    body coupler{i} {{ mass: 1, inertia: 1/12, com: [0.5, 0], position: [{last}, 1] }}
    joint other{i} = revolute(ground at [{i}, 0], left{i});
    joint pin{i} = revolute(left{last} at [0, 1], coupler{i});
    joint close{i} = revolute(coupler{i} at [1, 0], left{i} at [0, 1]);
    output slip{i} = pivot.angle - other{i}.angle;
"
        ));
    }
    text + "}"
}

fn engine(text: &str, formulation: Formulation) -> Engine {
    Engine::options().formulation(formulation).text(text).unwrap()
}

/// The largest absolute value of an output.
fn largest(recording: &Recording, output: &str) -> f64 {
    recording.output(output).unwrap().iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Number of passages through poses with all links in line, by recorded rows: cranks at ±90°.
fn in_line(recording: &Recording, output: &str, offset: f64) -> usize {
    let side: Vec<bool> = recording.output(output).unwrap().iter().map(|a| (a + offset).sin() > 0.0).collect();
    side.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// Asserts that cells stay parallelograms, and that every change point is recorded.
fn check_cells<M: FullMechanism>(
    label: &str,
    mechanism: &M,
    n: usize,
    integrator: Integrator,
    duration: f64,
) -> Recording {
    let run = Simulation::new(mechanism).integrator(integrator).duration(duration).list_change_points().run();
    let recording = run.unwrap_or_else(|failure| panic!("{label}, {integrator:?}: {failure}"));
    for i in 1..=n {
        let slip = largest(&recording, &format!("slip{i}"));
        assert!(slip < 1e-6, "{label}, {integrator:?}: cell {i} leaves its branch by {slip:.1e}");
    }
    let crossed = in_line(&recording, "angle", std::f64::consts::FRAC_PI_2);
    assert!(crossed > 4, "{label}: {crossed}");
    assert_eq!(recording.change_points().len(), crossed, "{label}, {integrator:?}");
    assert_eq!(recording.events().of("change point").unwrap().count(), crossed);
    recording
}

mod compiled {
    macro_rules! one {
        ($name:ident, $basis:ident) => {
            mbs::mechanism! {
                pub planar $name {
                    coordinates: $basis;
                    gravity: [0, -9.81];
                    body left { mass: 1, inertia: 1/12, com: [0, 0.5] }
                    body right { mass: 1, inertia: 1/12, com: [0, 0.5], position: [1, 0] }
                    body coupler { mass: 1, inertia: 1/12, com: [0.5, 0], position: [0, 1] }
                    joint pivot = revolute(ground, left);
                    joint other = revolute(ground at [1, 0], right);
                    joint pin = revolute(left at [0, 1], coupler);
                    joint close = revolute(coupler at [1, 0], right at [0, 1]);
                    initial pivot.angle = 0, pivot.rate = -1;
                    output angle = pivot.angle;
                    output tip = position(left at [0, 1]);
                    output slip1 = pivot.angle - other.angle;
                }
            }
        };
    }
    one!(InJoints, joint);
    one!(InBodies, body);
    one!(InPoints, natural);

    macro_rules! five {
        ($name:ident, $basis:ident) => {
            mbs::mechanism! {
                pub planar $name {
                    coordinates: $basis;
                    kernels: [forward, outputs];
                    gravity: [0, -9.81];
                    const N = 5;
                    part pillar(x) {
                        body link { mass: 1, inertia: 1/12, com: [0, 0.5], position: [x, 0] }
                        joint bearing = revolute(ground at [x, 0], link);
                        marker top = link at [0, 1];
                    }
                    part cell(left, right, x) {
                        body coupler { mass: 1, inertia: 1/12, com: [0.5, 0], position: [x, 1] }
                        joint first = revolute(left, coupler);
                        joint second = revolute(coupler at [1, 0], right);
                    }
                    for i in 0..N + 1 { part post[i] = pillar(i); }
                    for i in 0..N { part between[i] = cell(post[i].top, post[i + 1].top, i); }
                    initial post[0].bearing.angle = 0, post[0].bearing.rate = -1;
                    output angle = post[0].bearing.angle;
                    output slip1 = post[0].bearing.angle - post[1].bearing.angle;
                    output slip2 = post[0].bearing.angle - post[2].bearing.angle;
                    output slip3 = post[0].bearing.angle - post[3].bearing.angle;
                    output slip4 = post[0].bearing.angle - post[4].bearing.angle;
                    output slip5 = post[0].bearing.angle - post[5].bearing.angle;
                }
            }
        };
    }
    five!(FiveInJoints, joint);
    #[cfg(largest)]
    five!(FiveInBodies, body);
    #[cfg(largest)]
    five!(FiveInPoints, natural);
}
#[cfg(largest)]
use compiled::{FiveInBodies, FiveInPoints, five_in_bodies, five_in_points};
use compiled::{FiveInJoints, InBodies, InJoints, InPoints, five_in_joints, in_bodies, in_joints, in_points};

/// Published: at 10 s the tip of the first crank is at (0.4783…, 0.8781…) m (IFToMM A02, N = 1, Gauss6 at 0.01 s and this).
#[test]
fn defaults_stay_on_the_branch() {
    let several = by_tier(11.0, 20.0);
    for formulation in FORMULATIONS {
        let one = check_cells(&format!("{formulation:?}"), &engine(&cells(1), formulation), 1, INTEGRATORS[0], 20.0);
        let at = one.times().iter().position(|t| (t - 10.0).abs() < 1e-9).unwrap();
        for (name, x) in [("tip.x", 0.478385057), ("tip.y", 0.878150179)] {
            // Tolerances of 1e-9 leave this error after 10 s, in which errors grow a thousandfold.
            let found = one.output(name).unwrap()[at];
            assert!((found - x).abs() < 1e-4, "{formulation:?}: {name} {found}");
        }
        check_cells(&format!("five, {formulation:?}"), &engine(&cells(5), formulation), 5, INTEGRATORS[0], several);
    }
    check_cells("compiled", &InJoints::new(in_joints::Params::default()).unwrap(), 1, INTEGRATORS[0], 20.0);
    check_cells("compiled", &InBodies::new(in_bodies::Params::default()).unwrap(), 1, INTEGRATORS[0], 20.0);
    check_cells("compiled", &InPoints::new(in_points::Params::default()).unwrap(), 1, INTEGRATORS[0], 20.0);
    check_cells("five, compiled", &FiveInJoints::new(five_in_joints::Params {}).unwrap(), 5, INTEGRATORS[0], several);
    #[cfg(largest)]
    check_cells("five, compiled", &FiveInBodies::new(five_in_bodies::Params {}).unwrap(), 5, INTEGRATORS[0], several);
    #[cfg(largest)]
    check_cells("five, compiled", &FiveInPoints::new(five_in_points::Params {}).unwrap(), 5, INTEGRATORS[0], several);
}

#[test]
fn every_integrator_stays_on_the_branch() {
    let joints = InJoints::new(in_joints::Params::default()).unwrap();
    let bodies = InBodies::new(in_bodies::Params::default()).unwrap();
    let points = InPoints::new(in_points::Params::default()).unwrap();
    let duration = by_tier(11.0, 20.0);
    for integrator in INTEGRATORS {
        let name = format!("{integrator:?}");
        if is_in_turn(&name, 0, 3) {
            check_cells("compiled", &joints, 1, integrator, duration);
        }
        if is_in_turn(&name, 1, 3) {
            check_cells("compiled", &bodies, 1, integrator, duration);
        }
        if is_in_turn(&name, 2, 3) {
            check_cells("compiled", &points, 1, integrator, duration);
        }
    }
}

/// Checks cells in the engine with each of these integrators.
fn check_in_the_engine(n: usize, formulation: Formulation, integrators: &[Integrator], duration: f64) {
    let cells = engine(&cells(n), formulation);
    for integrator in integrators {
        check_cells(&format!("{n} in the engine, {formulation:?}"), &cells, n, *integrator, duration);
    }
}

#[test]
#[ignore = "minutes: every integrator in the engine; `.ci/run --full`"]
fn every_integrator_stays_on_the_branch_in_the_engine() {
    for (n, formulation) in [1, 5].into_iter().flat_map(|n| FORMULATIONS.map(|f| (n, f))) {
        check_in_the_engine(n, formulation, &INTEGRATORS, 20.0);
    }
}

#[test]
#[ignore = "a minute: forty cells; `.ci/run --full`"]
fn forty_cells_stay_on_the_branch_with_every_integrator() {
    check_in_the_engine(40, Formulation::Joint, &INTEGRATORS, 10.0);
    check_in_the_engine(40, Formulation::Body, &INTEGRATORS, 10.0);
}

/// One of two tests, which run in parallel.
#[test]
#[ignore = "minutes: forty cells in natural coordinates; `.ci/run --full`"]
fn forty_cells_stay_on_the_branch_in_natural_coordinates() {
    check_in_the_engine(40, Formulation::Natural, &INTEGRATORS[..6], 10.0);
}

#[test]
#[ignore = "minutes: forty cells in natural coordinates; `.ci/run --full`"]
fn forty_cells_stay_on_the_branch_in_natural_coordinates_with_the_other_integrators() {
    check_in_the_engine(40, Formulation::Natural, &INTEGRATORS[6..], 10.0);
}

#[test]
#[ignore = "minutes: tolerances and steps; `.ci/run --full`"]
fn other_tolerances_stay_on_the_branch_or_end_in_an_error() {
    let tolerances = (3..=11).map(|k| 10f64.powi(-k)).map(|rtol| Integrator::DormandPrince { rtol, atol: 1e-2 * rtol });
    let steps = [3e-3, 1e-2, 3e-2, 0.1].map(|step| Integrator::Rk4 { step });
    for formulation in FORMULATIONS {
        for n in [1, 2, 5] {
            let cells = engine(&cells(n), formulation);
            for integrator in tolerances.clone().chain(steps) {
                assert_on_branch_or_error(&format!("{n}, {formulation:?}"), &cells, n, integrator, 20.0);
            }
        }
    }
    // Forty change points at once: the defaults pass, other tolerances pass or end in an error that names the pose.
    for formulation in [Formulation::Joint, Formulation::Body] {
        let forty = engine(&cells(40), formulation);
        for rtol in [1e-6, 1e-8, 1e-10, 1e-12] {
            let integrator = Integrator::DormandPrince { rtol, atol: 1e-2 * rtol };
            assert_on_branch_or_error(&format!("forty, {formulation:?}"), &forty, 40, integrator, 10.0);
        }
    }
}

/// Asserts that a run stays on the branch, or ends with an error that names the pose, an item and a remedy.
fn assert_on_branch_or_error(label: &str, cells: &Engine, n: usize, integrator: Integrator, duration: f64) {
    match Simulation::new(cells).integrator(integrator).duration(duration).run() {
        Ok(recording) => {
            for i in 1..=n {
                let slip = largest(&recording, &format!("slip{i}"));
                assert!(slip < 1e-3, "{label}, {integrator:?}: cell {i} by {slip}");
            }
        }
        Err(failure) => {
            let details = failure.details().join("; ");
            assert!(
                failure.item().is_some() && details.contains("near the pose"),
                "{label}, {integrator:?}: {failure}"
            );
        }
    }
}

#[test]
#[cfg(largest)]
#[ignore = "minutes: every integrator in generated code; `.ci/run --full`"]
fn five_compiled_cells_stay_on_the_branch_with_every_integrator() {
    for integrator in INTEGRATORS {
        check_cells("five", &FiveInJoints::new(five_in_joints::Params {}).unwrap(), 5, integrator, 20.0);
        check_cells("five", &FiveInBodies::new(five_in_bodies::Params {}).unwrap(), 5, integrator, 20.0);
        check_cells("five", &FiveInPoints::new(five_in_points::Params {}).unwrap(), 5, integrator, 20.0);
    }
}

/// Crank and rocker on the ground, a coupler between them, with the lengths of all four \[m\].
fn linkage([crank, ground, coupler, rocker]: [f64; 4], guess: f64) -> String {
    format!(
        "planar Linkage {{
    gravity: [0, -9.81];
    body left {{ mass: 1, inertia: 0.01, com: [{crank}/2, 0] }}
    body between {{ mass: 2, inertia: 0.05, com: [{coupler}/2, 0.1] }}
    body right {{ mass: 1.5, inertia: 0.02, com: [{rocker}/2, 0] }}
    joint pivot = revolute(ground, left);
    joint other = revolute(ground at [{ground}, 0], right);
    joint pin = revolute(left at [{crank}, 0], between);
    joint close = revolute(between at [{coupler}, 0], right at [{rocker}, 0]);
    initial pivot.angle = 1, pivot.rate = 9, other.angle ~ {guess};
    output angle = pivot.angle;
    output slip = pivot.angle - other.angle;
    output between_angle = pivot.angle + pin.angle;
    output energy = kinetic_energy + potential_energy;
}}"
    )
}

const PARALLELOGRAM: [f64; 4] = [0.3, 0.5, 0.5, 0.3];
/// The longest and the shortest link are together as long as the others: the only singular pose has all links in line.
const GRASHOFS_LIMIT: [f64; 4] = [0.1, 0.4, 0.2, 0.3];

/// Crank of 0.2 m and rod on a piston.
fn slider(rod: f64) -> String {
    format!(
        "planar Slider {{
    gravity: [0, -9.81];
    body crank {{ mass: 1, inertia: 0.01, com: [0.1, 0] }}
    body rod {{ mass: 1, inertia: 0.01, com: [{rod}/2, 0] }}
    body piston {{ mass: 0.5, inertia: 0.001 }}
    joint pivot = revolute(ground, crank);
    joint guide = prismatic(ground, piston) {{ axis: [1, 0] }};
    joint pin = revolute(crank at [0.2, 0], rod);
    joint wrist = revolute(rod at [{rod}, 0], piston);
    initial pivot.angle = 0.5, pivot.rate = 12, guide.position ~ 0.2 + {rod};
    output angle = pivot.angle;
    output stroke = position(piston).x;
    output energy = kinetic_energy + potential_energy;
}}"
    )
}

const IN_SPACE: &str = "spatial Parallelogram {
    gravity: [0, 0, -9.81];
    body crank { mass: 1, inertia: [0.001, 0.01, 0.01], com: [0.15, 0, 0] }
    body rocker { mass: 1.5, inertia: [0.001, 0.02, 0.02], com: [0.15, 0, 0] }
    joint pivot = revolute(ground, crank) { axis: [0, 1, 0] };
    joint other = revolute(ground at [0.5, 0, 0], rocker) { axis: [0, 1, 0] };
    joint coupler = distance(crank at [0.3, 0.1, 0], rocker at [0.3, 0.1, 0]) { length: 0.5 };
    initial pivot.angle = -1, pivot.rate = -9, other.angle ~ -1;
    output angle = pivot.angle;
    output slip = pivot.angle - other.angle;
    output energy = kinetic_energy + potential_energy;
}";

/// A function of the crank angle and another output that vanishes on the declared branch.
type Conserved = fn(f64, f64) -> f64;

/// Runs of a second at the default step of each integrator agree with the default integrator. Euler's methods, of order one, lag or lead; of
/// them only the functions that vanish on the branch are checked.
#[test]
#[ignore = "minutes: every integrator; `.ci/run --full`"]
fn every_integrator_agrees_across_change_points() {
    let (parallelogram, grashof, same_lengths) =
        (linkage(PARALLELOGRAM, 1.0), linkage(GRASHOFS_LIMIT, 1.4), slider(0.2));
    let slip: Conserved = |_, slip| slip;
    let texts: [(&str, &str, &str, Option<Conserved>); 4] = [
        ("parallelogram", &parallelogram, "slip", Some(slip)),
        ("Grashof's limit", &grashof, "slip", None),
        ("slider-crank", &same_lengths, "stroke", Some(|angle, stroke| stroke - 0.4 * angle.cos())),
        ("in space", IN_SPACE, "slip", Some(slip)),
    ];
    for (label, text, output, kept) in texts {
        for formulation in FORMULATIONS {
            let engine = engine(text, formulation);
            let run = |integrator| Simulation::new(&engine).integrator(integrator).duration(1.0).run();
            let expected = run(INTEGRATORS[0]).unwrap_or_else(|failure| panic!("{label}, {formulation:?}: {failure}"));
            assert!(expected.change_points().len() > 0, "{label}");
            for integrator in &INTEGRATORS[1..] {
                let label = format!("{label}, {formulation:?}, {integrator:?}");
                let found = match run(*integrator) {
                    Ok(found) => found,
                    // Zhong06 in space, except in natural coordinates.
                    Err(failure) if matches!(failure.cause, Cause::Run(Error::Unsuited { .. })) => continue,
                    Err(failure) => panic!("{label}: {failure}"),
                };
                let pairs = found.output("angle").unwrap().iter().zip(found.output(output).unwrap());
                let off = kept.map_or(0.0, |kept| pairs.fold(0.0, |most: f64, (a, x)| most.max(kept(*a, *x).abs())));
                assert!(off < 1e-6, "{label}: off its branch by {off:.1e}");
                if matches!(integrator, Integrator::SemiImplicitEuler { .. } | Integrator::ExplicitEuler { .. }) {
                    continue;
                }
                // Errors of order 2 in steps of 1 ms at 10 rad/s are some 1e-4 rad a revolution; another branch is off by 1 rad or 0.1 m.
                for name in ["angle", output] {
                    let pairs = found.output(name).unwrap().iter().zip(expected.output(name).unwrap());
                    let miss = pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
                    assert!(miss < 1e-2, "{label}: {name} {miss:.1e}");
                }
                assert_eq!(found.change_points().len(), expected.change_points().len(), "{label}");
            }
        }
    }
}

/// Runs 5 s with the defaults and asserts that energy is conserved, which a change of branch would violate.
fn check_run(label: &str, text: &str, formulation: Formulation) -> Recording {
    let run = Simulation::new(&engine(text, formulation)).duration(5.0).run();
    let recording = run.unwrap_or_else(|failure| panic!("{label}, {formulation:?}: {failure}"));
    let energy = recording.output("energy").unwrap();
    let change = energy.iter().fold(0.0, |most: f64, e| most.max((e - energy[0]).abs()));
    assert!(change < 1e-5 * energy[0].abs().max(1.0), "{label}, {formulation:?}: energy by {change:.1e} J");
    recording
}

#[test]
fn parallelograms_of_other_lengths_stay_parallelograms() {
    for formulation in FORMULATIONS {
        let recording = check_run("parallelogram", &linkage(PARALLELOGRAM, 1.0), formulation);
        let slip = largest(&recording, "slip");
        assert!(slip < 1e-6, "{formulation:?}: {slip:.1e}");
        assert_eq!(recording.change_points().len(), in_line(&recording, "angle", 0.0), "{formulation:?}");
    }
}

#[test]
fn linkages_of_grashof_s_limit_agree_across_change_points() {
    let text = linkage(GRASHOFS_LIMIT, 1.4);
    let runs = FORMULATIONS.map(|formulation| check_run("Grashof's limit", &text, formulation));
    let points = runs[0].change_points().len();
    assert!(points > 2, "{points}");
    for run in &runs[1..] {
        assert_eq!(run.change_points().len(), points);
        for name in ["angle", "slip"] {
            let miss = run.output(name).unwrap().iter().zip(runs[0].output(name).unwrap());
            let miss = miss.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            assert!(miss < 1e-4, "{name}: {miss:.1e}");
        }
    }
}

/// With crank and rod of one length there is a change point in the middle of the stroke: the rod may rotate with the crank, or the piston may pass
/// the pivot. Otherwise there are dead points alone, which are regular.
#[test]
fn slider_cranks_pass_dead_points_and_change_points() {
    for formulation in FORMULATIONS {
        let same = check_run("crank and rod of one length", &slider(0.2), formulation);
        let miss = same.output("stroke").unwrap().iter().zip(same.output("angle").unwrap());
        // The piston passes the pivot of the crank.
        let miss = miss.fold(0.0, |most: f64, (x, angle)| most.max((x - 0.4 * angle.cos()).abs()));
        assert!(miss < 1e-6, "{formulation:?}: {miss:.1e}");
        let crossed = in_line(&same, "angle", std::f64::consts::FRAC_PI_2);
        assert_eq!(same.change_points().len(), crossed, "{formulation:?}");
        let longer = check_run("a longer rod", &slider(0.5), formulation);
        assert_eq!(longer.change_points().len(), 0, "{formulation:?}");
    }
}

#[test]
fn change_points_in_space() {
    for formulation in FORMULATIONS {
        let recording = check_run("in space", IN_SPACE, formulation);
        let slip = largest(&recording, "slip");
        assert!(slip < 1e-6, "{formulation:?}: {slip:.1e}");
        assert_eq!(recording.change_points().len(), in_line(&recording, "angle", 0.0), "{formulation:?}");
    }
}

/// Bricard's mechanism passes no singular pose: it has a row that is redundant everywhere, which is left out.
#[test]
fn bricard_s_mechanism_crosses_nothing() {
    let text = include_str!("../../mechanisms/bricard.mbs");
    for formulation in [Formulation::Joint, Formulation::Body] {
        assert_eq!(check_run("Bricard", text, formulation).change_points().len(), 0);
    }
}

#[test]
fn a_step_too_long_to_identify_the_branch_is_an_error() {
    let cells = engine(&cells(1), Formulation::Body);
    let mut failures = [0.1, 0.2, 0.3, 0.5].into_iter().filter_map(|step| {
        match Simulation::new(&cells).integrator(Integrator::Rk4 { step }).duration(20.0).every(step).run() {
            Ok(recording) => {
                assert!(recording.output("slip1").unwrap().iter().all(|slip| slip.abs() < 1e-6), "steps of {step} s");
                None
            }
            Err(failure) => Some(failure),
        }
    });
    let failure = failures.next().expect("steps of half a second cannot tell");
    assert!(matches!(failure.cause, Cause::Run(Error::Branch { .. })), "{failure}");
    let message = failure.to_string();
    assert!(message.contains("singular pose") && message.contains("smaller step"), "{message}");
    let named = failure.item().unwrap();
    assert!(message.contains(named), "{message}");
    assert!(message.contains("near the pose `left0.x` = "), "{message}");
}

/// |Φ| ≤ 8 ε ℓ (1 + |angle|) for any number of revolutions; an error for angles that leave no digits.
#[test]
fn positions_are_projected_to_round_off_after_many_revolutions() {
    let text = linkage([0.1, 0.3, 0.25, 0.2], 1.4);
    for formulation in [Formulation::Joint, Formulation::Body] {
        let linkage = engine(&text, formulation);
        let mut state = State::new(&linkage);
        assemble(&linkage, &mut state).unwrap();
        for revolutions in [0.0, 1e3, -1e5] {
            let angle = 2.0 * std::f64::consts::PI * revolutions;
            for integrator in INTEGRATORS {
                let rotated = rotated(&linkage, &state, angle);
                let run = Simulation::new(&linkage).initial(rotated).integrator(integrator).duration(0.3).run();
                let recording =
                    run.unwrap_or_else(|e| panic!("{formulation:?}, {revolutions} revolutions, {integrator:?}: {e}"));
                let miss = recording.position_error().iter().fold(0.0, |most: f64, x| most.max(*x));
                let most = 8.0 * f64::EPSILON * 0.55 * (1.0 + angle.abs() + 5.0);
                assert!(
                    miss <= most,
                    "{formulation:?}, {revolutions} revolutions, {integrator:?}: {miss:.1e} > {most:.1e}"
                );
            }
        }
        // A failed step may have gone that far; the next state is judged by its coordinates alone.
        for far in [1e15, 1e12, 1e8, 1e7] {
            let mut work = Projection::new(&linkage);
            let lost = project_positions(&linkage, &mut rotated(&linkage, &state, far), &mut work);
            assert_eq!(matches!(lost, Err(Error::Unresolved { .. })), far >= 1e12, "{formulation:?}, {far}: {lost:?}");
            let mut moved = rotated(&linkage, &state, 1e-10);
            project_positions(&linkage, &mut moved, &mut work).unwrap();
            let miss = project_positions(&linkage, &mut moved, &mut work).unwrap();
            assert!(miss <= 16.0 * f64::EPSILON, "{formulation:?}, after {far} rad: {miss:.1e}");
        }
        let lost = rotated(&linkage, &state, 1e15);
        assert!(matches!(assemble(&linkage, &mut lost.clone()), Err(Error::Unresolved { .. })));
        let failure = Simulation::new(&linkage).initial(lost).run().unwrap_err();
        assert!(matches!(failure.cause, Cause::Run(Error::Unresolved { .. })), "{failure}");
    }
}

/// The bound also holds in space: rows there compare quaternions, directions and squares of lengths up to 1 m.
#[test]
fn positions_of_space_are_projected_to_round_off() {
    let text = include_str!("../../mechanisms/rssr.mbs");
    let text = text.replace("drive motor = crank_bearing.angle == omega * t;", "initial crank_bearing.rate = omega;");
    let text = text.replace(", inverse]", "]");
    for formulation in FORMULATIONS {
        let rssr = engine(&text, formulation);
        let mut state = State::new(&rssr);
        assemble(&rssr, &mut state).unwrap();
        // None of the natural coordinates is an angle here.
        let is_natural = formulation == Formulation::Natural;
        for revolutions in if is_natural { &[0.0][..] } else { &[0.0, 1e3, -1e5] } {
            let angle = 2.0 * std::f64::consts::PI * revolutions;
            let recording = Simulation::new(&rssr).initial(rotated(&rssr, &state, angle)).duration(2.0).run().unwrap();
            let miss = recording.position_error().iter().fold(0.0, |most: f64, x| most.max(*x));
            let angle = if is_natural { 0.0 } else { angle.abs() + 25.0 };
            let most = 8.0 * f64::EPSILON * (1.0 + angle);
            assert!(miss <= most, "{formulation:?}, {revolutions} revolutions: {miss:.1e} > {most:.1e}");
        }
    }
}

/// A crank makes some 3,000 revolutions in 2,000 s.
#[test]
#[ignore = "a minute in a debug build; `.ci/run --full`"]
fn positions_are_at_round_off_after_two_thousand_seconds() {
    let text = linkage([0.1, 0.3, 0.25, 0.2], 1.4).replace("gravity: [0, -9.81]", "gravity: [0, 0]");
    for formulation in FORMULATIONS {
        let linkage = engine(&text, formulation);
        let run = Simulation::new(&linkage).duration(2000.0).every(1.0).run().unwrap();
        let angle = run.output("angle").unwrap().last().unwrap().abs();
        assert!(angle > 6000.0, "{formulation:?}: {angle}");
        let miss = run.position_error().iter().fold(0.0, |most: f64, x| most.max(*x));
        let most = 8.0 * f64::EPSILON * 0.55 * (1.0 + angle);
        assert!(miss <= most, "{formulation:?}: {miss:.1e} > {most:.1e}");
    }
}

/// Andrews' mechanism, with steps of a radian of its crank: two dyads change their assembly together, which leaves the sign of the nearly
/// unconstrained direction unchanged.
#[test]
fn a_step_whose_equations_are_solved_on_another_branch_is_an_error() {
    let text = include_str!("../../mechanisms/andrews.mbs");
    let andrews = engine(text, Formulation::Body);
    let run = |step| Simulation::new(&andrews).integrator(Integrator::Zhong06 { step }).duration(0.05).run();
    let failure = run(1e-3).unwrap_err();
    assert!(matches!(failure.cause, Cause::Run(Error::Branch { .. })), "{failure}");
    assert!(failure.to_string().contains("smaller step"), "{failure}");
    let finer = run(1e-4).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(finer.change_points().len(), 0);
}

/// The state with every angle coordinate increased by `angle` \[rad\].
fn rotated(engine: &Engine, state: &State<Engine>, angle: f64) -> State<Engine> {
    let mut rotated = state.clone();
    let coordinates = rotated.q.as_mut().iter_mut().enumerate();
    coordinates.filter(|(k, _)| is_angle(engine, *k)).for_each(|(_, q)| *q += angle);
    rotated
}

/// Whether a coordinate is an angle, by its name.
fn is_angle(engine: &Engine, coordinate: usize) -> bool {
    let name = engine.name(mbs::Item::Coordinate(coordinate));
    name.ends_with("angle") || name.ends_with("theta")
}

/// For tolerances from a hundred times the rounding error to too coarse ones, a run stays on the branch and records every change point, or ends
/// in an error.
#[test]
fn tolerances_of_generated_code_stay_on_the_branch_or_end_in_an_error() {
    fn check<M: FullMechanism>(mechanism: &M, name: &str) {
        for (rtol, is_fine) in [
            (1e-3, false),
            (1e-4, false),
            (1e-5, false),
            (1e-6, false),
            (1e-7, true),
            (1e-8, true),
            (1e-10, true),
            (1e-12, true),
        ] {
            let integrator = Integrator::DormandPrince { rtol, atol: 1e-2 * rtol };
            match Simulation::new(mechanism).integrator(integrator).duration(20.0).run() {
                Ok(recording) => {
                    let slip = largest(&recording, "slip1");
                    assert!(slip < 1e-6, "{name}, {rtol}: {slip}");
                    let crossed = in_line(&recording, "angle", std::f64::consts::FRAC_PI_2);
                    assert!(!is_fine || recording.change_points().len() == crossed, "{name}, {rtol}: {crossed}");
                    assert!(recording.change_points().len() > 0, "{name}, {rtol}");
                }
                Err(failure) => {
                    assert!(!is_fine, "{name}, {rtol}: {failure}");
                    assert!(matches!(failure.cause, Cause::Run(Error::Branch { .. })), "{name}, {rtol}: {failure}");
                    assert!(failure.item().is_some(), "{failure}");
                }
            }
        }
    }
    check(&InJoints::new(in_joints::Params::default()).unwrap(), "joint");
    check(&InBodies::new(in_bodies::Params::default()).unwrap(), "body");
    check(&InPoints::new(in_points::Params::default()).unwrap(), "natural");
}

/// Speeds follow from momenta, which do not depend on rows: projected speeds continue the motion after the change point.
#[test]
fn momenta_keep_their_energy_across_change_points() {
    let text = include_str!("../../mechanisms/n_four_bar_2.mbs");
    for formulation in [Formulation::Body, Formulation::Natural] {
        let engine = engine(text, formulation);
        let run = Simulation::new(&engine).integrator(Integrator::Zhong06 { step: 1e-3 }).duration(2.0).run().unwrap();
        assert!(run.change_points().len() > 0, "{formulation:?}");
        let energies: Vec<f64> = run.kinetic_energy().iter().zip(run.potential_energy()).map(|(t, v)| t + v).collect();
        let change = energies.iter().fold(0.0, |most: f64, e| most.max((e - energies[0]).abs()));
        // Steps of 1 ms leave an error of 2e-4 J of 36 J.
        assert!(change < 1e-3, "{formulation:?}: {change:.1e} J");
        assert!(run.velocity_error().iter().all(|miss| *miss < 1e-9), "{formulation:?}");
    }
}
