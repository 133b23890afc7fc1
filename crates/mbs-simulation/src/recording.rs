//! Recording of a simulation: named columns.

mod curves;
mod occurrences;
mod reactions;
mod table;

pub use curves::Curve;
pub use occurrences::{Occurrence, Occurrences};
pub use reactions::ReactionColumns;
pub use table::{Quantity, Table};

use super::UnknownName;
use crate::solids::Solid;
use mbs_core::{ChangePoint, Describe, Eventful, Item, RowKind, Statistics, Visual};

/// Largest number of numbers in a recording, 2 GB, so that a mistaken interval is refused at once.
pub(crate) const MOST_NUMBERS: f64 = 2.5e8;

/// Poses of one body: the origin \[m\] and the attitude as unit quaternion, scalar first, world axes, per recorded time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// Name as declared.
    pub name: String,
    /// Origins.
    pub positions: Vec<[f64; 3]>,
    /// Attitudes `[e0, e1, e2, e3]` of R_WB. Where formulations compute them from directions, their sign is continuous in the steps of a run, like
    /// that of an output `quaternion(rotation(body))`, and begins with e0 ≥ 0. In prescribed motions the sign is followed from row to row, on the
    /// cubic with their rates; rows of a [`Recorder`](crate::Recorder) of your own take the sign nearer to the row before.
    pub attitudes: Vec<[f64; 4]>,
}

/// Positions of one marker \[m\], world axes, per recorded time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Marker {
    /// Name: as declared, `body.com`, or `joint.first` and `joint.second` for ends.
    pub name: String,
    /// Index into [`Recording::bodies`]; `None` is ground.
    pub body: Option<usize>,
    /// World positions; z = 0 in the plane.
    pub positions: Vec<[f64; 3]>,
}

/// A joint or a force, with its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Connection {
    /// Name as declared.
    pub name: String,
    /// Ends of a joint, a spring or a cable, first end first: indices into [`Recording::markers`]. `None` for other forces, and
    /// for ends that are not drawn.
    pub ends: Option<[usize; 2]>,
    /// Whether it is a cable, drawn as a straight line.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_cable: bool,
}

/// The recording of a run: tables of all quantities, poses and positions, with one row per recorded time, and the events.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Recording {
    pub(super) mechanism: String,
    pub(super) times: Vec<f64>,
    /// In the order of [`Quantity::ALL`].
    pub(super) tables: Vec<Table>,
    pub(super) bodies: Vec<Body>,
    pub(super) markers: Vec<Marker>,
    /// Solids of bodies, where the mechanism has them.
    #[cfg_attr(feature = "serde", serde(default))]
    solids: Vec<Solid>,
    #[cfg_attr(feature = "serde", serde(default))]
    curves: Vec<Curve>,
    joints: Vec<Connection>,
    forces: Vec<Connection>,
    conditions: Vec<String>,
    /// Names of all constraint rows, whether or not their multipliers are recorded.
    #[cfg_attr(feature = "serde", serde(default))]
    rows: Vec<String>,
    /// Indices of rows that are drives.
    #[cfg_attr(feature = "serde", serde(default))]
    drives: Vec<usize>,
    /// Points of the reactions \[m\], per joint and recorded time.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(super) reaction_points: Vec<Vec<[f64; 3]>>,
    /// Whether q̇ = v in every row.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(super) speeds_are_rates: bool,
    /// Whether bodies move in space.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(super) is_spatial: bool,
    #[cfg_attr(feature = "serde", serde(default))]
    pub(super) occurrences: Occurrences,
    /// Times and rows of change points.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(super) change_points: Vec<(f64, usize)>,
    /// Memories after z, row by row.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(crate) memories: Vec<f64>,
    #[cfg_attr(feature = "serde", serde(with = "StatisticsDef"))]
    pub(super) statistics: Statistics,
}

/// [`Statistics`] for serde, which the runtime does not know.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Statistics")]
struct StatisticsDef {
    accepted: usize,
    rejected: usize,
    evaluations: usize,
}

