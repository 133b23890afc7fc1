//! The definition of a mechanism as written: names and kinds are unresolved, and every item has its [`Origin`].
//!
//! Front ends (text, tokens, importers, the builder) produce it, and the resolver reads it. It represents syntax only: the parser knows the form
//! `category name = value { arguments };`, the resolver and the catalogue know the meaning of categories and kinds.

mod data;
mod event;
mod joint_kind;
mod origin;
mod words;

pub use data::{JointLimits, Limits, Shape, Solid};
pub use event::{EventDeclaration, Passage, Report, Statement, Trigger};
pub use joint_kind::{JointKindDeclaration, KindCoordinate, KindPose, KindRow, KindSpeed};
pub use origin::{Diagnostic, Errors, Origin};
pub use words::{KEYWORDS, MEANINGS};

/// Greatest count of numbers in a table, a grid or a spline.
pub const MOST_NUMBERS: usize = 10_000;

/// Planar or spatial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Bodies move in the x–y plane.
    Planar,
    /// Bodies move in space.
    Spatial,
}

/// An identifier as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The text.
    pub text: String,
    /// Position in the source.
    pub origin: Origin,
}

/// A declared name, with an index inside `for`: `link[i]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The identifier.
    pub ident: Ident,
    /// The index expression.
    pub index: Option<Expr>,
}

/// `pub planar Name { items }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Doc comment lines joined with newlines, leading space of each line removed.
    pub docs: String,
    /// Visibility as written, `pub` or `pub(crate)` or empty.
    pub visibility: String,
    /// `planar` or `spatial`.
    pub space: Space,
    /// Name of the mechanism.
    pub name: Ident,
    /// Its items in order.
    pub items: Vec<Item>,
}

/// One item of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `category name …;`
    Declaration(Declaration),
    /// `option: value;`
    Setting(Setting),
    /// `initial x = 1, y ~ 2;`
    Initial(Vec<Condition>),
    /// `for i in a..b { items }`
    Loop(Loop),
    /// `function lift(x) = …;`, `function knee = spline(…);`, `function gas: opaque(2);`
    Function(FunctionDeclaration),
    /// `event touchdown = when height falls { … }`
    Event(EventDeclaration),
    /// `report every 0.1;`, `report on touchdown;`
    Report(Report),
    /// `stop when stroke > 0.12;`
    Stop(Ident, Expr),
    /// `part leg(hip, side = 1) { items }`
    Part(Part),
    /// `joint kind SlideTurn(a, b) { … }`
    JointKind(JointKindDeclaration),
    /// `import "parts.mbs";`, `import "parts.mbs" as lib;`
    Library(Library),
    /// `import "arm.urdf" as arm;`: names that begin with `arm.` are those of its items.
    Group(Ident),
    /// Shape of a body, from an imported file; the language has no syntax for it.
    Solid(Solid<Ident>),
    /// Limits and losses of a joint, from an imported file; the language has no syntax for them.
    Limits(JointLimits<Ident>),
    /// A construct whose grammar is reserved for a later version. The parser skips it.
    Reserved(Ident),
}

/// An item of the form `category name: [shape] in frame = value { arguments };`: a quantity, body, marker, element of a kind or equation.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Doc comment.
    pub docs: String,
    /// `param`, `const`, `input`, `state`, `discrete`, `switch`, `coordinate`, `let`, `output`, `body`, `particle`, `marker`,
    /// `joint`, `force`, `drive`, `prescribe`, `constraint`, `coupling`, `potential`, `curve`, `part`.
    pub category: Ident,
    /// The name declared.
    pub name: Name,
    /// Shape: `[3]` or `[2, 3]` after the colon.
    pub shape: Vec<Expr>,
    /// Words of a choice: `enum { low, high }` after the colon.
    pub variants: Vec<Ident>,
    /// Axes of a vector quantity: `in satellite`.
    pub frame: Option<Expr>,
    /// Parameter and body of a curve, `(s) on cam` after its name.
    pub curve: Option<CurveHead>,
    /// Expression after `=`: a kind with its ends is an [`ExprKind::Call`].
    pub value: Option<Expr>,
    /// Arguments in braces.
    pub arguments: Vec<Argument>,
}

/// Parameter of a curve, and the body or marker on which it is fixed: `(s) on cam`.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveHead {
    /// Its parameter; `None` if the value is one of the language's forms of curves.
    pub parameter: Option<Ident>,
    /// A body or a marker.
    pub on: Expr,
}

/// `part leg(hip, side = 1) { items }`: the items of each instance `part left = leg(…);`, whose names begin with `left.`.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Doc comment.
    pub docs: String,
    /// Its name.
    pub name: Ident,
    /// Parameters of the part.
    pub parameters: Vec<Parameter>,
    /// Items of each instance.
    pub items: Vec<Item>,
}

