//! Checks one mechanism with all laws, by the compiler and the engine, in all formulations.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mbs_compiler::compile::{Options, compile};
use mbs_compiler::interp::Fma;
use mbs_definition::{Definition, Errors};
use mbs_engine::Engine;
use mbs_interp::Interpreted;
use mbs_model::Formulation;

use crate::description::Description;
use crate::expr::wave;
use crate::features::Features;
use crate::judge::{Expectation, margin, mass_margin, rows};
use crate::laws::{self, Compared};
use crate::ledger::Violation;
use crate::oracle::Oracle;
use crate::plan::{Joint, Plan};
use crate::print::{INSTANCE, Printed, print};
use crate::realize::{Realized, realize};
use crate::state::{OwnedState, Random, consistent, guess, is_far, is_near_singular_attitude, scattered};

/// Outcome for a mechanism that violates no law.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// All laws hold; contains the largest relative error of each.
    Passed(BTreeMap<&'static str, f64>),
    /// Compiler and engine refuse the declaration in all formulations, with these codes.
    Refused(Vec<String>),
}

/// A law that a mechanism violates.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The declaration.
    pub text: String,
    /// The law, with the formulation, quantities, numbers and states.
    pub violation: Violation,
}

/// Codes with which a random declaration may be refused: redundant, singular, not assembled, without mass.
const LEGITIMATE: [&str; 4] = ["MBS060", "MBS061", "MBS063", "MBS064"];

/// Margin of rows and of mass above which the true pose is regular in spite of rounding.
const REGULAR: f64 = 0.01;

/// Number of states per formulation: off the constraints, and on them.
const STATES: [usize; 2] = [3, 3];

/// Checks one description; a panic is a failure like any other.
///
/// # Errors
/// The first law that is violated.
pub fn check(description: &Description) -> (Features, Result<Outcome, Failure>) {
    let realized = realize(description);
    let printed = print(&realized.plan);
    let checked = catch_unwind(AssertUnwindSafe(|| check_text(&printed, &realized)));
    let result = checked.unwrap_or_else(|panic| Err(Violation::new("nothing panics", message(&*panic))));
    (printed.features, result.map_err(|violation| Failure { text: printed.text, violation }))
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned())).unwrap_or_default()
}

/// A declaration compiled on one side in one formulation, or the codes and messages of its refusal.
type Verdict<T> = Result<T, Vec<(String, String)>>;

fn compile_declaration(definition: &Definition, formulation: Option<Formulation>) -> Verdict<Interpreted> {
    let list = |errors: &Errors| -> Vec<(String, String)> {
        errors.list().iter().map(|d| (d.code.to_owned(), d.to_string())).collect()
    };
    // In joint coordinates, derivatives are solved for in loops, as those of large mechanisms are.
    let column_products = (formulation == Some(Formulation::Joint)).then_some(0);
    let mut compiled = compile(definition, Options { formulation, column_products, ..Options::default() })
        .map_err(|errors| list(&errors))?;
    // Binding fails where the mechanism does not declare the function.
    let _ = compiled.model.bind("wave", wave);
    Interpreted::new(compiled, Fma::Plain).map_err(|error| vec![("parameters".to_owned(), error.to_string())])
}

fn run_in_engine(text: &str, formulation: Option<Formulation>) -> Verdict<Engine> {
    let options = formulation.into_iter().fold(Engine::options(), mbs_engine::Options::formulation);
    let options = if text.contains("function wave") { options.function("wave", wave) } else { options };
    options.text(text).map_err(|failure| {
        let message = failure.to_string();
        let codes = message.match_indices("[MBS").filter_map(|(i, _)| message.get(i + 1..i + 7));
        let codes: Vec<&str> = codes.collect();
        let codes = if codes.is_empty() { vec!["engine"] } else { codes };
        codes.into_iter().map(|code| (code.to_owned(), message.clone())).collect()
    })
}

/// One formulation, compiled and run by the engine.
struct Sides {
    label: &'static str,
    compiled: Interpreted,
    engine: Engine,
}

/// The label of a side, with codes and messages of its refusal.
type Refusal = (String, Vec<(String, String)>);

