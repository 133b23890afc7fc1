//! The macro, the build script and `mbs generate` give equal Rust, in every process and on every machine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use mbs_codegen::{expand, generate, tokens};
use mbs_compiler::compile::Options;
use mbs_model::Formulation;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::mechanisms::{by_tier, files, files_up_to, root};

fn mechanisms() -> Vec<PathBuf> {
    let files = files();
    assert!(files.len() > 10);
    files
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).expect("a readable mechanism")
}

/// FNV-1a of the generated text of some mechanisms.
fn fingerprint() -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let names = ["car_axis.mbs", "four_bar.mbs", "gear_pair.mbs", "slider_crank_motor.mbs"];
    for file in mechanisms().into_iter().filter(|f| names.iter().any(|name| f.ends_with(name))) {
        for formulation in [Formulation::Body, Formulation::Joint] {
            let options = Options { formulation: Some(formulation), ..Options::default() };
            for byte in generate("m.mbs", &read(&file), options).expect("it compiles").bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    format!("{hash:016x}")
}

/// For each mechanism: the macro and the build script give the same tokens, the text of the file has them, and no path of this machine.
#[test]
fn macros_build_scripts_and_files_have_equal_tokens() {
    for file in files_up_to(by_tier(1_700, usize::MAX)) {
        let (text, path) = (read(&file), file.display().to_string());
        let by_macro = expand(text.parse().expect("it splits into tokens")).to_string();
        let by_text = tokens("mechanisms/m.mbs", &text, Options::default()).expect("it compiles");
        assert!(by_macro == by_text.to_string(), "{path}");
        let generated = generate(&path, &text, Options::default()).expect("it compiles");
        assert!(!generated.contains(&root().display().to_string()), "{path}");
        let (printed, parsed) = (flat_tokens(by_text), flat_tokens(generated.parse().expect("it is Rust")));
        let differs = printed.iter().zip(&parsed).position(|(a, b)| a != b);
        if let Some(i) = differs {
            let around = |list: &[String]| list[i.saturating_sub(10)..(i + 10).min(list.len())].join(" ");
            panic!("{path}:\n{}\n{}", around(&printed), around(&parsed));
        }
        assert_eq!(printed.len(), parsed.len(), "{path}");
    }
}

/// Tokens without commas and braces, because formatting adds some (after last arguments, around the arms of a `match`).
fn flat_tokens(tokens: TokenStream) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    fn push(tokens: TokenStream, list: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    list.push(open.into());
                    push(group.stream(), list);
                    list.push(close.into());
                }
                // The value of a string, however it is quoted.
                TokenTree::Literal(literal) => list.push(match syn::Lit::new(literal.clone()) {
                    syn::Lit::Str(text) => format!("{:?}", text.value()),
                    _ => literal.to_string(),
                }),
                other => list.push(other.to_string()),
            }
        }
    }
    push(tokens, &mut list);
    list.retain(|token| !["{", "}", ","].contains(&token.as_str()));
    list
}

#[test]
fn bodies_inside_macros_are_formatted() {
    let file = mechanisms().into_iter().find(|f| f.ends_with("four_bar.mbs")).expect("the four-bar");
    let text = generate("m.mbs", &read(&file), Options::default()).expect("it compiles");
    let crowded = text.lines().find(|l| l.matches("let ").count() > 1 || l.contains("#[doc ="));
    assert_eq!(crowded, None);
    let long = text.lines().find(|l| l.len() > 160 && !l.trim_start().starts_with("///"));
    assert_eq!(long, None);
    assert!(text.contains("::mbs::select_fma! {\n            {\n                /// "));
}

/// Prints the fingerprint for the test below; it is no test by itself.
#[test]
#[ignore = "run by `output_is_equal_in_every_process`"]
fn print_fingerprint() {
    println!("fingerprint {}", fingerprint());
}

#[test]
fn output_is_equal_in_every_process() {
    let here = fingerprint();
    assert_eq!(here, fingerprint(), "twice in one process");
    let other = Command::new(env::current_exe().expect("tests are files"))
        .args(["--exact", "equal_tokens::print_fingerprint", "--ignored", "--nocapture"])
        .output()
        .expect("the test runs itself");
    let printed = String::from_utf8_lossy(&other.stdout).into_owned();
    assert!(printed.contains(&format!("fingerprint {here}")), "{printed}");
}
