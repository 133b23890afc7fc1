//! Parts of other files.

use expect_test::{Expect, expect};
use mbs_resolve::resolve;
use mbs_syntax::parse_tokens_with;

use super::{Files, content, mistakes_with, model, model_with, parsed};

const POST: &str = "/// Files hold parts,
const height = 2;
function twice(x) = 2 * x;
part post(x) { body rod { mass: twice(height), inertia: 1 } joint pin = revolute(ground at [x, 0], rod); }
pub planar Example { part a = post(1); this is not read }";

fn check(items: &str, files: Files<'_>, expected: &Expect) {
    expected.assert_eq(&mistakes_with(&format!("planar M {{\n{items}\n}}"), files));
}

#[test]
fn an_import_brings_the_items_outside_mechanisms() {
    let expected = content(&model(
        "planar M { body a_rod { mass: 4, inertia: 1 }
        joint a_pin = revolute(ground at [2, 0], a_rod); output one = a_pin.angle + 6; }",
    ));
    for text in [
        "planar M { import \"posts.mbs\"; part a = post(height); output one = a.pin.angle + twice(3); }",
        "import \"posts.mbs\"; planar M { part a = post(height); output one = a.pin.angle + twice(3); }",
        "planar M { part a = lib.post(lib.height); import \"posts.mbs\" as lib; output one = a.pin.angle + lib.twice(3); }",
        "planar M { import \"posts.mbs\" as l; part h(of) { part a = of.post(l.height); } part a = l.post(l.height);
            output one = a.pin.angle + l.twice(3); }",
        // Names that are imported twice are equal.
        "import \"posts.mbs\"; planar M { import \"./posts.mbs\"; part a = post(height); output one = a.pin.angle + twice(3); }",
    ] {
        assert_eq!(content(&model_with(text, &[("posts.mbs", POST), ("./posts.mbs", POST)])), expected, "{text}");
    }
}

/// A method and a function with equal names are different.
#[test]
fn names_of_a_library_hide_no_others() {
    let m = model_with(
        "import \"posts.mbs\" as lib;
        part post(end, x) { param own = x; }
        function twice(x, y) = 10 * x * y;
        planar M { part a = lib.post(1); part b = post(a, lib.twice(twice(1, 2))); }",
        &[("posts.mbs", POST)],
    );
    assert_eq!((&*m.bodies[0].name, m.bodies.len()), ("a.rod", 1));
    assert_eq!((&*m.quantities.parameters[0].name, m.quantities.parameters[0].default[0]), ("b.own", 40.0));
}

#[test]
fn files_import_files_relative_to_themselves() {
    let files = [
        (
            "lib/walker.mbs",
            "import \"legs/leg.mbs\"; import \"../sizes.mbs\" as s; part walker() { part left = leg(s.length); }",
        ),
        (
            "lib/legs/leg.mbs",
            "import \"../../sizes.mbs\"; part leg(l) { body thigh { mass: l * length, inertia: 1 }
            joint hip = revolute(ground, thigh); }",
        ),
        ("lib/../sizes.mbs", "const length = 3;"),
        ("lib/legs/../../sizes.mbs", "const length = 3;"),
    ];
    let m = model_with("planar M { import \"lib/walker.mbs\" as lib; part w = lib.walker(); }", &files);
    assert_eq!(m.bodies[0].name, "w.left.thigh");
    let parsed = parsed("planar M { import \"lib/walker.mbs\" as lib; part w = lib.walker(); }", &files);
    let paths = ["lib/walker.mbs", "lib/legs/leg.mbs", "lib/legs/../../sizes.mbs", "lib/../sizes.mbs"];
    assert_eq!(parsed.sources.imported_paths(), paths);
}

