//! Joints in space that are composed of a translation and a rotation.

use mbs_expr::{Expr, ExprId, JointId, MarkerId, Op};
use mbs_math::Vec3;

use super::basis::normal_directions;
use super::equations::{
    common_axis_rows, cross_row, displacement_along, ellipsoid_rows, line_rows, parallel_rows, separation, spin_row,
    unit_vectors,
};
use super::measures::{
    Measured, cross_angles, gimbal_angles, measured_angle, relative_axes, rotation_about, sphere_angles,
};
use crate::catalog::{Arguments, Geometry, JoinedRow, JointParts, attitude, coincident, general, joints};
use crate::{BasicEquation, Motion, Step};

/// Translation of the second end's point Q relative to the first end's point P. Strings are names of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Translation {
    /// None.
    Fixed,
    /// Along an axis fixed in the first end.
    Along(&'static str),
    /// In the plane normal to an axis that is fixed in the first end.
    Across(&'static str),
    /// Unrestricted.
    Anywhere,
    /// On a sphere about P: its radius.
    Around(&'static str),
    /// On an ellipsoid about P, at the image of the second end's z axis: its radii.
    Ellipsoid(&'static str),
    /// Along an axis fixed in the second end, after the rotation.
    AlongSecondEnd(&'static str),
    /// Along the axis of the rotation, in proportion to its angle.
    Screw {
        /// The axis.
        axis: &'static str,
        /// Advance per revolution \[m\].
        pitch: &'static str,
    },
}

/// Rotation of the second end relative to the first. Strings are names of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelativeRotation {
    /// None.
    Fixed,
    /// About one axis.
    About(&'static str),
    /// About an axis of the first end, then about one of the second.
    Cross([&'static str; 2]),
    /// Unrestricted, by angles about x, y and z.
    Gimbal,
    /// Unrestricted except about the second end's z axis, by the attitude's parameters.
    Line,
    /// Unrestricted, by the attitude's parameters.
    Ball,
}

/// A translation and a rotation. Steps and coordinates are those of the translation, then those of the rotation; in the opposite order if the
/// translation is fixed in the second end. Rows are those of the translation, then those of the rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composition {
    /// The translation.
    pub translation: Translation,
    /// The rotation.
    pub rotation: RelativeRotation,
}

/// Contribution of the translation or of the rotation.
#[derive(Debug, Default)]
struct Part<'e> {
    rows: Vec<JoinedRow<'e>>,
    coordinates: Vec<Measured<'e>>,
    steps: Vec<Step>,
}

impl Composition {
    /// Number of relative degrees of freedom that it leaves, of six.
    pub fn freedoms(self) -> usize {
        let translations = match self.translation {
            Translation::Fixed | Translation::Ellipsoid(_) | Translation::Screw { .. } => 0,
            Translation::Along(_) | Translation::AlongSecondEnd(_) => 1,
            Translation::Across(_) | Translation::Around(_) => 2,
            Translation::Anywhere => 3,
        };
        let rotations = match self.rotation {
            RelativeRotation::Fixed => 0,
            RelativeRotation::About(_) => 1,
            RelativeRotation::Cross(_) | RelativeRotation::Line => 2,
            RelativeRotation::Gimbal | RelativeRotation::Ball => 3,
        };
        translations + rotations
    }

    /// Makes the equations of a joint.
    pub(in crate::catalog) fn join<'e>(
        self,
        g: &Geometry<'e>,
        joint: JointId,
        ends: [MarkerId; 2],
        arguments: &Arguments<'e>,
    ) -> JointParts {
        let rotates_first = matches!(self.translation, Translation::AlongSecondEnd(_));
        let translation = self.translation.part(g, joint, ends, arguments);
        let first = if rotates_first { 0 } else { translation.coordinates.len() };
        let rotation = if self.rotates_a_particle(g, ends) {
            Part::default()
        } else {
            self.rotation.part(g, joint, first, ends, arguments)
        };
        let rows = translation.rows.into_iter().chain(rotation.rows).map(|(row, basic)| (g.id(row), basic)).collect();
        let (coordinates, steps) = if rotates_first {
            ([rotation.coordinates, translation.coordinates].concat(), [rotation.steps, translation.steps].concat())
        } else {
            ([translation.coordinates, rotation.coordinates].concat(), [translation.steps, rotation.steps].concat())
        };
        let steps = self.steps(g, ends, arguments, steps);
        // A joint without steps can be in the tree only if it is rigid: free rotation about a particle has no coordinates.
        let is_rigid = (self.translation, self.rotation) == (Translation::Fixed, RelativeRotation::Fixed);
        let id = |x: Option<Expr<'e>>| x.map(|x| g.id(x));
        JointParts {
            rows,
            coordinates: g.all_ids(coordinates.iter().map(|c| c.value)),
            ties: coordinates.iter().map(|c| id(c.tie)).collect(),
            by_previous: coordinates.iter().map(|c| id(c.by_previous)).collect(),
            motion: (is_rigid || !steps.is_empty()).then_some(Motion { steps, angle: None }),
            geared: None,
        }
    }

    /// Whether the joint has no rotation because an end is on a particle. If the translation is unrestricted, only the second end counts: a body
    /// that moves freely relative to a particle rotates relative to the world.
    fn rotates_a_particle(self, g: &Geometry<'_>, ends: [MarkerId; 2]) -> bool {
        let rotating_ends = if self.translation == Translation::Anywhere { &ends[1..] } else { &ends[..] };
        rotating_ends.iter().any(|m| g.on_particle(*m))
    }

    /// The steps of the joint: those of both parts, unless one step combines them.
    fn steps<'e>(
        self,
        g: &Geometry<'e>,
        ends: [MarkerId; 2],
        arguments: &Arguments<'e>,
        steps: Vec<Step>,
    ) -> Vec<Step> {
        match (self.translation, self.rotation) {
            (Translation::Ellipsoid(radii), _) => {
                vec![Step::Ellipsoid { radii: g.ids(arguments.vector(radii)), attitude: g.attitude(ends) }]
            }
            (Translation::Screw { axis, pitch }, _) => {
                let advance = advance(arguments.scalar(pitch));
                vec![Step::Screw { axis: g.ids(arguments.vector(axis)), advance: g.id(advance) }]
            }
            (Translation::Anywhere, RelativeRotation::Ball) if !g.on_particle(ends[1]) => {
                vec![Step::Free { attitude: g.attitude(ends), velocity: g.velocity_axes(ends) }]
            }
            _ => steps,
        }
    }
}

/// Advance per radian \[m\].
fn advance(pitch: Expr<'_>) -> Expr<'_> {
    pitch / std::f64::consts::TAU
}

impl Translation {
    fn part<'e>(self, g: &Geometry<'e>, joint: JointId, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> Part<'e> {
        match self {
            Translation::Fixed => Part { rows: coincident(separation(g, ends).0).collect(), ..Part::default() },
            Translation::Along(axis) => {
                let u = arguments.vector(axis);
                translation_part(g, ends, ends[0], &[u], &normal_directions(u))
            }
            Translation::AlongSecondEnd(axis) => {
                let u = arguments.vector(axis);
                translation_part(g, ends, ends[1], &[u], &normal_directions(u))
            }
            Translation::Across(normal) => {
                let m = arguments.vector(normal);
                translation_part(g, ends, ends[0], &normal_directions(m), &[m])
            }
            Translation::Anywhere => translation_part(g, ends, ends[0], &unit_vectors(), &[]),
            Translation::Around(radius) => {
                let radius = arguments.scalar(radius);
                Part {
                    rows: vec![joints::distance_row(g, separation(g, ends), radius)],
                    coordinates: sphere_angles(g, joint, ends).to_vec(),
                    steps: vec![Step::Orbit { radius: g.id(radius) }],
                }
            }
            Translation::Ellipsoid(radii) => {
                let rows = general(ellipsoid_rows(g, ends, arguments.vector(radii))).collect();
                Part { rows, ..Part::default() }
            }
            Translation::Screw { axis, pitch } => {
                let u = arguments.vector(axis);
                let [normal, binormal] = line_rows(g, ends, ends[0], u);
                // φ counts revolutions: Q has advanced by h φ in the direction û.
                let phi = g.writer.op(Op::JointCoordinate(joint, 0));
                let advance = displacement_along(g, ends, ends[0], u) + advance(arguments.scalar(pitch)) * phi;
                Part { rows: general([normal, binormal, advance]).collect(), ..Part::default() }
            }
        }
    }
}

/// Marks the rows that keep the axes of both ends parallel.
pub(super) fn mark_parallel_axes<'e>(rows: [Expr<'e>; 3]) -> impl Iterator<Item = JoinedRow<'e>> {
    rows.into_iter().zip(0..).map(|(row, k)| (row, Some(BasicEquation::ParallelAxes(k))))
}

