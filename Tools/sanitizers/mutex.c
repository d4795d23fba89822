// Reports to ThreadSanitizer what Swift's Mutex does under contention.
//
// A free lock is acquired and released by inlined atomic instructions, which the sanitizer sees. A contended lock goes
// through libswiftSynchronization and the kernel (futex, PI), neither of which is instrumented, so that the sanitizer
// reports accesses under the lock as races. These functions are preloaded, interpose the library's, and add the missing
// annotations.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Absent in programs without the sanitizer, which also preload the library, such as `swift test`.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// `_MutexHandle._lockSlow(UInt32)`, `_tryLockSlow()` and `_unlockSlow()` by their names in the library.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lockSlow(uint32_t thread, SELF void *handle) __asm__(LOCK_SLOW);
SWIFT bool tryLockSlow(SELF void *handle) __asm__(TRY_LOCK_SLOW);
SWIFT void unlockSlow(SELF void *handle) __asm__(UNLOCK_SLOW);

SWIFT void lockSlow(uint32_t thread, SELF void *handle) {
    SWIFT void (*real)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK_SLOW);
    real(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT bool tryLockSlow(SELF void *handle) {
    SWIFT bool (*real)(SELF void *) = dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
    bool isLocked = real(handle);
    if (isLocked && __tsan_acquire) __tsan_acquire(handle);
    return isLocked;
}

SWIFT void unlockSlow(SELF void *handle) {
    SWIFT void (*real)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(handle);
    real(handle);
}
