//! Methods of forces beside those of the catalogue's kinds: the load of a force made by name, and what contacts measure.

use std::panic::Location;

use super::{Contact, Force};
use crate::{Scalar, Untyped};

impl<'m> Force<'m> {
    /// `load(force)`.
    #[track_caller]
    pub fn load(self) -> Untyped<'m> {
        Untyped(self.exerted())
    }
}

impl<'m> Force<'m, Contact> {
    /// Penetration depth of the bodies \[m\], negative while they are apart.
    #[track_caller]
    pub fn depth(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("depth", Location::caller()))
    }

    /// Normal contact force between the bodies \[N\] ≥ 0.
    #[track_caller]
    pub fn normal_force(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("normal_force", Location::caller()))
    }

    /// Velocity of the second end's surface relative to the first end's \[m/s\]: along the x axis of a plane; for two discs along the line
    /// from the first to the second, rotated by −90°.
    #[track_caller]
    pub fn slip(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("slip", Location::caller()))
    }

    /// Slip over the velocity of the second end's point along the first, κ: positive where friction drives it along the x axis of a plane.
    #[track_caller]
    pub fn slip_ratio(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("slip_ratio", Location::caller()))
    }

    /// Error of the contact location that the search found \[m\], on terrain and between curves; other contacts need no search.
    #[track_caller]
    pub fn residual(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("residual", Location::caller()))
    }
}
