//! Breaks long formulas into lines.

/// Largest width of a line, in tenths of a letter.
const LINE: i64 = 900;

/// Gap between formulas on one line.
const GAP: i64 = 30;

/// A part of a formula, before which a line may break.
#[derive(Clone, Debug)]
pub struct Piece {
    pub latex: String,
    /// Width in tenths of a letter.
    pub width: i64,
    /// Number of parentheses around the break before it; `None` where no line may break.
    pub depth: Option<u32>,
    /// Whether it is higher than a letter, as fractions are.
    pub is_tall: bool,
}

impl Piece {
    pub fn new(latex: impl Into<String>, width: i64) -> Piece {
        Piece { latex: latex.into(), width, depth: None, is_tall: false }
    }

    /// A piece of digits.
    pub fn digits(text: &str) -> Piece {
        Piece::new(text, 10 * text.chars().count() as i64)
    }

    /// The fraction above / below.
    pub fn fraction(above: &[Piece], below: &[Piece]) -> Piece {
        let width = |list: &[Piece]| list.iter().map(|p| p.width).sum::<i64>();
        let latex = format!("\\frac{{{}}}{{{}}}", Piece::join(above), Piece::join(below));
        Piece { is_tall: true, ..Piece::new(latex, width(above).max(width(below)) + 4) }
    }

    /// A fraction of two numbers, no higher than a letter.
    pub fn small_fraction(above: &[Piece], below: &[Piece]) -> Piece {
        let large = Piece::fraction(above, below);
        Piece { latex: format!("\\t{}", &large.latex[1..]), width: large.width * 7 / 10, is_tall: false, depth: None }
    }

    pub fn join(pieces: &[Piece]) -> String {
        pieces.iter().map(|p| p.latex.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// A formula `left = right`, to be typeset in lines.
pub struct Formula {
    pub left: String,
    /// Width of the left side.
    pub width: i64,
    pub right: Vec<Piece>,
}

/// A formula as rows of an `aligned` environment, in which the widest left side has the given width.
pub fn rows(formula: &Formula, left_width: i64) -> Vec<String> {
    let left = &formula.left;
    let mut rows = Vec::new();
    let mut rest = &formula.right[..];
    let mut room = LINE - left_width;
    while !rest.is_empty() {
        let end = pieces_on_line(rest, room);
        let text = Piece::join(&rest[..end]);
        rows.push(if rows.is_empty() { format!("{left} &= {text}") } else { format!("&\\qquad {text}") });
        rest = &rest[end..];
        room = LINE - left_width - 20;
    }
    rows
}

/// Formulas as rows, with as many formulas on each line as fit.
pub fn packed_rows(formulas: &[Formula]) -> Vec<String> {
    let mut lines: Vec<(String, i64)> = Vec::new();
    for formula in formulas {
        let width = formula.width + 20 + formula.right.iter().map(|p| p.width).sum::<i64>();
        let text = format!("{} = {}", formula.left, Piece::join(&formula.right));
        match lines.last_mut() {
            Some((line, taken)) if *taken + GAP + width <= LINE => {
                line.push_str(&format!(" \\qquad {text}"));
                *taken += GAP + width;
            }
            _ if width <= LINE => lines.push((format!("&{text}"), width)),
            _ => {
                // The last line of a formula that needed several is not extended.
                let broken = rows(formula, formula.width).into_iter();
                lines.extend(broken.map(|row| (row, LINE)));
            }
        }
    }
    let aligned = |(line, _): (String, i64)| match line.starts_with('&') {
        true => line,
        false => format!("&{}", line.replacen(" &= ", " = ", 1)),
    };
    lines.into_iter().map(aligned).collect()
}

/// Number of pieces on a line: as many as fit, up to the break with the fewest open parentheses, unless the line is then less than half full.
fn pieces_on_line(pieces: &[Piece], room: i64) -> usize {
    let mut width = 0;
    // Depth of the break, number of pieces before it, and their width.
    let mut best: Option<(u32, usize, i64)> = None;
    for (i, piece) in pieces.iter().enumerate() {
        if let Some(depth) = piece.depth.filter(|_| i > 0)
            && best.is_none_or(|(shallowest, _, taken)| depth <= shallowest || taken < room / 2)
        {
            best = Some((depth, i, width));
        }
        width += piece.width;
        if let Some((_, count, _)) = best.filter(|_| width > room) {
            return count;
        }
    }
    pieces.len()
}

/// A display `$$ … $$` of rows.
pub fn display(rows: &[String]) -> String {
    match rows {
        [one] => format!("$$\n{}\n$$\n", one.replacen(" &= ", " = ", 1).trim_start_matches('&')),
        _ => format!("$$\n\\begin{{aligned}}\n{}\n\\end{{aligned}}\n$$\n", rows.join(" \\cr\n")),
    }
}
