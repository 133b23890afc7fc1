//! Events of runs: declared by a mechanism, and defined by closures.

use std::cell::{Cell, RefCell};

use crate::support::{Planar, double_pendulum};
use mbs::simulation::Cause;
use mbs::{
    Condition, Describe, Energy, Error, Event, Eventful, Integrator, Item, Level, Loads, Mechanism, Momenta, Recording,
    Simulation, Sizes, State, StateView, Trigger,
};

const GRAVITY: f64 = 9.81;

/// A ball of 0.5 kg thrown sideways from a height of 1 m: bounces on y = 0 with restitution 0.8 and counts that in z[0], reports its tops, and
/// stops at x = `wall`.
struct Ball {
    wall: f64,
}

impl Mechanism for Ball {
    type Coordinates = [f64; 2];
    type Speeds = [f64; 2];
    type Multipliers = [f64; 0];
    type Auxiliary = [f64; 1];
    type Inputs = [f64; 0];
    type Scratch = [f64; 12];

    fn sizes(&self) -> Sizes {
        let (n_z, n_events) = (1, 3);
        Sizes { n_q: 2, n_v: 2, n_z, n_discrete: 1, n_bodies: 1, n_events, n_event_conditions: 1, ..Sizes::default() }
    }

    fn storage(&self) -> ([f64; 2], [f64; 2], [f64; 0], [f64; 1], [f64; 0], [f64; 12]) {
        ([0.0; 2], [0.0; 2], [], [0.0], [], [0.0; 12])
    }

    fn guess(&self, q: &mut [f64], v: &mut [f64], _: &mut [f64]) {
        q[1] = 1.0;
        v[0] = 1.0;
    }

    fn accelerations(&self, _: StateView, a: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        a.copy_from_slice(&[0.0, -GRAVITY]);
        Ok(())
    }

    fn solve(&self, _: StateView, f: &[f64], _: &[f64], x: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
        x.copy_from_slice(&[f[0] / 0.5, f[1] / 0.5]);
        Ok(())
    }

    fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}

    fn auxiliary_rates(&self, _: StateView, rates: &mut [f64]) {
        rates.fill(0.0);
    }

    fn energy(&self, StateView { q, v, .. }: StateView) -> Energy {
        Energy { kinetic: 0.25 * (v[0] * v[0] + v[1] * v[1]), potential: 0.5 * GRAVITY * q[1] }
    }

    fn poses(&self, StateView { q, .. }: StateView, poses: &mut [mbs::Pose]) {
        poses[0] = mbs::Pose::planar(q[0], q[1], 0.0);
    }

    fn body_jacobians(&self, _: StateView, jacobians: &mut [f64]) {
        jacobians.fill(0.0);
        (jacobians[0], jacobians[3]) = (1.0, 1.0);
    }

    fn initial_condition(&self, _: usize, at: StateView, gradient: &mut [f64]) -> Condition {
        gradient.copy_from_slice(&[0.0, 1.0]);
        Condition { residual: at.v[1], level: Level::Velocity }
    }
}

impl Describe for Ball {
    fn name(&self, item: Item) -> &str {
        match item {
            Item::Mechanism => "Ball",
            Item::Body(_) => "ball",
            Item::Auxiliary(_) => "bounces",
            Item::Event(event) => ["touchdown", "top", "wall"][event],
            Item::Condition(_) => "floor",
            _ => "",
        }
    }
}

impl Eventful for Ball {
    fn event(&self, event: usize) -> Event {
        let passive = Event::default();
        match event {
            0 => Event { trigger: Trigger::Falls, conditions: 1, ..passive },
            1 => Event { trigger: Trigger::Falls, reports: true, ..passive },
            _ => Event { trigger: Trigger::Rises, stops: true, ..passive },
        }
    }

    fn event_values(&self, at: StateView, values: &mut [f64]) -> Result<(), Error> {
        values.copy_from_slice(&[at.q[1], at.v[1], at.q[0] - self.wall]);
        Ok(())
    }

    fn event_rates(&self, at: StateView, rates: &mut [f64]) -> Result<(), Error> {
        rates.copy_from_slice(&[at.v[1], -GRAVITY, at.v[0]]);
        Ok(())
    }

    fn event_assignments(&self, event: usize, at: StateView, z: &mut [f64], targets: &mut [f64]) -> Result<(), Error> {
        if event == 0 {
            z[0] += 1.0;
            targets[0] = -0.8 * at.v[1];
        }
        Ok(())
    }
}

impl Momenta for Ball {}

/// Times of the bounces in closed form.
fn bounces(count: i32) -> Vec<f64> {
    let first = (2.0 / GRAVITY).sqrt();
    let after = |k: i32| (1..=k).map(|i| 2.0 * 0.8_f64.powi(i)).sum::<f64>();
    (0..count).map(|k| first * (1.0 + after(k))).collect()
}

