//! `spline("knee.csv")`: tables of numbers, and messages about them with lines and columns.

use expect_test::{Expect, expect};
use mbs_expr::{CalledKind, Spline};
use mbs_resolve::resolve;
use mbs_syntax::{Imported, Parsed, parse_text_with};

/// A planar mechanism whose `knee` is made of the file.
fn parsed(table: &str, options: &str) -> Parsed {
    let text = format!("planar M {{ function knee = spline(\"knee.csv\"){options}; output y = knee(1); }}");
    let mut load = |name: &str| Ok(Imported { path: format!("data/{name}"), text: table.to_owned() });
    parse_text_with("m.mbs", &text, &mut load)
}

/// A planar mechanism whose `hill` is made of the file.
fn hill(table: &str) -> Parsed {
    let mut load = |name: &str| Ok(Imported { path: format!("data/{name}"), text: table.to_owned() });
    parse_text_with("m.mbs", "planar M { function hill = bicubic(\"hill.csv\"); output z = hill(1, 2); }", &mut load)
}

fn spline(table: &str, options: &str) -> Spline {
    let parsed = parsed(table, options);
    assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
    let model = resolve(&parsed.definitions[0]).unwrap();
    model.functions[0].spline().unwrap().clone()
}

/// The first mistake.
fn check(table: &str, expected: &Expect) {
    check_parsed(parsed(table, ""), expected);
}

/// The first mistake of a table that is a grid.
fn check_grid(table: &str, expected: &Expect) {
    check_parsed(hill(table), expected);
}

fn check_parsed(parsed: Parsed, expected: &Expect) {
    let errors = match parsed.errors.is_empty() {
        true => resolve(&parsed.definitions[0]).unwrap_err(),
        false => parsed.errors.clone(),
    };
    assert_eq!(errors.list().len(), 1, "{}", parsed.sources.render(errors.list()));
    expected.assert_eq(&parsed.sources.render(errors.list()));
}

#[test]
fn a_table_is_equal_to_written_numbers() {
    let written = spline("0, 1\n0.5, 2\n2, -1.5e0", "");
    assert_eq!(written.knots, [0.0, 0.5, 2.0]);
    assert_eq!(written.pieces.iter().map(|c| c[0]).collect::<Vec<_>>(), [1.0, 2.0, -1.5]);
    for same in [
        "# a comment\nangle [rad], lift [m]\n\n0, 1 # the first\n 0.5 , 2,\n2,-1.5\n\n# the end",
        "\u{feff}0 1\r\n0.5\t2\r\n2   -1.5\r\n",
        "x;y\n0;1\n0.5;2\n2;-1.5;\n",
    ] {
        assert_eq!(spline(same, ""), written, "{same:?}");
    }
    let several = spline("x, a, b\n0, 1, 5\n1, 2, 6\n2, 0, 6\n3, 1, 5", " { ends: periodic }");
    assert!((several.values, several.several, several.period) == (2, true, 3.0));
}

