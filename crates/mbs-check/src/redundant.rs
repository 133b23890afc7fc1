//! Leaves out redundant rows: `redundant: resolve;`.
//!
//! Rows are compared in body coordinates whatever the formulation, and rows of joints that span the tree of joint coordinates stay. So all
//! formulations leave out the same rows, and have the same reactions.

use mbs_definition::Errors;
use mbs_expr::Scalar;
use mbs_model::{Formulation, Model, Row, RowLevel};
use mbs_physics::linear::SparseRow;
use mbs_physics::{Mechanics, Redundant, Tree, in_formulation};

use super::assemble::{Wanted, try_assemble};
use super::conflicts::BodyCoordinates;
use super::elements::{Element, elements, is_drive, is_tie, listed, ties};
use super::nested_rates::Motion;
use super::numeric::numeric_sample_at;
use super::rank::report_singular;
use super::row_choice::NullSpaces;
use super::stand_ins::is_known;
use super::{Context, affine, assembled, guess, mechanics_at_rest, numeric_sample};

/// Times \[s\] at which rows that depend on time must still agree.
const LATER: [f64; 2] = [0.01, 0.1];
/// Speeds disagree if they differ by this part of the terms that form them.
const DISAGREES: f64 = 1e-8;

/// The tree of a model ([`Tree::new`]). Where `redundant: resolve;` is declared, it lacks the rows that others imply in every configuration.
/// Drives, rows of accelerations, rows that are not affine in speeds, rows that can be switched off, and rows with functions that have
/// stand-ins ([`Model::with_stand_ins`]) stay. Rows that are left out must be imposed during assembly
/// ([`Redundant::add_conditions`](mbs_physics::Redundant::add_conditions)).
///
/// # Errors
/// MBS063 if the mechanism does not assemble, MBS061 if more rows depend on others at the declared pose than elsewhere, MBS065 for rows of
/// accelerations that are not affine in those, MBS060 if rows that impose the same constraint contradict each other as time advances.
pub fn independent_tree(model: &Model) -> Result<Tree, Errors> {
    let tree = Tree::new(model);
    if model.settings.redundant.is_none() || tree.rows.is_empty() {
        return Ok(tree);
    }
    let bodies = BodyCoordinates::new(model, &tree);
    affine::refuse_nonlinear(&bodies.model, &bodies.tree)?;
    let declared = guess::declared_pose(&bodies.model, &bodies.tree);
    let sample = numeric_sample(&bodies.model, &bodies.tree);
    let context = Context::new(&bodies.model, &bodies.tree, &sample, declared);
    let pose = assembled(&context)?;
    // Rows that must stay do not take part: a drive would move the mechanism against the remaining rows.
    let rows = &bodies.tree.rows;
    let judged = |r: usize| {
        let stays = rows[r].level == RowLevel::Acceleration || bodies.model.row_reads_speeds(&rows[r]);
        // A row that can be switched off cannot replace others.
        let known = is_known(&bodies.model, &rows[r]) && rows[r].enabled.is_none();
        !is_drive(&bodies.model, &bodies.tree, r) && !stays && known
    };
    let elements = elements(&bodies.model, &bodies.tree);
    let owned = elements.iter().flat_map(|e| e.rows.iter().copied());
    let judged: Vec<usize> = ties(&bodies.tree).chain(owned).filter(|r| judged(*r)).collect();
    let free = (0..bodies.tree.n_position).filter(|r| !is_drive(&bodies.model, &bodies.tree, *r)).collect();
    let Some(spaces) = NullSpaces::new(&context, &judged, free, &pose) else { return Ok(tree) };
    let dependent: Vec<&Element<'_>> = dependent_elements(&elements, &judged, &spaces);
    refuse_contradictions(&context, &judged, &spaces, &dependent)?;
    let regular = spaces.pose.clone();
    let redundant = redundant_rows(&context, &tree, &judged, spaces);
    let left_out = Redundant {
        rows: redundant.into_iter().map(|r| rows[r].clone()).collect(),
        sharing: dependent.into_iter().map(|e| e.name.to_owned()).collect(),
    };
    let tree = tree.without_rows(left_out);
    refuse_singular(&context, &tree, &judged, [&pose, &regular])?;
    Ok(tree)
}

/// The rows to leave out of a tree, by ascending index among the rows in body coordinates.
fn redundant_rows(context: &Context<'_>, tree: &Tree, rows: &[usize], spaces: NullSpaces) -> Vec<usize> {
    let (model, all) = (context.model, &context.tree.rows);
    let spanning = Tree::new(&in_formulation(model, Formulation::Joint));
    let present = |row: &Row| !is_tie(row) && tree.rows.iter().any(|other| other.id == row.id);
    let present: Vec<bool> = rows.iter().map(|r| present(&all[*r])).collect();
    let closing = |r: usize| present[r] && all[rows[r]].joint().is_none_or(|j| !spanning.contains_joint(j));
    // Where bodies have their own coordinates, other joints may span the tree.
    let redundant = spaces.choose_redundant(&[&closing, &|r| present[r]]);
    let mut redundant: Vec<usize> = redundant.into_iter().map(|r| rows[r]).collect();
    redundant.sort_unstable();
    redundant
}

