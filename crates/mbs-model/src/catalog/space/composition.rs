//! Joints made of a translation and a rotation.

use mbs_expr::{Expr, ExprId, JointId, MarkerId, Op};
use mbs_math::Vec3;

use super::basis::across;
use super::equations::{along, apart, axes, crossed, off_line, on_ellipsoid, parallel, spin, untilted};
use super::measures::{Measured, angle, cross_turns, gimbal, relative, sphere, turn};
use crate::catalog::{Arguments, Geometry, JoinedRow, JointParts, attitude, coincident, general, joints};
use crate::{BasicEquation, Motion, Step};

/// How the second end's point Q moves relative to the first's, P, with the names of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Translation {
    /// Not at all.
    Held,
    /// Along an axis fixed in the first end.
    Along(&'static str),
    /// Across an axis fixed in the first end.
    Across(&'static str),
    /// Anywhere.
    Anywhere,
    /// At a distance from P.
    Around(&'static str),
    /// On an ellipsoid about P, where the second end's z axis says: the radii.
    Ellipsoid(&'static str),
    /// Along an axis fixed in the second end, after its turns.
    Carried(&'static str),
    /// Along the axis of the turn, in proportion to it.
    Screw {
        /// The axis.
        axis: &'static str,
        /// Advance per turn \[m\].
        pitch: &'static str,
    },
}

/// How the second end turns relative to the first, with the names of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    /// Not at all.
    Held,
    /// About one axis.
    About(&'static str),
    /// About an axis of the first end, then about one of the second.
    Cross([&'static str; 2]),
    /// In any way, by angles about x, y and z.
    Gimbal,
    /// In any way but about its own z, by the attitude's parameters.
    Line,
    /// In any way, by the attitude's parameters.
    Ball,
}

/// A translation and a rotation. The steps of the tree and the coordinates are those of the translation and then those of the rotation;
/// the other way round where the slide is carried. Rows are those of the translation and then those of the rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composition {
    /// The translation.
    pub translation: Translation,
    /// The rotation.
    pub turning: Turning,
}

/// Contribution of the translation or of the rotation.
#[derive(Debug, Default)]
struct Part<'e> {
    rows: Vec<JoinedRow<'e>>,
    coordinates: Vec<Measured<'e>>,
    steps: Vec<Step>,
}

impl Composition {
    /// Number of the six relative degrees of freedom that it leaves.
    pub fn freedoms(self) -> usize {
        let moves = match self.translation {
            Translation::Held | Translation::Ellipsoid(_) | Translation::Screw { .. } => 0,
            Translation::Along(_) | Translation::Carried(_) => 1,
            Translation::Across(_) | Translation::Around(_) => 2,
            Translation::Anywhere => 3,
        };
        let turns = match self.turning {
            Turning::Held => 0,
            Turning::About(_) => 1,
            Turning::Cross(_) | Turning::Line => 2,
            Turning::Gimbal | Turning::Ball => 3,
        };
        moves + turns
    }

    /// The equations of a joint.
    pub(in crate::catalog) fn join<'e>(
        self,
        g: &Geometry<'e>,
        joint: JointId,
        ends: [MarkerId; 2],
        arguments: &Arguments<'e>,
    ) -> JointParts {
        let carried = matches!(self.translation, Translation::Carried(_));
        let moved = self.translation.part(g, joint, ends, arguments);
        let first = if carried { 0 } else { moved.coordinates.len() };
        let turned = if self.turns_a_particle(g, ends) {
            Part::default()
        } else {
            self.turning.part(g, joint, first, ends, arguments)
        };
        let rows = moved.rows.into_iter().chain(turned.rows).map(|(row, basic)| (g.id(row), basic)).collect();
        let (coordinates, steps) = if carried {
            ([turned.coordinates, moved.coordinates].concat(), [turned.steps, moved.steps].concat())
        } else {
            ([moved.coordinates, turned.coordinates].concat(), [moved.steps, turned.steps].concat())
        };
        let steps = self.steps(g, ends, arguments, steps);
        // Without steps only a rigid connection places a body: what turns freely about a particle has no coordinate for it.
        let places = (self.translation, self.turning) == (Translation::Held, Turning::Held);
        let id = |x: Option<Expr<'e>>| x.map(|x| g.id(x));
        JointParts {
            rows,
            coordinates: g.all_ids(coordinates.iter().map(|c| c.value)),
            ties: coordinates.iter().map(|c| id(c.tie)).collect(),
            beside: coordinates.iter().map(|c| id(c.beside)).collect(),
            motion: (places || !steps.is_empty()).then_some(Motion { steps, angle: None }),
            geared: None,
        }
    }

    /// Whether no rotation is measured, since a particle has none. A body that moves freely relative to a particle rotates relative to the
    /// world.
    fn turns_a_particle(self, g: &Geometry<'_>, ends: [MarkerId; 2]) -> bool {
        let looked_at = if self.translation == Translation::Anywhere { &ends[1..] } else { &ends[..] };
        looked_at.iter().any(|m| g.on_particle(*m))
    }

    /// The steps of both parts, where they are not more than these.
    fn steps<'e>(
        self,
        g: &Geometry<'e>,
        ends: [MarkerId; 2],
        arguments: &Arguments<'e>,
        steps: Vec<Step>,
    ) -> Vec<Step> {
        match (self.translation, self.turning) {
            (Translation::Ellipsoid(radii), _) => {
                vec![Step::Ellipsoid { radii: g.ids(arguments.vector(radii)), attitude: g.attitude(ends) }]
            }
            (Translation::Screw { axis, pitch }, _) => {
                let advance = advance(arguments.number(pitch));
                vec![Step::Screw { axis: g.ids(arguments.vector(axis)), advance: g.id(advance) }]
            }
            (Translation::Anywhere, Turning::Ball) if !g.on_particle(ends[1]) => {
                vec![Step::Free { attitude: g.attitude(ends), velocity: g.velocity_axes(ends) }]
            }
            _ => steps,
        }
    }
}

/// Advance per radian.
fn advance(pitch: Expr<'_>) -> Expr<'_> {
    pitch / std::f64::consts::TAU
}

impl Translation {
    fn part<'e>(self, g: &Geometry<'e>, joint: JointId, ends: [MarkerId; 2], arguments: &Arguments<'e>) -> Part<'e> {
        match self {
            Translation::Held => Part { rows: coincident(apart(g, ends).0).collect(), ..Part::default() },
            Translation::Along(axis) => {
                let u = arguments.vector(axis);
                slides(g, ends, ends[0], &[u], &across(u))
            }
            Translation::Carried(axis) => {
                let u = arguments.vector(axis);
                slides(g, ends, ends[1], &[u], &across(u))
            }
            Translation::Across(normal) => {
                let m = arguments.vector(normal);
                slides(g, ends, ends[0], &across(m), &[m])
            }
            Translation::Anywhere => slides(g, ends, ends[0], &axes(), &[]),
            Translation::Around(radius) => {
                let radius = arguments.number(radius);
                Part {
                    rows: vec![joints::distance(g, apart(g, ends), radius)],
                    coordinates: sphere(g, joint, ends).to_vec(),
                    steps: vec![Step::Orbit { radius: g.id(radius) }],
                }
            }
            Translation::Ellipsoid(radii) => {
                let rows = general(on_ellipsoid(g, ends, arguments.vector(radii))).collect();
                Part { rows, ..Part::default() }
            }
            Translation::Screw { axis, pitch } => {
                let u = arguments.vector(axis);
                let [normal, binormal] = off_line(g, ends, ends[0], u);
                // φ unwrapped: Q has gone h φ along û.
                let phi = g.writer.op(Op::JointCoordinate(joint, 0));
                let advance = along(g, ends, ends[0], u) + advance(arguments.number(pitch)) * phi;
                Part { rows: general([normal, binormal, advance]).collect(), ..Part::default() }
            }
        }
    }
}

/// The rows that keep the axes of both ends parallel.
pub(super) fn unturned<'e>(rows: [Expr<'e>; 3]) -> impl Iterator<Item = JoinedRow<'e>> {
    rows.into_iter().zip(0..).map(|(row, k)| (row, Some(BasicEquation::Unturned(k))))
}

