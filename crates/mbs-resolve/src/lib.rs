//! Definition → model: names become ids, kinds become rows and loads, vectors become scalars in one arena.
//!
//! The passes are names (loops unrolled, parts instantiated), quantities, settings, bodies, joints, curves, equations, forces, outputs, events and
//! final checks; each reports all its mistakes. Constants, `let`s, markers and forces are resolved when something first refers to them, so that their
//! order in the text matters only for defaults of parameters. After `resolve`: every name is an id, every quantity is in SI units, every row has a
//! level.

mod bodies;
mod codes;
mod curves;
mod equations;
mod events;
mod finish;
mod forces;
mod joints;
mod mistakes;
mod names;
mod outputs;
mod quantities;
mod resolvers;
mod scope;
mod settings;
mod synonyms;
mod tables;
mod text;
mod value;
mod values;

pub use codes::CODES;

use mbs_definition::{Declaration, Definition, Errors, Expr, FunctionDeclaration, Origin, Setting};
use mbs_expr::{ExprId, Exprs};
use mbs_model::catalog::Kind;
use mbs_model::{Force, Model};

use events::EventPhase;
use finish::Finishing;
use mistakes::Mistakes;
use names::Declaring;
use outputs::OutputPhase;
use resolvers::{BasisPhase, EquationPhase, FramePhase, QuantityPhase, Resolves, SettingPhase};
use scope::Scope;
use tables::{Bodies, Equations, Functions, Joints, Loads, Names, Progress, Quantities};
use value::Value;

/// Largest number of items, loop passes and components that a declaration may unroll to.
const MOST_ITEMS: usize = 10_000;
/// [`MOST_ITEMS`] as text for a help line.
const MOST_IN_WORDS: &str = "at most 10,000";
/// Largest number of expression nodes visited, with loops and sums unrolled.
const MOST_STEPS: usize = 500_000;
/// Deepest nesting of expressions, through the names they refer to.
const DEEPEST: usize = 160;

/// Resolves a mechanism: returns its model, with all quantities in SI units.
///
/// # Errors
/// Every mistake of the declaration, see [`CODES`]. The list is empty if the front end has reported all mistakes already
/// ([`ExprKind::Broken`](mbs_definition::ExprKind::Broken)).
pub fn resolve(definition: &Definition) -> Result<Model, Errors> {
    let mut resolver = Resolver::new(definition);
    let mut statements = Declaring::new(&mut resolver).run(&definition.items);
    resolver.progress.phase = Phase::Quantities;
    QuantityPhase { resolver: &mut resolver }.resolve();
    SettingPhase { resolver: &mut resolver }.resolve(&statements.settings);
    resolver.progress.phase = Phase::Rest;
    resolver.body_resolver().resolve_bodies();
    BasisPhase { resolver: &mut resolver }.resolve();
    resolver.joint_resolver().resolve_joints();
    resolver.curve_resolver().check_curves();
    EquationPhase { resolver: &mut resolver }.resolve();
    resolver.force_resolver().resolve_forces();
    let frame = FramePhase { resolver: &mut resolver }.resolve();
    let exclusive = EquationPhase { resolver: &mut resolver }.alternatives_of_switches();
    let mut rest = OutputPhase { resolver: &mut resolver, conditions: Vec::new(), outputs: Vec::new() };
    rest.resolve(&statements.initial);
    let OutputPhase { conditions, outputs, .. } = rest;
    let bad_events = std::mem::take(&mut statements.bad_events);
    let events = EventPhase::new(&mut resolver, bad_events).resolve(&statements);
    Finishing { resolver, statements, frame, exclusive, conditions, outputs, events }.finish()
}

/// Marks a failure whose mistake has been reported already, so that it is not reported again.
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

/// A declared item, with loops unrolled.
#[derive(Debug)]
struct Slot<'a> {
    /// Full name, such as `link[0]`.
    name: String,
    category: Category,
    declared: Declared<'a>,
    scope: Scope,
    /// Index in the table of its category: bodies, joints, forces, equations, outputs or called functions.
    index: usize,
    /// Kind of a joint or force.
    kind: Option<(&'static Kind, &'a [Expr])>,
    /// Whether anything refers to it.
    used: bool,
    /// Declared kind of a joint: the full name of the kind, and the ends of the joint.
    declared_kind: Option<(String, &'a [Expr])>,
    state: State,
}

/// Declaration of a slot.
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

/// Pass of the resolver; it decides which names may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// Loops are unrolled: only constants may be used.
    #[default]
    Names,
    /// Energies may not be used yet.
    Quantities,
    /// All names may be used.
    Rest,
}

/// Progress of a slot.
#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Waiting,
    /// Being resolved: another reference to it is circular.
    Busy,
    Done(Value),
    /// Its mistake has been reported.
    Bad,
}

/// A force, resolved.
#[derive(Debug)]
struct ResolvedForce {
    force: Force,
    /// Load on the last end.
    action: mbs_model::catalog::Action,
    /// Its switch.
    enabled: Option<ExprId>,
    /// Generalised force on its coordinate.
    value: Option<ExprId>,
}

/// Evaluates names and expressions, and stores the tables that the phases fill.
#[derive(Debug)]
struct Resolver<'a> {
    definition: &'a Definition,
    mistakes: Mistakes,
    progress: Progress,
    names: Names<'a>,
    exprs: Exprs,
    functions: Functions,
    quantities: Quantities,
    bodies: Bodies,
    joints: Joints,
    loads: Loads,
    equations: Equations,
    chosen: settings::Settings,
}

impl<'a> Resolver<'a> {
    fn new(definition: &'a Definition) -> Self {
        Resolver {
            definition,
            mistakes: Mistakes::default(),
            progress: Progress::default(),
            names: Names::default(),
            exprs: Exprs::default(),
            functions: Functions::default(),
            quantities: Quantities::default(),
            bodies: Bodies::default(),
            joints: Joints::default(),
            loads: Loads::default(),
            equations: Equations::default(),
            chosen: settings::Settings::default(),
        }
    }
}

/// Help with the name nearest to a word, if one is near: "did you mean `…`?".
fn did_you_mean<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    mbs_math::nearest(word, names).map(|name| format!("did you mean `{name}`?"))
}