/// One mechanism in this many is also compiled inside a part.
const PART_INTERVAL: usize = 4;
/// One mechanism in this many is also compiled in natural coordinates.
const NATURAL_INTERVAL: usize = 3;

fn check_text(printed: &Printed, realized: &Realized) -> Result<Outcome, Violation> {
    let text = &printed.text;
    let parsed = mbs_syntax::parse_text("random.mbs", text);
    if !parsed.errors.is_empty() {
        let list: Vec<String> = parsed.errors.list().iter().map(ToString::to_string).collect();
        return Err(Violation::new("the printed text parses", list.join("\n")));
    }
    let bodies = &realized.plan.bodies;
    let mixed = realized.plan.coordinates.is_some() || bodies.iter().any(|b| b.coordinates.is_some());
    let mut formulations = vec![("body", Some(Formulation::Body)), ("joint", Some(Formulation::Joint))];
    let is_natural = text.len().is_multiple_of(NATURAL_INTERVAL);
    formulations.extend(is_natural.then_some(("natural", Some(Formulation::Natural))));
    formulations.extend(mixed.then_some(("declared", None)));
    let (mut verdicts, mut sides) = (Vec::new(), Vec::new());
    for (label, formulation) in formulations {
        let (compiled, engine) =
            (compile_declaration(&parsed.definitions[0], formulation), run_in_engine(text, formulation));
        verdicts.push((format!("{label}, compiler"), compiled.as_ref().err().cloned().unwrap_or_default()));
        verdicts.push((format!("{label}, engine"), engine.as_ref().err().cloned().unwrap_or_default()));
        sides.extend(compiled.ok().zip(engine.ok()).map(|(compiled, engine)| Sides { label, compiled, engine }));
    }
    let verdicts = replace_unknown_verdicts(verdicts, text.contains(": opaque("));
    if let Some(codes) = common_refusal(&verdicts, realized)? {
        return Ok(Outcome::Refused(codes));
    }
    let mut worst = Worst::default();
    let mut starts = Vec::new();
    for side in &sides {
        let start = check_formulation(side, &sides[0].compiled, realized, &mut worst);
        starts.push(start.map_err(|violation| violation.within(side.label))?);
    }
    if text.len().is_multiple_of(PART_INTERVAL) {
        check_in_part(&printed.in_part, &sides[0], &starts[0], &mut worst)?;
    }
    for (side, start) in sides.iter_mut().zip(&starts) {
        check_other_parameters(side, start, &mut worst).map_err(|violation| violation.within(side.label))?;
    }
    Ok(Outcome::Passed(worst.0))
}

/// Replaces acceptances of the compiler by the engine's verdict where functions are written in Rust: the compiler cannot evaluate these, and may
/// accept a declaration that the engine refuses.
fn replace_unknown_verdicts(mut verdicts: Vec<Refusal>, has_unknown: bool) -> Vec<Refusal> {
    for pair in verdicts.chunks_exact_mut(2).filter(|_| has_unknown) {
        if pair[0].1.is_empty() {
            pair[0].1 = pair[1].1.clone();
        }
    }
    verdicts
}

