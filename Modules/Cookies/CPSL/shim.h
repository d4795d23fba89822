#ifndef AIRFRAME_CPSL_SHIM_H
#define AIRFRAME_CPSL_SHIM_H

#include <libpsl.h>

#endif
