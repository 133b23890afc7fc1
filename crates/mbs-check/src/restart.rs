//! Other starts for an assembly that the declared poses do not lead to.

use super::assemble::{Wanted, assemble};
use super::blame::Bodies;
use super::damped::assemble_damped;
use super::{Context, Unknown, at, guess, numeric_sample, without_noise};

/// Assembles everything from other starts: each of `starts`, after the first, then the pose that body coordinates assemble to, where bodies are in
/// natural coordinates. Last, by damped steps from each of `starts`.
pub fn assembled(context: &Context<'_>, starts: &[&Vec<f64>]) -> Option<Vec<f64>> {
    let everything = Wanted::everything(context);
    let others = || starts.iter().skip(1).filter(|start| **start != starts[0]);
    let again = || others().find_map(|start| assemble(context, &everything, start.to_vec()));
    let by_bodies = || {
        let pose = in_bodies(context, &|bodies, start| {
            let pose = assemble(bodies, &Wanted::everything(bodies), start.to_vec())?;
            let placed = at(bodies.model, bodies.tree, &pose);
            Some(guess::read_solver_coordinates(context.model, context.tree, &placed))
        });
        assemble(context, &everything, pose??)
    };
    let damped = || {
        starts.iter().take(1).chain(others()).find_map(|start| assemble_damped(context, &everything, start.to_vec()))
    };
    again().or_else(by_bodies).or_else(damped)
}

/// Looks at the model in body coordinates, at its declared poses; only where bodies are in natural coordinates.
pub fn in_bodies<R>(context: &Context<'_>, look: &dyn Fn(&Context<'_>, &[f64]) -> R) -> Option<R> {
    if context.model.natural.bodies.iter().all(Option::is_none) {
        return None;
    }
    let Bodies { model, tree } = &Bodies::new(context.model, context.tree);
    let start = guess::declared(model, tree);
    let unknown = Unknown::near(model, tree, &start);
    let sizes = Bodies::new(model, tree).row_sizes(model, tree, &start);
    let sample = numeric_sample(model, tree);
    let evaluate = without_noise(&sample, sizes, &unknown);
    let context = Context::new(model, tree, (&evaluate, &unknown), &start);
    Some(look(&context, &start))
}
