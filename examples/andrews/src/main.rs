//! Andrews' squeezing mechanism (IFToMM benchmark A03), compiled by a build script: `cargo run --release -p andrews`.
//!
//! Compares the angles at t = 0.03 s with the published ones, and writes a page.

use std::error::Error;

use mbs::{Integrator, Simulation};

include!(concat!(env!("OUT_DIR"), "/andrews.rs"));

/// Mazzia & Magherini, Test Set for IVP Solvers, release 2.4: β, Θ, γ, Φ, δ, Ω, ε at t = 0.03 s \[rad\].
const PUBLISHED: [(&str, f64); 7] = [
    ("beta", 15.810_771_196_299_04),
    ("theta", -15.756_371_058_429_87),
    ("gamma", 0.040_822_240_130_731),
    ("phi", -0.534_730_116_322_695),
    ("delta", 0.524_409_965_880_530),
    ("omega", 0.534_730_116_322_695),
    ("epsilon", 1.048_080_741_042_263),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mechanism = Andrews::new(andrews::Params::default())?;
    let integrator = Integrator::DormandPrince { rtol: 1e-11, atol: 1e-12 };
    let recording = Simulation::new(&mechanism).integrator(integrator).duration(0.03).every(1e-4).run()?;

    println!("angle        computed         published      difference");
    for (name, published) in PUBLISHED {
        let computed = recording.output(name)?.last().copied().unwrap_or(f64::NAN);
        println!("{name:8} {computed:14.9} {published:16.9} {:14.1e}", computed - published);
    }
    recording.page().title("Andrews' squeezing mechanism").write("target/andrews.html")?;
    println!("wrote target/andrews.html");
    Ok(())
}
