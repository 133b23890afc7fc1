//! Checks that results are complete, or that existing files are unchanged.

use std::fs;
use std::path::Path;

use super::OLD;
use crate::examine::Failure;
use crate::input::Input;

/// Checks the files that the arguments name as results, and the printed output.
pub fn check(input: &Input, folder: &Path, code: i32, printed: &[u8]) -> Result<(), Failure> {
    let command = input.arguments.first().map_or("", String::as_str);
    for pair in input.arguments.windows(2) {
        let complete: fn(&str) -> bool = match pair[0].as_str() {
            "--csv" => is_csv,
            "--page" => is_page,
            "-o" | "--output" if command == "generate" => is_rust,
            "-o" | "--output" => |text| text.ends_with('\n'),
            _ => continue,
        };
        let name = pair[1].as_str();
        if name == "-" || name.starts_with(['/', '.']) || name.is_empty() {
            continue;
        }
        let Ok(bytes) = fs::read(folder.join(name)) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let before = input.files.iter().find(|file| file.name == name).map_or(OLD, |file| file.text.as_str());
        if text == before && (code != 0 || name != "old.csv") {
            continue;
        }
        if !complete(&text) {
            return Err(Failure::new(format!("a result is complete, {} {}", command, pair[0]), tail(&text)));
        }
        // A result is written even if another fills a device.
        let is_refused = code == 1 || code == 2 && !input.arguments.iter().any(|a| a == "/dev/full");
        if is_refused {
            return Err(Failure::new("a refused command leaves files as they were", name));
        }
    }
    let text = String::from_utf8_lossy(printed);
    let has = |word: &str| input.arguments.iter().any(|a| a == word);
    let is_complete = match command {
        _ if code != 0 => true,
        "check" if has("json") => serde_json::from_str::<serde_json::Value>(&text).is_ok(),
        "generate" if !has("-o") && !has("--help") && !has("-h") => is_rust(&text),
        _ => true,
    };
    match is_complete {
        true => Ok(()),
        false => Err(Failure::new(format!("what is printed is complete, {command}"), tail(&text))),
    }
}

/// Whether a text has a header, and as many cells in every line.
fn is_csv(text: &str) -> bool {
    let cells = |line: &str| line.split('"').step_by(2).map(|part| part.matches(',').count()).sum::<usize>();
    let mut lines = text.lines();
    let head = lines.next().map_or(0, cells);
    text.ends_with('\n') && lines.all(|line| cells(line) == head && !line.ends_with(','))
}

fn is_page(text: &str) -> bool {
    text.trim_end().ends_with("</html>")
}

fn is_rust(text: &str) -> bool {
    syn::parse_file(text).is_ok()
}

/// The end of a long text.
fn tail(text: &str) -> String {
    let start = text.char_indices().rev().nth(400).map_or(0, |(at, _)| at);
    text[start..].to_owned()
}
