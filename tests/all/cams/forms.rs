//! Point, tangent, normal and curvature of curves of every form, on a marker that is translated and rotated.

use super::{FORMULATIONS, driven};

const AT: f64 = 0.7;

/// Point, tangent and curvature in the axes of the curve's frame.
struct Form {
    text: &'static str,
    point: [f64; 2],
    tangent: [f64; 2],
    curvature: f64,
}

fn forms() -> Vec<Form> {
    let (s, c) = AT.sin_cos();
    let unit = |[x, y]: [f64; 2]| [x / x.hypot(y), y / x.hypot(y)];
    let derivative = 0.3 - 1.6 * AT;
    vec![
        Form { text: "circle(0.4)", point: [0.4 * c, 0.4 * s], tangent: [-s, c], curvature: 2.5 },
        Form {
            text: "ellipse(0.4, 0.2)",
            point: [0.4 * c, 0.2 * s],
            tangent: unit([-0.4 * s, 0.2 * c]),
            curvature: 0.08 / ((0.4 * s).powi(2) + (0.2 * c).powi(2)).powf(1.5),
        },
        Form { text: "line([3, -4])", point: [0.6 * AT, -0.8 * AT], tangent: [0.6, -0.8], curvature: 0.0 },
        Form {
            text: "polynomial([0.1, 0.3, -0.8])",
            point: [AT, 0.1 + 0.3 * AT - 0.8 * AT * AT],
            tangent: unit([1.0, derivative]),
            curvature: -1.6 / (1.0 + derivative * derivative).powf(1.5),
        },
        Form {
            text: "involute(0.5)",
            point: [0.5 * (c + AT * s), 0.5 * (s - AT * c)],
            tangent: [c, s],
            curvature: 1.0 / (0.5 * AT),
        },
    ]
}

/// Asserts equality to 1e-14: some ten roundings of numbers about one.
#[test]
fn curves_have_the_points_tangents_and_curvatures_of_their_forms() {
    let (sine, cosine) = 0.5_f64.sin_cos();
    let rotated = |[x, y]: [f64; 2]| [cosine * x - sine * y, sine * x + cosine * y];
    for Form { text, point, tangent, curvature } in forms() {
        let text = format!(
            "pub planar Curves {{
                body plate {{ mass: 1, inertia: 1, angle: 0.2 }}
                joint pin = revolute(ground at [0.3, -0.1], plate);
                drive still = pin.angle == 0.2;
                marker place = plate at [0.1, 0.2] {{ angle: 0.3 }};
                curve c on place = {text};
                output point = c.point({AT}); output along = c.tangent({AT}); output across = c.normal({AT});
                output bend = c.curvature({AT});
            }}"
        );
        // The plate is rotated by 0.2, the marker on it by 0.3.
        let [x, y] = point;
        let (s, c) = 0.2_f64.sin_cos();
        let from = [0.3 + c * 0.1 - s * 0.2, -0.1 + s * 0.1 + c * 0.2];
        let displacement = rotated([x, y]);
        let [t, n] = [rotated(tangent), rotated([-tangent[1], tangent[0]])];
        let expected = [from[0] + displacement[0], from[1] + displacement[1], t[0], t[1], n[0], n[1], curvature];
        let names = ["point.x", "point.y", "along.x", "along.y", "across.x", "across.y", "bend"];
        for formulation in FORMULATIONS {
            let found = driven(&text, formulation, &[0.0], &names).remove(0);
            for ((name, expected), found) in names.into_iter().zip(expected).zip(found) {
                let miss = (found - expected).abs();
                assert!(
                    miss < 1e-14 * expected.abs().max(1.0),
                    "{text}, {formulation:?}, {name}: {found}, not {expected}"
                );
            }
        }
    }
}
