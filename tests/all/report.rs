//! CSV, serde, the page and SVG plots of recordings.

use std::f64::consts::TAU;
use std::path::Path;

use mbs::{InverseDynamics, Kinematics, Recording, Simulation};
use mbs_codegen::compile_text;
use mbs_compiler::compile::Options;
use mbs_compiler::interp::Fma;
use mbs_interp::Interpreted;

use crate::support::{Ends, Planar, double_pendulum, four_bar, slider_crank};

/// A slider-crank with a period of 0.1 s. The pull acts above the slide, so that its guide exerts a moment.
const DRIVEN: &str = "
planar Driven {
    gravity: [0, -9.81];
    body crank  { mass: 1, inertia: 1e-3, com: [0.02, 0], angle: 0.4 }
    body rod    { mass: 0.5, inertia: 2e-3, com: [0.1, 0], angle: -0.1 }
    body piston { mass: 0.4, inertia: 1e-4, position: [0.24, 0] }
    marker tracer = rod at [0.1, 0.05];
    joint main_bearing = revolute(ground, crank);
    joint crank_pin    = revolute(crank at [0.05, 0], rod);
    joint wrist_pin    = revolute(rod at [0.2, 0], piston);
    joint cylinder     = prismatic(ground, piston) { axis: [1, 0] };
    drive motor        = main_bearing.angle == 0.4 + 10 * TAU * t;
    force pull         = point_force(piston at [0, 0.03]) { force: [-40, 0] };
    output stroke = cylinder.position;
}";

fn driven() -> Interpreted {
    let (compiled, _) = compile_text("driven.mbs", DRIVEN, Options::default()).unwrap().remove(0);
    Interpreted::new(compiled, Fma::Fused).unwrap()
}

fn record_revolution() -> Recording {
    InverseDynamics::new(&driven()).grid(0.0, 0.1, 121).run().unwrap()
}

fn record(duration: f64, every: f64) -> Recording {
    Simulation::new(&four_bar()).duration(duration).every(every).run().unwrap()
}

fn csv(recording: &Recording) -> Vec<Vec<String>> {
    let mut text = Vec::new();
    recording.to_csv(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// Text between two markers.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = &text[text.find(start).unwrap() + start.len()..];
    &rest[..rest.find(end).unwrap()]
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// One series of a group in the data of a page.
fn series<'a>(data: &'a serde_json::Value, group: &str, name: &str) -> &'a serde_json::Value {
    let group = data["groups"].as_array().unwrap().iter().find(|g| g["id"] == group).unwrap();
    group["series"].as_array().unwrap().iter().find(|s| s["name"] == name).unwrap_or_else(|| panic!("{name}"))
}

fn data(page: &str) -> serde_json::Value {
    serde_json::from_str(between(page, "id=\"data\">", "</script>")).unwrap()
}

#[test]
fn csv_reads_back_bit_for_bit() {
    let recording = record(0.2, 0.01);
    let rows = csv(&recording);
    assert_eq!(rows.len(), 22);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let column = |name: &str| -> Vec<f64> {
        let i = rows[0].iter().position(|field| field == name).unwrap_or_else(|| panic!("{name} in {:?}", rows[0]));
        rows[1..].iter().map(|row| row[i].parse().unwrap()).collect()
    };
    assert_eq!(column("t"), recording.times());
    assert_eq!(column("q[4]"), recording.coordinate("q[4]").unwrap());
    assert_eq!(column("lambda.crank_pin.y"), recording.multiplier("crank_pin.y").unwrap());
    assert_eq!(column("output.stroke"), recording.output("stroke").unwrap());
    assert_eq!(column("error.position"), recording.position_error());
    let pin: Vec<f64> = recording.marker("rocker_pin.first").unwrap().iter().map(|p| p[1]).collect();
    assert_eq!(column("marker.rocker_pin.first.y"), pin);
    let attitude: Vec<f64> = recording.body("coupler").unwrap().attitudes.iter().map(|e| e[3]).collect();
    assert_eq!(column("body.coupler.e3"), attitude);
}

#[test]
fn serde_reads_back_bit_for_bit() {
    let recording = record(0.1, 0.01);
    let text = serde_json::to_string(&recording).unwrap();
    assert_eq!(serde_json::from_str::<Recording>(&text).unwrap(), recording);
}

