//! The kinds of the catalogue, written by `build.rs`: their types, the calls that make them, their arguments with a default, and their
//! loads.

use std::panic::Location;

use super::{Coordinate, Force, Load};
use crate::curves::Curve;
use crate::functions::Height;
use crate::joints::Joint;
use crate::{Frame, Name, Number, Numbers, Planar, Scalar};

include!(concat!(env!("OUT_DIR"), "/forces.rs"));
