//! CSV, serde, the page and SVG plots of recordings.
#![cfg(feature = "std")]

mod support;

use std::path::Path;

use mbs::{Recording, Simulation};
use support::{Ends, Planar, double_pendulum, four_bar, slider_crank};

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

#[cfg(feature = "serde")]
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
    let numbers = |value: &serde_json::Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    assert_eq!(numbers(&data["t"]), recording.times());
    for (drawn, marker) in data["markers"].as_array().unwrap().iter().zip(recording.markers()) {
        assert_eq!(drawn["name"], marker.name);
        assert_eq!(drawn["body"].as_u64().map(|b| b as usize), marker.body);
        assert_eq!(numbers(&drawn["x"]), marker.positions.iter().map(|p| p[0]).collect::<Vec<_>>());
        assert_eq!(numbers(&drawn["y"]), marker.positions.iter().map(|p| p[1]).collect::<Vec<_>>());
    }
    let outputs = data["groups"].as_array().unwrap().iter().find(|group| group["id"] == "output").unwrap();
    assert_eq!(numbers(&outputs["series"][0]["y"]), recording.output("stroke").unwrap());
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

/// Leaves pages to look at in the folder Cargo keeps for tests.
#[test]
fn pages_are_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    record(2.0, 0.01).page().title("Four-bar linkage").write(folder.join("four_bar.html")).unwrap();
    let slider = Simulation::new(&slider_crank()).duration(2.0).run().unwrap();
    slider.page().title("Slider-crank").write(folder.join("slider_crank.html")).unwrap();
    let untold = Planar { ends: Ends::Untold, ..slider_crank() };
    let untold = Simulation::new(&untold).duration(2.0).run().unwrap();
    untold.page().title("Slider-crank, inferred").write(folder.join("slider_crank_inferred.html")).unwrap();
    let pendulum = Simulation::new(&double_pendulum()).duration(3.0).run().unwrap();
    pendulum.page().write(folder.join("double_pendulum.html")).unwrap();
    pendulum.write_csv(folder.join("double_pendulum.csv")).unwrap();
    assert!(folder.join("double_pendulum.html").metadata().unwrap().len() > 50_000);
}

#[cfg(feature = "plot")]
#[test]
fn svg_plots_are_well_formed() {
    let svg = record(0.5, 0.01).plot().outputs().energies().errors().to_svg().unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("energy [J]") && svg.contains("stroke") && svg.contains("polyline"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("four_bar.svg"), svg).unwrap();
}