fn assert_near(found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len(), "{found:?} for {wanted:?}");
    assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < tolerance), "{found:?} for {wanted:?}");
}

fn times(recording: &Recording, name: &str) -> Vec<f64> {
    recording.events().of(name).unwrap().map(|occurrence| occurrence.t).collect()
}

fn integrators() -> [Integrator; 11] {
    let step = 2e-3;
    [
        Integrator::default(),
        Integrator::Rk4 { step },
        Integrator::Rk3 { step },
        Integrator::Rk2 { step },
        Integrator::ImplicitMidpoint { step },
        Integrator::Gauss4 { step },
        Integrator::Gauss6 { step },
        Integrator::GeneralizedAlpha { step, spectral_radius: 0.8 },
        Integrator::Zhong06 { step },
        Integrator::SemiImplicitEuler { step },
        Integrator::ExplicitEuler { step },
    ]
}

#[test]
fn declared_events_happen_with_every_integrator() {
    for integrator in integrators() {
        let recording = Simulation::new(&Ball { wall: 2.1 }).integrator(integrator).duration(5.0).run().unwrap();
        let first_order = matches!(integrator, Integrator::SemiImplicitEuler { .. } | Integrator::ExplicitEuler { .. });
        let tolerance = if first_order { 2e-2 } else { 1e-9 };
        assert_near(&times(&recording, "touchdown"), &bounces(3), tolerance);
        assert_near(&times(&recording, "wall"), &[2.1], tolerance);
        // The ball is at its top at the start, which is no passage, then once after each bounce.
        assert_eq!(times(&recording, "top").len(), 3, "{integrator:?}");
        assert_eq!(recording.events().stop(), Some("wall"));
        assert_eq!(recording.auxiliary("bounces").unwrap().last(), Some(&3.0));
        // Rows from 0 to 2.1 s every 0.01 s, and three tops; the wall is at the time of a row, or differs by a rounding.
        assert!((214..=215).contains(&recording.len()), "{integrator:?}: {}", recording.len());
    }
}

#[test]
fn events_are_listed_with_states_and_impulses() {
    let recording = Simulation::new(&Ball { wall: 9.0 }).duration(1.0).run().unwrap();
    let events = recording.events();
    assert_eq!(events.names(), ["touchdown", "top", "wall"]);
    assert_eq!((events.len(), events.stop()), (2, None));
    let bounce = events.at(0).unwrap();
    let speed = (2.0 * GRAVITY).sqrt();
    assert_eq!((bounce.name, bounce.event, events.conditions(0)), ("touchdown", 0, &["floor".to_owned()][..]));
    assert!((bounce.before.v[1] + speed).abs() < 1e-9 && (bounce.after.v[1] - 0.8 * speed).abs() < 1e-9);
    assert!((bounce.impulses[0] - 0.5 * 1.8 * speed).abs() < 1e-9 && bounce.row_impulses.is_empty());
    assert_eq!((bounce.before.z, bounce.after.z), (&[0.0][..], &[1.0][..]));
    assert_eq!((bounce.before.q, bounce.before.t), (bounce.after.q, bounce.t));
    let top = events.at(1).unwrap();
    assert!((top.t - bounces(1)[0] * 1.8).abs() < 1e-9 && top.before.q == top.after.q);
    // Its row is between rows of the output interval.
    assert_eq!(recording.len(), 102);
    assert!(recording.times().contains(&top.t) && recording.times().is_sorted());
    let unknown = events.of("touchdonw").err().unwrap().to_string();
    assert_eq!(unknown, "unknown event `touchdonw`, the nearest name is `touchdown`");
}

#[test]
fn closures_are_events() {
    for integrator in [Integrator::default(), Integrator::Rk4 { step: 0.01 }] {
        let mechanism = double_pendulum();
        let seen = RefCell::new(Vec::new());
        let recording = Simulation::new(&mechanism)
            .integrator(integrator)
            .event("swing", Trigger::Crosses, |at| at.v[2], |_| {})
            .read_when("lowest", Trigger::Rises, |at| at.v[1], |at| seen.borrow_mut().push(at.t))
            .report_when("tick", Trigger::Every, |_| 0.3)
            .stop_when("enough", |at| at.t > 1.75)
            .duration(3.0)
            .every(0.5)
            .run()
            .unwrap();
        let events = recording.events();
        assert_eq!(events.names(), ["swing", "lowest", "tick", "enough"]);
        assert_eq!(times(&recording, "tick"), [0.0, 0.3, 2.0 * 0.3, 3.0 * 0.3, 4.0 * 0.3, 5.0 * 0.3]);
        assert_eq!(times(&recording, "lowest"), *seen.borrow());
        assert!(!seen.borrow().is_empty() && !times(&recording, "swing").is_empty());
        assert!(events.of("swing").unwrap().all(|swing| swing.before.v[2].abs() < 1e-8));
        assert!((times(&recording, "enough")[0] - 1.75).abs() < 1e-9);
        // Output times are 0, 0.5, 1 and 1.5, reported times multiples of 0.3, of which 0 and 1.5 coincide, and the end.
        let wanted = [0.0, 0.3, 0.5, 0.6, 0.9, 1.0, 1.2, 1.5, 1.75];
        assert_near(recording.times(), &wanted, 1e-9);
    }
}

