//! The pipeline: one mechanism, from its definition to a program.

mod automatic;

use std::cell::Cell;

use mbs_check::{
    Checked, GuessedStart, Sample, check, declared_pose, guessed_start, independent_tree, jacobian_speeds,
    massless_speeds,
};
use mbs_core::rotation::DeclaredSpeeds;
use mbs_definition::{Definition, Errors};
use mbs_expr::{BodyId, StandIn};
use mbs_model::{Formulation, Kernels, Model};
use mbs_physics::Tree;
use mbs_resolve::resolve;

use crate::derive::{BodyWrench, Equations, derive};
use crate::evaluate::evaluate;
use crate::graph::Graph;
use crate::kernels::{Context, HessianEntry, LEAST_COLUMN_PRODUCTS, SolverSymbols};
use crate::opaque;
use crate::program::{Input, InputSizes, Program};
use crate::sampler::Sampler;
use crate::schedule::lower;
use crate::solve::{RowWeight, choose_row_weights};
use crate::states::States;

pub use automatic::Alternative;

/// Largest number of unknowns n_v + n_c for which a dense fallback is generated: its matrix takes 33 KB of stack, besides M and G.
pub const DENSE_LIMIT: usize = 64;

/// A compiled mechanism: its model, coordinates and functions.
#[derive(Clone)]
pub struct Compiled {
    /// The resolved model.
    pub model: Model,
    /// Coordinates and rows.
    pub tree: Tree,
    /// Results of the numeric checks at default parameters.
    pub checked: Checked,
    /// Guess of the interface speeds v, n_v, before assembly at run time.
    pub speeds: Vec<f64>,
    /// All functions, one instruction list each.
    pub program: Program,
    /// Numbers of nonzeros in the solver's coordinates: lower triangle of M̂, entries of Ĝ.
    pub nonzeros: (usize, usize),
    /// Pivots that depend on parameters alone: the row, and its parameters, in the order of the `pivots` function.
    pub parameter_pivots: Vec<(usize, Vec<usize>)>,
    /// Which outputs have a rate, by flat index.
    pub output_has_rate: Vec<bool>,
    /// Floating bodies with the derivatives of their loads.
    pub wrenches: Vec<WrenchDerivatives>,
    /// Second derivatives of the rows, in the order of the `hessians` function; empty unless `kernels` requests them.
    pub hessians: Vec<HessianEntry>,
    /// The choices of coordinates that were compared, cheapest first; empty unless the compiler chose them.
    pub alternatives: Vec<Alternative>,
}

impl Compiled {
    /// Name of the generated stage that stores G and the factorisation of [M Gᵀ; G 0].
    pub fn stage_of_rows(&self) -> &'static str {
        if self.model.jacobian_reads_speeds() { "Velocity" } else { "Position" }
    }

    /// Name of the generated stage that stores γ.
    pub fn stage_of_gamma(&self) -> &'static str {
        if self.gamma_has_inputs() { "Motion" } else { "Velocity" }
    }

    /// Whether γ depends on inputs, because acceleration rows do.
    pub fn gamma_has_inputs(&self) -> bool {
        let gamma = self.program.functions.iter().find(|f| f.name == "gamma");
        gamma.is_some_and(|f| f.inputs.iter().any(|a| a.input == Input::Inputs))
    }
}

/// A floating body whose loads have derivatives with respect to (r, attitude, v, ω, u).
#[derive(Clone, Debug)]
pub struct WrenchDerivatives {
    /// The body.
    pub body: BodyId,
    /// Number of columns of the Jacobian: 3 + attitude + 3 + 3 + n_u.
    pub columns: usize,
    /// Blocks that do not vanish: derivatives of force and moment with respect to each of the five.
    pub pattern: [[bool; 5]; 2],
}

impl Compiled {
    /// Number of degrees of freedom: speeds that all rows together, drives included, leave independent.
    pub fn degrees_of_freedom(&self) -> usize {
        self.checked.undriven
    }

