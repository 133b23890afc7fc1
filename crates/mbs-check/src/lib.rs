//! Numeric checks at default parameters: assembly, rank, freedoms, solvability.
//!
//! After this point: rows of accelerations are affine in those, the mechanism assembles, its rows are independent, its freedoms are as
//! declared, and M is positive definite on the admissible motions (or dynamics were not requested).

mod affine;
mod assemble;
mod assembly_report;
mod attitudes;
mod bars;
mod conflicts;
mod contacts;
mod damped;
mod elements;
mod fit;
mod freedoms;
mod guess;
mod guesses;
mod initial_speeds;
mod mass;
mod massless;
mod memories;
mod nested_rates;
mod numeric;
mod quaternions;
mod rank;
mod redundant;
mod restart;
mod row_choice;
mod space;
mod speeds;
mod stand_ins;
mod switched;
mod undefined;
mod unknown;

pub use freedoms::{FreeMotion, free_motions};
use mbs_physics::default_variables;

pub use guess::declared_pose;
pub use guesses::list_guesses;
pub use massless::massless_speeds;
pub use mbs_physics::linear::SparseRow;
pub use memories::{declare_revolutions, keep_branches, start_memories};
pub use numeric::{Sampler, numeric_sample};
pub use redundant::independent_tree;
pub use speeds::{GuessedStart, guessed_start, jacobian_speeds};
pub use stand_ins::{PoseFunctions, pose_functions};
pub use undefined::find_undefined;

use std::rc::Rc;

use mbs_core::math::irrational;
use mbs_definition::{Errors, Space};
use mbs_expr::{ExprId, Series, StandIn};

use mbs_model::{Model, RowLevel};
use mbs_physics::linear::dependent_rows;
use mbs_physics::{InterfaceCoordinate, LinkOwner, Mechanics, Mobilizer, SolverCoordinate, Tree, Variables};

use assemble::{Wanted, assemble};
use conflicts::BodyCoordinates;
use elements::is_drive;
use quaternions::ConstrainedQuaternion;
use unknown::Unknown;

/// Quantities that the checks evaluate at solver coordinates, in SI units. n is the number of the solver's speeds.
pub struct Sample {
    /// Φ of the position rows, in the order of the tree's rows.
    pub phi: Vec<f64>,
    /// Ĝ of all rows of the tree; columns are the solver's speeds.
    pub jacobian: Vec<SparseRow>,
    /// M̂, n × n, both triangles.
    pub mass: Vec<SparseRow>,
    /// Position-level `initial` conditions to impose (including guesses, if requested): residual and gradient.
    pub conditions: Vec<(f64, SparseRow)>,
}

/// Evaluates a [`Sample`] at solver coordinates; the flag requests guessed conditions in addition to the exact ones, which come first.
pub type Evaluate<'a> = &'a dyn Fn(&[f64], bool) -> Sample;

/// Results of the checks.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Interface coordinates of the assembled pose at default parameters: the guess a run starts from.
    pub q: Vec<f64>,
    /// Solver coordinates of the assembled pose.
    pub assembled: Vec<f64>,
    /// Degrees of freedom that all rows except drives leave; prescribed coordinates of the tree count, too.
    pub freedoms: usize,
    /// Degrees of freedom that all rows leave.
    pub undriven: usize,
    /// Whether M is positive definite on the admissible motions.
    pub solvable: bool,
    /// Mean of the positive diagonal entries of M̂; 1 for massless mechanisms.
    pub mass_scale: f64,
}

/// A mechanism to be checked, with its declared pose and the quantities that the checks compute there once.
#[derive(Clone)]
struct Context<'a> {
    model: &'a Model,
    tree: &'a Tree,
    /// Samples with round-off; the checks use [`Context::sample`].
    evaluate: Evaluate<'a>,
    /// Solver coordinates of the declared pose, where assembly starts.
    declared: Vec<f64>,
    /// The mechanism in body coordinates.
    bodies: Rc<BodyCoordinates>,
    /// Sizes of the rows of Ĝ, relative to which entries are round-off.
    row_sizes: Vec<f64>,
    /// Entries of the samples that depend on functions which the compiler cannot call.
    unknown: Unknown,
    /// Typical change of each solver coordinate: 1 rad, or the size of the mechanism.
    scales: Vec<f64>,
    /// Quaternions with conditions on all four components.
    quaternions: Vec<ConstrainedQuaternion>,
}

