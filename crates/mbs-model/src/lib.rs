//! What a mechanism is: definition, resolved model, catalogue, checks, and the physics, written once, generic over a scalar.
//!
//! No syntax (no `syn`), no symbolic algebra.

pub mod builder;
pub mod catalog;
pub mod check;
mod codes;
mod exprs;
mod functions;
mod linear;
pub mod mechanics;
mod model;
mod names;
mod natural;
mod resolve;
mod scalar;
mod spin;
mod spline;

pub use codes::CODES;
pub use exprs::{Branch, Comparison, ExprId, Exprs, Function, Function2, Mentions, Op};
pub use functions::{
    CalledFunction, CalledKind, FunctionCall, FunctionError, FunctionSource, MOST_ARGUMENTS, MOST_DERIVATIVES,
    MOST_RESULTS, Partial, Results, RustFunction, RustFunctionOfMany, StandIn, set_function,
};
pub use model::{
    Alternative, Attitude, Auxiliary, AuxiliaryKind, Body, BodyId, BodyKind, Cam, CamSide, CurveRange,
    DerivedParameter, Domain, Equation, EquationCategory, Event, EventTrigger, Force, Formulation, FunctionId,
    InitialCondition, Joint, JointId, JointKind, JointPose, Kernels, Load, MOST_COMBINATIONS, Marker, MarkerId, Model,
    Outline, Output, PoseTurning, Prescription, Quantity, Rotation, Row, RowLevel, RowOwner, Step, Surface,
    VelocityAxes, plane,
};
pub use names::{ItemNames, flat_name};
pub use natural::{Basic, Basis, Natural, StatedBasis};
pub use resolve::resolve;
pub use scalar::{Dual, Scalar, Series};
pub use spline::{Fit, GridSpline, Spline};
