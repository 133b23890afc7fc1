//! A tensegrity prism: struts connected by cables only. Computes its equilibrium and modes, and simulates its vibration for 100 s.
//!
//! `cargo run --release --example tensegrity_prism`

use std::error::Error;

use mbs::report::Solid;
use mbs::{Integrator, Modes, Simulation, Statics};

mbs::mechanism! {
    /// Three struts, nine cables under tension, and nothing else: the ends of the prism are rotated against each other by 30°.
    pub spatial TensegrityPrism {
        kernels: [forward, kinematics, energies, outputs, linearization];
        const N = 3;
        const length = 1.0;                                         // of the struts, m
        const radius = 0.015;                                       // of their circular section, m
        param mass = 0.4;                                           // of each strut, kg
        param stiffness = 3000;                                     // of the cables, N/m
        param ring = 0.5;                                           // free length of the cables at both ends, m
        param side = 0.6;                                           // and of those between them
        const across = radius.powi(2) / 4 + length.powi(2) / 12;

        // Where it is put together: struts from a foot to a head that is a third of a revolution and 17° further.
        function around(angle) = [0.33 * cos(angle), 0.33 * sin(angle), 0];
        function foot_at(i) = around(TAU / N * i);
        function head_at(i) = around(TAU / N * (i + 1) + 0.3) + [0, 0, 0.7];
        function along(i) = (head_at(i) - foot_at(i)) / norm(head_at(i) - foot_at(i));
        function following(i) = i + 1 - N * floor((i + 1) / N);
        for i in 0..N {
            body strut[i] {
                mass, inertia: mass * [across, across, radius.powi(2) / 2],
                position: (foot_at(i) + head_at(i)) / 2,
                rotation: euler(zyx, [atan2(along(i).y, along(i).x), acos(along(i).z), 0]),
            }
            marker foot[i] = strut[i] at [0, 0, -length / 2];
            marker head[i] = strut[i] at [0, 0, length / 2];
        }
        for i in 0..N {
            force bottom[i] = cable(foot[i], foot[following(i)]) { stiffness, free_length: ring };
            force top[i]    = cable(head[i], head[following(i)]) { stiffness, free_length: ring };
            force rise[i]   = cable(head[i], foot[following(i)]) { stiffness, free_length: side };
        }
        freedoms: 6 * N;

        // Turn of a head against the foot that its cable leads to, about the line through the middles of both ends.
        let base = sum(position(foot[i]) for i in 0..N) / N;
        let peak = sum(position(head[i]) for i in 0..N) / N;
        let axis = (peak - base) / norm(peak - base);
        let arm = position(foot[1]) - base;
        let reach = position(head[0]) - peak;
        output twist = atan2(dot(cross(arm, reach), axis), dot(arm, reach) - dot(arm, axis) * dot(reach, axis));
        output height = norm(peak - base);
        output tension = norm(load(rise[0]).force);
        output energy = kinetic_energy + potential_energy;
    }
}

/// Cylinders of the struts.
fn solids() -> Vec<Solid> {
    let oak = [178, 138, 92];
    (0..3).map(|i| Solid::cylinder(format!("strut[{i}]"), 0.015, 1.0).color(oak)).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let prism = TensegrityPrism::new(Default::default())?;
    let equilibrium = Statics::new(&prism).stable().solve()?;
    let still = Simulation::new(&prism).initial(equilibrium.state.clone()).duration(0.0).run()?;
    println!(
        "at rest after {} iterations, accelerations of {:.0e} left:",
        equilibrium.iterations, equilibrium.residual
    );
    println!("  twisted by {:.9}°, 90° − 180°/3 is 30°", still.output("twist")?[0].to_degrees());
    println!(
        "  {:.4} m high, {:.1} N in each cable that rises",
        still.output("height")?[0],
        still.output("tension")?[0]
    );

    // Six rigid-body modes; three spins of struts about their lines, on which their cables end.
    let modes = Modes::undamped(&prism, &equilibrium)?;
    println!("\n{modes}");
    let swings = modes.swings(&prism, &equilibrium, 0.12)?;
    swings.page().title("Modes of a tensegrity prism").solids(solids())?.write("target/tensegrity_modes.html")?;

    // Initial speeds excite all modes; 100 s in steps of a fortieth of the shortest period.
    let mut start = equilibrium.state.clone();
    for mode in modes.moving() {
        start.v.iter_mut().zip(&mode.shape).for_each(|(v, x)| *v += 0.1 * x.re);
    }
    let step = 5e-4;
    let ringing = Simulation::new(&prism).initial(start).integrator(Integrator::ImplicitMidpoint { step });
    let ringing = ringing.duration(100.0).every(0.05).run()?;
    let energy = ringing.output("energy")?;
    let at_rest = still.output("energy")?[0];
    let off = energy.iter().fold(0.0_f64, |most, e| most.max((e - energy[0]).abs()));
    println!(
        "100 s of vibration with {:.4} J: the energy is off by {:.1e} of that at most",
        energy[0] - at_rest,
        off / (energy[0] - at_rest)
    );
    ringing.page().title("Tensegrity prism, struck").solids(solids())?.write("target/tensegrity_prism.html")?;
    println!("wrote target/tensegrity_modes.html and target/tensegrity_prism.html (open them in a browser)");
    Ok(())
}
