//! Inputs over time from a CSV file, linear between its times and constant outside.

use std::path::Path;

use crate::failure::Failure;

/// Columns over time.
pub struct Series {
    times: Vec<f64>,
    /// Names with their values.
    pub columns: Vec<(String, Vec<f64>)>,
}

impl Series {
    /// Reads a file: a header with `t` first, then numbers; times must not decrease. Two rows of one time are a jump. In a
    /// file that `--csv` wrote the inputs are the columns `u.name`.
    pub fn read(path: &Path) -> Result<Series, Failure> {
        let text = mbs_syntax::read_text(path).map_err(|e| Failure::io(path, e))?;
        Series::parse(&text).map_err(|message| Failure::Usage(format!("{}{message}", path.display())))
    }

    fn parse(text: &str) -> Result<Series, String> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, head) = lines.next().ok_or(": there is nothing in it")?;
        let names: Vec<&str> = head.split(',').map(|name| name.trim().trim_matches('"')).collect();
        if names.first() != Some(&"t") {
            return Err(format!(":1: the first column is `{}`, it has to be `t`", names.first().unwrap_or(&"")));
        }
        let mut columns: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
        for (line, text) in lines {
            let line = line + 1;
            let cells: Vec<&str> = text.split(',').collect();
            if cells.len() != names.len() {
                return Err(format!(":{line}: {} values, the header has {}", cells.len(), names.len()));
            }
            for (column, cell) in columns.iter_mut().zip(cells) {
                let value: Option<f64> = cell.trim().parse().ok().filter(|x: &f64| x.is_finite());
                column.push(value.ok_or_else(|| format!(":{line}: `{}` is not a number", cell.trim()))?);
            }
            if let [.., before, t] = columns[0][..]
                && t < before
            {
                return Err(format!(":{line}: time {t} comes after {before}"));
            }
        }
        if columns[0].is_empty() {
            return Err(": there are no rows below the header".to_owned());
        }
        let times = columns.remove(0);
        let recorded = names.iter().any(|name| name.starts_with("u."));
        let named = names[1..].iter().zip(columns).filter_map(|(name, column)| match name.strip_prefix("u.") {
            Some(name) => Some((name.to_owned(), column)),
            None => (!recorded).then(|| ((*name).to_owned(), column)),
        });
        Ok(Series { times, columns: named.collect() })
    }

    /// The value of a column at time t \[s\]. At a jump it is the value after the jump.
    pub fn value_at(&self, column: usize, t: f64) -> f64 {
        let values = &self.columns[column].1;
        let after = self.times.partition_point(|x| *x <= t);
        if after == 0 {
            return values[0];
        }
        if after == values.len() {
            return values[after - 1];
        }
        let [t0, t1] = [self.times[after - 1], self.times[after]];
        let [y0, y1] = [values[after - 1], values[after]];
        y0 + (y1 - y0) * ((t - t0) / (t1 - t0))
    }
}

#[cfg(test)]
mod tests {
    use super::Series;

    #[test]
    fn values_are_linear_between_times_and_constant_outside() {
        let series = Series::parse("t,a,b\n0,1,0\n1,3,0\n1,5,1\n2,5,2\n").unwrap();
        let values = |t: f64| [series.value_at(0, t), series.value_at(1, t)];
        assert_eq!(values(-1.0), [1.0, 0.0]);
        assert_eq!(values(0.5), [2.0, 0.0]);
        // At the time of a jump it is over.
        assert_eq!(values(1.0), [5.0, 1.0]);
        assert_eq!(values(1.5), [5.0, 1.5]);
        assert_eq!(values(9.0), [5.0, 2.0]);
    }

    #[test]
    fn columns_of_a_recorded_file_are_its_inputs() {
        let series = Series::parse("t,q.pin.angle,u.torque,\"u.push[0]\"\n0,1,2,3\n").unwrap();
        let names: Vec<&str> = series.columns.iter().map(|c| c.0.as_str()).collect();
        assert_eq!(names, ["torque", "push[0]"]);
    }

    #[test]
    fn mistakes_are_located() {
        let mistake = |text: &str| Series::parse(text).err().unwrap();
        assert_eq!(mistake(""), ": there is nothing in it");
        assert_eq!(mistake("time,a\n"), ":1: the first column is `time`, it has to be `t`");
        assert_eq!(mistake("t,a\n"), ": there are no rows below the header");
        assert_eq!(mistake("t,a\n0,1\n1,x\n"), ":3: `x` is not a number");
        assert_eq!(mistake("t,a\n\n0,1,2\n"), ":3: 3 values, the header has 2");
        assert_eq!(mistake("t,a\n1,1\n0,1\n"), ":3: time 0 comes after 1");
    }
}
