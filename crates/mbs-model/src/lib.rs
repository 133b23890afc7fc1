//! What a mechanism is: definition, resolved model, catalogue, checks, and the physics, written once, generic over a scalar.
//!
//! No syntax (no `syn`), no symbolic algebra.

pub mod builder;
pub mod catalog;
pub mod check;
mod codes;
mod linear;
pub mod mechanics;
mod model;
mod names;
mod natural;
mod resolve;
mod spin;

pub use codes::CODES;
pub use model::{
    Alternative, Attitude, Auxiliary, AuxiliaryKind, Body, BodyKind, Cam, CamSide, CurveRange, DerivedParameter,
    Domain, Equation, EquationCategory, Event, EventTrigger, Force, Formulation, InitialCondition, Joint, JointKind,
    JointPose, Kernels, Load, MOST_COMBINATIONS, Marker, Model, Outline, Output, PoseTurning, Prescription, Quantity,
    Rotation, Row, RowLevel, RowOwner, Step, Surface, VelocityAxes, plane,
};
pub use names::{ItemNames, flat_name};
pub use natural::{Basic, Basis, Natural, StatedBasis};
pub use resolve::resolve;
