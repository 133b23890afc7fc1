//! Names of joints, equations, rows and coordinates from the declaration, and texts made from them.

use std::fmt;

use mbs_core::{Describe, Item, Placement, RowKind};

/// A joint or an equation that has rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Kind of its rows.
    pub kind: RowKind,
    /// Its name; in mechanisms without names, that of its row, or `row 3`.
    pub name: String,
}

impl Element {
    /// Word for the kind of the element in messages.
    fn kind_word(&self) -> &'static str {
        match self.kind {
            RowKind::Joint(_) => "joint",
            RowKind::Drive => "drive",
            RowKind::Coupling => "coupling",
            _ => "constraint",
        }
    }
}

impl fmt::Display for Element {
    /// Writes the kind and the name: "joint `pin`".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.kind_word(), self.name)
    }
}

/// Unit of a coordinate, by the motion of bodies when it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The coordinate rotates bodies.
    Radian,
    /// The coordinate translates bodies.
    Metre,
    /// The coordinate moves no body, or the mechanism has no Jacobians of bodies.
    None,
}

impl Unit {
    fn suffix(self) -> &'static str {
        match self {
            Unit::Radian => " rad",
            Unit::Metre => " m",
            Unit::None => "",
        }
    }
}

/// A change of a coordinate in a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Index of its speed.
    pub speed: usize,
    /// Name of the coordinate, such as `crank.angle`.
    pub name: String,
    /// Signed change of the coordinate, in `unit`.
    pub by: f64,
    /// Unit of `by`.
    pub unit: Unit,
}

impl fmt::Display for Motion {
    /// Writes "`crank.angle` by 0.012 rad".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` by {}{}", self.name, round_digits(self.by), self.unit.suffix())
    }
}

/// A row that is not satisfied.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// Index of the row.
    pub row: usize,
    /// Its name, such as `pin.x`.
    pub name: String,
    /// Element that the row belongs to.
    pub element: Element,
    /// Residual Φ or ψ: for a joint the first end minus the second, for an equation the left side minus the right.
    pub residual: f64,
    /// The residual as a fraction of the mechanism's size, or of 1 rad; per second for speeds.
    pub relative: f64,
}

/// Name of a row, or `row 3` if it has none.
pub fn row_name<M: Describe>(mechanism: &M, row: usize) -> String {
    item_name(mechanism, Item::Row(row)).unwrap_or_else(|| format!("row {row}"))
}

/// Element that a row belongs to.
pub(super) fn element<M: Describe>(mechanism: &M, row: usize) -> Element {
    let kind = mechanism.row_kind(row);
    if let RowKind::Joint(index) = kind
        && let Some(joint) = joint(mechanism, index)
    {
        return joint;
    }
    let name = {
        let row = row_name(mechanism, row);
        // Equations between vectors have a row for each component.
        let indexed = row.strip_suffix(']').and_then(|r| r.rsplit_once('['));
        indexed.filter(|(_, k)| k.parse::<usize>().is_ok()).map_or(row.clone(), |(name, _)| name.to_owned())
    };
    Element { kind, name }
}

/// Elements that rows belong to, each once, in the order of the rows.
pub(super) fn elements<M: Describe>(mechanism: &M, rows: impl IntoIterator<Item = usize>) -> Vec<Element> {
    let mut list: Vec<Element> = Vec::new();
    for row in rows {
        let element = element(mechanism, row);
        if !list.contains(&element) {
            list.push(element);
        }
    }
    list
}

/// Elements that rows belong to, and the joints of the tree in the loops that are closed by joints among these elements. Joints come first.
/// `involves(r, i)` is whether row r involves speed i.
pub(super) fn loops<M: Describe>(
    mechanism: &M,
    rows: &[usize],
    involves: impl Fn(usize, usize) -> bool,
) -> Vec<Element> {
    let joints: Vec<RowKind> =
        rows.iter().map(|r| mechanism.row_kind(*r)).filter(|kind| matches!(kind, RowKind::Joint(_))).collect();
    let all = 0..mechanism.sizes().n_velocity;
    let closing: Vec<usize> = all.filter(|r| joints.contains(&mechanism.row_kind(*r))).collect();
    let is_in_loop =
        |p: &Placement| (p.first_speed..p.first_speed + p.speeds).any(|i| closing.iter().any(|r| involves(*r, i)));
    let placements = (0..mechanism.sizes().n_bodies).filter_map(|body| mechanism.placement(body));
    let mut list: Vec<Element> = placements.filter(is_in_loop).filter_map(|p| joint(mechanism, p.joint)).collect();
    for element in elements(mechanism, rows.iter().copied()) {
        if !list.contains(&element) {
            list.push(element);
        }
    }
    list.sort_by_key(|e| match e.kind {
        RowKind::Joint(joint) => joint,
        _ => usize::MAX,
    });
    list
}

/// The element of a joint, if the joint has a name.
fn joint<M: Describe>(mechanism: &M, joint: usize) -> Option<Element> {
    item_name(mechanism, Item::Joint(joint)).map(|name| Element { kind: RowKind::Joint(joint), name })
}

/// Name of the coordinate whose rate is a speed, if there are as many coordinates as speeds, else name of the speed.
pub fn coordinate_name<M: Describe>(mechanism: &M, speed: usize) -> String {
    let sizes = mechanism.sizes();
    let coordinate = (sizes.n_q == sizes.n_v).then(|| item_name(mechanism, Item::Coordinate(speed))).flatten();
    let speed_name = || item_name(mechanism, Item::Speed(speed)).unwrap_or_else(|| format!("speed {speed}"));
    coordinate.unwrap_or_else(speed_name)
}

/// Name of an item, `None` if it is empty.
pub(super) fn item_name<M: Describe>(mechanism: &M, item: Item) -> Option<String> {
    let name = mechanism.name(item);
    (!name.is_empty()).then(|| name.to_owned())
}

/// "a, b and c". If there are more than six names, the first four and the last, which is often a drive, are written, and the number of the others.
pub(super) fn join_names(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if first.len() < 6 => format!("{} and {last}", first.join(", ")),
        [first @ .., last] => format!("{}, {} more and {last}", first[..4].join(", "), first.len() - 4),
    }
}

/// Names of elements, with the kind before the first of each kind: "joints `a`, `b` and drive `d`".
pub(super) fn join_elements(elements: &[Element]) -> String {
    let name = |(i, element): (usize, &Element)| {
        let has_equal_kind = |other: &&Element| other.kind_word() == element.kind_word();
        match elements[..i].last().filter(has_equal_kind) {
            Some(_) => format!("`{}`", element.name),
            None if elements[i..].iter().take(2).filter(has_equal_kind).count() == 2 => {
                format!("{}s `{}`", element.kind_word(), element.name)
            }
            None => element.to_string(),
        }
    };
    join_names(&elements.iter().enumerate().map(name).collect::<Vec<_>>())
}

/// A number with a noun: "1 freedom", "2 freedoms".
pub(super) fn pluralize(n: usize, singular: &str) -> String {
    format!("{n} {singular}{}", if n == 1 { "" } else { "s" })
}

/// A number with three significant digits.
pub(super) fn round_digits(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    if (1e-3..1e5).contains(&x.abs()) {
        let digits = (2 - x.abs().log10().floor() as i32).clamp(0, 5) as usize;
        let text = format!("{x:.digits$}");
        return if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    }
    format!("{x:.2e}")
}
