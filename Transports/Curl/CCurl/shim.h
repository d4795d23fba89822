// libcurl for Swift: its variadic calls as typed inline functions, and constants that are macros. No logic lives here.
#ifndef AIRFRAME_CCURL_H
#define AIRFRAME_CCURL_H

#include <curl/curl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define AIRFRAME_CURL_INLINE static inline __attribute__((always_inline))

// curl_easy_setopt, by the type of its argument.

AIRFRAME_CURL_INLINE CURLcode airframe_setopt_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_data(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_debug(CURL *easy, curl_debug_callback value) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_seek(CURL *easy, curl_seek_callback value) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_xferinfo(CURL *easy, curl_xferinfo_callback value) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_trailer(CURL *easy, curl_trailer_callback value) {
    return curl_easy_setopt(easy, CURLOPT_TRAILERFUNCTION, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_resolver_start(CURL *easy, curl_resolver_start_callback value) {
    return curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_opensocket(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_closesocket(CURL *easy, curl_closesocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_prerequest(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_setopt_tls_context(CURL *easy, curl_ssl_ctx_callback value) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, value);
}

// curl_easy_getinfo, by the type of its answer.

AIRFRAME_CURL_INLINE CURLcode airframe_getinfo_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_getinfo_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_getinfo_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_getinfo_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}
AIRFRAME_CURL_INLINE CURLcode airframe_getinfo_tls(CURL *easy, struct curl_tlssessioninfo **value) {
    return curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, value);
}

// curl_multi_setopt and curl_share_setopt.

AIRFRAME_CURL_INLINE CURLMcode airframe_multi_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
AIRFRAME_CURL_INLINE CURLMcode airframe_multi_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}
AIRFRAME_CURL_INLINE CURLMcode airframe_multi_socket(CURLM *multi, curl_socket_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}
AIRFRAME_CURL_INLINE CURLMcode airframe_multi_timer(CURLM *multi, curl_multi_timer_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}
AIRFRAME_CURL_INLINE CURLSHcode airframe_share(CURLSH *share, curl_lock_data kind) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, kind);
}
AIRFRAME_CURL_INLINE CURLcode airframe_message_result(const CURLMsg *message) { return message->data.result; }

// The C library declares preadv2 with _GNU_SOURCE only.
AIRFRAME_CURL_INLINE ssize_t airframe_pread_cached(int file, void *bytes, size_t count, int64_t offset) {
    const int rwf_nowait = 8;
    struct iovec part = {bytes, count};
    // The offset in two halves: the kernel drops the upper one where a long has 64 bits.
    return syscall(SYS_preadv2, file, &part, 1L, (long)offset, (long)(offset >> 31 >> 1), rwf_nowait);
}

// Constants that are macros with casts.

enum {
    airframe_writefunc_pause = CURL_WRITEFUNC_PAUSE,
    airframe_readfunc_pause = CURL_READFUNC_PAUSE,
    airframe_readfunc_abort = CURL_READFUNC_ABORT,
    airframe_auth_negotiate = CURLAUTH_NEGOTIATE,
    airframe_auth_ntlm = CURLAUTH_NTLM,
};
static const uint32_t airframe_epoll_in = EPOLLIN;
static const uint32_t airframe_epoll_out = EPOLLOUT;
static const uint32_t airframe_epoll_end = EPOLLRDHUP;
static const uint32_t airframe_epoll_error = EPOLLERR | EPOLLHUP;
static const int airframe_epoll_cloexec = EPOLL_CLOEXEC;
static const int airframe_eventfd_flags = EFD_CLOEXEC | EFD_NONBLOCK;

#endif
