//! The compiler and its Rust: costs, messages, printed text, and motions of compiled mechanisms.

mod articulated;
mod automatic;
mod build_script;
mod cam_costs;
mod checks;
mod codes;
mod equal_tokens;
mod generated_text;
mod graphs;
mod implicit_steps;
mod imports;
mod inertial_derivatives;
mod joint_kinds;
mod mechanisms;
mod momentum_steps;
mod op_counts;
mod pairs;
mod planar;
mod print_back;
mod robustness;
mod space;
mod stage_corrections;
mod trees;
