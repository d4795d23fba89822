//! A client over Rust's reqwest, with the command line and output of the other clients.

mod settings;
mod usage;

use futures_util::future::join_all;
use reqwest::{Body, Certificate, Client, Method, StatusCode};
use serde::Deserialize;
use settings::{refuse, Settings, Work};
use std::error::Error;
use std::time::Instant;
use tokio_util::io::ReaderStream;
use usage::{peak_mebibytes, Usage};

#[derive(Deserialize)]
#[allow(dead_code)]
struct Sample {
    id: i64,
    name: String,
    tags: Vec<String>,
    text: String,
}

fn make_client(settings: &Settings) -> Result<Client, Box<dyn Error>> {
    let mut client = Client::builder().no_proxy().use_native_tls();
    if settings.version == 1 {
        client = client.http1_only();
    }
    if settings.work == Work::NewConnection {
        client = client.pool_max_idle_per_host(0);
    }
    if let Some(root) = &settings.root {
        let pem = std::fs::read(root)?;
        client = client.tls_built_in_root_certs(false).add_root_certificate(Certificate::from_pem(&pem)?);
    }
    Ok(client.build()?)
}

async fn perform(client: &Client, settings: &Settings) -> Result<(), Box<dyn Error>> {
    let mut request = client.request(Method::GET, &settings.url);
    if settings.work == Work::Upload {
        let file = tokio::fs::File::open(&settings.file).await?;
        let length = file.metadata().await?.len();
        request = client
            .request(Method::PUT, &settings.url)
            .header("content-length", length)
            .body(Body::wrap_stream(ReaderStream::with_capacity(file, 256 * 1024)));
    }
    let mut response = request.send().await?;
    if response.status() != StatusCode::OK {
        return Err(format!("the status is {}", response.status()).into());
    }
    let count = match settings.work {
        Work::Download => {
            let mut count = 0;
            while let Some(part) = response.chunk().await? {
                count += part.len();
            }
            count
        }
        Work::Json => {
            let data = response.bytes().await?;
            serde_json::from_slice::<Sample>(&data)?;
            data.len()
        }
        _ => response.bytes().await?.len(),
    };
    if count == 0 {
        return Err("the body is empty".into());
    }
    Ok(())
}

/// Sends the requests one after another, and returns the latencies of the successful ones in microseconds.
async fn lane(client: Client, settings: Settings, share: usize) -> Vec<f64> {
    let mut latencies = Vec::with_capacity(share);
    for _ in 0..share {
        let start = Instant::now();
        match perform(&client, &settings).await {
            Ok(()) => latencies.push(start.elapsed().as_nanos() as f64 / 1000.0),
            Err(error) => eprintln!("{error}"),
        }
    }
    latencies
}

/// Sends the requests with the given concurrency.
async fn run(client: &Client, settings: &Settings, requests: usize) -> Vec<f64> {
    let lanes = (0..settings.concurrency).map(|number| {
        let share = requests / settings.concurrency + usize::from(number < requests % settings.concurrency);
        tokio::spawn(lane(client.clone(), settings.clone(), share))
    });
    join_all(lanes).await.into_iter().flatten().flatten().collect()
}

fn main() {
    let settings = Settings::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.unwrap_or_else(|error| refuse(&error.to_string()));
    let client = make_client(&settings).unwrap_or_else(|error| refuse(&error.to_string()));

    runtime.block_on(run(&client, &settings, settings.warmup));
    let (idle, before) = (peak_mebibytes(), Usage::now());
    let mut latencies = runtime.block_on(run(&client, &settings, settings.requests));
    let (after, peak) = (Usage::now(), peak_mebibytes());

    latencies.sort_by(f64::total_cmp);
    let percentile = |percent: usize| match latencies.len() {
        0 => 0.0,
        count => latencies[(count - 1) * percent / 100],
    };
    let (requests, seconds) = (settings.requests as f64, (after.at - before.at).as_secs_f64());
    let (user, system) = ((after.user - before.user) / requests, (after.system - before.system) / requests);
    let result = serde_json::json!({
        "client": "reqwest", "work": settings.work.name(), "concurrency": settings.concurrency,
        "requests": settings.requests, "failures": settings.requests - latencies.len(),
        "seconds": seconds, "rps": requests / seconds,
        "cpuMicrosPerRequest": user + system, "userMicros": user, "sysMicros": system,
        "idleMiB": idle, "peakMiB": peak, "p50Micros": percentile(50), "p99Micros": percentile(99),
    });
    println!("{result}");
}