#[test]
fn a_handler_of_closures_bounces_like_a_declared_one() {
    // The ball with its floor in a closure; the declared floor is never reached.
    let run = |integrator| {
        let ball = Ball { wall: 9.0 };
        let floor = |at: StateView| at.q[1] - 0.5;
        let recording = Simulation::new(&ball)
            .integrator(integrator)
            .event("floor", Trigger::Falls, floor, |state: &mut State<Ball>| state.v[1] *= -0.8)
            .duration(1.7)
            .run()
            .unwrap();
        times(&recording, "floor")
    };
    let wanted: Vec<f64> = bounces(4).iter().map(|t| t * 0.5_f64.sqrt()).collect();
    assert_near(&run(Integrator::default()), &wanted, 1e-9);
    assert_near(&run(Integrator::Rk4 { step: 0.01 }), &wanted, 1e-9);
}

#[test]
fn a_state_that_a_closure_has_changed_is_made_consistent() {
    let mechanism = double_pendulum();
    let kick = |state: &mut State<Planar>| {
        state.q[0] += 0.02;
        state.v[1] += 1.0;
    };
    let recording = Simulation::new(&mechanism).event("kick", Trigger::At, |_| 0.5, kick).run().unwrap();
    let kick = recording.events().at(0).unwrap();
    assert_eq!(kick.t, 0.5);
    assert!(kick.row_impulses.iter().any(|mu| mu.abs() > 1e-3), "joints take part of it");
    let errors = recording.position_error().iter().chain(recording.velocity_error());
    assert!(errors.fold(0.0_f64, |worst, e| worst.max(*e)) < 1e-12);
    assert!(recording.velocity_error().iter().all(|e| *e < 1e-12));
}

#[test]
fn events_work_under_loads() {
    // A wind of 1 N against 0.5 kg moves it back to x = 0 after 2 v/a = 1 s.
    let wind = |_: StateView, loads: &mut Loads| loads.wrench("ball", [0.0; 3], [-1.0, 0.0, 0.0], [0.0; 3]);
    let ball = Ball { wall: 9.0 };
    let run = Simulation::new(&ball).load(wind).report_when("back", Trigger::Falls, |at| at.q[0]).duration(2.0);
    let recording = run.run().unwrap();
    assert_near(&times(&recording, "back"), &[1.0], 1e-9);
    assert_near(&times(&recording, "touchdown"), &bounces(3), 1e-9);
}

#[test]
fn a_controller_samples_on_time() {
    // A sampled and held input −v: a = u is exact between samples.
    struct Cart;
    impl Mechanism for Cart {
        type Coordinates = [f64; 1];
        type Speeds = [f64; 1];
        type Multipliers = [f64; 0];
        type Auxiliary = [f64; 0];
        type Inputs = [f64; 1];
        type Scratch = [f64; 0];

        fn sizes(&self) -> Sizes {
            Sizes { n_q: 1, n_v: 1, n_u: 1, ..Sizes::default() }
        }

        fn storage(&self) -> ([f64; 1], [f64; 1], [f64; 0], [f64; 0], [f64; 1], [f64; 0]) {
            ([0.0], [0.0], [], [], [0.0], [])
        }

        fn guess(&self, _: &mut [f64], v: &mut [f64], _: &mut [f64]) {
            v[0] = 1.0;
        }

        fn accelerations(&self, at: StateView, a: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
            a[0] = at.u[0];
            Ok(())
        }

        fn solve(&self, _: StateView, f: &[f64], _: &[f64], x: &mut [f64], _: &mut [f64]) -> Result<(), Error> {
            x.copy_from_slice(f);
            Ok(())
        }

        fn position_residuals(&self, _: StateView, _: &mut [f64]) {}

        fn velocity_residuals(&self, _: StateView, _: &mut [f64]) {}
    }

    impl Describe for Cart {}
    impl Eventful for Cart {}
    impl Momenta for Cart {}
    let command = Cell::new(0.0);
    let recording = Simulation::new(&Cart)
        .inputs(|_, u| u[0] = command.get())
        .event("sample", Trigger::Every, |_| 0.1, |state| command.set(-state.v[0]))
        .duration(1.0)
        .every(0.1)
        .run()
        .unwrap();
    let speeds = recording.speed("v[0]").unwrap();
    // v⁺ = v (1 − 0.1) at each sample.
    assert!(speeds.iter().enumerate().all(|(k, v)| (v - 0.9_f64.powi(k as i32)).abs() < 1e-14), "{speeds:?}");
    // A row at the time of a sample is recorded after it.
    assert_eq!(recording.input("u[0]").unwrap()[0], -1.0);
}

