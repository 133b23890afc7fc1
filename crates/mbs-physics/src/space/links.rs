//! Which links a tree of joints has.

use mbs_expr::{BodyId, ExprId, JointId, MarkerId};
use mbs_model::{Attitude, BodyKind, Model, Step, VelocityAxes};

use super::gauge::choose_frames;
use crate::{Placement, Prescribed};

/// A constant pose on the way from one link to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// A marker in its body.
    Marker(MarkerId),
    /// A body in its marker.
    Inverse(MarkerId),
    /// Axes whose z is a given axis.
    Align([ExprId; 3]),
    /// Back from these.
    Unalign([ExprId; 3]),
    /// A pose of numbers.
    Given {
        /// Rows; `None` where the axes are parallel.
        rotation: Option<[[f64; 3]; 3]>,
        /// Origin \[m\].
        point: [f64; 3],
    },
    /// A rotation about a coordinate axis.
    Turn {
        /// 0 = x, 1 = y, 2 = z.
        axis: usize,
        /// Cosine of the angle.
        cos: f64,
        /// Sine of the angle.
        sin: f64,
    },
    /// A marker of a body, in the frame with the same axes at the body's centre of mass.
    FromCom(MarkerId, BodyId),
}

/// An elementary motion with one coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given {
    /// [`Freedom::Turn`]
    #[allow(missing_docs)] // as there
    Turn { axis: usize, sign: f64 },
    /// [`Freedom::Slide`]
    #[allow(missing_docs)] // as there
    Slide { axis: [ExprId; 3], sign: f64 },
    /// [`Freedom::Screw`]
    #[allow(missing_docs)] // as there
    Screw { advance: ExprId, sign: f64 },
}

/// Motion that a link permits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Freedom {
    /// A rotation about a coordinate axis, by the coordinate or by its negative.
    Turn {
        /// 0 = x, 1 = y, 2 = z.
        axis: usize,
        /// 1 or −1.
        sign: f64,
        /// Angle at q = 0 \[rad\].
        offset: f64,
    },
    /// A displacement along an axis.
    Slide {
        /// Unit vector.
        axis: [ExprId; 3],
        /// 1 or −1.
        sign: f64,
    },
    /// A turn about z that advances along it.
    Screw {
        /// Advance per radian \[m\].
        advance: ExprId,
        /// 1 or −1.
        sign: f64,
    },
    /// A rotation about a point; `reversed` if the parameters are those of the parent in the child.
    Ball {
        /// The parameters.
        attitude: Attitude,
        /// Whether the child is the joint's first end.
        reversed: bool,
    },
    /// A rotation about a point, except about z of the joint's second end. The speeds are the x and y components of the second end's angular
    /// velocity relative to the first.
    Line {
        /// The parameters.
        attitude: Attitude,
        /// Whether the child is the joint's first end.
        reversed: bool,
    },
    /// A rotation about any axis that moves the origin on an ellipsoid; its speeds are those of a ball.
    Ellipsoid {
        /// Radii of the ellipsoid, which is fixed in the joint's first end \[m\].
        radii: [ExprId; 3],
        /// The parameters.
        attitude: Attitude,
        /// Whether the child is the joint's first end.
        reversed: bool,
    },
    /// Displacements in the parent's axes.
    Shift,
    /// A displacement on a sphere, by azimuth and elevation.
    Orbit {
        /// Radius of the sphere \[m\].
        radius: ExprId,
        /// 1 or −1.
        sign: f64,
    },
    /// Pose that the joint's kind declares.
    Posed {
        /// Index into [`Model::poses`].
        pose: u32,
        /// How many coordinates.
        coordinates: u8,
        /// How many speeds.
        speeds: u8,
        /// Whether the child is the joint's first end.
        reversed: bool,
        /// Whether it moves a body; a joint that closes a loop has coordinates, and rows that constrain its ends.
        moves: bool,
    },
    /// Motion as a function of time, without degrees of freedom.
    Given(Given),
    /// All six degrees of freedom.
    Float {
        /// The parameters.
        attitude: Attitude,
        /// Axes of the interface's linear speeds.
        velocity: VelocityAxes,
        /// Whether the child is the joint's first end.
        reversed: bool,
        /// The body whose centre of mass the link's origin is, whose velocity in world axes the solver uses; otherwise it uses the
        /// relative twist in the link's axes at its origin, the joint's marker.
        com: Option<(BodyId, MarkerId)>,
    },
}

