import CHangar
import FlyingSocks

/// One suspended read or write.
struct Waiter: Sendable {
    let id: UInt64
    let continuation: CheckedContinuation<Void, any Error>
}

/// The waiters of each descriptor: at most one reader and one writer.
struct Waiting {
    private var readers: [Int32: Waiter] = [:]
    private var writers: [Int32: Waiter] = [:]
    private var lastID: UInt64 = 0
    /// Waits that were cancelled before their continuation existed.
    private var cancelled: Set<UInt64> = []

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Returns the waiters that the new one displaces: they belonged to a closed socket of the same number.
    mutating func insert(_ waiter: Waiter, file: Int32, events: Socket.Events) -> [Waiter] {
        let displaced =
            events.contains(.write)
            ? writers.updateValue(waiter, forKey: file) : readers.updateValue(waiter, forKey: file)
        return displaced.map { [$0] } ?? []
    }

    mutating func take(file: Int32, events: Socket.Events) -> [Waiter] {
        var taken: [Waiter] = []
        if events.contains(.read), let reader = readers.removeValue(forKey: file) { taken.append(reader) }
        if events.contains(.write), let writer = writers.removeValue(forKey: file) { taken.append(writer) }
        return taken
    }

    mutating func cancel(_ id: UInt64, file: Int32) -> Waiter? {
        if readers[file]?.id == id { return readers.removeValue(forKey: file) }
        if writers[file]?.id == id { return writers.removeValue(forKey: file) }
        cancelled.insert(id)
        return nil
    }

    /// Drops the note that `id` was cancelled; returns whether there was one.
    mutating func forget(_ id: UInt64) -> Bool {
        cancelled.remove(id) != nil
    }

    func mask(of file: Int32) -> UInt32 {
        (readers[file] == nil ? 0 : EPOLLIN.rawValue) | (writers[file] == nil ? 0 : EPOLLOUT.rawValue)
    }
}
