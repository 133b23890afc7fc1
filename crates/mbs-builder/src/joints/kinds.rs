//! The kinds of the catalogue, written by `build.rs`: their types, the calls that make them, their arguments with a default, and their
//! coordinates.

use super::{Joint, RotaryJoint};
use crate::{Frame, Name, Number, Numbers, Planar, Scalar, Value, Vector};

include!(concat!(env!("OUT_DIR"), "/joints.rs"));
