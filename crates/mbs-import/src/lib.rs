//! Importers: descriptions of mechanisms in the formats of other programs, turned into items of a
//! [`Definition`](mbs_definition::Definition) as a person would write them.
//!
//! An importer reads a text and nothing else: which file, from which folder, and where its bytes are shown in messages is the
//! front end's business. Names and numbers of the file become names and numbers of the definition, never code.

pub mod table;
pub mod urdf;
