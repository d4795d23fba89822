// Tells ThreadSanitizer what Swift's Mutex does when threads contend for it.
//
// A lock that is free is taken and let go by atomic instructions in our own code, which the sanitizer sees. One that is not
// goes through libswiftSynchronization and from there to the kernel (futex, PI), and neither of them was built for the
// sanitizer: it takes what the lock guards for a race. Preloaded, these functions stand before those of the library and
// add the words that are missing.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Not there in programs without the sanitizer, which get the library as well: `swift test` is one.
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
