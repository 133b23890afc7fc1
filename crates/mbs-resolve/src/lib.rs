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
mod text;
mod turns;
mod unused;
mod value;

pub use codes::CODES;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use mbs_definition::{
    Condition, Declaration, Definition, Errors, Expr, FunctionDeclaration, Ident, JointLimits, Origin, Part, Setting,
    Solid,
};
use mbs_expr::{CalledFunction, ExprId, Exprs, MarkerId};
use mbs_model::catalog::Kind;
use mbs_model::{
    Auxiliary, Body, DerivedParameter, Equation, Event, Force, InitialCondition, Joint, JointPose, Marker, Model,
    Output, Quantity,
};

use scope::Scope;
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
    r.phase = Phase::Quantities;
    r.resolve_quantities();
    r.resolve_settings();
    r.phase = Phase::Rest;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// Loops are being unrolled: constants only.
    Names,
    /// No energies yet.
    Quantities,
    /// Everything.
    Rest,
}

/// How far a slot has come.
#[derive(Clone, Debug)]
enum State {
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

/// Everything known so far.
#[derive(Debug)]
struct Resolver<'a> {
    definition: &'a Definition,
    errors: Errors,
    /// The front end reported something inside.
    broken: bool,
    /// A construct of a later version may have declared any name: unknown names are no mistake of their own.
    lenient: bool,
    phase: Phase,
    steps: usize,
    depth: usize,
    items: usize,

