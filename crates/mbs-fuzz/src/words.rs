//! Words, numbers and characters that mutations insert.

/// Numbers at the limits of the representable ones, and beyond.
#[rustfmt::skip] // one word per line says nothing
pub const NUMBERS: &[&str] = &[
    "0", "-0", "0.0", "1", "-1", "2", "3", "0.5", "1e308", "-1e308", "1e309", "1e-308", "1e-320", "1e-400",
    "1e16", "1e-16", "1e9", "1e-9", "1e5", "4294967295", "4294967296", "9007199254740993", "9223372036854775807",
    "18446744073709551616", "255", "256", "65536", "100", "1000", "1_000", "0x1f", "0b2", "1u8", "1.5f32", "1e",
    "1.", "1..2", "007", "1e+3", "NaN", "inf", "-inf", "infinity", "(0 / 0)", "(1 / 0)", "PI", "TAU", "(-0.0)",
    "1e308 * 10", "99999999999999999999999999999999999999999", "0.1234567890123456789012345678901234567890",
];

/// Words of the language: categories, kinds, arguments, functions, and similar invalid words.
#[rustfmt::skip] // one word per line says nothing
pub const LANGUAGE: &[&str] = &[
    "planar", "spatial", "pub", "part", "joint kind", "import", "robot", "for", "in", "pairs", "bodies", "if",
    "else", "sum", "at", "com", "ground", "t", "PI", "gravity", "coordinates", "freedoms", "kernels", "budget",
    "redundant", "resolve", "frame", "rotating", "param", "const", "input", "state", "coordinate", "discrete",
    "switch", "let", "output", "initial", "body", "particle", "marker", "joint", "force", "potential", "drive",
    "constraint", "coupling", "prescribe", "function", "curve", "event", "every", "when", "holds", "report",
    "stop", "impulse", "exclusive", "enabled", "on", "choice", "body", "joint", "natural", "revolute",
    "prismatic", "fixed", "free", "point_on_line", "distance", "gear", "cam", "spherical", "cylindrical",
    "universal", "screw", "planar", "spring_damper", "cable", "torsion_spring", "torsion_damper", "torque",
    "point_force", "wrench", "mobility", "plane_contact", "ball_contact", "terrain_contact", "curve_contact",
    "mass", "inertia", "position", "angle", "rotation", "velocity", "rate", "angular_velocity", "attitude",
    "quaternion", "rodrigues", "modified_rodrigues", "rotation_vector", "euler", "axis", "stiffness", "damping",
    "free_length", "free_angle", "value", "friction", "restitution", "normal", "points", "vectors", "pose",
    "translation", "speed", "linear", "constant", "polynomial", "sinusoid", "step", "spline", "bicubic",
    "opaque", "CubicSpline", "clamped", "periodic", "not_a_knot", "ends", "beyond", "smoothing", "cubic", "sin",
    "cos", "tan", "atan2", "sqrt", "exp", "ln", "abs", "sign", "min", "max", "floor", "tanh", "powi", "powf",
    "dot", "cross", "norm", "reaction", "load", "kinetic_energy", "potential_energy", "momentum", "true",
    "false", "x", "y", "z", "jacobians", "sensitivities", "linearization", "hessians", "operators", "inverse",
    "steps", "momenta", "forward", "length", "direction", "mirror", "lerp", "hinge", "slider", "deg", "axes",
];

/// Words of Rust, and names that generated code uses.
#[rustfmt::skip] // one word per line says nothing
pub const RUST: &[&str] = &[
    "fn", "self", "Self", "type", "struct", "impl", "match", "crate", "super", "async", "await", "dyn", "_",
    "r#fn", "r#body", "f64", "usize", "str", "index", "core", "std", "mbs", "Option", "Some", "None", "Ok",
    "Err", "Default", "Params", "Position", "kernels", "unsafe", "gen", "macro_rules", "bool", "u32", "Vec",
    "String", "'a", "b\"x\"", "r\"x\"", "c\"x\"", "vec!", "panic!", "Mechanism", "State", "T", "q", "v",
];

