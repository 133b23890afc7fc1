//! Kinds of joints and events of the builder, in groups and with declared speeds.

use mbs_builder::{Joint, Planar, joints, position};
use mbs_definition::{Item, JointKindDeclaration};

use super::{assert_same, written};

/// A leg with a knee of a declared kind, whose foot hits the ground.
fn leg(m: &Planar) -> Joint<'_, joints::Declared> {
    let kind = m.joint_kind("Knee", ["femur", "tibia"]);
    let bend = kind.angle("bend", -0.1);
    kind.rotation(bend).translation((0.02 * bend.sin(), -0.4));
    let [thigh, shank] = ["thigh", "shank"].map(|name| m.body(name).mass(2.0).inertia(0.1));
    m.revolute("hip", m.ground(), thigh);
    let knee = m.joint_of("knee", kind, thigh, shank);
    let steps = m.discrete("steps", 0.0);
    let touchdown = m.event("touchdown", (position(shank).y() + 1.0).falls()).set(steps, steps + 1.0);
    touchdown.set(knee.coordinate("bend").rate(), 0.0);
    m.report_on([touchdown]);
    m.report_every(0.1);
    m.stop_when(steps.gt(9.0));
    knee
}

#[test]
fn kinds_and_events_of_a_group_are_those_of_a_part() {
    let m = Planar::new("Walker");
    let knees = ["left", "right"].map(|side| m.group(side, leg));
    m.output("spread", knees[0].coordinate("bend") - knees[1].coordinate("bend"));
    let text = "pub planar Walker {
        part leg() {
            joint kind Knee(femur, tibia) {
                coordinate bend: angle = -0.1;
                pose { rotation: bend, translation: [0.02 * sin(bend), -0.4] }
            }
            body thigh { mass: 2, inertia: 0.1 }
            body shank { mass: 2, inertia: 0.1 }
            joint hip = revolute(ground, thigh);
            joint knee = Knee(thigh, shank);
            discrete steps = 0;
            event touchdown = when position(shank).y + 1 falls { steps = steps + 1; rate(knee.bend) = 0; }
            report on touchdown;
            report every 0.1;
            stop when steps > 9;
        }
        part left = leg();
        part right = leg();
        output spread = left.knee.bend - right.knee.bend;
    }";
    assert_same(&m, text);
}

fn kind_of(items: &[Item]) -> &JointKindDeclaration {
    let kind = items.iter().find_map(|item| if let Item::JointKind(kind) = item { Some(kind) } else { None });
    kind.expect("it has a kind")
}

/// As written, but for origins.
fn shape(kind: &JointKindDeclaration) -> String {
    let text = format!("{kind:?}");
    let mut parts = text.split("Origin(");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once(')').expect("an origin ends").1)
}

#[test]
fn speeds_of_a_kind_are_written_as_in_the_text() {
    let m = Planar::new("Wheeled");
    let kind = m.joint_kind("Wheeled", ["floor", "wheel"]);
    let base = kind.parameter_or("base", 0.5);
    let (place, turn) = (kind.coordinate_vector("place", [0.0, 0.0]), kind.angle("turn", 0.0));
    let (along, spin) = (kind.speed_vector("along", 2), kind.speed("spin"));
    let [x, y] = [along.component(0), along.component(1)];
    kind.kinematics([x * turn.cos() - y * turn.sin(), x * turn.sin() + y * turn.cos(), spin / base]);
    kind.rotation(turn).translation(place);
    let built = m.definition().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let text = "pub planar Wheeled {
        joint kind Wheeled(floor, wheel, base = 0.5) {
            coordinate place: [2] = [0, 0];
            coordinate turn: angle = 0;
            speed along: [2];
            speed spin;
            kinematics: [
                along[0] * cos(turn) - along[1] * sin(turn),
                along[0] * sin(turn) + along[1] * cos(turn),
                spin / base,
            ];
            pose { rotation: turn, translation: place }
        }
    }";
    assert_eq!(shape(kind_of(&built.items)), shape(kind_of(&written(text).items)));
    let body = m.body("wheel").mass(1.0).inertia(0.1);
    m.joint_of("rolls", kind, m.ground(), body);
    let model = m.resolve().unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(model.coordinates.poses[0].speeds, ["along[0]", "along[1]", "spin"]);
}
