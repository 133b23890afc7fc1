//! Where a name is looked for: variables of loops and sums, parameters of functions and parts, then the names of the part that the
//! text belongs to, of what encloses that part, and so on.

use std::borrow::Cow;
use std::rc::Rc;

use crate::value::Value;

/// The names that an expression sees, innermost last, and which instance of a part it belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    innermost: Option<Rc<Link>>,
    /// The function whose body this is. A body sees nothing of where it is called but its arguments.
    function: Option<Rc<str>>,
    /// `front_left`: the instance of a part that mistakes are made in.
    instance: Option<Rc<str>>,
    /// Whether the text is that of an imported file.
    imported: bool,
}

#[derive(Debug)]
struct Link {
    seen: Seen,
    outer: Option<Rc<Link>>,
}

/// Names that one link of the chain adds.
#[derive(Debug)]
pub(crate) enum Seen {
    /// A name bound here.
    Bound(String, Bound),
    /// A variable of a loop over a set, and the full name of the body or marker that it stands for.
    Element(String, Rc<str>),
    /// All names that begin with a prefix, without it: `front_left.`.
    Names(Rc<str>),
}

/// Meaning of a bound name.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    /// A variable of a loop or sum.
    Index(i64),
    /// A parameter of a function.
    Argument(Value),
    /// A parameter of a part: index of its argument.
    Given(usize),
}

/// Meaning of a name.
pub(crate) enum Found<'n> {
    Bound(Bound),
    /// A full name, perhaps one that nothing declares.
    Declared(Cow<'n, str>),
}

impl Scope {
    /// The body of a function that was declared here, called from another place.
    pub fn of_function<'n>(
        &self,
        function: &str,
        arguments: impl Iterator<Item = (&'n str, Value)>,
        caller: &Scope,
    ) -> Scope {
        let instance = self.instance.clone().or_else(|| caller.instance.clone());
        let scope = Scope { function: Some(function.into()), instance, ..self.clone() };
        arguments.fold(scope, |scope, (name, value)| scope.bind(name, Bound::Argument(value)))
    }

    /// One more variable of a loop or sum.
    pub fn with(&self, name: &str, index: i64) -> Scope {
        self.bind(name, Bound::Index(index))
    }

    /// One more name.
    pub fn bind(&self, name: &str, bound: Bound) -> Scope {
        self.linked(Seen::Bound(name.to_owned(), bound))
    }

    /// One more variable of a loop over a set.
    pub fn element(&self, variable: &str, name: &str) -> Scope {
        self.linked(Seen::Element(variable.to_owned(), name.into()))
    }

    /// The names of a group, which this declares from here on.
    pub fn group(&self, name: &str) -> Scope {
        self.linked(Seen::Names(format!("{name}.").into()))
    }

    /// The text of a part, of which this is an instance.
    pub fn instance_of(&self, name: &str) -> Scope {
        Scope { function: None, instance: Some(name.into()), ..self.clone() }
    }

    /// The text of an imported file.
    pub fn of_file(&self) -> Scope {
        Scope { imported: true, ..self.clone() }
    }

    fn linked(&self, seen: Seen) -> Scope {
        let link = Link { seen, outer: self.innermost.clone() };
        Scope { innermost: Some(Rc::new(link)), ..self.clone() }
    }

    /// Inside a loop of the group that declares here.
    pub fn in_loop(&self) -> bool {
        self.loop_variable().is_some()
    }

    /// The variable of the innermost loop of the group that declares here.
    pub fn loop_variable(&self) -> Option<&str> {
        self.links()
            .map_while(|seen| match seen {
                Seen::Bound(name, Bound::Index(_)) | Seen::Element(name, _) => Some(name.as_str()),
                _ => None,
            })
            .next()
    }

    /// Prefix of the names that are declared here.
    pub fn prefix(&self) -> &str {
        let names = self.links().find_map(|seen| if let Seen::Names(prefix) = seen { Some(prefix) } else { None });
        names.map_or("", |prefix| prefix)
    }

    /// Whether a name is that of a variable of a loop over a set.
    pub fn is_element(&self, name: &str) -> bool {
        let seen =
            self.links().find(|seen| matches!(seen, Seen::Bound(bound, _) | Seen::Element(bound, _) if bound == name));
        matches!(seen, Some(Seen::Element(..)))
    }

    /// Whether a name is bound by the loops and functions around, before any declared name counts.
    pub fn binds(&self, name: &str) -> bool {
        let mut bound = self.links().map_while(|seen| match seen {
            Seen::Bound(bound, _) | Seen::Element(bound, _) => Some(bound),
            Seen::Names(_) => None,
        });
        bound.any(|bound| bound == name)
    }

    /// Suffix of the names that are declared here: `[sun,earth]` in a loop over a set.
    pub fn suffix(&self) -> String {
        let links = self.links().take_while(|seen| !matches!(seen, Seen::Names(_)));
        let mut elements: Vec<&str> =
            links.filter_map(|seen| if let Seen::Element(_, name) = seen { Some(&**name) } else { None }).collect();
        elements.reverse();
        if elements.is_empty() { String::new() } else { format!("[{}]", elements.join(",")) }
    }

    /// The function whose body this is.
    pub fn function(&self) -> Option<&str> {
        self.function.as_deref()
    }

    /// The instance of a part that this belongs to.
    pub fn instance(&self) -> Option<&Rc<str>> {
        self.instance.as_ref()
    }

    /// Whether the text is that of an imported file.
    pub fn is_imported(&self) -> bool {
        self.imported
    }

    /// Everything that is seen, innermost first.
    pub fn links(&self) -> impl Iterator<Item = &Seen> {
        std::iter::successors(self.innermost.as_deref(), |link| link.outer.as_deref()).map(|link| &link.seen)
    }
}