/// Characters that are rare in texts.
#[rustfmt::skip] // one word per line says nothing
pub const CHARACTERS: &[&str] = &[
    "\r", "\r\n", "\0", "\u{202e}", "\u{2066}", "\u{feff}", "\u{200b}", "\u{200d}", "\u{301}", "\u{1f600}",
    "\u{e9}", "\u{df}", "\u{130}", "\u{3b8}", "\u{2212}", "\u{d7}", "\u{ff11}", "\u{17f}", "\u{212a}",
    "\u{10ffff}", "\u{7f}", "\u{1b}", "\u{85}", "\u{2028}", "\u{a0}", "\t", "\\", "\"", "'", "`", "#", "$", "@",
    "~", "^", "%", "&", "|", "!", "?", "//", "/*", "*/", "///", "//!", "/**", "#[doc = \"x\"]", "#!", "<!--",
    "-->", "]]>", "&amp;", "&#0;", "&x;", "<?xml?>", "<![CDATA[", "<!DOCTYPE r [<!ENTITY a \"b\">]>", "{", "}",
    "(", ")", "[", "]", "<", ">", ",", ";", ":", "=", "..", "..=", "->", "=>", "::", "==", "<=", "&&", "||",
];

/// Operators that may replace each other.
#[rustfmt::skip] // one word per line says nothing
pub const OPERATORS: &[&str] = &[
    
    "+", "-", "*", "/", "==", "<", ">", "<=", ">=", "&&", "||", ".", "..", "..=", " at ", " in ", "~", "=", ":", ",",
    ";",
];

/// Nestings: opening and closing texts.
#[rustfmt::skip] // one word per line says nothing
pub const NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("-", ""),
    ("!", ""),
    ("sin(", ")"),
    ("sqrt(", ")"),
    ("abs(", ")"),
    ("rate(", ")"),
    ("1 + ", ""),
    ("2 * ", ""),
    ("", " / 3"),
    ("", ".powi(2)"),
    ("", " * t"),
    ("if t < 1 { ", " } else { 0 }"),
    ("sum(", " for i in 0..3)"),
    ("for i in 0..2 { ", " }"),
    ("[", ", 0]"),
    ("[", ", 0, 0]"),
];

/// Items that can be added to many mechanisms.
pub const ITEMS: &[&str] = &[
    "coordinates: body;",
    "coordinates: joint;",
    "coordinates: natural;",
    "redundant: resolve;",
    "freedoms: 1;",
    "budget: 100;",
    "gravity: [0, -9.81];",
    "gravity: [0, 0, -9.81];",
    "frame: rotating { omega: 1 };",
    "kernels: [jacobians, sensitivities, linearization];",
    "kernels: [hessians, operators, inverse];",
    "kernels: [steps, momenta];",
    "output e = kinetic_energy + potential_energy;",
    "param extra = 1;",
    "input extra_input;",
    "input many: [40];",
    "state extra_state = 0 { rate: -extra_state };",
    "discrete counter = 0;",
    "switch extra_switch = true;",
    "event tick = every 0.01 { counter = counter + 1; }",
    "event up = when t > 0.005 { stop; }",
    "report every 0.003;",
    "stop when t > 0.01;",
    "body extra_body { mass: 1, inertia: 1 }",
    "particle extra_particle { mass: 1 }",
    "joint extra_joint = free(ground, extra_body);",
    "joint extra_pin = revolute(ground, extra_body);",
    "joint extra_weld = fixed(ground, extra_body);",
    "marker extra_marker = ground at [1, 0];",
    "for k in 0..3 { output sample[k] = k * t; }",
    "for (a, b) in pairs(bodies) { potential pull = 1 / distance(a, b); }",
    "function extra_function(x) = x * x;",
    "function wave: opaque(2);",
    "function extra_spline = spline([0, 1, 2], [0, 1, 0]) { ends: periodic };",
    "const big = 1e300;",
    "let twice = 2 * t;",
    "/// Doc \u{202e} text.\n",
];
