/// Reads from a connection on behalf of the task that waits for its input.
///
/// If many connections have input at the same time, the holder of the poll reads from some of them in a row before it
/// resumes their tasks. The kernel's and OpenSSL's code for reading then stays in the processor's first-level cache. A
/// task that reads, parses and goes on replaces it (`Docs/Decisions/0133-reading-ahead-for-many-connections.md`).
///
/// `@unchecked Sendable`: the reader is owned by the task. While the task is suspended in its wait, it is owned by the
/// holder of the poll that has taken the task's continuation.
final class AheadReader: @unchecked Sendable {
    /// A buffer and the result of reading into it.
    typealias Outcome = (buffer: Buffer, result: IOResult)

    private let bytes: ByteStream
    private let buffers: BufferPool
    @exclusivity(unchecked) private var outcome: Outcome?
    /// Whether the last read returned so much that more is likely to follow. Reading that ahead would cut it into
    /// small parts, and would keep one thread busy while others have nothing to do.
    @exclusivity(unchecked) private var isBulk = false

    init(_ bytes: ByteStream, _ buffers: BufferPool) {
        self.bytes = bytes
        self.buffers = buffers
    }

    /// Whether a read has been made, whose result ``read()`` returns.
    var hasOutcome: Bool { outcome != nil }

    /// Waits for input, which may be read ahead.
    nonisolated(nonsending) func wait(
        until due: Int64,
        _ budget: SpinBudget?,
        isAlone: Bool,
        alarm: @autoclosure () -> Alarm
    ) async -> Socket.WaitEnd {
        let socket = bytes.socket
        let direction = bytes.readDirection
        let isAllowed = direction == .reading && !isBulk
        if isAllowed { socket.setAheadReader(self) }
        let end = await socket.wait(for: direction, until: due, budget, isAlone: isAlone, alarm: alarm())
        if isAllowed { socket.setAheadReader(nil) }
        return end
    }

    /// Reads available bytes, or returns what was read ahead. The caller owns the buffer.
    func read() -> Outcome {
        let outcome = takeOutcome() ?? readNow()
        if case .bytes(let count) = outcome.result { isBulk = count >= BufferPool.smallSize }
        return outcome
    }

    private func takeOutcome() -> Outcome? {
        guard let outcome = outcome.take() else { return nil }
        // The holder of the poll read for many tasks in a row. Each of them shows that the pool makes progress.
        bytes.socket.noteMovement()
        return outcome
    }

    private func readNow() -> Outcome {
        let buffer = buffers.take()
        return (buffer, bytes.read(into: buffer.bytes))
    }

    /// Reads once. The socket is readable, and the task that waits for it is suspended until this returns.
    func readAhead() {
        guard outcome == nil else { return }
        let buffer = buffers.takeSmall()
        let result = bytes.read(into: buffer.bytes)
        if case .blocked = result { return buffers.give(buffer) }
        outcome = (buffer, result)
    }

    /// Discards what was read ahead.
    func drop() {
        guard let outcome = outcome.take() else { return }
        buffers.give(outcome.buffer)
    }
}
