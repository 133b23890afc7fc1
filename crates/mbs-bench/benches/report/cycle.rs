//! A revolution of the driven four-bar, from positions to accelerations, against accelerations by hand.

use std::fmt::Write;

use mbs_bench::Method;
use mbs_bench::cycle::{ACCELERATIONS, BOUND, POSITIONS, compare, revolutions};

use crate::Part;
use crate::format::ns;

/// Times revolutions.
pub fn part() -> Part {
    eprintln!("timing a turn of the four-bar");
    let mut part = Part::default();
    let _ = write!(
        part.table,
        "### A turn of the crank\n\n\
         `mechanisms/four_bar_drive.mbs` through {POSITIONS} positions: each found from the one before by Newton's iteration on \
         the rows,\nwith velocities, accelerations and multipliers, and checked to be on the same branch. Against {ACCELERATIONS} \
         accelerations of the undriven\nfour-bar by hand. `Kinematics` records outputs, energies, poses and reactions too.\n\n\
         | code | coordinates | a turn \\[µs\\] | a position \\[ns\\] | this / by hand |\n\
         |---|---|---:|---:|---:|\n"
    );
    for found in compare(&mut revolutions()) {
        let (coordinates, method, ratio) = (found.coordinates, found.method.name(), found.ratio);
        let (revolution, position) = (1e-3 * found.timing.nanoseconds, found.timing.nanoseconds / POSITIONS as f64);
        let position = if found.method == Method::Hand { String::new() } else { ns(position) };
        let _ = writeln!(part.table, "| {method} | {coordinates} | {revolution:.0} | {position} | {ratio:.2} |");
        if found.method == Method::Tracked {
            let _ = writeln!(
                part.findings,
                "- A turn of the driven four-bar in {coordinates} coordinates, {POSITIONS} positions to accelerations, takes \
                 {ratio:.2} times (bound: {BOUND}) as long as {ACCELERATIONS} accelerations by hand."
            );
        }
    }
    part
}
