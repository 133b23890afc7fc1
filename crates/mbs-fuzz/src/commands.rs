//! Nearly valid command lines of `mbs`, in a scratch directory.

mod results;

use std::fs::{self, File as Sink};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use wait_timeout::ChildExt;

use crate::chance::Chance;
use crate::examine::{Failure, Verdict};
use crate::input::{File, Input};
use crate::make::robots::robot;
use crate::mutate::mutate;
use crate::seeds::Seeds;
use crate::worker::{death_failure, late_failure};

/// Text of an existing file that a result replaces.
const OLD: &str = "old";

/// Options of `simulate` with valid and invalid values; values that need more than a second of work are left out.
#[rustfmt::skip] // one value per line says nothing
const OPTIONS: &[(&str, &[&str], &[&str])] = &[
    ("--duration", &["0", "0.02", "0.1", "0.5", "1"], &["-1", "1e-300", "1e300", "nan", "inf", "x", "5e-324"]),
    ("--every", &["0.01", "0.001", "0.02"], &["1", "0", "-0.1", "1e-20", "1e300", "nan", "0.3"]),
    ("--integrator", &[
        "dormand-prince", "rk4", "rk3", "rk2", "implicit-midpoint", "gauss4", "gauss6", "generalized-alpha", "zhong06",
        "semi-implicit-euler", "explicit-euler",
    ], &["euler"]),
    ("--step", &["0.01", "0.001", "0.05"], &["1", "1e-30", "0", "-1", "1e300", "nan"]),
    ("--tolerance", &["1e-6", "1e-9", "1e-3"], &["1e-300", "1", "0", "1e300", "-1", "nan"]),
    ("--spectral-radius", &["0.8", "0", "1"], &["2", "-1", "nan"]),
    ("--max-steps", &["1000", "300"], &["1", "0", "-1"]),
    ("--stabilization", &["projection", "symmetric", "none", "baumgarte:20", "baumgarte:20,5"], &[
        "baumgarte", "baumgarte:", "baumgarte:1e300", "baumgarte:nan,1", "x",
    ]),
    ("--csv", &["out.csv", "-", "old.csv", "/dev/null"], &["no/out.csv", "m.mbs", "/dev/full"]),
    ("--page", &["out.html", "-", "/dev/null"], &["/dev/full", "out.csv", "no/out.html"]),
    ("--params-file", &["p.txt", "p.json"], &["missing.txt", "m.mbs", "u.csv"]),
    ("--inputs-file", &["u.csv"], &["missing.csv", "p.txt", "/dev/zero"]),
    ("--mechanism", &["Snippet"], &["x"]),
    ("--coordinates", &["body", "joint", "natural"], &["polar"]),
    ("--quiet", &[""], &[""]),
    ("--change-points", &[""], &[""]),
];

/// Paths outside the scratch directory that an argument may name.
const OUTSIDE: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

/// Valid and invalid expressions for values.
const VALUES: [&[&str]; 2] = [
    &["0.1", "0.3", "1", "2", "PI / 3", "0.5 + 0.1"],
    &[
        "0",
        "-1",
        "1e300",
        "nan",
        "2 * t",
        "sin(3 * t)",
        "[1, 2]",
        "[1]",
        "[]",
        "[[1]]",
        "1 / 0",
        "u; input u",
        "t t",
        "(",
        "if t > 1 { 2 } else { 3 }",
        "true",
        "x",
        "0.2*sin(3*t)",
        "sqrt(-1)",
        "1e400",
        "--",
        "\"s\"",
        "position(ground)",
        "sum(i for i in 0..9)",
        "sum(i for i in 0..1000000000)",
        "\u{202e}",
        "=1",
    ],
];

