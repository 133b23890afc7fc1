//! The trait of whatever resolves something, and those who resolve on demand: one type for each group of things.
//!
//! They know each other through the trait alone, since what a name means may depend on any other: a force on the length of a
//! marker's offset, which a constant gives, which a function computes.

use mbs_definition::Origin;

use crate::mistakes::{self, Mistake};
use crate::{Reported, Res, Resolver, Scope};

/// Whatever resolves something: it has the resolver, asks those who resolve other things, and reports mistakes.
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

    /// Works on text that a scope belongs to: mistakes name its instance.
    fn within<V>(&mut self, scope: &Scope, work: impl FnOnce(&mut Self) -> V) -> V {
        let outer = std::mem::replace(&mut self.resolver().mistakes.instance, scope.instance().cloned());
        let value = work(self);
        self.resolver().mistakes.instance = outer;
        value
    }

    /// Records a mistake: in which instance of a part, and what a parameter at its place was given.
    fn report(&mut self, origin: Origin, mistake: Mistake) {
        self.resolver().record(origin, mistake);
    }

    /// Reports a mistake.
    fn fail<V>(&mut self, origin: Origin, mistake: Mistake) -> Res<V> {
        self.report(origin, mistake);
        Err(Reported)
    }

    /// Reports a name that has been declared before: where it is again, and where it was first.
    fn twice<V>(&mut self, place: Origin, first: Origin, mistake: Mistake) -> Res<V> {
        let code = mistake.code;
        self.report(place, mistake);
        self.resolver().mistakes.errors.point_to(code, place, first, "first declared here");
        Err(Reported)
    }

    /// Reports something a later version will bring.
    fn later<V>(&mut self, origin: Origin, what: &str) -> Res<V> {
        self.fail(origin, mistakes::names::not_available(what))
    }
}

impl<'a> Resolves<'a> for Resolver<'a> {
    fn resolver(&mut self) -> &mut Resolver<'a> {
        self
    }
}

/// Defines types that resolve one group of things each, and phases that keep nothing of their own.
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
    /// Resolves joints when something refers to them: kinds of the catalogue, gears, kinds that the text declares.
    JointResolver;
    /// Resolves curves, and what touches them.
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
    /// Gives parameters, inputs, states and coordinates their places and defaults.
    QuantityPhase;
    /// Reads the settings.
    SettingPhase;
    /// Reads the basic points and vectors that bodies state.
    BasisPhase;
    /// Resolves constraints, couplings and prescribed motions.
    EquationPhase;
    /// Makes the forces of a rotating frame.
    FramePhase;
}