#[test]
fn rows_of_three_are_points_of_a_grid() {
    let grid = |parsed: Parsed| {
        assert!(parsed.errors.is_empty(), "{}", parsed.sources.render(parsed.errors.list()));
        resolve(&parsed.definitions[0]).unwrap_or_else(|e| panic!("{}", parsed.sources.render(e.list()))).functions
    };
    let table = "x, y, z\n0, 0, 1\n0, 2, 2\n1, 0, 3\n1, 2, 4\n3, 0, 5\n3, 2, 6\n";
    let text =
        "planar M { function hill = bicubic([0, 1, 3], [0, 2], [[1, 2], [3, 4], [5, 6]]); output z = hill(1, 2); }";
    let [from_file, written] = [hill(table), mbs_syntax::parse_text("m.mbs", text)].map(grid);
    let CalledKind::Grid(spline) = &from_file[0].kind else { panic!("{:?}", from_file[0]) };
    assert_eq!(spline.knots, [vec![0.0, 1.0, 3.0], vec![0.0, 2.0]]);
    assert_eq!(spline.cells.iter().map(|cell| cell[0][0]).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(format!("{:?}", from_file[0].kind), format!("{:?}", written[0].kind));
}

#[test]
fn grids_with_holes_are_refused_where_these_are() {
    check_grid(
        "0, 0\n0, 1\n",
        &expect![[r#"
        error: [MBS072] rows of 2 numbers, a grid has 3
         --> m.mbs:1:36
          |
        1 | planar M { function hill = bicubic("hill.csv"); output z = hill(1, 2); }
          |                                    ^^^^^^^^^^
          |
          = help: a row is a point x, y, z of a grid: all y of the first x, the same y of the next, and so on"#]],
    );
    check_grid(
        "0, 0, 1\n0, 1, 1\n1, 0, 1\n1, 0.5, 1\n",
        &expect![[r#"
        error: [MBS072] y = 0.5 where y = 1 is expected
         --> data/hill.csv:4:4
          |
        4 | 1, 0.5, 1
          |    ^^^
          |
          = help: a row is a point x, y, z of a grid: all y of the first x, the same y of the next, and so on"#]],
    );
    check_grid(
        "0, 0, 1\n0, 1, 1\n1, 0, 1\n2, 0, 1\n2, 1, 1\n",
        &expect![[r#"
        error: [MBS072] x = 1 has 1 of 2 points
         --> data/hill.csv:4:1
          |
        4 | 2, 0, 1
          | ^
          |
          = help: a row is a point x, y, z of a grid: all y of the first x, the same y of the next, and so on"#]],
    );
    check_grid(
        "0, 0, 1\n0, 1, 1\n1, 0, 1\n1, 1, 1\n1, 2, 1\n",
        &expect![[r#"
        error: [MBS072] y = 2 where another x is expected
         --> data/hill.csv:5:4
          |
        5 | 1, 2, 1
          |    ^
          |
          = help: a row is a point x, y, z of a grid: all y of the first x, the same y of the next, and so on"#]],
    );
    check_grid(
        "0, 0, 1\n0, 1, 1\n1, 0, 1\n",
        &expect![[r#"
        error: [MBS072] x = 1 has 1 of 2 points
         --> data/hill.csv:3:1
          |
        3 | 1, 0, 1
          | ^
          |
          = help: a row is a point x, y, z of a grid: all y of the first x, the same y of the next, and so on"#]],
    );
    check_grid(
        "0, 1, 1\n0, 0, 1\n1, 1, 1\n1, 0, 1\n",
        &expect![[r#"
            error: [MBS043] the points of spline `hill` do not increase: 0 follows 1
             --> data/hill.csv:2:4
              |
            2 | 0, 0, 1
              |    ^
              |
              = help: sort them, each once"#]],
    );
    check_grid(
        "1, 0, 1\n1, 1, 1\n0, 0, 1\n0, 1, 1\n",
        &expect![[r#"
            error: [MBS043] the points of spline `hill` do not increase: 0 follows 1
             --> data/hill.csv:3:1
              |
            3 | 0, 0, 1
              | ^
              |
              = help: sort them, each once"#]],
    );
}

#[test]
fn mistakes_in_a_table_have_their_lines_and_columns() {
    check(
        "0, 1\n1, two\n",
        &expect![[r#"
        error: [MBS072] `two` is not a number
         --> data/knee.csv:2:4
          |
        2 | 1, two
          |    ^^^"#]],
    );
    check(
        "0, 1\n1, 2, 3\n",
        &expect![[r#"
        error: [MBS072] a row of 3 numbers, those before have 2 numbers
         --> data/knee.csv:2:1
          |
        2 | 1, 2, 3
          | ^^^^^^^
          |
          = help: a row is a number x and a value, or several values, at x"#]],
    );
    check(
        "0, 1\n1, nan\n",
        &expect![[r#"
        error: [MBS072] `nan` is not finite
         --> data/knee.csv:2:4
          |
        2 | 1, nan
          |    ^^^"#]],
    );
    check(
        "0, 1\n1,, 2\n",
        &expect![[r#"
        error: [MBS072] a number is missing
         --> data/knee.csv:2:3
          |
        2 | 1,, 2
          |   ^"#]],
    );
    check(
        "0\n1\n",
        &expect![[r#"
        error: [MBS072] a row of one number
         --> data/knee.csv:1:1
          |
        1 | 0
          | ^
          |
          = help: a row is a number x and a value, or several values, at x"#]],
    );
    check(
        "",
        &expect![[r#"
        error: [MBS072] there are no numbers in this file
         --> data/knee.csv:1:1
          |
        1 |
          | ^"#]],
    );
    check(
        "x, y\na, 2\n",
        &expect![[r#"
        error: [MBS072] `a` is not a number
         --> data/knee.csv:2:1
          |
        2 | a, 2
          | ^"#]],
    );
    check(
        "0, 1\n2, 3\n1, 4\n",
        &expect![[r#"
            error: [MBS043] the points of spline `knee` do not increase: 1 follows 2
             --> data/knee.csv:3:1
              |
            3 | 1, 4
              | ^
              |
              = help: sort them, each once"#]],
    );
    check(
        "0, 1\n",
        &expect![[r#"
        error: [MBS043] spline `knee` has 1 point, at least 2 are needed
         --> m.mbs:1:35
          |
        1 | planar M { function knee = spline("knee.csv"); output y = knee(1); }
          |                                   ^^^^^^^^^^"#]],
    );
}

#[test]
fn a_table_has_limits_and_hostile_texts_only_fail() {
    let long: String = (0..5001).map(|i| format!("{i}, 1\n")).collect();
    check(
        &long,
        &expect![[r#"
        error: [MBS039] a table of more than 10000 numbers
            --> data/knee.csv:5001:1
             |
        5001 | 5000, 1
             | ^^^^
             |
             = help: a spline needs fewer points where it bends little"#]],
    );
    let fits: String = (0..5000).map(|i| format!("{i}, 1\n")).collect();
    assert_eq!(spline(&fits, "").knots.len(), 5000);
    let mut random = 1_u64;
    let alphabet: Vec<char> = "0123456789.,;-+eE# \t\r\n\"nafiNx\u{0}\u{feff}ä😀".chars().collect();
    for round in 0..3000 {
        let mut text = String::new();
        for _ in 0..round % 60 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push(alphabet[(random >> 33) as usize % alphabet.len()]);
        }
        let parsed = parsed(&text, "");
        let _ = parsed.sources.render(parsed.errors.list());
        if parsed.errors.is_empty() {
            let _ = resolve(&parsed.definitions[0]).map_err(|e| parsed.sources.render(e.list()));
        }
    }
}

#[test]
fn files_are_for_splines_and_must_be_there() {
    let refused = |items: &str| {
        let mut load = |name: &str| Err(format!("`{name}`: no such file"));
        let parsed = parse_text_with("m.mbs", &format!("planar M {{ {items} }}"), &mut load);
        let list: Vec<String> = parsed.errors.list().iter().map(|d| d.to_string().replace("\n ", "")).collect();
        list.join("\n")
    };
    expect!["[MBS070] this file cannot be imported: `none.csv`: no such file = help: names of files are relative to the file that imports them"].assert_eq(&refused("function f = spline(\"none.csv\"); output y = f(1);"));
    expect![[r#"[MBS070] `polynomial` is not made from a file = help: write `spline("…")`, or its numbers"#]]
        .assert_eq(&refused("function f = polynomial(\"none.csv\");"));
    expect![[r#"[MBS001] more than a file in the parentheses = help: options stand in braces: `spline("knee.csv") { ends: periodic }`"#]].assert_eq(&refused("function f = spline(\"none.csv\", 3);"));
    expect!["[MBS070] this file cannot be imported: `none.csv`: no such file = help: names of files are relative to the file that imports them"].assert_eq(&refused("function road: CubicSpline<4> = spline(\"none.csv\");"));
}
