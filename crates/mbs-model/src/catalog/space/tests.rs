//! Tests of the joints in space: rows vanish exactly at the poses that the steps reach, and coordinates measure the values of the steps.

mod basis;
mod forces;
mod joints;
mod rotations;
mod scene;
