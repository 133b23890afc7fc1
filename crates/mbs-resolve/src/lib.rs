//! Definition → model: names become ids, kinds become rows and loads, vectors become scalars in one arena.
//!
//! Passes, each with all its mistakes: names (loops unrolled, parts made), quantities, bodies, joints, equations, loads and what remains,
//! final checks. Constants, `let`s, markers and forces resolve when something first refers to them, so order matters only for
//! parameters' defaults. After `resolve`: every name is an id, every quantity SI, every row has a level.

mod algebra;
mod arguments;
mod bases;
mod bodies;
mod cams;
mod codes;
mod contacts;
mod curves;
mod data;
mod declared;
mod elements;
mod equations;
mod eval;
mod events;
mod exclusive;
mod fields;
mod finish;
mod forces;
mod formulas;
mod frames;
mod functions;
mod gears;
mod groups;
mod heights;
mod impacts;
mod inertia;
mod joint_kinds;
mod lifts;
mod loads;
mod lookup;
mod markers;
mod momentum;
mod names;
mod numeric;
mod observables;
mod outlines;
mod parts;
mod prescriptions;
mod quantities;
mod reports;
mod rotating;
mod rotations;
mod scope;
mod sets;
mod settings;
mod slots;
mod splines;
mod synonyms;
mod tables;
mod text;
mod turns;
mod unused;
mod value;

pub use codes::CODES;

use mbs_definition::{Declaration, Definition, Errors, Expr, FunctionDeclaration, Origin, Setting};
use mbs_expr::{ExprId, Exprs};
use mbs_model::catalog::Kind;
use mbs_model::{Force, Model, Output};

use scope::Scope;
use tables::{Bodies, Equations, Events, Functions, Joints, Loads, Mistakes, Names, Progress, Quantities, Statements};
use value::Value;

/// Most items, loop turns, and components that a declaration may unroll to.
const MOST_ITEMS: usize = 10_000;
/// That limit in a help.
const MOST_IN_WORDS: &str = "at most 10,000";
/// Most expression nodes visited, loops and sums unrolled.
const MOST_STEPS: usize = 500_000;
/// Deepest nesting of expressions, through the names they refer to.
const DEEPEST: usize = 160;

/// Resolves a mechanism.
///
/// # Errors
/// Every mistake of the declaration, see [`CODES`]; none but `Err` if the front end reported them
/// ([`ExprKind::Broken`](mbs_definition::ExprKind::Broken)).
pub fn resolve(definition: &Definition) -> Result<Model, Errors> {
    let mut r = Resolver::new(definition);
    r.declare_names(&definition.items);
    r.progress.phase = Phase::Quantities;
    r.resolve_quantities();
    r.resolve_settings();
    r.progress.phase = Phase::Rest;
    r.resolve_bodies();
    r.resolve_bases();
    r.resolve_joints();
    r.check_curves();
    r.resolve_equations();
    r.resolve_forces();
    r.resolve_frame();
    r.resolve_exclusive();
    r.resolve_rest();
    r.resolve_events();
    r.check_passed();
    r.finish()
}

/// A mistake was reported, or is known from elsewhere: be silent.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Res<V> = Result<V, Reported>;

/// Category of a declared name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Category {
    Param,
    Const,
    Input,
    State,
    Discrete,
    Switch,
    Coordinate,
    Let,
    Function,
    Output,
    Body,
    Particle,
    Marker,
    Joint,
    Force,
    Potential,
    Drive,
    Prescribe,
    Constraint,
    Coupling,
    Curve,
}

/// One declared thing, loops unrolled.
#[derive(Debug)]
struct Slot<'a> {
    /// `link[0]`.
    name: String,
    category: Category,
    declared: Declared<'a>,
    scope: Scope,
    /// Index among the things of its table: bodies, joints, forces, equations, outputs, functions that are called.
    index: usize,
    /// Kind of a joint or force.
    kind: Option<(&'static Kind, &'a [Expr])>,
    /// Whether anything refers to it.
    used: bool,
    /// Kind of a joint, where the text declares it: its full name, and the ends.
    declared_kind: Option<(String, &'a [Expr])>,
    state: State,
}