    /// Whether the second derivatives of a row vanish or depend on parameters alone; for mechanisms whose `kernels` request them.
    pub fn is_quadratic(&self, row: usize) -> bool {
        self.hessians.iter().filter(|e| e.row == row).all(|e| e.fixed)
    }

    /// Joints whose kinds declare speeds, with the positions of their coordinates in q and of their speeds in v.
    pub fn declared_speeds(&self) -> Vec<DeclaredSpeeds> {
        let layout = |joint: mbs_physics::DeclaredSpeeds<'_>| DeclaredSpeeds {
            first_coordinate: joint.first_q,
            coordinates: joint.pose.n_q(),
            first_speed: joint.first_v,
            speeds: joint.pose.n_v(),
        };
        self.tree.declared_speeds(&self.model).into_iter().map(layout).collect()
    }

    /// A function of the program by name.
    pub fn function(&self, name: &str) -> Option<&crate::program::Function> {
        self.program.functions.iter().find(|f| f.name == name)
    }
}

/// Choices of the caller that override the declaration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Formulation to use instead of the declared `coordinates:`.
    pub formulation: Option<Formulation>,
    /// Whether the cheapest formulation is used instead of the declared one, as for `coordinates: auto`; `formulation` comes first.
    pub is_automatic: bool,
    /// Kernels to generate instead of the declared `kernels:`.
    pub kernels: Option<Kernels>,
    /// Least number of products for which derivatives are solved for in loops, instead of [`LEAST_COLUMN_PRODUCTS`]; for tests of small mechanisms.
    pub column_products: Option<usize>,
}

/// Compiles one definition.
///
/// # Errors
/// All mistakes of the first stage that finds any.
pub fn compile(definition: &Definition, options: Options) -> Result<Compiled, Errors> {
    // After resolve: every name is an id, every quantity SI, every expression a scalar.
    let mut model = resolve(definition)?;
    refuse_reserved_name(&model)?;
    let column_products = options.column_products.unwrap_or(LEAST_COLUMN_PRODUCTS);
    let mut alternatives = Vec::new();
    if let Some(formulation) = options.formulation {
        mbs_physics::set_formulation(&mut model, formulation);
    } else if options.is_automatic || model.coordinates.is_automatic {
        // After compare: the cheapest formulation is chosen.
        alternatives = automatic::compare(&model, column_products)?;
        let best = alternatives.first().map_or(Formulation::Joint, |best| best.formulation);
        mbs_physics::set_formulation(&mut model, best);
    }
    model.settings.kernels = options.kernels.unwrap_or(model.settings.kernels).completed();
    Ok(Compiled { alternatives, ..compile_model(model, column_products)? })
}

