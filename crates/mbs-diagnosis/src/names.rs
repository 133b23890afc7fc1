//! Joints, equations, rows and coordinates by the names of the declaration.

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
    fn word(&self) -> &'static str {
        match self.kind {
            RowKind::Joint(_) => "joint",
            RowKind::Drive => "drive",
            RowKind::Coupling => "coupling",
            _ => "constraint",
        }
    }
}

impl fmt::Display for Element {
    /// "joint `pin`".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.word(), self.name)
    }
}

/// Unit of a coordinate, from the motion that it gives to bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// It turns bodies.
    Radian,
    /// It shifts them.
    Metre,
    /// It moves none, or the mechanism does not say.
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

/// A coordinate on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Index of its speed.
    pub speed: usize,
    /// Its name, such as `crank.angle`.
    pub name: String,
    /// How far it goes, signed.
    pub by: f64,
    /// Unit of `by`.
    pub unit: Unit,
}

impl fmt::Display for Motion {
    /// "`crank.angle` by 0.012 rad".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` by {}{}", self.name, short(self.by), self.unit.suffix())
    }
}

/// A row that is not met.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// Index of the row.
    pub row: usize,
    /// Its name, such as `pin.x`.
    pub name: String,
    /// Element that the row belongs to.
    pub element: Element,
    /// Φ or ψ: first end minus second, left minus right.
    pub residual: f64,
    /// The residual as a part of the mechanism's size, or of 1 rad; per second for speeds.
    pub relative: f64,
}

/// Name of a row, `row 3` if it has none.
pub fn row_name<M: Describe>(mechanism: &M, row: usize) -> String {
    named(mechanism, Item::Row(row)).unwrap_or_else(|| format!("row {row}"))
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
        // Equations between vectors have a row per component.
        let whole = row.strip_suffix(']').and_then(|r| r.rsplit_once('['));
        whole.filter(|(_, k)| k.parse::<usize>().is_ok()).map_or(row.clone(), |(whole, _)| whole.to_owned())
    };
    Element { kind, name }
}

/// Elements that rows belong to, each once, in their order.
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

/// Elements that rows belong to, and the joints of the tree in the loops that joints among these close, joints first.
/// `touched(r, i)` is whether row r involves speed i.
pub(super) fn loops<M: Describe>(
    mechanism: &M,
    rows: &[usize],
    touched: impl Fn(usize, usize) -> bool,
) -> Vec<Element> {
    let joints: Vec<RowKind> =
        rows.iter().map(|r| mechanism.row_kind(*r)).filter(|kind| matches!(kind, RowKind::Joint(_))).collect();
    let all = 0..mechanism.sizes().n_velocity;
    let closing: Vec<usize> = all.filter(|r| joints.contains(&mechanism.row_kind(*r))).collect();
    let carries =
        |p: &Placement| (p.first_speed..p.first_speed + p.speeds).any(|i| closing.iter().any(|r| touched(*r, i)));
    let placements = (0..mechanism.sizes().n_bodies).filter_map(|body| mechanism.placement(body));
    let mut list: Vec<Element> = placements.filter(carries).filter_map(|p| joint(mechanism, p.joint)).collect();
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

fn joint<M: Describe>(mechanism: &M, joint: usize) -> Option<Element> {
    named(mechanism, Item::Joint(joint)).map(|name| Element { kind: RowKind::Joint(joint), name })
}

/// Name of the coordinate that a speed changes, or of the speed where these differ in number.
pub fn coordinate_name<M: Describe>(mechanism: &M, speed: usize) -> String {
    let sizes = mechanism.sizes();
    let coordinate = (sizes.n_q == sizes.n_v).then(|| named(mechanism, Item::Coordinate(speed))).flatten();
    let own = || named(mechanism, Item::Speed(speed)).unwrap_or_else(|| format!("speed {speed}"));
    coordinate.unwrap_or_else(own)
}

pub(super) fn named<M: Describe>(mechanism: &M, item: Item) -> Option<String> {
    let name = mechanism.name(item);
    (!name.is_empty()).then(|| name.to_owned())
}

/// "a, b and c"; of more than six those between are counted. The last, often a drive, is always named.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if first.len() < 6 => format!("{} and {last}", first.join(", ")),
        [first @ .., last] => format!("{}, {} more and {last}", first[..4].join(", "), first.len() - 4),
    }
}

/// "joints `a`, `b` and drive `d`".
pub(super) fn listed_elements(elements: &[Element]) -> String {
    let name = |(i, element): (usize, &Element)| {
        let of_its_kind = |other: &&Element| other.word() == element.word();
        match elements[..i].last().filter(of_its_kind) {
            Some(_) => format!("`{}`", element.name),
            None if elements[i..].iter().take(2).filter(of_its_kind).count() == 2 => {
                format!("{}s `{}`", element.word(), element.name)
            }
            None => element.to_string(),
        }
    };
    listed(&elements.iter().enumerate().map(name).collect::<Vec<_>>())
}

/// "1 freedom", "2 freedoms".
pub(super) fn number_of(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// Three significant digits.
pub(super) fn short(x: f64) -> String {
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
