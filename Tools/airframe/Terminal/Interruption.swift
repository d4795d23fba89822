import Dispatch
import Foundation
import Glibc
import Synchronization

/// SIGINT and SIGTERM: the first cancels what runs, so that files are completed and the terminal is restored; the
/// second ends the process.
enum Interruption {
    /// The received signal, or 0.
    static let signal = Atomic<Int32>(0)

    /// Runs `body`; a signal cancels its task.
    ///
    /// - Throws: What `body` throws, unless a signal arrived: the process then exits with 128 plus its number.
    static func cancelling<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        let sources = [SIGINT, SIGTERM].map { number in
            Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                guard signal.exchange(number, ordering: .relaxed) == 0 else { _exit(128 + number) }
                task.cancel()
            }
            source.resume()
            return source
        }
        let result = await task.result
        for source in sources { source.cancel() }
        let number = signal.load(ordering: .relaxed)
        if number != 0 { Foundation.exit(128 + number) }
        return try result.get()
    }
}