impl Recording {
    /// An empty recording, with the names of the mechanism.
    pub(super) fn new<M: Describe + Eventful>(mechanism: &M) -> Self {
        let sizes = mechanism.sizes();
        let names = |n: usize, symbol: &str, item: fn(usize) -> Item| -> Vec<String> {
            (0..n).map(|i| name_or(mechanism.name(item(i)), symbol, i)).collect()
        };
        let table = |quantity: Quantity| {
            let symbol = quantity.symbol();
            let names = match quantity {
                Quantity::Coordinates => names(sizes.n_q, symbol, Item::Coordinate),
                Quantity::Speeds | Quantity::Accelerations | Quantity::Forces => names(sizes.n_v, symbol, Item::Speed),
                Quantity::Multipliers => names(sizes.n_c, symbol, Item::Row),
                Quantity::Auxiliary => names(sizes.n_z, symbol, Item::Auxiliary),
                Quantity::Inputs => names(sizes.n_u, symbol, Item::Input),
                Quantity::Outputs => names(sizes.n_outputs, symbol, Item::Output),
                Quantity::Energies => vec!["kinetic".into(), "potential".into()],
                Quantity::Errors => vec!["position".into(), "velocity".into()],
                Quantity::Reactions => {
                    let joints = names(sizes.n_joints, "joint", Item::Joint);
                    reactions::names(&joints, reactions::parts(mechanism.is_spatial()))
                }
            };
            Table::new(quantity, names)
        };
        let body = |name| Body { name, positions: Vec::new(), attitudes: Vec::new() };
        let marker = |(i, name)| Marker { name, body: mechanism.marker_body(i), positions: Vec::new() };
        let connections = |n: usize, symbol: &str, item: fn(usize) -> Item| -> Vec<Connection> {
            let drawn = |ends: &[usize; 2]| ends.iter().all(|end| *end < sizes.n_markers);
            let ends = (0..n).map(|i| mechanism.ends(item(i)).filter(drawn));
            let is_cable = |i: usize| matches!(item(i), Item::Force(force) if mechanism.is_cable(force));
            let connection = |(i, (name, ends))| Connection { name, ends, is_cable: is_cable(i) };
            names(n, symbol, item).into_iter().zip(ends).enumerate().map(connection).collect()
        };
        Recording {
            mechanism: mechanism.name(Item::Mechanism).into(),
            times: Vec::new(),
            tables: Quantity::ALL.map(table).into(),
            bodies: names(sizes.n_bodies, "body", Item::Body).into_iter().map(body).collect(),
            markers: names(sizes.n_markers, "marker", Item::Marker).into_iter().enumerate().map(marker).collect(),
            solids: solids(mechanism),
            curves: curves::curves(mechanism),
            joints: connections(sizes.n_joints, "joint", Item::Joint),
            forces: connections(sizes.n_forces, "force", Item::Force),
            conditions: (0..sizes.n_conditions + sizes.n_event_conditions).map(|i| condition(mechanism, i)).collect(),
            rows: names(sizes.n_c, Quantity::Multipliers.symbol(), Item::Row),
            drives: (0..sizes.n_c).filter(|row| mechanism.row_kind(*row) == RowKind::Drive).collect(),
            reaction_points: vec![Vec::new(); sizes.n_joints],
            speeds_are_rates: sizes.n_q == sizes.n_v,
            is_spatial: mechanism.is_spatial(),
            occurrences: Occurrences::new(mechanism),
            change_points: Vec::new(),
            memories: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// Reserves memory for exactly this number of further rows, for a run whose times are known.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.times.reserve_exact(rows);
        self.tables.iter_mut().for_each(|table| table.reserve(rows));
        for body in &mut self.bodies {
            body.positions.reserve_exact(rows);
            body.attitudes.reserve_exact(rows);
        }
        let points = self.markers.iter_mut().map(|marker| &mut marker.positions).chain(&mut self.reaction_points);
        points.for_each(|point| point.reserve_exact(rows));
    }

    /// Numbers of one row, poses, markers and points of reactions included.
    pub(crate) fn columns(&self) -> usize {
        let tables: usize = self.tables.iter().map(|table| table.names().len()).sum();
        1 + tables + 7 * self.bodies.len() + 3 * (self.markers.len() + self.reaction_points.len())
    }

    /// Name of the mechanism; empty if it has none.
    pub fn mechanism(&self) -> &str {
        &self.mechanism
    }

    /// Whether bodies move in space: [`Describe::is_spatial`].
    pub fn is_spatial(&self) -> bool {
        self.is_spatial
    }

    /// Solids of bodies, from imported files: [`Describe::visual`]. Pages show them by default.
    pub fn solids(&self) -> &[Solid] {
        &self.solids
    }

    /// Curves that bodies are drawn with: [`Describe::outline`].
    pub fn curves(&self) -> &[Curve] {
        &self.curves
    }

    /// Number of recorded times.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Recorded times \[s\].
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// All columns of a quantity.
    pub fn table(&self, quantity: Quantity) -> &Table {
        static NO_REACTIONS: Table = Table::empty(Quantity::Reactions);
        // Recordings of earlier versions have every other table.
        self.tables.iter().find(|table| table.quantity() == quantity).unwrap_or(&NO_REACTIONS)
    }

    /// All tables, coordinates first.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// A coordinate of q by name. This and the seven methods below return [`UnknownName`] for a name that the recording does not have.
    pub fn coordinate(&self, name: &str) -> Result<&[f64], UnknownName> {
        self.table(Quantity::Coordinates).column(name)
    }

    /// A speed of v by name.
    pub fn speed(&self, name: &str) -> Result<&[f64], UnknownName> {
        self.table(Quantity::Speeds).column(name)
    }

    /// The acceleration of a speed, by the speed's name.
    pub fn acceleration(&self, speed: &str) -> Result<&[f64], UnknownName> {
        self.table(Quantity::Accelerations).column(speed)
    }

    /// The multiplier λ of a constraint row, by the row's name.
    pub fn multiplier(&self, row: &str) -> Result<&[f64], UnknownName> {
        self.table(Quantity::Multipliers).column(row)
    }

    /// An auxiliary state of z by name.
    pub fn auxiliary(&self, name: &str) -> Result<&[f64], UnknownName> {
        self.table(Quantity::Auxiliary).column(name)
    }

    /// An input of u by name.
    pub fn input(&self, name: &str) -> Result<&[f64], UnknownName> {
        self.table(Quantity::Inputs).column(name)
    }

    /// The generalised force on a speed, by the speed's name.
    pub fn generalized_force(&self, speed: &str) -> Result<&[f64], UnknownName> {
        self.table(Quantity::Forces).column(speed)
    }

    /// An output by name.
    pub fn output(&self, name: &str) -> Result<&[f64], UnknownName> {
        self.table(Quantity::Outputs).column(name)
    }

    /// Kinetic energy \[J\].
    pub fn kinetic_energy(&self) -> &[f64] {
        &self.table(Quantity::Energies).columns()[0]
    }

    /// Potential energy \[J\].
    pub fn potential_energy(&self) -> &[f64] {
        &self.table(Quantity::Energies).columns()[1]
    }

    /// Kinetic plus potential energy \[J\].
    pub fn total_energy(&self) -> Vec<f64> {
        self.kinetic_energy()
            .iter()
            .zip(self.potential_energy())
            .map(|(kinetic, potential)| kinetic + potential)
            .collect()
    }

    /// max |Φ| of the position rows.
    pub fn position_error(&self) -> &[f64] {
        &self.table(Quantity::Errors).columns()[0]
    }

    /// max |ψ| of the velocity rows.
    pub fn velocity_error(&self) -> &[f64] {
        &self.table(Quantity::Errors).columns()[1]
    }

    /// Bodies with their poses, without ground.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Drawn markers with their positions.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// Joints, with the markers they connect.
    pub fn joints(&self) -> &[Connection] {
        &self.joints
    }

    /// Forces without gravity; springs with the markers they connect.
    pub fn forces(&self) -> &[Connection] {
        &self.forces
    }

    /// A body by name.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest name.
    pub fn body(&self, name: &str) -> Result<&Body, UnknownName> {
        let names = self.bodies.iter().map(|body| body.name.as_str());
        let found = self.bodies.iter().find(|body| body.name == name);
        found.ok_or_else(|| UnknownName::new("body", name, names))
    }

    /// World positions \[m\] of a marker by name.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest name.
    pub fn marker(&self, name: &str) -> Result<&[[f64; 3]], UnknownName> {
        let names = self.markers.iter().map(|marker| marker.name.as_str());
        let found = self.markers.iter().find(|marker| marker.name == name);
        found.map(|marker| &*marker.positions).ok_or_else(|| UnknownName::new("marker", name, names))
    }

    /// Events of the run: every event with its time, the states before and after it, and its impulses.
    ///
    /// ```
    /// # fn list(recording: &mbs::Recording) -> Result<(), mbs::UnknownName> {
    /// for touchdown in recording.events().of("touchdown")? {
    ///     println!("at {} s with {:?} N s", touchdown.t, touchdown.impulses);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn events(&self) -> &Occurrences {
        &self.occurrences
    }

