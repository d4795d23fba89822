internal import Glibc

/// Threads for scripts, which block and must not block the threads that run tasks.
enum Thread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new detached thread.
    static func detach(_ body: @escaping @Sendable () -> Void) throws {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // Scripts are shallow, and there may be a thousand of them.
        pthread_attr_setstacksize(&attributes, 512 << 10)
        let argument = Unmanaged.passRetained(Body(body))
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw ScriptError("pthread_create: \(String(cString: strerror(code)))")
        }
        pthread_detach(thread)
    }
}
