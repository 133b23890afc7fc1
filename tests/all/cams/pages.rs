//! Curves on pages: their drawn points, and their contact points.

use std::f64::consts::TAU;

use mbs::{Closing, Describe, InverseDynamics, Item};
use serde_json::Value;

use super::{FORMULATIONS, compiled};

/// An ellipse on a rotated marker drives an arm with an unbounded face, above a hill.
const TEXT: &str = "pub planar Drawn {
    param long = 0.05;
    body shaft { mass: 1, inertia: 0.02 }
    body arm { mass: 0.3, inertia: 2e-3, position: [0.1, 0.02], angle: -0.4 }
    marker seat = shaft at [0.004, -0.002] { angle: 0.7 };
    joint bearing = revolute(ground, shaft);
    joint pivot = revolute(ground at [0.1, 0.02], arm);
    curve lobe on seat = ellipse(long, 0.03);
    curve face on arm = line([-1, 0.1]);
    curve hill(s) on ground = [s, -0.1 - s * s] { range: [-0.1, 0.2] };
    joint contact = cam(lobe, face);
    drive turn = bearing.angle == 20 * t;
    output place = lobe.point(contact.first);
}";

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// A point of a drawn curve, between two samples.
fn point(curve: &Value, s: f64) -> [f64; 2] {
    let [all, x, y] = ["s", "x", "y"].map(|name| numbers(&curve[name]));
    let (first, last) = (all[0], all[all.len() - 1]);
    let s = numbers(&curve["period"]).first().map_or(s, |period| first + (s - first).rem_euclid(*period));
    let share = (s - first) / (last - first) * (all.len() - 1) as f64;
    let i = (share.floor() as usize).min(all.len() - 2);
    let w = share - i as f64;
    [x[i] + w * (x[i + 1] - x[i]), y[i] + w * (y[i + 1] - y[i])]
}

/// A chord over 3° of an ellipse deviates by 5 cm (3°)²/8 \[m\].
const CHORD: f64 = 2e-5;

#[test]
fn curves_are_drawn_where_they_touch() {
    for formulation in FORMULATIONS {
        let mechanism = compiled(TEXT, formulation);
        let recording = InverseDynamics::new(&mechanism).grid(0.0, 0.3, 50).run().expect("it turns");
        let html = recording.page().to_html();
        let (_, rest) = html.split_once("id=\"data\">").expect("the page has data");
        let data: Value = serde_json::from_str(rest.split_once("</script>").expect("they end").0).expect("JSON");
        let joints = data["joints"].as_array().expect("a list");
        // A cam is no pin, whatever the names of its rows.
        let contact = joints.iter().find(|joint| joint["name"] == "contact").expect("it is one");
        assert_eq!(contact["kind"], "", "{contact:?}");
        let curves = data["curves"].as_array().expect("a list");
        let names: Vec<_> = curves.iter().map(|c| c["name"].as_str().expect("a name")).collect();
        assert_eq!(names, ["lobe", "face", "hill"]);
        assert_eq!(curves.iter().map(|c| c["isEndless"] == true).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(curves.iter().map(|c| numbers(&c["period"]).len()).collect::<Vec<_>>(), [1, 0, 0]);
        let (x, y) = (recording.output("place.x").expect("declared"), recording.output("place.y").expect("declared"));
        for curve in &curves[..2] {
            let marker = &data["markers"][curve["marker"].as_u64().expect("an index") as usize];
            let angles = numbers(&data["bodies"][marker["body"].as_u64().expect("a body") as usize]["angle"]);
            let ([px, py], at) = (["x", "y"].map(|name| numbers(&marker[name])), numbers(&curve["at"][0]));
            assert_eq!(at.len(), 50);
            for (k, s) in at.iter().enumerate() {
                let ([u, v], (sine, cosine)) = (point(curve, *s), angles[k].sin_cos());
                let drawn = [px[k] + cosine * u - sine * v, py[k] + sine * u + cosine * v];
                let miss = (drawn[0] - x[k]).hypot(drawn[1] - y[k]);
                assert!(miss < CHORD, "{formulation:?}, {} at {k}: {miss:.1e}", curve["name"]);
            }
        }
        // Curves without contacts are drawn as well, on ground.
        let hill = &curves[2];
        assert!(data["markers"][hill["marker"].as_u64().expect("an index") as usize]["body"].is_null());
        for (s, y) in numbers(&hill["s"]).into_iter().zip(numbers(&hill["y"])) {
            assert!((y + 0.1 + s * s).abs() < 1e-15, "{s}: {y}");
        }
        assert!(mechanism.contact(2).is_none() && mechanism.outline(3).is_none());
    }
}

mbs::mechanism! {
    pub planar Generated {
        param radius = 0.25;
        body disc { mass: 1, inertia: 0.1, position: [0, 0.25] }
        joint air = free(ground, disc);
        curve road on ground = line([1, 0]);
        curve rim on disc = circle(radius);
        joint contact = cam(road, rim);
    }
}

/// Generated code describes curves for every value of the parameters.
#[test]
fn generated_code_describes_its_curves() {
    let mechanism = Generated::new(generated::Params { radius: 0.3 }).expect("it is positive");
    let (road, rim) = (mechanism.outline(0).expect("the road"), mechanism.outline(1).expect("the rim"));
    assert_eq!((road.name, road.closing), ("road", Closing::Endless));
    assert_eq!((rim.name, rim.closing, rim.points.len()), ("rim", Closing::Period(TAU), 121));
    for [s, x, y] in rim.points {
        assert!((x - 0.25 * s.cos()).abs() < 1e-16 && (y - 0.25 * s.sin()).abs() < 1e-16, "{s}: {x}, {y}");
    }
    assert_eq!([road, rim].map(|outline| mechanism.marker_body(outline.marker)), [None, Some(0)]);
    let names = [0, 1].map(|i| {
        let contact = mechanism.contact(i).expect("both touch");
        (contact.outline, mechanism.name(Item::Coordinate(contact.coordinate)))
    });
    assert_eq!(names, [(0, "contact.first"), (1, "contact.second")]);
    assert!(mechanism.outline(2).is_none() && mechanism.contact(2).is_none());
}
