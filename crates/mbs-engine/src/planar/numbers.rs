//! Numbers of a planar mechanism that are computed when parameters are set: geometry, mass properties, constants.

use mbs_math::{Vec2, Vector};
use mbs_model::{BasicEquation, Model, Step, plane};
use mbs_physics::{Placement, Tree};

use crate::constants::Constants;
use crate::planar::link::{Link, StepKind};
use crate::planar::natural::NaturalNumbers;
use crate::planar::plan::Plan;
use crate::planar::plane::{ZERO, cos_sin, perpendicular};
use crate::planar::recursion::Mass;
use crate::planar::rows::SPATIAL_ROW;

/// Numbers that depend on parameters alone.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub constants: Constants,
    /// Points of markers in body axes (world axes on ground).
    pub points: Vec<Vec2<f64>>,
    /// Angles of markers.
    pub angles: Vec<f64>,
    /// (cos, sin) of the angles of markers; of zero where a marker moves on ground, whose tape has its angle.
    pub rotations: Vec<[f64; 2]>,
    /// Geometry of each step.
    pub links: Vec<Link>,
    /// Mass properties of the body of each step.
    pub masses: Vec<Mass>,
    /// Numbers of each body in natural coordinates.
    pub natural: Vec<NaturalNumbers>,
    /// Entries of M that these bodies fill.
    pub natural_mass: Vec<f64>,
    /// World components of each basic point or vector that is fixed on ground; others are zero.
    pub basics: Vec<Vec2<f64>>,
    /// By row: the normal of `off line`, the length of `distance`.
    pub rows: Vec<Vec2<f64>>,
    /// Acceleration of gravity, world axes \[m/s²\].
    pub gravity: Vec2<f64>,
    /// Whether some motion may be massless, so that M is singular and only rows determine its acceleration.
    pub massless: bool,
}

impl Numbers {
    /// Computes the numbers at flat parameters.
    pub fn new(model: &Model, tree: &Tree, plan: &Plan, mut constants: Constants, parameters: &[f64]) -> Self {
        constants.evaluate(model, parameters);
        let points: Vec<Vec2<f64>> = model.markers.iter().map(|m| constants.pair(plane(m.point))).collect();
        let angles: Vec<f64> = model.markers.iter().map(|m| constants.value(m.angle)).collect();
        let mut rotations: Vec<[f64; 2]> = angles.iter().map(|a| cos_sin(*a)).collect();
        plan.moving.iter().for_each(|(m, _)| rotations[m.index()] = [1.0, 0.0]);
        let masses: Vec<Mass> = plan
            .bodies
            .iter()
            .map(|b| {
                let body = &model.bodies[b.index()];
                Mass {
                    mass: constants.value(body.mass),
                    com: constants.pair(plane(body.com)),
                    inertia: constants.value(body.inertia[2]),
                }
            })
            .collect();
        let natural: Vec<_> = plan.natural.iter().map(|n| NaturalNumbers::new(model, n, &constants)).collect();
        let mut natural_mass = vec![0.0; plan.natural_mass.len()];
        natural.iter().for_each(|n| n.add_mass(&plan.natural_mass, &mut natural_mass));
        let basics = plan.basics.iter().map(|(moves, x)| moves.map_or_else(|| constants.pair(*x), |_| ZERO)).collect();
        // Vectors of bodies in natural coordinates may have no inertia.
        let massless = plan.moved != (0..plan.n)
            || plan.steps.iter().zip(&masses).any(|(s, m)| m.mass == 0.0 || (s.is_rigid && m.inertia == 0.0));
        let mut numbers = Numbers {
            gravity: model.loads.gravity.map_or(ZERO, |g| constants.pair(plane(g))),
            links: Vec::new(),
            rows: Vec::new(),
            natural,
            natural_mass,
            basics,
            constants,
            points,
            rotations,
            angles,
            masses,
            massless,
        };
        numbers.links = (0..plan.steps.len()).map(|s| numbers.link(model, tree, plan, s)).collect();
        numbers.rows = plan.rows.plans.iter().map(|r| numbers.row(r)).collect();
        numbers
    }

    /// Whether all geometry and all mass properties are finite.
    pub fn is_finite(&self) -> bool {
        let pairs =
            self.points.iter().chain(&self.rows).chain([&self.gravity]).chain(self.masses.iter().map(|m| &m.com));
        let singles = self.angles.iter().copied().chain(self.masses.iter().flat_map(|m| [m.mass, m.inertia]));
        let natural = self.natural.iter().flat_map(NaturalNumbers::all);
        pairs
            .flat_map(|v| v.0)
            .chain(singles)
            .chain(natural)
            .chain(self.links.iter().map(|l| l.alignment))
            .all(f64::is_finite)
    }

    fn link(&self, model: &Model, tree: &Tree, plan: &Plan, s: usize) -> Link {
        let (joint, reversed) = match tree.placements[plan.bodies[s].index()] {
            Placement::Joint { joint, reversed, .. } | Placement::Free { joint: Some(joint), reversed } => {
                (model.joint(joint), reversed)
            }
            Placement::Free { joint: None, .. } | Placement::Natural => return Link::NONE,
        };
        let ends = if reversed { [joint.ends[1], joint.ends[0]] } else { joint.ends };
        let [inboard, outboard] = ends.map(|m| m.index());
        let mut link = Link {
            inboard: self.points[inboard],
            inboard_rotation: cos_sin(self.angles[inboard]),
            outboard: self.points[outboard],
            outboard_rotation: cos_sin(self.angles[outboard]),
            alignment: self.angles[inboard] - self.angles[outboard],
            ..Link::NONE
        };
        let Some(motion) = &joint.motion else { unreachable!("joints of the tree have a motion") };
        // The sign is the direction in which a coordinate moves the child.
        let sign = if reversed { -1.0 } else { 1.0 };
        let angle = motion.angle.map_or(0.0, |angle| self.constants.value(angle));
        // Translations follow axes of the first end. Where that does not rotate, the axes of the inboard marker are used.
        let first = match (reversed, joint.has_revolute_step()) {
            (false, _) => link.inboard_rotation,
            (true, true) => link.outboard_rotation,
            (true, false) => cos_sin(self.angles[inboard] - angle),
        };
        let translations = motion.steps.iter().filter_map(|step| match *step {
            Step::Prismatic { axis } => Some(plane(axis)),
            _ => None,
        });
        for (to, axis) in link.axes.iter_mut().zip(translations) {
            *to = (self.constants.pair(axis) * sign).rotated(first);
        }
        link.alignment += sign * angle;
        link.rotation = cos_sin(link.alignment);
        debug_assert!(plan.steps[s].kind != StepKind::World);
        link
    }

    fn row(&self, row: &crate::planar::rows::RowPlan) -> Vec2<f64> {
        let Some(basic) = row.basic else { return ZERO };
        match basic.equation {
            BasicEquation::Coincident(_) | BasicEquation::Parallel { .. } => ZERO,
            BasicEquation::CommonAxis { .. } | BasicEquation::ParallelAxes(_) => unreachable!("{SPATIAL_ROW}"),
            BasicEquation::Distance { length } => Vector([self.constants.value(length), 0.0]),
            BasicEquation::OffLine { axis } => {
                perpendicular(self.constants.pair(axis)).rotated(self.rotations[basic.ends[0].index()])
            }
        }
    }
}
