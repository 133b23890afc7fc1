//! Joints made of a translation and a rotation.

use mbs_expr::{ExprId, JointId, MarkerId};

use super::basis::across;
use super::equations::{along, apart, axes, crossed, off_line, on_ellipsoid, parallel, spin, untilted};
use super::measures::{Measured, angle, cross_turns, gimbal, relative, sphere, turn};
use crate::catalog::{Argued, Geometry, JointParts, attitude, joints};
use crate::{JointKind, Step};

/// How the second end's point Q moves relative to the first's, P. Numbers are those of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Translation {
    /// Not at all.
    Held,
    /// Along an axis fixed in the first end.
    Along(usize),
    /// Across an axis fixed in the first end.
    Across(usize),
    /// Anywhere.
    Anywhere,
    /// At a distance from P.
    Around(usize),
    /// On an ellipsoid about P, where the second end's z axis says: the radii.
    Ellipsoid(usize),
    /// Along an axis fixed in the second end, after its turns.
    Carried(usize),
    /// Along the axis of the turn, in proportion to it.
    Screw {
        /// The axis.
        axis: usize,
        /// Advance per turn \[m\].
        pitch: usize,
    },
}

/// How the second end turns relative to the first. Numbers are those of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    /// Not at all.
    Held,
    /// About one axis.
    About(usize),
    /// About an axis of the first end, then about one of the second.
    Cross([usize; 2]),
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

/// What one of the two contributes.
#[derive(Debug, Default)]
struct Part {
    rows: Vec<ExprId>,
    coordinates: Vec<Measured>,
    steps: Vec<Step>,
}

impl Composition {
    /// How many of the six freedoms it leaves.
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
    pub(in crate::catalog) fn join(
        self,
        g: &mut Geometry<'_>,
        joint: JointId,
        ends: [MarkerId; 2],
        arguments: &[Argued],
    ) -> JointParts {
        let carried = matches!(self.translation, Translation::Carried(_));
        let moved = self.translation.part(g, joint, ends, arguments);
        let first = if carried { 0 } else { moved.coordinates.len() };
        let turned = if self.turns_a_particle(g, ends) {
            Part::default()
        } else {
            self.turning.part(g, joint, first, ends, arguments)
        };
        let rows = [moved.rows, turned.rows].concat();
        let (coordinates, steps) = if carried {
            ([turned.coordinates, moved.coordinates].concat(), [turned.steps, moved.steps].concat())
        } else {
            ([moved.coordinates, turned.coordinates].concat(), [moved.steps, turned.steps].concat())
        };
        let steps = self.steps(g, ends, arguments, steps);
        let beside = coordinates.iter().map(|c| c.beside).collect();
        let (values, ties) = coordinates.into_iter().map(|c| (c.value, c.tie)).unzip();
        JointParts { kind: JointKind::Spatial, rows, coordinates: values, ties, beside, steps }
    }

    /// Whether no rotation is measured: a particle has none. What moves freely relative to a particle turns against the world.
    fn turns_a_particle(self, g: &Geometry<'_>, ends: [MarkerId; 2]) -> bool {
        let looked_at = if self.translation == Translation::Anywhere { &ends[1..] } else { &ends[..] };
        looked_at.iter().any(|m| g.on_particle(*m))
    }

    /// The steps of both parts, where they are not more than these.
    fn steps(self, g: &mut Geometry<'_>, ends: [MarkerId; 2], arguments: &[Argued], steps: Vec<Step>) -> Vec<Step> {
        match (self.translation, self.turning) {
            (Translation::Ellipsoid(i), _) => {
                vec![Step::Ellipsoid { radii: arguments[i], attitude: g.attitude(ends) }]
            }
            (Translation::Screw { axis, pitch }, _) => {
                vec![Step::Screw { axis: arguments[axis], advance: advance(g, arguments[pitch][0]) }]
            }
            (Translation::Anywhere, Turning::Ball) if !g.on_particle(ends[1]) => {
                vec![Step::Free { attitude: g.attitude(ends), velocity: g.velocity_axes(ends) }]
            }
            _ => steps,
        }
    }
}

/// Advance per radian.
fn advance(g: &mut Geometry<'_>, pitch: ExprId) -> ExprId {
    let turn = g.exprs.number(std::f64::consts::TAU);
    g.exprs.div(pitch, turn)
}

