internal import Dispatch
internal import Foundation
internal import Synchronization

/// The buffer between the request that receives a body and the stream that reads it.
final class StreamBuffer: Sendable {
    fileprivate struct BufferState {
        var status = Stream.Status.notOpen
        var bytes = Data()
        var end: End?
        /// The request, while it waits for room.
        var writer: CheckedContinuation<Void, Never>?
        /// The number of threads that wait in `read`.
        var readers = 0
    }

    fileprivate enum End {
        case complete
        case failed(AFError)
    }

    private let capacity: Int
    // Guards the bytes and the threads that wait for them.
    private let state = Mutex(BufferState())
    private let arrival = DispatchSemaphore(value: 0)

    /// - Parameter capacity: The number of bytes to buffer before the request has to wait; at least one chunk fits.
    init(capacity: Int) { self.capacity = max(1, capacity) }

    // MARK: The request

    /// Adds bytes. Returns when there is room for more, the reader has left, or the task is cancelled.
    func write(_ piece: Data) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { writer in
                let (mustWait, readers) = state.withLock { state -> (Bool, Int) in
                    guard state.status != .closed else { return (false, 0) }
                    state.bytes.append(piece)
                    let mustWait = state.bytes.count >= capacity && !Task.isCancelled
                    if mustWait { state.writer = writer }
                    return (mustWait, state.takeReaders())
                }
                wake(readers)
                if !mustWait { writer.resume() }
            }
        } onCancel: {
            state.withLock { $0.takeWriter() }?.resume()
        }
    }

    /// Ends the body, with an error if it is incomplete.
    func end(_ error: AFError?) {
        let readers = state.withLock { state in
            state.end = error.map(End.failed) ?? .complete
            return state.takeReaders()
        }
        wake(readers)
    }

    private func wake(_ readers: Int) {
        for _ in 0..<readers { arrival.signal() }
    }

    // MARK: The stream

    func open() {
        state.withLock { if $0.status == .notOpen { $0.status = .open } }
    }

    func close() {
        let (writer, readers) = state.withLock { state in
            state.status = .closed
            state.bytes = Data()
            return (state.takeWriter(), state.takeReaders())
        }
        writer?.resume()
        wake(readers)
    }

    /// Waits for bytes. Returns the number of bytes read, 0 at the end, -1 after a failure or if the stream is not
    /// open.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let (count, writer) = state.withLock { $0.take(into: target, capacity: capacity) }
            writer?.resume()
            if let count { return count }
            arrival.wait()
        }
    }

    var hasBytesAvailable: Bool {
        state.withLock { state in
            // As in Foundation, also true if only a read can tell.
            guard state.status == .open || state.status == .reading else { return false }
            return !state.bytes.isEmpty || state.end == nil
        }
    }

    var status: Stream.Status { state.withLock { $0.status } }

    var error: (any Error)? {
        state.withLock { state in
            if case .failed(let error) = state.end, state.bytes.isEmpty { error } else { nil }
        }
    }
}

extension StreamBuffer.BufferState {
    fileprivate mutating func takeWriter() -> CheckedContinuation<Void, Never>? {
        defer { writer = nil }
        return writer
    }

    fileprivate mutating func takeReaders() -> Int {
        defer { readers = 0 }
        return readers
    }

    /// Takes bytes out. The count is `nil` if the reader has to wait, in which case it is counted among the readers.
    fileprivate mutating func take(
        into target: UnsafeMutableRawBufferPointer,
        capacity: Int
    ) -> (Int?, CheckedContinuation<Void, Never>?) {
        guard status == .open || status == .atEnd || status == .error else { return (-1, nil) }
        guard !target.isEmpty else { return (0, nil) }
        if !bytes.isEmpty {
            let count = bytes.prefix(target.count).copyBytes(to: target)
            bytes.removeFirst(count)
            return (count, bytes.count < capacity ? takeWriter() : nil)
        }
        switch end {
        case .complete:
            status = .atEnd
            return (0, nil)
        case .failed:
            status = .error
            return (-1, nil)
        case nil:
            readers += 1
            return (nil, nil)
        }
    }
}
