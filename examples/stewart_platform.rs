//! A flight simulator on six driven legs: the lengths of the legs from a prescribed pose, then the forces of the motors.
//!
//! `cargo run --release --example stewart_platform`

use std::error::Error;

use mbs::InverseDynamics;
use mbs::report::Solid;

mbs::mechanism! {
    /// Stewart platform: a cabin on six legs, each a cylinder on a universal joint, and a rod with a ball joint at the platform.
    pub spatial StewartPlatform {
        gravity: [0, 0, -9.81];

        param base_radius = 1.5;                                        // of the circle of the feet, m
        param top_radius = 1.1;                                         // of the circle of the ball joints, m
        param height = 1.7;                                             // of the platform at rest, m
        const half_gap = 0.16;                                          // between neighbours on a circle, rad
        const cylinder_length = 1.2;
        const rod_length = 1.3;                                         // from the piston to the ball

        // Legs in pairs: neighbours at the base belong to different pairs at the top.
        function side(i) = 2 * (i - 2 * floor(i / 2)) - 1;
        function around(radius, angle) = [radius * cos(angle), radius * sin(angle), 0];
        function foot(i) = around(base_radius, TAU / 3 * floor(i / 2) + side(i) * half_gap);
        function ball(i) = around(top_radius, TAU / 3 * floor(i / 2) + side(i) * (PI / 3 - half_gap));

        // The ride: once round, from rest to rest, rising, yawing, and leaning into the turn.
        param duration = 6.0;                                           // s
        let turn = TAU * t / duration - sin(TAU * t / duration);
        let wave = 1 - cos(turn);
        let center = [0.25 * sin(turn), 0.12 * wave, height + 0.1 * sin(2 * turn)];
        function pose() = euler(zyx, [0.15 * sin(2 * turn), 0.2 * sin(turn), 0.12 * wave]);

        body platform { mass: 600, inertia: [260, 300, 380], com: [0, 0, 0.4], position: [0, 0, height] }
        marker pilot = platform at [0.1, 0, 1.0];
        marker antenna = platform at [-0.5, 0, 1.6];
        for i in 0..6 {
            marker anchor[i] = ground at foot(i) { z: [0, 0, height] + ball(i) - foot(i) };
            body cylinder[i] { mass: 30, inertia: [2.0, 2.0, 0.1], com: [0, 0, cylinder_length / 2] }
            body rod[i]      { mass: 12, inertia: [0.8, 0.8, 0.01], com: [0, 0, rod_length / 2] }
            joint cardan[i]  = universal(anchor[i], cylinder[i]);
            joint slide[i]   = prismatic(cylinder[i], rod[i]);
            joint top[i]     = spherical(rod[i] at [0, 0, rod_length], platform at ball(i));
            drive motor[i]   = slide[i].position == norm(center + pose() * ball(i) - foot(i)) - rod_length;
            initial slide[i].position ~ 0.7;
            output length[i] = slide[i].position + rod_length;
        }
        freedoms: 6;

        output position = position(platform);
        output power = sum(load(motor[i]) * slide[i].speed for i in 0..6);
        output specific_force = norm(acceleration(pilot) + [0, 0, 9.81]); // on the pilot, m/s²
    }
}

/// Attachments of the legs to the platform.
const TOPS: [&str; 6] = ["top[0]", "top[1]", "top[2]", "top[3]", "top[4]", "top[5]"];

/// Legs, a platform with a cabin, and the floor.
fn solids(parameters: &stewart_platform::Params) -> Vec<Solid> {
    let (steel, dark, white) = ([196, 202, 210], [58, 64, 74], [236, 238, 242]);
    let mut solids = vec![
        Solid::cylinder("ground", 1.12 * parameters.base_radius, 0.06).at([0.0, 0.0, -0.12]).color([150, 156, 165]),
        Solid::cylinder("platform", 1.04 * parameters.top_radius, 0.07).at([0.0, 0.0, 0.1]).color(dark),
        Solid::block("platform", [1.5, 1.2, 0.35]).at([0.0, 0.0, 0.31]).color(white),
        Solid::block("platform", [1.0, 1.2, 0.75]).at([-0.25, 0.0, 0.85]).color(white),
        Solid::cylinder("platform", 0.02, 0.4).at([-0.5, 0.0, 1.4]).color(dark),
        Solid::block("platform", [0.03, 1.06, 0.55]).at([0.26, 0.0, 0.88]).color([60, 120, 180]),
        Solid::block("platform", [0.5, 1.2, 0.06]).at([0.5, 0.0, 0.5]).color(dark),
    ];
    for i in 0..6 {
        let (cylinder, rod) = (format!("cylinder[{i}]"), format!("rod[{i}]"));
        solids.push(Solid::sphere(&cylinder, 0.09).color(dark));
        solids.push(Solid::cylinder(&cylinder, 0.07, 1.2).at([0.0, 0.0, 0.6]).color([224, 147, 26]));
        solids.push(Solid::cylinder(&rod, 0.035, 1.3).at([0.0, 0.0, 0.65]).color(steel));
        solids.push(Solid::sphere(&rod, 0.065).at([0.0, 0.0, 1.3]).color(dark));
    }
    solids
}

fn main() -> Result<(), Box<dyn Error>> {
    let parameters = stewart_platform::Params::default();
    let simulator = StewartPlatform::new(parameters)?;
    let ride = InverseDynamics::new(&simulator).grid(0.0, parameters.duration, 601).run()?;

    println!("leg     force of the motor [N], positive where it pushes         length of the leg [m]");
    println!("          at rest       least   at [s]     largest   at [s]       least    largest");
    for i in 0..6 {
        let name = format!("motor[{i}]");
        let force = ride.extremes(&format!("drive.{name}"))?;
        let length = ride.extremes(&format!("length[{i}]"))?;
        let (least, most) = (force.minimum, force.maximum);
        println!(
            "{i:3} {:13.1} {:11.1} {:8.2} {:11.1} {:8.2} {:11.4} {:10.4}",
            ride.drive(&name)?[0],
            least.value,
            least.time,
            most.value,
            most.time,
            length.minimum.value,
            length.maximum.value,
        );
    }
    let force = ride.extremes("specific_force")?;
    println!("the pilot feels {:.2} to {:.2} m/s²", force.minimum.value, force.maximum.value);
    let power = ride.extremes("power")?;
    println!(
        "the motors together supply at most {:.2} kW, and take back {:.2} kW",
        power.maximum.value / 1e3,
        -power.minimum.value / 1e3
    );

    let page = ride
        .page()
        .title("Flight simulator on six legs")
        .trace("antenna")?
        .reactions(&TOPS)?
        .solids(solids(&parameters))?;
    page.write("target/stewart_platform.html")?;
    println!("wrote target/stewart_platform.html (open it in a browser)");
    Ok(())
}
