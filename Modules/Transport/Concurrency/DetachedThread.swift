#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Starts detached threads for work that blocks.
package enum DetachedThread {
    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            // Signals are left to the program's own threads, except those that a thread raises itself. Blocked, these
            // would end the process without the program's crash handlers. Threads that Swift's pool starts from this
            // one inherit the mask.
            var others = sigset_t()
            sigfillset(&others)
            for signal in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV, SIGSYS, SIGTRAP] {
                sigdelset(&others, signal)
            }
            pthread_sigmask(SIG_BLOCK, &others, nil)
            DetachedThread.setName(name)
            body()
        }
    }

    /// Starts a thread that runs `body` and ends.
    ///
    /// - Parameter name: The thread's name for `top` and debuggers, of at most 15 bytes.
    /// - Returns: 0, or the system's error; `body` then never runs.
    package static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
        let argument = Unmanaged.passRetained(Start(name, body)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                #if canImport(Darwin)
                    Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
                #else
                    if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run() }
                #endif
                return nil
            }, argument)
        pthread_attr_destroy(&attributes)
        if code != 0 { Unmanaged<Start>.fromOpaque(argument).release() }
        return code
    }

    /// Names the calling thread. Swift imports neither `prctl` nor `pthread_setname_np`.
    private static func setName(_ name: String) {
        #if os(Linux)
            let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return }
            let name = Array(name.utf8)
            _ = write(file, name, name.count)
            close(file)
        #endif
    }
}
