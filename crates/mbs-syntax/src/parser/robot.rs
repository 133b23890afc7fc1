//! `pub robot Arm = "arm.urdf" { items }`: the robot of a file as a complete mechanism.

use mbs_definition::{Definition, Expr, ExprKind, Ident, Item, Origin, Setting, Space};
use mbs_import::urdf::{Base, LinkArguments, Standalone};
use mbs_math::nearest;

use super::{Parse, Parser, Reported};

const HEADER: &str = "write `pub Arm = \"arm.urdf\";`";

/// Settings in a robot's braces that apply to the robot.
const OPTIONS: [&str; 2] = ["base", "friction_speed"];

/// Settings of all mechanisms that have arguments; other settings with arguments belong to links.
const WITH_ARGUMENTS: [&str; 2] = ["budget", "frame"];

impl Parser<'_> {
    /// Reads robots up to the end of the source, such as the contents of `urdf! { … }`.
    pub(super) fn robots(&mut self) -> Vec<Definition> {
        let mut definitions = Vec::new();
        if self.is_at_end() {
            self.report("MBS001", self.next_origin(), "there is no robot here", Some(HEADER));
        }
        self.until_end_of_source(|p| {
            let docs = p.docs();
            let visibility = p.visibility();
            p.eat("robot");
            definitions.extend(p.robot_mechanism(docs, visibility));
            p.prefixes.clear();
        });
        definitions
    }

    /// Whether a robot comes next: the word `robot`, a name and `=`. Otherwise `robot` may be a misspelt `planar`.
    pub(super) fn at_robot(&self) -> bool {
        self.is_next("robot") && self.is_word(self.position + 1) && self.symbol(self.position + 2).0 == "="
    }

    /// Reads `Arm = "arm.urdf" { items }`. A robot with mistakes declares its name, so that its uses are not reported.
    pub(super) fn robot_mechanism(&mut self, docs: String, visibility: String) -> Option<Definition> {
        self.space = Some(Space::Spatial);
        let Ok(name) = self.declared_name() else {
            self.skip_robot();
            return None;
        };
        let items = self.robot_items(&name).unwrap_or_else(|Reported| vec![Item::Reserved(name.clone())]);
        Some(Definition { docs, visibility, space: Space::Spatial, name, items })
    }

    fn robot_items(&mut self, name: &Ident) -> Parse<Vec<Item>> {
        let before = self.errors.list().len();
        if self.eat("=").is_none() {
            let reported = self.expected_with_help(&format!("`=` after `{}`", name.text), Some(HEADER));
            self.skip_robot();
            return Err(reported);
        }
        let Ok(file) = self.file_name("`=`", HEADER) else {
            self.skip_robot();
            return Err(Reported);
        };
        let mut items = if self.is_next("{") { self.group(Self::items) } else { Vec::new() };
        if self.eat(";").is_none() && !self.is_at_end() && !self.is_next("#") && !self.is_next("pub") {
            self.expected(&format!("`;` after the robot `{}`", name.text));
            self.skip_robot();
        }
        let (alone, links) = self.options(&mut items);
        // A wrong text is not read.
        if self.errors.list().len() > before {
            return Err(Reported);
        }
        let mut robot = self.robot(&file, None, &links, Some(&alone))?;
        robot.extend(items);
        Ok(robot)
    }

    /// Skips past the `;` or the braces that end a robot.
    fn skip_robot(&mut self) {
        while !self.is_at_end() {
            let last = self.is_next(";") || self.is_next("{");
            self.advance();
            if last {
                self.eat(";");
                return;
            }
        }
    }

    /// Moves the settings of the robot and the arguments of its links out of the items.
    fn options(&mut self, items: &mut Vec<Item>) -> (Standalone, Vec<LinkArguments>) {
        let (mut alone, mut links, mut seen) = (Standalone::default(), Vec::new(), Vec::new());
        let is_gravity = |item: &Item| matches!(item, Item::Setting(s) if s.name.text == "gravity");
        alone.has_gravity = items.iter().any(is_gravity);
        let mut kept = Vec::with_capacity(items.len());
        for item in items.drain(..) {
            match item {
                Item::Setting(setting) if OPTIONS.contains(&setting.name.text.as_str()) => {
                    if seen.contains(&setting.name.text) {
                        let message = format!("setting `{}` is given twice", setting.name.text);
                        self.report("MBS019", setting.name.origin, message, None);
                    }
                    seen.push(setting.name.text.clone());
                    let _: Parse<()> = self.option(setting, &mut alone);
                }
                Item::Setting(Setting { name, value: None, arguments, .. })
                    if !WITH_ARGUMENTS.contains(&name.text.as_str()) =>
                {
                    links.push(LinkArguments { link: name, arguments });
                }
                other => kept.push(other),
            }
        }
        *items = kept;
        (alone, links)
    }

    fn option(&mut self, setting: Setting, alone: &mut Standalone) -> Parse<()> {
        let (name, origin) = (setting.name.text.as_str(), setting.name.origin);
        let Some(value) = setting.value else {
            return Err(self.report("MBS018", origin, format!("setting `{name}` needs a value"), None));
        };
        if value.kind == ExprKind::Broken {
            return Err(Reported);
        }
        if setting.tunable {
            return Err(self.report("MBS027", origin, format!("setting `{name}` cannot be tuned"), None));
        }
        if name == "base" {
            alone.base = Some((self.base(&value)?, value.origin));
        } else {
            alone.friction_speed = Some(self.friction_speed(value, origin)?);
        }
        Ok(())
    }

    fn base(&mut self, value: &Expr) -> Parse<Base> {
        let written = match &value.kind {
            ExprKind::Name(word) => word.as_str(),
            _ => return Err(self.report("MBS032", value.origin, "`base` is a word", Some("one of `fixed`, `free`"))),
        };
        match written {
            "fixed" => Ok(Base::Fixed),
            "free" => Ok(Base::Free),
            other => {
                let near = match other {
                    "floating" => Some("free"),
                    _ => nearest(other, ["fixed", "free"]),
                };
                let help = near.map_or("one of `fixed`, `free`".into(), |near| format!("did you mean `{near}`?"));
                Err(self.report("MBS032", value.origin, format!("`{other}` is no base of a robot"), Some(&help)))
            }
        }
    }

    /// Checks a friction speed that is a number, which must be positive; names are left to the resolver.
    fn friction_speed(&mut self, value: Expr, origin: Origin) -> Parse<Expr> {
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        match &value.kind {
            ExprKind::Number(x) if is_positive(*x) => Ok(value),
            ExprKind::Number(_) | ExprKind::Unary(..) => {
                let help = "write a speed, such as `0.01` rad/s or m/s";
                Err(self.report("MBS031", origin, "`friction_speed` is not above zero", Some(help)))
            }
            _ => Ok(value),
        }
    }
}
