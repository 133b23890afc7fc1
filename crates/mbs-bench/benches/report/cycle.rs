//! A turn of the driven four-bar, positions to accelerations, against accelerations by hand.

use std::fmt::Write;

use mbs_bench::Way;
use mbs_bench::cycle::{ACCELERATIONS, BOUND, POSITIONS, compare, turns};

use crate::Part;
use crate::format::ns;

/// Times a turn.
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
    for found in compare(&mut turns()) {
        let (coordinates, way, ratio) = (found.coordinates, found.way.name(), found.ratio);
        let (turn, each) = (1e-3 * found.timing.nanoseconds, found.timing.nanoseconds / POSITIONS as f64);
        let each = if found.way == Way::Hand { String::new() } else { ns(each) };
        let _ = writeln!(part.table, "| {way} | {coordinates} | {turn:.0} | {each} | {ratio:.2} |");
        if found.way == Way::Tracked {
            let _ = writeln!(
                part.findings,
                "- A turn of the driven four-bar in {coordinates} coordinates, {POSITIONS} positions to accelerations, takes \
                 {ratio:.2} times (bound: {BOUND}) as long as {ACCELERATIONS} accelerations by hand."
            );
        }
    }
    part
}
