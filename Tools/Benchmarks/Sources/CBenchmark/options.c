#include "benchmark.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "--url URL [--work get|json|download|download-file|upload|new-connection]\n"
    "  [--requests N] [--warmup N] [--concurrency N] [--http 1|2] [--root PEM] [--file PATH] [--engine NAME] [--face NAME]";

static const char *const works[] = {"get", "json", "download", "download-file", "upload", "new-connection"};

void benchmark_refuse(const char *sentence) {
    fprintf(stderr, "%s\n", sentence);
    exit(64);
}

void benchmark_explain(const char *sentence) {
    static bool explained = false;
    if (!__atomic_exchange_n(&explained, true, __ATOMIC_RELAXED)) fprintf(stderr, "%s\n", sentence);
}

static _Noreturn void refuse_option(const char *option, const char *value) {
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s %s does not fit; the command line is\n  %s", option, value, usage);
    benchmark_refuse(sentence);
}

static size_t number(const char *option, const char *value, size_t least) {
    char *end;
    errno = 0;
    unsigned long long parsed = strtoull(value, &end, 10);
    if (errno || end == value || *end || *value == '-' || parsed < least || parsed > 100000000) {
        refuse_option(option, value);
    }
    return parsed;
}

static const char *known_work(const char *value) {
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (!strcmp(value, works[i])) return works[i];
    }
    refuse_option("--work", value);
}

struct benchmark_options benchmark_parse(int count, char *const arguments[]) {
    struct benchmark_options options = {.work = "get", .http = 1, .requests = 1000, .concurrency = 1};
    bool has_warmup = false;
    for (int i = 1; i < count; i += 2) {
        const char *option = arguments[i];
        const char *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (!value) refuse_option(option, "(without a value)");
        if (!strcmp(option, "--url")) options.url = value;
        else if (!strcmp(option, "--work")) options.work = known_work(value);
        else if (!strcmp(option, "--requests")) options.requests = number(option, value, 1);
        else if (!strcmp(option, "--warmup")) options.warmup = number(option, value, 0), has_warmup = true;
        else if (!strcmp(option, "--concurrency")) options.concurrency = number(option, value, 1);
        else if (!strcmp(option, "--http")) options.http = (int)number(option, value, 1);
        else if (!strcmp(option, "--root")) options.root = value;
        else if (!strcmp(option, "--file")) options.file = value;
        else if (!strcmp(option, "--engine")) options.engine = value;
        else if (!strcmp(option, "--face")) options.face = value;
        else refuse_option(option, value);
    }
    if (!options.url) refuse_option("--url", "(missing)");
    if (options.http > 2) refuse_option("--http", "(beyond 2)");
    if (benchmark_does(&options, "upload") && !options.file) refuse_option("--file", "(missing)");
    if (options.concurrency > options.requests) options.concurrency = options.requests;
    if (!has_warmup) options.warmup = options.requests / 10 + options.concurrency;
    return options;
}

bool benchmark_does(const struct benchmark_options *options, const char *work) {
    return !strcmp(options->work, work);
}
