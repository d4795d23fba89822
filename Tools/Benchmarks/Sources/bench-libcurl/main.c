// What libcurl itself costs: its multi interface on one epoll loop, without Swift.
//
// Each lane has one easy handle, and starts its next request in the same turn in which the last one ended.

#include <benchmark.h>
#include <curl/curl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

struct lane {
    CURL *easy;
    uint64_t started;
    off_t uploaded;
};

static struct benchmark_options options;
static CURLM *multi;
static struct lane *lanes;
static float *latencies;
static int epoll;
static int upload = -1;
static off_t upload_size;
// When libcurl wants to be called without news of a socket, by benchmark_now; 0 for never.
static uint64_t deadline;
// Requests that have yet to start, that are in flight, and that were good.
static size_t waiting, flying, succeeded;

static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

static size_t read_file(char *buffer, size_t size, size_t count, void *context) {
    struct lane *lane = context;
    ssize_t got = pread(upload, buffer, size * count, lane->uploaded);
    if (got < 0) return CURL_READFUNC_ABORT;
    lane->uploaded += got;
    return (size_t)got;
}

// A socket that epoll knows already has a mark, `known`.
static int watch(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
    (void)easy, (void)context;
    struct epoll_event event = {.data.fd = socket};
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, socket, &event);
        return 0;
    }
    if (what != CURL_POLL_OUT) event.events |= EPOLLIN;
    if (what != CURL_POLL_IN) event.events |= EPOLLOUT;
    epoll_ctl(epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    if (!known) curl_multi_assign(multi, socket, &epoll);
    return 0;
}

static int set_timer(CURLM *which, long milliseconds, void *context) {
    (void)which, (void)context;
    deadline = milliseconds < 0 ? 0 : benchmark_now() + (uint64_t)milliseconds * 1000000;
    return 0;
}

static CURL *make_easy(struct lane *lane) {
    CURL *easy = curl_easy_init();
    if (!easy) benchmark_refuse("libcurl gives no handle");
    curl_easy_setopt(easy, CURLOPT_URL, options.url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, lane);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    long version = CURL_HTTP_VERSION_1_1;
    if (options.http == 2) {
        bool tls = !strncmp(options.url, "https:", 6);
        version = tls ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
        curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    }
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, version);
    if (options.root) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, options.root);
        // A folder of certificates, Debian's default, would keep libcurl from caching the store: 17 ms a handshake.
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    if (benchmark_does(&options, "download") || benchmark_does(&options, "upload")) {
        curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 256L * 1024);
        curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 256L * 1024);
    }
    if (benchmark_does(&options, "new-connection")) {
        curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
        curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    }
    if (benchmark_does(&options, "upload")) {
        curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)upload_size);
        curl_easy_setopt(easy, CURLOPT_READFUNCTION, read_file);
        curl_easy_setopt(easy, CURLOPT_READDATA, lane);
        // Otherwise libcurl waits a second for a 100 that may not come.
        curl_easy_setopt(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, 0L);
    }
    return easy;
}

static void start(struct lane *lane) {
    if (!waiting) return;
    waiting--;
    flying++;
    lane->started = benchmark_now();
    lane->uploaded = 0;
    curl_multi_add_handle(multi, lane->easy);
}

static void harvest(void) {
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(multi, &left))) {
        CURL *easy = message->easy_handle;
        CURLcode result = message->data.result;
        struct lane *lane;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &lane);
        curl_multi_remove_handle(multi, easy);
        flying--;
        if (result == CURLE_OK) {
            latencies[succeeded++] = (float)(benchmark_now() - lane->started) / 1000;
        } else {
            benchmark_explain(curl_easy_strerror(result));
        }
        start(lane);
    }
}

static int wait_milliseconds(void) {
    if (!deadline) return 1000;
    uint64_t now = benchmark_now();
    return now >= deadline ? 0 : (int)((deadline - now + 999999) / 1000000);
}

static void run(size_t requests) {
    waiting = requests;
    succeeded = 0;
    for (size_t i = 0; i < options.concurrency; i++) start(&lanes[i]);
    while (flying) {
        struct epoll_event events[256];
        int ready = epoll_wait(epoll, events, 256, wait_milliseconds());
        int running;
        if (deadline && benchmark_now() >= deadline) {
            deadline = 0;
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        for (int i = 0; i < ready; i++) {
            int mask = 0;
            if (events[i].events & EPOLLIN) mask |= CURL_CSELECT_IN;
            if (events[i].events & EPOLLOUT) mask |= CURL_CSELECT_OUT;
            if (events[i].events & (EPOLLERR | EPOLLHUP)) mask |= CURL_CSELECT_ERR;
            curl_multi_socket_action(multi, events[i].data.fd, mask, &running);
        }
        harvest();
    }
}

static void open_upload(void) {
    struct stat file;
    upload = open(options.file, O_RDONLY | O_CLOEXEC);
    if (upload < 0 || fstat(upload, &file)) benchmark_refuse("the file to upload cannot be opened");
    upload_size = file.st_size;
}

int main(int count, char *arguments[]) {
    options = benchmark_parse(count, arguments);
    if (benchmark_does(&options, "json")) benchmark_refuse("bench-libcurl decodes no JSON: ask for --work get");
    if (benchmark_does(&options, "upload")) open_upload();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    multi = curl_multi_init();
    size_t most = options.requests > options.warmup ? options.requests : options.warmup;
    lanes = calloc(options.concurrency, sizeof *lanes);
    latencies = calloc(most, sizeof *latencies);
    if (epoll < 0 || !multi || !lanes || !latencies) benchmark_refuse("there is no memory or no descriptor left");
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)options.concurrency);
    for (size_t i = 0; i < options.concurrency; i++) lanes[i].easy = make_easy(&lanes[i]);

    run(options.warmup);
    struct benchmark_usage before = benchmark_usage();
    run(options.requests);
    benchmark_report("libcurl", &options, before, benchmark_usage(), latencies, succeeded);
    return succeeded == options.requests ? 0 : 1;
}
