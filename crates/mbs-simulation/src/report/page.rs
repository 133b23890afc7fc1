//! The page: one HTML file with the animation and the plots, self-contained and offline.
//!
//! `template.html`, `style.css` and the scripts are compiled in; the file contains the recording as JSON. The file
//! depends on the recording and the options alone.

mod curves;
mod cycle;
mod data;
mod events;
mod modes;
mod orders;
mod reactions;
mod scripts;
mod solids;

use std::io::{self, Write};
use std::path::Path;

use crate::analysis::CycleTable;
#[cfg(feature = "harmonics")]
use crate::analysis::Harmonics;
use crate::{Recording, UnknownName};

pub use crate::solids::{Shape, Solid};
use crate::swing::Swing;

const TEMPLATE: &str = include_str!("page/template.html");

/// An HTML page of a recording, to be written to a file.
///
/// ```
/// # fn write(recording: &mbs::Recording) -> Result<(), Box<dyn std::error::Error>> {
/// let table = recording.cycle("main_bearing.angle")?.steps(24).table(&["stroke", "drive.motor"])?;
/// recording.page().trace("tracer")?.polar_on_first("crank_pin", "crank")?.cycle(table).write("target/engine.html")?;
/// # Ok(())
/// # }
/// ```
///
/// - Mechanisms in the plane are animated with bodies as rounded hulls of their markers, pins, slides, rods, springs, ground,
///   centres of mass, and traces of markers; controls are play, pause, scrub, speed, and zoom.
/// - Mechanisms in space ([`Recording::is_spatial`]) are shown in perspective, above a grid: drag to orbit, with shift to pan, wheel or pinch to
///   zoom, double-click for the first view. Bodies are the solids of [`Page::solid`], or those of the imported robot file
///   ([`Recording::solids`]), or rounded rods, plates and hulls of their markers.
/// - Reactions, where loads are recorded, are arrows of forces and arcs of moments at their points, with one scale for the run; there are plots of
///   their components and of the loads of drives, and polar plots. They act on the bodies of the second
///   ends of joints; a switch shows the opposite.
/// - Outputs, energies, constraint errors and all other recorded quantities are plotted with one time cursor.
/// - A table shows the last revolution, every 15°, of the first coordinate `….angle` that rotates fully in one direction, with the outputs, the
///   loads of drives and the magnitudes of reactions.
/// - [`Page::orders`] adds amplitudes of orders as bars.
/// - Events are listed with their impulses, and plots mark them at their upper edges.
/// - A recording of more than [`Page::frames`] rows is thinned: the animation has evenly spaced rows, including the first and the
///   last; plots have the least and the largest value of each of as many intervals. CSV files have all rows.
/// - `#frame=N` or `?frame=N` in the address opens at a frame, paused; `?theme=dark` overrides the system's choice, `?values`
///   writes the values next to the arrows, `?view=-60,20` is the first view in space, in degrees.
#[derive(Clone, Debug)]
pub struct Page<'r> {
    recording: &'r Recording,
    title: String,
    frames: usize,
    /// Markers whose traces are shown initially; the page's choice if empty.
    traces: Vec<usize>,
    /// Joints whose reactions are drawn initially; `None` for the page's choice.
    joints: Option<Vec<usize>>,
    polar: Vec<Polar>,
    cycle: Option<CycleTable>,
    orders: Vec<orders::Chart>,
    /// Modes that the frames show, one after the other; `None` where they are a run.
    modes: Option<Vec<Swing>>,
    /// The direction that is up in pictures of space.
    up: [f64; 3],
    /// Solids, with the indices of their bodies; `None` is ground.
    solids: Vec<(Option<usize>, Solid)>,
}

/// A polar plot: a joint, the body in whose axes it is (`None` is ground), and the end on which the force acts.
#[derive(Clone, Copy, Debug)]
struct Polar {
    joint: usize,
    axes: Option<usize>,
    end: End,
}

/// An end of a joint.
#[derive(Clone, Copy, Debug)]
enum End {
    First,
    Second,
}

impl Recording {
    /// A page of this recording: see [`Page`].
    pub fn page(&self) -> Page<'_> {
        let title = if self.mechanism().is_empty() { "Mechanism" } else { self.mechanism() }.into();
        Page {
            recording: self,
            title,
            frames: 2000,
            traces: Vec::new(),
            joints: None,
            polar: Vec::new(),
            cycle: None,
            orders: Vec::new(),
            modes: None,
            up: [0.0, 0.0, 1.0],
            solids: Vec::new(),
        }
    }
}