/// Creates a command line and its files.
pub fn make(input: &mut Input, seeds: &Seeds, chance: &mut Chance) {
    let mut text = Seeds::short(if chance.one_in(5) { &seeds.texts } else { &seeds.mechanisms }, chance).to_owned();
    if chance.one_in(8) {
        text = mutate(&text, Seeds::short(&seeds.texts, chance), chance.few(2), chance);
    }
    let names = |category: &str| -> Vec<String> {
        let after = text.split(category).skip(1);
        after.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()).collect()
    };
    let (parameters, inputs) = (names("param "), names("input "));
    let mut file = |name: &str, text: String| {
        let text = if chance.one_in(3) { mutate(&text, "t = [1, 2]", chance.few(3), chance) } else { text };
        File { name: name.to_owned(), text }
    };
    let list = |quote: &str, between: &str, end: &str| -> String {
        parameters.iter().map(|name| format!("{quote}{name}{quote}{between}0.3{end}")).collect()
    };
    let (lines, json) = (list("", " = ", "\n"), format!("{{ {} }}", list("\"", ": ", ", ").trim_end_matches(", ")));
    let columns: String = inputs.iter().map(|name| format!(",{name}")).collect();
    let numbers = ",0.5".repeat(inputs.len());
    let files = [
        file("p.txt", format!("# values\n{lines}")),
        file("p.json", json),
        file("u.csv", format!("t{columns}\n0{numbers}\n0.5{numbers}\n0.5{numbers}\n1{numbers}\n")),
        File { name: "old.csv".to_owned(), text: OLD.to_owned() },
    ];
    let imported = seeds.imported(&text);
    let urdf = File { name: "r.urdf".to_owned(), text: robot(chance) };
    input.files = [vec![File { name: "m.mbs".to_owned(), text }, urdf], files.to_vec(), imported].concat();
    input.arguments = arguments(&parameters, &inputs, chance);
    mutate_arguments(&mut input.arguments, chance);
    input.arguments.iter_mut().for_each(confine);
}

fn arguments(parameters: &[String], inputs: &[String], chance: &mut Chance) -> Vec<String> {
    let file = if chance.one_in(6) { "r.urdf" } else { "m.mbs" };
    let command = chance.word(&["check", "simulate", "simulate", "simulate", "simulate", "generate", "equations"]);
    let mut list = vec![command.to_owned(), file.to_owned()];
    let mut add =
        |words: &[&str]| list.extend(words.iter().filter(|word| !word.is_empty()).map(|word| (*word).to_owned()));
    match command {
        "check" if chance.one_in(2) => add(&["--format", chance.word(&["json", "text", "xml"])]),
        "generate" | "equations" if chance.one_in(2) => {
            add(&["-o", chance.word(&["out.txt", "old.csv", "/dev/null", "no/out"])])
        }
        "simulate" => {
            let mut chosen = vec!["--duration", "--max-steps"];
            add(&[
                "--duration",
                chance.word(&["0", "0.02", "0.1", "0.3"]),
                "--max-steps",
                chance.word(&["300", "2000"]),
            ]);
            for _ in 0..chance.few(5) {
                let (option, right, wrong) = chance.pick(OPTIONS).copied().unwrap_or_default();
                let values = if chance.one_in(12) { wrong } else { right };
                // An option occurs at most once in most cases.
                if !chosen.contains(&option) || chance.one_in(20) {
                    add(&[option, chance.word(values)]);
                    chosen.push(option);
                }
            }
            for (option, names) in [("--param", parameters), ("--input", inputs)] {
                for _ in 1..chance.few(4) {
                    let name = chance.pick(names).map_or("x", String::as_str);
                    if name != "x" || chance.one_in(8) {
                        let values = VALUES[usize::from(chance.one_in(4))];
                        add(&[option, &format!("{name}={}", chance.word(values))]);
                    }
                }
            }
        }
        _ => {}
    }
    if chance.one_in(6) {
        add(&["--coordinates", chance.word(&["body", "joint", "natural", "polar"])]);
    }
    list
}

/// Mutates the arguments themselves, rarely.
fn mutate_arguments(list: &mut Vec<String>, chance: &mut Chance) {
    if !chance.one_in(6) {
        return;
    }
    let (at, other) = (chance.below(list.len()), chance.below(list.len()));
    match chance.below(5) {
        0 => drop(list.remove(at)),
        1 => list.insert(other, list[at].clone()),
        2 => list.swap(at, other),
        _ => list[at] = mutate(&list[at], &list[other], 1, chance),
    }
    // The system passes no arguments with a zero byte.
    list.iter_mut().for_each(|argument| argument.retain(|c| c != '\0'));
}

