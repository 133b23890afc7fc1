//! Checks that exact `initial` conditions on speeds agree with the speeds that joints, drives and earlier conditions determine.

use mbs_definition::Errors;
use mbs_model::{Dependence, Model, RowLevel, dependence};
use mbs_physics::Tree;

use super::speeds::{DeterminedSpeed, determined_speed};

/// A speed disagrees if it differs by more than this part of the terms that form it.
const MISSES: f64 = 1e-8;

/// Reports the first exact `initial` condition on speeds that contradicts rows and earlier conditions, at an assembled pose (`MBS063`).
///
/// The check is left to the run where a condition or a row is not affine in speeds, and where the model has functions written in Rust.
pub fn check(model: &Model, tree: &Tree, assembled: &[f64], errors: &mut Errors) {
    let exact = || model.start.conditions.iter().filter(|c| c.exact && c.level == RowLevel::Velocity);
    if !model.functions.is_empty()
        || model.jacobian_reads_speeds()
        || exact().any(|c| dependence(model, c.target) > Dependence::Affine)
    {
        return;
    }
    for (k, condition) in exact().enumerate() {
        let Some(speed) = determined_speed(model, tree, assembled, k) else { continue };
        let DeterminedSpeed { determined, required, terms } = speed;
        let miss = (determined - required).abs();
        if miss <= MISSES * terms || !miss.is_finite() {
            continue;
        }
        errors.push(
            "MBS063",
            condition.origin,
            format!(
                "`initial {}` asks for {}, but joints, drives or earlier conditions make it {}",
                condition.name,
                super::assembly_report::format_signed(required),
                super::assembly_report::format_signed(determined)
            ),
            Some("write `~` for a guess, or leave it out".to_owned()),
        );
        return;
    }
}
