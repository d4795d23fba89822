#define _GNU_SOURCE
#include "airframe_http2.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The parts of libnghttp2's stable binary interface (libnghttp2.so.14) that are needed, so that its headers need not be
// installed.

typedef struct nghttp2_session nghttp2_session;
typedef struct nghttp2_session_callbacks nghttp2_session_callbacks;

typedef struct {
    size_t length;
    int32_t stream_id;
    uint8_t type;
    uint8_t flags;
    uint8_t reserved;
} frame_head;

// DATA and HEADERS continue with the length of their padding, RST_STREAM with its code, GOAWAY as here.
typedef struct {
    frame_head head;
    size_t padding;
} padded_frame;

typedef struct {
    frame_head head;
    uint32_t code;
} reset_frame;

typedef struct {
    frame_head head;
    int32_t last_stream;
    uint32_t code;
    const uint8_t *debug_data;
    size_t debug_length;
} goaway_frame;

enum { type_data = 0, type_headers = 1, type_reset = 3, type_goaway = 7, callback_failure = -902 };

typedef int (*begin_frame_callback)(nghttp2_session *, const frame_head *, void *);
typedef int (*frame_callback)(nghttp2_session *, const void *, void *);
typedef int (*close_callback)(nghttp2_session *, int32_t, uint32_t, void *);

// What libcurl has set, which is called as well.
typedef struct {
    nghttp2_session_callbacks *owner;
    begin_frame_callback begin;
    frame_callback received;
    frame_callback sent;
    close_callback closed;
} callbacks;

typedef struct watched_session {
    nghttp2_session *session;
    void *record;
    callbacks next;
    struct watched_session *following;
} watched_session;

static airframe_http2_observer observer;
static _Thread_local void *current_owner;
static _Thread_local callbacks pending;

void airframe_http2_set_observer(const airframe_http2_observer *value) { observer = *value; }

void *airframe_http2_enter(void *owner) {
    void *previous = current_owner;
    current_owner = owner;
    return previous;
}

// MARK: The real functions

typedef void (*any_callback)(void);
typedef void (*setter)(nghttp2_session_callbacks *, any_callback);

static struct {
    void *(*stream_user_data)(nghttp2_session *, int32_t);
    int32_t (*connection_window)(nghttp2_session *);
    int32_t (*stream_window)(nghttp2_session *, int32_t);
    setter set_begin;
    setter set_received;
    setter set_sent;
    setter set_closed;
    int (*client_new)(nghttp2_session **, const nghttp2_session_callbacks *, void *);
    int (*client_new2)(nghttp2_session **, const nghttp2_session_callbacks *, void *, const void *);
    int (*client_new3)(nghttp2_session **, const nghttp2_session_callbacks *, void *, const void *, void *);
    ptrdiff_t (*mem_recv)(nghttp2_session *, const uint8_t *, size_t);
    ptrdiff_t (*mem_recv2)(nghttp2_session *, const uint8_t *, size_t);
    int (*want_read)(nghttp2_session *);
    void (*del)(nghttp2_session *);
} real;

static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) {
#define LOAD(member, name) real.member = (__typeof__(real.member))dlsym(RTLD_NEXT, name)
    LOAD(stream_user_data, "nghttp2_session_get_stream_user_data");
    LOAD(connection_window, "nghttp2_session_get_remote_window_size");
    LOAD(stream_window, "nghttp2_session_get_stream_remote_window_size");
    LOAD(set_begin, "nghttp2_session_callbacks_set_on_begin_frame_callback");
    LOAD(set_received, "nghttp2_session_callbacks_set_on_frame_recv_callback");
    LOAD(set_sent, "nghttp2_session_callbacks_set_on_frame_send_callback");
    LOAD(set_closed, "nghttp2_session_callbacks_set_on_stream_close_callback");
    LOAD(client_new, "nghttp2_session_client_new");
    LOAD(client_new2, "nghttp2_session_client_new2");
    LOAD(client_new3, "nghttp2_session_client_new3");
    LOAD(mem_recv, "nghttp2_session_mem_recv");
    LOAD(mem_recv2, "nghttp2_session_mem_recv2");
    LOAD(want_read, "nghttp2_session_want_read");
    LOAD(del, "nghttp2_session_del");
#undef LOAD
}

static bool is_complete(void) {
    return real.stream_user_data && real.connection_window && real.stream_window && real.set_begin && real.set_received
        && real.set_sent && real.set_closed && real.want_read && real.del;
}

static void *stream_user_data(nghttp2_session *session, int32_t stream) {
    return stream > 0 ? real.stream_user_data(session, stream) : NULL;
}

int32_t airframe_http2_window(void *session, int32_t stream) {
    int32_t connection = real.connection_window(session);
    int32_t own = real.stream_window(session, stream);
    return connection < own ? connection : own;
}

// MARK: The sessions that are watched

