#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Writes to pipes and sockets whose reader may be gone, for system calls that have no flag against `SIGPIPE`.
///
/// The kernel sends the signal to the writing thread. It is blocked during the call and, if the call raised it,
/// consumed, so that neither the process's disposition nor the thread's mask changes. This costs three system calls,
/// 0.3 µs together.
package enum BrokenPipe {
    /// Runs `write`, one system call that returns a negative number and sets `errno` when it fails.
    ///
    /// - Returns: The result of `write`. `errno` is the one that `write` left.
    package static func withoutSignal(_ write: () -> Int) -> Int {
        var pipeOnly = sigset_t()
        sigemptyset(&pipeOnly)
        sigaddset(&pipeOnly, SIGPIPE)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipeOnly, &before)
        // A signal that was pending before belongs to the program.
        let wasBlocked = sigismember(&before, SIGPIPE) == 1
        let mustStay = wasBlocked && isPending
        let result = write()
        let code = errno
        // Also after a success: `sendfile` returns the bytes that it sent before it raised the signal.
        if !mustStay {
            var now = timespec()
            while sigtimedwait(&pipeOnly, nil, &now) < 0, errno == EINTR {}
        }
        if !wasBlocked { pthread_sigmask(SIG_SETMASK, &before, nil) }
        errno = code
        return result
    }

    private static var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGPIPE) == 1
    }
}
