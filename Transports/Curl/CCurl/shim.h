// libcurl for Swift: its variadic calls as typed inline functions. No logic lives here.
#ifndef AIRFRAME_CCURL_H
#define AIRFRAME_CCURL_H

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
