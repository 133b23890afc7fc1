//! Reports of mechanisms in space, n_q ≠ n_v: recording, CSV, the page and its data, plots.

mod bodies;
mod crane;

use std::path::Path;
use std::sync::OnceLock;

use bodies::{Bodies, GRAVITY};
use crane::{crane, top};
use mbs::nalgebra::Vector3;
use mbs::report::{Shape, Solid};
use mbs::{Quantity, Recording, Simulation, State};

use crate::tier::by_tier;

/// Eight tenths of a second of the crane, in the full tier a second and a half, once for all tests.
fn record() -> &'static Recording {
    static RECORDING: OnceLock<Recording> = OnceLock::new();
    RECORDING.get_or_init(|| Simulation::new(&crane()).duration(by_tier(0.8, 1.5)).every(0.02).run().unwrap())
}

const SPIN: f64 = 90.0;

/// The rate Ω of steady precession of the top, the smaller root of A c Ω² − C ω₃ Ω + m g l = 0, with A and C about its tip
/// and c the cosine of its lean.
fn precession(top: &Bodies) -> f64 {
    let body = &top.bodies[0];
    let (arm, axis) = (body.position.norm(), body.attitude * Vector3::z());
    let (a, b) = ((body.inertia.x + body.mass * arm * arm) * axis.z, body.inertia.z * SPIN);
    let c = body.mass * GRAVITY * arm;
    2.0 * c / (b + (b * b - 4.0 * a * c).sqrt())
}

/// The top in steady precession, ω₃ = [`SPIN`].
fn spinning(duration: f64) -> Recording {
    let top = top();
    let (body, up) = (&top.bodies[0], Vector3::z() * precession(&top));
    let mut state = State::new(&top);
    state.v[..3].copy_from_slice(up.cross(&body.position).as_slice());
    let local = body.attitude.inverse_transform_vector(&up);
    state.v[3..].copy_from_slice(&[local.x, local.y, SPIN]);
    Simulation::new(&top).initial(state).duration(duration).every(0.005).run().unwrap()
}

/// The text between two markers.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = &text[text.find(start).unwrap() + start.len()..];
    &rest[..rest.find(end).unwrap()]
}

