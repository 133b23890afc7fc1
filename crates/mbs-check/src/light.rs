//! Which speeds have no inertia of their own.

use mbs_definition::Space;
use mbs_expr::{BodyId, Series};
use mbs_model::{Body, BodyKind, Model, Step};
use mbs_physics::linear::NOISE;
use mbs_physics::{Mechanics, Mobilizer, Placement, SolverCoordinate, Tree, default_variables};

use super::bars::Bar;
use super::{guess, size};

/// For each solver coordinate, whether its own motion gives no kinetic energy to the body it places, or to what is welded to
/// that, at default parameters; algebraic coordinates place none.
///
/// If no speed is light, M is positive definite in every pose: from ground outwards no body moves without energy. A light speed
/// that carries other bodies has a diagonal, yet M may be singular wherever these line up.
pub fn light_speeds(model: &Model, tree: &Tree) -> Vec<bool> {
    if model.space == Space::Spatial {
        return light_in_space(model, tree);
    }
    let rest = super::at(model, tree, &vec![0.0; tree.n()]);
    let heavy = |b: &Body| {
        let positive = |e| rest.value(e).value() > 0.0;
        positive(b.mass) && (b.kind == BodyKind::Particle || positive(b.inertia[2]))
    };
    // M of bodies with inertia is definite along their basics, whatever others add.
    let is_held = |c: &SolverCoordinate| match *c {
        SolverCoordinate::Basic(i, _) => model
            .bodies
            .iter()
            .zip(&model.natural.bodies)
            .any(|(body, basis)| heavy(body) && basis.as_ref().is_some_and(|basis| basis.contains(i as usize))),
        _ => false,
    };
    if model.bodies.iter().all(heavy) {
        return tree.solver.iter().map(|c| placed(tree, *c).is_none() && !is_held(c)).collect();
    }
    let declared = guess::declared(model, tree);
    let length = size(model, tree, &declared);
    let light = |(i, coordinate): (usize, &SolverCoordinate)| {
        let Some(body) = placed(tree, *coordinate) else { return !is_held(coordinate) };
        // Motions that give energy one by one may cancel where they are several of one body.
        let several = matches!(coordinate, SolverCoordinate::Posed(..));
        if several && !welded(model, tree, body).iter().any(|b| heavy(&model.bodies[b.index()])) {
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
                energy +=
                    mechanics.value(body.inertia[2]).value() * mechanics.kinematics.angle(b).derivative(1).powi(2);
            }
        }
        // A centre of mass on the pin is off it by round-off.
        !matches!(energy.partial_cmp(&(mass * (NOISE * length).powi(2))), Some(std::cmp::Ordering::Greater))
    };
    tree.solver.iter().enumerate().map(light).collect()
}

/// In space: a body gives energy to every motion if its mass and its principal moments of inertia are positive, to displacements if
/// its mass is; a joint's speeds move the body it carries, and what is welded to that.
fn light_in_space(model: &Model, tree: &Tree) -> Vec<bool> {
    let rest = super::at(model, tree, &guess::declared(model, tree));
    let number = |e| rest.value(e).value();
    let (mut heavy, mut turning) = (vec![false; tree.links.len()], vec![false; tree.links.len()]);
    for (body, stand) in model.bodies.iter().zip(&tree.mounts) {
        let Some(link) = stand.link else { continue };
        heavy[link] |= number(body.mass) > 0.0;
        turning[link] |= number(body.mass) > 0.0 && is_definite(body.inertia.map(number));
    }
    // Links without a body are steps of the joint whose last link has it.
    for i in (0..tree.links.len()).rev() {
        let bodiless = !tree.mounts.iter().any(|s| s.link == Some(i));
        if let Some(next) = tree.links.iter().position(|l| l.parent == Some(i)).filter(|_| bodiless) {
            (heavy[i], turning[i]) = (heavy[next], turning[next]);
        }
    }
    // M of bodies that have mass in every direction is definite along their basics, whatever others add.
    let is_held = |i: usize| {
        let bodies = (0..).map(BodyId).zip(&model.bodies);
        let mut standing = bodies.filter(|(b, _)| model.natural.basis(*b).is_some_and(|basis| basis.contains(i)));
        standing.any(|(b, body)| {
            if let Some(bar) = Bar::of(model, b, &number) {
                return number(body.mass) > 0.0 && bar.turns_heavily(body.inertia.map(number));
            }
            let [xx, yy, zz, xy, xz, yz] = body.inertia.map(number);
            let half = 0.5 * (xx + yy + zz);
            let spread = [half - xx, half - yy, half - zz, -xy, -xz, -yz];
            number(body.mass) > 0.0 && (body.kind == BodyKind::Particle || is_definite(spread))
        })
    };
    let light = |c: &SolverCoordinate| match *c {
        SolverCoordinate::Basic(i, _) => !is_held(i as usize),
        SolverCoordinate::Link(i, k) => match tree.links[i as usize].mobilizer {
            Mobilizer::Prismatic { .. } | Mobilizer::Translation | Mobilizer::Orbit { .. } => !heavy[i as usize],
            Mobilizer::Free { .. } if k < 3 => !heavy[i as usize],
            _ => !turning[i as usize],
        },
        _ => true,
    };
    tree.solver.iter().map(light).collect()
}

/// Whether a tensor (xx, yy, zz, xy, xz, yz) is positive definite: its leading minors are, well above rounding.
fn is_definite([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> bool {
    let size = xx.abs().max(yy.abs()).max(zz.abs());
    let second = xx * yy - xy * xy;
    let third = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    xx > NOISE * size && second > NOISE * size * size && third > NOISE * size * size * size
}

/// The body that a coordinate places.
fn placed(tree: &Tree, coordinate: SolverCoordinate) -> Option<BodyId> {
    match coordinate {
        SolverCoordinate::Angle(b) | SolverCoordinate::World(b, _) => Some(b),
        SolverCoordinate::Displacement(j, _) | SolverCoordinate::Posed(j, _) => {
            let on = |p: &Placement| matches!(p, Placement::Joint { joint, .. } if *joint == j);
            tree.placements.iter().position(on).map(|b| BodyId(b as u32))
        }
        SolverCoordinate::Algebraic(_)
        | SolverCoordinate::Basic(..)
        | SolverCoordinate::ContinuousAngle(_)
        | SolverCoordinate::Link(..)
        | SolverCoordinate::ContinuousCoordinate(..) => None,
    }
}

/// A body and those that the tree places on it without a coordinate: welded bodies, particles on pins.
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
