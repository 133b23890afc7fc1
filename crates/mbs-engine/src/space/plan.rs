//! The structure of a spatial mechanism, before parameters have values: links, markers, rows, tapes.
//!
//! After this point, links are in the order of the tree, and bodies and markers are looked up by index alone.

mod reactions;

use mbs_expr::{BodyId, ExprId, MarkerId, Op};
use mbs_model::{BodyKind, Model};
use mbs_physics::{Mobilizer, Tree};
use mbs_saddle::Metric;

use super::link::Kind;
use super::motion::Link;
use super::natural::NaturalBodies;
use super::recursion::Composite;
use super::tree::{Geometry, Links, Part};
use crate::constants::Constants;
use crate::plan::{Loads, Rows, Tapes};
use crate::poses::PosePlan;
use crate::tape::{Leaf, Names, Sweep, Tape};

use reactions::ReactionPlan;

/// The structure of a model in a formulation.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub links: Vec<Link>,
    pub geometry: Vec<Geometry>,
    /// For each link: the body whose centre of mass gives the solver's linear speeds, if there is one.
    pub centred: Vec<Option<BodyId>>,
    /// Constant poses from each body's link to the body.
    pub attachments: Vec<Vec<Part>>,
    /// Link of each body; `None` if it is fixed to ground.
    pub link_of: Vec<Option<usize>>,
    /// Whether each body is rigid, not a particle.
    pub is_rigid: Vec<bool>,
    /// Body of each marker; `None` is ground.
    pub marker_bodies: Vec<Option<usize>>,
    /// Bodies in natural coordinates.
    pub natural: NaturalBodies,
    /// Markers on ground that depend on time, with their first root in `ground`: three components of the point, and nine of the axes
    /// where these are declared.
    pub moving: Vec<Moving>,
    /// Tape of these roots.
    pub ground: Tape,
    pub tapes: Tapes,
    pub rows: Rows<RowPlan>,
    pub loads: Loads<usize>,
    /// Entries of M that links fill.
    pub mass: Vec<(usize, usize)>,
    /// Number of coordinates and of speeds that move links; the others, whose rates are speeds, follow.
    pub moved_q: usize,
    pub moved_v: usize,
    /// Number of coordinates and of speeds.
    pub n_q: usize,
    pub n_v: usize,
    /// Plan of the reactions.
    pub reactions: ReactionPlan,
    /// Poses of the model.
    pub poses: Vec<PosePlan>,
}

/// A marker on ground that depends on time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moving {
    pub marker: MarkerId,
    pub root: usize,
    /// Whether its axes are among the roots; otherwise they are the world's.
    pub has_axes: bool,
}

/// One row of G and γ.
#[derive(Clone, Debug)]
pub(crate) struct RowPlan {
    /// 0 position, 1 velocity, 2 acceleration.
    pub level: usize,
    pub sweep: Sweep,
    /// Bodies that it observes.
    pub bodies: Vec<usize>,
    /// Coordinates that it observes, and those of bodies in natural coordinates that it observes.
    pub coordinates: Vec<usize>,
    /// Links whose coordinates it observes.
    pub owners: Vec<usize>,
    /// Its entries among those of G.
    pub slots: std::ops::Range<usize>,
}

impl Plan {
    /// Plan of a resolved model.
    pub fn new(model: &Model, tree: &Tree, constants: &Constants) -> Plan {
        let names = Names { model, tree, constants, measured: false };
        let Links { links, geometry, attachments } = Links::new(model, tree);
        let marker_bodies: Vec<Option<usize>> =
            model.markers.iter().map(|m| m.body.map(mbs_expr::BodyId::index)).collect();
        let (moving, ground) = moving_markers(&names);
        let mut plan = Plan {
            tapes: Tapes::new(&names),
            rows: Rows::new(model, tree),
            loads: Loads::new(&names, &marker_bodies),
            centred: links.iter().map(|l| centred(tree, l)).collect(),
            geometry,
            link_of: attachments.iter().map(|s| s.link).collect(),
            attachments: attachments.into_iter().map(|s| s.poses).collect(),
            is_rigid: model.bodies.iter().map(|b| b.kind == BodyKind::Rigid).collect(),
            marker_bodies,
            natural: NaturalBodies::new(model, tree),
            moving,
            ground,
            mass: Composite::pattern(&links),
            moved_q: links.iter().map(|l| l.coordinates).sum(),
            moved_v: links.iter().map(|l| l.speeds).sum(),
            n_q: tree.n_q(),
            n_v: tree.n(),
            reactions: ReactionPlan::default(),
            poses: model.coordinates.poses.iter().map(|pose| PosePlan::new(&names, pose)).collect(),
            links,
        };
        plan.natural.mass = plan.natural_mass_pattern();
        for (r, row) in tree.rows.iter().enumerate() {
            plan.add_row(r, row.level as usize);
        }
        plan.reactions = ReactionPlan::new(&names, &plan);
        plan
    }

