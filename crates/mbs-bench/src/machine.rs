//! Machine and date of the measured times.

use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, thread};

/// Model of the processor, "unknown processor" where the system does not report it.
pub fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let Some(model) = field("model name") else { return "unknown processor".to_owned() };
    match (field("cpu family"), field("model")) {
        (Some(family), Some(number)) => format!("{model} (family {family}, model {number})"),
        _ => model,
    }
}

/// Number of processors that this process may use.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// `x86_64 linux`.
pub fn platform() -> String {
    format!("{} {}", std::env::consts::ARCH, std::env::consts::OS)
}

/// Compiler of this executable, such as `rustc 1.95.0 (59807616e 2026-04-14)`.
pub const RUSTC: &str = env!("MBS_RUSTC");

/// `RUSTFLAGS` of this executable; empty by default.
pub const RUSTFLAGS: &str = env!("MBS_RUSTFLAGS");

/// Today in UTC as `2026-01-31`.
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The date a number of days after 1970-01-01: whole 400-year eras, then years of a calendar that begins in March, so that the leap
/// day is the last of its year. Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
pub fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}-{month:02}-{day:02}", 400 * era + year)
}
