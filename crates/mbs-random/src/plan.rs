//! A complete mechanism: poses of all bodies, all lengths, offsets and names. It is printed as text, and judged for regularity.

mod conditions;
mod events;
mod forces;
pub mod rows;
mod sets;
mod values;

use mbs_expr::Series;

use crate::catalogued::{Catalogued, Measure, TranslationKind};
use crate::declared::Declared;
use crate::expr::Expr;
use crate::number::Number;
use crate::world::{Attachment, Pose, S, Signal, World, combine, constant, rotate, rotated_axes, unit};

pub use crate::expr::Coordinate;
pub use conditions::{Condition, THRESHOLD};
pub use events::{Event, Line, Trigger};
pub use forces::{Acting, Applied, Argued, Force, ForceKind, Vector};
pub use mbs_definition::Space;
pub use rows::Level;
pub use sets::{Each, Over, Set};

/// Kernels that a mechanism requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelSet {
    /// Nothing is declared.
    Default,
    /// `kinematics`, `energies` and `outputs` alone, so that bodies may lack the mass that dynamics need.
    Kinematics,
    /// `operators` and `hessians` besides the default kernels.
    Operators,
}

/// The mechanism.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Plane or space.
    pub space: Space,
    /// Kernels that are requested.
    pub kernels: KernelSet,
    /// Gravity, and whether it stays tunable.
    pub gravity: Option<([f64; 3], bool)>,
    /// `coordinates: …;`
    pub coordinates: Option<Choice>,
    /// Bodies; those of the `for` loop come first.
    pub bodies: Vec<Body>,
    /// The `for` loop, if there is one.
    pub family: Option<Family>,
    /// Joints; those of the loop first, gears last.
    pub joints: Vec<Joint>,
    /// Drives, constraints, couplings.
    pub equations: Vec<Equation>,
    /// Forces.
    pub forces: Vec<Force>,
    /// Items over bodies and pairs of them.
    pub sets: Vec<Set>,
    /// Auxiliary states.
    pub states: Vec<State>,
    /// Inputs.
    pub inputs: Vec<Input>,
    /// Initial states of the switches.
    pub switches: Vec<bool>,
    /// Start values of `discrete` numbers.
    pub discretes: Vec<f64>,
    /// Start values of algebraic coordinates.
    pub algebraic: Vec<f64>,
    /// True values of coordinates of joints of declared kinds.
    pub posed: Vec<f64>,
    /// `initial` conditions.
    pub initial: Vec<Initial>,
    /// Events.
    pub events: Vec<Event>,
    /// Outputs.
    pub outputs: Vec<Report>,
    /// `freedoms: n;`
    pub freedoms: Option<usize>,
}

/// Choice of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the words of the language
pub enum Choice {
    Joint,
    Body,
}

/// A body.
#[derive(Clone, Debug)]
pub struct Body {
    /// `b0`, `p1`, `link[0]`.
    pub name: String,
    /// Whether it is a particle, which has no orientation.
    pub particle: bool,
    /// Mass; `None` leaves it out.
    pub mass: Option<Number>,
    /// Inertia; `None` leaves it out. In space it is that about each axis, and products.
    pub inertia: Option<Number>,
    /// In space: xx, yy, zz, xy, xz, yz in place of `inertia`.
    pub tensor: Option<[Number; 6]>,
    /// Centre of mass.
    pub com: [Number; 3],
    /// Origin at t = 0.
    pub position: [f64; 3],
    /// Axis of the rotation from the world's axes to the body's at t = 0; z in the plane.
    pub about: [f64; 3],
    /// Angle of that rotation \[rad\].
    pub angle: f64,
    /// Whether position and angle are declared.
    pub declared: [bool; 2],
    /// Declared velocity, a guess.
    pub velocity: Option<[f64; 3]>,
    /// `attitude: …`.
    pub attitude: Option<&'static str>,
    /// `velocity: body` (true) or `velocity: world`.
    pub body_velocity: Option<bool>,
    /// Coordinates that the body chooses.
    pub coordinates: Option<Choice>,
}