    slots: Vec<Slot<'a>>,
    names: BTreeMap<String, usize>,
    /// Slots of `link[0]`, `link[1]`, … under `link`.
    families: BTreeMap<String, Vec<usize>>,
    /// Names by their form in Rust, where `link[0]` and `link_0` are the same.
    rust_names: BTreeMap<String, usize>,
    /// Prefixes of imports and of instances of parts.
    groups: BTreeMap<String, groups::Group>,
    parts: BTreeMap<String, parts::DeclaredPart<'a>>,
    /// Kinds of joints that the text declares.
    joint_kinds: BTreeMap<String, joint_kinds::DeclaredKind<'a>>,
    /// Parts being made, one in another.
    making: Vec<&'a Part>,
    /// Loops and instances being walked, one in another.
    levels: usize,
    /// Arguments given for parameters of parts.
    passed: Vec<lookup::Passed<'a>>,
    /// Where such a parameter is used, for help.
    uses_of_passed: BTreeMap<Origin, usize>,
    /// The instance of a part that mistakes are made in.
    instance: Option<Rc<str>>,
    /// Names whose declarations failed before they got a slot.
    bad_names: BTreeSet<String>,
    /// All names that are declared somewhere, before they have slots.
    announced: BTreeSet<String>,
    /// Slots of outputs, in their own namespace.
    output_slots: Vec<usize>,
    output_names: BTreeMap<String, usize>,
    rust_outputs: BTreeMap<String, usize>,
    settings: Vec<&'a Setting>,
    initial: Vec<(&'a Condition, Scope)>,
    given_events: Vec<(events::Given<'a>, Scope)>,
    given_reports: Vec<(&'a [Expr], Scope)>,
    /// Events by name.
    event_names: BTreeMap<String, usize>,
    /// How many events have no names of their own, by the word they are called after.
    unnamed_events: BTreeMap<String, usize>,
    /// Events whose mistakes have been reported, or are not known.
    bad_events: BTreeSet<String>,
    given_solids: Vec<(&'a Solid<Ident>, Scope)>,
    given_limits: Vec<(&'a JointLimits<Ident>, Scope)>,

    exprs: Exprs,
    functions: Vec<CalledFunction>,
    /// Functions that are not inlined, by slot.
    formulas: BTreeMap<usize, std::rc::Rc<formulas::Formula>>,
    parameters: Vec<Quantity>,
    derived: Vec<DerivedParameter>,
    /// Flat defaults of the parameters.
    defaults: Vec<f64>,
    inputs: Vec<Quantity>,
    auxiliary: Vec<Auxiliary>,
    algebraic: Vec<Quantity>,
    bodies: Vec<Body>,
    /// Whether the centre of mass of a body is known.
    coms: Vec<State>,
    markers: Vec<Marker>,
    marker_ids: BTreeMap<(Option<mbs_expr::BodyId>, frames::Place), MarkerId>,
    joints: Vec<Option<Joint>>,
    /// Curves of cams at their contact parameters.
    cams: BTreeMap<mbs_expr::JointId, [curves::Traced; 2]>,
    /// Cam contacts for the model.
    contacts: Vec<mbs_model::Cam>,
    measures: Vec<Joint>,
    poses: Vec<JointPose>,
    /// Slot of each joint, force, equation, body.
    joint_slots: Vec<usize>,
    force_slots: Vec<usize>,
    equation_slots: Vec<usize>,
    body_slots: Vec<usize>,
    forces: Vec<Option<ResolvedForce>>,
    /// Forces of the rotating frame.
    frame: Option<Force>,
    equations: Vec<Option<Equation>>,
    /// Axes of each equation's residual, if it is a vector.
    equation_axes: Vec<Option<value::Axes>>,
    /// First row of each equation in `Model::rows`, once all rows are known.
    equation_rows: Option<Vec<u32>>,
    /// Equations and bodies whose reactions are asked for.
    equation_reactions: Vec<(usize, mbs_expr::BodyId)>,
    /// Loops over sets, with their scopes.
    set_loops: Vec<(&'a mbs_definition::Loop, Scope)>,
    exclusive: Vec<Vec<mbs_model::Alternative>>,
    conditions: Vec<InitialCondition>,
    events: Vec<Event>,
    outputs: Vec<Output>,
    chosen: settings::Settings,
    energies: [State; 2],
}

impl<'a> Resolver<'a> {
    fn new(definition: &'a Definition) -> Self {
        Resolver {
            definition,
            errors: Errors::new(),
            broken: false,
            lenient: false,
            phase: Phase::Names,
            steps: 0,
            depth: 0,
            items: 0,
            slots: Vec::new(),
            names: BTreeMap::new(),
            families: BTreeMap::new(),
            rust_names: BTreeMap::new(),
            groups: BTreeMap::new(),
            parts: BTreeMap::new(),
            joint_kinds: BTreeMap::new(),
            making: Vec::new(),
            levels: 0,
            passed: Vec::new(),
            uses_of_passed: BTreeMap::new(),
            instance: None,
            bad_names: BTreeSet::new(),
            announced: BTreeSet::new(),
            output_slots: Vec::new(),
            output_names: BTreeMap::new(),
            rust_outputs: BTreeMap::new(),
            settings: Vec::new(),
            initial: Vec::new(),
            given_events: Vec::new(),
            given_reports: Vec::new(),
            event_names: BTreeMap::new(),
            unnamed_events: BTreeMap::new(),
            bad_events: BTreeSet::new(),
            given_solids: Vec::new(),
            given_limits: Vec::new(),
            exprs: Exprs::default(),
            functions: Vec::new(),
            formulas: BTreeMap::new(),
            parameters: Vec::new(),
            derived: Vec::new(),
            defaults: Vec::new(),
            inputs: Vec::new(),
            auxiliary: Vec::new(),
            algebraic: Vec::new(),
            bodies: Vec::new(),
            coms: Vec::new(),
            markers: Vec::new(),
            marker_ids: BTreeMap::new(),
            joints: Vec::new(),
            cams: BTreeMap::new(),
            contacts: Vec::new(),
            measures: Vec::new(),
            poses: Vec::new(),
            joint_slots: Vec::new(),
            force_slots: Vec::new(),
            equation_slots: Vec::new(),
            body_slots: Vec::new(),
            forces: Vec::new(),
            frame: None,
            equations: Vec::new(),
            equation_axes: Vec::new(),
            equation_rows: None,
            equation_reactions: Vec::new(),
            set_loops: Vec::new(),
            exclusive: Vec::new(),
            conditions: Vec::new(),
            events: Vec::new(),
            outputs: Vec::new(),
            chosen: settings::Settings::default(),
            energies: [State::Waiting, State::Waiting],
        }
    }

    /// Works on text that a scope belongs to: mistakes name its instance.
    fn within<V>(&mut self, scope: &Scope, work: impl FnOnce(&mut Self) -> V) -> V {
        let outer = std::mem::replace(&mut self.instance, scope.instance().cloned());
        let value = work(self);
        self.instance = outer;
        value
    }

    /// Records a mistake: in which instance of a part, and what a parameter at its place was given.
    fn report(&mut self, code: &'static str, origin: Origin, message: impl Into<String>, help: Option<String>) {
        let mut message = message.into();
        if let Some(instance) = &self.instance
            && !['.', '`', '['].iter().any(|next| message.contains(&format!("`{instance}{next}")))
        {
            message = format!("{message}, in `{instance}`");
        }
        let passed = self.uses_of_passed.get(&origin).copied();
        let given = passed.map(|i| self.describe_passed(i));
        self.errors.push(code, origin, message, given.or(help));
        if let Some(i) = passed.filter(|_| ["MBS015", "MBS020", "MBS021"].contains(&code)) {
            // It has the wrong kind: its other uses report no more.
            self.passed[i].state = State::Bad;
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
