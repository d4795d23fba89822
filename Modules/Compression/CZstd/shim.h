// Zstandard for Swift: its two headers as one module. No logic lives here.
#ifndef AIRFRAME_CZSTD_H
#define AIRFRAME_CZSTD_H

#include <zstd.h>
#include <zstd_errors.h>

#endif
