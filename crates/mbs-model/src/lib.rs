//! The resolved model of a mechanism, and the catalogue of joints and forces.
//!
//! No syntax (no `syn`), no symbolic algebra, no physics.

pub mod catalog;
mod model;
mod names;
pub mod rotational;

pub use model::groups;
pub use model::{
    Alternative, Attitude, Auxiliary, AuxiliaryKind, Basic, BasicEquation, Basis, Body, BodyKind, Cam, CamSide,
    CurveRange, Dependence, Dependent, DerivedParameter, Domain, Equation, EquationCategory, Event, EventTrigger,
    Factors, Force, Formulation, Gearing, InitialCondition, Joint, JointPose, JointRow, Kernels, Load,
    MOST_COMBINATIONS, Marker, Memory, MemoryKind, Model, Motion, Natural, Outline, Output, PoseRotation, Prescription,
    Quantity, Rotation, Row, RowId, RowLevel, RowOwner, StatedBasis, Step, Surface, VelocityAxes, basis_size_text,
    basis_sizes, dependence, factors, plane,
};
pub use names::flat_name;
