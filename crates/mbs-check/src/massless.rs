//! Finds massless speeds: those whose motion gives their body no kinetic energy.

use mbs_definition::Space;
use mbs_expr::{BodyId, Series};
use mbs_model::{Body, BodyKind, Model, Step};
use mbs_physics::linear::NOISE;
use mbs_physics::{Mechanics, Mobilizer, Placement, SolverCoordinate, Tree, default_variables};

use super::bars::Bar;
use super::mechanism_size;

/// For each solver's speed, whether it is massless at default parameters and the declared pose: its motion gives no kinetic energy to the body outboard of its joint, nor
/// to bodies welded to that. Algebraic coordinates are massless.
///
/// If no speed is massless, M is positive definite in every pose, because from ground outwards no body moves without energy. A massless speed with
/// other bodies outboard has a diagonal entry in M, but M may be singular in poses where these bodies are aligned.
pub fn massless_speeds(model: &Model, tree: &Tree, declared: &[f64]) -> Vec<bool> {
    if model.space == Space::Spatial {
        return massless_in_space(model, tree, declared);
    }
    let rest = super::mechanics_at(model, tree, &vec![0.0; tree.n()]);
    let has_inertia = |b: &Body| {
        let positive = |e| rest.value(e).value() > 0.0;
        positive(b.mass) && (b.kind == BodyKind::Particle || positive(b.inertia[2]))
    };
    // M of bodies with inertia is definite in the speeds of their basics, whatever other bodies contribute.
    let is_inertial_basic = |c: &SolverCoordinate| match *c {
        SolverCoordinate::Basic(i, _) => {
            model.bodies.iter().zip(&model.coordinates.natural.bodies).any(|(body, basis)| {
                has_inertia(body) && basis.as_ref().is_some_and(|basis| basis.contains(i as usize))
            })
        }
        _ => false,
    };
    if model.bodies.iter().all(has_inertia) {
        return tree.solver.iter().map(|c| outboard_body(tree, *c).is_none() && !is_inertial_basic(c)).collect();
    }
    let length = mechanism_size(model, tree, declared);
    let is_massless = |(i, coordinate): (usize, &SolverCoordinate)| {
        let Some(body) = outboard_body(tree, *coordinate) else { return !is_inertial_basic(coordinate) };
        // Several motions of one body that each have energy may have none together.
        let several = matches!(coordinate, SolverCoordinate::Posed(..));
        if several && !welded(model, tree, body).iter().any(|b| has_inertia(&model.bodies[b.index()])) {
            return true;
        }
        let moved = |(k, q): (usize, &f64)| Series::<2>::linear(*q, f64::from(u8::from(k == i)));
        let mut variables = default_variables(model, tree);
        variables.t = Series::constant(0.0);
        let coordinates = declared.iter().enumerate().map(moved).collect();
        let mechanics = Mechanics::at_solver_coordinates(model, tree, variables, coordinates);
        let (mut energy, mut mass) = (0.0, 0.0);
        for b in welded(model, tree, body) {
            let body = &model.bodies[b.index()];
            let m = mechanics.value(body.mass).value();
            let velocity = mechanics.marker_point(body.com_marker).map(|x| x.derivative(1));
            mass += m;
            energy += m * (velocity[0].powi(2) + velocity[1].powi(2));
            if body.kind == BodyKind::Rigid {
                energy += mechanics.value(body.inertia[2]).value()
                    * mechanics.planar().kinematics.angle(b).derivative(1).powi(2);
            }
        }
        // The distance of a centre of mass on the pin from the pin is round-off.
        !matches!(energy.partial_cmp(&(mass * (NOISE * length).powi(2))), Some(std::cmp::Ordering::Greater))
    };
    tree.solver.iter().enumerate().map(is_massless).collect()
}

