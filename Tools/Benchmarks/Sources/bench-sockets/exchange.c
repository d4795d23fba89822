#define _GNU_SOURCE

#include "exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <stdio.h>
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

static void disconnect(struct exchange *exchange) {
    SSL_free(exchange->tls);
    exchange->tls = NULL;
    if (exchange->socket >= 0) close(exchange->socket);
    exchange->socket = -1;
}

/// What OpenSSL says, in the words of the system's calls.
static ssize_t plain(struct exchange *exchange, int result) {
    if (result > 0) return result;
    int error = SSL_get_error(exchange->tls, result);
    if (error == SSL_ERROR_ZERO_RETURN) return 0;
    bool waits = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
    if (!waits) benchmark_explain(ERR_reason_error_string(ERR_peek_error()));
    errno = waits || (error == SSL_ERROR_SYSCALL && errno == ENOTCONN) ? EAGAIN : EPROTO;
    return -1;
}

static ssize_t put(struct exchange *exchange, const char *bytes, size_t size, int flags) {
    if (!exchange->tls) return send(exchange->socket, bytes, size, MSG_NOSIGNAL | flags);
    ERR_clear_error();
    return plain(exchange, SSL_write(exchange->tls, bytes, (int)size));
}

static ssize_t take(struct exchange *exchange, char *bytes, size_t size) {
    if (!exchange->tls) return recv(exchange->socket, bytes, size, 0);
    ERR_clear_error();
    return plain(exchange, SSL_read(exchange->tls, bytes, (int)size));
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
    if (!target->tls) return true;
    exchange->tls = SSL_new(target->tls);
    if (!exchange->tls || !SSL_set_fd(exchange->tls, exchange->socket)) benchmark_refuse("OpenSSL has no memory left");
    SSL_set_tlsext_host_name(exchange->tls, target->host);
    X509_VERIFY_PARAM *expected = SSL_get0_param(exchange->tls);
    if (!X509_VERIFY_PARAM_set1_ip_asc(expected, target->host) && !SSL_set1_host(exchange->tls, target->host)) {
        benchmark_refuse("the URL has no host to verify");
    }
    SSL_set_connect_state(exchange->tls);
    return true;
}

static void send_more(struct exchange *exchange, const struct target *target) {
    while (exchange->request_sent < target->request_size) {
        int more = target->file < 0 ? 0 : MSG_MORE;
        const char *rest = target->request + exchange->request_sent;
        size_t size = target->request_size - exchange->request_sent;
        ssize_t sent = put(exchange, rest, size, more);
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

/// Has the body go to a new file, as a client does that has yet to move it to its place.
static void open_output(struct exchange *exchange) {
    char path[4096];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/bench-sockets.XXXXXX", folder ? folder : "/tmp");
    exchange->output = mkostemp(path, O_CLOEXEC);
    if (exchange->output < 0 || unlink(path)) benchmark_refuse("there can be no file to download to");
}

/// Counts bytes of the body, and writes them to its file if it has one.
static void take_body(struct exchange *exchange, const char *bytes, size_t size) {
    if (size > exchange->body_left) return fail(exchange, "the server sent more than it said");
    for (size_t written = 0; exchange->writes && written < size;) {
        ssize_t count = write(exchange->output, bytes + written, size - written);
        if (count < 0) return fail(exchange, "the file cannot be written");
        written += (size_t)count;
    }
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
    if (exchange->progress == RECEIVING) take_body(exchange, exchange->head + head, body);
}

static void receive_more(struct exchange *exchange) {
    while (exchange->progress == RECEIVING) {
        bool has_head = exchange->has_head;
        char *place = has_head ? buffer : exchange->head + exchange->head_size;
        size_t room = has_head ? sizeof buffer : sizeof exchange->head - exchange->head_size;
        ssize_t got = take(exchange, place, room);
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) return fail(exchange, "the server closed the connection early");
        if (has_head) take_body(exchange, buffer, (size_t)got);
        else take_head(exchange, (size_t)got);
    }
}

bool exchange_start(struct exchange *exchange, const struct target *target) {
    exchange->progress = SENDING;
    exchange->request_sent = exchange->head_size = 0;
    exchange->file_sent = 0;
    exchange->has_head = false;
    exchange->writes = target->writes;
    if (exchange->writes) open_output(exchange);
    send_more(exchange, target);
    if (exchange->progress != FAILED) return true;
    exchange_rest(exchange);
    return false;
}

void exchange_continue(struct exchange *exchange, const struct target *target) {
    if (exchange->progress == SENDING) send_more(exchange, target);
    if (exchange->progress == RECEIVING) receive_more(exchange);
    if (exchange->progress == DONE && target->closes) disconnect(exchange);
}

void exchange_rest(struct exchange *exchange) {
    if (exchange->progress != DONE) disconnect(exchange);
    if (exchange->writes) close(exchange->output);
    exchange->writes = false;
    exchange->progress = RESTING;
}
