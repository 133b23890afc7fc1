//! Bricard's mechanism: six hinges in a loop that has as many constraints as speeds, and that moves all the same.
//!
//! `cargo run --release --example bricard`

use std::error::Error;

use mbs::report::Solid;
use mbs::{Integrator, Simulation};

mbs::mechanism! {
    /// Bricard's mechanism, A04 of the IFToMM library of benchmark problems: five rods and ground, hinged at right angles.
    pub spatial Bricard {
        gravity: [0, -9.81, 0];
        // 30 rows for 30 speeds leave no freedom; one of them follows from the others wherever the rods are.
        redundant: resolve;

        param length = 1.0;                                             // of the rods, m
        param mass = 1.0;                                               // of each, kg
        const width = 0.1;                                              // of their square section, m
        let along = mass / 6 * width.powi(2);
        let across = mass / 12 * (length.powi(2) + width.powi(2));

        // Axes of all rods are parallel to the world's at first.
        body rod_1 { mass, inertia: [along, across, across], com: [length / 2, 0, 0] }
        body rod_2 { mass, inertia: [across, along, across], com: [0, -length / 2, 0] }
        body rod_3 { mass, inertia: [across, across, along], com: [0, 0, length / 2] }
        body rod_4 { mass, inertia: [along, across, across], com: [-length / 2, 0, 0] }
        body rod_5 { mass, inertia: [across, along, across], com: [0, length / 2, 0] }
        joint p0 = revolute(ground, rod_1) { axis: [0, 1, 0] };
        joint p1 = revolute(rod_1 at [length, 0, 0], rod_2) { axis: [0, 0, 1] };
        joint p2 = revolute(rod_2 at [0, -length, 0], rod_3) { axis: [1, 0, 0] };
        joint p3 = revolute(rod_3 at [0, 0, length], rod_4) { axis: [0, 1, 0] };
        joint p4 = revolute(rod_4 at [-length, 0, 0], rod_5) { axis: [0, 0, 1] };
        joint p5 = revolute(rod_5 at [0, length, 0], ground at [0, 0, length]) { axis: [1, 0, 0] };
        freedoms: 1;

        output turn = p0.angle;
        output end = position(rod_4);
        output energy = kinetic_energy + potential_energy;
    }
}

/// Time \[s\] and position of P3 \[m\]: IFToMM A04, solved with all rows in body coordinates (DOP853, relative tolerance 1e-11).
const REFERENCE: [[f64; 4]; 5] = [
    [0.5, 0.9682836791068635, -1.2246251594360607, 0.750146609438102],
    [1.0, 0.5105014611871131, -1.6491675993948445, 0.14012311455312243],
    [2.5, -0.9999999998586306, -1.0000168147067492, 0.9999831851518839],
    [5.0, 0.999999997738049, -1.0000672576946266, 0.9999327400435751],
    [10.0, 0.9999999638063521, -1.0002690126857836, 0.9997309511303045],
];

fn solids() -> Vec<Solid> {
    let (oak, walnut, steel, iron) = ([214, 170, 108], [132, 86, 52], [186, 192, 202], [70, 76, 88]);
    let mut solids = Vec::new();
    let middles = [
        ("rod_1", [0.5, 0.0, 0.0]),
        ("rod_2", [0.0, -0.5, 0.0]),
        ("rod_3", [0.0, 0.0, 0.5]),
        ("rod_4", [-0.5, 0.0, 0.0]),
        ("rod_5", [0.0, 0.5, 0.0]),
    ];
    for (i, (rod, middle)) in middles.into_iter().enumerate() {
        let size = middle.map(|c: f64| if c == 0.0 { 0.1 } else { 0.9 });
        solids.push(Solid::block(rod, size).at(middle).color(if i % 2 == 0 { oak } else { walnut }));
        // The hinge on ground.
        solids.push(Solid::sphere(rod, 0.07).color(steel));
    }
    solids.push(Solid::block("ground", [0.1, 0.1, 0.9]).at([0.0, 0.0, 0.5]).color(iron));
    solids.push(Solid::sphere("ground", 0.07).at([0.0, 0.0, 1.0]).color(steel));
    solids
}

fn main() -> Result<(), Box<dyn Error>> {
    let linkage = Bricard::new(Default::default())?;
    println!("left out, because the other rows imply it: {}", bricard::REDUNDANT.join(", "));

    let precise = Integrator::DormandPrince { rtol: 1e-11, atol: 1e-12 };
    let motion = Simulation::new(&linkage).integrator(precise).duration(10.0).every(0.02).run()?;
    let end = [motion.output("end.x")?, motion.output("end.y")?, motion.output("end.z")?];
    println!("t [s]   P3 [m]                               off the reference [m]");
    for [t, position @ ..] in REFERENCE {
        let i = (t / 0.02).round() as usize;
        let at = [0, 1, 2].map(|k: usize| end[k][i]);
        let off = at.iter().zip(position).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        println!("{t:5.1} {:11.6} {:11.6} {:11.6} {off:24.1e}", at[0], at[1], at[2]);
    }

    let (turn, energy) = (motion.extremes("turn")?, motion.extremes("energy")?);
    println!("the first rod turns by {:.2}°, and back", (turn.maximum.value - turn.minimum.value).to_degrees());
    println!(
        "energy: {:.6} J, constant to {:.0e} J",
        energy.maximum.value,
        energy.maximum.value - energy.minimum.value
    );

    let page = motion.page().title("Bricard's mechanism").trace("rod_3")?.trace("rod_4")?.solids(solids())?;
    page.write("target/bricard.html")?;
    println!("wrote target/bricard.html (open it in a browser)");
    Ok(())
}
