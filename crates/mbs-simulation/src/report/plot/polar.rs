//! Polar panels: a force over a run as a curve around the origin, in pixels of the panel.

use std::io;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{GRID, INK, PALETTE, failed};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Room between the curve and the border of the panel, in pixels.
const MARGIN: f64 = 36.0;
/// Least distance between circles, in pixels.
const SPACING: f64 = 44.0;

/// Scale and centre of a panel of forces.
struct View {
    origin: [f64; 2],
    /// Pixels per newton.
    scale: f64,
    width: f64,
    height: f64,
}

/// Draws components of a force \[N\]; those that are not finite interrupt the curve.
pub(super) fn draw(area: &Area, title: &str, force: &[[f64; 2]]) -> io::Result<()> {
    let area = area.titled(title, ("sans-serif", 15).into_font().color(&INK)).map_err(failed)?;
    let view = View::fit(force, area.dim_in_pixel());
    let far = force.iter().filter(|f| size(f).is_finite()).max_by(|a, b| size(a).total_cmp(&size(b)));
    let labels = draw_grid(&area, &view)?;
    for piece in force.split(|f| !size(f).is_finite()) {
        let points: Vec<(i32, i32)> = piece.iter().map(|f| view.to_pixel(*f)).collect();
        area.draw(&PathElement::new(points, PALETTE[0].stroke_width(2))).map_err(failed)?;
    }
    for (text, at) in labels {
        draw_label(&area, text, at, HPos::Center)?;
    }
    if let Some(far) = far {
        let at = view.to_pixel(*far);
        area.draw(&Circle::new(at, 4, PALETTE[0].filled())).map_err(failed)?;
        // In the corner below the title, where it covers nothing.
        let degrees = far[1].atan2(far[0]).to_degrees().rem_euclid(360.0).round() % 360.0;
        draw_label(&area, format!("max {} N at {degrees}°", format_rounded(size(far))), (8, 8), HPos::Left)?;
    }
    Ok(())
}

impl View {
    /// The view in which the origin and the curve fill the panel, with one scale.
    fn fit(force: &[[f64; 2]], (width, height): (u32, u32)) -> View {
        let (width, height) = (f64::from(width), f64::from(height));
        let range = |axis: usize| {
            let finite = force.iter().filter(|f| size(f).is_finite());
            finite.fold((0.0, 0.0), |(a, b): (f64, f64), f| (a.min(f[axis]), b.max(f[axis])))
        };
        let ((x0, x1), (y0, y1)) = (range(0), range(1));
        let largest = (x1 - x0).max(y1 - y0);
        let largest = if largest > 0.0 { largest } else { 1.0 };
        // Each range is at least a fifth of the larger one, so that a force along a line is inside the plot.
        let fits = |room: f64, span: f64| (room - 2.0 * MARGIN).max(1.0) / span.max(0.2 * largest);
        let scale = fits(width, x1 - x0).min(fits(height, y1 - y0));
        let origin = [0.5 * (width - scale * (x0 + x1)), 0.5 * (height + scale * (y0 + y1))];
        View { origin, scale, width, height }
    }

    /// The pixel of a force \[N\].
    fn to_pixel(&self, [x, y]: [f64; 2]) -> (i32, i32) {
        self.pixel(self.scale * x, self.scale * y)
    }

    /// A point by its distances from the origin in pixels, up and to the right.
    fn pixel(&self, right: f64, up: f64) -> (i32, i32) {
        ((self.origin[0] + right).round() as i32, (self.origin[1] - up).round() as i32)
    }

    /// Whether a pixel is inside the panel.
    fn contains(&self, (x, y): (i32, i32)) -> bool {
        (0.0..=self.width).contains(&f64::from(x)) && (0.0..=self.height).contains(&f64::from(y))
    }

