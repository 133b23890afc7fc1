//! Numbers of a spatial mechanism that are computed when parameters are set: poses, mass properties, constants.

use std::collections::BTreeMap;

use mbs_expr::{BodyId, ExprId, MarkerId};
use mbs_math::{Mat3, Vec3, Vector};
use mbs_model::{Model, Rotation};

use super::link::{Kind, Shape};
use super::motion::{Link, Tree};
use super::natural::NaturalNumbers;
use super::plan::Plan;
use super::recursion::{Inertia, Mass};
use super::tree::{Geometry, Part};
use super::vector::{FixedPose, IDENTITY, ZERO};
use crate::constants::Constants;

/// Numbers that depend on parameters alone.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub constants: Constants,
    /// Poses of markers in their bodies (on ground in the world).
    pub markers: Vec<FixedPose>,
    /// Pose of each link's base in its parent.
    pub bases: Vec<FixedPose>,
    /// Axis, advance and radii of each link.
    pub shapes: Vec<Shape>,
    /// Pose of each body in its link.
    pub attachments: Vec<FixedPose>,
    /// Mass properties of each body.
    pub masses: Vec<Mass>,
    /// Inertia of each link about its origin, in its axes.
    pub inertias: Vec<Inertia>,
    /// The point of each link, in its axes, whose velocity the unit metric of the solver contains.
    pub centres: Vec<Vec3<f64>>,
    /// Numbers of each body in natural coordinates.
    pub natural: Vec<NaturalNumbers>,
    /// Entries of M that these bodies fill.
    pub natural_mass: Vec<f64>,
    /// World components of each basic point or vector that is fixed on ground; others are zero.
    pub basics: Vec<Vec3<f64>>,
    /// Acceleration of gravity, world axes \[m/s²\].
    pub gravity: Vec3<f64>,
    /// Whether some motion may be massless, so that M is singular and only rows determine its acceleration.
    pub massless: bool,
}

impl Numbers {
    /// Computes the numbers at flat parameters.
    pub fn new(model: &Model, plan: &Plan, mut constants: Constants, parameters: &[f64]) -> Self {
        constants.evaluate(model, parameters);
        let of_axes = |axes: Rotation| Mat3::of_columns(axes.map(|a| constants.list(a)));
        let rotation = |r: Option<Rotation>| r.map_or(IDENTITY, of_axes);
        let markers: Vec<FixedPose> = model
            .markers
            .iter()
            .map(|m| FixedPose { rotation: rotation(m.rotation), point: constants.list(m.point) })
            .collect();
        let chain = |list: &[Part]| {
            list.iter().fold(FixedPose::IDENTITY, |pose, part| {
                pose.then(&match part {
                    Part::Marker(m) => markers[m.index()],
                    Part::Inverse(m) => markers[m.index()].inverse(),
                })
            })
        };
        let bases: Vec<FixedPose> = plan.geometry.iter().map(|l| chain(&l.before)).collect();
        let attachments: Vec<FixedPose> = plan.attachments.iter().map(|s| chain(s)).collect();
        let masses: Vec<Mass> = model
            .bodies
            .iter()
            .map(|b| Mass {
                mass: constants.value(b.mass),
                com: constants.list(b.com),
                tensor: symmetric(constants.list(b.inertia)),
            })
            .collect();
        let mut inertias = vec![Inertia::ZERO; plan.links.len()];
        for (body, link) in plan.link_of.iter().enumerate() {
            if let Some(link) = link {
                inertias[*link] += Inertia::from_mass(&masses[body], &attachments[body]);
            }
        }
        let is_massless = |b: usize| {
            plan.link_of[b].is_some() && (masses[b].mass == 0.0 || (plan.is_rigid[b] && !is_definite(masses[b].tensor)))
        };
        let still = |l: &Link| matches!(l.kind, Kind::Posed { moves: false, .. });
        let massless = plan.n_v > plan.moved_v || plan.links.iter().any(still) || (0..masses.len()).any(is_massless);
        let centre = |body: &Option<BodyId>| {
            body.map_or(ZERO, |b| attachments[b.index()].point(constants.list(model.bodies[b.index()].com)))
        };
        let natural: Vec<_> = plan.natural.bodies.iter().map(|n| NaturalNumbers::new(model, n, &constants)).collect();
        let basic = |(moves, x): &(Option<usize>, [ExprId; 3])| moves.map_or_else(|| constants.list(*x), |_| ZERO);
        Numbers {
            natural_mass: natural_mass(plan, &natural),
            natural,
            basics: plan.natural.basics.iter().map(basic).collect(),
            shapes: plan.geometry.iter().map(|l| shape(l, &constants)).collect(),
            centres: plan.centred.iter().map(centre).collect(),
            gravity: model.loads.gravity.map_or(ZERO, |g| constants.list(g)),
            markers,
            bases,
            attachments,
            masses,
            inertias,
            massless,
            constants,
        }
    }

