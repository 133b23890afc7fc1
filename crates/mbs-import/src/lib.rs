//! Importers: convert descriptions of mechanisms in the formats of other programs to items of a
//! [`Definition`](mbs_definition::Definition) as a person would write them.
//!
//! An importer reads only a text. The front end chooses and loads the file, and makes origins of its bytes for messages. Names and numbers of the
//! file become names and numbers of the definition, never code.

pub mod table;
pub mod urdf;
