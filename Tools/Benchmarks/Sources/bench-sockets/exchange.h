// One HTTP/1.1 exchange over a socket that does not block.

#pragma once

#include <benchmark.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

/// Where requests go, and their bytes: they are all the same.
struct target {
    struct sockaddr_storage address;
    socklen_t address_size;
    char *request;
    size_t request_size;
    int file;
    off_t file_size;
    bool closes;
    /// Whether bodies are written to files.
    bool writes;
    /// For https; NULL in the clear.
    SSL_CTX *tls;
    char host[256];
};

/// Reads the URL and opens the file to upload; ends the program when either does not serve.
struct target target_make(const struct benchmark_options *options);

enum progress { RESTING, SENDING, RECEIVING, DONE, FAILED };

struct exchange {
    /// -1 while there is no connection.
    int socket;
    /// NULL in the clear.
    SSL *tls;
    enum progress progress;
    size_t request_sent;
    off_t file_sent;
    /// The response's head until it is whole; then the bytes of the body that are to come.
    char head[8192];
    size_t head_size;
    bool has_head;
    unsigned long long body_left;
    /// Whether the body goes to a file, and to which.
    bool writes;
    int output;
};

/// Connects: the socket does not block from then on. Says why not.
bool exchange_connect(struct exchange *exchange, const struct target *target);

/// Sends as much as the socket takes. False: it failed, and the connection is closed.
bool exchange_start(struct exchange *exchange, const struct target *target);

/// Goes on when the socket is ready.
void exchange_continue(struct exchange *exchange, const struct target *target);

/// Ends the exchange; the connection too, unless it can serve again.
void exchange_rest(struct exchange *exchange);