impl Freedom {
    /// How many speeds.
    pub fn speeds(&self) -> usize {
        match self {
            Freedom::Turn { .. } | Freedom::Slide { .. } | Freedom::Screw { .. } => 1,
            Freedom::Line { .. } | Freedom::Orbit { .. } => 2,
            Freedom::Ball { .. } | Freedom::Ellipsoid { .. } | Freedom::Shift => 3,
            Freedom::Posed { speeds, .. } => usize::from(*speeds),
            Freedom::Given(_) => 0,
            Freedom::Float { .. } => 6,
        }
    }

    /// How many coordinates.
    pub fn coordinates(&self) -> usize {
        match self {
            Freedom::Turn { .. } | Freedom::Slide { .. } | Freedom::Screw { .. } => 1,
            Freedom::Orbit { .. } => 2,
            Freedom::Shift => 3,
            Freedom::Ball { attitude, .. } | Freedom::Line { attitude, .. } | Freedom::Ellipsoid { attitude, .. } => {
                attitude.count()
            }
            Freedom::Posed { coordinates, .. } => usize::from(*coordinates),
            Freedom::Given(_) => 0,
            Freedom::Float { attitude, .. } => 3 + attitude.count(),
        }
    }

    /// The attitude among its coordinates, and the number of its first parameter.
    pub fn attitude(&self) -> Option<(Attitude, usize)> {
        match *self {
            Freedom::Ball { attitude, .. } | Freedom::Line { attitude, .. } | Freedom::Ellipsoid { attitude, .. } => {
                Some((attitude, 0))
            }
            Freedom::Float { attitude, .. } => Some((attitude, 3)),
            Freedom::Turn { .. }
            | Freedom::Slide { .. }
            | Freedom::Screw { .. }
            | Freedom::Shift
            | Freedom::Posed { .. }
            | Freedom::Given(_)
            | Freedom::Orbit { .. } => None,
        }
    }

    /// Motion with a free coordinate in place of the prescribed one.
    pub fn moved(self) -> Freedom {
        match self {
            Freedom::Given(Given::Turn { axis, sign }) => Freedom::Turn { axis, sign, offset: 0.0 },
            Freedom::Given(Given::Slide { axis, sign }) => Freedom::Slide { axis, sign },
            Freedom::Given(Given::Screw { advance, sign }) => Freedom::Screw { advance, sign },
            other => other,
        }
    }

    /// Motion with `count` of its coordinates prescribed as functions of time.
    fn given(self, count: usize) -> Freedom {
        match self {
            own if count == 0 => own,
            Freedom::Turn { axis, sign, .. } => Freedom::Given(Given::Turn { axis, sign }),
            Freedom::Slide { axis, sign } => Freedom::Given(Given::Slide { axis, sign }),
            Freedom::Screw { advance, sign } => Freedom::Given(Given::Screw { advance, sign }),
            Freedom::Posed { pose, coordinates, speeds, reversed, moves } => {
                let left = |n: u8| n - count as u8;
                Freedom::Posed { pose, coordinates: left(coordinates), speeds: left(speeds), reversed, moves }
            }
            _ => unreachable!("coordinates of turns, slides, screws and poses are prescribed"),
        }
    }
}

/// Owner of a link's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkOwner {
    /// A body without a joint.
    Body(BodyId),
    /// A step of a joint: number of its first coordinate and of its first speed among the joint's.
    Joint(JointId, u8, u8),
}

/// One elementary motion of the tree, and the frame it moves.
#[derive(Clone, Debug)]
pub struct Link {
    /// Parent link; `None` is ground.
    pub parent: Option<usize>,
    /// Constant poses from the parent's frame to the frame it moves in.
    pub before: Vec<Constant>,
    /// Motion that the link permits.
    pub freedom: Freedom,
    /// Index of its first coordinate.
    pub first_q: usize,
    /// Index of its first speed.
    pub first_v: usize,
    /// Owner of its coordinates.
    pub owner: LinkOwner,
    /// Coordinates that are functions of time: their numbers among those of the step, and their values.
    pub given: Vec<(u8, ExprId)>,
}

/// A rotation by an attitude, with the angular velocity in its own axes as speeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning {
    /// Parameters of the attitude.
    pub attitude: Attitude,
    /// Index of its first coordinate.
    pub first_q: usize,
    /// Index of its first speed.
    pub first_v: usize,
    /// Axes of the speeds of its displacement, which precedes the rotation; `None` if it does not float.
    pub floats: Option<VelocityAxes>,
}

impl Link {
    /// Numbers of its own `count` coordinates or speeds among those of the step.
    pub fn numbers(&self, count: usize) -> impl Iterator<Item = u8> {
        let given: Vec<u8> = self.given.iter().map(|g| g.0).collect();
        (0..).filter(move |k| !given.contains(k)).take(count)
    }

