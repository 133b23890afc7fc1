//! A hanging chain whose number of links is known at run time: built in Rust, run by the generic engine, written as a page.
//!
//! `cargo run --release --features engine --example chain -- 30`

use std::error::Error;

use mbs::builder::{Frame, Planar, position};
use mbs::{Engine, Mechanism, Simulation};

/// A chain of pinned links between two supports, released on the right.
fn chain(links: usize) -> Planar {
    let m = Planar::new("Chain");
    m.gravity((0.0, -9.81));
    let length = m.docs("Length of the whole chain [m]").param("length", 2.0);
    let density = 1.5; // kg/m
    let link_length = length / links as f64;
    let mass = density * link_length;

    let mut end: Frame = m.ground().at((-0.5, 0.0));
    for i in 0..links {
        let link = m
            .body(("link", i))
            .mass(mass)
            .inertia(mass * link_length * link_length / 12.0)
            .com((link_length / 2.0, 0.0));
        let pin = m.revolute(("pin", i), end, link);
        m.mobility(("friction", i), pin, -1e-4 * pin.rate());
        m.guess(pin.angle(), if i == 0 { 0.1 } else { 0.0 });
        end = link.at((link_length, 0.0));
    }
    let tip = m.marker("tip", end);
    m.output_vector("tip", position(tip));
    m
}

fn main() -> Result<(), Box<dyn Error>> {
    let links = std::env::args().nth(1).map_or(Ok(12), |n| n.parse())?;
    let engine = Engine::options().builder(&chain(links))?;
    println!("{links} links, {} speeds", engine.sizes().n_v);

    let recording = Simulation::new(&engine).duration(3.0).every(0.01).run()?;
    let (x, y) = (recording.output("tip.x")?, recording.output("tip.y")?);
    for (i, t) in recording.times().iter().enumerate().step_by(50) {
        println!("{t:6.2} s: the tip is at ({:7.4}, {:7.4}) m", x[i], y[i]);
    }
    let energy = recording.total_energy();
    println!("friction took {:.4} J", energy[0] - energy[energy.len() - 1]);
    recording.page().title("A chain of links").write("target/chain.html")?;
    println!("wrote target/chain.html (open it in a browser)");
    Ok(())
}