impl Page<'_> {
    /// Shows the frames as modes, one after the other, instead of a run.
    #[cfg(feature = "nalgebra")]
    pub(crate) fn swings(mut self, swings: Vec<Swing>) -> Self {
        self.frames = self.recording.len().max(2);
        self.modes = Some(swings);
        self
    }

    /// Sets heading and window title, instead of the mechanism's name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the largest number of frames, at least 2; 2,000 unless changed.
    #[must_use]
    pub fn frames(mut self, most: usize) -> Self {
        self.frames = most.max(2);
        self
    }

    /// Shows the trace of a marker initially, such as a coupler curve; call it for each of several. Unless called, the
    /// page shows those of declared markers. Every trace can be switched on and off.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest marker.
    pub fn trace(mut self, marker: &str) -> Result<Self, UnknownName> {
        self.recording.marker(marker)?;
        self.traces.extend(self.recording.markers().iter().position(|known| known.name == marker));
        Ok(self)
    }

    /// Draws the reactions of these joints initially, none for an empty list. Unless called, the page draws all, if they are
    /// few. Every reaction can be switched on and off.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest joint; for every name if no loads are recorded.
    pub fn reactions(mut self, joints: &[&str]) -> Result<Self, UnknownName> {
        self.joints = Some(joints.iter().map(|joint| self.joint(joint)).collect::<Result<_, _>>()?);
        Ok(self)
    }

    /// Adds a polar plot of the force of a joint on the body of its second end, in the axes of a body; `"ground"` is for
    /// world axes. Unless a polar plot is added, the page has one of the force on the pin between the first two moving bodies.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest joint or body; for every joint if no loads are recorded.
    pub fn polar(self, joint: &str, axes: &str) -> Result<Self, UnknownName> {
        self.add_polar(joint, axes, End::Second)
    }

    /// [`Page::polar`] for the force on the body of the first end, the opposite: for `crank_pin = revolute(crank, rod)` in the
    /// axes of `crank`, the load on the journal.
    ///
    /// # Errors
    /// Those of [`Page::polar`].
    pub fn polar_on_first(self, joint: &str, axes: &str) -> Result<Self, UnknownName> {
        self.add_polar(joint, axes, End::First)
    }

    /// Shows this table of a cycle instead of the default one: [`Recording::cycle`].
    #[must_use]
    pub fn cycle(mut self, table: CycleTable) -> Self {
        self.cycle = Some(table);
        self
    }

    /// Adds a chart with bars of the amplitudes of orders, without the means, of one or more named quantities
    /// ([`Cycle::harmonics`](crate::analysis::Cycle::harmonics)). It has at most 32 orders, and ends where all further amplitudes are below 0.5 %
    /// of the largest. The title should contain the unit.
    #[cfg(feature = "harmonics")]
    #[must_use]
    pub fn orders(mut self, title: impl Into<String>, quantities: &[(&str, &Harmonics)]) -> Self {
        self.orders.push(orders::Chart::new(title.into(), quantities));
        self
    }

    /// Shows a body of a spatial mechanism as this solid; call it for each of several solids, of one body or many. They replace those of
    /// [`Recording::solids`] for that body. Bodies without solids are drawn from their markers. Solids with numbers that are not finite, or
    /// with sizes that are not positive, are omitted.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest body.
    pub fn solid(mut self, solid: Solid) -> Result<Self, UnknownName> {
        let body = solids::body_index(self.recording, &solid.body)?;
        self.solids.push((body, solid));
        Ok(self)
    }

    /// [`Page::solid`] for each of several solids.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest body.
    pub fn solids(self, solids: impl IntoIterator<Item = Solid>) -> Result<Self, UnknownName> {
        solids.into_iter().try_fold(self, Page::solid)
    }

    /// Sets the vertical direction of pictures in space, in world axes; z unless called. Its length does not matter; zero and directions that are not
    /// finite are ignored.
    #[must_use]
    pub fn up(mut self, direction: [f64; 3]) -> Self {
        let length = direction.iter().fold(0.0, |length: f64, x| length.hypot(*x));
        if length.is_finite() && length > 0.0 {
            self.up = direction.map(|x| x / length);
        }
        self
    }

    fn add_polar(mut self, joint: &str, axes: &str, end: End) -> Result<Self, UnknownName> {
        let joint = self.joint(joint)?;
        let axes = solids::body_index(self.recording, axes)?;
        self.polar.push(Polar { joint, axes, end });
        Ok(self)
    }

    /// Index of a joint whose reactions are recorded.
    fn joint(&self, name: &str) -> Result<usize, UnknownName> {
        self.recording.reaction(name)?;
        let found = self.recording.joints().iter().position(|known| known.name == name);
        Ok(found.expect("a joint with a reaction is recorded"))
    }

    /// The text of the page.
    pub fn to_html(&self) -> String {
        let parts = if self.recording.is_spatial() { &scripts::SPATIAL } else { &scripts::PLANAR };
        let (style, script, data) = (parts.styles.concat(), parts.scripts.concat(), data::json(self));
        let mut html = String::with_capacity(TEMPLATE.len() + style.len() + script.len() + data.len());
        // Placeholders `{{name}}` are replaced in one pass: inserted text is not searched again.
        for (i, piece) in TEMPLATE.split("{{").enumerate() {
            let (name, rest) =
                if i == 0 { ("", piece) } else { piece.split_once("}}").expect("placeholders are closed") };
            match name {
                "title" => push_escaped(&mut html, &self.title),
                "style" => html.push_str(&style),
                "hint" => html.push_str(parts.hint),
                "script" => html.push_str(&script),
                "data" => html.push_str(&data),
                _ => {}
            }
            html.push_str(rest);
        }
        html
    }

    /// Writes the page; missing folders of the path are made.
    ///
    /// # Errors
    /// Those of creating and writing the file.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        crate::csv::create(path.as_ref())?.write_all(self.to_html().as_bytes())
    }
}

fn push_escaped(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '&' => html.push_str("&amp;"),
            '"' => html.push_str("&quot;"),
            c => html.push(c),
        }
    }
}