#[test]
fn mistakes_are_shown_in_the_imported_file_and_name_the_instance() {
    let files = [(
        "posts.mbs",
        "\npart post(x) {\n    body rod { mass: x, inertia: 1 }\n    joint pin = revolute(ground, rood);\n}",
    )];
    check(
        "import \"posts.mbs\";\npart a = post(1);\npart b = post(-1);",
        &files,
        &expect![[r#"
        error: [MBS031] `mass` of body `b.rod` is -1, it must not be negative
         --> posts.mbs:3:22
          |
        3 |     body rod { mass: x, inertia: 1 }
          |                      ^
          |
          = help: `x` is given as `-1`

        error: [MBS010] unknown name `rood`, in `a`
         --> posts.mbs:4:34
          |
        4 |     joint pin = revolute(ground, rood);
          |                                  ^^^^
          |
          = help: did you mean `rod`?"#]],
    );
    check(
        "import \"posts.mbs\" as lib;\npart a = lib.pst(1);\npart b = lib.post();",
        &files,
        &expect![[r#"
        error: [MBS041] unknown part `pst`
         --> m.mbs:3:14
          |
        3 | part a = lib.pst(1);
          |              ^^^
          |
          = help: did you mean `post`?

        error: [MBS042] `b` is made without `x`
         --> m.mbs:4:10
          |
        4 | part b = lib.post();
          |          ^^^^^^^^^^
          |
          = help: it is `post(x)`"#]],
    );
}

#[test]
fn rustc_shows_the_position_in_the_file() {
    let text = "import \"posts.mbs\"; planar M { part a = post(1); }";
    let mut loader = |name: &str| {
        let text = "part post(x) { body rod { mass: 1, inertia: 1 }\njoint pin = revolute(ground, x); }".to_owned();
        Ok(mbs_syntax::Imported { path: name.to_owned(), text })
    };
    let parsed = parse_tokens_with(text.parse().unwrap(), &mut loader);
    let errors = resolve(&parsed.definitions[0]).expect_err("a number is no body");
    let shown = mbs_syntax::to_compile_error(errors.list(), &parsed.sources).to_string();
    assert!(shown.contains("posts.mbs:2:30"), "{shown}");
    assert!(shown.contains("in `a`") && shown.contains("`x` is given as `1`"), "{shown}");
}

#[test]
fn syntax_errors_are_shown_in_the_imported_file() {
    check(
        "import \"p.mbs\";\npart a = post(1);",
        &[("p.mbs", "part post(x) {\n  body rod { mass = 1 }\n}")],
        &expect![[r#"
        error: [MBS001] expected `:` after `mass`, found `=`
         --> p.mbs:2:19
          |
        2 |   body rod { mass = 1 }
          |                   ^"#]],
    );
    check(
        "import \"p.mbs\";",
        &[("p.mbs", "part post(x) { \n  let y = 2 × 3;\n}")],
        &expect![[r#"
        error: [MBS000] the character `×` is not part of the language
         --> p.mbs:2:13
          |
        2 |   let y = 2 × 3;
          |             ^
          |
          = help: write `*`"#]],
    );
    check(
        "import \"p.mbs\";",
        &[("p.mbs", "part post(x) {\n body rod { mass: 1 }\n")],
        &expect![[r#"
        error: [MBS000] `{` is never closed
         --> p.mbs:1:14
          |
        1 | part post(x) {
          |              ^"#]],
    );
    check(
        "import \"p.mbs\";",
        &[("p.mbs", "body rod { mass: 1 }\npart post(x) { }")],
        &expect![[r#"
        error: [MBS001] expected `part`, `const`, `function`, `import` or a mechanism
         --> p.mbs:1:1
          |
        1 | body rod { mass: 1 }
          | ^^^^"#]],
    );
}

#[test]
fn mbs075_files_that_import_each_other() {
    let files = [("a.mbs", "import \"b.mbs\";"), ("b.mbs", "import \"a.mbs\" as a;"), ("c.mbs", "import \"c.mbs\";")];
    check(
        "import \"a.mbs\";",
        &files,
        &expect![[r#"
        error: [MBS075] `a.mbs` imports itself through `b.mbs`
         --> b.mbs:1:8
          |
        1 | import "a.mbs" as a;
          |        ^^^^^^^
          |
          = help: break the circle"#]],
    );
    check(
        "import \"c.mbs\";",
        &files,
        &expect![[r#"
        error: [MBS075] `c.mbs` imports itself
         --> c.mbs:1:8
          |
        1 | import "c.mbs";
          |        ^^^^^^^
          |
          = help: break the circle"#]],
    );
}

#[test]
fn names_of_a_missing_file_are_not_reported() {
    check(
        "import \"absent.mbs\";\npart a = post(1);\noutput x = a.pin.angle;",
        &[],
        &expect![[r#"
        error: [MBS070] this file cannot be imported: no such file
         --> m.mbs:2:8
          |
        2 | import "absent.mbs";
          |        ^^^^^^^^^^^^
          |
          = help: names of files are relative to the file that imports them"#]],
    );
    check(
        "for i in 0..2 { import \"p.mbs\"; }",
        &[("p.mbs", "")],
        &expect![[r#"
        error: [MBS027] `import` inside `for`
         --> m.mbs:2:17
          |
        2 | for i in 0..2 { import "p.mbs"; }
          |                 ^^^^^^
          |
          = help: write it outside the loop"#]],
    );
}

#[test]
fn names_of_files_that_clash() {
    check(
        "import \"posts.mbs\";\nimport \"posts.mbs\" as lib;\nparam height = 1;\npart post() { }\nbody lib { mass: 1 }\npart twice() { }",
        &[("posts.mbs", POST)],
        &expect![[r#"
            error: [MBS011] `height` is declared twice
             --> m.mbs:4:7
              |
            4 | param height = 1;
              |       ^^^^^^
              |
             ::: posts.mbs:2:7
              |
            2 | const height = 2;
              |       ------ first declared here
              |
              = help: `height` is in an imported file, too: give the import a name with `as`

            error: [MBS011] `post` is declared twice
             --> m.mbs:5:6
              |
            5 | part post() { }
              |      ^^^^
              |
             ::: posts.mbs:4:6
              |
            4 | part post(x) { body rod { mass: twice(height), inertia: 1 } joint pin = revolute(ground at [x, 0], rod); }
              |      ---- first declared here
              |
              = help: `post` is a part of an imported file: give the import a name with `as`

            error: [MBS011] `lib` is declared twice
             --> m.mbs:6:6
              |
            3 | import "posts.mbs" as lib;
              |                       --- first declared here
            ...
            6 | body lib { mass: 1 }
              |      ^^^
              |
              = help: `lib` is the prefix of an import

            error: [MBS011] `twice` is declared twice
             --> m.mbs:7:6
              |
            7 | part twice() { }
              |      ^^^^^
              |
             ::: posts.mbs:3:10
              |
            3 | function twice(x) = 2 * x;
              |          ----- first declared here
              |
              = help: `twice` is in an imported file, too: give the import a name with `as`"#]],
    );
}
