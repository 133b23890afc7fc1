//! The page: one HTML file with the animation and the plots, self-contained and offline.
//!
//! `template.html`, `style.css` and the scripts are compiled in; the recording stands in the file as JSON. The file
//! depends on the recording and the options alone.

mod cycle;
mod data;
mod reactions;

use std::io::{self, Write};
use std::path::Path;

use crate::analysis::CycleTable;
use crate::{Recording, UnknownName};

const TEMPLATE: &str = include_str!("page/template.html");
const STYLE: &str = include_str!("page/style.css");
/// In the order they run; one scope.
const SCRIPTS: [&str; 9] = [
    include_str!("page/infer.js"),
    include_str!("page/model.js"),
    include_str!("page/reactions.js"),
    include_str!("page/stage.js"),
    include_str!("page/arrows.js"),
    include_str!("page/plots.js"),
    include_str!("page/polar.js"),
    include_str!("page/cycle.js"),
    include_str!("page/player.js"),
];

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
/// - Reactions, where loads are recorded: arrows of forces and arcs of moments at their points, one scale for the run; plots of
///   their parts and of the loads of drives; polar plots. They are what joints exert on the bodies of their second
///   ends; a switch shows the opposite.
/// - Plots of outputs, energies, constraint errors and everything else recorded, with one time cursor.
/// - A table of a turn, where the recording has one: of the first coordinate `….angle` that turns fully one way, its last turn
///   every 15°, with the outputs, the loads of drives and the magnitudes of reactions.
/// - A recording of more than [`Page::frames`] rows is thinned: the animation keeps evenly spaced rows, the first and the
///   last among them; plots keep the least and the largest value of each of as many intervals. CSV keeps everything.
/// - `#frame=N` or `?frame=N` in the address opens at a frame, paused; `?theme=dark` overrides the system's choice, `?values`
///   writes the values beside the arrows.
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
        let (traces, polar) = (Vec::new(), Vec::new());
        Page { recording: self, title, frames: 2000, traces, joints: None, polar, cycle: None }
    }
}

impl Page<'_> {
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

    fn add_polar(mut self, joint: &str, axes: &str, end: End) -> Result<Self, UnknownName> {
        let joint = self.joint(joint)?;
        let body = if axes == "ground" { None } else { Some(self.recording.body(axes)?) };
        let axes = body.and_then(|body| self.recording.bodies().iter().position(|known| known.name == body.name));
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
        let script = SCRIPTS.concat();
        let data = data::json(self);
        let mut html = String::with_capacity(TEMPLATE.len() + STYLE.len() + script.len() + data.len());
        // Placeholders `{{name}}`, in one pass: text that is filled in is not searched again.
        for (i, piece) in TEMPLATE.split("{{").enumerate() {
            let (name, rest) =
                if i == 0 { ("", piece) } else { piece.split_once("}}").expect("placeholders are closed") };
            match name {
                "title" => push_escaped(&mut html, &self.title),
                "style" => html.push_str(STYLE),
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
        super::create(path.as_ref())?.write_all(self.to_html().as_bytes())
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
