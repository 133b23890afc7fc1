//! Bodies in natural coordinates: origin and axes are constant combinations of basic points and vectors bᵢ, so that M is constant and no force is
//! quadratic in speeds. The equations are in `natural.rs` of mbs-physics.
//!
//! ```text
//! (1)  o = Σᵢ γᵢ(0) bᵢ,   xₖ = Σᵢ (gᵢ)ₖ bᵢ          forces on bᵢ: γᵢ(0) F_o + Σₖ (gᵢ)ₖ Fₖ
//! (2)  ω = ½ Σₖ xₖ × dxₖ/dt                         of a moment m: Fₖ = ½ m × xₖ
//! (3)  bars with the line d̄:  ω = d × ḋ/d̄²          of a moment m: Fₖ = d̄ₖ/d̄² m × d
//! ```

use std::collections::BTreeMap;

use mbs_expr::{BodyId, ExprId, Series};
use mbs_math::{Each, Mat3, Vec3, Vector};
use mbs_model::Model;
use mbs_physics::{BasisRotation, InterfaceCoordinate, PlacedBasis, Tree, off_axis_vector};

use super::frame::{Frame, GROUND, VectorMotion};
use super::vector::{Wrench, ZERO, unit};
use crate::constants::Constants;
use crate::natural::{Affine, MassMoments};

/// A body in natural coordinates, before parameters have values.
#[derive(Clone, Debug)]
pub(crate) struct NaturalPlan {
    pub body: BodyId,
    /// Indices of its basic points, then of its basic vectors.
    pub basics: Vec<usize>,
    /// Index of the first of three coordinates of each basic; `None` if it is fixed on ground.
    pub coordinates: Vec<Option<usize>>,
}

/// All bodies in natural coordinates.
#[derive(Clone, Debug)]
pub(crate) struct NaturalBodies {
    pub bodies: Vec<NaturalPlan>,
    /// Index in `bodies` of each body of the model; `None` for other bodies.
    pub index_of: Vec<Option<usize>>,
    /// Basic points and vectors: index of the first of three coordinates; components, of those that are fixed on ground.
    pub basics: Vec<(Option<usize>, [ExprId; 3])>,
    /// Entries (i, j), i ≥ j, of M that these bodies fill, ascending.
    pub mass: Vec<(usize, usize)>,
}

impl NaturalBodies {
    /// Those of a model, without the entries of M.
    pub fn new(model: &Model, tree: &Tree) -> Self {
        let bodies = NaturalPlan::all(model, tree);
        let index_of = |body: usize| bodies.iter().position(|n| n.body.index() == body);
        let basics = model.coordinates.natural.basics.iter().enumerate();
        NaturalBodies {
            index_of: (0..model.bodies.len()).map(index_of).collect(),
            basics: basics.map(|(i, basic)| (first_coordinate(tree, i), basic.components)).collect(),
            mass: Vec::new(),
            bodies,
        }
    }
}

impl NaturalPlan {
    fn all(model: &Model, tree: &Tree) -> Vec<NaturalPlan> {
        let plan = |body: BodyId| {
            let basis = model.coordinates.natural.basis(body)?;
            let basics: Vec<usize> = basis.points.iter().chain(&basis.vectors).map(|(i, _)| *i).collect();
            let coordinates = basics.iter().map(|i| first_coordinate(tree, *i)).collect();
            Some(NaturalPlan { body, basics, coordinates })
        };
        (0..model.bodies.len() as u32).map(BodyId).filter_map(plan).collect()
    }

    /// Indices of its coordinates.
    pub fn coordinates(&self) -> impl Iterator<Item = usize> + '_ {
        self.coordinates.iter().flatten().flat_map(|first| *first..first + 3)
    }

    /// Adds forces on origin and axes to the loads on coordinates, by (1).
    pub fn project(&self, numbers: &NaturalNumbers, forces: &Affine<3>, loads: &mut [f64]) {
        for (k, first) in self.coordinates.iter().enumerate() {
            let Some(first) = *first else { continue };
            let force = numbers.force_on_term(k, forces);
            loads[first..first + 3].iter_mut().zip(force.0).for_each(|(load, x)| *load += x);
        }
    }
}

