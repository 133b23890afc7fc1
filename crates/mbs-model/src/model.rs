//! The resolved mechanism: names are ids, quantities are in SI units, expressions are scalars. `mbs-resolve` makes it; later phases add to it.

mod affine;
mod cam;
mod event;
mod follow;
mod force;
mod formulation;
mod functions;
pub mod groups;
mod imported;
mod joint;
mod kernels;
mod measures;
mod memory;
mod natural;
mod pose;
mod quantities;
mod rows;
mod space;
mod stated;
mod surface;

pub use affine::{Dependence, Factors, dependence, factors};
pub use cam::{Cam, CamSide, CurveRange, Outline};
pub use event::{Event, EventTrigger};
pub use follow::DerivedParameter;
pub use force::{Force, Load};
pub use formulation::Formulation;
use groups::{Coordinates, Curves, Energy, Header, Imported, Loads, Quantities, Settings, Start};
pub use joint::{BasicEquation, Gearing, Joint, JointRow, Motion};
pub use kernels::Kernels;
pub use memory::{Memory, MemoryKind};
pub use natural::{Basic, Basis, Natural};
pub use pose::{JointPose, PoseRotation};
pub use quantities::{Auxiliary, AuxiliaryKind, Domain, Quantity};
pub use rows::{Alternative, MOST_COMBINATIONS, Prescription, Row, RowId, RowOwner};
pub use space::{Attitude, Rotation, Step, VelocityAxes, plane};
pub use stated::{Dependent, StatedBasis, basis_size_text, basis_sizes};
pub use surface::Surface;

use mbs_core::Item;
use mbs_definition::{Diagnostic, Origin, Space};
use mbs_expr::{BodyId, CalledFunction, ExprId, Exprs, JointId, MarkerId};

/// The resolved mechanism.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name, place in the text, docs and visibility.
    pub header: Header,
    /// Planar or spatial.
    pub space: Space,
    /// All expressions.
    pub exprs: Exprs,
    /// Functions that expressions call, in declaration order: Rust functions, splines, functions that are set at run time. Inlined functions
    /// are not among them: their calls are replaced by their expressions.
    pub functions: Vec<CalledFunction>,
    /// Parameters, inputs, states, algebraic coordinates, memories, reactions.
    pub quantities: Quantities,
    /// Bodies and particles in declaration order, without ground.
    pub bodies: Vec<Body>,
    /// Frames fixed on bodies: declared ones, ends of joints and forces, one `com` and one origin marker per body.
    pub markers: Vec<Marker>,
    /// Joints in declaration order.
    pub joints: Vec<Joint>,
    /// Curves, and joints between two curves.
    pub curves: Curves,
    /// Formulations, basic points and vectors, poses of declared kinds, measured angles.
    pub coordinates: Coordinates,
    /// Drives, constraints and couplings in declaration order.
    pub equations: Vec<Equation>,
    /// Applied forces and gravity.
    pub loads: Loads,
    /// Conditions for the start of a run.
    pub start: Start,
    /// Events, in declaration order.
    pub events: Vec<Event>,
    /// Outputs.
    pub outputs: Vec<Output>,
    /// Solids and limits of imported files.
    pub imported: Imported,
    /// Kinetic and potential energy.
    pub energy: Energy,
    /// Settings of the whole mechanism.
    pub settings: Settings,
    /// Warnings: parameters and markers that nothing uses.
    pub warnings: Vec<Diagnostic>,
}

/// Rigid body or particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Position and angle.
    Rigid,
    /// Position only; its axes stay parallel to the world's.
    Particle,
}

/// A body. Its frame has the origin and the axes that its declaration uses. In the plane every z component is zero.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name as declared, `link[0]` inside loops.
    pub name: String,
    /// Where it is declared.
    pub origin: Origin,
    /// Doc comment.
    pub docs: String,
    /// Rigid or particle.
    pub kind: BodyKind,
    /// Mass \[kg\].
    pub mass: ExprId,
    /// Inertia tensor about the centre of mass, body axes \[kg m²\]: xx, yy, zz, xy, xz, yz; only zz in the plane. The off-diagonal values are
    /// entries of the tensor, which are the negative products of inertia.
    pub inertia: [ExprId; 6],
    /// Centre of mass in body axes \[m\].
    pub com: [ExprId; 3],
    /// Declared position of the origin, world axes \[m\]: a guess.
    pub position: Option<[ExprId; 3]>,
    /// Declared angle \[rad\] in the plane: a guess.
    pub angle: Option<ExprId>,
    /// Declared rotation in space: a guess.
    pub rotation: Option<Rotation>,
    /// Declared velocity of the origin, world axes \[m/s\]: a guess.
    pub velocity: Option<[ExprId; 3]>,
    /// Declared angular velocity, world axes \[rad/s\], only z in the plane: a guess.
    pub angular_velocity: Option<[ExprId; 3]>,
    /// Parameters of its attitude, in space.
    pub attitude: Attitude,
    /// Axes of its linear speeds, in space.
    pub velocity_axes: VelocityAxes,
    /// Choice of coordinates of this body, if it differs from the mechanism's.
    pub formulation: Option<Formulation>,
    /// Basic points and vectors of natural coordinates that its declaration states.
    pub basis: Option<StatedBasis>,
    /// Marker at the origin.
    pub origin_marker: MarkerId,
    /// Marker at the centre of mass.
    pub com_marker: MarkerId,
}

