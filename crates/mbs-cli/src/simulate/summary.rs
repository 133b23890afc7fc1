//! Summary of a run.

use mbs::{Describe, Engine, Item, Quantity, Recording};

/// The summary: steps, energy, constraints, change points, events, the ranges of the outputs, and the files that were written.
/// `followed` are the flat indices of parameters that follow those given.
pub fn text(engine: &Engine, recording: &Recording, followed: &[usize], written: &[String]) -> String {
    let steps = recording.statistics();
    let [start, end] = [recording.times().first(), recording.times().last()].map(|t| t.copied().unwrap_or(0.0));
    let rejected = if steps.rejected > 0 { format!(" and {} rejected ones", steps.rejected) } else { String::new() };
    let mut text = format!(
        "{}: {} s in {} row{}; {} steps{rejected}, {} evaluations\n",
        recording.mechanism(),
        short(end - start),
        recording.len(),
        if recording.len() == 1 { "" } else { "s" },
        steps.accepted,
        steps.evaluations,
    );
    if !followed.is_empty() {
        let value = |k: &usize| format!("{} = {}", engine.name(Item::Parameter(*k)), short(engine.parameters()[*k]));
        let values: Vec<String> = followed.iter().map(value).collect();
        text.push_str(&format!("parameters that follow: {}\n", values.join(", ")));
    }
    if engine.model().settings.kernels.energies {
        text.push_str(&energy(recording));
    }
    if !engine.tree().rows.is_empty() {
        let [positions, velocities] = [recording.position_error(), recording.velocity_error()].map(largest);
        let (positions, velocities) = (short(positions), short(velocities));
        text.push_str(&format!("constraints: |Φ| at most {positions}, |ψ| at most {velocities}\n"));
    }
    text.push_str(&change_points(recording));
    text.push_str(&events(recording));
    text.push_str(&ranges(recording));
    for file in written {
        text.push_str(&format!("written: {file}\n"));
    }
    text
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, b| a.max(b.abs()))
}

/// The line about the total energy, kinetic and potential, which changes if something drives or brakes the mechanism.
fn energy(recording: &Recording) -> String {
    let energy = recording.total_energy();
    let [first, last] = [energy.first(), energy.last()].map(|e| e.copied().unwrap_or(0.0));
    let change = energy.iter().map(|e| (e - first).abs()).fold(0.0, f64::max);
    let (first, last, change) = (short(first), short(last), short(change));
    format!("energy: {first} J at the start, {last} J at the end, at most {change} J from the start\n")
}

/// The line about the singular poses that the run has crossed.
fn change_points(recording: &Recording) -> String {
    let mut points = recording.change_points();
    let count = points.len();
    let Some(first) = points.next() else { return String::new() };
    let row = recording.rows().get(first.row).map_or("a row", String::as_str);
    let when = match points.last() {
        None => format!("a change point at {} s", short(first.t)),
        Some(last) => format!("{count} change points from {} s to {} s", short(first.t), short(last.t)),
    };
    format!("note: the run crosses {when}, where `{row}` depends on other rows, and stays on its branch\n")
}

/// The lines about events: how often each happened, and when; those that were missed; the event that ended the run.
fn events(recording: &Recording) -> String {
    let events = recording.events();
    let mut text = String::new();
    for name in events.names() {
        let times: Vec<f64> = events.of(name).map(|all| all.map(|event| event.t).collect()).unwrap_or_default();
        let line = match *times {
            [] => continue,
            [t] => format!("event {name}: at {} s\n", short(t)),
            [first, .., last] => {
                format!("event {name}: {} times from {} s to {} s\n", times.len(), short(first), short(last))
            }
        };
        text.push_str(&line);
    }
    for (name, t) in events.missed() {
        text.push_str(&format!(
            "note: event {name} was switched on at {} s where its condition was true already, or just about to be, and waits for the next \
             time: `when … holds` happens there\n",
            short(t)
        ));
    }
    if let Some(name) = events.stop() {
        text.push_str(&format!("ended by {name}\n"));
    }
    text
}

/// The table of the ranges of outputs, or of coordinates if there are no outputs.
fn ranges(recording: &Recording) -> String {
    let outputs = recording.table(Quantity::Outputs);
    let (table, kind) = match outputs.names().is_empty() {
        false => (outputs, "output"),
        true => (recording.table(Quantity::Coordinates), "coordinate"),
    };
    let mut rows = vec![[kind, "start", "end", "least", "largest"].map(str::to_owned)];
    for (name, column) in table.iter() {
        let [first, last] = [column.first(), column.last()].map(|x| x.copied().unwrap_or(f64::NAN));
        let least = column.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let [first, last, least, largest] = [first, last, least, largest].map(short);
        rows.push([name.to_owned(), first, last, least, largest]);
    }
    if rows.len() == 1 {
        return String::new();
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3, 4].map(width);
    let line = |row: &[String; 5]| {
        let numbers = row.iter().zip(widths).skip(1).map(|(cell, w)| format!("  {cell:>w$}"));
        format!("  {:w$}{}\n", row[0], numbers.collect::<String>(), w = widths[0])
    };
    rows.iter().map(line).collect()
}

/// A number with six digits.
fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if rounded == 0.0 {
        return "0".to_owned();
    }
    if (1e-4..1e7).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}
