//! `joint kind SlideTurn(a, b) { coordinate turn: angle; pose { … } }`.

use mbs_definition::{Expr, Ident, JointKindDeclaration, KindCoordinate, KindPose, KindRow, KindSpeed};

use super::{Parse, Parser, Reported, broken_expression};

const FORM: &str = "write `joint kind Hinge(a, b) { … }` for a kind, `joint pin = Hinge(…);` for a joint";

impl Parser<'_> {
    /// Reads a kind of joint after the words `joint kind`; reads its items even if the parameters are broken.
    pub(super) fn joint_kind(&mut self, docs: String) -> JointKindDeclaration {
        let token = self.token(self.position);
        let name = Ident { text: token.text.clone(), origin: token.origin };
        let mut kind = JointKindDeclaration {
            docs,
            name,
            parameters: Vec::new(),
            coordinates: Vec::new(),
            speeds: Vec::new(),
            kinematics: None,
            pose: None,
            rows: Vec::new(),
        };
        let _: Parse<Ident> = self.declared_name();
        if self.is_next("(") {
            let _: Parse<()> = self.group(|p| p.parameters(&mut kind.parameters));
        } else {
            self.expected_with_help(&format!("`(` after `{}`", kind.name.text), Some(FORM));
        }
        if !self.is_next("{") {
            self.expected_with_help(&format!("`{{` after the ends of `{}`", kind.name.text), Some(FORM));
            self.skip_item();
            return kind;
        }
        self.group(|p| {
            let brackets = std::mem::take(&mut p.brackets);
            let mut is_broken = false;
            p.repeat_until_end(|p| {
                let start = p.position;
                p.docs();
                if !p.is_at_end() && p.kind_item(&mut kind).is_err() {
                    is_broken = true;
                    p.skip_kind_item(start);
                }
            });
            if is_broken {
                // Then missing items are not reported as well.
                kind.rows.push(KindRow { name: None, equation: broken_expression(kind.name.origin) });
            }
            p.brackets = brackets;
        });
        self.eat(";");
        kind
    }

    fn kind_item(&mut self, kind: &mut JointKindDeclaration) -> Parse<()> {
        let next = self.position + 1;
        let declares =
            self.is_word(self.position) && (self.is_word(next) || matches!(self.symbol(next).0, ";" | ":" | "="));
        match self.token(self.position).text.as_str() {
            "coordinate" if declares => {
                self.advance();
                let coordinate = self.kind_coordinate()?;
                kind.coordinates.push(coordinate);
                self.kind_semicolon("the coordinate")
            }
            "speed" if declares => {
                self.advance();
                let name = self.declared_name()?;
                let shape = if self.eat(":").is_some() { self.kind_shape()? } else { Vec::new() };
                kind.speeds.push(KindSpeed { name, shape });
                self.kind_semicolon("the speed")
            }
            "constraint" if declares => {
                self.advance();
                let name = self.declared_name()?;
                if self.eat("=").is_none() {
                    return Err(self.expected(&format!("`=` after `{}`", name.text)));
                }
                self.kind_row(kind, Some(name))
            }
            "kinematics" if self.token(self.position + 1).text == ":" => {
                let word = self.word("`kinematics`")?;
                self.advance();
                if kind.kinematics.is_some() {
                    self.report("MBS019", word.origin, "`kinematics` is given twice", None);
                }
                kind.kinematics = Some(self.value()?);
                self.kind_semicolon("`kinematics`")
            }
            "pose" if self.token(self.position + 1).text == "{" => {
                let word = self.word("`pose`")?;
                let arguments = self.arguments();
                if kind.pose.is_some() {
                    self.report("MBS019", word.origin, "`pose` is given twice", None);
                }
                kind.pose = Some(KindPose { word, arguments });
                self.eat(";");
                Ok(())
            }
            _ => self.kind_row(kind, None),
        }
    }

    /// Whether an item of a kind probably begins at the position.
    fn starts_kind_item(&self) -> bool {
        let next = self.symbol(self.position + 1).0;
        match self.token(self.position).text.as_str() {
            "coordinate" | "speed" | "constraint" => self.is_word(self.position + 1),
            "kinematics" => next == ":",
            "pose" => next == "{",
            _ => false,
        }
    }

    /// Skips past the next `;`, or to the next item of the kind; at least one token beyond `start`.
    fn skip_kind_item(&mut self, start: usize) {
        while !(self.is_at_end() || self.position > start && self.starts_kind_item()) {
            let ends = self.is_next(";");
            self.advance();
            if ends {
                return;
            }
        }
    }

    /// Reads the `;` after `subject`. If it is missing before another item of the kind, that is reported, and the item is valid.
    fn kind_semicolon(&mut self, subject: &str) -> Parse<()> {
        if self.eat(";").is_some() {
            return Ok(());
        }
        let missing = self.expected(&format!("`;` after {subject}"));
        if self.is_at_end() || self.starts_kind_item() { Ok(()) } else { Err(missing) }
    }

    fn kind_row(&mut self, kind: &mut JointKindDeclaration, name: Option<Ident>) -> Parse<()> {
        let equation = self.value()?;
        kind.rows.push(KindRow { name, equation });
        self.kind_semicolon("the equation")
    }

    /// Reads a coordinate: `turn: angle = 0.1`, `q: [2]`.
    fn kind_coordinate(&mut self) -> Parse<KindCoordinate> {
        let name = self.declared_name()?;
        let mut coordinate = KindCoordinate { name, shape: Vec::new(), nature: None, start: None };
        if self.eat(":").is_some() {
            if self.is_next("[") {
                coordinate.shape = self.kind_shape()?;
            } else {
                coordinate.nature = Some(self.word("`angle`, `quaternion` or a shape")?);
            }
        }
        if self.eat("=").is_some() {
            coordinate.start = Some(self.value()?);
        }
        Ok(coordinate)
    }

    fn kind_shape(&mut self) -> Parse<Vec<Expr>> {
        if !self.is_next("[") {
            return Err(self.expected_with_help("a shape after `:`", Some("write `[3]`")));
        }
        let before = self.errors.list().len();
        let shape: Vec<Expr> = self.group(|p| p.list("`]`")).0;
        if shape.len() == 1 {
            return Ok(shape);
        }
        if self.errors.list().len() > before {
            return Err(Reported);
        }
        let help = Some("write how many numbers it has: `[3]`");
        self.report("MBS001", self.next_origin(), "a shape of a joint kind has one size", help);
        Err(Reported)
    }
}