/// Compiles a resolved model in its formulation.
fn compile_model(mut model: Model, column_products: usize) -> Result<Compiled, Errors> {
    // After independent_tree: rows that others imply are removed, if that is declared, and still satisfied during assembly.
    let tree = independent_tree(&model.with_stand_ins(StandIn::Generic))?;
    tree.redundant.add_conditions(&mut model);
    // After list_guesses: the quantities that a start adapts when parameters change are listed.
    mbs_check::list_guesses(&mut model);
    // After keep_branches: reported angles and quaternions read memories.
    let declared = declared_pose(&model.with_stand_ins(StandIn::Generic), &tree);
    mbs_check::keep_branches(&mut model, &tree, &declared);
    // After derive: every equation is a node in solver symbols.
    let graph = Graph::with_early_states(model.positions_read_states());
    let mut equations = derive(&graph, &model, &tree);
    opaque::refuse_unknown(&graph, &model, &tree, &equations)?;
    // After check: acceleration rows are affine in accelerations, the mechanism assembles, its rows are independent, its accelerations exist.
    let sampler = Sampler::new(&graph, &model, &tree, &equations);
    let stand_ins = model.with_stand_ins(StandIn::Generic);
    let substituted = &*stand_ins;
    let checked = check_numerically(substituted, &tree, &declared, &sampler, &|undefined| {
        opaque::refuse_undefined(&graph, &model, &tree, &equations, undefined)
    })?;
    let GuessedStart { speeds, misses } = guessed_start(substituted, &tree, &checked.assembled);
    let start_speeds = jacobian_speeds(substituted, &tree, &checked.assembled, 0.0);
    let states = States::new(substituted, &tree, &checked.assembled, start_speeds);
    let row_weights = row_weights(&graph, &model, &equations, &states, checked.mass_scale);
    // After switch: the entries of a row vanish while it is off.
    equations.switch(&graph, &tree);
    // After solve: accelerations and multipliers are nodes.
    let context = Context {
        graph: &graph,
        model: &model,
        tree: &tree,
        equations: &equations,
        row_weights,
        states,
        unit_metric: !checked.solvable,
        massless: massless_speeds(substituted, &tree, &declared),
        symbols: SolverSymbols::new(&graph, &equations),
        column_products,
    };
    let solved = context.solve().ok_or_else(|| no_elimination_order(&model))?;
    let pivots = context.parameter_pivots(&solved);
    let defaults = evaluate(&graph, &pivots.iter().map(|p| p.1).collect::<Vec<_>>(), &|s| sampler.symbol(&[], s));
    let vanishing = pivots.iter().zip(defaults).filter(|(_, x)| *x == 0.0).map(|((_, _, list), _)| &list[..]);
    refuse_zero_defaults(&model, vanishing)?;
    // After lower: flat instruction lists.
    let mut groups = context.groups(&solved);
    let (hessians, group) = context.hessians();
    groups.extend(group);
    opaque::check_derivatives(&graph, &model, &groups)?;
    let program = lower(&graph, &groups, &input_sizes(&model, &tree));
    check_budget(&model, &program)?;
    let nonzeros = (equations.mass.len(), equations.rows.jacobian.len());
    let parameter_pivots = pivots.into_iter().map(|(row, _, list)| (row, list)).collect();
    let output_has_rate = equations.outputs.rates.iter().map(Option::is_some).collect();
    let wrenches = wrench_derivatives(&context);
    drop(stand_ins);
    mbs_check::start_memories(&mut model, &tree, &checked.q);
    model.start.guess_residuals = misses;
    Ok(Compiled {
        model,
        tree,
        checked,
        speeds,
        program,
        nonzeros,
        parameter_pivots,
        output_has_rate,
        wrenches,
        hessians,
        alternatives: Vec::new(),
    })
}

/// The weight of each row; that of rows with unknown functions depends on the state.
fn row_weights(
    graph: &Graph,
    model: &Model,
    equations: &Equations,
    states: &States,
    mass_scale: f64,
) -> Vec<RowWeight> {
    let mut weights = choose_row_weights(graph, equations, states, mass_scale);
    for row in opaque::unknown_rows(graph, model, equations) {
        weights[row] = RowWeight::StateDependent(mass_scale);
    }
    weights
}

/// Results of the checks on samples of the equations. Where they fail and a sample was not a number, `refuse` gets the last such sample, and
/// reports the undefined operation instead.
fn check_numerically(
    model: &Model,
    tree: &Tree,
    declared: &[f64],
    sampler: &Sampler<'_>,
    refuse: &dyn Fn(&Sample) -> Result<(), Errors>,
) -> Result<Checked, Errors> {
    let sample = |q: &[f64], guesses| sampler.sample(q, &jacobian_speeds(model, tree, q, 0.0), guesses);
    let undefined = Cell::new(None);
    let checked = check(model, tree, declared, &|q, guesses| {
        let found = sample(q, guesses);
        if opaque::is_undefined(&found) {
            undefined.set(Some(q.to_vec()));
        }
        found
    });
    if let (Err(_), Some(q)) = (&checked, undefined.take()) {
        refuse(&sample(&q, false))?;
    }
    checked
}

