//! Words of other programs and of textbooks, and what they are called here.

use mbs_definition::Space;
use mbs_model::catalog;

/// Kinds of joints and forces by other names; several meanings in the order of preference, of which a space may lack some.
const KINDS: &[(&str, &[&str])] = &[
    ("hinge", &["revolute"]),
    ("pivot", &["revolute"]),
    ("pin", &["revolute"]),
    ("turning", &["revolute"]),
    ("continuous", &["revolute"]),
    ("slider", &["prismatic"]),
    ("slide", &["prismatic"]),
    ("translational", &["prismatic"]),
    ("linear", &["prismatic"]),
    ("weld", &["fixed"]),
    ("welded", &["fixed"]),
    ("rigid", &["fixed"]),
    ("clamp", &["fixed"]),
    ("ball", &["spherical", "revolute"]),
    ("socket", &["spherical"]),
    ("ball_joint", &["spherical", "revolute"]),
    ("cardan", &["universal"]),
    ("hooke", &["universal"]),
    ("floating", &["free"]),
    ("rod", &["distance"]),
    ("massless_rod", &["distance"]),
    ("link", &["distance"]),
    ("spring", &["spring_damper"]),
    ("damper", &["spring_damper"]),
    ("dashpot", &["spring_damper"]),
    ("rope", &["cable"]),
    ("motor", &["torque"]),
    ("actuator", &["mobility"]),
];

/// Categories by other names.
const CATEGORIES: &[(&str, &str)] = &[
    ("link", "body"),
    ("rigid_body", "body"),
    ("solid", "body"),
    ("rod", "body"),
    ("mass", "particle"),
    ("point", "marker"),
    ("frame", "marker"),
    ("parameter", "param"),
    ("constant", "const"),
    ("variable", "let"),
    ("var", "let"),
    ("actuator", "force"),
    ("load", "force"),
    ("motor", "force"),
    ("measure", "output"),
    ("sensor", "output"),
];

/// The kind of a space that some call so.
pub(super) fn kind(word: &str, space: Space) -> Option<&'static str> {
    let (_, meant) = KINDS.iter().find(|(other, _)| *other == word)?;
    meant.iter().copied().find(|kind| category_of(kind, space).is_some())
}

/// `joint` or `force`: the category of a kind of a space.
pub(super) fn category_of(kind: &str, space: Space) -> Option<&'static str> {
    let is_in = |table: &[catalog::Kind]| table.iter().any(|k| k.name == kind);
    if is_in(catalog::joints(space)) {
        return Some("joint");
    }
    is_in(catalog::forces(space)).then_some("force")
}

/// Help with a category that does not exist: a kind in its place, or another word for one.
pub(super) fn category(word: &str, name: &str, space: Space) -> Option<String> {
    let kind = kind(word, space).or_else(|| {
        let all = catalog::joints(space).iter().chain(catalog::forces(space));
        all.map(|k| k.name).find(|kind| *kind == word)
    });
    let declared = |(category, kind): (&str, &str)| format!("write `{category} {name} = {kind}(…);`");
    match kind.and_then(|kind| Some((category_of(kind, space)?, kind))) {
        Some(found) if !CATEGORIES.iter().any(|(other, _)| *other == word) => Some(declared(found)),
        _ => {
            let (_, category) = CATEGORIES.iter().find(|(other, _)| *other == word)?;
            Some(format!("write `{category} {name}`"))
        }
    }
}