    fn add_row(&mut self, r: usize, level: usize) {
        let sweep = self.tapes.residuals.sweep(r, level);
        let (mut bodies, mut coordinates, mut speeds) = (Vec::new(), Vec::new(), Vec::new());
        for leaf in self.tapes.residuals.swept_leaves(&sweep) {
            bodies.extend(leaf.marker().and_then(|m| self.marker_bodies[m.index()]));
            coordinates.extend(self.coordinate(leaf));
        }
        let natural = bodies.iter().filter_map(|b| self.natural.index_of[*b]);
        coordinates.extend(natural.flat_map(|k| self.natural.bodies[k].coordinates()));
        for list in [&mut bodies, &mut coordinates] {
            list.sort_unstable();
            list.dedup();
        }
        for body in &bodies {
            let mut next = self.link_of[*body];
            while let Some(l) = next {
                speeds.extend(self.links[l].speeds());
                next = self.links[l].parent;
            }
        }
        let is_owner = |l: &usize| coordinates.iter().any(|i| self.links[*l].coordinates().contains(i));
        let owners: Vec<usize> = (0..self.links.len()).filter(is_owner).collect();
        owners.iter().for_each(|l| speeds.extend(self.links[*l].speeds()));
        speeds.extend(coordinates.iter().filter_map(|i| self.rate_speed(*i)));
        speeds.sort_unstable();
        speeds.dedup();
        let first = self.rows.jacobian.len();
        self.rows.jacobian.extend(speeds.iter().map(|v| (r, *v)));
        self.rows.plans.push(RowPlan {
            level,
            sweep,
            bodies,
            coordinates,
            owners,
            slots: first..self.rows.jacobian.len(),
        });
    }

    /// Index of the coordinate that a leaf is, if it is one.
    pub fn coordinate(&self, leaf: Leaf) -> Option<usize> {
        match leaf {
            Leaf::Coordinate(i) => Some(i),
            Leaf::Basic(i, c) => self.natural.basics[i as usize].0.map(|first| first + usize::from(c)),
            _ => None,
        }
    }

    /// Entries (i, j), i ≥ j, of M that bodies in natural coordinates fill.
    fn natural_mass_pattern(&self) -> Vec<(usize, usize)> {
        let mut entries = std::collections::BTreeSet::new();
        for body in &self.natural.bodies {
            let terms = || body.coordinates.iter().flatten();
            let pairs = terms().flat_map(|a| terms().map(move |b| (a, b)));
            let pairs = pairs.flat_map(|(a, b)| (0..3).map(move |c| (a + c, b + c)));
            let speed = |i: usize| self.rate_speed(i).expect("rates of basics are speeds");
            entries.extend(pairs.map(|(i, j)| (speed(i), speed(j))).filter(|(i, j)| i >= j));
        }
        entries.into_iter().collect()
    }

    /// The speed that is the rate of a coordinate; `None` for a coordinate that moves a link.
    pub fn rate_speed(&self, coordinate: usize) -> Option<usize> {
        coordinate.checked_sub(self.moved_q).map(|k| self.moved_v + k)
    }

    /// Whether q̇ = v at all states.
    pub fn speeds_are_rates(&self) -> bool {
        self.links.iter().all(|link| match link.kind {
            Kind::Rotation | Kind::Translation | Kind::Screw | Kind::Orbit | Kind::Shift => true,
            Kind::Posed { pose, .. } => !self.poses[pose].has_rates,
            Kind::Ball { .. } | Kind::Line { .. } | Kind::Ellipsoid { .. } | Kind::Float { .. } => false,
        })
    }

    /// Entries of M in a metric, i ≥ j.
    pub fn mass_pattern(&self, metric: Metric) -> Vec<(usize, usize)> {
        match metric {
            Metric::Mass => self.mass.iter().chain(&self.natural.mass).copied().collect(),
            Metric::Unit => {
                let moving = self.links.iter().flat_map(|l| {
                    let first = l.first_v;
                    l.speeds().flat_map(move |i| (first..=i).map(move |j| (i, j)))
                });
                moving.chain((self.moved_v..self.n_v).map(|i| (i, i))).collect()
            }
        }
    }
}

/// The body whose centre of mass gives the solver's linear speeds of a link, if there is one.
fn centred(tree: &Tree, link: &Link) -> Option<BodyId> {
    let of = tree.links.iter().find(|l| l.first_v == link.first_v)?;
    match of.mobilizer {
        Mobilizer::Free { com: Some((body, _)), .. } => Some(body),
        _ => None,
    }
}

fn moving_markers(names: &Names<'_>) -> (Vec<Moving>, Tape) {
    let exprs = &names.model.exprs;
    let timed = |e: &ExprId| exprs.any(*e, &|op| op == Op::Time);
    let (mut moving, mut roots) = (Vec::new(), Vec::new());
    for (i, m) in names.model.markers.iter().enumerate().filter(|(_, m)| m.body.is_none()) {
        let axes = m.rotation.into_iter().flatten().flatten();
        if m.point.into_iter().chain(axes.clone()).any(|e| timed(&e)) {
            let (marker, root) = (MarkerId(i as u32), roots.len());
            moving.push(Moving { marker, root, has_axes: m.rotation.is_some() });
            roots.extend(m.point.into_iter().chain(axes));
        }
    }
    (moving, Tape::new(names, &roots))
}
