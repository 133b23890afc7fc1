//! Observables: functions of frames, sets and elements.

use std::panic::Location;

use super::term::{Term, Value};
use super::{Body, Frame, Marker, Particle, Planar, Scalar, Set, Vector};

/// An item with a position: a frame, or a [`Set`], whose position is the mean weighted by mass.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'m>(Term<'m>);

impl<'m> From<Frame<'m>> for Observed<'m> {
    fn from(frame: Frame<'m>) -> Self {
        Observed(frame.0)
    }
}

impl<'m> From<Body<'m>> for Observed<'m> {
    fn from(body: Body<'m>) -> Self {
        Observed(body.0.term)
    }
}

impl<'m> From<Particle<'m>> for Observed<'m> {
    fn from(particle: Particle<'m>) -> Self {
        Observed(particle.0.term)
    }
}

impl<'m> From<Marker<'m>> for Observed<'m> {
    fn from(marker: Marker<'m>) -> Self {
        Observed(marker.0.term)
    }
}

impl<'m> From<Set<'m>> for Observed<'m> {
    fn from(set: Set<'m>) -> Self {
        Observed(set.0)
    }
}

impl<'m> From<Observed<'m>> for Value<'m> {
    fn from(observed: Observed<'m>) -> Self {
        observed.0.into()
    }
}

/// Position \[m\], world axes.
#[track_caller]
pub fn position<'m>(observed: impl Into<Observed<'m>>) -> Vector<'m> {
    Vector(observed.into().0.call("position", Location::caller()))
}

/// Velocity \[m/s\], world axes.
#[track_caller]
pub fn velocity<'m>(observed: impl Into<Observed<'m>>) -> Vector<'m> {
    Vector(observed.into().0.call("velocity", Location::caller()))
}

/// Acceleration \[m/s²\], world axes; for outputs.
#[track_caller]
pub fn acceleration<'m>(observed: impl Into<Observed<'m>>) -> Vector<'m> {
    Vector(observed.into().0.call("acceleration", Location::caller()))
}

/// Angle of the x axis relative to the world's \[rad\], continuous.
#[track_caller]
pub fn angle<'m>(observed: impl Into<Frame<'m>>) -> Scalar<'m> {
    Scalar(observed.into().0.call("angle", Location::caller()))
}

/// Rate of the angle \[rad/s\].
#[track_caller]
pub fn angular_velocity<'m>(observed: impl Into<Frame<'m>>) -> Scalar<'m> {
    Scalar(observed.into().0.call("angular_velocity", Location::caller()))
}

/// Second derivative of the angle \[rad/s²\]; for outputs.
#[track_caller]
pub fn angular_acceleration<'m>(observed: impl Into<Frame<'m>>) -> Scalar<'m> {
    Scalar(observed.into().0.call("angular_acceleration", Location::caller()))
}

/// Distance between the origins of two frames \[m\].
#[track_caller]
pub fn distance<'m>(a: impl Into<Observed<'m>>, b: impl Into<Observed<'m>>) -> Scalar<'m> {
    Scalar(a.into().0.call2("distance", b.into(), Location::caller()))
}

/// Linear momentum Σ m v_com of a body or set \[kg m/s\], world axes.
#[track_caller]
pub fn momentum<'m>(observed: impl Into<Set<'m>>) -> Vector<'m> {
    Vector(observed.into().0.call("momentum", Location::caller()))
}

/// Angular momentum Σ (p_com − p_about) × m v_com + I ω of a body or set about a point \[kg m²/s\].
#[track_caller]
pub fn angular_momentum<'m>(observed: impl Into<Set<'m>>, about: impl Into<Observed<'m>>) -> Scalar<'m> {
    Scalar(observed.into().0.call2("angular_momentum", about.into(), Location::caller()))
}

/// # Energies
impl Planar {
    /// Kinetic energy of all bodies \[J\].
    #[track_caller]
    pub fn kinetic_energy(&self) -> Scalar<'_> {
        Scalar(self.word("kinetic_energy", Location::caller()))
    }

    /// Potential energy of gravity (zero at the world's origin), springs and potentials \[J\].
    #[track_caller]
    pub fn potential_energy(&self) -> Scalar<'_> {
        Scalar(self.word("potential_energy", Location::caller()))
    }
}
