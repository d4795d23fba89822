internal import Synchronization

/// The first head that a connection with a server brought: the next connection starts from it.
final class KnownHeads: Sendable {
    // Guards the head.
    private let memory = Mutex(HTTP1HeadMemory())

    /// What a new connection starts from.
    var first: HTTP1HeadMemory { memory.withLock { $0 } }

    /// Whether nothing is remembered.
    var isEmpty: Bool { memory.withLock { $0.isEmpty } }

    /// Keeps what a connection remembers after its first exchange.
    func keep(_ heads: HTTP1HeadMemory) { memory.withLock { $0 = heads } }
}
