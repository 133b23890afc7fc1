//! Messages about contacts.

use crate::mistakes::{check, check_messages};
use expect_test::expect;

#[test]
fn mbs016_a_contact_of_a_body_with_itself() {
    check(
        "force tyre = ball_contact(rod, rod at [1, 0]) { first: 0.1, second: 0.1, stiffness: 1e5 };",
        &expect![[r#"
            error: [MBS016] both ends of force `tyre` are on `rod`
             --> m.mbs:1:47
              |
            1 | planar M { force tyre = ball_contact(rod, rod at [1, 0]) { first: 0.1, second: 0.1, stiffness: 1e5 };
              |                                               ^^
              |
              = help: join two bodies"#]],
    );
}

#[test]
fn impossible_contacts_are_refused() {
    check_messages(
        &[
            "force tyre = plane_contact(ground, rod) { radius: 0, stiffness: 1e5 };",
            "force tyre = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5, friction: -0.5 };",
            "force tyre = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5, stiction: -0.5 };",
            "force tyre = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5, friction: 0.5 + 0.1 * sin(position(rod).x) };",
            "particle bead { mass: 1 } force tyre = plane_contact(bead, rod) { radius: 0.1, stiffness: 1e5 };",
            "force tyre = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5 }; event tyre = when pin.angle falls { }",
            "force stop = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5 }; stop when pin.angle < -3; report on stop;",
            "force tyre = plane_contact(ground, rod) { radius: 0.1 }; report on tyre;",
            "force tyre = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5 }; output d = tyre.dept;",
            "force spring = spring_damper(ground, rod at [1, 0]) { stiffness: 1e5 }; output d = spring.depth;",
            "marker road = ground { friction: 0.8 }; marker tread = rod { friction: 0.9 }; force tyre = plane_contact(road, tread) { radius: 0.1, stiffness: 1e5 };",
            "marker road = ground { friction: 0.8 }; force tyre = plane_contact(road, road) { radius: 0.1, stiffness: 1e5 };",
            "force tyre = terrain_contact(ground, rod) { radius: 0.1, stiffness: 1e5 };",
            "force tyre = terrain_contact(ground, rod) { height: 0.1, radius: 0.1, stiffness: 1e5 };",
            "force tyre = terrain_contact(ground, rod) { height: hill, radius: 0.1, stiffness: 1e5 };",
            "function hill(x, y) = x * y; force tyre = terrain_contact(ground, rod) { height: hill, radius: 0.1, stiffness: 1e5 };",
            "function hill(x) = [x, 0]; force tyre = terrain_contact(ground, rod) { height: hill, radius: 0.1, stiffness: 1e5 };",
            "function hill(x) = x + t; force tyre = terrain_contact(ground, rod) { height: hill, radius: 0.1, stiffness: 1e5 };",
            "function hill(x) = angle(x); force tyre = terrain_contact(ground, rod) { height: hill, radius: 0.1, stiffness: 1e5 };",
            "particle bead { mass: 1 } function hill(x) = x; force tyre = terrain_contact(bead, rod) { height: hill, radius: 0.1, stiffness: 1e5 };",
            "curve rim on rod = circle(0.1); force tyre = curve_contact(ground, rim) { stiffness: 1e5 };",
            "curve rim on rod = circle(0.1); force tyre = curve_contact(rim) { stiffness: 1e5 };",
            "curve rim on rod = circle(0.1); curve spot on rod = circle(0.2); force tyre = curve_contact(rim, spot) { stiffness: 1e5 };",
            "curve rim(s) on rod = [cos(s), sin(s)]; curve road on ground = line([1, 0]); force tyre = curve_contact(road, rim) { stiffness: 1e5 };",
            "curve rim on rod = line([0, 1]); curve road on ground = line([1, 0]); force tyre = curve_contact(road, rim) { stiffness: 1e5 };",
            "particle bead { mass: 1 } curve rim on bead = circle(1); curve road on ground = line([1, 0]); force tyre = curve_contact(road, rim) { stiffness: 1e5 };",
            "function hill(x) = x; force tyre = terrain_contact(rod, rod at [1, 0]) { height: hill, radius: 0.1, stiffness: 1e5 };",
        ],
        &expect![[r#"
            force tyre = plane_contact(ground, rod) { radius: 0, stiffness: 1e5 };
              MBS031 `radius` of force `tyre` is 0, it must be positive
            force tyre = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5, friction: -0.5 };
              MBS031 `friction` of force `tyre` is -0.5, it must not be negative
            force tyre = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5, stiction: -0.5 };
              MBS031 `stiction` of force `tyre` is -0.5, it must not be negative
            force tyre = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5, friction: 0.5 + 0.1 * sin(position(rod).x) };
            particle bead { mass: 1 } force tyre = plane_contact(bead, rod) { radius: 0.1, stiffness: 1e5 };
              MBS038 particle `bead` has no rotation = help: a plane needs one
            force tyre = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5 }; event tyre = when pin.angle falls { }
              MBS011 two events are called `tyre` = help: give one of them another name
            force stop = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5 }; stop when pin.angle < -3; report on stop;
            force tyre = plane_contact(ground, rod) { radius: 0.1 }; report on tyre;
              MBS018 force `tyre` needs `stiffness` = help: `stiffness`: K [N/mᵉ] ≥ 0
            force tyre = plane_contact(ground, rod) { radius: 0.1, stiffness: 1e5 }; output d = tyre.dept;
              MBS040 a force has no field `dept` = help: did you mean `depth`?
            force spring = spring_damper(ground, rod at [1, 0]) { stiffness: 1e5 }; output d = spring.depth;
              MBS040 a force has no field `depth` = help: write `load(spring)`
            marker road = ground { friction: 0.8 }; marker tread = rod { friction: 0.9 }; force tyre = plane_contact(road, tread) { radius: 0.1, stiffness: 1e5 };
              MBS019 both ends of force `tyre` state a `friction` = help: write `{ friction: … }`: what both together have
            marker road = ground { friction: 0.8 }; force tyre = plane_contact(road, road) { radius: 0.1, stiffness: 1e5 };
              MBS016 both ends of force `tyre` are on `ground` = help: join two bodies
            force tyre = terrain_contact(ground, rod) { radius: 0.1, stiffness: 1e5 };
              MBS018 force `tyre` needs `height` = help: `height`: function of x, in space of x and y, in the first end's axes [m]
            force tyre = terrain_contact(ground, rod) { height: 0.1, radius: 0.1, stiffness: 1e5 };
              MBS020 `height` of force `tyre` is a function, not a number = help: declare `function height(x) = …;`, and write `height: height`
            force tyre = terrain_contact(ground, rod) { height: hill, radius: 0.1, stiffness: 1e5 };
              MBS010 unknown name `hill`
            function hill(x, y) = x * y; force tyre = terrain_contact(ground, rod) { height: hill, radius: 0.1, stiffness: 1e5 };
              MBS026 `height` of force `tyre` is a function of x, `hill` takes 2 = help: declare `function height(x) = …;`, and write `height: height`
            function hill(x) = [x, 0]; force tyre = terrain_contact(ground, rod) { height: hill, radius: 0.1, stiffness: 1e5 };
              MBS020 `height` of force `tyre` is a number, `hill` gives a vector of 2
            function hill(x) = x + t; force tyre = terrain_contact(ground, rod) { height: hill, radius: 0.1, stiffness: 1e5 };
              MBS024 `height` of force `tyre` is made of constants and parameters: `hill` is not = help: what moves it is the body it is on
            function hill(x) = angle(x); force tyre = terrain_contact(ground, rod) { height: hill, radius: 0.1, stiffness: 1e5 };
              MBS020 a body or marker is expected, not a number = help: write `body` or `body at [x, y]`
            particle bead { mass: 1 } function hill(x) = x; force tyre = terrain_contact(bead, rod) { height: hill, radius: 0.1, stiffness: 1e5 };
              MBS038 particle `bead` has no rotation = help: terrain needs one
            curve rim on rod = circle(0.1); force tyre = curve_contact(ground, rim) { stiffness: 1e5 };
              MBS015 an end of `curve_contact` is a curve, not ground = help: declare `curve lobe(s) on body = …;`
            curve rim on rod = circle(0.1); force tyre = curve_contact(rim) { stiffness: 1e5 };
              MBS014 force `tyre` has 1 end, `curve_contact` joins 2 = help: write `curve_contact(rim, a)`
            curve rim on rod = circle(0.1); curve spot on rod = circle(0.2); force tyre = curve_contact(rim, spot) { stiffness: 1e5 };
              MBS016 both ends of force `tyre` are on `rod` = help: join two bodies
            curve rim(s) on rod = [cos(s), sin(s)]; curve road on ground = line([1, 0]); force tyre = curve_contact(road, rim) { stiffness: 1e5 };
              MBS018 nothing says where curve `rim` can touch = help: write `{ closed: TAU }` or `{ range: [0, 1] }` where it is declared
            curve rim on rod = line([0, 1]); curve road on ground = line([1, 0]); force tyre = curve_contact(road, rim) { stiffness: 1e5 };
              MBS018 neither curve of force `tyre` has a range: contact begins anywhere = help: let one be closed, or a curve of your own with `{ range: [0, 1] }`
            particle bead { mass: 1 } curve rim on bead = circle(1); curve road on ground = line([1, 0]); force tyre = curve_contact(road, rim) { stiffness: 1e5 };
              MBS038 particle `bead` has no rotation = help: `curve_contact` needs one
            function hill(x) = x; force tyre = terrain_contact(rod, rod at [1, 0]) { height: hill, radius: 0.1, stiffness: 1e5 };
              MBS016 both ends of force `tyre` are on `rod` = help: join two bodies"#]],
    );
}
