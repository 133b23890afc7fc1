//! One cylinder of an engine at constant speed: reactions of its bearings over a revolution, and the torque at its shaft.
//!
//! `cargo run --release --example slider_crank`; with `--features plot` it also draws the load of the crank pin as SVG.

use std::error::Error;
use std::f64::consts::TAU;

use mbs::InverseDynamics;

mbs::mechanism! {
    /// Slider-crank whose cylinder stands a little aside of the shaft, with the pressure of a two-stroke engine on its piston.
    pub planar Engine {
        gravity: [0, -9.81];

        param speed = 3000 * TAU / 60;                                  // rad/s
        param crank_length = 0.045;                                     // m
        param rod_length = 0.15;
        param offset = 0.006;                                           // of the cylinder from the shaft, m

        // Upright at the top, where the crank is at 0.
        body crank  { mass: 2.2, inertia: 2.4e-3, com: [0, -0.008] }    // with its counterweight
        body rod    { mass: 0.6, inertia: 2.1e-3, com: [0, 0.3 * rod_length] }
        body piston { mass: 0.5, inertia: 4e-4, position: [offset, crank_length + rod_length] }
        marker tracer = rod at [0, 0.6 * rod_length];

        joint main_bearing = revolute(ground, crank);
        joint crank_pin    = revolute(crank at [0, crank_length], rod);
        joint wrist_pin    = revolute(rod at [0, rod_length], piston);
        joint cylinder     = prismatic(ground at [offset, 0], piston) { axis: [0, 1] };
        drive shaft        = main_bearing.angle == speed * t;
        freedoms: 1;

        // The gas: polytropic, fired shortly before the top, let out from the opening of the port on.
        param bore = 0.08;                                              // m
        param compression_ratio = 8.0;
        param charge_pressure = 1.1e5;                                  // Pa
        param fired_pressure = 3.2e6;                                   // Pa, added at the top if all burnt there
        const exponent = 1.3;
        const ignition = -0.25;                                         // rad
        const combustion = 1.0;                                         // rad, how long it burns
        const port = 1.9;                                               // rad

        let area = PI * bore * bore / 4;
        let stroke = 2 * crank_length;
        let clearance = stroke / (compression_ratio - 1);
        let height = clearance + (crank_length + rod_length - cylinder.position);
        let angle = main_bearing.angle - TAU * floor(main_bearing.angle / TAU + 0.5);               // in [-π, π)
        let burnt = if angle > ignition { 1 - exp(-5 * ((angle - ignition) / combustion).powi(3)) } else { 0 };
        let kept = if angle > port { exp(-4 * (angle - port)) } else { 1 };
        let charge = charge_pressure * ((clearance + stroke) / height).powf(exponent);
        let fired = fired_pressure * burnt * kept * (clearance / height).powf(exponent);
        let pressure = charge + fired - 1e5;                            // above the atmosphere's
        force gas = mobility(cylinder) { value: -area * pressure };

        output piston_position = cylinder.position;
        output gas_force = area * pressure;
        output shaft_torque = -load(shaft);                             // what the engine gives
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let parameters = engine::Params::default();
    let engine = Engine::new(parameters)?;
    let recording = InverseDynamics::new(&engine).grid(0.0, TAU / parameters.speed, 721).run()?;

    let cycle = recording.cycle("main_bearing.angle")?.steps(24);
    let table = cycle.table(&[
        "piston_position",
        "gas_force",
        "shaft_torque",
        "reaction.main_bearing.magnitude",
        "reaction.crank_pin.magnitude",
        "reaction.wrist_pin.magnitude",
        "reaction.cylinder.x",
    ])?;

    println!("At {:.0} rev/min:", parameters.speed * 60.0 / TAU);
    println!("                       least      at      largest      at       mean");
    for (quantity, column, unit) in [
        ("main bearing", "reaction.main_bearing.magnitude", "N"),
        ("crank pin", "reaction.crank_pin.magnitude", "N"),
        ("wrist pin", "reaction.wrist_pin.magnitude", "N"),
        ("cylinder wall", "reaction.cylinder.x", "N"),
        ("shaft torque", "shaft_torque", "N m"),
    ] {
        let extremes = recording.extremes(column)?;
        let degrees = |time: f64| (parameters.speed * time).to_degrees();
        let (least, most) = (extremes.minimum, extremes.maximum);
        println!(
            "{quantity:15} {:10.1} {unit:3} {:6.1}° {:10.1} {unit:3} {:6.1}° {:10.1} {unit}",
            least.value,
            degrees(least.time),
            most.value,
            degrees(most.time),
            table.column(column)?.mean,
        );
    }
    let power = table.column("shaft_torque")?.mean * parameters.speed;
    println!("power at the shaft: {:.1} kW", power / 1000.0);

    recording.write_csv("target/slider_crank.csv")?;
    let page = recording.page().title("Engine, one cylinder").trace("tracer")?.cycle(table);
    page.polar_on_first("crank_pin", "crank")?.write("target/slider_crank.html")?;
    println!("wrote target/slider_crank.html (open it in a browser) and target/slider_crank.csv");
    #[cfg(feature = "plot")]
    {
        let journal = recording.reaction("crank_pin")?.on_first().in_axes_of("crank")?;
        recording
            .plot()
            .polar("force on the crank pin, in axes of the crank", &journal)
            .write("target/slider_crank.svg")?;
        println!("wrote target/slider_crank.svg");
    }
    Ok(())
}
