//! The resources used by the process.

use std::fs;
use std::time::Instant;

/// An instant, with the CPU time used until then in microseconds.
pub struct Usage {
    pub at: Instant,
    pub user: f64,
    pub system: f64,
}

impl Usage {
    pub fn now() -> Usage {
        let mut used: libc::rusage = unsafe { std::mem::zeroed() };
        // Fails only for an invalid argument.
        unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut used) };
        let micros = |time: libc::timeval| time.tv_sec as f64 * 1e6 + time.tv_usec as f64;
        Usage { at: Instant::now(), user: micros(used.ru_utime), system: micros(used.ru_stime) }
    }
}

/// VmHWM, the peak of resident memory, since getrusage's survives exec.
pub fn peak_mebibytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    kibibytes.unwrap_or(0.0) / 1024.0
}
