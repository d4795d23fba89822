#define _GNU_SOURCE

#include "exchange.h"

#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void resolve(struct target *target, const char *host, const char *port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    if (getaddrinfo(host, port, &hints, &found)) benchmark_refuse("the URL's host cannot be resolved");
    memcpy(&target->address, found->ai_addr, found->ai_addrlen);
    target->address_size = found->ai_addrlen;
    freeaddrinfo(found);
}

static void open_file(struct target *target, const char *path) {
    struct stat file;
    target->file = open(path, O_RDONLY | O_CLOEXEC);
    if (target->file < 0 || fstat(target->file, &file)) benchmark_refuse("the file to upload cannot be opened");
    target->file_size = file.st_size;
}

static SSL_CTX *make_tls(const struct benchmark_options *options) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context) benchmark_refuse("OpenSSL cannot be set up");
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    bool trusts = options->root ? SSL_CTX_load_verify_locations(context, options->root, NULL)
                                : SSL_CTX_set_default_verify_paths(context);
    if (!trusts) benchmark_refuse("the roots to trust cannot be read");
    return context;
}

struct target target_make(const struct benchmark_options *options) {
    struct target target = {.file = -1, .closes = benchmark_does(options, "new-connection")};
    target.writes = benchmark_does(options, "download-file");
    bool is_secure = !strncmp(options->url, "https://", 8);
    const char *place = options->url + (is_secure ? 8 : 7);
    char port[8], path[2048] = "/";
    snprintf(port, sizeof port, "%s", is_secure ? "443" : "80");
    if (!is_secure && strncmp(options->url, "http://", 7)) benchmark_refuse("bench-sockets takes URLs of http and https");
    int parts = sscanf(place, "%255[^:/]:%7[0-9]%2047s", target.host, port, path);
    if (parts == 1) parts = sscanf(place, "%255[^:/]%2047s", target.host, path);
    if (parts < 1) benchmark_refuse("bench-sockets takes URLs like http://host:port/path");
    resolve(&target, target.host, port);
    if (is_secure) target.tls = make_tls(options);
    const char *host = target.host;

    bool uploads = benchmark_does(options, "upload");
    char length[64] = "";
    if (uploads) {
        if (is_secure) benchmark_refuse("bench-sockets uploads in the clear only");
        open_file(&target, options->file);
        snprintf(length, sizeof length, "Content-Length: %lld\r\n", (long long)target.file_size);
    }
    int size = asprintf(
        &target.request, "%s %s HTTP/1.1\r\nHost: %s:%s\r\nUser-Agent: bench-sockets\r\nAccept: */*\r\n%s%s\r\n",
        uploads ? "PUT" : "GET", path, host, port, length, target.closes ? "Connection: close\r\n" : ""
    );
    if (size < 0) benchmark_refuse("there is no memory left");
    target.request_size = (size_t)size;
    return target;
}