/// Marks the rows that align an axis of one end with that of the other.
fn mark_common_axis<'e>(axis: [ExprId; 3], rows: [Expr<'e>; 2]) -> impl Iterator<Item = JoinedRow<'e>> {
    rows.into_iter().zip(0..).map(move |(expr, row)| (expr, Some(BasicEquation::CommonAxis { axis, row })))
}

/// Translation in the directions `free`, but not in the directions `constrained`, all fixed in a marker m.
fn translation_part<'e>(
    g: &Geometry<'e>,
    ends: [MarkerId; 2],
    m: MarkerId,
    free: &[Vec3<Expr<'e>>],
    constrained: &[Vec3<Expr<'e>>],
) -> Part<'e> {
    let r = g.displacement(ends[0], ends[1]);
    Part {
        rows: general(constrained.iter().map(|d| displacement_along(g, ends, m, *d))).collect(),
        coordinates: free.iter().map(|d| r.dot(g.to_world(m, *d)).into()).collect(),
        steps: free.iter().map(|d| Step::Prismatic { axis: g.ids(*d) }).collect(),
    }
}

impl RelativeRotation {
    /// Contribution of the rotation. `first` is the index of its first coordinate among those of the joint.
    fn part<'e>(
        self,
        g: &Geometry<'e>,
        joint: JointId,
        first: usize,
        ends: [MarkerId; 2],
        arguments: &Arguments<'e>,
    ) -> Part<'e> {
        match self {
            RelativeRotation::Fixed => {
                Part { rows: mark_parallel_axes(parallel_rows(g, ends)).collect(), ..Part::default() }
            }
            RelativeRotation::About(axis) => {
                let u = arguments.vector(axis);
                Part {
                    rows: mark_common_axis(g.ids(u), common_axis_rows(g, ends, u)).collect(),
                    coordinates: vec![measured_angle(g, joint, first, rotation_about(g, ends, u))],
                    steps: vec![Step::Revolute { axis: g.ids(u) }],
                }
            }
            RelativeRotation::Cross([first_axis, second_axis]) => {
                let (u, v) = (arguments.vector(first_axis), arguments.vector(second_axis));
                let [a, b] = cross_angles(g, ends, u, v);
                Part {
                    rows: general([cross_row(g, ends, u, v)]).collect(),
                    coordinates: vec![measured_angle(g, joint, first, a), measured_angle(g, joint, first + 1, b)],
                    steps: vec![Step::Revolute { axis: g.ids(u) }, Step::Revolute { axis: g.ids(v) }],
                }
            }
            RelativeRotation::Gimbal => Part {
                rows: Vec::new(),
                coordinates: gimbal_angles(g, joint, first, ends).to_vec(),
                steps: unit_vectors().map(|axis| Step::Revolute { axis: g.ids(axis) }).to_vec(),
            },
            RelativeRotation::Line | RelativeRotation::Ball => {
                let attitude = g.attitude(ends);
                let q = attitude::parameters(g.writer, attitude, relative_axes(g, ends));
                let coordinates = q.into_iter().map(Measured::from).collect();
                match self {
                    RelativeRotation::Line => Part {
                        rows: general([spin_row(g, ends)]).collect(),
                        coordinates,
                        steps: vec![Step::Line { attitude }],
                    },
                    _ => Part { rows: Vec::new(), coordinates, steps: vec![Step::Ball { attitude }] },
                }
            }
        }
    }
}
