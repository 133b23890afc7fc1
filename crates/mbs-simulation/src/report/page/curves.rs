//! Curves of the plane in the data of the page.

use super::Page;
use crate::Quantity;
use crate::json::{push_list, push_numbers, push_string};

pub(super) fn push(out: &mut String, page: &Page, rows: &[usize]) {
    let coordinates = page.recording.table(Quantity::Coordinates);
    out.push_str(",\n\"curves\":");
    push_list(out, page.recording.curves(), |out, curve| {
        out.push_str("\n{\"name\":");
        push_string(out, &curve.name);
        out.push_str(&format!(",\"marker\":{}", curve.marker));
        for (name, k) in [("s", 0), ("x", 1), ("y", 2)] {
            out.push_str(&format!(",\"{name}\":"));
            push_numbers(out, curve.points.iter().map(|point| point[k]));
        }
        out.push_str(",\"period\":");
        push_numbers(out, curve.period);
        out.push_str(&format!(",\"isEndless\":{},\"at\":", curve.is_endless));
        push_list(out, &curve.contacts, |out, contact| {
            let parameters = coordinates.iter().nth(*contact).map_or(&[][..], |(_, values)| values);
            push_numbers(out, rows.iter().filter_map(|row| parameters.get(*row).copied()));
        });
        out.push('}');
    });
}
