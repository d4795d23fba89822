#define _GNU_SOURCE

#include "exchange.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

// Shared by all lanes: bodies are thrown away.
static char buffer[256 * 1024];

static void fail(struct exchange *exchange, const char *sentence) {
    benchmark_explain(sentence);
    exchange->progress = FAILED;
}

bool exchange_connect(struct exchange *exchange, const struct target *target) {
    int one = 1;
    int family = ((const struct sockaddr *)&target->address)->sa_family;
    exchange->socket = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (exchange->socket < 0) {
        benchmark_explain("there is no socket left");
        return false;
    }
    setsockopt(exchange->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const struct sockaddr *address = (const struct sockaddr *)&target->address;
    if (connect(exchange->socket, address, target->address_size) && errno != EINPROGRESS) {
        benchmark_explain("the server cannot be reached");
        exchange_rest(exchange);
        return false;
    }
    return true;
}

static void send_more(struct exchange *exchange, const struct target *target) {
    while (exchange->request_sent < target->request_size) {
        int more = target->file < 0 ? 0 : MSG_MORE;
        const char *rest = target->request + exchange->request_sent;
        size_t size = target->request_size - exchange->request_sent;
        ssize_t sent = send(exchange->socket, rest, size, MSG_NOSIGNAL | more);
        if (sent < 0) {
            // A connection that is being made says ENOTCONN or EAGAIN until it is there.
            if (errno != EAGAIN && errno != ENOTCONN) fail(exchange, "the request cannot be sent");
            return;
        }
        exchange->request_sent += (size_t)sent;
    }
    while (exchange->file_sent < target->file_size) {
        size_t size = (size_t)(target->file_size - exchange->file_sent);
        ssize_t sent = sendfile(exchange->socket, target->file, &exchange->file_sent, size);
        if (sent <= 0) {
            if (sent == 0 || errno != EAGAIN) fail(exchange, "the file cannot be sent");
            return;
        }
    }
    exchange->progress = RECEIVING;
}

/// Reads status and length from a whole head.
static void read_head(struct exchange *exchange, size_t size) {
    char *end = exchange->head + size;
    *end = 0;
    if (exchange->head_size < 12 || exchange->head[9] != '2') return fail(exchange, "the status is not 200");
    const char *length = strcasestr(exchange->head, "\r\nContent-Length:");
    if (!length) return fail(exchange, "the response has no length; bench-sockets reads no chunks");
    exchange->body_left = strtoull(length + 17, NULL, 10);
    exchange->has_head = true;
}

/// Counts bytes of the body.
static void take_body(struct exchange *exchange, size_t size) {
    if (size > exchange->body_left) return fail(exchange, "the server sent more than it said");
    exchange->body_left -= size;
    if (exchange->body_left == 0) exchange->progress = DONE;
}

static void take_head(struct exchange *exchange, size_t size) {
    exchange->head_size += size;
    char *end = memmem(exchange->head, exchange->head_size, "\r\n\r\n", 4);
    if (!end) {
        if (exchange->head_size == sizeof exchange->head) fail(exchange, "the response's head is too long");
        return;
    }
    size_t head = (size_t)(end + 4 - exchange->head);
    size_t body = exchange->head_size - head;
    // The end of the head becomes a zero: it takes the place of the last line feed.
    read_head(exchange, head - 1);
    if (exchange->progress == RECEIVING) take_body(exchange, body);
}

static void receive_more(struct exchange *exchange) {
    while (exchange->progress == RECEIVING) {
        bool has_head = exchange->has_head;
        char *place = has_head ? buffer : exchange->head + exchange->head_size;
        size_t room = has_head ? sizeof buffer : sizeof exchange->head - exchange->head_size;
        ssize_t got = recv(exchange->socket, place, room, 0);
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) return fail(exchange, "the server closed the connection early");
        if (has_head) take_body(exchange, (size_t)got);
        else take_head(exchange, (size_t)got);
    }
}

bool exchange_start(struct exchange *exchange, const struct target *target) {
    exchange->progress = SENDING;
    exchange->request_sent = exchange->head_size = 0;
    exchange->file_sent = 0;
    exchange->has_head = false;
    send_more(exchange, target);
    if (exchange->progress != FAILED) return true;
    exchange_rest(exchange);
    return false;
}

void exchange_continue(struct exchange *exchange, const struct target *target) {
    if (exchange->progress == SENDING) send_more(exchange, target);
    if (exchange->progress == RECEIVING) receive_more(exchange);
    if (exchange->progress == DONE && target->closes) {
        close(exchange->socket);
        exchange->socket = -1;
    }
}

void exchange_rest(struct exchange *exchange) {
    if (exchange->progress != DONE && exchange->socket >= 0) {
        close(exchange->socket);
        exchange->socket = -1;
    }
    exchange->progress = RESTING;
}
