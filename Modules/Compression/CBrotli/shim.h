// Brotli for Swift: its two headers as one module. No logic lives here.
#ifndef AIRFRAME_CBROTLI_H
#define AIRFRAME_CBROTLI_H

#include <brotli/decode.h>
#include <brotli/encode.h>

#endif