/// Changes an argument that names a path outside the scratch directory.
fn confine(argument: &mut String) {
    let is_path = argument.starts_with(['/', '-'])
        || argument.contains("=/")
        || argument.contains("..")
        || argument.starts_with("no/");
    if argument.contains('/') && is_path && !OUTSIDE.contains(&argument.as_str()) && !argument.starts_with("no/") {
        *argument = argument.replace('/', "_");
    }
}

/// A directory in which command lines run, one after the other.
pub struct Scratch {
    folder: TempDir,
    mbs: PathBuf,
}

impl Scratch {
    /// Creates the directory, for the program to be run.
    pub fn new(mbs: &Path) -> io::Result<Scratch> {
        Ok(Scratch { folder: TempDir::new()?, mbs: mbs.to_owned() })
    }

    /// Runs a command line, and checks how it ends and which files it leaves.
    ///
    /// # Errors
    /// If the program cannot be started, or the directory cannot be used.
    pub fn examine(&mut self, input: &Input, bound: Duration) -> io::Result<Verdict> {
        let folder = self.folder.path();
        for entry in fs::read_dir(folder)?.flatten() {
            fs::remove_file(entry.path())?;
        }
        for file in &input.files {
            fs::write(folder.join(&file.name), &file.text)?;
        }
        // The directory above has other names than files of an input.
        let (out, err) = (folder.join(".out"), folder.join(".err"));
        let mut child = Command::new(&self.mbs)
            .args(&input.arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Sink::create(&out)?)
            .stderr(Sink::create(&err)?)
            .spawn()?;
        let status = child.wait_timeout(bound)?;
        if status.is_none() {
            child.kill()?;
            child.wait()?;
        }
        let stderr = String::from_utf8_lossy(&fs::read(&err)?).into_owned();
        let printed = fs::read(&out)?;
        Ok(match status {
            None if may_run_long(&input.arguments) => Verdict::Refused("long".to_owned()),
            None => Verdict::Failed(late_failure(bound)),
            Some(status) => judged(input, folder, status, &printed, &stderr).unwrap_or_else(Verdict::Failed),
        })
    }
}

/// Whether the steps of a run are not bounded as [`make`] bounds them.
fn may_run_long(arguments: &[String]) -> bool {
    let most =
        arguments.iter().position(|a| a == "--max-steps").and_then(|at| arguments.get(at + 1)?.parse::<usize>().ok());
    arguments.iter().any(|a| a == "simulate") && most.is_none_or(|most| most > 5_000)
}

fn judged(input: &Input, folder: &Path, status: ExitStatus, printed: &[u8], stderr: &str) -> Result<Verdict, Failure> {
    let fails = |law: &str| Err(Failure::new(law, stderr.trim()));
    let Some(code) = status.code() else { return Err(death_failure(status, stderr)) };
    if let Some(location) = stderr.split("panicked at ").nth(1) {
        return fails(&format!("nothing panics, {}", location.split(":\n").next().unwrap_or(location)));
    }
    if stderr.contains("MBS099") {
        return fails("no message is a bug of our own");
    }
    match code {
        0 => {}
        1..=3 | 130 if stderr.trim().is_empty() => return fails("a command that fails says why"),
        1..=3 | 130 => {}
        other => return fails(&format!("exit codes are those of the book, {other}")),
    }
    results::check(input, folder, code, printed)?;
    Ok(match code {
        0 => Verdict::Sound { is_compiled: input.arguments.first().is_some_and(|command| command != "simulate") },
        code => {
            let code_of_message = stderr.split("[MBS").nth(1).and_then(|rest| rest.get(..3)).unwrap_or("none");
            Verdict::Refused(format!("exit {code}, MBS{code_of_message}"))
        }
    })
}
