//! The text of a URDF file as a mechanism.

use mbs_definition::Errors;
use mbs_import::urdf;

use crate::{Parsed, Sources};

pub(crate) fn parse(path: &str, text: &str) -> Parsed {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut sources, mut errors) = (Sources::for_text(path, text), Errors::new());
    let definition = urdf::import_mechanism(text, &mut |bytes| sources.bytes(bytes), &mut errors);
    Parsed { definitions: definition.into_iter().collect(), sources, errors }
}
