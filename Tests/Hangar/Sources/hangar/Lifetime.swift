import Foundation

/// When the process ends: on a signal, or when the parent that holds its standard input is gone.
enum Lifetime {
    static func install(exitOnEOF: Bool) {
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in _exit(0) }
        }
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        if exitOnEOF {
            Thread.detachNewThread(waitForEndOfInput)
        }
    }

    private static func waitForEndOfInput() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count > 0 || (count < 0 && errno == EINTR) { continue }
            _exit(0)
        }
    }

    /// A thousand concurrent connections need more than the usual soft limit of 1024 descriptors.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
