//! Elements: joints and equations as the user sees them, with their rows in a tree, ordered so that messages name the later of two conflicting ones.

use mbs_definition::Origin;
use mbs_expr::JointId;
use mbs_model::{EquationCategory, Formulation, Model, Row};
use mbs_physics::{Tree, in_formulation};

/// A joint or an equation.
#[derive(Clone, Debug)]
pub struct Element<'a> {
    pub name: &'a str,
    pub origin: Origin,
    /// `joint`, `drive`, `constraint` or `coupling`.
    pub category: &'static str,
    /// Indices of its rows in the tree.
    pub rows: Vec<usize>,
    pub joint: Option<JointId>,
}

impl Element<'_> {
    pub fn is_drive(&self) -> bool {
        self.category == "drive"
    }
}

/// Elements with rows, in an order that is the same in every formulation: joints that span the tree of joint coordinates, then those that
/// close its loops, then gears, constraints and couplings; drives last, since they move the freedoms that the others leave. Where two elements impose
/// the same constraint, the later one is reported.
pub fn elements<'a>(model: &'a Model, tree: &Tree) -> Vec<Element<'a>> {
    let spanning = Tree::new(&in_formulation(model, Formulation::Joint));
    let mut list: Vec<(u8, Element<'a>)> = Vec::new();
    let owned = tree.rows.iter().enumerate().filter(|(_, row)| !is_tie(row));
    for (r, row) in owned {
        let known = list.iter_mut().rev().find(|(_, e)| {
            let known = &tree.rows[e.rows[0]];
            known.element() == row.element()
        });
        match known {
            Some((_, element)) => element.rows.push(r),
            None => list.push(element(model, &spanning, row, r)),
        }
    }
    list.sort_by_key(|(rank, _)| *rank);
    list.into_iter().map(|(_, e)| e).collect()
}

/// Whether a row ties the unknown of a continuous angle to the poses. Such a row belongs to no element and is never reported, since it determines
/// its unknown. But rows of elements that constrain the angle may depend on it.
pub fn is_tie(row: &Row) -> bool {
    row.element().is_none()
}

/// Indices of the rows that tie continuous angles to the poses.
pub fn ties(tree: &Tree) -> impl Iterator<Item = usize> {
    tree.rows.iter().enumerate().filter(|(_, row)| is_tie(row)).map(|(r, _)| r)
}

/// The element of row r, with its rank in the order of [`elements`].
fn element<'a>(model: &'a Model, spanning: &Tree, row: &Row, r: usize) -> (u8, Element<'a>) {
    if let Some(id) = row.joint() {
        let joint = model.joint(id);
        let rank = if joint.geared.is_some() { 2 } else { u8::from(!spanning.contains_joint(id)) };
        let element =
            Element { name: &joint.name, origin: joint.origin, category: "joint", rows: vec![r], joint: Some(id) };
        return (rank, element);
    }
    let equation = &model.equations[row.equation().expect("a row belongs to a joint or an equation")];
    let (rank, category) = match equation.category {
        EquationCategory::Constraint => (3, "constraint"),
        EquationCategory::Coupling => (3, "coupling"),
        EquationCategory::Drive => (4, "drive"),
    };
    (rank, Element { name: &equation.name, origin: equation.origin, category, rows: vec![r], joint: None })
}

/// Whether a row of the tree belongs to a drive.
pub fn is_drive(model: &Model, tree: &Tree, row: usize) -> bool {
    tree.rows[row].equation().is_some_and(|e| model.equations[e].category == EquationCategory::Drive)
}

/// The part of a row's name behind the name of its element: `x`, `normal`, `1`.
pub fn component<'r>(row: &'r Row, element: &Element<'_>) -> &'r str {
    row.name[element.name.len()..].trim_matches(['.', '[', ']'])
}

/// Names as text: "`a`, `b` and `c`"; of more than four the first three, and the number of the others.
pub fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|n| format!("`{n}`")).collect();
    match &quoted[..] {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if first.len() < 4 => format!("{} and {last}", first.join(", ")),
        [a, b, c, rest @ ..] => format!("{a}, {b}, {c} and {} more", rest.len()),
        [..] => unreachable!("longer lists have three names"),
    }
}
