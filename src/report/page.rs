//! The page: one HTML file with the animation and the plots, self-contained and offline.
//!
//! `template.html`, `style.css` and the scripts are compiled in; the recording stands in the file as JSON. The file
//! depends on the recording and the options alone.

mod data;

use std::io::{self, Write};
use std::path::Path;

use crate::Recording;

const TEMPLATE: &str = include_str!("page/template.html");
const STYLE: &str = include_str!("page/style.css");
/// In the order they run; one scope.
const SCRIPTS: [&str; 5] = [
    include_str!("page/infer.js"),
    include_str!("page/model.js"),
    include_str!("page/stage.js"),
    include_str!("page/plots.js"),
    include_str!("page/player.js"),
];

/// An HTML page of a recording, to be written to a file.
///
/// - The mechanism in the plane, animated: bodies as rounded hulls of their markers, pins, slides, rods, springs, ground,
///   centres of mass, traces; play, pause, scrub, speed, zoom. Plots of outputs, energies, constraint errors and everything else recorded,
///   with one time cursor.
/// - A recording of more than [`Page::frames`] rows is thinned: the animation keeps evenly spaced rows, the first and the
///   last among them; plots keep the least and the largest value of each of as many intervals. CSV keeps everything.
/// - `#frame=N` or `?frame=N` in the address opens at a frame, paused; `?theme=dark` overrides the system's choice.
#[derive(Clone, Debug)]
pub struct Page<'r> {
    recording: &'r Recording,
    title: String,
    frames: usize,
}

impl Recording {
    /// A page of this recording: see [`Page`].
    pub fn page(&self) -> Page<'_> {
        let title = if self.mechanism().is_empty() { "Mechanism" } else { self.mechanism() };
        Page { recording: self, title: title.into(), frames: 2000 }
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

    /// The text of the page.
    pub fn to_html(&self) -> String {
        let script = SCRIPTS.concat();
        let data = data::json(self.recording, &self.title, self.frames);
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
