//! Mistakes that only the equations of a mechanism show: messages, which are equal in every formulation.

mod assembly;
mod attitudes;
mod bars;
mod checked;
mod functions;
mod made_functions;
mod mass;
mod program;
mod rank;
mod redundant;
mod robust;
mod speeds;
mod unknown_functions;
