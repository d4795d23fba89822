internal import CSocket
internal import Glibc

/// Dedicated threads for work that blocks in the kernel and must not occupy a thread of Swift's pool.
enum Thread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new detached thread. Returns the system's error code, or 0.
    static func detach(_ name: StaticString, _ body: @escaping @Sendable () -> Void) -> Int32 {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(
            Body {
                name.withUTF8Buffer { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.map(airframe_socket_name_thread) }
                }
                body()
            }
        )
        let code = pthread_create(
            &thread,
            nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            },
            argument.toOpaque()
        )
        guard code == 0 else {
            argument.release()
            return code
        }
        pthread_detach(thread)
        return 0
    }
}