/// A frame fixed on a body (or on ground, where its position may be a function of time).
#[derive(Clone, Debug)]
pub struct Marker {
    /// Declared name, or `body.com`, or the element and end it belongs to (`crank_pin.first`).
    pub name: String,
    /// Its body; `None` is ground.
    pub body: Option<BodyId>,
    /// Origin in body axes \[m\].
    pub point: [ExprId; 3],
    /// Angle of its x axis from the body's \[rad\], in the plane.
    pub angle: ExprId,
    /// Its axes, in body axes; `None` if they are parallel, and in the plane.
    pub rotation: Option<Rotation>,
    /// Whether it is drawn: joint ends, declared markers, centres of mass.
    pub drawn: bool,
    /// Stated properties of the surface at its origin.
    pub surface: Surface,
}

/// Category of an equation, for messages and signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the categories of the language
pub enum EquationCategory {
    Drive,
    Constraint,
    Coupling,
}

/// Level of a row: the lowest order of derivatives in which it can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowLevel {
    /// Φ(q, t) = 0.
    Position,
    /// Ψ(q, v, t) = 0.
    Velocity,
    /// A row in accelerations.
    Acceleration,
}

/// A drive, constraint or coupling: left − right = 0.
#[derive(Clone, Debug)]
pub struct Equation {
    /// Name as declared.
    pub name: String,
    /// Where it is declared.
    pub origin: Origin,
    /// Doc comment.
    pub docs: String,
    /// Category.
    pub category: EquationCategory,
    /// Residuals left − right, one per component.
    pub rows: Vec<ExprId>,
    /// Level, which the compiler finds.
    pub level: RowLevel,
    /// `enabled:`, 1 or 0, made of discrete variables and parameters: the rows have no effect while it is 0.
    pub enabled: Option<ExprId>,
    /// The coordinate that a `prescribe` statement determines.
    pub prescribes: Option<Prescription>,
}

/// `initial target = value` or `~ value`.
#[derive(Clone, Debug)]
pub struct InitialCondition {
    /// Text of the target, for messages: `main_bearing.angle`.
    pub name: String,
    /// Position in the source.
    pub origin: Origin,
    /// Observable.
    pub target: ExprId,
    /// Value: parameters and constants only.
    pub value: ExprId,
    /// Whether it is exact (`=`), not a guess (`~`).
    pub exact: bool,
    /// Position or velocity.
    pub level: RowLevel,
}

/// An output: a scalar, a vector or a matrix.
#[derive(Clone, Debug)]
pub struct Output {
    /// Name as declared.
    pub name: String,
    /// Where it is declared.
    pub origin: Origin,
    /// Doc comment.
    pub docs: String,
    /// `[]`, `[n]`, `[m, n]`.
    pub shape: Vec<usize>,
    /// Its components, row-major.
    pub values: Vec<ExprId>,
}

impl Model {
    /// Residual of condition k of [`Model::imposed_conditions`] at the start of a run; zero for conditions that are no guesses.
    pub fn guess_residual(&self, k: usize) -> f64 {
        let first = self.n_conditions() + self.event_conditions().count();
        k.checked_sub(first).and_then(|k| self.start.guess_residuals.get(k)).copied().unwrap_or(0.0)
    }

    /// Number of reactions for [`Op::Reaction`](mbs_expr::Op::Reaction): those of joints, then `Quantities::equation_reactions`.
    pub fn reaction_count(&self) -> usize {
        self.joints.len() + self.quantities.equation_reactions.len()
    }

    /// Markers to be drawn, in order.
    pub fn drawn_markers(&self) -> Vec<MarkerId> {
        (0..self.markers.len() as u32).map(MarkerId).filter(|m| self.markers[m.index()].drawn).collect()
    }

    /// Indices into [`Model::drawn_markers`] of the ends of a joint; `None` for gears, which couple joints, not markers.
    pub fn joint_ends(&self, joint: &Joint) -> Option<[usize; 2]> {
        if joint.geared.is_some() { None } else { self.drawn_ends(joint.ends) }
    }

    /// Whether a joint in the plane constrains nothing: its coordinates are then those of a body.
    pub fn is_free_in_plane(&self, joint: JointId) -> bool {
        let joint = self.joint(joint);
        self.space == Space::Planar && joint.is_composed() && joint.steps().len() == 3
    }

    /// Indices into [`Model::drawn_markers`] of two markers.
    pub fn drawn_ends(&self, ends: [MarkerId; 2]) -> Option<[usize; 2]> {
        let drawn = self.drawn_markers();
        let index = |m: MarkerId| drawn.iter().position(|d| *d == m);
        Some([index(ends[0])?, index(ends[1])?])
    }

