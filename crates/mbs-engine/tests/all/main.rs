//! The engine: equations of motion, functions that are bound, imported files, robots, space.

mod equations;
mod functions;
mod imports;
mod robots;
mod space;