    /// Whether all geometry and all mass properties are finite.
    pub fn is_finite(&self) -> bool {
        let entries = |m: Mat3<f64>| m.0.into_iter().flat_map(|row| row.0);
        let poses = self.markers.iter().chain(&self.bases).chain(&self.attachments);
        let of_poses = poses.flat_map(|p| entries(p.rotation).chain(p.point.0));
        let of_masses = self.masses.iter().flat_map(|m| entries(m.tensor).chain(m.com.0).chain([m.mass]));
        let of_shapes = self.shapes.iter().flat_map(|s| s.axis.0.into_iter().chain(s.radii.0).chain([s.advance]));
        let of_natural = self.natural.iter().flat_map(NaturalNumbers::all);
        of_poses.chain(of_masses).chain(of_shapes).chain(of_natural).chain(self.gravity.0).all(f64::is_finite)
    }

    /// The tree with the numbers that a motion needs.
    pub fn tree<'a>(&'a self, plan: &'a Plan) -> Tree<'a> {
        Tree {
            links: &plan.links,
            link_of: &plan.link_of,
            bases: &self.bases,
            shapes: &self.shapes,
            attachments: &self.attachments,
            natural: &plan.natural.bodies,
            natural_numbers: &self.natural,
            poses: &plan.poses,
            constants: &self.constants,
        }
    }

    /// Axis k of a marker in its body's axes.
    pub fn axis(&self, marker: MarkerId, k: u8) -> Vec3<f64> {
        self.markers[marker.index()].rotation.column(usize::from(k))
    }
}

/// Entries of M that bodies in natural coordinates fill.
fn natural_mass(plan: &Plan, numbers: &[NaturalNumbers]) -> Vec<f64> {
    let mut entries = BTreeMap::new();
    let speed = |i| plan.rate_speed(i).expect("rates of basics are speeds");
    plan.natural.bodies.iter().zip(numbers).for_each(|(body, numbers)| numbers.add_mass(body, speed, &mut entries));
    plan.natural.mass.iter().map(|entry| entries.get(entry).copied().unwrap_or(0.0)).collect()
}

fn shape(of: &Geometry, constants: &Constants) -> Shape {
    // The axis of a screw has the sign of the joint's direction already.
    let sign = if of.axis.is_some() { 1.0 } else { of.sign };
    Shape {
        axis: of.axis.map_or(ZERO, |axis| constants.list(axis) * of.sign),
        advance: of.advance.map_or(0.0, |advance| sign * constants.value(advance)),
        radii: of.radii.map_or(ZERO, |radii| constants.list(radii)),
    }
}

/// The symmetric matrix with entries xx, yy, zz, xy, xz, yz.
fn symmetric(Vector([xx, yy, zz, xy, xz, yz]): Vector<f64, 6>) -> Mat3<f64> {
    Mat3([Vector([xx, xy, xz]), Vector([xy, yy, yz]), Vector([xz, yz, zz])])
}

/// Whether a symmetric matrix is positive definite by more than rounding: pivots of its factorisation.
fn is_definite(m: Mat3<f64>) -> bool {
    let small = 1e-12 * (m[0][0].abs() + m[1][1].abs() + m[2][2].abs());
    let first = m[0][0];
    if first <= small {
        return false;
    }
    let (a, b) = (m[1][0] / first, m[2][0] / first);
    let (second, mixed) = (m[1][1] - a * m[1][0], m[2][1] - a * m[2][0]);
    second > small && m[2][2] - b * m[2][0] - mixed * mixed / second > small
}

impl Constants {
    /// Values of several expressions.
    pub fn list<const N: usize>(&self, ids: [ExprId; N]) -> Vector<f64, N> {
        Vector(ids.map(|e| self.value(e)))
    }
}
