#ifndef AIRFRAME_CHIREDIS_SHIM_H
#define AIRFRAME_CHIREDIS_SHIM_H

#include <hiredis/hiredis.h>

#endif
