// zlib for Swift: what its header defines as macros, as inline functions. No logic lives here.
#ifndef AIRFRAME_CZLIB_H
#define AIRFRAME_CZLIB_H

#include <zlib.h>

static inline int airframe_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}
static inline int airframe_deflate_init(z_stream *stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

#endif
