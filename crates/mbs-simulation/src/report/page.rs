//! The page: one HTML file with the animation and the plots, self-contained and offline.
//!
//! `template.html`, `style.css` and the scripts are compiled in; the recording stands in the file as JSON. The file
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
/// - The mechanism in the plane, animated: bodies as rounded hulls of their markers, pins, slides, rods, springs, ground,
///   centres of mass, traces of markers; play, pause, scrub, speed, zoom.
/// - A mechanism in space ([`Recording::is_spatial`]) in perspective, above a grid: drag to orbit, with shift to pan, wheel or pinch to
///   zoom, double-click for the first view. Bodies are what [`Page::solid`] gives them, or the solids of the robot's file they come from
///   ([`Recording::solids`]), or rounded rods, plates and hulls of their markers.
/// - Reactions, where loads are recorded: arrows of forces and arcs of moments at their points, one scale for the run; plots of
///   their parts and of the loads of drives; polar plots. They are what joints exert on the bodies of their second
///   ends; a switch shows the opposite.
/// - Plots of outputs, energies, constraint errors and everything else recorded, with one time cursor.
/// - A table of a turn, where the recording has one: of the first coordinate `….angle` that turns fully one way, its last turn
///   every 15°, with the outputs, the loads of drives and the magnitudes of reactions.
/// - Amplitudes of orders as bars, of what is asked for: [`Page::orders`].
/// - A list of what happened, if anything did: events with their impulses, which plots mark at their upper edges.
/// - A recording of more than [`Page::frames`] rows is thinned: the animation keeps evenly spaced rows, the first and the
///   last among them; plots keep the least and the largest value of each of as many intervals. CSV keeps everything.
/// - `#frame=N` or `?frame=N` in the address opens at a frame, paused; `?theme=dark` overrides the system's choice, `?values`
///   writes the values beside the arrows, `?view=-60,20` is the first view in space, in degrees.
#[derive(Clone, Debug)]
pub struct Page<'r> {
    recording: &'r Recording,
    title: String,
    frames: usize,
    /// Markers whose traces are shown at first; the page's choice if there are none.
    traces: Vec<usize>,
    /// Joints whose reactions are drawn at first; the page's choice unless named.
    joints: Option<Vec<usize>>,
    polar: Vec<Polar>,
    cycle: Option<CycleTable>,
    orders: Vec<orders::Chart>,
    /// Modes that the frames show, one after the other; `None` where they are a run.
    modes: Option<Vec<Swing>>,
    /// The direction that is up in pictures of space.
    up: [f64; 3],
    /// With the bodies that carry them; `None` is ground.
    solids: Vec<(Option<usize>, Solid)>,
}

/// A polar plot: a joint, the body whose axes it is in (`None` is ground), and whom it acts on.
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

    /// Heading and window title, instead of the mechanism's name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Most frames the page keeps, at least 2; 2,000 unless changed.
    #[must_use]
    pub fn frames(mut self, most: usize) -> Self {
        self.frames = most.max(2);
        self
    }

    /// Shows the trace of a marker at first, such as a coupler curve; of several if called several times. Unless called, the
    /// page shows those of declared markers. Every trace can be switched on and off.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest marker.
    pub fn trace(mut self, marker: &str) -> Result<Self, UnknownName> {
        self.recording.marker(marker)?;
        self.traces.extend(self.recording.markers().iter().position(|known| known.name == marker));
        Ok(self)
    }

    /// Draws the reactions of these joints at first, of none if there are none. Unless called, the page draws all, if they are
    /// few. Every one can be switched on and off.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest joint; for every name if no loads are recorded.
    pub fn reactions(mut self, joints: &[&str]) -> Result<Self, UnknownName> {
        self.joints = Some(joints.iter().map(|joint| self.joint(joint)).collect::<Result<_, _>>()?);
        Ok(self)
    }

    /// Adds a polar plot of the force that a joint exerts on the body of its second end, in the axes of a body; `"ground"` has
    /// those of the world. Unless a polar plot is added, the page has one of the force on the pin between the first two moving bodies.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest joint or body; for every joint if no loads are recorded.
    pub fn polar(self, joint: &str, axes: &str) -> Result<Self, UnknownName> {
        self.add_polar(joint, axes, End::Second)
    }

    /// [`Page::polar`] of the force on the body of the first end, the opposite: of `crank_pin = revolute(crank, rod)` in the
    /// axes of `crank`, the load that goes round the journal.
    ///
    /// # Errors
    /// Those of [`Page::polar`].
    pub fn polar_on_first(self, joint: &str, axes: &str) -> Result<Self, UnknownName> {
        self.add_polar(joint, axes, End::First)
    }

    /// Shows this table of a turn instead of the page's own: [`Recording::cycle`].
    #[must_use]
    pub fn cycle(mut self, table: CycleTable) -> Self {
        self.cycle = Some(table);
        self
    }

    /// Adds bars of the amplitudes of orders, without the means, of one or more named quantities; a chart for each call. Orders
    /// stop where all amplitudes are below 0.5 % of the largest, at 32 of them at the latest. The title should have the unit:
    /// [`Cycle::harmonics`](crate::analysis::Cycle::harmonics).
    #[cfg(feature = "harmonics")]
    #[must_use]
    pub fn orders(mut self, title: impl Into<String>, quantities: &[(&str, &Harmonics)]) -> Self {
        self.orders.push(orders::Chart::new(title.into(), quantities));
        self
    }

    /// Shows a body of a spatial mechanism as this solid; as several if called several times, for one body or many. They replace those of
    /// [`Recording::solids`] for that body. Bodies without solids are drawn from their markers. Solids whose numbers are not finite, or
    /// whose sizes are not above zero, are left out.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest body.
    pub fn solid(mut self, solid: Solid) -> Result<Self, UnknownName> {
        let body = solids::carrier(self.recording, &solid.body)?;
        self.solids.push((body, solid));
        Ok(self)
    }

    /// [`Page::solid`] of each of them.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest body.
    pub fn solids(self, solids: impl IntoIterator<Item = Solid>) -> Result<Self, UnknownName> {
        solids.into_iter().try_fold(self, Page::solid)
    }

    /// The direction that is up in pictures of space, world axes; z unless called. Its length does not matter; a direction without
    /// any is not taken.
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
        let axes = solids::carrier(self.recording, axes)?;
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
        // Placeholders `{{name}}`, in one pass: text that is filled in is not searched again.
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