impl<'a> Context<'a> {
    fn new(model: &'a Model, tree: &'a Tree, evaluate: Evaluate<'a>, declared: Vec<f64>) -> Self {
        let bodies = Rc::new(BodyCoordinates::new(model, tree));
        Context {
            row_sizes: bodies.row_sizes(model, tree, &declared),
            unknown: Unknown::find_near(model, tree, &declared),
            scales: coordinate_scales(model, tree, &declared),
            quaternions: quaternions::constrained(model, tree, &declared),
            model,
            tree,
            evaluate,
            declared,
            bodies,
        }
    }
}

impl Context<'_> {
    /// A sample without the entries of Ĝ that are round-off, and with Φ = 0 for rows of unknown Φ. The flag is that of [`Evaluate`].
    fn sample(&self, q: &[f64], guesses: bool) -> Sample {
        let mut sample = (self.evaluate)(q, guesses);
        (0..).zip(&mut sample.phi).filter(|(r, _)| self.unknown.phi(*r)).for_each(|(_, phi)| *phi = 0.0);
        remove_noise(&mut sample.jacobian, &self.row_sizes);
        sample
    }

    /// Solver coordinates after a displacement δ in the solver's speeds.
    fn displaced(&self, q: &[f64], delta: &[f64]) -> Vec<f64> {
        displaced(self.model, self.tree, q, delta)
    }

    /// Change of solver coordinate i that gives a row its size: max(|qᵢ|, scaleᵢ) in the plane, scaleᵢ in space.
    fn extent(&self, q: &[f64], i: usize) -> f64 {
        match self.model.space {
            Space::Planar => q[i].abs().max(self.scales[i]),
            Space::Spatial => self.scales[i],
        }
    }
}

/// Four poses near a pose, in solver coordinates: displaced by up to one radian or the size of the mechanism, and not assembled.
pub fn poses_around(model: &Model, tree: &Tree, q: &[f64]) -> Vec<Vec<f64>> {
    let scales = coordinate_scales(model, tree, q);
    let moved = |(k, part): (usize, f64)| {
        let pattern = |(i, scale): (usize, &f64)| part * scale * irrational(k as f64 + 1.0, i);
        displaced(model, tree, q, &scales.iter().enumerate().map(pattern).collect::<Vec<_>>())
    };
    [0.1, 0.3, 1.0, 1.0].into_iter().enumerate().map(moved).collect()
}

/// Solver coordinates q after a displacement δ in the solver's speeds.
fn displaced(model: &Model, tree: &Tree, q: &[f64], delta: &[f64]) -> Vec<f64> {
    match model.space {
        Space::Planar => q.iter().zip(delta).map(|(q, d)| q + d).collect(),
        Space::Spatial => mechanics_at(model, tree, q).displaced(delta),
    }
}

/// Runs all checks at default parameters and t = 0, from the declared pose ([`declared_pose`]). [`numeric_sample`] makes an `evaluate` that needs
/// no symbols.
///
/// Functions written in Rust must be bound ([`Model::check_bound`]), or have a stand-in ([`Model::with_stand_ins`], [`StandIn::Generic`]). With
/// stand-ins, ranks and degrees of freedom are those of almost all functions, and results that depend on values are not judged. A row of
/// unknown Φ is assumed to be satisfied, unless `initial` conditions cannot be met otherwise; a row of unknown derivatives does not take part
/// in the assembly.
///
/// # Errors
/// MBS051 a bar that something rotates about its line, MBS060 redundant rows, MBS061 singular declared pose or attitude, MBS062 wrong
/// `freedoms`, MBS063 not assembled, or initial values that contradict the rows, MBS064 dynamics unsolvable for lack of mass, MBS065 rows of
/// accelerations that are not affine in those, MBS069 undriven degrees of freedom for inverse dynamics, MBS080 a linearization in speeds that
/// do not span all rotations, MBS081 momenta of speeds that are not rates.
pub fn check(model: &Model, tree: &Tree, declared: &[f64], evaluate: Evaluate<'_>) -> Result<Checked, Errors> {
    affine::refuse_nonlinear(model, tree)?;
    bars::check(model)?;
    attitudes::check(model, tree, declared)?;
    if tree.rows.iter().any(|row| row.enabled.is_some()) {
        return switched::check(model, tree, declared, evaluate);
    }
    let context = Context::new(model, tree, evaluate, declared.to_vec());
    let assembled = assembled(&context)?;
    check_assembled(&context, assembled)
}