    /// Singular poses that the run has crossed: change points, where branches of positions meet and the mechanism has one more degree of freedom.
    /// The run has stayed on its branch; a run that may have left it ends with [`Error::Branch`](mbs_core::Error::Branch). `rows()[point.row]` is the
    /// name of the row that depends on others there.
    ///
    /// [`Simulation::list_change_points`](crate::Simulation::list_change_points) lists them among [`events`](Self::events), too.
    pub fn change_points(&self) -> impl ExactSizeIterator<Item = ChangePoint> {
        self.change_points.iter().map(|(t, row)| ChangePoint { t: *t, row: *row })
    }

    /// Steps and evaluations of the integrator.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Names of speeds, rows and conditions, to which the indices of run-time errors refer.
    pub(super) fn fault_names(&self) -> (&[String], &[String], &[String]) {
        (self.table(Quantity::Speeds).names(), &self.rows, &self.conditions)
    }

    /// Names of all constraint rows, also where their multipliers are not recorded.
    pub fn rows(&self) -> &[String] {
        &self.rows
    }

    /// Whether loads are recorded: multipliers, generalised forces, reactions. They are not recorded in kinematic runs with degrees of
    /// freedom, whose motion is not that of known loads.
    pub fn has_loads(&self) -> bool {
        !self.table(Quantity::Forces).names().is_empty()
    }

