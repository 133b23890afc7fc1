//! A stiff flyball governor: balls move outwards, a sleeve rises, and the motion agrees with the published one.
//!
//! `cargo run --release --example flyball_governor`

use std::error::Error;
use std::f64::consts::TAU;

use mbs::report::Solid;
use mbs::{Integrator, Simulation};

mbs::mechanism! {
    /// Flyball governor A05 of the IFToMM library of benchmark problems: its springs are as stiff as rods.
    pub spatial FlyballGovernor {
        gravity: [0, 0, -9.81];

        param shaft_length = 1.0;                                       // m
        param rod_length = 1.0;
        param offset = 0.05;                                            // of the hinges from the axis, m
        param speed = TAU;                                              // of the shaft at first, rad/s
        param stiffness = 8e5;                                          // N/m
        param damping = 4e4;                                            // N s/m
        const rod_mass = 0.3;                                           // kg
        const section = 0.01;                                           // m, square
        const lean = PI / 6;                                            // of the rods below the horizontal at first, rad

        body shaft  { mass: 0.3, inertia: [0.025, 0.025, 5e-6], com: [0, 0, shaft_length / 2] }
        body sleeve { mass: 3, inertia: [0.005, 0.005, 0.005], position: [0, 0, 0.5] }
        joint bearing = revolute(ground, shaft);
        joint guide   = prismatic(shaft, sleeve);

        for i in 0..2 {
            marker shoulder[i] = shaft at [(1 - 2 * i) * offset, 0, shaft_length] { rotation: axis_angle([0, 0, 1], PI * i) };
            body rod[i] {
                mass: rod_mass,
                inertia: rod_mass / 12 * [2 * section.powi(2), rod_length.powi(2) + section.powi(2), rod_length.powi(2) + section.powi(2)],
                com: [rod_length / 2, 0, 0],
            }
            body ball[i] { mass: 5 }
            joint hinge[i] = revolute(shoulder[i], rod[i]) { axis: [0, 1, 0] };
            joint weld[i]  = fixed(rod[i] at [rod_length, 0, 0], ball[i]);
            force link[i]  = spring_damper(sleeve at [(1 - 2 * i) * offset, 0, 0], rod[i] at com) {
                stiffness, damping, free_length: 0.5,
            };
            initial hinge[i].angle = lean;
        }
        initial bearing.rate = speed, guide.position = 0.5;
        freedoms: 4;

        output height = guide.position;                                 // of the sleeve
        output lean = hinge[0].angle;
        output shaft_speed = bearing.rate;
        output pull = dot(load(link[0]).force, rod[0].x);
        output spin = angular_momentum(bodies, ground).z;
    }
}

/// Time [s], height of the sleeve [m], lean of the rods [rad] and speed of the shaft [rad/s]: IFToMM A05, solved in minimal coordinates
/// (DOP853, relative tolerance 1e-12).
const REFERENCE: [[f64; 4]; 6] = [
    [0.1, 0.5238364755695761, 0.49617386907590033, 6.103717808830873],
    [0.5, 0.7432494247863268, 0.25949138154341245, 5.1034154219715395],
    [1.0, 0.5014209223795679, 0.5218333016255464, 6.271125741876557],
    [2.0, 0.5059092942967041, 0.5166637973645982, 6.2362236144359775],
    [5.0, 0.5355631037216435, 0.4828745765869398, 6.022496499758437],
    [10.0, 0.6196229170613666, 0.39007370184464357, 5.548203622654993],
];

fn solids() -> Vec<Solid> {
    let (steel, brass, iron) = ([186, 192, 202], [204, 158, 66], [70, 76, 88]);
    let mut solids = vec![
        Solid::cylinder("ground", 0.35, 0.06).at([0.0, 0.0, -0.09]).color(iron),
        Solid::cylinder("ground", 0.1, 0.08).at([0.0, 0.0, -0.04]).color(iron),
        Solid::cylinder("shaft", 0.02, 1.1).at([0.0, 0.0, 0.53]).color(steel),
        Solid::block("shaft", [0.14, 0.06, 0.06]).at([0.0, 0.0, 1.0]).color(steel),
        Solid::cylinder("sleeve", 0.06, 0.1).color(brass),
        Solid::cylinder("sleeve", 0.09, 0.02).at([0.0, 0.0, -0.05]).color(brass),
    ];
    for i in 0..2 {
        solids.push(Solid::block(format!("rod[{i}]"), [1.0, 0.024, 0.024]).at([0.5, 0.0, 0.0]).color(steel));
        solids.push(Solid::sphere(format!("ball[{i}]"), 0.09).color(brass));
    }
    solids
}

fn main() -> Result<(), Box<dyn Error>> {
    let governor = FlyballGovernor::new(Default::default())?;
    let precise = Integrator::DormandPrince { rtol: 1e-10, atol: 1e-12 };
    let motion = Simulation::new(&governor).integrator(precise).duration(10.0).every(0.02).run()?;

    let (height, lean, speed) = (motion.output("height")?, motion.output("lean")?, motion.output("shaft_speed")?);
    println!("t [s]   sleeve [m]   rods [deg]   shaft [rev/min]   off the reference: sleeve [m]   shaft [rad/s]");
    for [t, reference_height, _, reference_speed] in REFERENCE {
        let i = (t / 0.02).round() as usize;
        println!(
            "{t:5.1} {:12.6} {:12.4} {:17.4} {:31.1e} {:15.1e}",
            height[i],
            lean[i].to_degrees(),
            speed[i] * 60.0 / TAU,
            height[i] - reference_height,
            speed[i] - reference_speed,
        );
    }

    let (rise, shaft) = (motion.extremes("height")?, motion.extremes("shaft_speed")?);
    println!("the sleeve travels from {:.4} m to {:.4} m", rise.minimum.value, rise.maximum.value);
    println!("the shaft turns at {:.2} to {:.2} rad/s", shaft.minimum.value, shaft.maximum.value);
    let spin = motion.extremes("spin")?;
    println!(
        "angular momentum about the shaft: {:.9} N m s, constant to {:.0e}",
        spin.maximum.value,
        spin.maximum.value - spin.minimum.value
    );
    let statistics = motion.statistics();
    println!("{} steps: the springs are stiff, with rates up to 3e4 1/s", statistics.accepted);

    let page = motion
        .page()
        .title("Flyball governor")
        .trace("ball[0]")?
        .reactions(&["bearing", "hinge[0]", "hinge[1]"])?
        .solids(solids())?;
    page.write("target/flyball_governor.html")?;
    println!("wrote target/flyball_governor.html (open it in a browser)");
    Ok(())
}
