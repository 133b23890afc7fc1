//! Tables of named columns.

use crate::UnknownName;

/// The quantities of a [`Recording`](crate::Recording) that are tables of named columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Quantity {
    /// Coordinates q.
    Coordinates,
    /// Speeds v.
    Speeds,
    /// Accelerations a = v̇, with the names of the speeds.
    Accelerations,
    /// Multipliers λ, one per constraint row; the second end of a joint receives +λ.
    Multipliers,
    /// Auxiliary states z.
    Auxiliary,
    /// Inputs u.
    Inputs,
    /// Generalised forces Q, with the names of the speeds: applied loads and velocity-quadratic terms.
    Forces,
    /// Outputs of the declaration.
    Outputs,
    /// `kinetic` and `potential` \[J\].
    Energies,
    /// Constraint errors: `position` is max |Φ|, `velocity` is max |ψ|.
    Errors,
    /// Reactions of joints on the bodies of their second ends, world axes: `pin.x`, `pin.y` \[N\], `pin.torque` \[N m\];
    /// in space `pin.x`, `pin.y`, `pin.z` and `pin.torque.x`, `pin.torque.y`, `pin.torque.z`.
    Reactions,
}

impl Quantity {
    pub(crate) const ALL: [Quantity; 11] = [
        Quantity::Coordinates,
        Quantity::Speeds,
        Quantity::Accelerations,
        Quantity::Multipliers,
        Quantity::Auxiliary,
        Quantity::Inputs,
        Quantity::Forces,
        Quantity::Outputs,
        Quantity::Energies,
        Quantity::Errors,
        Quantity::Reactions,
    ];

    /// Symbol: prefix of its columns in CSV files, and of columns without a name.
    pub fn symbol(self) -> &'static str {
        match self {
            Quantity::Coordinates => "q",
            Quantity::Speeds => "v",
            Quantity::Accelerations => "a",
            Quantity::Multipliers => "lambda",
            Quantity::Auxiliary => "z",
            Quantity::Inputs => "u",
            Quantity::Forces => "Q",
            Quantity::Outputs => "output",
            Quantity::Energies => "energy",
            Quantity::Errors => "error",
            Quantity::Reactions => "reaction",
        }
    }

    /// Noun for one column, for messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Quantity::Coordinates => "coordinate",
            Quantity::Speeds => "speed",
            Quantity::Accelerations => "acceleration",
            Quantity::Multipliers => "multiplier",
            Quantity::Auxiliary => "auxiliary state",
            Quantity::Inputs => "input",
            Quantity::Forces => "generalised force",
            Quantity::Outputs => "output",
            Quantity::Energies => "energy",
            Quantity::Errors => "constraint error",
            Quantity::Reactions => "reaction",
        }
    }
}

/// Named columns of one [`Quantity`], each with one value per recorded time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Table {
    quantity: Quantity,
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Table {
    pub(super) const fn empty(quantity: Quantity) -> Self {
        Table { quantity, names: Vec::new(), columns: Vec::new() }
    }

    pub(super) fn new(quantity: Quantity, names: Vec<String>) -> Self {
        let columns = vec![Vec::new(); names.len()];
        Table { quantity, names, columns }
    }

    /// Quantity of the columns.
    pub fn quantity(&self) -> Quantity {
        self.quantity
    }

    /// Names as declared; columns without a name have symbol and index, such as `q[0]`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Columns in the order of the names.
    pub fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }

    /// Names with their columns.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[f64])> {
        self.names.iter().map(String::as_str).zip(self.columns.iter().map(Vec::as_slice))
    }

    /// The column of a name.
    ///
    /// # Errors
    /// [`UnknownName`] with the nearest name.
    pub fn column(&self, name: &str) -> Result<&[f64], UnknownName> {
        let found = self.names.iter().position(|known| known == name);
        found.map(|i| &*self.columns[i]).ok_or_else(|| self.unknown(name))
    }

    /// Values as an nalgebra matrix: one row per recorded time, one column per name.
    #[cfg(feature = "nalgebra")]
    pub fn matrix(&self) -> nalgebra::DMatrix<f64> {
        let rows = self.columns.first().map_or(0, Vec::len);
        nalgebra::DMatrix::from_iterator(rows, self.columns.len(), self.columns.iter().flatten().copied())
    }

    /// Removes names and values, which are not known in this run.
    pub(super) fn clear(&mut self) {
        self.names.clear();
        self.columns.clear();
    }

    /// Reserves memory for further rows.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.columns.iter_mut().for_each(|column| column.reserve_exact(rows));
    }

    pub(crate) fn push(&mut self, values: &[f64]) {
        self.extend(values.iter().copied());
    }

    /// Adds one value to every column.
    pub(crate) fn extend(&mut self, values: impl IntoIterator<Item = f64>) {
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(value);
        }
    }

    fn unknown(&self, name: &str) -> UnknownName {
        UnknownName::new(self.noun(), name, self.names.iter().map(String::as_str))
    }

    /// Noun for one column, for messages; for an empty table with the reason why it may be empty.
    fn noun(&self) -> &'static str {
        match self.quantity {
            Quantity::Forces if self.names.is_empty() => "generalised force (without loads in this recording)",
            Quantity::Multipliers if self.names.is_empty() => "multiplier (without loads or rows in this recording)",
            Quantity::Reactions if self.names.is_empty() => "reaction (without loads or joints in this recording)",
            quantity => quantity.noun(),
        }
    }
}