/// Reports dependences that remain at the declared pose after rows were left out: they make that pose singular (`MBS061`).
fn refuse_singular(context: &Context<'_>, tree: &Tree, judged: &[usize], poses: [&[f64]; 2]) -> Result<(), Errors> {
    let (model, [pose, regular]) = (context.model, poses);
    let bodies = BodyCoordinates::new(model, tree);
    let names: Vec<&str> = judged.iter().map(|r| context.tree.rows[*r].name.as_str()).collect();
    let wanted = |e: &Element<'_>| e.rows.iter().all(|r| names.contains(&bodies.tree.rows[*r].name.as_str()));
    let mut errors = Errors::new();
    for dependence in bodies.dependences(model, context.tree, pose, &wanted) {
        let gains = bodies.gains(model, context.tree, (pose, regular), &dependence);
        report_singular(model, &dependence, &gains, &mut errors);
    }
    errors.into_result(())
}

/// Elements whose rows depend on each other, in the order of their rows.
fn dependent_elements<'e, 'a>(
    elements: &'e [Element<'a>],
    rows: &[usize],
    spaces: &NullSpaces,
) -> Vec<&'e Element<'a>> {
    let is_dependent = |r: &usize| rows.iter().position(|row| row == r).is_some_and(|i| spaces.takes_part(i));
    let mut found: Vec<&Element<'_>> = elements.iter().filter(|e| e.rows.iter().any(is_dependent)).collect();
    found.sort_by_key(|e| e.rows[0]);
    found
}

/// Refuses dependent rows that require different speeds, or that cannot be satisfied together at later times (`MBS060`).
fn refuse_contradictions(
    context: &Context<'_>,
    rows: &[usize],
    spaces: &NullSpaces,
    dependent: &[&Element<'_>],
) -> Result<(), Errors> {
    let reason = if !speeds_agree(context, rows, spaces) {
        "they ask for different speeds".to_owned()
    } else if let Some(t) = LATER.into_iter().find(|t| !are_satisfiable(context, rows, spaces, *t)) {
        format!("at t = {t} s they cannot be met together")
    } else {
        return Ok(());
    };
    let mut errors = Errors::new();
    let (last, others) = dependent.split_last().expect("dependent rows belong to elements");
    let subject = format!("{} `{}`", last.category, last.name);
    let message = match others.len() {
        0 => format!("{subject} contradicts itself: {reason}"),
        _ => format!("{subject} contradicts {}: {reason}", listed(others.iter().map(|e| e.name))),
    };
    let help = "let them move alike, or remove one of them".to_owned();
    errors.push("MBS060", last.origin, message, Some(help));
    Err(errors)
}

/// Whether Σ bₖ νₖ = 0 for every combination with Σ bₖ Gₖ = 0. At rest Φ̇ = −ν, and Ψ = −ν.
fn speeds_agree(context: &Context<'_>, rows: &[usize], spaces: &NullSpaces) -> bool {
    let mechanics: Mechanics<'_, Motion> = mechanics_at_rest(context.model, context.tree, &spaces.pose);
    let nu = |r: usize| {
        let row = &context.tree.rows[rows[r]];
        let residual = mechanics.value(row.residual);
        if row.level == RowLevel::Position { -residual.rate().value() } else { -residual.value() }
    };
    let agrees = |combination: &SparseRow| {
        let terms = combination.iter().map(|(r, b)| b * nu(*r));
        let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), x| (sum + x, f64::max(size, x.abs())));
        sum.abs() <= DISAGREES * size
    };
    spaces.combinations.iter().all(agrees)
}

/// Whether all position rows can be satisfied at time t \[s\]; true where time changes none of the rows that depend on each other.
fn are_satisfiable(context: &Context<'_>, rows: &[usize], spaces: &NullSpaces, t: f64) -> bool {
    let sample = numeric_sample_at(context.model, context.tree, t);
    let (now, then) = (context.sample(&spaces.pose, false).phi, sample(&spaces.pose, false).phi);
    let position = |r: usize| rows[r] < context.tree.n_position;
    let moves = |r: &usize| position(*r) && spaces.takes_part(*r) && now[rows[*r]] != then[rows[*r]];
    if !(0..rows.len()).any(|r| moves(&r)) {
        return true;
    }
    let mut satisfied: Vec<usize> = (0..rows.len()).filter(|r| position(*r)).map(|r| rows[r]).collect();
    satisfied.sort_unstable();
    // Samples at that time as they are; no condition is imposed.
    let later = Context { evaluate: &sample, row_sizes: Vec::new(), quaternions: Vec::new(), ..context.clone() };
    try_assemble(&later, &Wanted::rows(satisfied), spaces.pose.clone()).is_some()
}