/// The rows that keep an axis of one end on that of the other.
fn on_axis<'e>(axis: [ExprId; 3], rows: [Expr<'e>; 2]) -> impl Iterator<Item = JoinedRow<'e>> {
    rows.into_iter().zip(0..).map(move |(expr, row)| (expr, Some(BasicEquation::Untilted { axis, row })))
}

/// Slides along directions fixed in a marker, none along others.
fn slides<'e>(
    g: &Geometry<'e>,
    ends: [MarkerId; 2],
    m: MarkerId,
    free: &[Vec3<Expr<'e>>],
    held: &[Vec3<Expr<'e>>],
) -> Part<'e> {
    let r = g.displacement(ends[0], ends[1]);
    Part {
        rows: general(held.iter().map(|d| along(g, ends, m, *d))).collect(),
        coordinates: free.iter().map(|d| r.dot(g.to_world(m, *d)).into()).collect(),
        steps: free.iter().map(|d| Step::Slide { axis: g.ids(*d) }).collect(),
    }
}

impl Turning {
    /// `first` is the number of its first coordinate in the joint.
    fn part<'e>(
        self,
        g: &Geometry<'e>,
        joint: JointId,
        first: usize,
        ends: [MarkerId; 2],
        arguments: &Arguments<'e>,
    ) -> Part<'e> {
        match self {
            Turning::Held => Part { rows: unturned(parallel(g, ends)).collect(), ..Part::default() },
            Turning::About(axis) => {
                let u = arguments.vector(axis);
                Part {
                    rows: on_axis(g.ids(u), untilted(g, ends, u)).collect(),
                    coordinates: vec![angle(g, joint, first, turn(g, ends, u))],
                    steps: vec![Step::Turn { axis: g.ids(u) }],
                }
            }
            Turning::Cross([first_axis, second_axis]) => {
                let (u, v) = (arguments.vector(first_axis), arguments.vector(second_axis));
                let [a, b] = cross_turns(g, ends, u, v);
                Part {
                    rows: general([crossed(g, ends, u, v)]).collect(),
                    coordinates: vec![angle(g, joint, first, a), angle(g, joint, first + 1, b)],
                    steps: vec![Step::Turn { axis: g.ids(u) }, Step::Turn { axis: g.ids(v) }],
                }
            }
            Turning::Gimbal => Part {
                rows: Vec::new(),
                coordinates: gimbal(g, joint, first, ends).to_vec(),
                steps: axes().map(|axis| Step::Turn { axis: g.ids(axis) }).to_vec(),
            },
            Turning::Line | Turning::Ball => {
                let attitude = g.attitude(ends);
                let q = attitude::parameters(g.writer, attitude, relative(g, ends));
                let coordinates = q.into_iter().map(Measured::from).collect();
                match self {
                    Turning::Line => Part {
                        rows: general([spin(g, ends)]).collect(),
                        coordinates,
                        steps: vec![Step::Line { attitude }],
                    },
                    _ => Part { rows: Vec::new(), coordinates, steps: vec![Step::Ball { attitude }] },
                }
            }
        }
    }
}
