// Reports to ThreadSanitizer that a continuation was resumed before its task waits for it.
//
// A waiting task is resumed by a job, which Swift's runtime reports to the sanitizer. A task that is not waiting yet
// finds the result later, which the runtime does not report: earlier writes of the resuming thread would look like
// races. These functions are preloaded, interpose the runtime's, and add the missing annotations.
//
// A task may be resumed just after it has asked whether it was. So the function that it continues with is replaced by
// one that adds the annotation first. A continuation that cannot throw keeps the original in the place of its error.
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

// The beginning of the runtime's ContinuationAsyncContext.
typedef struct Context Context;
typedef SWIFT_ASYNC void (*Continue)(__attribute__((swift_async_context)) Context *context);
struct Context {
    Context *parent;
    Continue continueParent;
    size_t flags;
    size_t state;
    void *error;
};
static const size_t canThrow = 1;

typedef SWIFT void *(*Initialize)(Context *context, size_t flags);
typedef SWIFT void (*Resume)(void *task);
typedef SWIFT void (*ResumeWithError)(void *task, void *error);
typedef SWIFT_ASYNC void (*Await)(void *context);

SWIFT extern void *swift_task_getCurrent(void) __attribute__((weak));

static void acquire(void) {
    if (__tsan_acquire && swift_task_getCurrent) __tsan_acquire(swift_task_getCurrent());
}

static void release(void *task) {
    if (__tsan_release) __tsan_release(task);
}

static SWIFT_ASYNC void continueAfterAcquiring(__attribute__((swift_async_context)) Context *context) {
    Continue original = (Continue)context->error;
    context->error = NULL;
    acquire();
    __attribute__((musttail)) return original(context);
}

SWIFT void *swift_continuation_init(Context *context, size_t flags) {
    Initialize real = (Initialize)dlsym(RTLD_NEXT, "swift_continuation_init");
    if (flags & canThrow) return real(context, flags);
    Continue original = context->continueParent;
    context->continueParent = continueAfterAcquiring;
    void *task = real(context, flags);
    context->error = (void *)original;
    return task;
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
    acquire();
    Await real = (Await)dlsym(RTLD_NEXT, "swift_continuation_await");
    __attribute__((musttail)) return real(context);
}