impl Translation {
    fn part(self, g: &mut Geometry<'_>, joint: JointId, ends: [MarkerId; 2], arguments: &[Argued]) -> Part {
        match self {
            Translation::Held => Part { rows: apart(g, ends).to_vec(), ..Part::default() },
            Translation::Along(i) | Translation::Carried(i) | Translation::Across(i) => {
                let (axis, normals) = (arguments[i], across(g.exprs, arguments[i]));
                match self {
                    Translation::Across(_) => slides(g, ends, ends[0], &normals, &[axis]),
                    Translation::Carried(_) => slides(g, ends, ends[1], &[axis], &normals),
                    _ => slides(g, ends, ends[0], &[axis], &normals),
                }
            }
            Translation::Anywhere => {
                let free = axes(g);
                slides(g, ends, ends[0], &free, &[])
            }
            Translation::Around(i) => {
                let (r, radius) = (apart(g, ends), arguments[i][0]);
                Part {
                    rows: vec![joints::apart(g, &r, radius)],
                    coordinates: sphere(g, joint, ends).to_vec(),
                    steps: vec![Step::Orbit { radius }],
                }
            }
            Translation::Ellipsoid(i) => Part { rows: on_ellipsoid(g, ends, arguments[i]).to_vec(), ..Part::default() },
            Translation::Screw { axis, pitch } => {
                let u = arguments[axis];
                let [normal, binormal] = off_line(g, ends, ends[0], u);
                // r·û + h φ, φ unwrapped: Q has gone h φ along û.
                let (ahead, h) = (along(g, ends, ends[0], u), advance(g, arguments[pitch][0]));
                let phi = g.exprs.push(mbs_expr::Op::JointCoordinate(joint, 0));
                let advanced = g.exprs.mul(h, phi);
                let advance = g.exprs.add(ahead, advanced);
                Part { rows: vec![normal, binormal, advance], ..Part::default() }
            }
        }
    }
}

/// Slides along directions fixed in a marker, none along others.
fn slides(g: &mut Geometry<'_>, ends: [MarkerId; 2], m: MarkerId, free: &[[ExprId; 3]], held: &[[ExprId; 3]]) -> Part {
    let rows = held.iter().map(|d| along(g, ends, m, *d)).collect();
    let r = g.displacement(ends[0], ends[1]);
    let mut coordinates = Vec::new();
    for d in free {
        let d = g.to_world(m, *d);
        coordinates.push(g.exprs.dot(&r, &d).into());
    }
    Part { rows, coordinates, steps: free.iter().map(|d| Step::Slide { axis: *d }).collect() }
}

impl Turning {
    /// `first` is the number of its first coordinate in the joint.
    fn part(
        self,
        g: &mut Geometry<'_>,
        joint: JointId,
        first: usize,
        ends: [MarkerId; 2],
        arguments: &[Argued],
    ) -> Part {
        match self {
            Turning::Held => Part { rows: parallel(g, ends).to_vec(), ..Part::default() },
            Turning::About(i) => {
                let axis = arguments[i];
                let direction = turn(g, ends, axis);
                Part {
                    rows: untilted(g, ends, axis).to_vec(),
                    coordinates: vec![angle(g, joint, first, direction)],
                    steps: vec![Step::Turn { axis }],
                }
            }
            Turning::Cross([i, j]) => {
                let (u, v) = (arguments[i], arguments[j]);
                let [a, b] = cross_turns(g, ends, u, v);
                Part {
                    rows: vec![crossed(g, ends, u, v)],
                    coordinates: vec![angle(g, joint, first, a), angle(g, joint, first + 1, b)],
                    steps: vec![Step::Turn { axis: u }, Step::Turn { axis: v }],
                }
            }
            Turning::Gimbal => {
                let steps = axes(g).map(|axis| Step::Turn { axis }).to_vec();
                Part { rows: Vec::new(), coordinates: gimbal(g, joint, first, ends).to_vec(), steps }
            }
            Turning::Line | Turning::Ball => {
                let (attitude, rotation) = (g.attitude(ends), relative(g, ends));
                let q = attitude::parameters(g.exprs, attitude, rotation);
                let coordinates = q.into_iter().map(Measured::from).collect();
                match self {
                    Turning::Line => {
                        Part { rows: vec![spin(g, ends)], coordinates, steps: vec![Step::Line { attitude }] }
                    }
                    _ => Part { rows: Vec::new(), coordinates, steps: vec![Step::Ball { attitude }] },
                }
            }
        }
    }
}