/// A parameter of a part, or an end or argument of a kind of joint. It is replaced by the expression of the argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: Ident,
    /// Default of an omitted argument.
    pub default: Option<Expr>,
}

/// Items outside the mechanisms of an imported file.
#[derive(Clone, Debug, PartialEq)]
pub struct Library {
    /// `as lib`: its names begin with `lib.`. Without a name its items are items of the declaration that imports it.
    pub name: Option<Ident>,
    /// Parts, kinds of joints, constants, functions, and the libraries that it imports.
    pub items: Vec<Item>,
}

/// A function of the declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDeclaration {
    /// Doc comment.
    pub docs: String,
    /// Its name.
    pub name: Ident,
    /// Its definition.
    pub body: FunctionBody,
}

/// Definition of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionBody {
    /// `(x, y) = value`: every call is replaced by its value.
    Inlined {
        /// Names of its arguments.
        parameters: Vec<Ident>,
        /// Expression of its arguments.
        value: Expr,
    },
    /// `= spline([…], […]) { ends: periodic }`: made from data.
    Made(Made),
    /// `: opaque(2)`, `(x, y): [3] opaque(2)`, `: CubicSpline<16> = spline(…)`: supplied at run time.
    Supplied {
        /// Names of its arguments; an empty list means one argument.
        parameters: Vec<Ident>,
        /// Its number of components, if it is a vector.
        shape: Vec<Expr>,
        /// Its kind.
        kind: Ident,
        /// Arguments in parentheses or angle brackets.
        arguments: Vec<Expr>,
        /// Default until it is supplied.
        default: Option<Made>,
    },
}

/// A function made from data.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// Its kind with the data: an [`ExprKind::Call`].
    pub value: Expr,
    /// Arguments in braces.
    pub arguments: Vec<Argument>,
}

/// `name: value` in braces; `{ torque }` abbreviates `{ torque: torque }` (the parser writes the path into `value`).
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The argument's name.
    pub name: Ident,
    /// Its value.
    pub value: Expr,
    /// Arguments in braces after a word: `coordinates: natural { points: […] }`.
    pub arguments: Option<Vec<Argument>>,
}

/// `option: value;`
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// `gravity`, `coordinates`, `freedoms`, `kernels`, `budget`, `redundant`, …
    pub name: Ident,
    /// Whether `param` is before the value: the value is a parameter.
    pub tunable: bool,
    /// The value; `None` if the setting has only arguments.
    pub value: Option<Expr>,
    /// `budget: { operations: 5000 };`
    pub arguments: Vec<Argument>,
}

/// `x = 1`, an exact condition, or `y ~ 2`, a guess.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The observable.
    pub target: Expr,
    /// `=` (true) or `~`.
    pub exact: bool,
    /// The value.
    pub value: Expr,
}

/// `for i in start..end { items }`, or `for (a, b) in pairs(bodies) { … }`, whose set is `over`.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The variables: one, or two for pairs.
    pub variables: Vec<Ident>,
    /// A [`ExprKind::Range`], or a set.
    pub over: Expr,
    /// Repeated items.
    pub items: Vec<Item>,
}

/// An expression as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Kind of expression.
    pub kind: ExprKind,
    /// Position in the source: its operator, or its first token.
    pub origin: Origin,
}

/// Shapes of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `1`, `0.5`, `1e-3`.
    Number(f64),
    /// `crank_length`, `ground`, `t`.
    Name(String),
    /// `hinge.angle`, `position(a).x`.
    Field(Box<Expr>, Ident),
    /// `link[i]`, `j[0]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a..b`: of loops, sums and slices `u[0..3]` (then inside [`ExprKind::Index`]).
    Range(Box<Expr>, Box<Expr>),
    /// `-x`, `!x`.
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic, comparison, logic.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `sin(x)`. The calls `x.sin()` and `x.powi(2)` have the same form, with the receiver as first argument.
    Call(Ident, Vec<Expr>),
    /// `if c { a } else { b }`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `sum(body for i in a..b)`.
    Sum {
        /// Summand.
        body: Box<Expr>,
        /// Variable.
        variable: Ident,
        /// Range.
        over: Box<Expr>,
    },
    /// `[a, b]`.
    Vector(Vec<Expr>),
    /// `v in body`: a vector in stated axes.
    In(Box<Expr>, Box<Expr>),
    /// `crank at [x, y]`, `crank at com`.
    At(Box<Expr>, Box<Expr>),
    /// The parser reported a mistake here, so the resolver does not report another.
    Broken,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// Infix operators. `==` between the sides of an equation is [`BinaryOp::Equal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are sufficient
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
}
