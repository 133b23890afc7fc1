//! Robots and the satellite as `build.rs` compiled them.

include!(concat!(env!("OUT_DIR"), "/robots.rs"));
