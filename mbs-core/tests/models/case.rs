//! Reader of the cases in `tests/reference/` at the root of the repository; each file states its source and accuracy.

use serde_json::Value;

pub fn read(name: &str) -> Value {
    let path = format!("{}/../../tests/reference/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

pub fn list(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

pub fn array<const N: usize>(value: &Value) -> [f64; N] {
    list(value).try_into().expect("as many numbers as the case states")
}

pub fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().expect("a list of rows").iter().map(list).collect()
}

pub fn square(value: &Value) -> [[f64; 3]; 3] {
    let rows = matrix(value);
    core::array::from_fn(|i| core::array::from_fn(|j| rows[i][j]))
}