    /// Ends of an item as [`Describe::ends`](mbs_core::Describe::ends) reports them, for every implementation.
    pub fn ends(&self, item: Item) -> Option<[usize; 2]> {
        match item {
            Item::Joint(i) => self.joints.get(i).and_then(|j| self.joint_ends(j)),
            Item::Force(i) => self.loads.forces.get(i).and_then(|f| self.drawn_ends(f.ends?)),
            _ => None,
        }
    }

    /// The first of some flat parameters that lies outside its domain: its flat index and its value.
    pub fn outside_domain(&self, parameters: &[f64]) -> Option<(usize, f64)> {
        let domains = self.quantities.parameters.iter().flat_map(|p| std::iter::repeat_n(p.domain, p.size()));
        let mut given = parameters.iter().copied().zip(domains).enumerate();
        given.find(|(_, (value, domain))| !domain.contains(*value)).map(|(i, (value, _))| (i, value))
    }

    /// All expressions that are evaluated at a state: residuals, loads, rates, outputs, conditions, energies.
    pub fn roots(&self) -> Vec<ExprId> {
        let potentials = self.loads.forces.iter().filter_map(|f| f.potential);
        let outputs = self.outputs.iter().flat_map(|o| o.values.iter().copied());
        let conditions = self.start.conditions.iter().flat_map(|c| [c.target, c.value]);
        let all = self.motion_roots().chain(potentials).chain(outputs).chain(conditions);
        all.chain([self.energy.kinetic, self.energy.potential]).collect()
    }

    /// Expressions on which the motion depends; not those that are only reported, or that only determine the start.
    pub fn motion_roots(&self) -> impl Iterator<Item = ExprId> {
        self.joints
            .iter()
            .flat_map(|joint| &joint.rows)
            .map(|row| row.residual)
            .chain(self.motion_roots_without_joints())
    }

    /// Expressions on which the motion depends, without the rows of joints: equations, loads, rates of states, events with their conditions.
    pub fn motion_roots_without_joints(&self) -> impl Iterator<Item = ExprId> {
        let equations = self.equations.iter().flat_map(|e| e.rows.iter().copied());
        let loads = self.loads.forces.iter().flat_map(|f| &f.loads).flat_map(|load| match *load {
            Load::Force { force: v, .. } | Load::Torque { torque: v, .. } => v.to_vec(),
            Load::Generalized { coordinate, value } => vec![coordinate, value],
            Load::Potential(v) => vec![v],
        });
        let rates = self.quantities.auxiliary.iter().flat_map(|a| a.rates.iter().copied());
        let conditions = self.event_conditions().map(|c| c.target);
        equations.chain(loads).chain(rates).chain(self.events.iter().flat_map(Event::roots)).chain(conditions)
    }

    /// Outputs, flat, then [`Event::roots`] of each event in order, then new values of memories.
    pub fn reported_roots(&self) -> Vec<ExprId> {
        let outputs = self.outputs.iter().flat_map(|o| o.values.iter().copied());
        let memories = self.quantities.memories.iter().map(|m| m.value);
        outputs.chain(self.events.iter().flat_map(Event::roots)).chain(memories).collect()
    }

    /// Length of the scratch memory that assembly and events need, for a mechanism with n_v speeds.
    pub fn scratch_len(&self, n_v: usize) -> usize {
        let most = self.events.iter().map(|event| event.conditions.len()).max().unwrap_or(0);
        let n = self.n_conditions().max(most);
        (n * (n_v + n + 2)).max(4 * self.events.len())
    }

    /// Number of exact `initial` conditions.
    pub fn n_conditions(&self) -> usize {
        self.start.conditions.iter().filter(|c| c.exact).count()
    }

    /// Exact `initial` conditions, then those of event handlers, then guesses that depend on parameters.
    pub fn imposed_conditions(&self) -> impl Iterator<Item = &InitialCondition> {
        self.start.conditions.iter().filter(|c| c.exact).chain(self.event_conditions()).chain(&self.start.guesses)
    }

    /// Conditions that handlers of events impose, in the order of the events.
    pub fn event_conditions(&self) -> impl Iterator<Item = &InitialCondition> {
        self.events.iter().flat_map(|event| &event.conditions)
    }

    /// Number of scalars of z.
    pub fn n_z(&self) -> usize {
        self.quantities.auxiliary.iter().map(|a| a.quantity.size()).sum()
    }

    /// Number of discrete scalars of z. They are the last ones.
    pub fn n_discrete(&self) -> usize {
        let discrete = self.quantities.auxiliary.iter().filter(|a| a.kind.is_discrete());
        discrete.map(|a| a.quantity.size()).sum()
    }

    /// Whether rows depend on auxiliary states, so that functions of positions may depend on these.
    pub fn positions_read_states(&self) -> bool {
        let mut read = self.rows().into_iter().flat_map(|row| [Some(row.residual), row.enabled]);
        read.any(|e| e.is_some_and(|e| self.exprs.mentions(e).auxiliary))
    }

    /// Total number of scalars of a list of quantities.
    pub fn flat_size(quantities: &[Quantity]) -> usize {
        quantities.iter().map(Quantity::size).sum()
    }
}