#[test]
fn reading_changes_no_step() {
    let mechanism = double_pendulum();
    let plain = Simulation::new(&mechanism).duration(2.0).run().unwrap();
    let read = Simulation::new(&mechanism).read_when("swing", Trigger::Crosses, |at| at.v[2], |_| {}).duration(2.0);
    let read = read.run().unwrap();
    assert!(!read.events().is_empty());
    assert_eq!(plain.tables(), read.tables());
    assert_eq!(plain.statistics().accepted, read.statistics().accepted);
}

#[test]
fn failures_name_the_event() {
    let rest = Simulation::new(&Ball { wall: 9.0 }).duration(5.0).run().unwrap_err();
    assert!(matches!(rest.cause, Cause::Run(Error::Zeno { event: 0, .. })), "{rest}");
    assert_eq!(rest.event(), Some("touchdown"));
    assert!(rest.to_string().starts_with("event `touchdown` happens again and again at t = 4.06"), "{rest}");
    assert!(rest.recording.len() > 400 && rest.recording.events().len() > 50);
    let mechanism = double_pendulum();
    let run = |period: f64| Simulation::new(&mechanism).report_when("tick", Trigger::Every, move |_| period).run();
    let failure = run(-1.0).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "the period of event `tick` is -1 s at t = 0, it has to be positive, finite and long enough for time to advance"
    );
    let lost = |state: &mut State<Planar>| state.q[0] = f64::NAN;
    let failure = Simulation::new(&mechanism).event("lose", Trigger::At, |_| 0.25, lost).run().unwrap_err();
    assert_eq!(failure.to_string(), "the handler of event `lose` fails at t = 0.25: a value is not finite");
}

#[test]
fn a_ball_at_rest_is_found_out_by_closures_too() {
    let ball = Ball { wall: 9.0 };
    let floor = |at: StateView| at.q[1] - 0.5;
    for e in [0.8, 0.3] {
        let failure = Simulation::new(&ball)
            .event("floor", Trigger::Falls, floor, |state: &mut State<Ball>| state.v[1] *= -e)
            .duration(5.0)
            .run()
            .map(|recording| recording.events().len())
            .unwrap_err();
        assert_eq!(failure.event(), Some("floor"), "e = {e}: {failure}");
    }
}

#[test]
fn the_page_lists_events() {
    let recording = Simulation::new(&Ball { wall: 2.1 }).duration(5.0).run().unwrap();
    let page = recording.page().to_html();
    let start = page.find("id=\"data\">").unwrap() + 10;
    let data = &page[start..start + page[start..].find("</script>").unwrap()];
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let events = &data["events"];
    assert_eq!((events["count"].as_u64(), events["stop"].as_str()), (Some(7), Some("wall")));
    let list = events["list"].as_array().unwrap();
    for (listed, occurrence) in list.iter().zip(recording.events().iter()) {
        assert_eq!((listed["name"].as_str(), listed["t"].as_f64()), (Some(occurrence.name), Some(occurrence.t)));
        let impulses: Vec<_> = occurrence.impulses.iter().map(|p| serde_json::json!(["floor", p])).collect();
        assert_eq!(listed["impulses"], serde_json::Value::Array(impulses));
    }
    let quiet = Simulation::new(&double_pendulum()).duration(0.1).run().unwrap().page().to_html();
    assert!(quiet.contains("\"events\":null"));
}

#[test]
fn events_are_serialised() {
    let recording = Simulation::new(&Ball { wall: 2.1 }).duration(5.0).run().unwrap();
    let text = serde_json::to_string(&recording).unwrap();
    assert_eq!(serde_json::from_str::<Recording>(&text).unwrap(), recording);
}

#[test]
fn discrete_variables_keep_what_they_were() {
    let mode = mbs::DiscreteVariable::new('a');
    mode.set(1.0, 'b');
    mode.set(2.0, 'c');
    assert_eq!([0.5, 1.0, 1.5, 2.0, 9.0].map(|t| mode.at(t)), ['a', 'b', 'b', 'c', 'c']);
    // A second run that begins at 1.2 s.
    mode.set(1.2, 'd');
    assert_eq!(mode.changes(), [(1.0, 'b'), (1.2, 'd')]);
    assert_eq!(mode.get(), 'd');
    mode.reset();
    assert_eq!((mode.get(), mode.at(5.0)), ('a', 'a'));
}
