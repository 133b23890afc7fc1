//! Runs whose implicit steps are solved by Newton's method: fewer evaluations than secants need, and convergence where secants fail.

use mbs::simulation::Cause;
use mbs::{Differentiable, Error, Failure, FullMechanism, Integrator, Recording, Simulation};

mbs::mechanism! {
    /// Cars on springs, each four times as stiff as the one before, and a pendulum on a rod, which is a row, under the first.
    planar Train {
        kernels: [forward, kinematics, energies, outputs, steps];
        coordinates: joint;
        gravity: [0, -9.81];
        param stiffness = 40;
        input push;
        for i in 0..15 {
            body car[i] { mass: 1, inertia: 0.1, position: [0.5 * i, 0] }
            joint track[i] = prismatic(ground at [0.5 * i, 0], car[i]) { axis: [1, 0] };
            initial track[i].position = 0, track[i].speed = 0;
        }
        potential buffer = 0.5 * stiffness * track[0].position.powi(2);
        for i in 1..15 {
            potential spring[i] = 0.5 * stiffness * 4.0.powi(i) * (track[i].position - track[i - 1].position).powi(2);
        }
        particle bob { mass: 2, position: [0.3, -0.4], velocity: [0, 0] }
        joint rod = distance(car[0], bob) { length: 0.5 };
        force engine = mobility(track[0]) { value: push };
        output place = track[0].position;
        output swing = position(bob);
    }
}

mbs::mechanism! {
    /// A rod that spins and nutates on a soft and a stiff spring, in quaternions.
    spatial Rod {
        kernels: [forward, kinematics, energies, outputs, steps];
        gravity: [0, 0, -9.81];
        body rod { mass: 2, inertia: [0.3, 0.3, 0.02], position: [0, 0, 1], angular_velocity: [0.4, 0, 9] }
        joint flight = free(ground, rod);
        force hanger = spring_damper(ground at [0, 0, 3], rod at [0, 0, 0.5]) { stiffness: 60, damping: 1, free_length: 1 };
        force stay = spring_damper(ground, rod at [0, 0, -0.5]) { stiffness: 4e5, free_length: 0.5 };
        output height = position(rod).z;
        output lean = position(rod at [0, 0, 0.5]).x;
    }
}

const METHODS: [fn(f64) -> Integrator; 4] = [
    |step| Integrator::ImplicitMidpoint { step },
    |step| Integrator::Gauss4 { step },
    |step| Integrator::Gauss6 { step },
    |step| Integrator::GeneralizedAlpha { step, spectral_radius: 0.8 },
];

/// Runs by Newton's method and by secants.
fn run_both_methods<'m, M: Differentiable + FullMechanism + 'm>(
    make: impl Fn() -> Simulation<'m, M>,
) -> [Result<Recording, Failure>; 2] {
    [make().newton().run(), make().run()]
}

/// The largest difference of outputs.
fn gap(a: &Recording, b: &Recording) -> f64 {
    let [a, b] = [a, b].map(|recording| recording.table(mbs::Quantity::Outputs).columns().concat());
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

fn assert_same_in_fewer_evaluations(label: &str, [newton, secants]: [Result<Recording, Failure>; 2], tolerance: f64) {
    let (newton, secants) = (newton.unwrap(), secants.unwrap());
    let [few, many] = [&newton, &secants].map(|recording| recording.statistics());
    let gap = gap(&newton, &secants);
    println!("{label}: {gap:.1e}, {} and {} evaluations in {} steps", few.evaluations, many.evaluations, few.accepted);
    assert_eq!(few.accepted, many.accepted);
    assert!(gap < tolerance, "{label}: {gap:e}");
    assert!(few.evaluations < many.evaluations, "{label}: {few:?} {many:?}");
}

#[test]
fn steps_are_those_of_secants_in_fewer_evaluations() {
    // Springs to 3e3 N/m: few enough for secants.
    let train = Train::new(train::Params { stiffness: 1e-5 }).unwrap();
    let rod = Rod::new(Default::default()).unwrap();
    for method in METHODS {
        // Steps are solved to 64 roundings, which stiff springs magnify.
        let simulation = || Simulation::new(&train).integrator(method(0.02)).duration(1.0).every(0.1);
        assert_same_in_fewer_evaluations(&format!("train, {:?}", method(0.02)), run_both_methods(simulation), 1e-9);
        let simulation = || Simulation::new(&rod).integrator(method(4e-3)).duration(0.4).every(0.02);
        assert_same_in_fewer_evaluations(&format!("rod, {:?}", method(4e-3)), run_both_methods(simulation), 1e-9);
    }
}

#[test]
fn stiffness_that_secants_do_not_solve_converges() {
    let train = Train::new(Default::default()).unwrap();
    for method in METHODS {
        let [newton, secants] =
            run_both_methods(|| Simulation::new(&train).integrator(method(0.02)).duration(1.0).every(0.1));
        let newton = newton.unwrap_or_else(|failure| panic!("{:?}: {failure}", method(0.02)));
        let evaluations = newton.statistics().evaluations;
        println!("{:?}: {evaluations} evaluations", method(0.02));
        // Measured numbers are 5 to 46, with three stages solved several times for one symmetric projection; 60 iterations of secants need up to 180.
        assert!(evaluations <= 60 * newton.statistics().accepted, "{:?}", newton.statistics());
        let cause = secants.expect_err("secants do not know so many directions").cause;
        assert!(matches!(cause, Cause::Run(Error::NotConverged { .. })), "{cause:?}");
    }
}

#[test]
fn loads_and_events_of_closures_and_laws_of_inputs_are_not_in_the_way() {
    let train = Train::new(Default::default()).unwrap();
    let run = |integrator| {
        let mut passed = 0;
        let recording = Simulation::new(&train)
            .integrator(integrator)
            .newton()
            .inputs(|at, u| u[0] = -30.0 * at.v[0] + 20.0 * (5.0 * at.t).sin())
            .load(|at, loads| loads.wrench("bob", [0.0; 3], [0.0, -40.0 * at.v[16] - 200.0 * at.q[16], 0.0], [0.0; 3]))
            .read_when("there", mbs::Trigger::Rises, |at| at.q[16] + 0.3, |_| passed += 1)
            .duration(0.3)
            .every(0.1)
            .run()
            .unwrap();
        (recording, passed)
    };
    let (exact, there) = run(Integrator::Gauss6 { step: 2e-3 });
    assert!(there == 1 && exact.output("place").unwrap().iter().any(|x| x.abs() > 0.02), "{there}");
    for method in METHODS {
        let [(coarse, _), (fine, count)] = [2e-2, 1e-2].map(|step| run(method(step)));
        let [coarse, fine] = [coarse, fine].map(|recording| gap(&recording, &exact));
        println!("{:?}: {coarse:.1e}, {fine:.1e}, {count}", method(1e-2));
        assert_eq!(count, there);
        assert!(fine < 0.3 * coarse || fine < 1e-8, "{:?}: {coarse:e} {fine:e}", method(1e-2));
    }
}
