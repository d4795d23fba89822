//! The command line.

use std::process::exit;

#[derive(Clone, Copy, PartialEq)]
pub enum Work {
    Get,
    Json,
    Download,
    Upload,
    NewConnection,
}

const WORKS: [(&str, Work); 5] = [
    ("get", Work::Get),
    ("json", Work::Json),
    ("download", Work::Download),
    ("upload", Work::Upload),
    ("new-connection", Work::NewConnection),
];

impl Work {
    pub fn name(self) -> &'static str {
        WORKS.iter().find(|(_, work)| *work == self).map_or("", |(name, _)| *name)
    }
}

#[derive(Clone)]
pub struct Settings {
    pub url: String,
    pub work: Work,
    pub root: Option<String>,
    pub file: String,
    pub requests: usize,
    pub warmup: usize,
    pub concurrency: usize,
    pub version: usize,
}

/// Ends the program with a usage error.
pub fn refuse(sentence: &str) -> ! {
    eprintln!("{sentence}");
    exit(64)
}

impl Settings {
    pub fn parse() -> Settings {
        let mut settings = Settings {
            url: String::new(),
            work: Work::Get,
            root: None,
            file: String::new(),
            requests: 1000,
            warmup: 0,
            concurrency: 1,
            version: 1,
        };
        let mut warmup = None;
        let mut arguments = std::env::args().skip(1);
        while let Some(option) = arguments.next() {
            let value = arguments.next().unwrap_or_else(|| refuse(&format!("{option} has no value")));
            let number = || value.parse().unwrap_or_else(|_| refuse(&format!("{option} {value} is not a number")));
            match option.as_str() {
                "--url" => settings.url = value,
                "--work" => {
                    let known = WORKS.iter().find(|(name, _)| *name == value);
                    settings.work = known.unwrap_or_else(|| refuse(&format!("--work {value} is not known"))).1
                }
                "--root" => settings.root = Some(value),
                "--file" => settings.file = value,
                "--requests" => settings.requests = number(),
                "--warmup" => warmup = Some(number()),
                "--concurrency" => settings.concurrency = number(),
                "--http" => settings.version = number(),
                // There is one of each.
                "--engine" | "--face" => {}
                _ => refuse(&format!("{option} is not known")),
            }
        }
        if settings.url.is_empty() {
            refuse("--url is missing");
        }
        settings.concurrency = settings.concurrency.clamp(1, settings.requests.max(1));
        settings.warmup = warmup.unwrap_or(settings.requests / 10 + settings.concurrency);
        settings
    }
}
