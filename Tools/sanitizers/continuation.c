// Reports to ThreadSanitizer that a continuation was resumed before its task waits for it.
//
// A waiting task is resumed by a job, which Swift's runtime reports to the sanitizer. A task that is not waiting yet
// finds the result later, which the runtime does not report: earlier writes of the resuming thread would look like
// races. These functions are preloaded, interpose the runtime's, and add the missing annotations.
//
// They do not see CheckedContinuation, whose functions in libswift_Concurrency call the runtime's directly. A report of
// a race between the creation of an object and its first use by a task that received it so is a false one.

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
