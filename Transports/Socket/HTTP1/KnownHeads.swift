internal import Synchronization

/// The first response head of a server, with which the memory of new connections starts.
final class KnownHeads: Sendable {
    // Guards the head.
    private let memory = Mutex(HTTP1HeadMemory())

    /// The memory with which a new connection starts.
    var first: HTTP1HeadMemory { memory.withLock { $0 } }

    /// Whether no head is remembered.
    var isEmpty: Bool { memory.withLock { $0.isEmpty } }

    /// Stores a connection's memory after its first exchange.
    func keep(_ heads: HTTP1HeadMemory) { memory.withLock { $0 = heads } }
}
