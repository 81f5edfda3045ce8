//! Generates events with the nexmark crate and serialises them with serde_json.
//!
//! `nexmark-peer EVENTS` prints one line of JSON: nanoseconds for generating EVENTS structs, nanoseconds for
//! generating and serialising them, and the bytes of the latter.

use nexmark::config::NexmarkConfig;
use nexmark::EventGenerator;
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let events: usize = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .expect("usage: nexmark-peer EVENTS");

    // The tables are drawn on first use, which is not what is measured.
    black_box(EventGenerator::default().take(1_000).count());

    let start = Instant::now();
    for event in EventGenerator::new(NexmarkConfig::default()).take(events) {
        black_box(event);
    }
    let structs = start.elapsed().as_nanos();

    let start = Instant::now();
    let mut line = Vec::with_capacity(4_096);
    let mut bytes = 0;
    for event in EventGenerator::new(NexmarkConfig::default()).take(events) {
        line.clear();
        serde_json::to_writer(&mut line, &event).expect("an event is JSON");
        line.push(b'\n');
        bytes += line.len();
        black_box(&line);
    }
    let json = start.elapsed().as_nanos();

    println!("{{\"events\":{events},\"structsNs\":{structs},\"jsonNs\":{json},\"bytes\":{bytes}}}");
}
