//! Texts that are not XML, or not robots.

use expect_test::expect;

use crate::urdf::refused;

#[test]
fn mbs071_texts_that_are_not_xml() {
    refused(
        "",
        &expect![[r#"
        error: [MBS071] the file is empty
         --> r.urdf:1:1
          |
        1 |
          | ^
          |
          = help: a robot is written `<robot name="…"> … </robot>`"#]],
    );
    refused(
        "planar M { }",
        &expect![[r#"
        error: [MBS071] this is not XML
         --> r.urdf:1:1
          |
        1 | planar M { }
          | ^
          |
          = help: a robot is written `<robot name="…"> … </robot>`"#]],
    );
    refused(
        "<robot name=\"r\">\n <link name=\"a\">\n</robot>",
        &expect![[r#"
        error: [MBS071] `</robot>` is where `</link>` is expected
         --> r.urdf:3:1
          |
        3 | </robot>
          | ^^^^^^^
          |
          = help: close elements in the reverse order of their start, or with `/>`"#]],
    );
    refused(
        "<robot name=\"r\">\n <link name=\"a\"/>",
        &expect![[r#"
        error: [MBS071] the file ends too early
         --> r.urdf:2:18
          |
        2 |  <link name="a"/>
          |                  ^
          |
          = help: close every element"#]],
    );
    refused(
        "<robot name=\"r\" name=\"s\"/>",
        &expect![[r#"
        error: [MBS071] the attribute `name` is given twice
         --> r.urdf:1:17
          |
        1 | <robot name="r" name="s"/>
          |                 ^^^^
          |
          = help: leave one of them out"#]],
    );
    refused(
        "<robot name=\"a & b\"/>",
        &expect![[r#"
        error: [MBS071] `&` begins no entity here
         --> r.urdf:1:16
          |
        1 | <robot name="a & b"/>
          |                ^
          |
          = help: write `&amp;` for `&`, `&lt;` for `<`"#]],
    );
    refused(
        "<robot name=\"a &nbsp; b\"/>",
        &expect![[r#"
        error: [MBS071] there is no entity `nbsp`
         --> r.urdf:1:16
          |
        1 | <robot name="a &nbsp; b"/>
          |                ^^^^^
          |
          = help: write `&amp;` for `&`, `&lt;` for `<`"#]],
    );
    refused(
        "<robot name=\"é\"> <link nam=é/> </robot>",
        &expect![[r#"
        error: [MBS071] expected a quote, found `é`
         --> r.urdf:1:28
          |
        1 | <robot name="é"> <link nam=é/> </robot>
          |                            ^^
          |
          = help: attributes are written `name="value"`"#]],
    );
}

#[test]
fn mbs071_document_types_are_refused() {
    let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE robot [ <!ENTITY a \"aaaa\"> <!ENTITY b \"&a;&a;\"> ]>\n<robot name=\"&b;\"/>";
    refused(
        bomb,
        &expect![[r#"
        error: [MBS071] document types are refused, and with them entities
         --> r.urdf:2:1
          |
        2 | <!DOCTYPE robot [ <!ENTITY a "aaaa"> <!ENTITY b "&a;&a;"> ]>
          | ^^^^^^^^^
          |
          = help: leave it out, and write what its entities stand for"#]],
    );
    refused(
        "<!DOCTYPE robot SYSTEM \"file:///etc/passwd\">\n<robot name=\"r\"/>",
        &expect![[r#"
        error: [MBS071] document types are refused, and with them entities
         --> r.urdf:1:1
          |
        1 | <!DOCTYPE robot SYSTEM "file:///etc/passwd">
          | ^^^^^^^^^
          |
          = help: leave it out, and write what its entities stand for"#]],
    );
}

#[test]
fn mbs071_files_that_are_not_robots() {
    refused(
        "<sdf version=\"1.6\"> <model/> </sdf>",
        &expect![[r#"
        error: [MBS071] the file begins with `<sdf>`, not with `<robot>`
         --> r.urdf:1:1
          |
        1 | <sdf version="1.6"> <model/> </sdf>
          | ^^^^
          |
          = help: URDF is read, other formats are not"#]],
    );
    refused(
        "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<xacro:macro name=\"leg\"/> </robot>",
        &expect![[r#"
            error: [MBS071] `macro` is a macro of xacro
             --> r.urdf:2:1
              |
            2 | <xacro:macro name="leg"/> </robot>
              | ^^^^^^^^^^^^
              |
              = help: this is a xacro file; import what `xacro file.urdf.xacro > file.urdf` makes of it"#]],
    );
    refused(
        "<robot name=\"r\">\n<xacro:include filename=\"a\"/> </robot>",
        &expect![[r#"
        error: [MBS071] this is a macro of xacro
         --> r.urdf:2:2
          |
        2 | <xacro:include filename="a"/> </robot>
          |  ^^^^^^^^^^^^^
          |
          = help: this is a xacro file; import what `xacro file.urdf.xacro > file.urdf` makes of it"#]],
    );
}
