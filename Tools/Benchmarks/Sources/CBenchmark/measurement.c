#include "benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

uint64_t benchmark_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t micros(struct timeval time) {
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

// Not getrusage's ru_maxrss, which survives exec and includes the peak of the program that started this one.
static double peak_mebibytes(void) {
    FILE *status = fopen("/proc/self/status", "r");
    if (!status) return 0;
    char line[256];
    unsigned long kibibytes = 0;
    while (fgets(line, sizeof line, status)) {
        if (sscanf(line, "VmHWM: %lu", &kibibytes) == 1) break;
    }
    fclose(status);
    return (double)kibibytes / 1024;
}

struct benchmark_usage benchmark_usage(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (struct benchmark_usage){benchmark_now(), micros(used.ru_utime), micros(used.ru_stime), peak_mebibytes()};
}

static int ascending(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static double percentile(const float *sorted, size_t count, size_t percent) {
    return count ? (double)sorted[(count - 1) * percent / 100] : 0;
}

void benchmark_report(
    const char *client,
    const struct benchmark_options *options,
    struct benchmark_usage start,
    struct benchmark_usage end,
    float *latencies,
    size_t succeeded
) {
    double requests = (double)options->requests;
    double seconds = (double)(end.nanoseconds - start.nanoseconds) / 1e9;
    double user = (double)(end.user_micros - start.user_micros) / requests;
    double system = (double)(end.system_micros - start.system_micros) / requests;
    if (succeeded) qsort(latencies, succeeded, sizeof *latencies, ascending);
    printf(
        "{\"client\":\"%s\",\"work\":\"%s\",\"concurrency\":%zu,\"requests\":%zu,\"failures\":%zu,"
        "\"seconds\":%.6f,\"rps\":%.1f,\"cpuMicrosPerRequest\":%.3f,\"userMicros\":%.3f,\"sysMicros\":%.3f,"
        "\"idleMiB\":%.2f,\"peakMiB\":%.2f,\"p50Micros\":%.1f,\"p99Micros\":%.1f}\n",
        client, options->work, options->concurrency, options->requests, options->requests - succeeded,
        seconds, requests / seconds, user + system, user, system,
        start.peak_mebibytes, end.peak_mebibytes, percentile(latencies, succeeded, 50), percentile(latencies, succeeded, 99)
    );
    fflush(stdout);
}
