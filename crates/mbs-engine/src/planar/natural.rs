//! Bodies in natural coordinates: origin and axes are constant combinations of basic points and vectors bᵢ, so that M is constant and no force is
//! quadratic in speeds. The equations are in `natural.rs` of mbs-physics.
//!
//! ```text
//! (1)  (o, x̂, ŷ) = Σᵢ (αᵢ 1 + βᵢ ẑ×) bᵢ          forces on bᵢ: Σ (αᵢ 1 − βᵢ ẑ×) F   over F_o, F_x, F_y
//! (2)  θ = atan2(x̂),   θ̇ = x̂ × dx̂/dt / x̂²,   θ̈ = x̂ × d²x̂/dt² / x̂² − 2 θ̇ x̂·dx̂/dt / x̂²
//! ```

use std::collections::BTreeMap;

use mbs_core::math::atan2;
use mbs_expr::{BodyId, Series};
use mbs_math::{Vec2, Vector};
use mbs_model::{BodyKind, Model, plane};
use mbs_physics::{BasicFrame, InterfaceCoordinate, Tree, basis_terms, mass_block, planar_moments};

use super::plane::{PointMotion, Wrench, ZERO, cos_sin, perpendicular, unit};
use crate::constants::Constants;
use crate::inputs::Inputs;
use crate::natural::{Affine, MassMoments};

/// A body in natural coordinates, before parameters have values.
#[derive(Clone, Debug)]
pub(crate) struct NaturalPlan {
    pub body: BodyId,
    pub is_rigid: bool,
    /// Index of its continuous angle among the coordinates, if it has one.
    pub counted: Option<usize>,
    /// Indices of its basic points, then of its basic vectors.
    pub basics: Vec<usize>,
    /// Indices of the coordinates of each of its terms, which are its basics and, for a particle, the axes of the world; `None` if it is fixed.
    pub coordinates: Vec<Option<[usize; 2]>>,
}

impl NaturalPlan {
    /// All bodies in natural coordinates.
    pub fn all(model: &Model, tree: &Tree) -> Vec<NaturalPlan> {
        let plan = |body: BodyId| {
            let basis = model.coordinates.natural.basis(body)?;
            let is_rigid = model.bodies[body.index()].kind == BodyKind::Rigid;
            let basics: Vec<usize> = basis.points.iter().chain(&basis.vectors).map(|(i, _)| *i).collect();
            let coordinates = basics.iter().map(|i| basic_coordinates(tree, *i)).chain((!is_rigid).then_some(None));
            let counted = tree.interface_index(InterfaceCoordinate::ContinuousAngle(body));
            Some(NaturalPlan { body, is_rigid, counted, coordinates: coordinates.collect(), basics })
        };
        (0..model.bodies.len() as u32).map(BodyId).filter_map(plan).collect()
    }

    /// Indices of its coordinates, two for each basic that is not fixed.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.coordinates.iter().flatten().flatten().copied()
    }

    /// Whether its basics have two directions, so that its axes do not rotate together off the constraints.
    fn is_spanned(&self) -> bool {
        self.coordinates.len() > 2
    }

    /// Entries (i, j), i ≥ j, of M.
    fn mass_pattern(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let terms = || self.coordinates.iter().flatten();
        let pairs = terms().flat_map(move |a| terms().map(move |b| (*a, *b)));
        pairs.flat_map(|(a, b)| {
            let mixed = (a != b && !self.is_spanned()).then_some([(a[0], b[1]), (a[1], b[0])]);
            [(a[0], b[0]), (a[1], b[1])].into_iter().chain(mixed.into_iter().flatten()).filter(|(i, j)| i >= j)
        })
    }

    /// Adds `forces` to the entries of a vector at its coordinates, by (1).
    pub fn project(&self, numbers: &NaturalNumbers, forces: &Affine<2>, mut add: impl FnMut(usize, f64)) {
        for (k, coordinates) in self.coordinates.iter().enumerate() {
            let Some([x, y]) = *coordinates else { continue };
            let force = numbers.force_on_term(k, forces);
            add(x, force[0]);
            add(y, force[1]);
        }
    }
}

