//! Arguments in braces: names, permitted dependencies, and domains.

use mbs_definition::{Argument, ExprKind, Origin};
use mbs_expr::{ExprId, Op};
use mbs_model::Domain;

use crate::mistakes;
use crate::resolvers::{ArgumentResolver, Resolves};
use crate::{Res, Scope, did_you_mean};

/// Arguments that may have arguments themselves: `coordinates: natural { points: […] }`.
const WITH_ARGUMENTS: &[&str] = &["coordinates"];

/// The arguments of an element, in the order of those that it can have.
#[derive(Debug)]
pub(crate) struct Given<'e> {
    pub found: Vec<Option<&'e Argument>>,
    /// Whether an unknown argument was given, perhaps a misspelt one: then a missing argument is not reported as well.
    pub strange: bool,
}

impl<'a> ArgumentResolver<'_, 'a> {
    /// Sorts the arguments in the order of `known`; reports unknown and repeated ones.
    pub(crate) fn arguments<'e>(&mut self, owner: &str, given: &'e [Argument], known: &[&str]) -> Given<'e> {
        let mut strange = false;
        let mut found = vec![None; known.len()];
        for argument in given {
            strange |= !known.contains(&argument.name.text.as_str());
            let name = &argument.name;
            match known.iter().position(|k| *k == name.text) {
                Some(i) if found[i].is_some() => {
                    self.report(name.origin, mistakes::values::argument_given_twice(&name.text));
                }
                Some(i) => found[i] = Some(argument),
                None => {
                    let help = self
                        .help_for_other_space(&name.text, known)
                        .or_else(|| did_you_mean(&name.text, known.iter().copied()))
                        .or_else(|| {
                            Some(match known {
                                [] => "it takes none".to_string(),
                                _ => format!("it takes `{}`", known.join("`, `")),
                            })
                        });
                    self.report(name.origin, mistakes::values::unknown_argument(owner, &name.text).help_if(help));
                }
            }
            if matches!(argument.value.kind, ExprKind::Broken) {
                self.resolver.mistakes.broken = true;
            }
            if argument.arguments.is_some() && !WITH_ARGUMENTS.contains(&name.text.as_str()) {
                self.report(argument.value.origin, mistakes::values::argument_without_arguments(&name.text, owner));
            }
        }
        Given { found, strange }
    }

    /// Help that names the argument to write in space instead of an argument of the plane.
    fn help_for_other_space(&self, name: &str, known: &[&str]) -> Option<String> {
        let needs_rotation = !self.resolver.is_planar() && name == "angle" && known.contains(&"rotation");
        needs_rotation.then(|| "`angle` is of the plane: write `rotation: axis_angle([0, 0, 1], angle)`".to_string())
    }

    /// Checks that an expression consists of constants and parameters only.
    pub(crate) fn parametric(&mut self, x: ExprId, origin: Origin, subject: &str) -> Res<()> {
        let m = self.resolver.exprs.mentions(x);
        if m.order.is_some() || m.input || m.auxiliary || m.time {
            return self.fail(origin, mistakes::values::not_parametric(subject));
        }
        Ok(())
    }

    /// Evaluates `enabled:` of a joint, drive, coupling or constraint: a truth value that changes between steps only. `None` where it is always true.
    pub(crate) fn switch_of_rows(
        &mut self,
        given: Option<&Argument>,
        owner: &str,
        scope: &Scope,
    ) -> Res<Option<ExprId>> {
        let Some(given) = given else { return Ok(None) };
        let enabled = self.resolver.evaluate_truth(&given.value, scope)?;
        let m = self.resolver.exprs.mentions(enabled);
        let states = self.resolver.exprs.differentiated_states(enabled, 0);
        let goes_on = |flat: &usize| self.resolver.auxiliary_at(*flat).is_some_and(|state| !state.kind.is_discrete());
        if m.order.is_some() || m.input || m.time || m.multiplier || m.opaque || states.iter().any(goes_on) {
            return self.fail(given.value.origin, mistakes::values::may_change_within_a_step(owner));
        }
        Ok((self.resolver.exprs.value(enabled) != Some(1.0)).then_some(enabled))
    }

    /// Evaluates `enabled:` of a force, a truth value.
    pub(crate) fn switch_of_force(
        &mut self,
        given: Option<&Argument>,
        owner: &str,
        scope: &Scope,
    ) -> Res<Option<ExprId>> {
        let Some(given) = given else { return Ok(None) };
        let enabled = self.resolver.evaluate_truth(&given.value, scope)?;
        self.without_accelerations(enabled, given.value.origin, &format!("`enabled` of {owner}"))?;
        Ok(Some(enabled))
    }

    /// Checks that an expression does not depend on accelerations, as loads and rates of states must not.
    pub(crate) fn without_accelerations(&mut self, x: ExprId, origin: Origin, subject: &str) -> Res<()> {
        let m = self.resolver.exprs.mentions(x);
        if m.multiplier {
            return self.fail(origin, mistakes::values::depends_on_load_of_row(subject));
        }
        if m.order.is_some_and(|n| n >= 2) {
            return self.fail(origin, mistakes::values::depends_on_accelerations(subject));
        }
        if m.auxiliary_rates > 0 {
            return self.fail(origin, mistakes::values::depends_on_rate_of_state(subject));
        }
        Ok(())
    }

    /// Checks the domain of a parametric value at the default parameters; a parameter that is the whole expression gets the domain.
    pub(crate) fn in_domain(&mut self, x: ExprId, domain: Domain, origin: Origin, subject: &str) -> Res<()> {
        let Some(value) = self.finite_at_defaults(x, origin, subject)? else {
            return Ok(());
        };
        let wrong = match domain {
            Domain::Finite => None,
            Domain::NonNegative => (value < 0.0).then_some("must not be negative"),
            Domain::Positive => (value <= 0.0).then_some("must be positive"),
        };
        if let Some(wrong) = wrong {
            return self.fail(origin, mistakes::values::out_of_domain(subject, value, wrong));
        }
        if let Op::Parameter(flat) = self.resolver.exprs.op(x) {
            let flat = flat as usize;
            let after = self.resolver.quantities.parameters.partition_point(|p| p.offset <= flat);
            let parameter = &mut self.resolver.quantities.parameters[after - 1];
            if parameter.domain == Domain::Finite || domain == Domain::Positive {
                parameter.domain = domain;
            }
        }
        Ok(())
    }

    /// Value at the default parameters; an error where it is not finite, `None` where it is not known.
    pub(crate) fn finite_at_defaults(&mut self, x: ExprId, origin: Origin, subject: &str) -> Res<Option<f64>> {
        match self.resolver.at_defaults(x) {
            Some(value) if !value.is_finite() => self.fail(origin, mistakes::values::not_finite_at_defaults(subject)),
            value => Ok(value),
        }
    }
}