/// Floating bodies with the blocks of the derivatives of their loads.
fn wrench_derivatives(context: &Context<'_>) -> Vec<WrenchDerivatives> {
    let n_u = Model::flat_size(&context.model.quantities.inputs);
    let derivatives = |wrench: &BodyWrench| WrenchDerivatives {
        body: wrench.body,
        columns: 9 + wrench.attitude + n_u,
        pattern: context.wrench_pattern(wrench),
    };
    context.equations.forces.body_wrenches.iter().map(derivatives).collect()
}

fn input_sizes(model: &Model, tree: &Tree) -> InputSizes {
    InputSizes {
        parameters: Model::flat_size(&model.quantities.parameters),
        coordinates: tree.n_q(),
        speeds: tree.n(),
        auxiliary: model.n_stored(),
        inputs: Model::flat_size(&model.quantities.inputs),
        rows: tree.rows.len(),
    }
}

/// Types of generated modules; no mechanism can have one of these names.
const RESERVED_TYPES: [&str; 17] = [
    "Params",
    "Inputs",
    "Outputs",
    "OutputRates",
    "Reactions",
    "Accelerations",
    "Position",
    "Velocity",
    "Motion",
    "Inverse",
    "Derivatives",
    "InverseDerivatives",
    "Sensitivities",
    "InverseSensitivities",
    "Wrenches",
    "View",
    "SpeedView",
];

/// Refuses a mechanism named like a generated type: MBS028.
fn refuse_reserved_name(model: &Model) -> Result<(), Errors> {
    let mut errors = Errors::new();
    if RESERVED_TYPES.contains(&model.header.name.as_str()) {
        errors.push(
            "MBS028",
            model.header.origin,
            format!("`{}` is the name of a type in every generated module", model.header.name),
            Some(format!("call it `{}Mechanism`, or what it is", model.header.name)),
        );
    }
    errors.into_result(())
}

/// Refuses parameters that are zero by default and make a pivot vanish: zero mass must be a constant, so that the elimination order avoids
/// it. `vanishing` lists the parameters of each pivot that is zero by default.
fn refuse_zero_defaults<'p>(model: &Model, vanishing: impl Iterator<Item = &'p [usize]>) -> Result<(), Errors> {
    let mut errors = Errors::new();
    for list in vanishing {
        let declared =
            |i: &usize| model.quantities.parameters.iter().find(|p| (p.offset..p.offset + p.size()).contains(i));
        let is_zero = |i: &&usize| declared(i).is_some_and(|p| p.default[**i - p.offset] == 0.0);
        let Some(parameter) = list.iter().find(is_zero).or(list.first()).and_then(declared) else { continue };
        errors.push(
            "MBS064",
            parameter.origin,
            format!(
                "the equations have no solution at the default of parameter `{}`: they divide by it",
                parameter.name
            ),
            Some(format!("zero mass is for constants: write `const {} = 0;`, or another default", parameter.name)),
        );
    }
    errors.into_result(())
}

/// Refuses functions that need more operations than the declared budget: MBS066.
fn check_budget(model: &Model, program: &Program) -> Result<(), Errors> {
    let mut errors = Errors::new();
    if let Some((budget, origin)) = model.settings.budget {
        for function in program.functions.iter().filter(|f| f.counts.operations > budget) {
            let operations = function.counts.operations;
            errors.push(
                "MBS066",
                origin,
                format!("`{}` needs {operations} operations, the budget is {budget}", function.name),
                Some("raise the budget, fold data with `const`, or ask for fewer `kernels`".to_owned()),
            );
        }
    }
    errors.into_result(())
}

/// The internal error of a system for which no elimination order exists.
fn no_elimination_order(model: &Model) -> Errors {
    let mut errors = Errors::new();
    errors.push("MBS099", model.header.origin, "no elimination order was found", None);
    errors
}