/// Where a slot comes from.
#[derive(Clone, Copy, Debug)]
enum Declared<'a> {
    Item(&'a Declaration),
    /// `gravity: param […];`
    Gravity(&'a Setting),
    Function(&'a FunctionDeclaration),
}

impl Declared<'_> {
    fn origin(&self) -> Origin {
        match self {
            Declared::Item(d) => d.name.ident.origin,
            Declared::Gravity(s) => s.name.origin,
            Declared::Function(f) => f.name.origin,
        }
    }
}

/// Pass of the resolver, which decides which names may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// Loops are being unrolled: constants only.
    #[default]
    Names,
    /// No energies yet.
    Quantities,
    /// Everything.
    Rest,
}

/// How far a slot has come.
#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Waiting,
    /// Being resolved: meeting it again is a circle.
    Busy,
    Done(Value),
    /// Its mistake has been reported.
    Bad,
}

/// A force, resolved.
#[derive(Debug)]
struct ResolvedForce {
    force: Force,
    /// On the last end.
    action: mbs_model::catalog::Action,
    /// Its switch.
    enabled: Option<ExprId>,
    /// Along its coordinate.
    value: Option<ExprId>,
}

/// Resolves what a name stands for and what an expression is worth, and keeps what is known so far.
#[derive(Debug)]
struct Resolver<'a> {
    definition: &'a Definition,
    mistakes: Mistakes,
    progress: Progress,
    names: Names<'a>,
    statements: Statements<'a>,
    exprs: Exprs,
    functions: Functions,
    quantities: Quantities,
    bodies: Bodies,
    joints: Joints,
    loads: Loads,
    equations: Equations,
    events: Events,
    outputs: Vec<Output>,
    chosen: settings::Settings,
}

impl<'a> Resolver<'a> {
    fn new(definition: &'a Definition) -> Self {
        Resolver {
            definition,
            mistakes: Mistakes::default(),
            progress: Progress::default(),
            names: Names::default(),
            statements: Statements::default(),
            exprs: Exprs::default(),
            functions: Functions::default(),
            quantities: Quantities::default(),
            bodies: Bodies::default(),
            joints: Joints::default(),
            loads: Loads::default(),
            equations: Equations::default(),
            events: Events::default(),
            outputs: Vec::new(),
            chosen: settings::Settings::default(),
        }
    }

    /// Works on text that a scope belongs to: mistakes name its instance.
    fn within<V>(&mut self, scope: &Scope, work: impl FnOnce(&mut Self) -> V) -> V {
        let outer = std::mem::replace(&mut self.mistakes.instance, scope.instance().cloned());
        let value = work(self);
        self.mistakes.instance = outer;
        value
    }

    /// Records a mistake: in which instance of a part, and what a parameter at its place was given.
    fn report(&mut self, code: &'static str, origin: Origin, message: impl Into<String>, help: Option<String>) {
        let mut message = message.into();
        if let Some(instance) = &self.mistakes.instance
            && !['.', '`', '['].iter().any(|next| message.contains(&format!("`{instance}{next}")))
        {
            message = format!("{message}, in `{instance}`");
        }
        let passed = self.mistakes.uses_of_passed.get(&origin).copied();
        let given = passed.map(|i| self.describe_passed(i));
        self.mistakes.errors.push(code, origin, message, given.or(help));
        if let Some(i) = passed.filter(|_| ["MBS015", "MBS020", "MBS021"].contains(&code)) {
            // It has the wrong kind: its other uses report no more.
            self.names.passed[i].state = State::Bad;
        }
    }

    /// Reports a mistake.
    fn fail<V>(
        &mut self,
        code: &'static str,
        origin: Origin,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Res<V> {
        self.report(code, origin, message, help);
        Err(Reported)
    }

    /// Reports something a later version will bring.
    fn later<V>(&mut self, origin: Origin, what: &str) -> Res<V> {
        self.fail("MBS090", origin, format!("`{what}` is not available yet"), None)
    }
}

/// "did you mean" help.
fn did_you_mean<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    mbs_math::nearest(word, names).map(|name| format!("did you mean `{name}`?"))
}
