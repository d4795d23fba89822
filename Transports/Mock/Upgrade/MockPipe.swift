internal import AirframeTransport
internal import FoundationEssentials
internal import Synchronization

/// One direction of a two-way stream: a buffer in memory of the size of a socket's. Waits for bytes or for room use the
/// clock, so that time passes meanwhile.
final class MockPipe: Sendable {
    /// The end of a direction.
    enum End: Sendable {
        /// The writer has finished.
        case finished
        /// The reader has closed, or the connection is closed.
        case closed
        /// The connection broke.
        case broken(TransportError)
    }

    private struct PipeState {
        var bytes = Data()
        var end: End?
        var reader: WaiterID?
        var writer: WaiterID?
    }

    /// The result of an attempt to move bytes.
    private enum Step {
        case done(Data?)
        case wait
        case failed(End)
    }

    private static let capacity = 64 << 10

    private let clock: VirtualClock
    // Guards the bytes and the waiters.
    private let state = Mutex(PipeState())

    init(_ clock: VirtualClock) { self.clock = clock }

    /// Returns the next bytes, or `nil` at the end.
    ///
    /// - Throws: The error that broke the direction, or `CancellationError`.
    func read() async throws -> Data? {
        while true {
            let waiter = clock.announceWaiter()
            let (step, writer) = state.withLock { state -> (Step, WaiterID?) in
                guard state.bytes.isEmpty else {
                    defer {
                        state.bytes = Data()
                        state.writer = nil
                    }
                    return (.done(state.bytes), state.writer)
                }
                switch state.end {
                case .finished: return (.done(nil), nil)
                case .closed, .broken: return (.failed(state.end ?? .closed), nil)
                case nil:
                    state.reader = waiter
                    return (.wait, nil)
                }
            }
            if let writer { clock.signal(writer) }
            if let result = try await finish(step, waiter) { return result }
        }
    }

    /// Writes all of `data`, waiting for room.
    ///
    /// - Throws: The error that broke the direction, or `CancellationError`.
    func write(_ data: Data) async throws {
        var rest = data
        while !rest.isEmpty {
            let waiter = clock.announceWaiter()
            let (step, reader) = state.withLock { state -> (Step, WaiterID?) in
                if let end = state.end { return (.failed(end), nil) }
                let room = Self.capacity - state.bytes.count
                guard room > 0 else {
                    state.writer = waiter
                    return (.wait, nil)
                }
                state.bytes.append(rest.prefix(room))
                rest = Data(rest.dropFirst(room))
                defer { state.reader = nil }
                return (.done(nil), state.reader)
            }
            if let reader { clock.signal(reader) }
            _ = try await finish(step, waiter)
        }
    }

    /// Ends the direction. The first end counts, but for one in good order that is broken off later.
    func end(_ end: End) {
        let waiters = state.withLock { state -> [WaiterID] in
            switch (state.end, end) {
            case (nil, _), (.finished, .broken), (.finished, .closed): state.end = end
            default: break
            }
            if case .closed = end { state.bytes = Data() }
            defer { (state.reader, state.writer) = (nil, nil) }
            return [state.reader, state.writer].compactMap(\.self)
        }
        for waiter in waiters { clock.signal(waiter) }
    }

    private func finish(_ step: Step, _ waiter: WaiterID) async throws -> Data?? {
        switch step {
        case .done(let data):
            clock.discard(waiter)
            return .some(data)
        case .failed(let end):
            clock.discard(waiter)
            throw MockPipeFailure(end: end)
        case .wait:
            let activity = Activity.current.flatMap { $0.clock === clock ? $0.id : nil }
            guard await clock.wait(waiter, until: nil, in: activity) != .cancelled else { throw CancellationError() }
            return nil
        }
    }
}

/// A direction was broken off.
struct MockPipeFailure: Error {
    let end: MockPipe.End
}