// Looked up for each frame: a chain is one or two entries long.
enum { chain_count = 1024 };
static watched_session *chains[chain_count];
static pthread_mutex_t chains_lock = PTHREAD_MUTEX_INITIALIZER;

static watched_session **chain_of(nghttp2_session *session) {
    uintptr_t number = (uintptr_t)session;
    return &chains[(number >> 4 ^ number >> 14) % chain_count];
}

// An entry is removed by the thread that deletes its session, and no other uses the session then.
static watched_session *find(nghttp2_session *session) {
    pthread_mutex_lock(&chains_lock);
    watched_session *entry = *chain_of(session);
    while (entry && entry->session != session) entry = entry->following;
    pthread_mutex_unlock(&chains_lock);
    return entry;
}

static void insert(watched_session *entry) {
    pthread_mutex_lock(&chains_lock);
    watched_session **chain = chain_of(entry->session);
    entry->following = *chain;
    *chain = entry;
    pthread_mutex_unlock(&chains_lock);
}

static watched_session *take(nghttp2_session *session) {
    pthread_mutex_lock(&chains_lock);
    watched_session **place = chain_of(session);
    while (*place && (*place)->session != session) place = &(*place)->following;
    watched_session *entry = *place;
    if (entry) *place = entry->following;
    pthread_mutex_unlock(&chains_lock);
    return entry;
}

// MARK: Callbacks

static airframe_http2_frame describe(nghttp2_session *session, const frame_head *head) {
    airframe_http2_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.length = head->length;
    frame.stream = head->stream_id;
    frame.type = head->type;
    frame.flags = head->flags;
    frame.easy = stream_user_data(session, head->stream_id);
    return frame;
}

static airframe_http2_frame describe_whole(nghttp2_session *session, const void *whole) {
    airframe_http2_frame frame = describe(session, whole);
    switch (frame.type) {
    case type_data:
    case type_headers: frame.padding = ((const padded_frame *)whole)->padding; break;
    case type_reset: frame.code = ((const reset_frame *)whole)->code; break;
    case type_goaway:
        frame.code = ((const goaway_frame *)whole)->code;
        frame.last_stream = ((const goaway_frame *)whole)->last_stream;
        break;
    default: break;
    }
    return frame;
}

static int on_begin_frame(nghttp2_session *session, const frame_head *head, void *user_data) {
    watched_session *entry = find(session);
    if (!entry) return callback_failure;
    airframe_http2_frame frame = describe(session, head);
    if (observer.began(entry->record, &frame) != 0) return callback_failure;
    return entry->next.begin ? entry->next.begin(session, head, user_data) : 0;
}

static int on_frame_received(nghttp2_session *session, const void *whole, void *user_data) {
    watched_session *entry = find(session);
    if (!entry) return callback_failure;
    airframe_http2_frame frame = describe_whole(session, whole);
    observer.received(entry->record, &frame);
    return entry->next.received ? entry->next.received(session, whole, user_data) : 0;
}

static int on_frame_sent(nghttp2_session *session, const void *whole, void *user_data) {
    watched_session *entry = find(session);
    if (!entry) return callback_failure;
    airframe_http2_frame frame = describe_whole(session, whole);
    if (frame.type == type_goaway) {
        frame.reason = (const char *)((const goaway_frame *)whole)->debug_data;
        frame.reason_length = ((const goaway_frame *)whole)->debug_length;
    }
    observer.sent(entry->record, &frame);
    return entry->next.sent ? entry->next.sent(session, whole, user_data) : 0;
}

static int on_stream_closed(nghttp2_session *session, int32_t stream, uint32_t code, void *user_data) {
    watched_session *entry = find(session);
    if (!entry) return callback_failure;
    void *easy = stream_user_data(session, stream);
    if (easy) observer.closed(entry->record, easy, code);
    return entry->next.closed ? entry->next.closed(session, stream, code, user_data) : 0;
}

// MARK: The functions of libnghttp2 that libcurl calls
//
// They are weak: where libcurl and libnghttp2 are linked statically, libnghttp2's own definitions win, nothing is
// observed, and the self-check finds that out.

#define INTERPOSED __attribute__((weak, visibility("default")))

