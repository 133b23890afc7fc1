//! Arguments and results of the evaluations of a mechanism.

/// Numbers of coordinates, speeds, rows and other items of a mechanism.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Coordinates q.
    pub n_q: usize,
    /// Speeds v.
    pub n_v: usize,
    /// Constraint rows of all three sets: position rows first, then velocity rows, then rows of accelerations alone.
    pub n_c: usize,
    /// Rows that exist at position level (the first set).
    pub n_position: usize,
    /// Rows that exist at velocity level (the first two sets).
    pub n_velocity: usize,
    /// Auxiliary states z, discrete variables included.
    pub n_z: usize,
    /// Discrete variables: the last of z. Their rates are zero; handlers of events change them, or the owner of the state.
    pub n_discrete: usize,
    /// Inputs u.
    pub n_u: usize,
    /// Output values.
    pub n_outputs: usize,
    /// Bodies, ground not counted.
    pub n_bodies: usize,
    /// Markers worth drawing: joint ends, named markers, centres of mass.
    pub n_markers: usize,
    /// Joints.
    pub n_joints: usize,
    /// Forces, gravity not counted.
    pub n_forces: usize,
    /// `initial` conditions.
    pub n_conditions: usize,
    /// Events.
    pub n_events: usize,
    /// Conditions that handlers of events impose, of all events together.
    pub n_event_conditions: usize,
    /// Guesses that depend on parameters: declared poses and speeds, and `initial` values with `~`.
    pub n_guesses: usize,
}

/// The state at which a mechanism is evaluated: borrowed slices of a [`State`](crate::State), with the inputs.
#[derive(Clone, Copy, Debug)]
pub struct StateView<'a, T = f64> {
    /// Time \[s\].
    pub t: T,
    /// Coordinates, n_q.
    pub q: &'a [T],
    /// Speeds, n_v.
    pub v: &'a [T],
    /// Auxiliary states, n_z; memories may follow, see [`Mechanism::remember`](crate::Mechanism::remember).
    pub z: &'a [T],
    /// Inputs, n_u.
    pub u: &'a [T],
}

impl<'a, T> StateView<'a, T> {
    /// The state of a mechanism that has neither auxiliary states nor inputs, or of an evaluation that reads neither. `v` may be
    /// empty where speeds are not read.
    pub fn new(t: T, q: &'a [T], v: &'a [T]) -> Self {
        StateView { t, q, v, z: &[], u: &[] }
    }
}

/// Kinetic and potential energy \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy<T = f64> {
    /// ½ Σ m |v_G|² + ω·I·ω.
    pub kinetic: T,
    /// Energy of gravity (zero at the world origin), springs and potentials.
    pub potential: T,
}

/// Pose of a body frame: origin in world axes \[m\] and attitude as a unit quaternion, scalar first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<T = f64> {
    /// Origin \[m\], world axes; z = 0 in the plane.
    pub position: [T; 3],
    /// Unit quaternion `[e0, e1, e2, e3]` of R_WB; in the plane `[cos θ/2, 0, 0, sin θ/2]`.
    pub attitude: [T; 4],
}

impl Pose {
    /// Pose of a planar body frame: origin (x, y) \[m\], angle θ \[rad\] about z.
    #[inline]
    pub fn planar(x: f64, y: f64, angle: f64) -> Self {
        let (sin, cos) = mbs_math::math::sin_cos(0.5 * angle);
        Pose { position: [x, y, 0.0], attitude: [cos, 0.0, 0.0, sin] }
    }

    /// Pose of a body frame in space, from its origin \[m\] and the rows of its rotation matrix R_WB.
    pub fn spatial(position: [f64; 3], rotation: [[f64; 3]; 3]) -> Self {
        Pose { position, attitude: crate::rotation::quaternion_of(rotation) }
    }
}

/// Reaction of a joint on the body of its second end, world axes; the reaction on the body of its first end is opposite.
///
/// It has no component in the directions of the degrees of freedom of the joint: loads of motors, springs, drives and gears that act on these
/// are not included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction<T = f64> {
    /// World position \[m\] of the point at which the force acts, and about which the moment is taken: the second end's marker, or the point
    /// that the kind documents; z = 0 in the plane.
    pub point: [T; 3],
    /// Force \[N\]; z = 0 in the plane.
    pub force: [T; 3],
    /// Moment \[N m\]; about z alone in the plane.
    pub torque: [T; 3],
}

impl Reaction {
    /// In the plane: x and y of the point and of the force, and the moment about z.
    #[inline]
    pub fn planar(point: [f64; 2], force: [f64; 2], torque: f64) -> Self {
        let ([x, y], [force_x, force_y]) = (point, force);
        Reaction { point: [x, y, 0.0], force: [force_x, force_y, 0.0], torque: [0.0, 0.0, torque] }
    }
}

/// Item of a mechanism that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item {
    /// The mechanism itself.
    Mechanism,
    /// Coordinate q\[i\].
    Coordinate(usize),
    /// Speed v\[i\].
    Speed(usize),
    /// Constraint row i: the joint, drive, coupling or constraint it belongs to, with the component.
    Row(usize),
    /// Auxiliary state z\[i\].
    Auxiliary(usize),
    /// Input u\[i\].
    Input(usize),
    /// Output value i.
    Output(usize),
    /// Body i, ground not counted.
    Body(usize),
    /// Drawn marker i.
    Marker(usize),
    /// Joint i.
    Joint(usize),
    /// Force i.
    Force(usize),
    /// Parameter i.
    Parameter(usize),
    /// `initial` condition i; after them those that handlers of events impose.
    Condition(usize),
    /// Event i.
    Event(usize),
    /// Function i, written in Rust.
    Function(usize),
}

/// Item that a constraint row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowKind {
    /// Joint i, which closes a loop.
    Joint(usize),
    /// Body i: in natural coordinates, the row keeps it rigid, or counts its revolutions.
    Body(usize),
    /// A motion that a motor prescribes; the load of the motor is −λ.
    Drive,
    /// A coupling of motions.
    Coupling,
    /// Any other constraint.
    Constraint,
}

/// The tree joint by which coordinates position a body; it has no constraint rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Index of the joint.
    pub joint: usize,
    /// The inboard body; `None` is ground.
    pub parent: Option<usize>,
    /// Whether the positioned body is the joint's first end.
    pub reversed: bool,
    /// Index of the joint's first speed.
    pub first_speed: usize,
    /// Number of its speeds.
    pub speeds: usize,
}

/// Level of an `initial` condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Condition on coordinates.
    Position,
    /// Condition on speeds.
    Velocity,
}

/// An `initial x = value` condition at a state; assembly imposes it exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition<T = f64> {
    /// observable − value.
    pub residual: T,
    /// Whether it is a condition on q or on v.
    pub level: Level,
}