#[test]
fn page_loads_nothing() {
    let page = record(0.1, 0.01).page().title("Four-bar").to_html();
    for forbidden in ["http", "://", "src=", "url(", "@import", "import(", "fetch(", "XMLHttp", "WebSocket", "=\"//"] {
        assert!(!page.contains(forbidden), "the page contains {forbidden:?}");
    }
    assert!(page.matches("href=").count() == 1 && page.contains("href=\"data:,\""));
}

#[test]
fn page_data_are_the_recording() {
    let recording = record(0.2, 0.01);
    let data = data(&recording.page().to_html());
    assert_eq!(numbers(&data["t"]), recording.times());
    for (drawn, marker) in data["markers"].as_array().unwrap().iter().zip(recording.markers()) {
        assert_eq!(drawn["name"], marker.name);
        assert_eq!(drawn["body"].as_u64().map(|b| b as usize), marker.body);
        assert_eq!(numbers(&drawn["x"]), marker.positions.iter().map(|p| p[0]).collect::<Vec<_>>());
        assert_eq!(numbers(&drawn["y"]), marker.positions.iter().map(|p| p[1]).collect::<Vec<_>>());
    }
    assert_eq!(numbers(&series(&data, "output", "stroke")["y"]), recording.output("stroke").unwrap());
}

#[test]
fn page_has_the_reactions_of_the_recording() {
    let recording = record_revolution();
    let data = data(&recording.page().to_html());
    let reactions = data["reactions"].as_array().unwrap();
    assert_eq!(reactions.len(), 4);
    for (drawn, joint) in reactions.iter().zip(recording.joints()) {
        let name = drawn["name"].as_str().unwrap();
        let reaction = recording.reaction(name).unwrap();
        for (part, values) in [("x", &reaction.x), ("y", &reaction.y), ("torque", &reaction.torque)] {
            assert_eq!(&numbers(&series(&data, "reaction", &format!("{name}.{part}"))["y"]), values, "{name}.{part}");
        }
        // The points of pins and slides are their second ends.
        let at = drawn["at"].as_u64().unwrap() as usize;
        assert_eq!(at, joint.ends.unwrap()[1]);
        let marker = &recording.markers()[at];
        assert!(marker.positions.iter().zip(reaction.points).all(|(p, q)| (p[0] - q[0]).hypot(p[1] - q[1]) < 1e-12));
    }
    assert_eq!(numbers(&series(&data, "drive", "motor")["y"]), recording.drive("motor").unwrap());
    // The pull has a moment of 40 N · 0.03 m on the piston, which the guide balances to a few roundings.
    assert!(recording.reaction("cylinder").unwrap().torque.iter().all(|torque| (torque + 1.2).abs() < 1e-9));
}

#[test]
fn reactions_of_long_recordings_are_those_of_the_frames() {
    let recording = record_revolution();
    let data = data(&recording.page().frames(31).to_html());
    let rows: Vec<usize> = numbers(&data["frames"]).iter().map(|row| *row as usize).collect();
    let pin = recording.reaction("crank_pin").unwrap();
    let drawn = &data["reactions"][1];
    for (part, values) in [("x", &pin.x), ("y", &pin.y), ("torque", &pin.torque)] {
        assert_eq!(numbers(&drawn[part]), rows.iter().map(|row| values[*row]).collect::<Vec<f64>>());
    }
    // Plots keep extremes, also of magnitudes, which the thinned components do not contain.
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let kept = numbers(&series(&data, "reaction", "crank_pin.magnitude")["y"]);
    assert_eq!(largest(&kept), largest(&pin.magnitude()));
}

#[test]
fn page_shows_the_requested_columns() {
    let recording = record_revolution();
    let table = recording.cycle("main_bearing.angle").unwrap().steps(8).table(&["stroke", "drive.motor"]).unwrap();
    let page = recording.page().trace("tracer").unwrap().reactions(&["crank_pin"]).unwrap();
    let page = page.polar("main_bearing", "ground").unwrap().polar_on_first("crank_pin", "crank").unwrap().cycle(table);
    let data = data(&page.to_html());
    let tracer = recording.markers().iter().position(|marker| marker.name == "tracer").unwrap();
    assert_eq!(numbers(&data["shown"]["traces"]), [tracer as f64]);
    assert_eq!(numbers(&data["shown"]["reactions"]), [1.0]);
    let [world, journal] = [0, 1].map(|i| data["shown"]["polar"][i].clone());
    assert_eq!((&world["joint"], &world["axes"], &world["sign"]), (&0.into(), &serde_json::Value::Null, &1.into()));
    assert_eq!((&journal["joint"], &journal["axes"], &journal["sign"]), (&1.into(), &0.into(), &(-1).into()));
    let names: Vec<&str> =
        data["cycle"]["columns"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["stroke", "drive.motor"]);
    assert_eq!((numbers(&data["cycle"]["degrees"]).len(), &data["cycle"]["isChosen"]), (9, &true.into()));
}