/// Index of the first coordinate of a basic point or vector; `None` if it is fixed on ground.
fn first_coordinate(tree: &Tree, basic: usize) -> Option<usize> {
    tree.interface_index(InterfaceCoordinate::Basic(basic as u32, 0))
}

/// The numbers of a body in natural coordinates that depend on parameters alone.
#[derive(Clone, Debug)]
pub(crate) struct NaturalNumbers {
    /// γᵢ(0) and gᵢ of each basic.
    coefficients: Vec<[f64; 4]>,
    /// The part of (1) of basics that are fixed, and the axes of a particle, which are the world's.
    fixed: Affine<3>,
    pub moments: MassMoments<3>,
    /// ∫ γᵢ γⱼ dm by rows.
    mass: Vec<Vec<f64>>,
    rotation: BasisRotation<Series<1>>,
}

impl NaturalNumbers {
    pub fn new(model: &Model, plan: &NaturalPlan, constants: &Constants) -> Self {
        let (declared, natural) = (&model.bodies[plan.body.index()], &model.coordinates.natural);
        let basis = natural.basis(plan.body).expect("it is a body in natural coordinates");
        let number = |e| Series::<1>::constant(constants.value(e));
        let placed = PlacedBasis::new(basis, declared.kind, &number);
        let coefficients: Vec<[f64; 4]> =
            (0..plan.basics.len()).map(|k| placed.polynomial(k).map(Series::value)).collect();
        let offset = |r| placed.particle_offset(Vector::<f64, 3>::map(r, Series::constant)).map(Series::value);
        let start = offset(ZERO);
        let mut fixed = Affine { origin: start, axes: [0, 1, 2].map(|k| offset(unit(k)) - start) };
        for (k, basic) in plan.basics.iter().enumerate().filter(|(k, _)| plan.coordinates[*k].is_none()) {
            fixed += combination(&coefficients[k], constants.list(natural.basics[*basic].components));
        }
        let [[m, x, y, z], rows @ ..] = placed.moments(declared, &number).map(|row| row.map(Series::value));
        let second = rows.map(|[_, x, y, z]| Vector([x, y, z]));
        let mass = placed.mass_matrix(declared, &number);
        NaturalNumbers {
            coefficients,
            fixed,
            moments: MassMoments { mass: m, first: Vector([x, y, z]), second },
            mass: mass.into_iter().map(|row| row.into_iter().map(Series::value).collect()).collect(),
            rotation: placed.rotation(),
        }
    }

    /// All numbers, of which none may be infinite.
    pub fn all(&self) -> impl Iterator<Item = f64> + '_ {
        let fixed = [self.fixed.origin].into_iter().chain(self.fixed.axes).flat_map(|x| x.0);
        self.coefficients.iter().flatten().chain(self.mass.iter().flatten()).copied().chain(fixed)
    }

    /// Adds its part of the entries (i, j), i ≥ j, of M. `speed` is the index of the speed of a coordinate.
    pub fn add_mass(
        &self,
        plan: &NaturalPlan,
        speed: impl Fn(usize) -> usize,
        entries: &mut BTreeMap<(usize, usize), f64>,
    ) {
        for (a, row) in plan.coordinates.iter().zip(&self.mass) {
            for (b, m) in plan.coordinates.iter().zip(row) {
                let (Some(a), Some(b)) = (*a, *b) else { continue };
                for (i, j) in (0..3).map(|c| (speed(a + c), speed(b + c))).filter(|(i, j)| i >= j) {
                    *entries.entry((i, j)).or_insert(0.0) += m;
                }
            }
        }
    }

    /// The combination (1) of the values of coordinates, or of their rates; fixed parts are left out.
    fn combined(&self, plan: &NaturalPlan, x: &[f64]) -> Affine<3> {
        let mut sum = Affine::ZERO;
        for (first, coefficients) in plan.coordinates.iter().zip(&self.coefficients) {
            if let Some(first) = *first {
                sum += combination(coefficients, Vector::from_fn(|c| x[first + c]));
            }
        }
        sum
    }

    /// The force on basic k of the body that is equivalent to forces on origin and axes, by (1).
    pub fn force_on_term(&self, k: usize, forces: &Affine<3>) -> Vec3<f64> {
        let [at_origin, gradient @ ..] = self.coefficients[k];
        forces.origin * at_origin + forces.direction(Vector(gradient))
    }
}

