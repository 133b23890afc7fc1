//! An instance is equal to its items written out under other names.

use super::{assert_means, content, model};

const LEG: &str = "part leg(side, hip) {
    param length = 0.3;
    param stiffness = 40 + side;
    const mass = 2;
    body thigh { mass: mass, inertia: 0.1 * length, com: [length / 2, 0], angle: side * 0.2 }
    marker foot = thigh at [length, 0];
    joint knee = revolute(hip, thigh);
    force spring = torsion_spring(hip, thigh) { stiffness, free_angle: side * 0.2 };
    initial knee.angle = side * 0.2;
    output height = position(foot).y;
}";

#[test]
fn an_instance_is_its_items_under_its_name() {
    assert_means(
        &format!(
            "planar M {{ {LEG} body trunk {{ mass: 5, inertia: 1 }} joint base = free(ground, trunk);
            part left = leg(1, trunk at [-0.5, 0]); part right = leg(-1, trunk at [0.5, 0]);
            output step = distance(left.foot, right.foot); output angle = left.knee.angle + right.length; }}"
        ),
        "planar M { body trunk { mass: 5, inertia: 1 } joint base = free(ground, trunk);
            param left_length = 0.3; param left_stiffness = 40 + 1;
            body left_thigh { mass: 2, inertia: 0.1 * left_length, com: [left_length / 2, 0], angle: 0.2 }
            marker left_foot = left_thigh at [left_length, 0];
            joint left_knee = revolute(trunk at [-0.5, 0], left_thigh);
            force left_spring = torsion_spring(trunk at [-0.5, 0], left_thigh) { stiffness: left_stiffness, free_angle: 0.2 };
            initial left_knee.angle = 0.2; output left_height = position(left_foot).y;
            param right_length = 0.3; param right_stiffness = 40 + -1;
            body right_thigh { mass: 2, inertia: 0.1 * right_length, com: [right_length / 2, 0], angle: -0.2 }
            marker right_foot = right_thigh at [right_length, 0];
            joint right_knee = revolute(trunk at [0.5, 0], right_thigh);
            force right_spring = torsion_spring(trunk at [0.5, 0], right_thigh)
                { stiffness: right_stiffness, free_angle: -0.2 };
            initial right_knee.angle = -0.2; output right_height = position(right_foot).y;
            output step = distance(left_foot, right_foot); output angle = left_knee.angle + right_length; }",
    );
}

#[test]
fn names_are_as_written() {
    let m = model(&format!("planar M {{ {LEG} for i in 0..2 {{ part row[i] = leg(1, ground at [i, 0]); }} }}"));
    let names: Vec<&str> = m.quantities.parameters.iter().map(|p| &*p.name).collect();
    assert_eq!(names, ["row[0].length", "row[0].stiffness", "row[1].length", "row[1].stiffness"]);
    assert_eq!((&*m.joints[1].name, &*m.outputs[1].name), ("row[1].knee", "row[1].height"));
    assert_eq!(
        (&*m.start.conditions[0].name, &*m.start.conditions[1].name),
        ("row[0].knee.angle", "row[1].knee.angle")
    );
    assert_eq!(m.markers[m.joints[1].ends[0].index()].name, "row[1].knee.first");
}

#[test]
fn instances_can_be_in_loops_and_contain_loops_and_instances() {
    let m = model(
        "planar M {
            part pair(at_x) {
                part link(x) { body rod { mass: 1, inertia: 1 } joint pin = revolute(ground at [x, 0], rod); }
                for k in 0..2 { part side[k] = link(at_x + k); }
                let rod_angle = side[0].pin.angle + side[1].pin.angle;
                for k in 0..2 { let other[k] = side[1 - k].pin.angle; }
            }
            part link(unused) { }
            for i in 0..3 { part cell[i] = pair(10 * i); }
            let sum = sum(cell[i].rod_angle for i in 0..3);
            output total = sum; output one = cell[2].side[1].pin.angle; output other = cell[0].other[1];
            output middle = position(cell); output first = position(cell[0].side[1].rod); output mean = position(cell[1]);
        }",
    );
    let names: Vec<&str> = m.bodies.iter().map(|b| &*b.name).collect();
    assert_eq!(names[..3], ["cell[0].side[0].rod", "cell[0].side[1].rod", "cell[1].side[0].rod"]);
    assert_eq!(m.bodies.len(), 6);
}

#[test]
fn parts_may_be_declared_after_use_and_outside_mechanisms() {
    let inside =
        "planar M { part a = post([0, 1]); part post(place) { param h = place.y; body rod { mass: 1, inertia: h }
        joint pin = revolute(ground at place, rod); } }";
    let beside = "const one = 1; planar M { part a = post([0, one]); } part post(place) { param h = place.y;
        body rod { mass: 1, inertia: h } joint pin = revolute(ground at place, rod); }";
    assert_eq!(content(&model(inside)), content(&model(beside)));
}

