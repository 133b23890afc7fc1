//! Functions written in Rust and bound to the model at run time.

use std::panic::Location;

use super::store::{NodeKind, Store};
use super::{Name, Number, Planar, Scalar};

/// A declared function of one number.
#[derive(Clone, Copy, Debug)]
pub struct Opaque<'m> {
    store: &'m Store,
    item: usize,
}

/// # Functions
///
/// A Rust function from handles to handles is what the language calls `function lift(x) = …;`.
impl Planar {
    /// A function of one number that is bound at run time, by [`Model::bind`](crate::Model::bind) and its name. It gives its
    /// value and this many derivatives: two where it stands in a row of positions, one in a row of velocities or in a potential,
    /// none in a load.
    #[track_caller]
    pub fn opaque(&self, name: impl Into<Name>, derivatives: usize) -> Opaque<'_> {
        let name = name.into();
        Opaque { store: &self.store, item: self.store.opaque(name, derivatives, Location::caller()) }
    }
}

impl<'m> Opaque<'m> {
    /// f(x).
    #[track_caller]
    pub fn of(self, x: impl Into<Number<'m>>) -> Scalar<'m> {
        let here = Location::caller();
        let x = self.store.adopt(x.into(), here);
        Scalar(self.store.push(NodeKind::Call(self.store.name_of(self.item), vec![x]), here))
    }
}
