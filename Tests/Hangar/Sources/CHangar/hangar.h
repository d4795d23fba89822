// What Hangar takes from the system: codecs, digests, and epoll (Glibc's module map leaves it out).
#pragma once
#include <brotli/encode.h>
#include <openssl/evp.h>
#include <sys/epoll.h>
#include <zlib.h>
#include <zstd.h>
