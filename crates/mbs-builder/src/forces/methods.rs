//! Methods of forces in addition to those of the catalogue's kinds: the load of a force made by name, and quantities of contacts.

use std::panic::Location;

use super::{Contact, Force};
use crate::{Scalar, Untyped};

impl<'m> Force<'m> {
    /// Load of the force: `load(force)`.
    #[track_caller]
    pub fn load(self) -> Untyped<'m> {
        Untyped(self.exerted())
    }
}

impl<'m> Force<'m, Contact> {
    /// Penetration depth of the bodies \[m\], negative while they are separated.
    #[track_caller]
    pub fn depth(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("depth", Location::caller()))
    }

    /// Normal contact force between the bodies \[N\] ≥ 0.
    #[track_caller]
    pub fn normal_force(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("normal_force", Location::caller()))
    }

    /// Velocity of the second end's surface relative to the first end's \[m/s\]: its component in the x direction of a plane; for two discs its
    /// component in the direction from the first to the second, rotated by −90°.
    #[track_caller]
    pub fn slip(self) -> Scalar<'m> {
        Scalar(self.declared.term.field("slip", Location::caller()))
    }

    /// Slip ratio κ: slip divided by the velocity of the second end's point in the tangential direction of the first; positive where friction drives
    /// it in the x direction of a plane.
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