/// Checks all rows of a tree at an assembled pose.
fn check_assembled(context: &Context<'_>, assembled: Vec<f64>) -> Result<Checked, Errors> {
    let mut errors = Errors::new();
    let &Context { model, tree, .. } = context;
    attitudes::check(model, tree, &assembled)?;
    speeds::check(model, tree, &assembled)?;
    // The guess of a run is the pose where this assembly ended: it is the branch that was checked. A declared pose may be singular
    // (undeclared bodies in line with their neighbours), and the run's Newton iteration could not start there.
    let q = interface_coordinates(&stand_ins::model_with_finite_poses(model, tree, &assembled), tree, &assembled);
    let judged = rank::check(context, &assembled, &mut errors).unwrap_or_else(|| assembled.clone());
    let sample = context.sample(&judged, false);
    let n = tree.n();
    let freedoms = n + tree.prescribed.len() - rank_of_rows(&sample.jacobian, &|r| !is_drive(model, tree, r));
    check_freedoms(context, freedoms, &mut errors);
    let undriven = n - rank_of_rows(&sample.jacobian, &|_| true);
    check_inverse(model, undriven, &mut errors);
    check_displacements(model, tree, &mut errors);
    check_rates(model, tree, &mut errors);
    if errors.is_empty() {
        initial_speeds::check(model, tree, &assembled, &mut errors);
    }
    if errors.is_empty() {
        // Dependent rows would be reported again as unsolvable dynamics.
        let solvable = mass::is_solvable(context, &judged, &sample, &mut errors);
        let masses: Vec<f64> = (0..n).filter_map(|i| sample.mass[i].get(&i).copied()).filter(|m| *m > 0.0).collect();
        let mass_scale = if masses.is_empty() { 1.0 } else { masses.iter().sum::<f64>() / masses.len() as f64 };
        return errors.into_result(Checked { q, assembled, freedoms, undriven, solvable, mass_scale });
    }
    Err(errors)
}

/// Removes entries that are round-off relative to the sizes of their rows.
fn remove_noise(rows: &mut [SparseRow], sizes: &[f64]) {
    for (row, size) in rows.iter_mut().zip(sizes) {
        // An exact zero is an entry that vanishes in this pose alone.
        row.retain(|_, x| *x == 0.0 || x.abs() > mbs_physics::linear::NOISE * size || !x.is_finite());
    }
}

/// Assembles all rows and exact conditions, starting from the guessed conditions if there are any. Where these equations have no solution, the
/// rows of unknown Φ are left out, since they may determine the conditions. Where that fails, other starts are tried (`restart.rs`).
///
/// # Errors
/// MBS063.
fn assembled(context: &Context<'_>) -> Result<Vec<f64>, Errors> {
    let start = &context.declared;
    let guesses = context.model.start.conditions.iter().filter(|c| !c.exact && c.level == RowLevel::Position).count();
    let guessed = match guesses {
        0 => start.clone(),
        _ => assemble(context, &Wanted::guessed(context), start.clone()).unwrap_or_else(|| start.clone()),
    };
    let everything = assemble(context, &Wanted::everything(context), guessed.clone());
    let known = || assemble(context, &Wanted::known(context)?, guessed.clone());
    let restarted = || restart::assembled(context, &[&guessed, start]);
    everything.or_else(known).or_else(restarted).ok_or_else(|| {
        let mut errors = Errors::new();
        assembly_report::report(context, &guessed, &mut errors);
        errors
    })
}

/// Rank of the rows that `included` selects.
fn rank_of_rows(jacobian: &[SparseRow], included: &dyn Fn(usize) -> bool) -> usize {
    let rows: Vec<SparseRow> = (0..jacobian.len()).filter(|r| included(*r)).map(|r| jacobian[r].clone()).collect();
    rows.len() - dependent_rows(&rows).len()
}