    /// All coordinates, speeds or accelerations of the step, from the link's own and from those that are given.
    pub fn all<S: Copy>(&self, own: &[S], given: impl Fn(ExprId) -> S) -> Vec<S> {
        let mut own = own.iter().copied();
        let is = |k: usize| self.given.iter().find(|g| usize::from(g.0) == k).map(|g| given(g.1));
        (0..own.len() + self.given.len()).filter_map(|k| is(k).or_else(|| own.next())).collect()
    }

    /// Its attitude, and the number of the first parameter among all coordinates.
    pub fn attitude(&self) -> Option<(Attitude, usize)> {
        self.freedom.attitude().map(|(attitude, first)| (attitude, self.first_q + first))
    }

    /// The attitude it turns by in every way, if it does.
    pub fn turning(&self) -> Option<Turning> {
        let (attitude, floats) = match self.freedom {
            Freedom::Ball { attitude, .. } | Freedom::Ellipsoid { attitude, .. } => (attitude, None),
            Freedom::Float { attitude, velocity, .. } => (attitude, Some(velocity)),
            _ => return None,
        };
        Some(Turning { attitude, first_q: self.first_q, first_v: self.first_v, floats })
    }
}

/// Where a body stands.
#[derive(Clone, Debug, Default)]
pub struct Stand {
    /// The link; `None` is ground.
    pub link: Option<usize>,
    /// Constant poses from the link's frame to the body's.
    pub poses: Vec<Constant>,
}

/// Links of a tree, parents first, and where each body stands.
pub fn links(
    model: &Model,
    placements: &[Placement],
    order: &[BodyId],
    prescribed: &[Prescribed],
) -> (Vec<Link>, Vec<Stand>) {
    let mut chain =
        Chain { model, prescribed, links: Vec::new(), stands: vec![Stand::default(); model.bodies.len()], q: 0, v: 0 };
    for &body in order {
        let carries = placements.iter().any(|p| matches!(p, Placement::Joint { parent: Some(p), .. } if *p == body));
        chain.place(body, placements[body.index()], carries);
    }
    let spans = |j: JointId| {
        let is = |p: &Placement| matches!(*p, Placement::Joint { joint, .. } if joint == j);
        placements.iter().any(is)
    };
    // Coordinates of joints that close loops, which nothing else is.
    for (pose, of) in model.poses.iter().enumerate().filter(|(_, pose)| !spans(pose.joint)) {
        let (coordinates, speeds) = (of.n_q() as u8, of.n_v() as u8);
        let freedom = Freedom::Posed { pose: pose as u32, coordinates, speeds, reversed: false, moves: false };
        chain.push(Stand::default(), freedom, LinkOwner::Joint(of.joint, 0, 0));
    }
    let (mut links, mut stands) = (chain.links, chain.stands);
    choose_frames(model, &mut links, &mut stands);
    (links, stands)
}

struct Chain<'m> {
    model: &'m Model,
    prescribed: &'m [Prescribed],
    links: Vec<Link>,
    stands: Vec<Stand>,
    q: usize,
    v: usize,
}

