//! The kinds of the catalogue, written by `build.rs`: their types, the calls that make them, their arguments with a default, and their
//! coordinates.

use super::{Joint, Turning};
use crate::{Name, Number, Numbers, Place, Planar, Scalar, Value, Vector};

include!(concat!(env!("OUT_DIR"), "/joints.rs"));