    /// Distance from the origin to the border in a direction, in pixels.
    fn border_distance(&self, [cos, sin]: [f64; 2]) -> f64 {
        let to = |c: f64, before: f64, behind: f64| match c {
            c if c > 1e-9 => before / c,
            c if c < -1e-9 => -behind / c,
            _ => f64::INFINITY,
        };
        let right = to(cos, self.width - self.origin[0], self.origin[0]);
        right.min(to(sin, self.origin[1], self.height - self.origin[1]))
    }
}

/// Draws circles of equal force and rays every 30°; returns their labels with positions.
fn draw_grid(area: &Area, view: &View) -> io::Result<Vec<(String, (i32, i32))>> {
    let mut labels = Vec::new();
    let direction = |degrees: i32| f64::from(degrees).to_radians().sin_cos();
    for degrees in (0..360).step_by(30) {
        let (sin, cos) = direction(degrees);
        let distance = view.border_distance([cos, sin]);
        let ends = vec![view.pixel(0.0, 0.0), view.pixel(distance * cos, distance * sin)];
        area.draw(&PathElement::new(ends, GRID)).map_err(failed)?;
        if distance > 60.0 {
            labels.push((format!("{degrees}°"), view.pixel((distance - 16.0) * cos, (distance - 10.0) * sin)));
        }
    }
    let step = nice_step(SPACING / view.scale);
    // Labels of circles are along the axis with the most room.
    let axes = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let axis = axes
        .into_iter()
        .max_by(|a, b| view.border_distance(*a).total_cmp(&view.border_distance(*b)))
        .expect("there are axes");
    let farthest = (0..360).map(direction).map(|(sin, cos)| view.border_distance([cos, sin])).fold(0.0, f64::max);
    for k in 1..=(farthest / (step * view.scale)) as i32 {
        let radius = f64::from(k) * step * view.scale;
        let on_circle = |part: i32| {
            let (sin, cos) = direction(2 * part);
            view.pixel(radius * cos, radius * sin)
        };
        let points: Vec<(i32, i32)> = (0..=180).map(on_circle).collect();
        for piece in points.split(|point| !view.contains(*point)).filter(|piece| piece.len() > 1) {
            area.draw(&PathElement::new(piece.to_vec(), GRID)).map_err(failed)?;
        }
        if radius < view.border_distance(axis) - 40.0 {
            let decimals = (-step.log10().floor()).max(0.0) as usize;
            labels.push((
                format!("{:.decimals$} N", f64::from(k) * step),
                view.pixel(radius * axis[0], radius * axis[1]),
            ));
        }
    }
    Ok(labels)
}

fn draw_label(area: &Area, text: String, at: (i32, i32), side: HPos) -> io::Result<()> {
    let style = ("sans-serif", 12).into_font().color(&INK).pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new(text, at, style)).map_err(failed)
}

fn size([x, y]: &[f64; 2]) -> f64 {
    x.hypot(*y)
}

/// 1, 2 or 5 times a power of ten, at least x.
fn nice_step(x: f64) -> f64 {
    let power = 10f64.powf(x.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= x * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// A number with at least three digits.
fn format_rounded(x: f64) -> String {
    let decimals = (2.0 - x.max(1e-12).log10().floor()).max(0.0) as usize;
    format!("{x:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([0.8, 1.0, 1.2, 3.0, 7.0, 440.0].map(nice_step), [1.0, 1.0, 2.0, 5.0, 10.0, 500.0]);
        assert_eq!([7543.3, 12.345, 0.01234].map(format_rounded), ["7543", "12.3", "0.0123"]);
    }

    #[test]
    fn curve_and_origin_fill_the_panel() {
        let view = View::fit(&[[100.0, 0.0], [f64::NAN, 0.0], [50.0, 20.0]], (472, 272));
        assert_eq!((view.to_pixel([0.0, 0.0]).0, view.to_pixel([100.0, 0.0]).0), (36, 436));
        assert!(view.contains(view.to_pixel([50.0, 20.0])) && (view.border_distance([1.0, 0.0]) - 436.0).abs() < 1e-9);
    }
}
