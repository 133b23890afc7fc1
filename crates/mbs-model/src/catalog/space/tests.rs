//! The tables of space: rows vanish exactly on the poses that the steps reach, coordinates measure what the steps were given.

mod basis;
mod forces;
mod joints;
mod rotations;
mod scene;