/// Indices of the coordinates of a basic point or vector; `None` if it is fixed on ground.
pub(crate) fn basic_coordinates(tree: &Tree, basic: usize) -> Option<[usize; 2]> {
    let index = |k: u8| tree.interface_index(InterfaceCoordinate::Basic(basic as u32, k));
    Some([index(0)?, index(1)?])
}

/// Entries (i, j), i ≥ j, of M that bodies in natural coordinates fill, ascending.
pub(crate) fn mass_pattern(bodies: &[NaturalPlan]) -> Vec<(usize, usize)> {
    let all: std::collections::BTreeSet<_> = bodies.iter().flat_map(NaturalPlan::mass_pattern).collect();
    all.into_iter().collect()
}

/// The numbers of a body in natural coordinates that depend on parameters alone.
#[derive(Clone, Debug)]
pub(crate) struct NaturalNumbers {
    /// (α, β) of each term: for the origin and the two axes.
    coefficients: Vec<[[f64; 2]; 3]>,
    /// World components of the terms that are fixed.
    fixed: Vec<Vec2<f64>>,
    /// The angle that the body's is next to \[rad\].
    declared_angle: f64,
    pub moments: MassMoments<2>,
    /// M by entries.
    mass: BTreeMap<(usize, usize), f64>,
}

impl NaturalNumbers {
    pub fn new(model: &Model, plan: &NaturalPlan, constants: &Constants) -> Self {
        let declared = &model.bodies[plan.body.index()];
        let natural = &model.coordinates.natural;
        let basis = natural.basis(plan.body).expect("it is a body in natural coordinates");
        let number = |e| Series::<1>::constant(constants.value(e));
        let frames: Vec<BasicFrame<Series<1>>> = basis
            .points
            .iter()
            .chain(&basis.vectors)
            .zip(&plan.coordinates)
            .enumerate()
            .map(|(frame, ((_, x), coordinates))| BasicFrame {
                frame,
                coordinates: *coordinates,
                components: plane(*x).map(number),
            })
            .collect();
        let (points, vectors) = frames.split_at(basis.points.len());
        let terms = basis_terms(points, vectors);
        let moments = planar_moments(declared, &number);
        let mut mass = BTreeMap::new();
        for a in &terms {
            for b in &terms {
                let (Some([ax, ay]), Some([bx, by])) = (a.coordinates, b.coordinates) else { continue };
                let [dot, cross] = mass_block(&moments, a, b).map(Series::value);
                let entries = [(ax, bx, dot), (ay, by, dot), (ax, by, -cross), (ay, bx, cross)];
                entries.into_iter().filter(|(i, j, _)| i >= j).for_each(|(i, j, m)| {
                    *mass.entry((i, j)).or_insert(0.0) += m;
                });
            }
        }
        let coefficients = terms.iter().map(|term| [term.constant, term.derivatives[0], term.derivatives[1]]);
        let fixed = plan.basics.iter().map(|i| constants.pair(plane(natural.basics[*i].components)));
        let [[m, x, y], [_, xx, xy], [.., yy]] = moments.map(|row| row.map(Series::value));
        NaturalNumbers {
            coefficients: coefficients.map(|c| c.map(|c| c.map(Series::value))).collect(),
            fixed: fixed.chain((!plan.is_rigid).then_some(unit(0))).collect(),
            declared_angle: declared.angle.map_or(0.0, |angle| constants.value(angle)),
            moments: MassMoments { mass: m, first: Vector([x, y]), second: [Vector([xx, xy]), Vector([xy, yy])] },
            mass,
        }
    }

