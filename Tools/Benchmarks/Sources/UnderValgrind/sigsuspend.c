// Lets programs with libdispatch run under valgrind 3.19, if it is preloaded.
//
// libdispatch parks the main thread in sigsuspend with a mask in read-only memory. Valgrind removes its own signals
// from the caller's mask in place, and crashes.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    int (*next)(const sigset_t *) = (int (*)(const sigset_t *))dlsym(RTLD_NEXT, "sigsuspend");
    return next(&copy);
}