fn check_freedoms(context: &Context<'_>, freedoms: usize, errors: &mut Errors) {
    let Some((declared, origin)) = context.model.settings.freedoms else { return };
    if declared == freedoms || !errors.is_empty() {
        return;
    }
    let drives = (0..context.tree.rows.len()).filter(|r| is_drive(context.model, context.tree, *r)).count();
    let drives = drives + context.tree.prescribed.len();
    let s = if freedoms == 1 { "" } else { "s" };
    errors.push(
        "MBS062",
        origin,
        format!("`{}` has {freedoms} freedom{s}, not {declared}", context.model.header.name),
        Some(match freedoms > declared {
            true if freedoms == declared + drives => {
                format!("drives are not counted: write `freedoms: {freedoms};`")
            }
            true => format!("constrain what should not move, or write `freedoms: {freedoms};`"),
            false => format!("free what should move, or write `freedoms: {freedoms};`"),
        }),
    );
}

/// Inverse dynamics needs a drive for every degree of freedom.
fn check_inverse(model: &Model, undriven: usize, errors: &mut Errors) {
    if model.settings.kernels.inverse && undriven > 0 && errors.is_empty() {
        let s = if undriven == 1 { "" } else { "s" };
        errors.push(
            "MBS069",
            model.settings.inverse_origin,
            format!("inverse dynamics of `{}`: {undriven} freedom{s} left without a drive", model.header.name),
            Some(
                "prescribe each with a drive, `drive name = joint.angle == …;`, or ask for `operators` instead of `inverse`: \
                 `inverse_dynamics` takes any accelerations"
                    .to_owned(),
            ),
        );
    }
}

/// A linearization displaces states by speeds. A line joint in the tree has two speeds, and they do not span the rotations of its attitude.
fn check_displacements(model: &Model, tree: &Tree, errors: &mut Errors) {
    if !model.settings.kernels.linearization {
        return;
    }
    for link in &tree.links {
        if let (Mobilizer::Line { .. }, LinkOwner::Joint(j, ..)) = (link.mobilizer, link.owner) {
            let joint = model.joint(j);
            errors.push(
                "MBS080",
                joint.origin,
                format!("`linearization` with joint `{}` in the tree: two speeds for three rotations", joint.name),
                Some("write `cut: true`, so that a row constrains its spin, or leave `linearization` out".to_owned()),
            );
        }
    }
}

/// Momenta require q̇ = v. Bodies and joints with an attitude in the tree do not satisfy it, nor do joints with declared speeds.
fn check_rates(model: &Model, tree: &Tree, errors: &mut Errors) {
    if !model.settings.kernels.momenta {
        return;
    }
    let declared = tree.declared_speeds(model).first().map(|speeds| LinkOwner::Joint(speeds.pose.joint, 0, 0));
    let oriented = tree.links.iter().find(|link| link.mobilizer.attitude().is_some()).map(|link| link.owner);
    let subject = match declared.or(oriented) {
        Some(LinkOwner::Body(body)) => format!("body `{}`", model.bodies[body.index()].name),
        Some(LinkOwner::Joint(joint, ..)) => format!("joint `{}`", model.joint(joint).name),
        None => return,
    };
    errors.push(
        "MBS081",
        model.settings.momenta_origin,
        format!("`momenta` of `{}`: speeds of {subject} are not the rates of its coordinates", model.header.name),
        // Coordinates that a kind declares are there in every formulation.
        Some(match declared {
            Some(_) => "leave `momenta` out".to_owned(),
            None => "write `coordinates: natural;`, or leave `momenta` out".to_owned(),
        }),
    );
}

/// Interface coordinates at solver coordinates `solver`, at default parameters, at rest and t = 0. Shape: n_q.
pub fn interface_coordinates(model: &Model, tree: &Tree, solver: &[f64]) -> Vec<f64> {
    let mechanics = mechanics_at(model, tree, solver);
    mechanics.interface_coordinates().into_iter().map(Series::value).collect()
}

/// The mechanics of the model at solver coordinates, at rest and t = 0.
fn mechanics_at<'m>(model: &'m Model, tree: &'m Tree, solver: &[f64]) -> Mechanics<'m, Series<2>> {
    mechanics_at_rest(model, tree, solver)
}

/// The mechanics of the model at solver coordinates, at rest, with time advancing from zero.
fn mechanics_at_rest<'m, const N: usize>(model: &'m Model, tree: &'m Tree, solver: &[f64]) -> Mechanics<'m, Series<N>> {
    mechanics_at_time(model, tree, solver, 0.0)
}

