//! Snapshots of the text. `UPDATE_EXPECT=1` writes the files anew.

use std::path::Path;

use expect_test::expect_file;
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;

use crate::corpus;

fn markdown_of_file(mechanism: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mechanisms").join(mechanism);
    let text = std::fs::read_to_string(&path).expect("it is one of the corpus");
    let compiled = compile_text(mechanism, &text, Options::default()).unwrap_or_else(|e| panic!("{e}"));
    mbs_sheet::markdown(&compiled[0].0)
}

#[test]
fn a_pendulum_reads_like_a_textbook() {
    expect_file!["pendulum.md"].assert_eq(&markdown_of_file("physical_pendulum.mbs"));
}

#[test]
fn a_four_bar_reads_like_a_textbook() {
    expect_file!["four_bar.md"].assert_eq(&markdown_of_file("four_bar.mbs"));
}

#[test]
fn the_text_is_deterministic() {
    assert_eq!(markdown_of_file("andrews.mbs"), markdown_of_file("andrews.mbs"));
}

/// Markdown reads the text before LaTeX does: an escape, emphasis or a tag would spoil a formula.
#[test]
fn markdown_lets_formulas_pass() {
    for (name, mechanism) in corpus() {
        let text = mbs_sheet::markdown(mechanism.compiled());
        let mut is_formula = false;
        for line in text.lines() {
            if line == "$$" {
                is_formula = !is_formula;
                continue;
            }
            let formulas: Vec<&str> = match is_formula {
                true => vec![line],
                // Code has no dollars: they would close a formula.
                false => line.split('$').skip(1).step_by(2).collect(),
            };
            for formula in formulas {
                let chars: Vec<char> = formula.chars().collect();
                for (i, c) in chars.iter().enumerate() {
                    let next = chars.get(i + 1).copied().unwrap_or('x');
                    let before = if i > 0 { chars[i - 1] } else { ' ' };
                    let is_escape = *c == '\\' && next.is_ascii_punctuation();
                    // An underscore after a letter or digit and before a brace can only close emphasis that nothing opens.
                    let is_emphasis =
                        *c == '_' && !(before.is_alphanumeric() && next == '{') || matches!(c, '*' | '~' | '`');
                    assert!(!is_escape && !is_emphasis && *c != '<' && *c != '|', "{name}: {formula}");
                }
                // Marks of lists, headings and quotations.
                let is_mark = ["- ", "+ ", "# ", "> "].iter().any(|mark| formula.trim_start().starts_with(mark));
                assert!(!is_mark, "{name}: {formula}");
            }
        }
        assert!(!is_formula, "{name}: a formula is never closed");
    }
}
