//! Indices of the items of a model, as leaves of expressions contain them.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// The index as a `usize`.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )* };
}

ids!(
    /// Index into `Model::bodies`; ground has none.
    BodyId,
    /// Index into `Model::markers`.
    MarkerId,
    /// Index of a joint, or of a measure after all joints: `Model::joint`.
    JointId,
    /// Index into `Model::functions`.
    FunctionId
);