#define INTERPOSE_SETTER(name, member, type) \
    INTERPOSED void name(nghttp2_session_callbacks *set, type callback); \
    void name(nghttp2_session_callbacks *set, type callback) { \
        pthread_once(&loading, load); \
        if (current_owner) { \
            if (pending.owner != set) { \
                memset(&pending, 0, sizeof pending); \
                pending.owner = set; \
            } \
            pending.member = callback; \
        } \
        if (real.set_##member) real.set_##member(set, (any_callback)callback); \
    }

INTERPOSE_SETTER(nghttp2_session_callbacks_set_on_begin_frame_callback, begin, begin_frame_callback)
INTERPOSE_SETTER(nghttp2_session_callbacks_set_on_frame_recv_callback, received, frame_callback)
INTERPOSE_SETTER(nghttp2_session_callbacks_set_on_frame_send_callback, sent, frame_callback)
INTERPOSE_SETTER(nghttp2_session_callbacks_set_on_stream_close_callback, closed, close_callback)

// Whether an address is within libcurl: only its sessions have easy handles as the user data of their streams.
static bool is_in_libcurl(const void *address) {
    static void *base;
    Dl_info info;
    if (!base) {
        void *known = dlsym(RTLD_DEFAULT, "curl_multi_socket_action");
        if (!known || !dladdr(known, &info)) return false;
        base = info.dli_fbase;
    }
    return dladdr(address, &info) && info.dli_fbase == base;
}

/// Puts the observing callbacks in front of those that libcurl has set. Returns the entry for the session.
static watched_session *prepare(nghttp2_session_callbacks *set, const void *caller) {
    if (!current_owner || pending.owner != set || !observer.opened || !is_complete()) return NULL;
    if (!is_in_libcurl(caller)) return NULL;
    watched_session *entry = calloc(1, sizeof *entry);
    if (!entry) return NULL;
    entry->next = pending;
    real.set_begin(set, (any_callback)on_begin_frame);
    real.set_received(set, (any_callback)on_frame_received);
    real.set_sent(set, (any_callback)on_frame_sent);
    real.set_closed(set, (any_callback)on_stream_closed);
    return entry;
}

static int finish(watched_session *entry, nghttp2_session **session, int result) {
    memset(&pending, 0, sizeof pending);
    if (!entry) return result;
    if (result != 0) {
        free(entry);
        return result;
    }
    entry->session = *session;
    entry->record = observer.opened(current_owner, *session);
    insert(entry);
    return result;
}

enum { invalid_state = -519 };

INTERPOSED int nghttp2_session_client_new(nghttp2_session **, const nghttp2_session_callbacks *, void *);
int nghttp2_session_client_new(nghttp2_session **session, const nghttp2_session_callbacks *set, void *user_data) {
    pthread_once(&loading, load);
    if (!real.client_new) return invalid_state;
    watched_session *entry = prepare((nghttp2_session_callbacks *)set, __builtin_return_address(0));
    return finish(entry, session, real.client_new(session, set, user_data));
}

INTERPOSED int nghttp2_session_client_new2(
    nghttp2_session **, const nghttp2_session_callbacks *, void *, const void *);
int nghttp2_session_client_new2(
    nghttp2_session **session, const nghttp2_session_callbacks *set, void *user_data, const void *option) {
    pthread_once(&loading, load);
    if (!real.client_new2) return invalid_state;
    watched_session *entry = prepare((nghttp2_session_callbacks *)set, __builtin_return_address(0));
    return finish(entry, session, real.client_new2(session, set, user_data, option));
}

INTERPOSED int nghttp2_session_client_new3(
    nghttp2_session **, const nghttp2_session_callbacks *, void *, const void *, void *);
int nghttp2_session_client_new3(
    nghttp2_session **session, const nghttp2_session_callbacks *set, void *user_data, const void *option,
    void *memory) {
    pthread_once(&loading, load);
    if (!real.client_new3) return invalid_state;
    watched_session *entry = prepare((nghttp2_session_callbacks *)set, __builtin_return_address(0));
    return finish(entry, session, real.client_new3(session, set, user_data, option, memory));
}

static bool may_read(nghttp2_session *session, size_t count) {
    watched_session *entry = find(session);
    return !entry || observer.read(entry->record, count) == 0;
}

INTERPOSED ptrdiff_t nghttp2_session_mem_recv(nghttp2_session *, const uint8_t *, size_t);
ptrdiff_t nghttp2_session_mem_recv(nghttp2_session *session, const uint8_t *bytes, size_t count) {
    pthread_once(&loading, load);
    if (!real.mem_recv || !may_read(session, count)) return callback_failure;
    return real.mem_recv(session, bytes, count);
}

// The same since libnghttp2 1.60.
INTERPOSED ptrdiff_t nghttp2_session_mem_recv2(nghttp2_session *, const uint8_t *, size_t);
ptrdiff_t nghttp2_session_mem_recv2(nghttp2_session *session, const uint8_t *bytes, size_t count) {
    pthread_once(&loading, load);
    if (!real.mem_recv2 || !may_read(session, count)) return callback_failure;
    return real.mem_recv2(session, bytes, count);
}

INTERPOSED int nghttp2_session_want_read(nghttp2_session *);
int nghttp2_session_want_read(nghttp2_session *session) {
    pthread_once(&loading, load);
    if (!real.want_read) return 0;
    int result = real.want_read(session);
    if (result) return result;
    watched_session *entry = find(session);
    return entry && observer.holds(entry->record) ? 1 : 0;
}

INTERPOSED void nghttp2_session_del(nghttp2_session *);
void nghttp2_session_del(nghttp2_session *session) {
    pthread_once(&loading, load);
    watched_session *entry = take(session);
    if (real.del) real.del(session);
    if (!entry) return;
    observer.ended(entry->record);
    free(entry);
}
