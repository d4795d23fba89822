// Observes the HTTP/2 sessions that libcurl creates with libnghttp2.
//
// libcurl 7.88 does not tell its user how a stream ended. It calls libnghttp2 through the dynamic linker, so this
// target defines the few functions of libnghttp2 that matter. Each one calls the real function. A session that libcurl
// creates while the calling thread has an owner (airframe_http2_enter) is reported to the observer; every other
// session, of other users of libcurl or of libnghttp2, passes through untouched.
#ifndef AIRFRAME_CCURL_HTTP2_H
#define AIRFRAME_CCURL_HTTP2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A frame that was received or sent.
typedef struct {
    /// The easy handle that the frame's stream belongs to; NULL when it belongs to none.
    void *easy;
    /// The length of the payload.
    size_t length;
    /// The part of the payload that is padding.
    size_t padding;
    /// Why GOAWAY was sent, in libnghttp2's words; not terminated. NULL for frames that were received.
    const char *reason;
    size_t reason_length;
    int32_t stream;
    int32_t last_stream;
    uint32_t code;
    uint8_t type;
    uint8_t flags;
} airframe_http2_frame;

/// What is called about a session. Calls come on the thread that calls libcurl.
typedef struct {
    /// libcurl has created a session. Returns the record that the other calls get.
    void *(*opened)(void *owner, void *session);
    /// Bytes have arrived, and are about to be parsed. A result other than 0 makes libcurl give the connection up.
    int (*read)(void *record, size_t count);
    /// The head of a frame has arrived, of a type that libnghttp2 knows and on a stream that is not closed. A result
    /// other than 0 makes libcurl give the connection up.
    int (*began)(void *record, const airframe_http2_frame *frame);
    /// A frame has arrived, and is valid.
    void (*received)(void *record, const airframe_http2_frame *frame);
    /// A frame was sent.
    void (*sent)(void *record, const airframe_http2_frame *frame);
    /// A stream is closed.
    void (*closed)(void *record, void *easy, uint32_t code);
    /// Whether libcurl is to keep a session that has nothing left to receive.
    bool (*holds)(void *record);
    /// The session is deleted, and its record not used any more.
    void (*ended)(void *record);
} airframe_http2_observer;

/// Sets the observer, before the first session is created.
void airframe_http2_set_observer(const airframe_http2_observer *observer);

/// Names the owner of sessions that the calling thread's calls of libcurl create. Returns the owner before.
void *airframe_http2_enter(void *owner);

/// How many bytes of content a stream may send now; 0 when its window or the connection's is closed.
int32_t airframe_http2_window(void *session, int32_t stream);

#endif
