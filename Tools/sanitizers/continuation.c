// Tells ThreadSanitizer what a continuation does that is resumed before its task waits for it.
//
// A task that is waiting already is resumed by a job, of which Swift's runtime tells the sanitizer. One that is not yet finds
// the result when it comes to wait, and of that nothing is told: what the resuming thread wrote before would be taken for
// a race. Preloaded, these functions stand before the runtime's and add the words that are missing.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SWIFT_ASYNC __attribute__((swiftasynccall))

typedef SWIFT void (*Resume)(void *task);
typedef SWIFT void (*ResumeWithError)(void *task, void *error);
typedef SWIFT_ASYNC void (*Await)(void *context);

SWIFT extern void *swift_task_getCurrent(void) __attribute__((weak));

static void release(void *task) {
    if (__tsan_release) __tsan_release(task);
}

SWIFT void swift_continuation_resume(void *task) {
    release(task);
    ((Resume)dlsym(RTLD_NEXT, "swift_continuation_resume"))(task);
}

SWIFT void swift_continuation_throwingResume(void *task) {
    release(task);
    ((Resume)dlsym(RTLD_NEXT, "swift_continuation_throwingResume"))(task);
}

SWIFT void swift_continuation_throwingResumeWithError(void *task, void *error) {
    release(task);
    ((ResumeWithError)dlsym(RTLD_NEXT, "swift_continuation_throwingResumeWithError"))(task, error);
}

SWIFT_ASYNC void swift_continuation_await(void *context) {
    if (__tsan_acquire && swift_task_getCurrent) __tsan_acquire(swift_task_getCurrent());
    Await real = (Await)dlsym(RTLD_NEXT, "swift_continuation_await");
    __attribute__((musttail)) return real(context);
}
