internal import CNetlink
internal import Glibc

/// A POSIX thread, without Foundation.
enum Thread {
    /// Runs `body` on its own thread.
    ///
    /// - Returns: Whether the thread was created.
    static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(body))
        // The program's own threads handle signals: block them here, and the new thread inherits the mask. Signals that
        // a thread raises itself remain, so that the program's crash handlers run.
        var others = sigset_t()
        var own = sigset_t()
        sigfillset(&others)
        for signal in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV, SIGSYS, SIGTRAP] {
            sigdelset(&others, signal)
        }
        pthread_sigmask(SIG_BLOCK, &others, &own)
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, runWork, work.toOpaque())
        pthread_sigmask(SIG_SETMASK, &own, nil)
        guard code == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // The name in `top` and debuggers, of at most 15 bytes.
    airframe_name_thread("airframe-path")
    Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}
