internal import AirframeTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// An `InputStream` as the source of a body. Its reads may block, so they run on a queue of their own, and the end of
/// the exchange does not wait for them.
final class InputStreamSource: RequestBodySource, @unchecked Sendable {
    // `@unchecked` because `InputStream` is not Sendable: all use of it is confined to the queue.
    private let stream: InputStream
    private let queue = DispatchQueue(label: "airframe.upload.stream")
    private let chunkSize = 64 << 10

    private enum Reader {
        case none
        case waiting(CheckedContinuation<Data?, any Error>)
        case cancelled
    }

    // Guards the continuation that waits for a read.
    private let reader = Mutex(Reader.none)

    init(_ stream: InputStream) { self.stream = stream }

    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = reader.withLock { reader in
                    if case .cancelled = reader { return true }
                    reader = .waiting(continuation)
                    return false
                }
                guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
                queue.async { self.answer(with: Result { try self.read() }) }
            }
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        let waiting = reader.withLock { reader in
            defer { reader = .cancelled }
            return reader
        }
        if case .waiting(let continuation) = waiting { continuation.resume(throwing: CancellationError()) }
        queue.async { self.stream.close() }
    }

    private func answer(with result: Result<Data?, any Error>) {
        let waiting = reader.withLock { reader in
            guard case .waiting = reader else { return Reader.none }
            defer { reader = .none }
            return reader
        }
        if case .waiting(let continuation) = waiting { continuation.resume(with: result) }
    }

    private func read() throws -> Data? {
        switch stream.streamStatus {
        case .notOpen: stream.open()
        case .atEnd, .closed:
            // At the end before the first read of this source: the stream was read before, and is not sent as empty.
            guard hasRead else { throw Self.wasReadBefore }
            return nil
        default: break
        }
        var chunk = Data(count: chunkSize)
        let count = chunk.withUnsafeMutableBytes { buffer in
            buffer.bindMemory(to: UInt8.self).baseAddress.map { stream.read($0, maxLength: buffer.count) } ?? 0
        }
        // `streamError` traps in Foundation on Linux, so the cause stays unknown.
        guard count >= 0 else {
            throw CocoaError(
                .fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: "the stream to upload cannot be read"])
        }
        hasRead = true
        guard count > 0 else {
            stream.close()
            return nil
        }
        return chunk.prefix(count)
    }

    /// Whether this source has read a byte or the end. Accessed on the queue only.
    private var hasRead = false

    private static let wasReadBefore = TransportError(
        .bodyNotReplayable,
        phase: .requestBody,
        processing: .notSent,
        message: "the stream to upload can be read only once and was read before"
    )
}
