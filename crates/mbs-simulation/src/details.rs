//! Details of a run that stopped: values that are not finite, causes of short steps, and nearby singular poses.

use super::Cause;
use super::inputs::evaluate;
use mbs_core::{Describe, Error, FewDigits, Inputs, Item, State, StateView, all_finite};

/// Times ahead \[s\] at which the motion is examined if the state itself is finite.
const AHEAD: [f64; 8] = [1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2];
/// Largest number of speeds of a mechanism whose pose is diagnosed: its dense decompositions then take some seconds.
#[cfg(feature = "nalgebra")]
const MOST_SPEEDS: usize = 500;
/// Largest number of items of one kind that are named.
const MOST_NAMED: usize = 3;
/// Largest number of coordinates of a pose that are named.
const MOST_COORDINATES: usize = 9;

/// Values of one kind, with the kind's name and the items that they belong to.
type Named<'v> = (&'static str, fn(usize) -> Item, &'v [f64]);

/// Sentences about a run that stopped at a state, in the order of importance.
pub(super) fn details<M: Describe>(
    mechanism: &M,
    cause: &Cause,
    state: &State<M>,
    inputs: &mut Inputs<'_>,
) -> Vec<String> {
    let Cause::Run(error) = cause else { return Vec::new() };
    let mut details = Vec::new();
    match error {
        Error::NotFinite { .. } => details.extend(not_finite(mechanism, state, inputs)),
        Error::StepTooSmall { limited_by, .. } | Error::TooManySteps { limited_by, .. } => {
            if matches!(error, Error::StepTooSmall { .. }) {
                details.extend(not_finite(mechanism, state, inputs));
            }
            details.extend(limited_by.and_then(|item| describe_limit(mechanism, item)));
        }
        Error::Singular { .. } | Error::NotAssembled { .. } | Error::Branch { .. } | Error::NotConverged { .. } => {}
        _ => return details,
    }
    let (findings, is_singular) = findings(mechanism, state);
    details.extend(findings);
    if is_singular || matches!(error, Error::Singular { .. } | Error::Branch { .. }) {
        details.extend(describe_pose(mechanism, state));
    }
    details
}

/// "the error of speed `swing.rate` keeps steps short".
fn describe_limit<M: Describe>(mechanism: &M, item: Item) -> Option<String> {
    let kind = match item {
        Item::Coordinate(_) => "coordinate",
        Item::Speed(_) => "speed",
        _ => "state",
    };
    let name = mechanism.name(item);
    (!name.is_empty()).then(|| format!("the error of {kind} `{name}` keeps steps short"))
}

/// "near the pose `pivot.angle` = -1.57, `other.angle` = -1.57".
fn describe_pose<M: Describe>(mechanism: &M, state: &State<M>) -> Option<String> {
    let value = |(i, q): (usize, &f64)| format!("`{}` = {}", mechanism.name(Item::Coordinate(i)), FewDigits(*q));
    let q = state.q.as_ref();
    let listed: Vec<String> = q.iter().enumerate().take(MOST_COORDINATES).map(value).collect();
    let more = match q.len() - listed.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    (!listed.is_empty()).then(|| format!("near the pose {}{more}", listed.join(", ")))
}

/// Troubles found by a diagnosis of the state, and whether the pose or one near it is singular.
#[cfg(feature = "nalgebra")]
fn findings<M: Describe>(mechanism: &M, state: &State<M>) -> (Vec<String>, bool) {
    use mbs_diagnosis::{Finding, diagnose};
    let speeds = mechanism.sizes().n_v;
    if speeds > MOST_SPEEDS {
        let limit = format!("{speeds} speeds are more than {MOST_SPEEDS}, `diagnose` takes its time");
        return (vec![format!("the pose is not looked at: {limit}")], false);
    }
    let findings = diagnose(mechanism, state).findings;
    let troubles = findings.iter().filter(|f| f.is_trouble() && !matches!(f, Finding::NotFinite { .. }));
    let is_singular = findings.iter().any(|f| matches!(f, Finding::Singular { .. } | Finding::NearlySingular { .. }));
    (troubles.map(ToString::to_string).collect(), is_singular)
}

#[cfg(not(feature = "nalgebra"))]
fn findings<M: Describe>(_: &M, _: &State<M>) -> (Vec<String>, bool) {
    (Vec::new(), false)
}

/// Describes values that are not finite at a state, or, if all are finite there, at the first later time of the motion with such a value.
fn not_finite<M: Describe>(mechanism: &M, state: &State<M>, inputs: &mut Inputs<'_>) -> Option<String> {
    if let Some(found) = not_finite_at(mechanism, state, inputs) {
        return Some(found);
    }
    let (mut rates, _, mut lambda, mut z, mut u, _) = mechanism.storage();
    let mut a = mechanism.storage().1;
    evaluate(inputs, state, &mut u);
    let at = state.view(u.as_ref());
    mechanism.accelerations(at, a.as_mut(), lambda.as_mut()).ok()?;
    mechanism.coordinate_rates(state.t, state.q.as_ref(), state.v.as_ref(), rates.as_mut());
    z.as_mut().fill(0.0);
    mechanism.auxiliary_rates(at, z.as_mut());
    let moved = |values: &mut [f64], rates: &[f64], h: f64| {
        values.iter_mut().zip(rates).for_each(|(x, rate)| *x += h * rate);
    };
    AHEAD.iter().find_map(|h| {
        let mut ahead = state.clone();
        ahead.t += h;
        moved(ahead.q.as_mut(), rates.as_ref(), *h);
        moved(ahead.v.as_mut(), a.as_ref(), *h);
        moved(ahead.z.as_mut(), z.as_ref(), *h);
        mechanism.normalize(ahead.q.as_mut());
        not_finite_at(mechanism, &ahead, inputs).map(|found| format!("{h:e} s ahead {found}"))
    })
}