/// A chain of identical bodies, declared in a `for` loop.
#[derive(Clone, Debug)]
pub struct Family {
    /// Number of bodies.
    pub count: usize,
    /// Distance between the two pins of a body.
    pub length: Number,
    /// Mass of each.
    pub mass: Number,
    /// Inertia of each.
    pub inertia: Number,
    /// Centre of mass of each.
    pub com: [Number; 3],
    /// Angle of the first body, and the increment from each body to the next.
    pub angles: [Number; 2],
    /// Stiffness of the torsion springs between them, tunable for each.
    pub stiffness: Option<f64>,
}

/// A joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Kind with its arguments.
    pub kind: JointKind,
    /// First and second end; a gear does not use them.
    pub ends: [Attachment; 2],
    /// `cut: true`.
    pub cut: bool,
    /// Position in the order of declarations.
    pub rank: u8,
    /// Condition under which it is on; always if `None`.
    pub enabled: Option<Condition>,
}

/// Kinds of joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// One of the catalogue.
    Catalogued(Catalogued),
    /// Contact of two curves.
    Cam(Cam),
    /// One of a kind that is declared in the text.
    Declared(Declared),
    /// Ratio between two angles.
    Gear {
        /// The angles.
        of: [Coordinate; 2],
        /// Ratio of the first to the second.
        ratio: Number,
        /// Offset of the first.
        offset: Number,
    },
}

/// Two circles that touch from outside, or a line along the x axis of the first end and a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cam {
    /// Side of the line on which the circle lies, 1 towards y; `None` between circles.
    pub line: Option<f64>,
    /// Radii; zero for a line.
    pub radii: [Number; 2],
    /// Contact parameters of both curves at the true pose.
    pub starts: [f64; 2],
}

/// A drive, constraint or coupling.
#[derive(Clone, Debug)]
pub struct Equation {
    /// Name.
    pub name: String,
    /// `drive`, `constraint`, `coupling`.
    pub category: &'static str,
    /// The equation.
    pub form: Form,
    /// Condition under which it is on; always if `None`.
    pub enabled: Option<Condition>,
}

/// Equations.
#[derive(Clone, Debug)]
pub enum Form {
    /// `dot(r, r) / 2 == half_square` with r = position(b) − position(a).
    Square { ends: [Attachment; 2], half_square: Number },
    /// `position(a) - position(b) == offset`, in a body's axes or the world's.
    Offset { ends: [Attachment; 2], frame: Option<usize>, offset: [Number; 3] },
    /// `position(at).y == curvature * position(at).x.powi(2) + height`.
    Curve { at: Attachment, curvature: Number, height: Number },
    /// `dot(a.x, b.y) == value`.
    Direction { of: [Attachment; 2], value: Number },
    /// `left == right + signal`.
    General { left: Expr, right: Number, signal: Option<Signal> },
    /// `a == ratio * b + wave * sin(b) + offset`, of coordinates.
    Coupling { of: [Coordinate; 2], ratio: Number, wave: Number, offset: Number },
    /// `coordinate == start + signal`.
    Drive { of: Coordinate, start: Number, signal: Signal },
    /// `position(at) == [s + offset.x, wave * sin(2 * s) + offset.y]`, in space with a third component `0.5 * s + offset.z`.
    Wire { at: Attachment, algebraic: usize, wave: Number, offset: [Number; 3] },
    /// `s == of + offset`.
    Lift { algebraic: usize, of: Expr, offset: Number },
    /// `dot(velocity(at), at.y) == 0`.
    Knife { at: Attachment },
    /// `w == right * cos(2 * t)` with w = Σ coefficient * rate(of), or `w + nonlinearity * sin(w)` on the left, whose derivatives are multiples of
    /// those of w.
    Speeds { terms: Vec<(Expr, Expr)>, nonlinearity: Option<Number>, right: Number },
    /// `Σ coefficient * rate(rate(of)) == right`, or the same with a factor `1 + nonlinearity * sin(w)` on the left.
    Accelerations { terms: Vec<(Expr, Expr)>, nonlinearity: Option<Number>, right: Expr },
    /// `velocity(a) == velocity(b)`.
    Together { ends: [Attachment; 2] },
    /// `angular_velocity(body) == [rates] in body` in space.
    Spin { of: usize, frame: Option<usize>, rate: [Number; 3] },
}