/// [`massless_speeds`] in space: every motion of a body has energy if its mass and its principal moments of inertia are positive, and translations
/// have energy if its mass is positive. A joint's speeds move its outboard body, and the bodies welded to that.
fn massless_in_space(model: &Model, tree: &Tree, declared: &[f64]) -> Vec<bool> {
    let rest = super::mechanics_at(model, tree, declared);
    let constant = |e| rest.value(e).value();
    let (mut has_mass, mut has_inertia) = (vec![false; tree.links.len()], vec![false; tree.links.len()]);
    for (body, stand) in model.bodies.iter().zip(&tree.mounts) {
        let Some(link) = stand.link else { continue };
        has_mass[link] |= constant(body.mass) > 0.0;
        has_inertia[link] |= constant(body.mass) > 0.0 && is_definite(body.inertia.map(constant));
    }
    // A link without a body is a step of a joint whose last link has the body.
    for i in (0..tree.links.len()).rev() {
        let bodiless = !tree.mounts.iter().any(|s| s.link == Some(i));
        if let Some(next) = tree.links.iter().position(|l| l.parent == Some(i)).filter(|_| bodiless) {
            (has_mass[i], has_inertia[i]) = (has_mass[next], has_inertia[next]);
        }
    }
    // M of bodies that have mass in every direction is definite in the speeds of their basics, whatever other bodies contribute.
    let is_inertial_basic = |i: usize| {
        let bodies = (0..).map(BodyId).zip(&model.bodies);
        let mut bodies =
            bodies.filter(|(b, _)| model.coordinates.natural.basis(*b).is_some_and(|basis| basis.contains(i)));
        bodies.any(|(b, body)| {
            if let Some(bar) = Bar::from_body(model, b, &constant) {
                return constant(body.mass) > 0.0 && bar.has_transverse_inertia(body.inertia.map(constant));
            }
            let [xx, yy, zz, xy, xz, yz] = body.inertia.map(constant);
            let half = 0.5 * (xx + yy + zz);
            let second_moments = [half - xx, half - yy, half - zz, -xy, -xz, -yz];
            constant(body.mass) > 0.0 && (body.kind == BodyKind::Particle || is_definite(second_moments))
        })
    };
    let is_massless = |c: &SolverCoordinate| match *c {
        SolverCoordinate::Basic(i, _) => !is_inertial_basic(i as usize),
        SolverCoordinate::Link(i, k) => match tree.links[i as usize].mobilizer {
            Mobilizer::Prismatic { .. } | Mobilizer::Translation | Mobilizer::Orbit { .. } => !has_mass[i as usize],
            Mobilizer::Free { .. } if k < 3 => !has_mass[i as usize],
            _ => !has_inertia[i as usize],
        },
        _ => true,
    };
    tree.solver.iter().map(is_massless).collect()
}

/// Whether a tensor (xx, yy, zz, xy, xz, yz) is positive definite: its leading minors are positive, well above round-off.
fn is_definite([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> bool {
    let size = xx.abs().max(yy.abs()).max(zz.abs());
    let second = xx * yy - xy * xy;
    let third = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    xx > NOISE * size && second > NOISE * size * size && third > NOISE * size * size * size
}

/// The body outboard of the joint that a coordinate belongs to.
fn outboard_body(tree: &Tree, coordinate: SolverCoordinate) -> Option<BodyId> {
    match coordinate {
        SolverCoordinate::Angle(b) | SolverCoordinate::World(b, _) => Some(b),
        SolverCoordinate::Displacement(j, _) | SolverCoordinate::Posed(j, _) => {
            let is_inboard = |p: &Placement| matches!(p, Placement::Joint { joint, .. } if *joint == j);
            tree.placements.iter().position(is_inboard).map(|b| BodyId(b as u32))
        }
        SolverCoordinate::Algebraic(_)
        | SolverCoordinate::Basic(..)
        | SolverCoordinate::ContinuousAngle(_)
        | SolverCoordinate::Link(..)
        | SolverCoordinate::ContinuousCoordinate(..) => None,
    }
}

/// A body and those that have no coordinates relative to it in the tree: welded bodies, particles on pins.
fn welded(model: &Model, tree: &Tree, body: BodyId) -> Vec<BodyId> {
    let is_particle = |b: BodyId| model.bodies[b.index()].kind == BodyKind::Particle;
    let mut group = vec![body];
    for &b in &tree.order {
        if let Placement::Joint { joint, parent: Some(parent), .. } = tree.placements[b.index()]
            && model.joint(joint).steps().iter().all(|step| matches!(step, Step::Revolute { .. }) && is_particle(b))
            && group.contains(&parent)
        {
            group.push(b);
        }
    }
    group
}
