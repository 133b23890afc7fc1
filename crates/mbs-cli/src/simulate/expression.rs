//! Expressions of time on the command line.

use mbs::{Engine, Mechanism, StateView};
use mbs_definition::{Declaration, Definition, Errors, Expr, Ident, Item, Name, Origin, Space};

/// An expression of time in the mechanism language. It is evaluated as the output of a mechanism without bodies.
pub struct Expression(Box<Engine>);

impl Expression {
    /// Reads one expression.
    ///
    /// # Errors
    /// The first mistake in it.
    pub fn new(text: &str) -> Result<Expression, String> {
        let expr = mbs_syntax::parse_expression(text).map_err(|errors| first_mistake(&errors))?;
        let model = mbs_resolve::resolve(&mechanism_with_output(expr)).map_err(|errors| first_mistake(&errors))?;
        let engine = Engine::options().model(model).map_err(|failure| failure.to_string())?;
        Ok(Expression(Box::new(engine)))
    }

    /// The values of its components at time t [s].
    pub fn value_at(&self, t: f64) -> Vec<f64> {
        let mut values = vec![0.0; self.0.sizes().n_outputs];
        let state = StateView { t, q: &[], v: &[], z: &[], u: &[] };
        self.0.outputs(state, &[], &[], &mut values);
        values
    }

    /// Number of components.
    pub fn size(&self) -> usize {
        self.0.sizes().n_outputs
    }
}

/// The definition of a mechanism whose only item is this output.
fn mechanism_with_output(value: Expr) -> Definition {
    let ident = |text: &str| Ident { text: text.to_owned(), origin: Origin::NONE };
    let output = Declaration {
        docs: String::new(),
        category: ident("output"),
        name: Name { ident: ident("value"), index: None },
        shape: Vec::new(),
        variants: Vec::new(),
        frame: None,
        curve: None,
        value: Some(value),
        arguments: Vec::new(),
    };
    Definition {
        docs: String::new(),
        visibility: String::new(),
        space: Space::Planar,
        name: ident("Law"),
        items: vec![Item::Declaration(output)],
    }
}

/// The message of the first mistake, without its code and its location.
fn first_mistake(errors: &Errors) -> String {
    let Some(first) = errors.list().first() else { return "it cannot be read".to_owned() };
    match &first.help {
        Some(help) => format!("{}, {help}", first.message),
        None => first.message.clone(),
    }
}
