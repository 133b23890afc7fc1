//! The cell with the contents of a mechanism, which all its handles borrow and write to.
//!
//! No borrow of the cell outlives a method of this file.

use std::cell::RefCell;
use std::fmt;

use super::contents::{Argument, Contents, Form, Function, Item, NodeId};
use super::name::Name;
use super::sites::{Here, Sites};

/// The contents in a cell.
pub(super) struct Store(RefCell<Contents>);

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.borrow().name)
    }
}

impl Store {
    pub(super) fn new(name: String, here: Here) -> Store {
        let mut sites = Sites::default();
        let origin = sites.push(here);
        Store(RefCell::new(Contents {
            name,
            origin,
            docs: String::new(),
            visibility: "pub".into(),
            pending: String::new(),
            group: String::new(),
            groups: Vec::new(),
            nodes: Vec::new(),
            items: Vec::new(),
            sites,
        }))
    }

    pub(super) fn read<V>(&self, read: impl FnOnce(&Contents) -> V) -> V {
        read(&self.0.borrow())
    }

    pub(super) fn write<V>(&self, write: impl FnOnce(&mut Contents) -> V) -> V {
        write(&mut self.0.borrow_mut())
    }

    /// Declares a function, and returns the index of its item.
    pub(super) fn function(&self, mut name: Name, here: Here, fill: impl FnOnce(&mut Function)) -> usize {
        self.write(|c| {
            name.group.clone_from(&c.group);
            let (docs, origin) = (std::mem::take(&mut c.pending), c.sites.push(here));
            let (supplied, made, options) = (None, Form::Nothing, Vec::new());
            let mut function = Function { docs, name, origin, arguments: 1, size: None, supplied, made, options };
            fill(&mut function);
            c.items.push(Item::Function(function));
            c.items.len() - 1
        })
    }

    /// Changes a function.
    pub(super) fn edit_function(&self, item: usize, edit: impl FnOnce(&mut Function)) {
        self.write(|c| match &mut c.items[item] {
            Item::Function(function) => edit(function),
            _ => unreachable!("handles of this type are of functions"),
        });
    }

    /// Adds an option in braces.
    pub(super) fn add_option(&self, item: usize, name: &str, value: NodeId, here: Here) {
        let origin = self.write(|c| c.sites.push(here));
        self.edit_function(item, |f| f.options.push(Argument::new(name, origin, value)));
    }

    /// Enters a group for further declarations; returns the previous one.
    pub(super) fn enter_group(&self, mut name: Name, here: Here) -> String {
        self.write(|c| {
            name.group.clone_from(&c.group);
            let name = name.to_string();
            if !c.groups.iter().any(|(known, _)| *known == name) {
                let origin = c.sites.push(here);
                c.groups.push((name.clone(), origin));
            }
            std::mem::replace(&mut c.group, format!("{name}."))
        })
    }

    /// Name of a function.
    pub(super) fn function_name(&self, item: usize) -> Name {
        self.read(|c| match &c.items[item] {
            Item::Function(function) => function.name.clone(),
            _ => unreachable!("handles of this type are of functions"),
        })
    }

    /// Full name of an item.
    pub(super) fn name_of(&self, item: usize) -> String {
        self.read(|c| match &c.items[item] {
            Item::Element(element) => element.name.to_string(),
            Item::Function(function) => function.name.to_string(),
            Item::Kind(kind) => kind.name.to_string(),
            Item::Event(event) => event.name.to_string(),
            Item::Condition(_) | Item::Rule(_) => String::new(),
        })
    }
}