    /// All numbers, of which none may be infinite.
    pub fn all(&self) -> impl Iterator<Item = f64> + '_ {
        let coefficients = self.coefficients.iter().flatten().flatten().copied();
        let fixed = self.fixed.iter().flat_map(|x| x.0);
        coefficients.chain(fixed).chain([self.declared_angle]).chain(self.mass.values().copied())
    }

    /// Adds its part of the entries of M at `pattern`, which is ascending.
    pub fn add_mass(&self, pattern: &[(usize, usize)], entries: &mut [f64]) {
        for (entry, m) in &self.mass {
            if let Ok(k) = pattern.binary_search(entry) {
                entries[k] += m;
            }
        }
    }

    /// The combination (1) of the values of coordinates; fixed terms count if `is_fixed_included`.
    fn combined(&self, plan: &NaturalPlan, x: &[f64], is_fixed_included: bool) -> Affine<2> {
        let mut sum = Affine::ZERO;
        for (k, (coordinates, [origin, axes @ ..])) in plan.coordinates.iter().zip(&self.coefficients).enumerate() {
            let b = match *coordinates {
                Some(c) => Vector(c.map(|i| x.get(i).copied().unwrap_or(0.0))),
                None if is_fixed_included => self.fixed[k],
                None => continue,
            };
            sum += Affine { origin: b.rotated(*origin), axes: axes.map(|c| b.rotated(c)) };
        }
        sum
    }

    /// The force on term k that is equivalent to forces on origin and axes, by (1).
    pub fn force_on_term(&self, k: usize, forces: &Affine<2>) -> Vec2<f64> {
        let [origin, axes @ ..] = self.coefficients[k];
        let transposed = |[alpha, beta]: [f64; 2], f: Vec2<f64>| f.rotated([alpha, -beta]);
        axes.into_iter().zip(forces.axes).fold(transposed(origin, forces.origin), |sum, (c, f)| sum + transposed(c, f))
    }
}

/// Motion of a body in natural coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NaturalMotion {
    pub position: Affine<2>,
    pub velocity: Affine<2>,
    pub acceleration: Affine<2>,
    /// Angle with its first two rates \[rad, rad/s, rad/s²\].
    pub angle: [f64; 3],
}

impl NaturalMotion {
    /// At the world's origin, with no axes.
    pub const ZERO: NaturalMotion =
        NaturalMotion { position: Affine::ZERO, velocity: Affine::ZERO, acceleration: Affine::ZERO, angle: [0.0; 3] };

    pub fn new(plan: &NaturalPlan, numbers: &NaturalNumbers, at: &Inputs<'_>) -> Self {
        let position = numbers.combined(plan, at.q, true);
        let velocity = numbers.combined(plan, at.v, false);
        let acceleration = numbers.combined(plan, at.a, false);
        let angle = match plan.counted {
            _ if !plan.is_rigid => [0.0; 3],
            Some(i) => [at.q, at.v, at.a].map(|x| x.get(i).copied().unwrap_or(0.0)),
            None => {
                let [x, v, a] = [position, velocity, acceleration].map(|state| state.axes[0]);
                let start = numbers.declared_angle;
                let from_start = x.rotated(cos_sin(-start));
                let square = x.square();
                let rate = x.cross(v) / square;
                let second = x.cross(a) / square - 2.0 * rate * x.dot(v) / square;
                [start + atan2(from_start[1], from_start[0]), rate, second]
            }
        };
        NaturalMotion { position, velocity, acceleration, angle }
    }

    /// Motion of a point of the body, given in body axes.
    pub fn point(&self, local: Vec2<f64>) -> PointMotion {
        let point = self.position.point(local);
        PointMotion {
            arm: point - self.position.origin,
            point,
            velocity: self.velocity.point(local),
            acceleration: self.acceleration.point(local),
        }
    }

    /// Forces on origin and axes with the power τ x̂ × dx̂/dt.
    pub fn torque_on_axes(&self, torque: f64) -> Affine<2> {
        Affine { origin: ZERO, axes: [perpendicular(self.position.axes[0]) * torque, ZERO] }
    }

    /// Forces on origin and axes of a wrench about the origin.
    pub fn wrench_on_axes(&self, wrench: Wrench) -> Affine<2> {
        Affine { origin: wrench.force, ..self.torque_on_axes(wrench.torque) }
    }
}
