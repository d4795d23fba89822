// libnghttp2's interface. Its macros and unions are imported as they are; no logic lives here.
#ifndef AIRFRAME_CNGHTTP2_H
#define AIRFRAME_CNGHTTP2_H

#include <nghttp2/nghttp2.h>

#define AIRFRAME_NGHTTP2_INLINE static inline __attribute__((always_inline))

// Swift reads a member of a union by copying all of it.
AIRFRAME_NGHTTP2_INLINE uint8_t airframe_h2_type(const nghttp2_frame *frame) { return frame->hd.type; }
AIRFRAME_NGHTTP2_INLINE uint8_t airframe_h2_flags(const nghttp2_frame *frame) { return frame->hd.flags; }
AIRFRAME_NGHTTP2_INLINE int32_t airframe_h2_stream(const nghttp2_frame *frame) { return frame->hd.stream_id; }
AIRFRAME_NGHTTP2_INLINE size_t airframe_h2_length(const nghttp2_frame *frame) { return frame->hd.length; }

// The entry of a field. libnghttp2 copies names and values before the call that takes them returns.
AIRFRAME_NGHTTP2_INLINE nghttp2_nv airframe_h2_field(
    const uint8_t *name, size_t name_length, const uint8_t *value, size_t value_length, int is_sensitive) {
    nghttp2_nv field = {
        .name = (uint8_t *)name,
        .value = (uint8_t *)value,
        .namelen = name_length,
        .valuelen = value_length,
        .flags = is_sensitive ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE,
    };
    return field;
}

#endif
