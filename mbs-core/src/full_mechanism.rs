//! All traits of mechanisms together.

use crate::{Describe, Eventful, Momenta, Real};

/// A mechanism with its description, its events and its momenta, as simulations need it: [`Mechanism`](crate::Mechanism) and its three
/// subtraits, in one name for bounds. It is implemented for every type that implements them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a full mechanism",
    label = "its description, events and momenta are needed here",
    note = "a type of your own that implements `Mechanism` is one with `impl mbs::Describe for {Self} {{}}`, `impl mbs::Eventful for {Self} {{}}` and `impl mbs::Momenta for {Self} {{}}`, which take all defaults"
)]
pub trait FullMechanism<T: Real = f64>: Describe<T> + Eventful<T> + Momenta<T> {}

#[diagnostic::do_not_recommend]
impl<T: Real, M: Describe<T> + Eventful<T> + Momenta<T> + ?Sized> FullMechanism<T> for M {}
