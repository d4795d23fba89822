// The limit: what the kernel, and OpenSSL, take for HTTP/1.1 over sockets and epoll, with next to nothing above it.
//
// Each lane has one connection, kept alive, and starts its next request in the same turn in which the last one ended.

#include "exchange.h"

#include <benchmark.h>
#include <stdlib.h>
#include <sys/epoll.h>

static struct benchmark_options options;
static struct target target;
static struct exchange *lanes;
static uint64_t *started;
static float *latencies;
static int epoll;
// Requests that have yet to start, that are in flight, and that were good.
static size_t waiting, flying, succeeded;

static void watch(struct exchange *lane) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = lane};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, lane->socket, &event)) benchmark_refuse("epoll takes no more sockets");
}

/// Starts requests on a lane until one of them waits for the server, or none is left.
static void feed(struct exchange *lane) {
    while (waiting) {
        waiting--;
        if (lane->socket < 0) {
            if (!exchange_connect(lane, &target)) continue;
            watch(lane);
        }
        started[lane - lanes] = benchmark_now();
        if (exchange_start(lane, &target)) {
            flying++;
            return;
        }
    }
}

static void turn(struct exchange *lane) {
    if (lane->progress == RESTING) return;
    exchange_continue(lane, &target);
    if (lane->progress == SENDING || lane->progress == RECEIVING) return;
    flying--;
    if (lane->progress == DONE) {
        latencies[succeeded++] = (float)(benchmark_now() - started[lane - lanes]) / 1000;
    }
    exchange_rest(lane);
    feed(lane);
}

static void run(size_t requests) {
    waiting = requests;
    succeeded = 0;
    for (size_t i = 0; i < options.concurrency; i++) feed(&lanes[i]);
    while (flying) {
        struct epoll_event events[256];
        int ready = epoll_wait(epoll, events, 256, -1);
        for (int i = 0; i < ready; i++) turn(events[i].data.ptr);
    }
}

int main(int count, char *arguments[]) {
    options = benchmark_parse(count, arguments);
    if (benchmark_does(&options, "json")) benchmark_refuse("bench-sockets decodes no JSON: ask for --work get");
    if (options.http != 1) benchmark_refuse("bench-sockets speaks HTTP/1.1");
    target = target_make(&options);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    size_t most = options.requests > options.warmup ? options.requests : options.warmup;
    lanes = calloc(options.concurrency, sizeof *lanes);
    started = calloc(options.concurrency, sizeof *started);
    latencies = calloc(most, sizeof *latencies);
    if (epoll < 0 || !lanes || !started || !latencies) benchmark_refuse("there is no memory or no descriptor left");
    for (size_t i = 0; i < options.concurrency; i++) lanes[i].socket = -1;

    run(options.warmup);
    struct benchmark_usage before = benchmark_usage();
    run(options.requests);
    benchmark_report("sockets", &options, before, benchmark_usage(), latencies, succeeded);
    return succeeded == options.requests ? 0 : 1;
}