/// Describes values that are not finite at a state: coordinates, speeds, states, inputs, or values that follow from these.
fn not_finite_at<M: Describe>(mechanism: &M, state: &State<M>, inputs: &mut Inputs<'_>) -> Option<String> {
    let mut u = mechanism.storage().4;
    let known: [Named; 3] = [
        ("coordinate", Item::Coordinate, state.q.as_ref()),
        ("speed", Item::Speed, state.v.as_ref()),
        ("state", Item::Auxiliary, state.z.as_ref()),
    ];
    if let Some(found) =
        known.into_iter().find_map(|(kind, item, values)| list_not_finite(mechanism, kind, item, values))
    {
        return Some(found);
    }
    evaluate(inputs, state, &mut u);
    list_not_finite(mechanism, "input", Item::Input, u.as_ref())
        .or_else(|| describe_evaluation(mechanism, state.view(u.as_ref())))
}

/// Describes values that are not finite although they follow from a finite state, with the values that they follow from.
fn describe_evaluation<M: Describe>(mechanism: &M, at: StateView) -> Option<String> {
    let mut message = None;
    mechanism.explain_not_finite(at, &mut |sentence| message = Some(sentence.to_owned()));
    let message = message.or_else(|| first_not_finite(mechanism, at))?;
    // The message of the engine contains the operands.
    Some(if message.contains(", from ") { message } else { message + &list_arguments(mechanism, at) })
}

/// ", from `t` = 1, coordinate `track.position` = 0 and input `pull` = 3": all arguments of an evaluation, at most [`MOST_NAMED`] of a kind.
fn list_arguments<M: Describe>(mechanism: &M, at: StateView) -> String {
    let mut parts = vec![format!("`t` = {}", FewDigits(at.t))];
    let mut push = |kind: &str, item: fn(usize) -> Item, values: &[f64]| {
        for (i, x) in values.iter().enumerate().take(MOST_NAMED) {
            let name = mechanism.name(item(i));
            parts.extend((!name.is_empty()).then(|| format!("{kind} `{name}` = {}", FewDigits(*x))));
        }
    };
    push("coordinate", Item::Coordinate, at.q);
    push("speed", Item::Speed, at.v);
    push("state", Item::Auxiliary, &at.z[..mechanism.sizes().n_z.min(at.z.len())]);
    push("input", Item::Input, at.u);
    let last = parts.pop().unwrap_or_default();
    if parts.is_empty() { format!(", from {last}") } else { format!(", from {} and {last}", parts.join(", ")) }
}

/// Describes the first values that are not finite among those that follow from a finite state.
fn first_not_finite<M: Describe>(mechanism: &M, at: StateView) -> Option<String> {
    let sizes = mechanism.sizes();
    let (_, mut a, mut rows, ..) = mechanism.storage();
    mechanism.position_residuals(at, &mut rows.as_mut()[..sizes.n_position]);
    let residuals = &rows.as_ref()[..sizes.n_position];
    if let Some(found) = list_not_finite(mechanism, "the residual of row", Item::Row, residuals) {
        return Some(found);
    }
    mechanism.generalized_forces(at, a.as_mut());
    if let Some(found) = list_not_finite(mechanism, "the generalised force along speed", Item::Speed, a.as_ref()) {
        return Some(found);
    }
    let mut rates = vec![0.0; sizes.n_z];
    mechanism.auxiliary_rates(at, &mut rates);
    if let Some(found) = list_not_finite(mechanism, "the rate of state", Item::Auxiliary, &rates) {
        return Some(found);
    }
    // The error of accelerations that are not finite is ignored, since the values themselves are examined.
    let _ = mechanism.accelerations(at, a.as_mut(), rows.as_mut());
    list_not_finite(mechanism, "the acceleration of speed", Item::Speed, a.as_ref())
        .or_else(|| list_not_finite(mechanism, "the multiplier of row", Item::Row, rows.as_ref()))
}

/// "coordinate `crank.angle` is NaN and `rod.angle` is inf".
fn list_not_finite<M: Describe>(mechanism: &M, kind: &str, item: fn(usize) -> Item, values: &[f64]) -> Option<String> {
    if all_finite(values) {
        return None;
    }
    let bad = values.iter().enumerate().filter(|(_, x)| !x.is_finite());
    let listed = bad.map(|(i, x)| match mechanism.name(item(i)) {
        "" => format!("{i} is {x}"),
        name => format!("`{name}` is {x}"),
    });
    let listed: Vec<String> = listed.take(MOST_NAMED).collect();
    Some(format!("{kind} {}", listed.join(" and ")))
}