    /// Whether the rates of coordinates are the speeds of the same index.
    pub(crate) fn speeds_are_rates(&self) -> bool {
        self.speeds_are_rates
    }

    /// Points of the reactions \[m\], per joint and recorded time; empty if no loads are recorded.
    pub(crate) fn reaction_points(&self) -> &[Vec<[f64; 3]>] {
        &self.reaction_points
    }

    /// Removes multipliers, generalised forces and reactions.
    pub(super) fn remove_loads(&mut self) {
        for table in &mut self.tables {
            if matches!(table.quantity(), Quantity::Multipliers | Quantity::Forces | Quantity::Reactions) {
                table.clear();
            }
        }
        self.reaction_points.clear();
    }
}

/// Solids that the mechanism gives its bodies.
fn solids<M: Describe>(mechanism: &M) -> Vec<Solid> {
    let n_bodies = mechanism.sizes().n_bodies;
    let body_name = |body: Option<usize>| match body {
        None => Some("ground".to_owned()),
        Some(i) => (i < n_bodies).then(|| name_or(mechanism.name(Item::Body(i)), "body", i)),
    };
    let all = (0..).map_while(|i| mechanism.visual(i));
    all.filter_map(|Visual { body, shape, pose, color }| Some(Solid { body: body_name(body)?, shape, pose, color }))
        .collect()
}

/// The name of an `initial` condition, or of a condition that a handler imposes, counted after those.
fn condition<M: Describe>(mechanism: &M, i: usize) -> String {
    let symbol = if i < mechanism.sizes().n_conditions { "initial" } else { "condition" };
    name_or(mechanism.name(Item::Condition(i)), symbol, i)
}

/// The declared name, or `symbol[i]`.
fn name_or(name: &str, symbol: &str, i: usize) -> String {
    if name.is_empty() { format!("{symbol}[{i}]") } else { name.into() }
}