/// An auxiliary state: scalar, or a vector of 2 with a matrix of gains.
#[derive(Clone, Debug)]
pub struct State {
    /// Start values, one per component.
    pub start: Vec<f64>,
    /// Rates.
    pub rates: Vec<Expr>,
    /// For vectors: `{ rate: gains * [rates] - state }`.
    pub gains: Option<[f64; 4]>,
}

/// An input: scalar, or a vector of 2, of 3 in space, in a body's axes or none.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// A vector.
    pub vector: bool,
    /// Its axes.
    pub frame: Option<usize>,
}

/// An `initial` condition.
#[derive(Clone, Debug)]
pub struct Initial {
    /// Observable, or its rate.
    pub target: Expr,
    /// Value: the true one for positions, any for speeds.
    pub value: Number,
    /// `=` or `~`.
    pub exact: bool,
}

/// Value that an output reports.
#[derive(Clone, Debug)]
pub enum Report {
    /// A scalar.
    Scalar(Expr),
    /// A vector.
    Vector(Vector),
    /// Sum of kinetic and potential energy.
    Energy,
    /// `momentum(bodies)`.
    Momentum,
    /// `angular_momentum(body, attachment)`.
    AngularMomentum(usize, Attachment),
    /// `position(bodies at com)`, or its rate.
    Centre(bool),
    /// Load of an equation.
    EquationLoad(usize),
    /// Load of a gear.
    GearLoad(usize),
    /// Load of a force.
    ForceLoad(usize),
    /// `joint.q` or `joint.u`.
    JointVector(usize, bool),
    /// `reaction(joint).force`, or `.torque`.
    Reaction(usize, bool),
    /// `acceleration(body)` and `angular_acceleration(body)`.
    Motion(usize),
    /// A product with a scalar expression.
    Scaled(Expr, Box<Report>),
    /// A state, published by its name.
    State(usize),
    /// A sum over the loop.
    FamilySum,
}

impl Plan {
    /// Returns a mechanism without any item.
    pub fn empty(space: Space) -> Self {
        Plan {
            space,
            kernels: KernelSet::Default,
            gravity: None,
            coordinates: None,
            bodies: Vec::new(),
            family: None,
            joints: Vec::new(),
            equations: Vec::new(),
            forces: Vec::new(),
            sets: Vec::new(),
            states: Vec::new(),
            inputs: Vec::new(),
            switches: Vec::new(),
            discretes: Vec::new(),
            algebraic: Vec::new(),
            posed: Vec::new(),
            initial: Vec::new(),
            events: Vec::new(),
            outputs: Vec::new(),
            freedoms: None,
        }
    }

    /// Whether the mechanism is spatial.
    pub fn is_spatial(&self) -> bool {
        self.space == Space::Spatial
    }

    /// Components of a vector: 2 or 3.
    pub fn dimensions(&self) -> usize {
        if self.is_spatial() { 3 } else { 2 }
    }

    /// All coordinates an expression may contain: those of joints in order, then algebraic ones.
    pub fn coordinates(&self) -> Vec<Coordinate> {
        let joints = self.joints.iter().enumerate();
        let of = |(j, joint): (usize, &Joint)| (0..self.coordinate_count(joint)).map(move |k| Coordinate::Joint(j, k));
        joints.flat_map(of).chain((0..self.algebraic.len()).map(Coordinate::Algebraic)).collect()
    }

    /// Whether an attachment is on a particle.
    pub fn on_particle(&self, attachment: &Attachment) -> bool {
        attachment.body.is_some_and(|b| self.bodies[b].particle)
    }

    /// Coordinates of a joint of the catalogue that are displacements and angles. Joints with a particle have no angles, except a free joint whose
    /// first end is a particle.
    pub fn measures(&self, joint: &Joint) -> Vec<Measure> {
        let JointKind::Catalogued(catalogued) = joint.kind else { return Vec::new() };
        let ends =
            if catalogued.kind().translation == TranslationKind::Anywhere { &joint.ends[1..] } else { &joint.ends[..] };
        let has_angles = !ends.iter().any(|attachment| self.on_particle(attachment));
        let exists = |measure: &Measure| has_angles || matches!(measure, Measure::Displacement(..));
        catalogued.measures().into_iter().filter(exists).collect()
    }

