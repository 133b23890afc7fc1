//! Reports that URDF is not read without the feature `urdf`.

use mbs_definition::{Definition, Errors, Item};

use super::{MakeOrigin, RobotOptions};

/// Adds `MBS070`, and returns `None`.
pub fn import_items(
    _: &str,
    _: RobotOptions<'_>,
    make_origin: MakeOrigin<'_>,
    errors: &mut Errors,
) -> Option<Vec<Item>> {
    refuse(make_origin, errors)
}

/// Adds `MBS070`, and returns `None`.
pub fn import_mechanism(_: &str, make_origin: MakeOrigin<'_>, errors: &mut Errors) -> Option<Definition> {
    refuse(make_origin, errors)
}

fn refuse<T>(make_origin: MakeOrigin<'_>, errors: &mut Errors) -> Option<T> {
    let help = "add `\"urdf\"` to the features of `mbs` in `Cargo.toml` (of `mbs-codegen`, for a build script)";
    let message = "robots in URDF need the feature `urdf`";
    errors.push("MBS070", make_origin(0..0), message.to_owned(), Some(help.to_owned()));
    None
}

#[cfg(test)]
mod tests {
    use mbs_definition::{Errors, Origin};

    use super::{RobotOptions, import_items};

    #[test]
    fn a_robot_without_the_feature_is_a_mistake_that_names_it() {
        let mut errors = Errors::new();
        let items = import_items("<robot/>", RobotOptions::default(), &mut |_| Origin::NONE, &mut errors);
        assert!(items.is_none());
        let [mistake] = errors.list() else { panic!("one mistake: {:?}", errors.list()) };
        assert_eq!((mistake.code, &*mistake.message), ("MBS070", "robots in URDF need the feature `urdf`"));
    }
}