/// As [`mechanics_at_rest`], with time advancing from `t`.
fn mechanics_at_time<'m, const N: usize>(
    model: &'m Model,
    tree: &'m Tree,
    solver: &[f64],
    t: f64,
) -> Mechanics<'m, Series<N>> {
    let coordinates = solver.iter().map(|x| Series::constant(*x)).collect();
    let variables = Variables { t: Series::linear(t, 1.0), ..default_variables(model, tree) };
    Mechanics::at_solver_coordinates(model, tree, variables, coordinates)
}

/// Typical change of each solver coordinate: 1 rad for angles, the size of the mechanism for lengths, its length for a basic vector, and
/// max(|q|, 1) for an algebraic coordinate.
fn coordinate_scales(model: &Model, tree: &Tree, start: &[f64]) -> Vec<f64> {
    let length = mechanism_size(model, tree, start);
    if model.space == Space::Spatial {
        let scale = |c: &SolverCoordinate| match *c {
            SolverCoordinate::Link(i, k) => match tree.links[i as usize].mobilizer {
                Mobilizer::Prismatic { .. } | Mobilizer::Translation => length,
                Mobilizer::Free { .. } if k < 3 => length,
                _ => 1.0,
            },
            SolverCoordinate::Basic(i, _) if model.coordinates.natural.basics[i as usize].is_point => length,
            SolverCoordinate::Algebraic(a) => {
                let wanted = InterfaceCoordinate::Algebraic(a);
                let value = tree.interface.iter().position(|c| *c == wanted).map_or(1.0, |i| start[i]);
                value.abs().max(1.0)
            }
            _ => 1.0,
        };
        return tree.solver.iter().map(scale).collect();
    }
    let known = &*model.with_stand_ins(StandIn::Zero);
    let mechanics = mechanics_at(known, tree, start);
    let vector_length = |v: [ExprId; 3]| {
        let square: f64 = v.map(|e| mechanics.value(e).value().powi(2)).iter().sum();
        if square.is_normal() { square.sqrt() } else { 1.0 }
    };
    let scale = |(c, x): (&SolverCoordinate, &f64)| match c {
        SolverCoordinate::Angle(_)
        | SolverCoordinate::ContinuousAngle(_)
        | SolverCoordinate::Link(..)
        | SolverCoordinate::ContinuousCoordinate(..) => 1.0,
        SolverCoordinate::Basic(i, _) => match &model.coordinates.natural.basics[*i as usize] {
            basic if basic.is_point => length,
            basic => vector_length(basic.components),
        },
        SolverCoordinate::World(..) | SolverCoordinate::Displacement(..) => length,
        SolverCoordinate::Posed(j, k) => {
            let pose = model.coordinates.poses.iter().find(|pose| pose.joint == *j);
            if pose.is_some_and(|pose| pose.angles[usize::from(*k)]) { 1.0 } else { length }
        }
        SolverCoordinate::Algebraic(_) => x.abs().max(1.0),
    };
    tree.solver.iter().zip(start).map(scale).collect()
}

/// Size of a mechanism \[m\]: the largest coordinate difference between a marker and its body's centre of mass, or between any two of the centres
/// of mass and the markers of ground; 1 where all points coincide.
fn mechanism_size(model: &Model, tree: &Tree, pose: &[f64]) -> f64 {
    // Unknown functions count as zero, so that they do not enlarge the size.
    let model = &*model.with_stand_ins(StandIn::Zero);
    let mechanics = mechanics_at(model, tree, pose);
    let value = |e| mechanics.value(e).value();
    let mut size = 0.0_f64;
    let mut include = |x: f64| {
        if x.is_finite() {
            size = size.max(x.abs());
        }
    };
    for marker in &model.markers {
        if let Some(b) = marker.body {
            let com = model.bodies[b.index()].com;
            (0..3).for_each(|k| include(value(marker.point[k]) - value(com[k])));
        }
    }
    for k in 0..3 {
        let bodies = model.bodies.iter().map(|b| mechanics.marker_point(b.com_marker)[k].value());
        let ground = model.markers.iter().filter(|m| m.body.is_none()).map(|m| value(m.point[k]));
        let finite = bodies.chain(ground).filter(|x| x.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        include(high - low);
    }
    if size > 0.0 { size } else { 1.0 }
}
