//! Robots of random links and joints, valid before mutation.

use crate::chance::Chance;

/// A tree of up to four links.
pub fn robot(chance: &mut Chance) -> String {
    let links = 1 + chance.below(4);
    let mut text = String::from("<robot name=\"made\">\n");
    for link in 0..links {
        text.push_str(&format!("  <link name=\"l{link}\">\n{}  </link>\n", inertia_and_visual(chance)));
    }
    for link in 1..links {
        let parent = chance.below(link);
        text.push_str(&joint(parent, link, chance));
    }
    text.push_str("</robot>\n");
    text
}

/// Inertia and a visual, one of them, or neither.
fn inertia_and_visual(chance: &mut Chance) -> String {
    let mut text = String::new();
    if !chance.one_in(5) {
        let (mass, xx, yy) = (0.5 + chance.unit(), 0.1 + chance.unit(), 0.1 + chance.unit());
        text.push_str(&format!(
            "    <inertial>{}<mass value=\"{mass:.2}\"/><inertia ixx=\"{xx:.3}\" iyy=\"{yy:.3}\" izz=\"{:.3}\" ixy=\"0.01\" ixz=\"0\" iyz=\"0\"/></inertial>\n",
            origin(chance),
            0.9 * (xx + yy),
        ));
    }
    if chance.one_in(3) {
        let shape = chance.word(&[
            "<box size=\"0.1 0.2 0.3\"/>",
            "<sphere radius=\"0.1\"/>",
            "<cylinder radius=\"0.1\" length=\"1\"/>",
        ]);
        text.push_str(&format!("    <visual>{}<geometry>{shape}</geometry></visual>\n", origin(chance)));
    }
    text
}

fn joint(parent: usize, child: usize, chance: &mut Chance) -> String {
    let kind = chance.word(&["revolute", "continuous", "prismatic", "fixed", "floating", "planar"]);
    let axis = chance.word(&["1 0 0", "0 1 0", "0 0 1", "1 1 0", "0.6 0 -0.8"]);
    let (limit, mimic) = match chance.below(3) {
        0 => (
            "<limit lower=\"-1\" upper=\"1\" effort=\"10\" velocity=\"3\"/><dynamics damping=\"0.1\" friction=\"0.2\"/>",
            String::new(),
        ),
        1 if child > 1 => ("", format!("<mimic joint=\"j{}\" multiplier=\"-2\" offset=\"0.1\"/>", child - 1)),
        _ => ("<limit lower=\"-1\" upper=\"1\" effort=\"10\" velocity=\"3\"/>", String::new()),
    };
    let location = origin(chance);
    format!(
        "  <joint name=\"j{child}\" type=\"{kind}\">\n    <parent link=\"l{parent}\"/><child link=\"l{child}\"/>\n    {location}<axis xyz=\"{axis}\"/>{limit}{mimic}\n  </joint>\n"
    )
}

fn origin(chance: &mut Chance) -> String {
    match chance.below(3) {
        0 => String::new(),
        1 => format!("<origin xyz=\"{:.2} 0 {:.2}\"/>", chance.unit(), chance.unit()),
        _ => format!("<origin xyz=\"0 {:.2} 0\" rpy=\"{:.2} 0.3 0\"/>", chance.unit(), chance.unit()),
    }
}