#[test]
fn page_shows_orders_as_bars() {
    let recording = record_revolution();
    let cycle = recording.cycle("main_bearing.angle").unwrap();
    let stroke = cycle.harmonics("stroke", 120).unwrap();
    let other = mbs::analysis::Harmonics::new(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], 2).unwrap();
    let page = recording
        .page()
        .orders("stroke [m]", &[("stroke", &stroke)])
        .orders("<both>", &[("a", &stroke), ("b", &other)]);
    let data = data(&page.to_html());
    let charts = data["orders"].as_array().unwrap();
    assert_eq!((charts.len(), &charts[0]["title"]), (2, &"stroke [m]".into()));
    // The crank's radius and the secondary motion are the only visible bars.
    let (orders, bars) = (numbers(&charts[0]["orders"]), numbers(&charts[0]["series"][0]["y"]));
    assert_eq!((orders.as_slice(), bars.len()), ([1.0, 2.0].as_slice(), 2));
    assert!(bars.iter().zip(&orders).all(|(bar, order)| *bar == stroke.order(*order).amplitude()));
    // Half orders of a cycle of two revolutions are between them; absent orders are zero.
    let orders = numbers(&charts[1]["orders"]);
    assert_eq!(orders, [0.5, 1.0, 1.5, 2.0]);
    assert_eq!(numbers(&charts[1]["series"][0]["y"])[0], 0.0);
    assert!(self::data(&recording.page().to_html())["orders"].as_array().unwrap().is_empty());
}

#[test]
fn page_refuses_unknown_names_with_the_nearest() {
    let recording = record_revolution();
    let nearest = |result: Result<mbs::report::Page, mbs::UnknownName>| result.unwrap_err().nearest.unwrap();
    assert_eq!(nearest(recording.page().trace("trace")), "tracer");
    assert_eq!(nearest(recording.page().reactions(&["crankpin"])), "crank_pin");
    assert_eq!(nearest(recording.page().polar("crankpin", "crank")), "crank_pin");
    assert_eq!(nearest(recording.page().polar("crank_pin", "cranck")), "crank");
    assert!(Kinematics::new(&four_bar()).duration(0.1).run().unwrap().page().reactions(&["crank_pin"]).is_err());
}

