// Counts what a program allocates, retains, releases and hands to queues, when it is loaded before all else:
//
//     LD_PRELOAD=libCountCalls.so bench-airframe …
//
// Each function counts and then does what the one of that name that would have been called does. At the end, the counts
// go to the file that COUNT_CALLS names, as JSON. Runs of N and 2N requests differ by what N requests take.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static size_t mallocs, reallocs, frees, retains, releases, dispatches, casts;

static void count(size_t *counter) {
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

// The real function: looked up at the first call, which more than one thread may do.
#define NEXT(name)                                                    \
    ({                                                                \
        static __typeof__(&name) next;                                \
        __typeof__(&name) found;                                      \
        found = __atomic_load_n(&next, __ATOMIC_RELAXED);             \
        if (!found) {                                                 \
            found = (__typeof__(&name))dlsym(RTLD_NEXT, #name);       \
            __atomic_store_n(&next, found, __ATOMIC_RELAXED);         \
        }                                                             \
        found;                                                        \
    })

// glibc's own names: dlsym allocates, so malloc must not need it.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

void *malloc(size_t size) {
    count(&mallocs);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(&mallocs);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count(memory ? &reallocs : &mallocs);
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(&mallocs);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count(&mallocs);
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;
}

void free(void *memory) {
    if (memory) count(&frees);
    __libc_free(memory);
}

void *swift_retain(void *);
void swift_release(void *);
void *swift_retain_n(void *, unsigned);
void swift_release_n(void *, unsigned);
void *swift_bridgeObjectRetain(void *);
void swift_bridgeObjectRelease(void *);
_Bool swift_dynamicCast(void *, void *, const void *, const void *, size_t);
void dispatch_async_f(void *, void *, void (*)(void *));
void dispatch_async(void *, void *);

void *swift_retain(void *object) {
    count(&retains);
    return NEXT(swift_retain)(object);
}

void *swift_retain_n(void *object, unsigned number) {
    count(&retains);
    return NEXT(swift_retain_n)(object, number);
}

void *swift_bridgeObjectRetain(void *object) {
    count(&retains);
    return NEXT(swift_bridgeObjectRetain)(object);
}

void swift_release(void *object) {
    count(&releases);
    NEXT(swift_release)(object);
}

void swift_release_n(void *object, unsigned number) {
    count(&releases);
    NEXT(swift_release_n)(object, number);
}

void swift_bridgeObjectRelease(void *object) {
    count(&releases);
    NEXT(swift_bridgeObjectRelease)(object);
}

_Bool swift_dynamicCast(void *to, void *from, const void *from_type, const void *to_type, size_t flags) {
    count(&casts);
    return NEXT(swift_dynamicCast)(to, from, from_type, to_type, flags);
}

void dispatch_async_f(void *queue, void *context, void (*work)(void *)) {
    count(&dispatches);
    NEXT(dispatch_async_f)(queue, context, work);
}

void dispatch_async(void *queue, void *block) {
    count(&dispatches);
    NEXT(dispatch_async)(queue, block);
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("COUNT_CALLS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(
        file,
        "{\"mallocs\":%zu,\"reallocs\":%zu,\"frees\":%zu,\"retains\":%zu,\"releases\":%zu,\"casts\":%zu,"
        "\"dispatches\":%zu}\n",
        mallocs, reallocs, frees, retains, releases, casts, dispatches
    );
    fclose(file);
}
