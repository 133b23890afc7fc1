//! The engine: functions that are bound, imported files, robots, space.

mod functions;
mod imports;
mod robots;
mod space;
