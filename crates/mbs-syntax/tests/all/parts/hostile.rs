//! Texts that are made to be expensive: each ends soon, with a message.

use super::{mistakes, mistakes_with};

/// 2^n instances.
#[test]
fn parts_that_double() {
    let mut text = "planar M { part p0() { const k = 1; } ".to_owned();
    for n in 1..60 {
        text += &format!("part p{n}() {{ part a = p{0}(); part b = p{0}(); }} ", n - 1);
    }
    let shown = mistakes(&(text + "part x = p59(); }"));
    assert!(shown.contains("[MBS039] the mechanism unrolls to more than 10000 items"), "{shown}");
    assert_eq!(shown.matches("error").count(), 1, "{shown}");
}

/// 2^n events and conditions, in instances whose number alone is within the limit.
#[test]
fn events_that_double() {
    for item in ["event e = at 1;", "report every 1;", "stop when t > 1;", "report on e;", "initial t = 1;"] {
        let mut text = format!("planar M {{ part p0() {{ {} }} ", item.repeat(100));
        for n in 1..8 {
            text += &format!("part p{n}() {{ part a = p{0}(); part b = p{0}(); }} ", n - 1);
        }
        let shown = mistakes(&(text + "part x = p7(); }"));
        assert!(shown.contains("[MBS039] the mechanism unrolls to more than 10000 items"), "{item}: {shown}");
    }
}

#[test]
fn parts_in_parts_in_parts() {
    let mut text = "planar M { part p0() { } ".to_owned();
    for n in 1..5000 {
        text += &format!("part p{n}() {{ part a = p{}(); }} ", n - 1);
    }
    let shown = mistakes(&(text + "part x = p4999(); }"));
    assert!(shown.contains("[MBS039] loops and parts nest deeper than"), "{shown}");
}

#[test]
fn loops_in_parts_in_loops() {
    let loops = |inside: &str| format!("{}{inside}{}", "for i in 0..1 { ".repeat(60), "} ".repeat(60));
    let mut text = "planar M { part p0() { } ".to_owned();
    for n in 1..50 {
        text += &format!("part p{n}() {{ {} }} ", loops(&format!("part a[i] = p{}();", n - 1)));
    }
    let shown = mistakes(&(text + "part x = p49(); }"));
    assert!(shown.contains("[MBS039]"), "{shown}");
}

/// A text in which each parameter is twice the one before.
#[test]
fn arguments_that_double() {
    let mut text = "planar M { part p0(x) { param k = x; } ".to_owned();
    for n in 1..70 {
        text += &format!("part p{n}(x) {{ part a = p{}(x + x); }} ", n - 1);
    }
    assert_eq!(mistakes(&(text + "part x = p69(1); }")), "");
}

#[test]
fn arguments_of_arguments() {
    let fields = ".a".repeat(120);
    let mut text = "planar M { part p0(x) { param k = x; } ".to_owned();
    for n in 1..150 {
        text += &format!("part p{n}(x) {{ part a = p{}(x{fields}); }} ", n - 1);
    }
    let shown = mistakes(&(text + "part x = p149(ground); }"));
    assert!(shown.contains("[MBS0"), "{shown}");
}

#[test]
fn parts_in_the_text_of_parts() {
    for depth in [100, 1000] {
        let text = format!("planar M {{ {} {} }}", "part p() { ".repeat(depth), "} ".repeat(depth));
        let shown = mistakes(&text);
        assert_eq!(shown.contains("[MBS002]"), depth > 128, "{shown}");
    }
}

/// Files of which each imports the one before under two names.
#[test]
fn files_that_double() {
    let files: Vec<(String, String)> = (0..40)
        .map(|n| {
            let import = |name: &str| format!("import \"f{}.mbs\" as {name};", n - 1);
            let text = if n == 0 { "const k = 1;".to_owned() } else { import("a") + &import("b") };
            (format!("f{n}.mbs"), text)
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let shown = mistakes_with("planar M { import \"f39.mbs\"; }", &files);
    assert!(shown.contains("[MBS070] more than 200 files are imported"), "{shown}");
}

#[test]
fn endless_parameters() {
    let names: Vec<String> = (0..100_000).map(|i| format!("x{i}")).collect();
    let shown = mistakes(&format!("planar M {{ part p({}) {{ }} part a = p(1); }}", names.join(", ")));
    assert!(shown.contains("[MBS039] part `p` has more than 256 parameters"), "{}", &shown[..500]);
}

/// Every token of a sample deleted, doubled and replaced in turn: messages, but no crash and no endless work.
#[test]
fn wrong_tokens() {
    let sample = "import \"p.mbs\" as lib; part leg(hip, side = 1) { const n = 2; part toe(of, i) { body tip { mass: i + 1, inertia: 1 }
        joint j = revolute(of at [i, 0], tip); } body thigh { mass: side, inertia: 1 } joint knee = revolute(hip, thigh);
        for i in 0..n { part toes[i] = toe(thigh, i); } } planar M { for i in 0..2 { part legs[i] = leg(ground at [i, 0]) { side: 1 + i }; }
        part q = lib.post(legs[1].toes[0].tip); output x = legs[0].toes[1].j.angle; }";
    let files = [("p.mbs", "part post(on) { body rod { mass: 1, inertia: 1 } joint pin = revolute(on, rod); }")];
    assert_eq!(mistakes_with(sample, &files), "");
    let words: Vec<&str> = sample.split(' ').collect();
    for i in 0..words.len() {
        for wrong in ["", "part", "(", "}", "leg(1)", "= legs;", "lib.post()", "legs[i]", "9"] {
            let mut edited = words.clone();
            edited[i] = wrong;
            let _ = mistakes_with(&edited.join(" "), &files);
        }
    }
}
