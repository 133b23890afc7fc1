//! Words that cannot be names of a declaration.

/// Reserved words of Rust, which cannot be names of fields or types of generated code.
pub const KEYWORDS: [&str; 53] = [
    "_", "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Names that have a meaning in the language, or are used between its operands.
pub const MEANINGS: [&str; 9] =
    ["t", "PI", "TAU", "ground", "bodies", "com", "kinetic_energy", "potential_energy", "at"];
