//! Whether initial speeds can be held: what joints, drives and earlier conditions decide already must agree.

use mbs_definition::Errors;
use mbs_model::{Dependence, Model, RowLevel, dependence};
use mbs_physics::Tree;

use super::speeds::{Level, speeds_before};

/// A speed misses if it differs by this part of the terms that form it.
const MISSES: f64 = 1e-8;

/// Reports the first exact `initial` condition on speeds that what comes before it decides otherwise, at an assembled pose.
///
/// Conditions that are not linear in speeds are left to the run, and all of them where rows are not, or where a function written in Rust
/// may have its say.
pub fn check(model: &Model, tree: &Tree, assembled: &[f64], errors: &mut Errors) {
    let exact = || model.conditions.iter().filter(|c| c.exact && c.level == RowLevel::Velocity);
    if !model.functions.is_empty()
        || model.jacobian_reads_speeds()
        || exact().any(|c| dependence(model, c.target) > Dependence::Affine)
    {
        return;
    }
    for (k, condition) in exact().enumerate() {
        let Some(Level { decided, wanted, terms }) = speeds_before(model, tree, assembled, k) else { continue };
        let miss = (decided - wanted).abs();
        if miss <= MISSES * terms || !miss.is_finite() {
            continue;
        }
        errors.push(
            "MBS063",
            condition.origin,
            format!(
                "`initial {}` asks for {}, but joints, drives or earlier conditions make it {}",
                condition.name,
                super::miss::signed(wanted),
                super::miss::signed(decided)
            ),
            Some("write `~` for a guess, or leave it out".to_owned()),
        );
        return;
    }
}
