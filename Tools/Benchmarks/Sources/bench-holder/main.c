// A server that holds every request for a while before it answers 64 bytes: what waits costs its client, and nobody
// else.
//
//     bench-holder SECONDS        prints its port, and ends with its standard input

#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 65536 };

/// What is read of a request: how much of the empty line that ends its head.
static unsigned char matched[CONNECTIONS];

/// Who waits for an answer, in the order in which they asked: all are held for the same time.
static struct held {
    int socket;
    uint64_t due;
} queue[CONNECTIONS];
static size_t first, count;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static _Noreturn void fail(const char *call) {
    perror(call);
    exit(1);
}

static int listen_anywhere(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 65535)) fail("listen");
    if (getsockname(listener, (struct sockaddr *)&address, &size)) fail("getsockname");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static void watch(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)) fail("epoll_ctl");
}

static void welcome(int epoll, int listener) {
    int socket;
    while ((socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (socket >= CONNECTIONS) {
            close(socket);
            continue;
        }
        matched[socket] = 0;
        watch(epoll, socket, EPOLLIN | EPOLLET);
    }
}

static void hear(int socket, uint64_t hold) {
    static const char end[] = "\r\n\r\n";
    char bytes[4096];
    ssize_t got;
    while ((got = read(socket, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            unsigned char seen = matched[socket];
            matched[socket] = bytes[i] == end[seen] ? seen + 1 : bytes[i] == end[0];
            if (matched[socket] < 4) continue;
            matched[socket] = 0;
            if (count < CONNECTIONS) queue[(first + count++) % CONNECTIONS] = (struct held){socket, now() + hold};
        }
    }
    if (got == 0 || errno != EAGAIN) close(socket);
}

/// Answers who has waited long enough, and returns for how long nobody has.
static int answer(void) {
    static const char response[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 64\r\n\r\n"
                                   "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    uint64_t time = now();
    while (count && queue[first].due <= time) {
        send(queue[first].socket, response, sizeof response - 1, MSG_NOSIGNAL);
        first = (first + 1) % CONNECTIONS;
        count--;
    }
    return count ? (int)(queue[first].due - time) : -1;
}

int main(int argument_count, char *arguments[]) {
    uint64_t hold = argument_count > 1 ? strtoull(arguments[1], NULL, 10) * 1000 : 8000;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    int listener = listen_anywhere(), epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0) fail("epoll_create1");
    watch(epoll, listener, EPOLLIN | EPOLLET);
    watch(epoll, STDIN_FILENO, EPOLLIN);
    while (true) {
        struct epoll_event events[512];
        int ready = epoll_wait(epoll, events, 512, answer());
        for (int i = 0; i < ready; i++) {
            int descriptor = events[i].data.fd;
            if (descriptor == STDIN_FILENO) return 0;
            if (descriptor == listener) welcome(epoll, listener);
            else hear(descriptor, hold);
        }
    }
}
