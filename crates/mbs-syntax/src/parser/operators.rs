//! Spelling and precedence of operators, including those that are refused with a replacement.

use mbs_definition::BinaryOp;

use crate::tokens::{Kind, Token};

/// Spellings of more than one character, longest first.
const LONG: [&str; 25] = [
    "..=", "...", "<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "..", "**", "->", "=>", "::", "+=", "-=", "*=",
    "/=", "%=", "^=", "&=", "|=", "<<", ">>",
];

/// Precedence of an operator, from `in` (loosest) to prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Power {
    /// Refused: `x = y` in place of an expression.
    Assignment,
    Axes,
    Or,
    And,
    Comparison,
    /// `marker at point`, where the point may be a sum.
    At,
    Sum,
    Product,
    Prefix,
}

impl Power {
    /// The next stronger one, for the right operand of a left-associative operator.
    pub(super) fn tighter(self) -> Power {
        match self {
            Power::Assignment => Power::Axes,
            Power::Axes => Power::Or,
            Power::Or => Power::And,
            Power::And => Power::Comparison,
            Power::Comparison => Power::At,
            Power::At => Power::Sum,
            Power::Sum => Power::Product,
            Power::Product | Power::Prefix => Power::Prefix,
        }
    }
}

/// Operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    Binary(BinaryOp),
    /// `v in body`
    In,
    /// `body at point`
    At,
    /// Not an operator of the language, with the replacement.
    Refused(Option<&'static str>),
}

/// The operator spelt `symbol`.
pub(super) fn infix(symbol: &str) -> Option<(Power, Infix)> {
    let binary = |power, operator| Some((power, Infix::Binary(operator)));
    let refused = |power, help| Some((power, Infix::Refused(help)));
    match symbol {
        "in" => Some((Power::Axes, Infix::In)),
        "at" => Some((Power::At, Infix::At)),
        "||" => binary(Power::Or, BinaryOp::Or),
        "&&" => binary(Power::And, BinaryOp::And),
        "==" => binary(Power::Comparison, BinaryOp::Equal),
        "!=" => binary(Power::Comparison, BinaryOp::NotEqual),
        "<" => binary(Power::Comparison, BinaryOp::Less),
        "<=" => binary(Power::Comparison, BinaryOp::LessEqual),
        ">" => binary(Power::Comparison, BinaryOp::Greater),
        ">=" => binary(Power::Comparison, BinaryOp::GreaterEqual),
        "+" => binary(Power::Sum, BinaryOp::Add),
        "-" => binary(Power::Sum, BinaryOp::Sub),
        "*" => binary(Power::Product, BinaryOp::Mul),
        "/" => binary(Power::Product, BinaryOp::Div),
        "^" | "**" => refused(Power::Product, None),
        "%" => refused(Power::Product, Some("write `x - y * floor(x / y)`")),
        "<<" | ">>" => refused(Power::Sum, None),
        "&" => refused(Power::And, Some("write `&&`")),
        "|" => refused(Power::Or, Some("write `||`")),
        "as" => refused(Power::Product, Some("leave it out, numbers are real")),
        "=" => refused(Power::Assignment, Some("write `==` between the sides of an equation")),
        "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "&=" | "|=" | "<<=" | ">>=" => refused(Power::Assignment, None),
        _ => None,
    }
}

/// The operator, word or bracket at `index`, and its number of tokens; the characters of an operator have no space between them.
pub(super) fn symbol(tokens: &[Token], index: usize) -> (&str, usize) {
    let first = &tokens[index];
    if first.kind == (Kind::Punct { joint: true })
        && let Some(long) = LONG.into_iter().find(|long| spells(&tokens[index..], long))
    {
        return (long, long.len());
    }
    (&first.text, 1)
}

fn spells(tokens: &[Token], long: &str) -> bool {
    long.char_indices().all(|(i, character)| {
        let Some(token) = tokens.get(i) else {
            return false;
        };
        let joined = i + 1 == long.len() || token.kind == (Kind::Punct { joint: true });
        matches!(token.kind, Kind::Punct { .. }) && joined && token.text.starts_with(character)
    })
}