/// The codes with which all sides refuse a declaration; `None` if all accept it. `verdicts` are pairs of compiler and engine, one
/// for each formulation.
///
/// Where the declared poses are not the true ones, Newton's method may converge to an assembled pose in some coordinates, or on one side by
/// rounding, and fail or converge to a singular pose in others. But a declaration that is redundant or massless for one side must not be
/// accepted by another, except if the true pose is regular: the refusing side then converged to a pose where a row becomes dependent on the
/// others like a double root, and neighbouring poses do not reveal that only this pose is singular.
fn common_refusal(verdicts: &[Refusal], realized: &Realized) -> Result<Option<Vec<String>>, Violation> {
    let describe = || {
        let describe_verdict = |(label, errors): &(String, Vec<(String, String)>)| match errors.first() {
            None => format!("{label}: accepted"),
            Some((_, message)) => format!("{label}: {message}"),
        };
        verdicts.iter().map(describe_verdict).collect::<Vec<_>>().join("\n")
    };
    let codes = |errors: &[(String, String)]| -> Vec<String> {
        let mut codes: Vec<String> = errors.iter().map(|e| e.0.clone()).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    };
    let first = codes(&verdicts[0].1);
    // With natural coordinates, two bodies share the points of two hinges between them; in other coordinates the rows of these hinges are
    // redundant.
    let is_shared = |v: &Refusal| match v.0.starts_with("natural") {
        true => v.1.is_empty(),
        false => codes(&v.1) == ["MBS060"],
    };
    if is_jointed_twice(&realized.plan) && verdicts.iter().all(is_shared) {
        return Ok(Some(vec!["MBS060".to_owned(), "but in natural coordinates".to_owned()]));
    }
    if verdicts.iter().any(|v| codes(&v.1) != first) {
        let mut all: Vec<String> = verdicts.iter().flat_map(|v| codes(&v.1)).collect();
        let accepted = verdicts.iter().any(|v| v.1.is_empty());
        let is_regular = margin(&rows(&realized.plan, true)) > REGULAR && mass_margin(&realized.plan) > REGULAR;
        let may_differ = |code: &String| match code.as_str() {
            "MBS061" | "MBS063" => true,
            "MBS060" | "MBS064" => is_regular,
            _ => false,
        };
        if realized.exact || (accepted && !all.iter().all(may_differ)) {
            return Err(Violation::new("sides agree on legality", describe()));
        }
        all.sort_unstable();
        all.dedup();
        all.push("from afar, by some sides".to_owned());
        return Ok(Some(all));
    }
    let is_illegitimate = first.iter().any(|code| !LEGITIMATE.contains(&code.as_str()));
    match (first.is_empty(), realized.expectation) {
        _ if is_illegitimate => Err(Violation::new("declarations are legal, or refused for a reason", describe())),
        (false, Expectation::Legal) => Err(Violation::new("regular declarations are accepted", describe())),
        (true, Expectation::Illegal) => Err(Violation::new("singular declarations are refused", describe())),
        (true, _) => Ok(None),
        (false, _) => Ok(Some(first)),
    }
}

/// Whether two joints are between the same bodies.
fn is_jointed_twice(plan: &Plan) -> bool {
    let between = |j: &Joint| {
        let [a, b] = j.ends.each_ref().map(|end| end.body);
        (a.min(b), a.max(b))
    };
    let pairs: Vec<_> = plan.joints.iter().map(between).collect();
    (1..pairs.len()).any(|i| pairs[..i].contains(&pairs[i]))
}

