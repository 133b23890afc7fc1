//! Mistakes: where they are made, and in which instance of a part.

use std::collections::BTreeMap;
use std::rc::Rc;

use mbs_definition::{Errors, Origin};

use super::bodies::BodyResolver;
use super::curves::CurveResolver;
use super::elements::JointResolver;
use super::fields::FieldResolver;
use super::forces::ForceResolver;
use super::formulas::FunctionResolver;
use super::frames::VectorResolver;
use super::{Reported, Res, Resolver, Scope, State};

/// Mistakes found so far.
#[derive(Debug, Default)]
pub(super) struct Mistakes {
    pub errors: Errors,
    /// The front end reported something inside.
    pub broken: bool,
    /// A construct of a later version may have declared any name: unknown names are no mistake of their own.
    pub lenient: bool,
    /// The instance of a part that mistakes are made in.
    pub instance: Option<Rc<str>>,
    /// Where a parameter of a part is used, for help: index of its argument.
    pub uses_of_passed: BTreeMap<Origin, usize>,
}

/// Whatever resolves something: it has the resolver, asks those who resolve other things, and reports mistakes.
pub(super) trait Resolves<'a> {
    fn resolver(&mut self) -> &mut Resolver<'a>;

    /// Resolves bodies, inertia and markers.
    fn body_resolver(&mut self) -> BodyResolver<'_, 'a> {
        BodyResolver { resolver: self.resolver() }
    }

    /// Resolves joints.
    fn joint_resolver(&mut self) -> JointResolver<'_, 'a> {
        JointResolver { resolver: self.resolver() }
    }

    /// Resolves curves.
    fn curve_resolver(&mut self) -> CurveResolver<'_, 'a> {
        CurveResolver { resolver: self.resolver() }
    }

    /// Resolves forces, loads and energies.
    fn force_resolver(&mut self) -> ForceResolver<'_, 'a> {
        ForceResolver { resolver: self.resolver() }
    }

    /// Resolves functions that are called.
    fn function_resolver(&mut self) -> FunctionResolver<'_, 'a> {
        FunctionResolver { resolver: self.resolver() }
    }

    /// Resolves quantities of bodies, joints and forces.
    fn field_resolver(&mut self) -> FieldResolver<'_, 'a> {
        FieldResolver { resolver: self.resolver() }
    }

    /// Resolves values and their axes.
    fn vectors(&mut self) -> VectorResolver<'_, 'a> {
        VectorResolver { resolver: self.resolver() }
    }

    /// Works on text that a scope belongs to: mistakes name its instance.
    fn within<V>(&mut self, scope: &Scope, work: impl FnOnce(&mut Self) -> V) -> V {
        let outer = std::mem::replace(&mut self.resolver().mistakes.instance, scope.instance().cloned());
        let value = work(self);
        self.resolver().mistakes.instance = outer;
        value
    }

    /// Records a mistake: in which instance of a part, and what a parameter at its place was given.
    fn report(&mut self, code: &'static str, origin: Origin, message: impl Into<String>, help: Option<String>) {
        self.resolver().record(code, origin, message.into(), help);
    }

    /// Resolves a mistake.
    fn fail<V>(
        &mut self,
        code: &'static str,
        origin: Origin,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Res<V> {
        self.report(code, origin, message, help);
        Err(Reported)
    }

    /// Resolves a name that has been declared before: where it is again, and where it was first.
    fn twice<V>(&mut self, (place, first): (Origin, Origin), message: String, help: Option<String>) -> Res<V> {
        self.report("MBS011", place, message, help);
        self.resolver().mistakes.errors.point_to("MBS011", place, first, "first declared here");
        Err(Reported)
    }

    /// Resolves something a later version will bring.
    fn later<V>(&mut self, origin: Origin, what: &str) -> Res<V> {
        self.fail("MBS090", origin, format!("`{what}` is not available yet"), None)
    }
}

impl<'a> Resolves<'a> for Resolver<'a> {
    fn resolver(&mut self) -> &mut Resolver<'a> {
        self
    }
}

impl Resolver<'_> {
    fn record(&mut self, code: &'static str, origin: Origin, mut message: String, help: Option<String>) {
        if let Some(instance) = &self.mistakes.instance
            && !['.', '`', '['].iter().any(|next| message.contains(&format!("`{instance}{next}")))
        {
            message = format!("{message}, in `{instance}`");
        }
        let passed = self.mistakes.uses_of_passed.get(&origin).copied();
        let given = passed.map(|i| self.describe_passed(i));
        self.mistakes.errors.push(code, origin, message, given.or(help));
        if let Some(i) = passed.filter(|_| ["MBS015", "MBS020", "MBS021"].contains(&code)) {
            // It has the wrong kind: its other uses report no more.
            self.names.passed[i].state = State::Bad;
        }
    }
}
