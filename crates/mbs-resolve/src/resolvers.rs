//! The trait of all resolvers, and the resolvers that work on demand: one type for each group of items.
//!
//! They call each other through the trait alone, since items of every group may depend on items of any other: a force on the length of a marker's
//! offset, which a constant gives, which a function computes.

use mbs_definition::Origin;

use crate::mistakes::{self, Mistake};
use crate::{Reported, Res, Resolver, Scope};

/// Access to the shared resolver, to the resolvers of other groups, and to reports of mistakes.
pub(crate) trait Resolves<'a> {
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

    /// Reads arguments in braces.
    fn argument_resolver(&mut self) -> ArgumentResolver<'_, 'a> {
        ArgumentResolver { resolver: self.resolver() }
    }

    /// Resolves values and their axes.
    fn vectors(&mut self) -> VectorResolver<'_, 'a> {
        VectorResolver { resolver: self.resolver() }
    }

    /// Runs work on text that a scope belongs to; messages name its instance.
    fn in_scope<V>(&mut self, scope: &Scope, work: impl FnOnce(&mut Self) -> V) -> V {
        let outer = std::mem::replace(&mut self.resolver().mistakes.instance, scope.instance().cloned());
        let value = work(self);
        self.resolver().mistakes.instance = outer;
        value
    }

    /// Records a mistake, with the instance of a part and the argument of a parameter at its origin.
    fn report(&mut self, origin: Origin, mistake: Mistake) {
        self.resolver().record(origin, mistake);
    }

    /// Records a mistake and returns an error.
    fn fail<V>(&mut self, origin: Origin, mistake: Mistake) -> Res<V> {
        self.report(origin, mistake);
        Err(Reported)
    }

    /// Reports a name that has been declared before, with the origins of the second and the first declaration; returns an error.
    fn fail_redeclared<V>(&mut self, origin: Origin, first: Origin, mistake: Mistake) -> Res<V> {
        let code = mistake.code;
        self.report(origin, mistake);
        self.resolver().mistakes.errors.point_to(code, origin, first, "first declared here");
        Err(Reported)
    }

    /// Reports a feature of a later version; returns an error.
    fn fail_unsupported<V>(&mut self, origin: Origin, subject: &str) -> Res<V> {
        self.fail(origin, mistakes::names::not_available(subject))
    }
}

impl<'a> Resolves<'a> for Resolver<'a> {
    fn resolver(&mut self) -> &mut Resolver<'a> {
        self
    }
}

/// Defines the types that resolve one group of items each, and phases without state.
macro_rules! resolvers {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name<'r, 'a> {
            pub resolver: &'r mut Resolver<'a>,
        }

        impl<'a> Resolves<'a> for $name<'_, 'a> {
            fn resolver(&mut self) -> &mut Resolver<'a> {
                self.resolver
            }
        }
    )*};
}

resolvers! {
    /// Resolves bodies, their inertia, and markers, when something refers to them.
    BodyResolver;
    /// Resolves joints when something refers to them: kinds of the catalogue, gears, declared kinds.
    JointResolver;
    /// Resolves curves and cams.
    CurveResolver;
    /// Resolves forces, loads and energies when something refers to them.
    ForceResolver;
    /// Resolves functions that are called: made from data, or supplied from Rust.
    FunctionResolver;
    /// Resolves the quantities of bodies, joints and forces: `pin.angle`, `com(a)`, `spring.length`.
    FieldResolver;
    /// Calculates with values: vectors in their axes, rotations, numbers.
    VectorResolver;
    /// Reads arguments in braces, and checks what they may depend on.
    ArgumentResolver;
    /// Gives parameters, inputs, states and coordinates their indices and defaults.
    QuantityPhase;
    /// Reads the settings.
    SettingPhase;
    /// Resolves the basic points and vectors that bodies declare.
    BasisPhase;
    /// Resolves constraints, couplings and prescribed motions.
    EquationPhase;
    /// Makes the forces of a rotating frame.
    FramePhase;
}
