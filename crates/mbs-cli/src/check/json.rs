//! The JSON description of a sound mechanism, for scripts.

use mbs_check::{FreeMotion, free_motions};
use mbs_compiler::compile::{Alternative, Compiled};
use mbs_compiler::program::Function;
use mbs_model::{Model, RowLevel};
use serde_json::{Value, json};

use super::notes;
use super::summary::{costly, rows_at};

/// A list with one object per mechanism.
pub fn list_of_mechanisms(compiled: Vec<Compiled>) -> String {
    let described = |compiled: Compiled| {
        let mut facts = mechanism(&compiled);
        facts["notes"] = json!(notes::sentences(compiled));
        facts
    };
    let list: Vec<Value> = compiled.into_iter().map(described).collect();
    format!("{:#}\n", Value::from(list))
}

fn mechanism(compiled: &Compiled) -> Value {
    let model = &compiled.model;
    let motions = free_motions(model, &compiled.tree, &compiled.checked);
    json!({
        "name": model.header.name,
        "coordinates": model.coordinates_word(),
        "alternatives": compiled.alternatives.iter().map(alternative).collect::<Vec<Value>>(),
        "bodies": model.bodies.len(),
        "joints": model.joints.len(),
        "forces": model.loads.forces.len(),
        "equations": model.equations.len(),
        "speeds": compiled.tree.n(),
        "rows": {
            "position": rows_at(compiled, RowLevel::Position),
            "velocity": rows_at(compiled, RowLevel::Velocity),
            "acceleration": rows_at(compiled, RowLevel::Acceleration),
            "intrinsic": compiled.tree.n_intrinsic(),
            "extrinsic": compiled.tree.rows.len() - compiled.tree.n_intrinsic(),
        },
        "redundant": compiled.tree.redundant.rows.iter().map(|r| r.name.as_str()).collect::<Vec<&str>>(),
        "freedoms": compiled.checked.freedoms,
        "moves": motions.map(|all| all.iter().map(motion).collect::<Vec<Value>>()),
        "undriven": compiled.degrees_of_freedom(),
        "solvable": compiled.checked.solvable,
        "parameters": Model::flat_size(&model.quantities.parameters),
        "inputs": Model::flat_size(&model.quantities.inputs),
        "states": model.n_z() - model.n_discrete(),
        "discrete": model.n_discrete(),
        "events": model.events.iter().map(|event| &event.name).collect::<Vec<_>>(),
        "outputs": model.outputs.iter().map(|o| o.values.len()).sum::<usize>(),
        "nonzeros": { "mass": compiled.nonzeros.0, "jacobian": compiled.nonzeros.1 },
        "kernels": costly(compiled).into_iter().map(kernel).collect::<Vec<Value>>(),
    })
}

fn alternative(alternative: &Alternative) -> Value {
    let coordinates = alternative.formulation.word();
    match alternative.cost {
        Ok(counts) => json!({
            "coordinates": coordinates,
            "nanoseconds": counts.nanoseconds(),
            "operations": counts.operations,
            "sincos": counts.sincos,
            "calls": counts.calls,
            "critical_path": counts.critical_path,
        }),
        Err(code) => json!({ "coordinates": coordinates, "error": code }),
    }
}

fn motion(motion: &FreeMotion) -> Value {
    json!({
        "joints": motion.joints,
        "bodies": motion.bodies,
        "coordinates": motion.coordinates,
        "internal": motion.is_internal,
        "text": motion.to_string(),
    })
}

fn kernel(function: &Function) -> Value {
    let counts = &function.counts;
    json!({
        "name": function.name,
        "operations": counts.operations,
        "sincos": counts.sincos,
        "calls": counts.calls,
        "critical_path": counts.critical_path,
    })
}
