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

struct target target_make(const struct benchmark_options *options) {
    struct target target = {.file = -1, .closes = benchmark_does(options, "new-connection")};
    char host[256], port[8] = "80", path[2048] = "/";
    int parts = sscanf(options->url, "http://%255[^:/]:%7[0-9]%2047s", host, port, path);
    if (parts == 1) parts = sscanf(options->url, "http://%255[^:/]%2047s", host, path);
    if (parts < 1) benchmark_refuse("bench-sockets takes URLs like http://host:port/path");
    resolve(&target, host, port);

    bool uploads = benchmark_does(options, "upload");
    char length[64] = "";
    if (uploads) {
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