/// b times γ(0), and times each component of g.
fn combination([at_origin, gradient @ ..]: &[f64; 4], b: Vec3<f64>) -> Affine<3> {
    Affine { origin: b * *at_origin, axes: gradient.each(|g| b * g) }
}

/// Motion of a body in natural coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NaturalMotion {
    position: Affine<3>,
    velocity: Affine<3>,
    pub acceleration: Affine<3>,
}

impl NaturalMotion {
    /// At the world's origin, with no axes.
    pub const ZERO: NaturalMotion =
        NaturalMotion { position: Affine::ZERO, velocity: Affine::ZERO, acceleration: Affine::ZERO };

    /// Motion at coordinates with these first and second rates.
    pub fn new(plan: &NaturalPlan, numbers: &NaturalNumbers, [q, rates, second_rates]: [&[f64]; 3]) -> Self {
        let mut position = numbers.combined(plan, q);
        position += numbers.fixed;
        let [velocity, acceleration] = [rates, second_rates].map(|x| numbers.combined(plan, x));
        NaturalMotion { position, velocity, acceleration }
    }

    /// Motion of a point of the body, given in body axes.
    pub fn point(&self, local: Vec3<f64>) -> VectorMotion {
        VectorMotion {
            value: self.position.point(local),
            rate: self.velocity.point(local),
            second: self.acceleration.point(local),
        }
    }

    /// Motion of a vector of the body, given in body axes.
    pub fn direction(&self, numbers: &NaturalNumbers, local: Vec3<f64>) -> VectorMotion {
        let along = |u: Vec3<f64>| [self.position, self.velocity, self.acceleration].map(|x| x.direction(u));
        let [value, rate, second] = match numbers.rotation {
            BasisRotation::NormalTo(line) if line.map(Series::value).cross(local) != ZERO => {
                let series = |v: Vec3<f64>| v.map(Series::<1>::constant);
                let moved = along(line.map(Series::value)).map(series);
                off_axis_vector(line, moved, series(local)).map(|v| v.map(Series::value))
            }
            _ => along(local),
        };
        VectorMotion { value, rate, second }
    }

    /// Frame of the body, with ω and its rate by (2) or (3). Its axes are neither unit vectors nor orthogonal off the constraints.
    pub fn frame(&self, numbers: &NaturalNumbers) -> Frame {
        let axes = [0, 1, 2].map(|k| self.direction(numbers, unit(k)));
        let [rate, angular_acceleration] = match numbers.rotation {
            BasisRotation::None => [ZERO; 2],
            BasisRotation::NormalTo(line) => {
                let line = line.map(Series::value);
                let d = self.position.direction(line);
                [self.velocity, self.acceleration].map(|x| d.cross(x.direction(line)) / line.square())
            }
            BasisRotation::Free => {
                let sum = |of: fn(&VectorMotion) -> Vec3<f64>| {
                    axes.iter().fold(ZERO, |sum, axis| sum + axis.value.cross(of(axis))) * 0.5
                };
                [sum(|axis| axis.rate), sum(|axis| axis.second)]
            }
        };
        Frame {
            rotation: Mat3::of_columns(axes.map(|axis| axis.value)),
            origin: self.position.origin,
            rate,
            velocity: self.velocity.origin,
            angular_acceleration,
            acceleration: self.acceleration.origin,
            ..GROUND
        }
    }

    /// Forces on origin and axes of a wrench about the origin.
    pub fn wrench_on_axes(&self, numbers: &NaturalNumbers, wrench: Wrench) -> Affine<3> {
        Affine { origin: wrench.force, ..self.torque_on_axes(numbers, wrench.torque) }
    }

    /// Forces on origin and axes of a moment, by (2) or (3).
    pub fn torque_on_axes(&self, numbers: &NaturalNumbers, torque: Vec3<f64>) -> Affine<3> {
        let axes = match numbers.rotation {
            BasisRotation::None => [ZERO; 3],
            BasisRotation::NormalTo(line) => {
                let line = line.map(Series::value);
                let force = torque.cross(self.position.direction(line)) / line.square();
                line.0.map(|x| force * x)
            }
            BasisRotation::Free => self.position.axes.map(|axis| torque.cross(axis) * 0.5),
        };
        Affine { origin: ZERO, axes }
    }
}
