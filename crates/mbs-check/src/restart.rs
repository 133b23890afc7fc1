//! Other starts for an assembly that the declared poses do not lead to.

use super::assemble::{Wanted, assemble};
use super::conflicts::BodyCoordinates;
use super::damped::assemble_damped;
use super::{Context, guess, mechanics_at, numeric_sample};

/// Assembles all rows and exact conditions from other starts: from each of `starts` after the first; then, where bodies are in natural
/// coordinates, from the pose that body coordinates assemble to; last, by damped steps from each of `starts`.
pub fn assembled(context: &Context<'_>, starts: &[&Vec<f64>]) -> Option<Vec<f64>> {
    let everything = Wanted::everything(context);
    let others = || starts.iter().skip(1).filter(|start| **start != starts[0]);
    let again = || others().find_map(|start| assemble(context, &everything, start.to_vec()));
    let by_bodies = || {
        let pose = in_body_coordinates(context, &|bodies| {
            let pose = assemble(bodies, &Wanted::everything(bodies), bodies.declared.clone())?;
            let mechanics = mechanics_at(bodies.model, bodies.tree, &pose);
            Some(guess::read_solver_coordinates(context.model, context.tree, &mechanics))
        });
        assemble(context, &everything, pose??)
    };
    let damped = || {
        starts.iter().take(1).chain(others()).find_map(|start| assemble_damped(context, &everything, start.to_vec()))
    };
    again().or_else(by_bodies).or_else(damped)
}

/// Runs an analysis on the model in body coordinates, at its declared poses; `None` where no body is in natural coordinates.
pub fn in_body_coordinates<R>(context: &Context<'_>, analyse: &dyn Fn(&Context<'_>) -> R) -> Option<R> {
    if context.model.coordinates.natural.bodies.iter().all(Option::is_none) {
        return None;
    }
    let BodyCoordinates { model, tree } = &*context.bodies;
    let sample = numeric_sample(model, tree);
    Some(analyse(&Context::new(model, tree, &sample, guess::declared_pose(model, tree))))
}