impl Chain<'_> {
    fn place(&mut self, body: BodyId, placement: Placement, carries: bool) {
        let declared = &self.model.bodies[body.index()];
        let (joint, parent, reversed) = match placement {
            Placement::Free { joint: None, .. } => {
                let marker = declared.origin_marker;
                if declared.kind == BodyKind::Particle {
                    self.push(Stand::default(), Freedom::Shift, LinkOwner::Body(body));
                    return self.stand(body, None, marker);
                }
                let com = (!carries).then_some((body, marker));
                let (attitude, velocity) = (declared.attitude, declared.velocity_axes);
                let freedom = Freedom::Float { attitude, velocity, reversed: false, com };
                self.push(Stand::default(), freedom, LinkOwner::Body(body));
                return self.stand(body, com, marker);
            }
            // It stands on basic points and vectors.
            Placement::Natural => return,
            Placement::Free { joint: Some(joint), reversed } => (joint, None, reversed),
            Placement::Joint { joint, parent, reversed } => (joint, parent, reversed),
        };
        let joint_id = joint;
        let joint = self.model.joint(joint);
        let [inboard, outboard] = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
        let mut stand = parent.map_or_else(Stand::default, |p| self.stands[p.index()].clone());
        stand.poses.push(Constant::Marker(inboard));
        let mut first = (0, 0);
        let numbered = joint.steps().iter().map(|step| {
            let at = first;
            first = (at.0 + step.coordinates() as u8, at.1 + step.speeds() as u8);
            (*step, LinkOwner::Joint(joint_id, at.0, at.1))
        });
        let mut steps: Vec<(Step, LinkOwner)> = numbered.collect();
        if reversed {
            steps.reverse();
        }
        let com = (!carries && parent.is_none() && !reversed).then_some((body, outboard));
        for (step, owner) in steps {
            stand = self.step(stand, step, owner, reversed, com);
        }
        let floats = joint.steps().iter().any(|s| matches!(s, Step::Free { .. }));
        match com.filter(|_| floats) {
            Some(com) => self.stand(body, Some(com), outboard),
            None => {
                stand.poses.push(Constant::Inverse(outboard));
                self.stands[body.index()] = stand;
            }
        }
    }

    /// The body of the last link, by its marker.
    fn stand(&mut self, body: BodyId, com: Option<(BodyId, MarkerId)>, marker: MarkerId) {
        let mut poses: Vec<Constant> = com.map(|(body, marker)| Constant::FromCom(marker, body)).into_iter().collect();
        poses.push(Constant::Inverse(marker));
        self.stands[body.index()] = Stand { link: Some(self.links.len() - 1), poses };
    }

    /// Adds the link of a step; what follows stands on it.
    fn step(
        &mut self,
        mut from: Stand,
        step: Step,
        owner: LinkOwner,
        reversed: bool,
        com: Option<(BodyId, MarkerId)>,
    ) -> Stand {
        let way = if reversed { -1.0 } else { 1.0 };
        let mut after = Vec::new();
        let freedom = match step {
            Step::Turn { axis } => match coordinate_axis(self.model, axis) {
                Some((axis, sign)) => Freedom::Turn { axis, sign: sign * way, offset: 0.0 },
                None => {
                    from.poses.push(Constant::Align(axis));
                    after.push(Constant::Unalign(axis));
                    Freedom::Turn { axis: 2, sign: way, offset: 0.0 }
                }
            },
            Step::Slide { axis } => Freedom::Slide { axis, sign: way },
            Step::Screw { axis, advance } => {
                from.poses.push(Constant::Align(axis));
                after.push(Constant::Unalign(axis));
                Freedom::Screw { advance, sign: way }
            }
            Step::Ball { attitude } => Freedom::Ball { attitude, reversed },
            Step::Line { attitude } => Freedom::Line { attitude, reversed },
            Step::Ellipsoid { radii, attitude } => Freedom::Ellipsoid { radii, attitude, reversed },
            Step::Orbit { radius } => Freedom::Orbit { radius, sign: way },
            Step::Posed { pose, coordinates, speeds } => {
                Freedom::Posed { pose, coordinates, speeds, reversed, moves: true }
            }
            Step::Free { attitude, velocity } => Freedom::Float { attitude, velocity, reversed, com },
        };
        self.push(from, freedom, owner);
        Stand { link: Some(self.links.len() - 1), poses: after }
    }

    fn push(&mut self, from: Stand, freedom: Freedom, owner: LinkOwner) {
        let (first_q, first_v) = (self.q, self.v);
        let given = self.given(&freedom, owner);
        let freedom = freedom.given(given.len());
        self.q += freedom.coordinates();
        self.v += freedom.speeds();
        self.links.push(Link { parent: from.link, before: from.poses, freedom, first_q, first_v, owner, given });
    }

    /// Numbers and values of a step's coordinates that are prescribed.
    fn given(&self, freedom: &Freedom, owner: LinkOwner) -> Vec<(u8, ExprId)> {
        let LinkOwner::Joint(joint, first, _) = owner else { return Vec::new() };
        let own = first..first + freedom.coordinates() as u8;
        let mine = |p: &&Prescribed| p.joint == joint && own.contains(&p.coordinate);
        let mut given: Vec<(u8, ExprId)> =
            self.prescribed.iter().filter(mine).map(|p| (p.coordinate - first, p.value)).collect();
        given.sort_unstable_by_key(|g| g.0);
        given
    }
}

/// Which coordinate axis a literal axis is, and its sign.
fn coordinate_axis(model: &Model, axis: [ExprId; 3]) -> Option<(usize, f64)> {
    let numbers = axis.map(|e| model.exprs.value(e));
    let others = |k: usize| (0..3).all(|i| i == k || numbers[i] == Some(0.0));
    (0..3).find_map(|k| numbers[k].filter(|x| x.abs() == 1.0 && others(k)).map(|x| (k, x)))
}
