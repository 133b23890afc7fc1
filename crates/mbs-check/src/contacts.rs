//! Contact parameters from which the assembly of cams starts: those of the pair of sampled points that is closest to contact.

use mbs_expr::Series;
use mbs_model::{Cam, CamSide, CurveRange, Model};
use mbs_physics::{Mechanics, SolverCoordinate, Tree};

/// Number of samples of a curve. They lie at the middles of equal parts of its range, since ends may be singular.
const SAMPLES: usize = 96;

/// A sampled curve: parameter, point \[m\] and unit tangent of each sample.
type Sampled = Vec<(f64, [f64; 2], [f64; 2])>;

/// Overwrites the contact parameters that the text does not give, in solver coordinates whose pose is known. They become those of the first pair
/// of samples for which
///
/// ```text
/// |p₁ − p₂|² + w² (t₁ × t₂)²
/// ```
///
/// is smallest, where w is half the diagonal of the sampled part of a curve: points are close, and tangents nearly parallel. The second term
/// distinguishes the contact of overlapping curves from their intersections.
pub fn start_contact_parameters<'m>(
    model: &Model,
    tree: &Tree,
    coordinates: &mut [Series<2>],
    mechanics_at: &dyn Fn(&[Series<2>]) -> Mechanics<'m, Series<2>>,
) {
    let open = |side: &CamSide| {
        side.range.is_some()
            && model.unbound_function_in(side.point[0]).is_none()
            && model.unbound_function_in(side.point[1]).is_none()
    };
    let cams: Vec<&Cam> = model.curves.cams.iter().filter(|cam| cam.sides.iter().any(open)).collect();
    if cams.is_empty() {
        return;
    }
    let pose: Vec<f64> = coordinates.iter().map(|x| x.value()).collect();
    let size = super::mechanism_size(model, tree, &pose);
    let index = |side: &CamSide| tree.solver_index(SolverCoordinate::Algebraic(side.unknown));
    let mut sampled: Vec<[Sampled; 2]> = cams.iter().map(|_| Default::default()).collect();
    for k in 0..SAMPLES {
        let share = (k as f64 + 0.5) / SAMPLES as f64;
        for side in cams.iter().flat_map(|cam| &cam.sides).filter(|side| open(side)) {
            let [from, to] = match side.range {
                Some(CurveRange::Between(range)) => range,
                _ => [-size, size],
            };
            if let Some(i) = index(side) {
                coordinates[i] = Series::constant(from + (to - from) * share);
            }
        }
        let mechanics = mechanics_at(coordinates);
        for (cam, sampled) in cams.iter().zip(&mut sampled) {
            for (side, sampled) in cam.sides.iter().zip(sampled) {
                let Some(i) = index(side) else { continue };
                let [point, tangent] = [side.point, side.tangent].map(|v| v.map(|e| mechanics.value(e).value()));
                sampled.push((coordinates[i].value(), point, tangent));
            }
        }
    }
    for (cam, sampled) in cams.iter().zip(&sampled) {
        let found = closest(sampled);
        for (side, found) in cam.sides.iter().zip(found) {
            if let Some(i) = index(side) {
                coordinates[i] = Series::constant(found.unwrap_or(pose[i]));
            }
        }
    }
}

/// Parameters of the pair of samples with the smallest sum in [`start_contact_parameters`].
fn closest([first, second]: &[Sampled; 2]) -> [Option<f64>; 2] {
    // A curve whose contact parameter is given has one point.
    let w = match extent(first) {
        0.0 => extent(second),
        w => w,
    };
    let (mut least, mut found) = (f64::INFINITY, [None; 2]);
    for (s, p, t) in first {
        for (r, q, u) in second {
            let inclination = w * (t[0] * u[1] - t[1] * u[0]);
            let miss = (p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2) + inclination * inclination;
            if miss < least {
                (least, found) = (miss, [Some(*s), Some(*r)]);
            }
        }
    }
    found
}

/// Half the diagonal of the bounding box of the points \[m\].
fn extent(sampled: &Sampled) -> f64 {
    let span = |c: usize| {
        let (low, high) =
            sampled.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), (_, p, _)| (l.min(p[c]), h.max(p[c])));
        high - low
    };
    0.5 * span(0).hypot(span(1))
}
