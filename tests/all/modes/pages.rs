//! Frames of modes, and their page.

use mbs::Quantity;
use mbs::analysis::{Modes, Statics, Swings};

use crate::modes::mechanisms::{FORMULATIONS, assert_near, for_each_formulation, nearest, solved};
use crate::modes::prism::prism;
use crate::modes::simulated::LINKAGE;

const FRAMES: usize = 49;

/// The data in a page.
fn data(swings: &Swings) -> serde_json::Value {
    let html = swings.page().title("Modes").to_html();
    let (_, rest) = html.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_linkage_stays_closed_while_its_mode_swings() {
    for_each_formulation(LINKAGE, |linkage| {
        let equilibrium = solved(Statics::new(linkage).stable());
        let modes = Modes::undamped(linkage, &equilibrium).unwrap();
        let swings = modes.swings(linkage, &equilibrium, 0.3).unwrap();
        let recording = swings.recording();
        assert_eq!(recording.len(), FRAMES);
        let errors = recording.table(Quantity::Errors).column("position").unwrap();
        assert!(errors.iter().all(|error| *error < 1e-13), "{errors:?}");
        // The motion starts at its amplitude, passes the equilibrium to the opposite amplitude, and returns.
        let angle = recording.output("angle").unwrap();
        let rest = crate::modes::mechanisms::output(linkage, &equilibrium, "angle");
        assert_near(angle[0], angle[FRAMES - 1], 1e-12);
        assert_near(angle[FRAMES / 4], rest, 1e-12);
        let sides = [angle[0] - rest, angle[FRAMES / 2] - rest];
        assert!(sides[0] * sides[1] < 0.0 && sides.iter().all(|side| side.abs() > 0.1), "{sides:?}");
    });
}

#[test]
fn a_page_lists_every_mode_with_its_frames() {
    let text = "planar Oscillators {
        body block { mass: 2, inertia: 0.1 }
        body rider { mass: 1, inertia: 0.1, position: [0.3, 0] }
        joint guide = prismatic(ground, block) { axis: [0, 1] };
        joint rail = prismatic(block, rider) { axis: [1, 0] };
        force spring = spring_damper(ground at [0, 1], block) { stiffness: 50, damping: 4, free_length: 1 };
        force wire = cable(block at [0.1, 0], rider) { stiffness: 20, free_length: 0.3 }; }";
    for_each_formulation(text, |mechanism| {
        let equilibrium = nearest(mechanism);
        let modes = Modes::damped(mechanism, &equilibrium).unwrap();
        let data = data(&modes.swings(mechanism, &equilibrium, 0.1).unwrap());
        let listed = data["modes"].as_array().unwrap();
        assert_eq!(listed.len(), modes.len());
        for (k, (listed, mode)) in listed.iter().zip(&modes).enumerate() {
            assert_eq!(listed["kind"], mode.kind.to_string());
            assert_near(listed["numbers"][0].as_f64().unwrap(), mode.hertz(), 1e-12);
            assert_near(listed["numbers"][1].as_f64().unwrap(), mode.damping_ratio(), 1e-12);
            assert_eq!(
                (listed["first"].as_u64(), listed["last"].as_u64()),
                (Some((k * FRAMES) as u64), Some((k * FRAMES + FRAMES - 1) as u64))
            );
        }
        let times: Vec<f64> = data["t"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
        assert_eq!(times.len(), FRAMES * modes.len());
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(data["groups"].as_array().unwrap().is_empty() && data["cycle"].is_null());
        // Cables are drawn as lines, springs as coils.
        assert_eq!(
            (&data["forces"][0]["kind"], &data["forces"][1]["kind"]),
            (&serde_json::Value::Null, &"cable".into())
        );
    });
}

#[test]
fn a_prism_of_struts_and_cables_shows_its_modes() {
    for formulation in FORMULATIONS {
        let prism = prism(3, 0.3, formulation);
        let equilibrium = solved(Statics::new(&prism).stable());
        let modes = Modes::undamped(&prism, &equilibrium).unwrap();
        let swings = modes.swings(&prism, &equilibrium, 0.12).unwrap();
        let errors = swings.recording().table(Quantity::Errors).column("position").unwrap();
        assert!(errors.iter().all(|error| *error < 1e-13), "{formulation:?}: {errors:?}");
        let data = data(&swings);
        assert_eq!(data["modes"].as_array().unwrap().len(), 18);
        assert_eq!(data["bodies"].as_array().unwrap().len(), 3);
        assert_eq!(data["t"].as_array().unwrap().len(), 18 * FRAMES);
        // In the first oscillating mode the ends rotate in opposite directions.
        let twist = swings.recording().output("twist[0]").unwrap();
        let spread = |mode: usize| {
            let frames = &twist[mode * FRAMES..(mode + 1) * FRAMES];
            frames.iter().fold(0.0_f64, |most, x| most.max((x - std::f64::consts::FRAC_PI_6).abs()))
        };
        assert!(spread(9) > 0.01, "{formulation:?}: {}", spread(9));
    }
}