    /// Number of coordinates of a joint that are displacements and angles.
    pub fn coordinate_count(&self, joint: &Joint) -> usize {
        match joint.kind {
            JointKind::Catalogued(_) => self.measures(joint).len(),
            JointKind::Declared(declared) => declared.coordinates().len(),
            _ => 0,
        }
    }

    /// Whether a coordinate is an angle by its name, so that a gear may connect it.
    pub fn is_angle(&self, coordinate: Coordinate) -> bool {
        match coordinate {
            Coordinate::Joint(j, k) => match self.joints[j].kind {
                JointKind::Catalogued(_) => self.measures(&self.joints[j])[k].names()[0] == "angle",
                JointKind::Declared(declared) => matches!(declared.coordinates(), [(_, true)]),
                _ => false,
            },
            Coordinate::Algebraic(_) => false,
        }
    }

    /// Value of a coordinate.
    pub fn coordinate(&self, coordinate: Coordinate, world: &World) -> S {
        match coordinate {
            Coordinate::Algebraic(i) => world.algebraic[i],
            Coordinate::Joint(j, k) => {
                let joint = &self.joints[j];
                match joint.kind {
                    JointKind::Catalogued(catalogued) => {
                        catalogued.measure(&joint.ends, self.measures(joint)[k], world)
                    }
                    JointKind::Declared(declared) => world.posed[declared.first + k],
                    JointKind::Cam(_) | JointKind::Gear { .. } => unreachable!("it has no coordinates"),
                }
            }
        }
    }

    /// The true pose at t = 0, at rest.
    pub fn world(&self) -> World {
        let pose = |b: &Body| Pose {
            position: b.position.map(constant),
            axes: rotated_axes(b.about, constant(b.angle)),
            angle: constant(if self.is_spatial() { 0.0 } else { b.angle }),
        };
        World {
            poses: self.bodies.iter().map(pose).collect(),
            algebraic: self.algebraic.iter().map(|s| constant(*s)).collect(),
            posed: self.posed.iter().map(|q| constant(*q)).collect(),
            t: constant(0.0),
        }
    }

    /// Number of columns of a body: translations first, then rotations, which particles lack.
    fn columns_of(&self, body: &Body) -> usize {
        let rotations = if self.is_spatial() { 3 } else { 1 };
        self.dimensions() + if body.particle { 0 } else { rotations }
    }

    /// Number of columns: translations of bodies and their rotations about world axes, translations of particles, algebraic coordinates, and
    /// coordinates of joints of declared kinds, which rows relate to the bodies.
    pub fn columns(&self) -> usize {
        let of_bodies = self.bodies.iter().map(|b| self.columns_of(b)).sum::<usize>();
        of_bodies + self.algebraic.len() + self.posed.len()
    }

    /// The true pose with a unit rate in column j, at fixed time.
    pub fn displaced(&self, j: usize) -> World {
        let mut world = self.world();
        let (mut column, d) = (0, self.dimensions());
        for (body, pose) in self.bodies.iter().zip(&mut world.poses) {
            let count = self.columns_of(body);
            match j.checked_sub(column).filter(|k| *k < count) {
                Some(k) if k < d => pose.position[k].0[1] = 1.0,
                Some(k) => {
                    let about = if self.is_spatial() { unit(k - d).map(Series::value) } else { crate::world::Z };
                    pose.axes = pose.axes.map(|axis| rotate(about, S::linear(0.0, 1.0), axis));
                    pose.angle.0[1] = 1.0;
                }
                None => {}
            }
            column += count;
        }
        if let Some(s) = j.checked_sub(column) {
            let mut coordinates = world.algebraic.iter_mut().chain(&mut world.posed);
            coordinates.nth(s).expect("a column").0[1] = 1.0;
        }
        world
    }

    /// World components of a vector given in a body's axes, or in the world's.
    pub fn to_world(&self, frame: Option<usize>, v: [S; 3], world: &World) -> [S; 3] {
        frame.map_or(v, |b| combine(&world.poses[b].axes, v))
    }
}
