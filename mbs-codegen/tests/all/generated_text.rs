//! Generated text that rustc accepts, for any documentation and any names of mechanisms.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use mbs_codegen::{compile_text, expand, generate, rendered_warnings};

/// Whether rustc refuses a character in comments: a carriage return by itself, control characters, and those of text direction.
fn is_refused_by_rustc(c: char) -> bool {
    matches!(c, '\r' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') || c.is_control() && !matches!(c, '\n' | '\t')
}

#[test]
fn documentation_with_controls_is_generated_with_escapes() {
    let text = "/// A mechanism \u{2067}of\u{2069} ours.
pub planar M {
    /// crank \u{202e} length
    param x = 1;
    #[doc = \"one\\rtwo\\r\\nthree\\u{7} \\0\"]
    param y = 1;
    /// torque \u{202b}
    input u;
    /// bent \u{200f}
    body a { mass: x, inertia: y, com: [0.5, 0] }
    /// hinge \u{202d}
    joint pin = revolute(ground, a);
    force f = mobility(pin) { value: u };
    /// turn \u{202c}
    output angle = pin.angle;
}";
    let rust = generate("m.mbs", text, Default::default()).expect("it compiles");
    let refused: Vec<char> = rust.chars().filter(|c| is_refused_by_rustc(*c)).collect();
    assert!(refused.is_empty(), "{refused:?}");
    for wanted in ["/// crank \\u{202e} length", "/// one\n", "/// two\n", "/// three\\u{7} \\u{0} Default 1"] {
        assert!(rust.contains(wanted), "{wanted}");
    }
    assert_rustc_accepts_comments(&rust);
    let by_macro = expand(text.parse().expect("it splits into tokens")).to_string();
    assert!(!by_macro.chars().any(is_refused_by_rustc) && !by_macro.contains("compile_error"), "{by_macro}");
}

/// Compiles the documentation of generated text with rustc, each comment on a separate item, because the text needs other crates.
fn assert_rustc_accepts_comments(rust: &str) {
    let mut items = String::from("#![deny(text_direction_codepoint_in_comment)]\n");
    for (k, comment) in rust.split('\n').filter(|line| line.trim_start().starts_with("///")).enumerate() {
        items.push_str(&format!("{comment}\npub struct Documented{k};\n"));
    }
    assert!(items.contains("Documented9"), "{items}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = folder.join("documented.rs");
    fs::write(&source, items).expect("a writable target directory");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "--out-dir"])
        .arg(folder)
        .arg(&source)
        .output()
        .expect("rustc runs where cargo does");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

const PENDULUM: &str = "{ body b { mass: 1, inertia: 1 } joint j = revolute(ground, b); }";

#[test]
fn mechanisms_with_equal_names_in_rust_are_refused() {
    for (first, second, message) in [
        ("M", "M", "[MBS011] two mechanisms are called `M`"),
        ("FourBar", "Four_Bar", "[MBS011] mechanisms `FourBar` and `Four_Bar` would have one name in Rust"),
        ("Arm", "arm", "[MBS011] mechanisms `Arm` and `arm` would have one name in Rust"),
    ] {
        let text = format!("planar {first} {PENDULUM}\nplanar {second} {PENDULUM}");
        let refused = compile_text("m.mbs", &text, Default::default()).err().expect("it is refused").to_string();
        assert!(refused.contains(message) && refused.contains("first declared here"), "{refused}");
        let by_macro = expand(text.parse().expect("it splits into tokens")).to_string();
        assert_eq!(by_macro.matches("compile_error").count(), 1, "{by_macro}");
    }
    let different = format!("planar A {PENDULUM} planar B {PENDULUM}");
    assert!(compile_text("m.mbs", &different, Default::default()).is_ok());
}

#[test]
fn warnings_are_rendered_and_do_not_fail() {
    let text = PENDULUM.replace("body b", "param unused = 1; body b");
    let compiled = compile_text("m.mbs", &format!("planar M {text}"), Default::default()).expect("it compiles");
    let shown = rendered_warnings(&compiled, Default::default());
    assert!(shown.starts_with("warning: [MBS052] parameter `unused` is not used\n --> m.mbs:1:18\n"), "{shown}");
}

#[test]
fn debug_of_a_failure_reads_like_display() {
    let failure = compile_text("m.mbs", "planar M { joint a = b; }", Default::default()).err().expect("it is refused");
    assert_eq!(format!("{failure:?}"), failure.to_string());
}
