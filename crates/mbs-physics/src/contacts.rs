//! Contacts of cams as a mechanism reports them.

use mbs_core::Contact;
use mbs_model::Model;

use super::{InterfaceCoordinate, Tree};

/// Contact i as [`Describe::contact`](mbs_core::Describe::contact) reports it; `None` if there is no such contact.
pub fn contact(model: &Model, tree: &Tree, index: usize) -> Option<Contact> {
    let side = model.curves.cams.iter().flat_map(|cam| &cam.sides).nth(index)?;
    let parameter = InterfaceCoordinate::Algebraic(side.unknown);
    let coordinate = tree.interface.iter().position(|c| *c == parameter)?;
    Some(Contact { outline: side.curve as usize, coordinate })
}