/// Largest relative error of each law.
#[derive(Default)]
struct Worst(BTreeMap<&'static str, f64>);

impl Worst {
    fn record(&mut self, law: &'static str, error: f64) {
        let most = self.0.entry(law).or_insert(0.0);
        *most = error.max(*most);
    }
}

/// Checks all laws of one formulation at default parameters; `body` is the mechanism in body coordinates. Returns the start.
fn check_formulation(
    side: &Sides,
    body: &Interpreted,
    realized: &Realized,
    worst: &mut Worst,
) -> Result<OwnedState, Violation> {
    let compiled = &side.compiled;
    let (start, error) = match laws::declared_poses_are_assembled(compiled, &realized.plan, realized.exact) {
        // A pose that is assembled from distant guesses may be incompatible with `initial` speeds.
        Err(_) if !realized.exact => return Ok(guess(compiled)),
        Ok((start, _)) if is_far(&start) => return Ok(guess(compiled)),
        result => result?,
    };
    worst.record("declared poses are assembled", error);
    let mut random = Random::new(1);
    let mut states = scattered(compiled, &start, STATES[0], &mut random);
    let mut on = consistent(compiled, &start, STATES[1], &mut random);
    if realized.expectation == Expectation::Legal && on.is_empty() {
        return Err(Violation::new("regular states exist", format!("singular at {start:?}")));
    }
    // A projection may end at large coordinates, where rounding errors exceed the tolerances.
    on.retain(|at| !is_far(at) && !is_near_singular_attitude(compiled, at));
    worst.record("derivatives are differences", laws::derivatives_are_differences(compiled, &states)?);
    states.extend(on.iter().cloned());
    let oracles = Oracle::all(compiled, &states);
    worst.record("equations are those of series", laws::equations_are_those_of_series(compiled, &oracles)?);
    worst.record("reports are those of series", laws::reports_are_those_of_series(compiled, &oracles)?);
    worst.record("events are those of series", laws::events_are_those_of_series(compiled, &oracles)?);
    let error = laws::accelerations_solve_their_equations(compiled, &states)?;
    worst.record("accelerations solve their equations", error);
    worst.record("stages accelerate alike", laws::stages_accelerate_alike(compiled, &states)?);
    worst.record("solves solve their equations", laws::solves_solve_their_equations(compiled, &states)?);
    worst
        .record("corrections are those of evaluations", laws::corrections_are_those_of_evaluations(compiled, &states)?);
    laws::mass_is_definite(compiled, &on)?;
    let error = laws::products_are_those_of_matrices(compiled, &side.engine, &states)?;
    worst.record("products are those of matrices", error);
    let error = laws::momentum_rates_are_those_of_forces(compiled, &side.engine, &states)?;
    worst.record("rates of momenta are those of forces", error);
    let error = laws::hessians_are_derivatives_of_jacobians(compiled, &side.engine, &states[..STATES[0]])?;
    worst.record("hessians are derivatives of Jacobians", error);
    worst.record(
        "loads account for energy",
        laws::loads_account_for_energy(compiled, &oracles[states.len() - on.len()..])?,
    );
    if std::ptr::eq(compiled, body) {
        worst.record("reactions do the power of rows", laws::reactions_do_the_power_of_rows(body, &on)?);
    } else {
        let error = laws::formulations_accelerate_alike(body, compiled, &on)?;
        worst.record("formulations accelerate alike", error);
    }
    worst.record("angles count revolutions", laws::angles_count_revolutions(compiled, &side.engine, &start)?);
    worst.record(
        "compiler and engine agree",
        laws::sides_agree(compiled, &side.engine, Compared::new(compiled, realized.exact), &states)?,
    );
    Ok(start)
}

/// Checks the mechanism inside a part, in body coordinates.
fn check_in_part(text: &str, side: &Sides, start: &OwnedState, worst: &mut Worst) -> Result<(), Violation> {
    const LAW: &str = "parts equal their contents";
    let refused = |messages: Vec<String>| Violation::new(LAW, messages.join("\n"));
    let parsed = mbs_syntax::parse_text("part.mbs", text);
    if !parsed.errors.is_empty() {
        return Err(refused(parsed.errors.list().iter().map(ToString::to_string).collect()));
    }
    let part = compile_declaration(&parsed.definitions[0], Some(Formulation::Body))
        .map_err(|errors| refused(errors.into_iter().map(|error| error.1).collect()))?;
    let states = scattered(&side.compiled, start, STATES[0], &mut Random::new(3));
    worst.record(LAW, laws::parts_equal_their_contents(&side.compiled, &part, INSTANCE, &states)?);
    Ok(())
}

/// Checks laws at parameters up to 5 % from the declared ones, so that a default such as one cannot hide a missing factor.
fn check_other_parameters(side: &mut Sides, start: &OwnedState, worst: &mut Worst) -> Result<(), Violation> {
    let mut random = Random::new(2);
    let declared = side.compiled.parameters().to_vec();
    if declared.is_empty() {
        return Ok(());
    }
    let parameters: Vec<f64> = declared.iter().map(|p| p * (1.0 + 0.05 * random.next_number())).collect();
    let refused = |error: &dyn std::fmt::Display| Violation::new("parameters may change", error.to_string());
    side.compiled.set_parameters(&parameters).map_err(|error| refused(&error))?;
    side.engine.set_parameters(&parameters).map_err(|error| refused(&error))?;
    let states = scattered(&side.compiled, start, STATES[0] - 1, &mut random);
    let oracles = Oracle::all(&side.compiled, &states);
    worst.record("equations are those of series", laws::equations_are_those_of_series(&side.compiled, &oracles)?);
    worst.record("reports are those of series", laws::reports_are_those_of_series(&side.compiled, &oracles)?);
    worst.record(
        "compiler and engine agree",
        laws::sides_agree(&side.compiled, &side.engine, Compared::new(&side.compiled, false), &states)?,
    );
    Ok(())
}