#[test]
fn arguments_are_bodies_markers_joints_numbers_vectors_functions_and_instances() {
    assert_means(
        "planar M {
            param k = 3; input u; const way = [0, 1]; function lift(x) = 2 * x;
            body a { mass: 1, inertia: 1 } joint pin = revolute(ground, a); marker tip = a at [1, 0];
            part slide(end, axis, load, law) {
                body cart { mass: 1, inertia: 1 } joint rail = prismatic(end, cart) { axis };
                force push = mobility(rail) { value: load * law(rail.position) };
            }
            part drag(of, hinge, c = 0.5, limit = 2 * c) {
                force loss = mobility(hinge) { value: -c * hinge.rate * limit * of.rail.speed };
            }
            part s = slide(tip, way, k * u, lift);
            part d = drag(s, pin);
            part e = drag(s, pin) { limit: 7 };
            part f = drag(s) { hinge: pin, c: k };
        }",
        "planar M {
            param k = 3; input u;
            body a { mass: 1, inertia: 1 } joint pin = revolute(ground, a); marker tip = a at [1, 0];
            body s_cart { mass: 1, inertia: 1 } joint s_rail = prismatic(tip, s_cart) { axis: [0, 1] };
            force s_push = mobility(s_rail) { value: k * u * (2 * s_rail.position) };
            force d_loss = mobility(pin) { value: -0.5 * pin.rate * 1 * s_rail.speed };
            force e_loss = mobility(pin) { value: -0.5 * pin.rate * 7 * s_rail.speed };
            force f_loss = mobility(pin) { value: -k * pin.rate * (2 * k) * s_rail.speed };
        }",
    );
}

/// The meaning of an argument is that in the scope where it is written: neither loops nor names of the part change it.
#[test]
fn arguments_keep_the_meaning_of_their_scope() {
    assert_means(
        "planar M {
            const length = 2;
            part post(x, y) { const length = 5; for i in 7..8 { body rod[i] { mass: x, inertia: y + length }
                joint pin[i] = revolute(ground, rod[i]); } }
            for i in 0..1 { part p[i] = post(length + i, i + 1); }
        }",
        "planar M { body p_0_rod_7 { mass: 2, inertia: 6 } joint p_0_pin_7 = revolute(ground, p_0_rod_7); }",
    );
}

#[test]
fn all_items_may_be_in_a_part() {
    assert_means(
        "planar M {
            part unit(base) {
                const N = 2;
                param c: [N] = [1, 2];
                input u;
                state z = 0.5 { rate: (u - z) / c[1] };
                coordinate s = 0.1;
                function double(x) = c[0] * x;
                body rod { mass: 1, inertia: 1 }
                particle bob { mass: 1 }
                joint pin = revolute(base, rod);
                joint string = distance(rod at [1, 0], bob) { length: 2 };
                constraint close = s == position(bob).x;
                coupling mesh = double(pin.angle) == position(bob).y;
                potential well = -1 / norm(position(bob));
                force push = mobility(pin) { value: z };
                let middle = (position(rod) + position(bob)) / 2;
                output z; output middle; output work = load(push) * pin.rate;
                initial pin.angle ~ 1;
            }
            part a = unit(ground);
        }",
        "planar M {
                param a_c: [2] = [1, 2];
                input a_u;
                state a_z = 0.5 { rate: (a_u - a_z) / a_c[1] };
                coordinate a_s = 0.1;
                body a_rod { mass: 1, inertia: 1 }
                particle a_bob { mass: 1 }
                joint a_pin = revolute(ground, a_rod);
                joint a_string = distance(a_rod at [1, 0], a_bob) { length: 2 };
                constraint a_close = a_s == position(a_bob).x;
                coupling a_mesh = a_c[0] * a_pin.angle == position(a_bob).y;
                potential a_well = -1 / norm(position(a_bob));
                force a_push = mobility(a_pin) { value: a_z };
                let a_middle = (position(a_rod) + position(a_bob)) / 2;
                output a_z; output a_middle; output a_work = load(a_push) * a_pin.rate;
                initial a_pin.angle ~ 1;
        }",
    );
}

#[test]
fn functions_written_in_rust_belong_to_their_instance() {
    let m = model(
        "planar M { part gas(of) { function law: opaque(1); force push = mobility(of) { value: law(of.angle) }; }
        body a { mass: 1, inertia: 1 } joint pin = revolute(ground, a); part first = gas(pin); part second = gas(pin);
        output sum = second.law(pin.angle) + first.law(0); }",
    );
    let names: Vec<&str> = m.functions.iter().map(|f| &*f.name).collect();
    assert_eq!(names, ["first.law", "second.law"]);
}

#[test]
fn parts_can_be_spatial() {
    let m = model(
        "spatial M {
            part leg(hip, axis = [0, 1, 0]) {
                body thigh { mass: 1, inertia: [0.1, 0.1, 0.1], com: [0, 0, -0.2] }
                body shank { mass: 1, inertia: [0.1, 0.1, 0.1], com: [0, 0, -0.2] }
                joint hip_joint = universal(hip, thigh) { axis: [1, 0, 0], second_axis: axis };
                joint knee = revolute(thigh at [0, 0, -0.4], shank) { axis };
                marker foot = shank at [0, 0, -0.4];
            }
            body trunk { mass: 10, inertia: [1, 2, 3] }
            joint base = free(ground, trunk);
            for side in 0..2 { part front[side] = leg(trunk at [0.3, 0.2 - 0.4 * side, 0]); }
            output step = front[0].foot.z.x + front[1].knee.angle;
        }",
    );
    assert_eq!((m.bodies.len(), m.joints.len()), (5, 5));
    assert_eq!(m.joints[2].name, "front[0].knee");
}
