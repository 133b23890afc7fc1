//! The name that was probably meant by a misspelt one.

/// Length of the longest name that is compared, in characters.
const LONGEST: usize = 64;

/// The name in `names` nearest to `word`, if it is near enough for `word` to be a typing mistake; of several, the first in the order of `str`.
///
/// The distance counts inserted, deleted and replaced characters and exchanged neighbours; case is ignored. Where the shorter name has n
/// characters, a distance up to (n + 1)/3, rounded down, is near enough; where n is below three, only a distance of 0, since all names of
/// two letters are within a distance of two. Names of more than 64 characters are never near enough.
///
/// ```
/// use mbs_math::nearest;
///
/// assert_eq!(nearest("crnk", ["crank", "rocker"]), Some("crank"));
/// assert_eq!(nearest("pi", ["pin", "PI"]), Some("PI"));
/// assert_eq!(nearest("pi", ["pin", "rod"]), None);
/// ```
///
/// # Source
/// Optimal string alignment distance: Boytsov (2011), ACM J. Exp. Algorithmics 16, §2.2.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidate = |name: &'a str| {
        let distance = distance(word, name)?;
        let shorter = word.chars().count().min(name.chars().count());
        let limit = if shorter < 3 { 0 } else { (shorter + 1) / 3 };
        (distance <= limit).then_some((distance, name))
    };
    names.into_iter().filter_map(candidate).min().map(|(_, name)| name)
}

/// Optimal string alignment distance, with case ignored; `None` if a name is longer than [`LONGEST`].
fn distance(a: &str, b: &str) -> Option<usize> {
    let lower = |text: &str| {
        let mut all = ['\0'; LONGEST];
        let mut count = 0;
        for c in text.chars().flat_map(char::to_lowercase) {
            *all.get_mut(count)? = c;
            count += 1;
        }
        Some((all, count))
    };
    let ((a, n), (b, m)) = (lower(a)?, lower(b)?);
    let mut rows = [[0; LONGEST + 1]; 3];
    (0..=m).for_each(|j| rows[0][j] = j);
    for i in 1..=n {
        let [before, above, row] = [(i + 1) % 3, (i - 1) % 3, i % 3];
        rows[row][0] = i;
        for j in 1..=m {
            let replaced = rows[above][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[above][j] + 1).min(rows[row][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[before][j - 2] + 1);
            }
            rows[row][j] = least;
        }
    }
    Some(rows[n % 3][m])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_may_differ_only_in_case() {
        assert_eq!(nearest("pi", ["pin", "p", "q"]), None);
        assert_eq!(nearest("k", ["K", "c"]), Some("K"));
        assert_eq!(nearest("on", ["n", "one"]), None);
        assert_eq!(nearest("pin", ["PI", "rod"]), None);
    }

    #[test]
    fn exchanged_neighbours_count_once() {
        assert_eq!(distance("hihg", "high"), Some(1));
        assert_eq!(distance("hgih", "high"), Some(1));
        assert_eq!(distance("ihhg", "high"), Some(2));
        assert_eq!(distance("", "abc"), Some(3));
        assert_eq!(distance("Crank_Rod", "crankrod"), Some(1));
        assert_eq!(nearest("teh", ["the", "ten"]), Some("ten"));
    }

    #[test]
    fn distances_are_symmetric_and_names_have_a_greatest_length() {
        let names = ["crank", "coupler", "rocker", "ground", "slide", "slider", "pin", "größe", "a", ""];
        for a in names {
            for b in names {
                assert_eq!(distance(a, b), distance(b, a), "{a} {b}");
                assert_eq!(distance(a, b) == Some(0), a == b, "{a} {b}");
            }
        }
        let long = "a long name without end ".repeat(4);
        assert_eq!(nearest(&long, [&*long]), None);
    }
}
