//! The resolved model of a mechanism, and the catalogue of joints and forces.
//!
//! No syntax (no `syn`), no symbolic algebra, no physics.

pub mod catalog;
mod model;
mod names;
pub mod spin;

pub use model::{
    Alternative, Attitude, Auxiliary, AuxiliaryKind, Basic, BasicEquation, Basis, Body, BodyKind, Cam, CamSide,
    CurveRange, Dependence, Dependent, DerivedParameter, Domain, Equation, EquationCategory, Event, EventTrigger,
    Factors, Force, Formulation, Gearing, InitialCondition, Joint, JointPose, JointRow, Kernels, Load,
    MOST_COMBINATIONS, Marker, Memory, MemoryKind, Model, Motion, Natural, Outline, Output, PoseTurning, Prescription,
    Quantity, Rotation, Row, RowId, RowLevel, RowOwner, StatedBasis, Step, Surface, VelocityAxes, counted, dependence,
    factors, kinds, plane,
};
pub use names::flat_name;