fn data(page: &str) -> serde_json::Value {
    serde_json::from_str(between(page, "id=\"data\">", "</script>")).unwrap()
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn recording_knows_that_it_is_spatial() {
    assert!(record().is_spatial());
    // Added loads do not change it.
    let loaded = Simulation::new(&crane()).load(|_, _| {}).duration(0.1).run().unwrap();
    assert!(loaded.is_spatial());
    assert_eq!(loaded.table(Quantity::Coordinates).columns().len(), 28);
    assert_eq!(loaded.table(Quantity::Speeds).columns().len(), 24);
}

#[test]
fn energy_of_the_crane_is_conserved() {
    let energy = record().total_energy();
    // Tolerances of 1e-9 over some 150 steps, 40 J.
    assert!(energy.iter().all(|e| (e - energy[0]).abs() < 1e-6), "{:e}", energy[energy.len() - 1] - energy[0]);
}

#[test]
fn reactions_have_six_parts() {
    let (mechanism, recording) = (crane(), record());
    let names = recording.table(Quantity::Reactions).names();
    let parts = ["x", "y", "z", "torque.x", "torque.y", "torque.z"];
    assert_eq!(names[..6], parts.map(|part| format!("slewing.{part}")));
    assert_eq!(names.len(), 6 * 4);
    // The reaction of the slewing joint is the rate of the crane's momentum plus its weight.
    let slewing = recording.reaction("slewing").unwrap();
    let masses: Vec<f64> = mechanism.bodies.iter().map(|body| body.mass).collect();
    let a = recording.table(Quantity::Accelerations).columns();
    for i in (0..recording.len()).step_by(15) {
        let part = |axis: usize| masses.iter().enumerate().map(|(b, m)| m * a[6 * b + axis][i]).sum::<f64>();
        let weight = masses.iter().sum::<f64>() * GRAVITY;
        let expected = Vector3::new(part(0), part(1), part(2) + weight);
        let found = Vector3::new(slewing.x[i], slewing.y[i], slewing.z[i]);
        // Errors of a dense solve with multipliers, for a force of 110 N.
        assert!((expected - found).norm() < 1e-9, "{expected} and {found}");
        assert!((slewing.magnitude()[i] - found.norm()).abs() < 1e-12 * found.norm());
        // The moment about the free axis is zero.
        assert!(slewing.torque[i].abs() < 1e-9);
    }
}

#[test]
fn reactions_rotate_with_bodies() {
    let recording = record();
    let world = recording.reaction("luffing").unwrap();
    let in_body_axes = recording.reaction("luffing").unwrap().in_axes_of("boom").unwrap();
    // The hinge is along the boom's y axis: its moment has components perpendicular to that axis only.
    assert!(in_body_axes.torque_y.iter().all(|torque| torque.abs() < 1e-9));
    assert!(in_body_axes.torque_x.iter().chain(&in_body_axes.torque).any(|torque| torque.abs() > 0.01));
    let norms = |r: &mbs::simulation::ReactionColumns| r.magnitude();
    assert!(norms(&world).iter().zip(norms(&in_body_axes)).all(|(a, b)| (a - b).abs() < 1e-10));
    let opposite = recording.reaction("luffing").unwrap().on_first();
    assert!(opposite.z.iter().zip(&world.z).all(|(a, b)| *a == -b));
    assert!(opposite.torque_x.iter().zip(&world.torque_x).all(|(a, b)| *a == -b));
}

#[test]
fn a_steady_top_precesses_as_its_closed_form() {
    let recording = spinning(0.5);
    let (rate, lean) = (precession(&top()), 0.5_f64);
    for (t, p) in recording.times().iter().zip(recording.marker("crown").unwrap()) {
        let exact = 0.17 * Vector3::new(lean.sin() * (rate * t).cos(), lean.sin() * (rate * t).sin(), lean.cos());
        // Tolerances of 1e-9 over some 600 steps.
        assert!((exact - Vector3::from(*p)).norm() < 1e-7, "t = {t}: {p:?} and {exact}");
    }
}

#[test]
fn csv_has_every_component() {
    let recording = Simulation::new(&crane()).duration(0.1).every(0.02).run().unwrap();
    let mut text = Vec::new();
    recording.to_csv(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.len() == 7 && rows.iter().all(|row| row.len() == rows[0].len()));
    let column = |name: &str| -> Vec<f64> {
        let i = rows[0].iter().position(|field| *field == name).unwrap_or_else(|| panic!("{name}"));
        rows[1..].iter().map(|row| row[i].parse().unwrap()).collect()
    };
    assert_eq!(column("reaction.eye.z"), recording.reaction("eye").unwrap().z);
    assert_eq!(column("reaction.luffing.torque.x"), recording.reaction("luffing").unwrap().torque_x);
    assert_eq!(column("reaction.eye.z"), recording.column("reaction.eye.z").unwrap());
    let heights: Vec<f64> = recording.marker("load").unwrap().iter().map(|p| p[2]).collect();
    assert_eq!(column("marker.load.z"), heights);
    let attitude: Vec<f64> = recording.body("tray").unwrap().attitudes.iter().map(|e| e[1]).collect();
    assert_eq!(column("body.tray.e1"), attitude);
}

#[test]
fn page_data_are_the_recording() {
    let recording = record();
    let data = data(&recording.page().to_html());
    assert_eq!((&data["planar"], numbers(&data["up"])), (&false.into(), vec![0.0, 0.0, 1.0]));
    for (drawn, marker) in data["markers"].as_array().unwrap().iter().zip(recording.markers()) {
        for (k, axis) in ["x", "y", "z"].iter().enumerate() {
            assert_eq!(numbers(&drawn[axis]), marker.positions.iter().map(|p| p[k]).collect::<Vec<_>>());
        }
    }
    for (drawn, body) in data["bodies"].as_array().unwrap().iter().zip(recording.bodies()) {
        assert_eq!(numbers(&drawn["position"]), body.positions.concat());
        assert_eq!(numbers(&drawn["attitude"]), body.attitudes.concat());
    }
    for (drawn, joint) in data["reactions"].as_array().unwrap().iter().zip(recording.joints()) {
        assert_eq!(drawn["at"].as_u64().unwrap() as usize, joint.ends.unwrap()[1], "{}", joint.name);
    }
}

#[test]
fn long_recordings_keep_six_parts_of_the_frames() {
    let recording = record();
    let data = data(&recording.page().frames(31).to_html());
    let rows: Vec<usize> = numbers(&data["frames"]).iter().map(|row| *row as usize).collect();
    let hinge = recording.reaction("luffing").unwrap();
    let drawn = &data["reactions"][1];
    for (part, values) in [("z", &hinge.z), ("torque.x", &hinge.torque_x), ("torque.z", &hinge.torque)] {
        assert_eq!(numbers(&drawn[part]), rows.iter().map(|row| values[*row]).collect::<Vec<f64>>(), "{part}");
    }
}

#[test]
fn solids_are_in_the_page() {
    let recording = spinning(0.1);
    let solids = [
        Solid::cylinder("disc", 0.09, 0.02).color([66, 105, 208]),
        Solid::new("disc", Shape::Sphere { radius: 0.01 }).at([0.0, 0.0, 0.05]),
        Solid::block("ground", [0.3, 0.3, 0.02]).at([0.0, 0.0, -0.01]).rotated([0.0, 0.0, 0.0, 3.0]),
    ];
    let page = recording.page().solids(solids).unwrap().up([0.0, 2.0, 0.0]);
    let data = data(&page.to_html());
    let [disc, ball, plate] = [0, 1, 2].map(|i| &data["solids"][i]);
    assert_eq!((&disc["body"], &disc["kind"], &disc["color"]), (&0.into(), &"cylinder".into(), &"#4269d0".into()));
    assert_eq!(numbers(&disc["size"]), [0.09, 0.02]);
    assert_eq!((&ball["kind"], numbers(&ball["position"])), (&"sphere".into(), vec![0.0, 0.0, 0.05]));
    assert_eq!((&plate["body"], &plate["color"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert_eq!(numbers(&plate["attitude"]), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(numbers(&data["up"]), [0.0, 1.0, 0.0]);
}

#[test]
fn invalid_solids_are_left_out() {
    let recording = spinning(0.02);
    let solids = [
        Solid::sphere("disc", -1.0),
        Solid::sphere("disc", f64::NAN),
        Solid::sphere("disc", 0.1).rotated([0.0; 4]),
        Solid::sphere("disc", 0.1).at([f64::INFINITY, 0.0, 0.0]),
    ];
    let data = data(&recording.page().solids(solids).unwrap().up([0.0; 3]).to_html());
    assert!(data["solids"].as_array().unwrap().is_empty());
    assert_eq!(numbers(&data["up"]), [0.0, 0.0, 1.0]);
    let unknown = recording.page().solid(Solid::sphere("disk", 0.1)).unwrap_err();
    assert_eq!(unknown.nearest.as_deref(), Some("disc"));
}

#[test]
fn spatial_pages_load_nothing_and_repeat() {
    let page = spinning(0.05).page().to_html();
    for forbidden in ["http", "://", "src=", "url(", "@import", "import(", "fetch(", "XMLHttp", "WebSocket", "=\"//"] {
        assert!(!page.contains(forbidden), "the page contains {forbidden:?}");
    }
    assert_eq!(page, spinning(0.05).page().to_html());
}

#[test]
fn serde_reads_back_that_it_is_spatial() {
    let recording = spinning(0.02);
    let text = serde_json::to_string(&recording).unwrap();
    assert_eq!(serde_json::from_str::<Recording>(&text).unwrap(), recording);
}

#[test]
fn plots_take_spatial_recordings() {
    let recording = record();
    let pin = recording.reaction("luffing").unwrap().in_axes_of("column").unwrap();
    let svg = recording.plot().energies().table(Quantity::Reactions).polar("luffing", &pin).to_svg().unwrap();
    assert!(svg.contains("luffing.torque.z") && !svg.contains("NaN"));
}

/// Writes pages for inspection and for `.ci/page` to the folder that Cargo provides for tests.
#[test]
fn pages_are_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    let recording = record();
    recording.page().title("Crane").trace("load").unwrap().write(folder.join("crane.html")).unwrap();
    recording.write_csv(folder.join("crane.csv")).unwrap();
    let recording = spinning(by_tier(0.6, 2.4));
    let solids = [
        Solid::cylinder("disc", 0.09, 0.02),
        Solid::cylinder("disc", 0.008, 0.17).at([0.0, 0.0, -0.035]),
        Solid::sphere("disc", 0.016).at([0.0, 0.0, 0.05]),
        Solid::block("ground", [0.12, 0.12, 0.04]).at([0.0, 0.0, -0.02]),
    ];
    let page = recording.page().title("Heavy top").solids(solids).unwrap();
    page.write(folder.join("heavy_top.html")).unwrap();
    recording.write_csv(folder.join("heavy_top.csv")).unwrap();
    assert!(folder.join("crane.html").metadata().unwrap().len() > 50_000);
}
