//! Creation of an input from its kind, seed and number.

pub(crate) mod robots;

use crate::chance::Chance;
use crate::commands;
use crate::input::{File, Input, Kind};
use crate::mutate::mutate;
use crate::seeds::Seeds;

/// Creates the input of a number; it is reproducible for a given state of the repository.
pub fn make(kind: Kind, seed: u64, number: u64, seeds: &Seeds) -> Input {
    let mut chance = Chance::new(seed, number, kind as u64);
    let chance = &mut chance;
    let mut input = Input { kind, files: Vec::new(), arguments: Vec::new(), choice: 0 };
    match kind {
        Kind::Texts => input.files = text(seeds, chance),
        Kind::Urdfs => input.files = urdf(seeds, chance),
        Kind::Tables => input.files = table(seeds, chance),
        Kind::Commands => commands::make(&mut input, seeds, chance),
    }
    input.choice = chance.below(1 << 16) as u64;
    input
}

fn text(seeds: &Seeds, chance: &mut Chance) -> Vec<File> {
    let text = Seeds::short(&seeds.texts, chance);
    let other = Seeds::short(&seeds.texts, chance);
    let count = chance.few(6);
    let mutated = mutate(text, other, count, chance);
    let mut files = vec![File { name: "m.mbs".to_owned(), text: mutated }];
    files.extend(seeds.imported(&files[0].text));
    // An imported file is mutated half of the time.
    if files.len() > 1 && chance.one_in(2) {
        let at = 1 + chance.below(files.len() - 1);
        files[at].text = mutate(&files[at].text, other, 1, chance);
    }
    files
}

/// Texts that import a robot, or declare it alone.
const ROBOTS: &[&str] = &[
    "spatial M { gravity: [0, 0, -9.81]; import \"r.urdf\"; }",
    "spatial M { import \"r.urdf\" as left; import \"r.urdf\" as right; output e = kinetic_energy; }",
    "pub robot Arm = \"r.urdf\";",
    "robot Arm = \"r.urdf\" { base: free; gravity: [0, 0, 0]; friction_speed: 0.01; }",
    "/// Robot.\npub robot Arm = \"r.urdf\" { base: fixed; l0: { velocity: body }; output m = momentum(bodies); }",
    "spatial M { import \"r.urdf\"; coordinates: body; freedoms: 2; kernels: [jacobians]; }",
];

fn urdf(seeds: &Seeds, chance: &mut Chance) -> Vec<File> {
    let robot = match chance.below(3) {
        0 => Seeds::short(&seeds.urdfs, chance).to_owned(),
        _ => robots::robot(chance),
    };
    let other = Seeds::short(&seeds.urdfs, chance);
    let count = chance.few(6);
    let robot = mutate(&robot, other, count, chance);
    let robot = File { name: "r.urdf".to_owned(), text: robot };
    if chance.one_in(2) {
        return vec![robot];
    }
    let mut text = chance.word(ROBOTS).to_owned();
    if chance.one_in(4) {
        text = mutate(&text, ROBOTS[0], 1, chance);
    }
    vec![File { name: "m.mbs".to_owned(), text }, robot]
}

/// Texts that use a table.
const TABLES: &[&str] = &[
    "planar M { function f = spline(\"t.csv\"); output y = f(t); }",
    "planar M { function f = spline(\"t.csv\") { ends: not_a_knot, beyond: linear }; output y = rate(f(t)); }",
    "planar M { function f = spline(\"t.csv\") { ends: periodic }; output y = f(2 * t); }",
    "planar M { function f = spline(\"t.csv\") { ends: clamped(0, 1), smoothing: 1e-3 }; output y = f(t); }",
    "planar M { function f = spline(\"t.csv\") { smoothing: 1e-9 }; body b { mass: 1 + f(0), inertia: 1 } joint j = prismatic(ground, b) { axis: [1, 0] }; drive d = j.position == f(t); }",
    "planar M { function f = bicubic(\"t.csv\"); output z = f(t, 1); }",
    "planar M { function f = bicubic(\"t.csv\") { ends: [not_a_knot, natural], beyond: linear }; output z = f(1, t); }",
    "planar M { function f = bicubic(\"t.csv\") { ends: periodic, beyond: cubic }; output z = f(t, t); }",
    "planar M { function f: CubicSpline<9> = spline(\"t.csv\"); output y = f(t); }",
];

fn table(seeds: &Seeds, chance: &mut Chance) -> Vec<File> {
    let table = match chance.below(4) {
        0 => grid(chance),
        1 => rows(chance),
        _ => chance.pick(&seeds.tables).cloned().unwrap_or_default(),
    };
    let other = chance.pick(&seeds.tables).map_or("", String::as_str);
    let count = chance.few(5);
    let table = mutate(&table, other, count, chance);
    let mut text = chance.word(TABLES).to_owned();
    if chance.one_in(4) {
        text = mutate(&text, TABLES[0], 1, chance);
    }
    vec![File { name: "m.mbs".to_owned(), text }, File { name: "t.csv".to_owned(), text: table }]
}

/// A grid of random heights.
fn grid(chance: &mut Chance) -> String {
    let (columns, rows) = (1 + chance.below(6), 1 + chance.below(6));
    let mut table = String::new();
    for x in 0..columns {
        for y in 0..rows {
            table.push_str(&format!("{x} {} {:.3}\n", 0.5 * y as f64, chance.unit()));
        }
    }
    table
}

/// Rows of an argument and one or several values.
fn rows(chance: &mut Chance) -> String {
    let (count, values) = (1 + chance.below(12), 1 + chance.below(3));
    let mut table = String::from("x; y\n");
    for row in 0..count {
        table.push_str(&format!("{row}"));
        for _ in 0..values {
            table.push_str(&format!("; {:.4e}", chance.unit() - 0.5));
        }
        table.push('\n');
    }
    table
}
