//! Tables of numbers in text files: rows of equally many numbers, separated by commas, semicolons or blanks.
//!
//! ```text
//! # angle, lift
//! angle, lift
//! 0.0,   0.0
//! 0.1,   2.5e-3   # comments end with the line
//! ```
//!
//! A first row without numbers is a heading and is skipped; empty lines are skipped, too. Rows of three numbers may be points of a [`grid`].

use std::ops::Range;

use mbs_definition::{Errors, MOST_NUMBERS, Origin};

/// A number of a table, with its position in the source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The number, which is finite.
    pub number: f64,
    /// Position in the file.
    pub origin: Origin,
}

/// Reads the columns of a table: at least two, of equal lengths. `make_origin` makes an origin of a range of bytes. `None` if mistakes were added to
/// `errors`.
pub fn read(
    text: &str,
    make_origin: &mut dyn FnMut(Range<usize>) -> Origin,
    errors: &mut Errors,
) -> Option<Vec<Vec<Cell>>> {
    let mut columns: Vec<Vec<Cell>> = Vec::new();
    let (mut first, mut start) = (true, 0);
    for line in text.split_inclusive('\n') {
        let cells = cells(line, start);
        start += line.len();
        if cells.is_empty() {
            continue;
        }
        let is_head = first && cells.iter().all(|bytes| text[bytes.clone()].parse::<f64>().is_err());
        first = false;
        if is_head {
            continue;
        }
        let row = row(text, &cells, make_origin, errors)?;
        if columns.is_empty() {
            columns = vec![Vec::new(); row.len()];
        }
        if row.len() < 2 || row.len() != columns.len() {
            let message = match columns.len() {
                0 | 1 => "a row of one number".to_owned(),
                n => format!("a row of {}, those before have {n} numbers", counted(row.len())),
            };
            let help = "a row is a number x and a value, or several values, at x".to_owned();
            let row = cells.first().map_or(0, |c| c.start)..cells.last().map_or(0, |c| c.end);
            errors.push("MBS072", make_origin(row), message, Some(help));
            return None;
        }
        if columns.len() * (columns[0].len() + 1) > MOST_NUMBERS {
            let message = format!("a table of more than {MOST_NUMBERS} numbers");
            errors.push(
                "MBS039",
                row[0].origin,
                message,
                Some("a spline needs fewer points where it bends little".into()),
            );
            return None;
        }
        columns.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell));
    }
    if columns.is_empty() {
        errors.push("MBS072", make_origin(0..0), "there are no numbers in this file", None);
        return None;
    }
    Some(columns)
}

/// Values over the points of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The values of x, each at its first occurrence.
    pub x: Vec<Cell>,
    /// The values of y, as given with the first x.
    pub y: Vec<Cell>,
    /// The values z: for each x, a list over all y.
    pub values: Vec<Vec<Cell>>,
}

/// The grid whose points are the rows x, y, z of a table: all points of one x, then those of the next, with equal values of y.
///
/// # Errors
/// Origin (`None` for the table), message and help: rows that are not three numbers, a y that differs, or an x with too few points.
pub fn grid(columns: &[Vec<Cell>]) -> Result<Grid, (Option<Origin>, String, &'static str)> {
    const HELP: &str = "a row is a point x, y, z of a grid: all y of the first x, the same y of the next, and so on";
    let [x, y, z] = columns else {
        return Err((None, format!("rows of {}, a grid has 3", counted(columns.len())), HELP));
    };
    let mut grid = Grid { x: Vec::new(), y: Vec::new(), values: Vec::new() };
    for ((x, y), z) in x.iter().zip(y).zip(z) {
        if grid.x.last().is_none_or(|last| last.number != x.number) {
            complete(&grid, x, HELP)?;
            grid.x.push(*x);
            grid.values.push(Vec::new());
        }
        let is_first = grid.x.len() == 1;
        let Some(row) = grid.values.last_mut() else { continue };
        if is_first {
            grid.y.push(*y);
        } else if grid.y.get(row.len()).is_none_or(|known| known.number != y.number) {
            let expected = grid.y.get(row.len()).map_or("another x".to_owned(), |y| format!("y = {}", y.number));
            return Err((Some(y.origin), format!("y = {} where {expected} is expected", y.number), HELP));
        }
        row.push(*z);
    }
    if let Some(last) = grid.x.last().copied() {
        complete(&grid, &last, HELP)?;
    }
    Ok(grid)
}

/// Checks that the last x has all its points; a mistake has the origin of `x`.
fn complete(grid: &Grid, x: &Cell, help: &'static str) -> Result<(), (Option<Origin>, String, &'static str)> {
    match (grid.x.last(), grid.values.last()) {
        (Some(last), Some(row)) if row.len() < grid.y.len() => {
            let message = format!("x = {} has {} of {} points", last.number, row.len(), grid.y.len());
            Err((Some(x.origin), message, help))
        }
        _ => Ok(()),
    }
}

fn counted(n: usize) -> String {
    if n == 1 { "one number".to_owned() } else { format!("{n} numbers") }
}

/// Bytes of the cells of a line that starts at byte `start`; none for an empty line. Between two commas there is an empty cell.
fn cells(line: &str, start: usize) -> Vec<Range<usize>> {
    let line = line.split('#').next().unwrap_or_default().trim_end();
    let mut cells = Vec::new();
    let mut byte = start;
    for part in line.split([',', ';']) {
        let mut words = part.split_whitespace().peekable();
        if words.peek().is_none() && !line.trim_start().is_empty() {
            cells.push(byte..byte);
        }
        let mut rest = part;
        for word in words {
            let offset = rest.find(word).unwrap_or(0);
            let begins = byte + (part.len() - rest.len()) + offset;
            cells.push(begins..begins + word.len());
            rest = &rest[offset + word.len()..];
        }
        byte += part.len() + 1;
    }
    // A comma at the end of a line ends its last number.
    if line.ends_with([',', ';']) {
        cells.pop();
    }
    cells
}

fn row(
    text: &str,
    cells: &[Range<usize>],
    make_origin: &mut dyn FnMut(Range<usize>) -> Origin,
    errors: &mut Errors,
) -> Option<Vec<Cell>> {
    let mut row = Vec::new();
    for bytes in cells {
        let written = &text[bytes.clone()];
        let origin = make_origin(bytes.clone());
        match written.parse::<f64>() {
            Ok(number) if number.is_finite() => row.push(Cell { number, origin }),
            Ok(_) => errors.push("MBS072", origin, format!("`{}` is not finite", shortened(written)), None),
            Err(_) if written.is_empty() => errors.push("MBS072", origin, "a number is missing", None),
            Err(_) => errors.push("MBS072", origin, format!("`{}` is not a number", shortened(written)), None),
        }
    }
    (row.len() == cells.len()).then_some(row)
}

/// A text, shortened for messages.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(24) {
        Some((end, _)) => format!("{}…", text[..end].escape_debug()),
        None => text.escape_debug().to_string(),
    }
}
