//! Scopes of names: first variables of loops and sums and parameters of functions and parts, then the names of the part that the text belongs to,
//! then those of the enclosing part or mechanism, and so on.

use std::borrow::Cow;
use std::rc::Rc;

use crate::value::Value;

/// The names that an expression can use, innermost last, and the instance of a part that it belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    innermost: Option<Rc<Link>>,
    /// The function whose body this is. Of its caller a body knows the arguments only.
    function: Option<Rc<str>>,
    /// The instance of a part that messages name, such as `front_left`.
    instance: Option<Rc<str>>,
    /// Whether the text is that of an imported file.
    imported: bool,
}

#[derive(Debug)]
struct Link {
    seen: ScopeNames,
    outer: Option<Rc<Link>>,
}

/// Names that one link of the chain adds.
#[derive(Debug)]
pub(crate) enum ScopeNames {
    /// A name bound here.
    Bound(String, Bound),
    /// A variable of a loop over a set, and the full name of the body or marker that it stands for.
    Element(String, Rc<str>),
    /// All names that begin with a prefix such as `front_left.`, which is left out.
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
    /// A full name, which need not be declared.
    Declared(Cow<'n, str>),
}

impl Scope {
    /// Scope of the body of a function that is declared in this scope and called in another.
    pub fn function_body<'n>(
        &self,
        function: &str,
        arguments: impl Iterator<Item = (&'n str, Value)>,
        caller: &Scope,
    ) -> Scope {
        let instance = self.instance.clone().or_else(|| caller.instance.clone());
        let scope = Scope { function: Some(function.into()), instance, ..self.clone() };
        arguments.fold(scope, |scope, (name, value)| scope.bind(name, Bound::Argument(value)))
    }

    /// This scope with a variable of a loop or sum.
    pub fn with_index(&self, name: &str, index: i64) -> Scope {
        self.bind(name, Bound::Index(index))
    }

    /// This scope with another bound name.
    pub fn bind(&self, name: &str, bound: Bound) -> Scope {
        self.linked(ScopeNames::Bound(name.to_owned(), bound))
    }

    /// This scope with a variable of a loop over a set.
    pub fn set_element(&self, variable: &str, name: &str) -> Scope {
        self.linked(ScopeNames::Element(variable.to_owned(), name.into()))
    }

    /// Scope in which a group declares its names.
    pub fn inside_group(&self, name: &str) -> Scope {
        self.linked(ScopeNames::Names(format!("{name}.").into()))
    }

    /// Scope of the text of a part, for an instance with this name.
    pub fn instance_of(&self, name: &str) -> Scope {
        Scope { function: None, instance: Some(name.into()), ..self.clone() }
    }

    /// Scope of the text of an imported file.
    pub fn imported_file(&self) -> Scope {
        Scope { imported: true, ..self.clone() }
    }

    fn linked(&self, seen: ScopeNames) -> Scope {
        let link = Link { seen, outer: self.innermost.clone() };
        Scope { innermost: Some(Rc::new(link)), ..self.clone() }
    }

    /// Whether this is inside a loop of the group that declares in this scope.
    pub fn in_loop(&self) -> bool {
        self.loop_variable().is_some()
    }

    /// The variable of the innermost loop of the group that declares in this scope.
    pub fn loop_variable(&self) -> Option<&str> {
        self.links()
            .map_while(|seen| match seen {
                ScopeNames::Bound(name, Bound::Index(_)) | ScopeNames::Element(name, _) => Some(name.as_str()),
                _ => None,
            })
            .next()
    }

    /// Prefix of the names that are declared in this scope.
    pub fn prefix(&self) -> &str {
        let names =
            self.links().find_map(|seen| if let ScopeNames::Names(prefix) = seen { Some(prefix) } else { None });
        names.map_or("", |prefix| prefix)
    }

    /// Whether a name is that of a variable of a loop over a set.
    pub fn is_element(&self, name: &str) -> bool {
        let seen = self
            .links()
            .find(|seen| matches!(seen, ScopeNames::Bound(bound, _) | ScopeNames::Element(bound, _) if bound == name));
        matches!(seen, Some(ScopeNames::Element(..)))
    }

    /// Whether an enclosing loop or function binds a name, which then takes precedence over declared names.
    pub fn binds(&self, name: &str) -> bool {
        let mut bound = self.links().map_while(|seen| match seen {
            ScopeNames::Bound(bound, _) | ScopeNames::Element(bound, _) => Some(bound),
            ScopeNames::Names(_) => None,
        });
        bound.any(|bound| bound == name)
    }

    /// Suffix of the names that are declared in this scope: `[sun,earth]` in a loop over a set.
    pub fn suffix(&self) -> String {
        let links = self.links().take_while(|seen| !matches!(seen, ScopeNames::Names(_)));
        let mut elements: Vec<&str> = links
            .filter_map(|seen| if let ScopeNames::Element(_, name) = seen { Some(&**name) } else { None })
            .collect();
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

    /// All links of the chain, innermost first.
    pub fn links(&self) -> impl Iterator<Item = &ScopeNames> {
        std::iter::successors(self.innermost.as_deref(), |link| link.outer.as_deref()).map(|link| &link.seen)
    }
}
