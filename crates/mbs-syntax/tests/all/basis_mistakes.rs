//! Messages about basic points and vectors that bodies declare.

use crate::mistakes::{check, check_messages, check_spatial_messages};
use expect_test::expect;

#[test]
fn mbs050_basic_points_and_vectors_place_a_body() {
    check(
        "body b { coordinates: natural { points: [[0, 0], [1, 0]], vectors: [[1, 0], [0, 1]] } }",
        &expect![[r#"
            error: [MBS050] the pose of `b` is not determined by 2 points + 2 vectors
             --> m.mbs:1:34
              |
            1 | planar M { body b { coordinates: natural { points: [[0, 0], [1, 0]], vectors: [[1, 0], [0, 1]] } }
              |                                  ^^^^^^^
              |
              = help: 1 point + 1 vector, or 2 points, or 1 point + 2 vectors, or 2 points + 1 vector, or 3 points; without braces they are chosen"#]],
    );
    check_messages(
        &[
            "body b { coordinates: natural { } }",
            "body b { coordinates: natural { points: [] } }",
            "body b { coordinates: natural { points: [[0, 0]] } }",
            "body b { coordinates: natural { vectors: [[1, 0]] } }",
            "body b { coordinates: natural { points: [[0, 0], rod at [1, 0]] } }",
            "body b { coordinates: natural { points: [[0, 0], ground] } }",
            "body b { coordinates: natural { points: [[0.1, 0.2], [0.1, 0.2]] } }",
            "param l = 0.1; body b { coordinates: natural { points: [[0, 0], [l, 0], [2 * l, 0]] } }",
            "body b { coordinates: natural { points: [[0, 0]], vectors: [[1, 2], [-2, -4]] } }",
            "body b { coordinates: natural { points: [[0, 0], [1, 1]], vectors: [[2, 2]] } }",
            "particle q { coordinates: natural { points: [[0, 0], [1, 0]] } }",
            "particle q { coordinates: natural { points: [[0, 0]], vectors: [[1, 0]] } }",
        ],
        &expect![[r#"
            body b { coordinates: natural { } }
              MBS050 `natural` of `b` states no point = help: 1 point + 1 vector, or 2 points, or 1 point + 2 vectors, or 2 points + 1 vector, or 3 points; without braces they are chosen
            body b { coordinates: natural { points: [] } }
              MBS050 `natural` of `b` states no point = help: 1 point + 1 vector, or 2 points, or 1 point + 2 vectors, or 2 points + 1 vector, or 3 points; without braces they are chosen
            body b { coordinates: natural { points: [[0, 0]] } }
              MBS050 the pose of `b` is not determined by 1 point = help: 1 point + 1 vector, or 2 points, or 1 point + 2 vectors, or 2 points + 1 vector, or 3 points; without braces they are chosen
            body b { coordinates: natural { vectors: [[1, 0]] } }
              MBS050 the pose of `b` is not determined by 1 vector = help: 1 point + 1 vector, or 2 points, or 1 point + 2 vectors, or 2 points + 1 vector, or 3 points; without braces they are chosen
            body b { coordinates: natural { points: [[0, 0], rod at [1, 0]] } }
              MBS050 this point is on `rod`, not on `b` = help: basic points of a body are fixed in it
            body b { coordinates: natural { points: [[0, 0], ground] } }
              MBS050 this point is on ground, not on `b` = help: basic points of a body are fixed in it
            body b { coordinates: natural { points: [[0.1, 0.2], [0.1, 0.2]] } }
              MBS050 two basic points of `b` coincide = help: basic points are apart, at the default parameters
            param l = 0.1; body b { coordinates: natural { points: [[0, 0], [l, 0], [2 * l, 0]] } }
              MBS050 this direction of the basis of `b` is made of those before it = help: the directions of a basis are not parallel
            body b { coordinates: natural { points: [[0, 0]], vectors: [[1, 2], [-2, -4]] } }
              MBS050 this direction of the basis of `b` is made of those before it = help: the directions of a basis are not parallel
            body b { coordinates: natural { points: [[0, 0], [1, 1]], vectors: [[2, 2]] } }
              MBS050 this direction of the basis of `b` is made of those before it = help: the directions of a basis are not parallel
            particle q { coordinates: natural { points: [[0, 0], [1, 0]] } }
              MBS050 the pose of `q` is not determined by 2 points = help: 1 point; without braces they are chosen
            particle q { coordinates: natural { points: [[0, 0]], vectors: [[1, 0]] } }
              MBS050 the pose of `q` is not determined by 1 point + 1 vector = help: 1 point; without braces they are chosen"#]],
    );
}

#[test]
fn basic_points_and_vectors_are_written_as_points_and_directions() {
    check_messages(
        &[
            "body b { coordinates: natural { points: [[0, 0]], vectors: [[0, 0]] } }",
            "body b { coordinates: natural { points: [[0, 0], [t, 1]] } }",
            "body b { coordinates: natural { points: [[0, 0]], vectors: [[u, 1]] } }",
            "body b { coordinates: natural { points: [[0, 0], [1, 0, 0]] } }",
            "body b { coordinates: natural { points: [0, 1] } }",
            "body b { coordinates: natural { points: [[0, 0], [1, 0] in rod] } }",
            "body b { coordinates: natural { points: [[0, 0]], vectors: [[1, 0] in rod] } }",
            "body b { coordinates: natural { points: rod } }",
            "body b { coordinates: natural { points: [[1 / 0, 0], [1, 0]] } }",
            "body b { coordinates: natural { point: [[0, 0]] } }",
            "body b { coordinates: natural { points: [[0, 0]], points: [[0, 0]] } }",
            "body b { coordinates: body { points: [[0, 0]] } }",
            "body b { mass: m { points: 1 } }",
            "body b { coordinates: natural { points: [[0, 0], nowhere] } }",
            "coordinates: natural { points: [[0, 0]] };",
        ],
        &expect![[r#"
            body b { coordinates: natural { points: [[0, 0]], vectors: [[0, 0]] } }
              MBS023 the axis has length zero = help: write `[1, 0]`
            body b { coordinates: natural { points: [[0, 0], [t, 1]] } }
              MBS024 a location on a body is made of constants and parameters
            body b { coordinates: natural { points: [[0, 0]], vectors: [[u, 1]] } }
              MBS024 a location on a body is made of constants and parameters
            body b { coordinates: natural { points: [[0, 0], [1, 0, 0]] } }
              MBS021 a basic point is a location on the body, not a vector of 3 = help: write `points: [[x, y], …]`
            body b { coordinates: natural { points: [0, 1] } }
              MBS020 a basic point is a location on the body, not a number = help: write `points: [[x, y], …]`
              MBS020 a basic point is a location on the body, not a number = help: write `points: [[x, y], …]`
            body b { coordinates: natural { points: [[0, 0], [1, 0] in rod] } }
              MBS022 the location is in the axes of `b`, not of `rod` = help: leave out `in`
            body b { coordinates: natural { points: [[0, 0]], vectors: [[1, 0] in rod] } }
              MBS022 a basic vector is in the axes of `b`, not of `rod` = help: leave out `in`
            body b { coordinates: natural { points: rod } }
              MBS020 `points` of `natural` is a list = help: write `points: [[x, y], …]`
            body b { coordinates: natural { points: [[1 / 0, 0], [1, 0]] } }
              MBS030 division by zero
            body b { coordinates: natural { point: [[0, 0]] } }
              MBS017 `natural` has no argument `point` = help: did you mean `points`?
            body b { coordinates: natural { points: [[0, 0]], points: [[0, 0]] } }
              MBS050 the pose of `b` is not determined by 1 point = help: 1 point + 1 vector, or 2 points, or 1 point + 2 vectors, or 2 points + 1 vector, or 3 points; without braces they are chosen
              MBS019 argument `points` is given twice
            body b { coordinates: body { points: [[0, 0]] } }
              MBS017 these coordinates have no arguments = help: basic points and vectors are those of `natural`
            body b { mass: m { points: 1 } }
              MBS017 argument `mass` of body `b` has no arguments of its own = help: leave the braces out
              MBS010 unknown name `m`
            body b { coordinates: natural { points: [[0, 0], nowhere] } }
              MBS010 unknown name `nowhere`
            coordinates: natural { points: [[0, 0]] };
              MBS017 setting `coordinates` has no argument `points` = help: it takes none"#]],
    );
}

/// Markers of the body, its centre of mass, and vectors in a marker's axes.
#[test]
fn basic_points_may_be_markers() {
    check_messages(
        &[
            "marker m = b at [1, 2] { angle: 0.5 }; body b { mass: 1, com: [0.5, 0], coordinates: natural { points: [m, b at com, b] } } joint f = free(ground, b);",
            "marker m = b at [1, 2] { angle: 0.5 }; body b { mass: 1, coordinates: natural { points: [m], vectors: [[1, 0] in m, [0, 2] in b] } } joint f = free(ground, b);",
            "part leg(l) { body b { mass: 1, coordinates: natural { points: [[0, 0], [l, 0]] } } joint f = free(ground, b); } part left = leg(2); part right = leg(0);",
            "for i in 0..2 { body b[i] { mass: 1, coordinates: natural { points: [[0, 0], [i + 1, 0]] } } joint f[i] = free(ground, b[i]); }",
        ],
        &expect![[r#"
            marker m = b at [1, 2] { angle: 0.5 }; body b { mass: 1, com: [0.5, 0], coordinates: natural { points: [m, b at com, b] } } joint f = free(ground, b);
            marker m = b at [1, 2] { angle: 0.5 }; body b { mass: 1, coordinates: natural { points: [m], vectors: [[1, 0] in m, [0, 2] in b] } } joint f = free(ground, b);
            part leg(l) { body b { mass: 1, coordinates: natural { points: [[0, 0], [l, 0]] } } joint f = free(ground, b); } part left = leg(2); part right = leg(0);
              MBS050 two basic points of `right.b` coincide = help: basic points are apart, at the default parameters
            for i in 0..2 { body b[i] { mass: 1, coordinates: natural { points: [[0, 0], [i + 1, 0]] } } joint f[i] = free(ground, b[i]); }"#]],
    );
}

#[test]
fn bases_of_space_are_checked_too() {
    check_spatial_messages(
        &[
            "body b { coordinates: natural { points: [[0, 0, 0]], vectors: [[1, 0, 0], [0, 1, 0]] } }",
            "body b { coordinates: natural { points: [[0, 0, 0]], vectors: [[1, 0, 0], [0, 1, 0], [1, 1, 0]] } }",
            "body b { coordinates: natural { points: [[0, 0, 0], [0, 0]] } }",
        ],
        &expect![[r#"
            body b { coordinates: natural { points: [[0, 0, 0]], vectors: [[1, 0, 0], [0, 1, 0]] } }
              MBS050 the pose of `b` is not determined by 1 point + 2 vectors = help: 1 point + 1 vector, or 2 points, or 1 point + 3 vectors, or 2 points + 2 vectors, or 3 points + 1 vector, or 4 points; without braces they are chosen
            body b { coordinates: natural { points: [[0, 0, 0]], vectors: [[1, 0, 0], [0, 1, 0], [1, 1, 0]] } }
              MBS050 this direction of the basis of `b` is made of those before it = help: the directions of a basis do not lie in a plane
            body b { coordinates: natural { points: [[0, 0, 0], [0, 0]] } }
              MBS021 a basic point is a location on the body, not a vector of 2 = help: write `points: [[x, y, z], …]`"#]],
    );
}
