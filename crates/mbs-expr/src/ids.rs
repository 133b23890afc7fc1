//! Indices of what a model holds, which leaves of expressions name.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )* };
}

ids!(
    /// Index into `Model::bodies`; ground has none.
    BodyId,
    /// Index into `Model::markers`.
    MarkerId,
    /// Index of a joint or a measure: `Model::joint`.
    JointId,
    /// Index into `Model::functions`.
    FunctionId
);
