//! SVG plots through `plotters`.

mod polar;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::ReactionColumns;
use crate::{Quantity, Recording, Table};

/// Colours of lines in order, the same as on pages.
const PALETTE: [RGBColor; 8] = [
    RGBColor(66, 105, 208),
    RGBColor(224, 147, 26),
    RGBColor(229, 83, 61),
    RGBColor(39, 165, 140),
    RGBColor(154, 87, 224),
    RGBColor(60, 154, 75),
    RGBColor(224, 106, 159),
    RGBColor(138, 100, 69),
];
const INK: RGBColor = RGBColor(27, 31, 36);
const GRID: RGBColor = RGBColor(226, 230, 235);
/// Width of the legend in pixels.
const LEGEND: u32 = 150;

/// Plots of a recording as one SVG file, one panel below the other: columns over time, and polar plots of forces.
///
/// ```
/// # fn draw(recording: &mbs::Recording) -> std::io::Result<()> {
/// recording.plot().outputs().energies().write("target/four_bar.svg")
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Plot<'r> {
    recording: &'r Recording,
    panels: Vec<Panel>,
    size: (u32, u32),
}

#[derive(Clone, Debug)]
enum Panel {
    Time { title: String, lines: Vec<(String, Vec<f64>)> },
    Polar { title: String, force: Vec<[f64; 2]> },
}

impl Recording {
    /// An empty plot of this recording: see [`Plot`].
    pub fn plot(&self) -> Plot<'_> {
        Plot { recording: self, panels: Vec::new(), size: (820, 260) }
    }
}

impl Plot<'_> {
    /// Adds a panel with all outputs.
    #[must_use]
    pub fn outputs(self) -> Self {
        self.table(Quantity::Outputs)
    }

    /// Adds a panel with kinetic, potential and total energy \[J\].
    #[must_use]
    pub fn energies(mut self) -> Self {
        let table = self.recording.table(Quantity::Energies);
        let mut lines = lines(table);
        lines.push(("total".to_owned(), self.recording.total_energy()));
        self.panels.push(Panel::Time { title: title(table), lines });
        self
    }

    /// Adds a panel with the decimal logarithms of the constraint errors; exact zeros are drawn at 1e-18.
    #[must_use]
    pub fn errors(mut self) -> Self {
        let log = |(name, values): (&str, &[f64])| (name.into(), values.iter().map(|x| x.max(1e-18).log10()).collect());
        let lines = self.recording.table(Quantity::Errors).iter().map(log).collect();
        self.panels.push(Panel::Time { title: "log₁₀ of constraint errors".into(), lines });
        self
    }

    /// Adds a panel with all columns of a quantity.
    #[must_use]
    pub fn table(mut self, quantity: Quantity) -> Self {
        let table = self.recording.table(quantity);
        self.panels.push(Panel::Time { title: title(table), lines: lines(table) });
        self
    }

    /// Adds a polar panel of the force of a reaction, in the axes of its components: the load of a bearing over the run, with
    /// its largest value. It is as high as two panels, or as the width if that is less.
    #[must_use]
    pub fn polar(mut self, title: impl Into<String>, reaction: &ReactionColumns) -> Self {
        let force = reaction.x.iter().zip(&reaction.y).map(|(x, y)| [*x, *y]).collect();
        self.panels.push(Panel::Polar { title: title.into(), force });
        self
    }

    /// Sets width and height of one panel over time in pixels; 820 by 260 unless changed.
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width, height);
        self
    }

    /// The text of the SVG file. Fonts are left to the viewer (`sans-serif`).
    ///
    /// # Errors
    /// Errors of `plotters`, such as a size too small for its axes, as [`io::Error`].
    pub fn to_svg(&self) -> io::Result<String> {
        let mut svg = String::new();
        {
            let heights: Vec<u32> = self.panels.iter().map(|panel| self.height(panel)).collect();
            let height = heights.iter().sum::<u32>().max(self.size.1);
            let root = SVGBackend::with_string(&mut svg, (self.size.0, height)).into_drawing_area();
            root.fill(&WHITE).map_err(failed)?;
            let mut rest = root.clone();
            for (panel, height) in self.panels.iter().zip(heights) {
                let (area, below) = rest.split_vertically(height);
                match panel {
                    Panel::Time { title, lines } => self.draw(&area, title, lines)?,
                    Panel::Polar { title, force } => polar::draw(&area, title, force)?,
                }
                rest = below;
            }
            root.present().map_err(failed)?;
        }
        Ok(svg)
    }

    /// Writes the SVG file; missing folders of the path are made.
    ///
    /// # Errors
    /// Those of [`Plot::to_svg`] and of writing.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        crate::csv::create(path.as_ref())?.write_all(self.to_svg()?.as_bytes())
    }

    fn height(&self, panel: &Panel) -> u32 {
        match panel {
            Panel::Time { .. } => self.size.1,
            Panel::Polar { .. } => self.size.0.min(2 * self.size.1),
        }
    }

    fn draw(&self, area: &DrawingArea<SVGBackend, Shift>, title: &str, lines: &[(String, Vec<f64>)]) -> io::Result<()> {
        let times = self.recording.times();
        let (t0, t1) = range(times.iter().copied());
        let (least, most) = range(lines.iter().flat_map(|(_, values)| values.iter().copied()));
        let text = ("sans-serif", 13).into_font().color(&INK);
        let legend = self.size.0.saturating_sub(LEGEND) as i32;
        let mut chart = ChartBuilder::on(area)
            .caption(title, ("sans-serif", 15).into_font().color(&INK))
            .margin(8)
            .margin_right(LEGEND + 12)
            .x_label_area_size(32)
            .y_label_area_size(64)
            .build_cartesian_2d(t0..t1, least..most)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK.mix(0.5))
            .label_style(text.clone())
            .x_labels(8)
            .y_labels(5)
            .x_desc("t [s]")
            .draw()
            .map_err(failed)?;
        for (i, (name, values)) in lines.iter().enumerate() {
            let style = PALETTE[i % PALETTE.len()].stroke_width(2);
            // A value that is not finite interrupts the line.
            let points: Vec<(f64, f64)> = times.iter().copied().zip(values.iter().copied()).collect();
            for piece in points.split(|(_, y)| !y.is_finite()) {
                chart.draw_series(LineSeries::new(piece.iter().copied(), style)).map_err(failed)?;
            }
            // The legend is next to the panel, where it covers nothing.
            let y = 38 + 18 * i as i32;
            area.draw(&PathElement::new([(legend, y), (legend + 16, y)], style)).map_err(failed)?;
            area.draw(&Text::new(name.as_str(), (legend + 22, y - 5), text.clone())).map_err(failed)?;
        }
        Ok(())
    }
}

/// Columns of a table with their names.
fn lines(table: &Table) -> Vec<(String, Vec<f64>)> {
    table.iter().map(|(name, values)| (name.into(), values.to_vec())).collect()
}

fn title(table: &Table) -> String {
    match table.quantity() {
        Quantity::Energies => "energy [J]".into(),
        quantity => format!("{}s", quantity.noun()),
    }
}

/// Range of the finite values, with a margin.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|x| x.is_finite());
    let (least, most) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    if least > most {
        return (0.0, 1.0);
    }
    let room = if most - least > 1e-12 * most.abs() { 0.04 * (most - least) } else { 1e-3 + 1e-3 * most.abs() };
    (least - room, most + room)
}

fn failed(error: impl fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