#[test]
fn page_tabulates_the_last_revolution_by_default() {
    let mechanism = driven();
    let recording = InverseDynamics::new(&mechanism).grid(0.0, 0.25, 301).run().unwrap();
    let data = data(&recording.page().to_html());
    let cycle = &data["cycle"];
    assert_eq!((&cycle["angle"], &cycle["isChosen"]), (&"q.main_bearing.angle".into(), &false.into()));
    let degrees = numbers(&cycle["degrees"]);
    assert!(degrees.len() == 25 && degrees.iter().enumerate().all(|(k, d)| (d - 15.0 * k as f64).abs() < 1e-9));
    assert!(numbers(&cycle["t"]).iter().all(|t| *t > 0.15 - 1e-12), "not the last turn");
    let names: Vec<&str> = cycle["columns"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    let forces = ["main_bearing", "crank_pin", "wrist_pin", "cylinder"].map(|j| format!("reaction.{j}.magnitude"));
    assert_eq!(names[..2], ["output.stroke", "drive.motor"]);
    assert_eq!(names[2..], forces);
    // The mean of the motor's torque over a revolution is zero, as is its work: pull, weights and inertia are conservative.
    let mean = numbers(&cycle["columns"][1]["summary"])[2];
    let largest = numbers(&cycle["columns"][1]["summary"])[1];
    assert!((mean * TAU).abs() < 1e-6 * largest, "{mean} of {largest}");
}

#[test]
fn page_without_a_revolution_has_no_table() {
    let short = InverseDynamics::new(&driven()).grid(0.0, 0.05, 61).run().unwrap();
    assert!(data(&short.page().to_html())["cycle"].is_null());
    assert!(data(&record(0.1, 0.01).page().to_html())["cycle"].is_null());
}

#[test]
fn controls_of_the_page_have_names() {
    let page = record_revolution().page().to_html();
    let body = between(&page, "<body>", "<noscript>");
    for control in ["<button", "<select", "<input"] {
        for (start, _) in body.match_indices(control) {
            let tag = &body[start..start + body[start..].find('>').unwrap()];
            let line = &body[body[..start].rfind('\n').unwrap()..start + body[start..].find('\n').unwrap()];
            let is_named = tag.contains("aria-label=") || line.contains("<label") || line.contains("</button>");
            assert!(is_named, "{tag} has no name");
        }
    }
    for id in ["reactions", "side", "arrow-size", "values", "convention", "cycle", "columns", "copy"] {
        assert_eq!(body.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn hostile_title_stays_text() {
    let page = record(0.02, 0.01).page().title("</script><b>{{data}}&\"").to_html();
    assert_eq!(data(&page)["title"], "</script><b>{{data}}&\"");
    assert!(page.contains("<title>&lt;/script&gt;&lt;b&gt;{{data}}&amp;&quot;</title>"));
    assert_eq!(page.matches("</script>").count(), 2);
}

#[test]
fn page_is_deterministic() {
    assert_eq!(record(0.1, 0.01).page().to_html(), record(0.1, 0.01).page().to_html());
}

#[test]
fn long_recordings_are_thinned() {
    let recording = record(0.5, 0.0005);
    let data = data(&recording.page().frames(200).to_html());
    let frames = data["frames"].as_array().unwrap();
    assert_eq!((frames.len(), frames[0].as_u64(), frames[199].as_u64()), (200, Some(0), Some(1000)));
    assert_eq!(data["markers"][0]["x"].as_array().unwrap().len(), 200);
    let series = &data["groups"][0]["series"][0];
    assert_eq!(series["t"].as_array().unwrap().len(), series["y"].as_array().unwrap().len());
    assert!(series["y"].as_array().unwrap().len() <= 202);
}

/// Writes pages for inspection to the folder that Cargo provides for tests.
#[test]
fn pages_are_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    record(0.5, 0.01).page().title("Four-bar linkage").write(folder.join("four_bar.html")).unwrap();
    let slider = Simulation::new(&slider_crank()).duration(0.5).run().unwrap();
    slider.page().title("Slider-crank").write(folder.join("slider_crank.html")).unwrap();
    let untold = Planar { ends: Ends::Unreported, ..slider_crank() };
    let untold = Simulation::new(&untold).duration(0.5).run().unwrap();
    untold.page().title("Slider-crank, inferred").write(folder.join("slider_crank_inferred.html")).unwrap();
    let pendulum = Simulation::new(&double_pendulum()).duration(1.0).run().unwrap();
    pendulum.page().write(folder.join("double_pendulum.html")).unwrap();
    pendulum.write_csv(folder.join("double_pendulum.csv")).unwrap();
    record_revolution().page().title("Slider-crank, driven").write(folder.join("driven.html")).unwrap();
    assert!(folder.join("double_pendulum.html").metadata().unwrap().len() > 50_000);
}

#[test]
fn svg_plots_are_well_formed() {
    let svg = record(0.5, 0.01).plot().outputs().energies().errors().to_svg().unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("energy [J]") && svg.contains("stroke") && svg.contains("polyline"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("four_bar.svg"), svg).unwrap();
}

#[test]
fn polar_plots_show_the_largest_force() {
    let recording = record_revolution();
    let pin = recording.reaction("crank_pin").unwrap().on_first().in_axes_of("crank").unwrap();
    let plot = recording.plot().outputs().polar("crank pin, in axes of the crank", &pin);
    let svg = plot.size(600, 200).to_svg().unwrap();
    // The plot is as high as two panels over time, and is below one of them.
    assert!(svg.contains("height=\"600\"") && svg.contains("crank pin, in axes of the crank"));
    let largest = pin.magnitude().into_iter().fold(0.0, f64::max);
    assert!(svg.contains(&format!("{largest:.0} N at ")), "{largest}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("crank_pin.svg"), svg).unwrap();
}
