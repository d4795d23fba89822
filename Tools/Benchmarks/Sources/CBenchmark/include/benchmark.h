// Shared by all benchmark programs: the command line, the measurement, the line of output.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#define SENDABLE __attribute__((swift_attr("@Sendable")))
#else
#define SENDABLE
#endif

/// A program's settings. The strings are those of the command line and never change, so that any thread may read them.
struct SENDABLE benchmark_options {
    const char *url;
    /// get, json, download, download-file, upload or new-connection.
    const char *work;
    /// The PEM file with the root to trust, or NULL.
    const char *root;
    /// The file to upload, or NULL.
    const char *file;
    /// What the program may choose between, or NULL for its default.
    const char *engine;
    const char *face;
    /// 1 or 2: the version of HTTP.
    int http;
    /// How many requests are measured, how many go before, how many are in flight concurrently.
    size_t requests;
    size_t warmup;
    size_t concurrency;
};

/// Reads the command line. Says what is wrong with it, and exits with 64.
struct benchmark_options benchmark_parse(int count, char *const arguments[]);

/// Whether `work` is the chosen work.
bool benchmark_does(const struct benchmark_options *options, const char *work);

/// Ends the program, with 64: it cannot do what it was asked to.
_Noreturn void benchmark_refuse(const char *sentence);

/// Says why a request failed; only the first time, for one reason explains them all.
void benchmark_explain(const char *sentence);

/// The monotonic clock, in nanoseconds.
uint64_t benchmark_now(void);

/// What the process has used until now.
struct benchmark_usage {
    uint64_t nanoseconds;
    uint64_t user_micros;
    uint64_t system_micros;
    /// The most memory that it has held.
    double peak_mebibytes;
};

struct benchmark_usage benchmark_usage(void);

/// What the process holds at this moment.
struct benchmark_holdings {
    size_t descriptors;
    size_t threads;
    size_t resident_kibibytes;
    /// What was allocated and not freed: each object that is alive is in it.
    size_t allocated_bytes;
};

struct benchmark_holdings benchmark_holdings(void);

/// Prints the line of result: one JSON object.
///
/// `latencies` holds the microseconds of each request that succeeded; it is sorted. A 32-bit float has
/// seven digits, which is plenty, and keeps the measurement out of the memory that it measures.
void benchmark_report(
    const char *client,
    const struct benchmark_options *options,
    struct benchmark_usage start,
    struct benchmark_usage end,
    float *latencies,
    size_t succeeded
);
