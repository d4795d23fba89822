import Synchronization

/// How many body bytes the kernel has taken, by the id that a client gave its request.
///
/// It runs ahead of what the client has read by what the sockets' buffers on both sides hold, some megabytes on
/// loopback: backpressure shows as a number that stops growing.
final class WriteMeter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func add(_ count: Int, to id: String) {
        counts.withLock { $0[id, default: 0] += count }
    }

    func count(of id: String) -> Int {
        counts.withLock { $0[id, default: 0] }
    }
}
