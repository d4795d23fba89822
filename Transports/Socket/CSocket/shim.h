// The parts of Linux's socket interface that Swift's Glibc module lacks: headers, and macros as constants. No logic
// lives here.
#ifndef AIRFRAME_CSOCKET_H
#define AIRFRAME_CSOCKET_H

#include <net/if.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/un.h>
#include <time.h>

#define AIRFRAME_SOCKET_INLINE static inline __attribute__((always_inline))

static const uint32_t airframe_epoll_watch = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
static const uint32_t airframe_epoll_bell = EPOLLIN | EPOLLET;
static const uint32_t airframe_epoll_silent = EPOLLONESHOT;
static const uint32_t airframe_epoll_once = EPOLLIN | EPOLLONESHOT;
static const uint32_t airframe_epoll_readable = EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR;
static const uint32_t airframe_epoll_writable = EPOLLOUT | EPOLLHUP | EPOLLERR;
static const uint32_t airframe_epoll_ended = EPOLLRDHUP | EPOLLHUP | EPOLLERR;

static const int airframe_epoll_cloexec = EPOLL_CLOEXEC;
static const int airframe_eventfd_flags = EFD_CLOEXEC | EFD_NONBLOCK;

// glibc declares ppoll only with _GNU_SOURCE, which a module map cannot define.
extern int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *limit, const sigset_t *mask);

AIRFRAME_SOCKET_INLINE int airframe_socket_poll(int descriptor, short events, long nanoseconds) {
    struct pollfd wish = {.fd = descriptor, .events = events, .revents = 0};
    struct timespec limit = {.tv_sec = 0, .tv_nsec = nanoseconds};
    return ppoll(&wish, 1, &limit, NULL);
}

// The number of bytes in the send queue; 0 if it is not known.
AIRFRAME_SOCKET_INLINE int airframe_socket_unsent(int descriptor) {
    int count = 0;
    return ioctl(descriptor, TIOCOUTQ, &count) == 0 ? count : 0;
}

/* Sleeps for less than a second; a signal ends the sleep. */
AIRFRAME_SOCKET_INLINE void airframe_sleep(long nanoseconds) {
    struct timespec duration = {.tv_sec = 0, .tv_nsec = nanoseconds};
    nanosleep(&duration, NULL);
}

#endif
