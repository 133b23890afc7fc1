//! Words of other programs and of textbooks, and their names in the language.

use mbs_definition::Space;
use mbs_model::catalog;

/// Kinds of joints and forces by other names. Several kinds are in the order of preference; a space may lack some.
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

/// Words that are no category, setting or function, with help that says how their meaning is written.
const ELSEWHERE: &[(&str, &str)] = &[
    ("contact", "contacts are forces: `force name = ball_contact(…);`"),
    ("event", "write `event name = when a rises { … }`"),
    ("impulse", "impulses stand in events: `event name = when a rises { impulse(b, c); }`"),
    ("import", "write `import \"file.mbs\";`"),
    ("pairs", "pairs are looped over: `for (a, b) in pairs(bodies) { … }`"),
    ("report", "write `report every 0.01;`, or `report on event;`"),
    ("speed", "a `joint kind` declares its own speeds"),
    ("stop", "write `stop when a > b;`"),
];

/// Help with a word that is written elsewhere or otherwise.
pub(crate) fn elsewhere(word: &str) -> Option<String> {
    ELSEWHERE.iter().find(|(other, _)| *other == word).map(|(_, help)| (*help).to_owned())
}

/// The kind of a space that has this other name.
pub(crate) fn kind(word: &str, space: Space) -> Option<&'static str> {
    let (_, meant) = KINDS.iter().find(|(other, _)| *other == word)?;
    meant.iter().copied().find(|kind| category_of(kind, space).is_some())
}

/// The category of a kind of a space: `joint` or `force`.
pub(crate) fn category_of(kind: &str, space: Space) -> Option<&'static str> {
    let is_in = |table: &[catalog::Kind]| table.iter().any(|k| k.name == kind);
    if is_in(catalog::joints(space)) {
        return Some("joint");
    }
    is_in(catalog::forces(space)).then_some("force")
}

/// Help with a category that does not exist: the word may be a kind, or another name of a category.
pub(crate) fn category(word: &str, name: &str, space: Space) -> Option<String> {
    if let Some(help) = elsewhere(word) {
        return Some(help);
    }
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
