internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes
internal import Synchronization

/// Writes the content of one request to its stream, which frames it.
///
/// A class, because its position changes across suspensions. It belongs to the task of its ``Uploader``.
///
/// `@unchecked Sendable`: only that task uses it, except for ``cancelSource()``, which takes a lock.
final class UploadSender: @unchecked Sendable {
    let stream: any MessageStream
    let limits: ExchangeLimits
    let reporter: ExchangeReporter
    private let content: UploadContent
    private let length: RequestContentLength
    private let makeTrailers: (@Sendable () async throws -> HTTPFields)?
    private let origin: Origin
    private let buffers: BufferPool
    private let gate: UploadGate?
    /// Whether the last piece is being written. Only writes remain, which end promptly when they are cancelled.
    let isEnding = Atomic<Bool>(false)
    // Guards the open source, which is cancelled once, by the task that cancels the upload.
    private let source = Mutex<(any RequestBodySource)?>(nil)
    private var sentCount: Int64 = 0
    private var since: Int64 = 0

    init(_ content: UploadContent, _ stream: any MessageStream, _ exchange: Exchange) {
        self.content = content
        self.stream = stream
        limits = exchange.limits
        reporter = exchange.reporter
        length = exchange.plan.head.content
        if case .upload(let body) = exchange.plan.content {
            makeTrailers = body.trailers
        } else {
            makeTrailers = nil
        }
        origin = exchange.plan.origin
        buffers = exchange.engine.buffers
        gate = exchange.plan.uploadGate
        if case .source(let opened) = content { source.withLock { $0 = opened } }
    }

    /// The maximum number of bytes written at a time. Between two pieces the upload can be cancelled, however fast the
    /// server reads.
    private static let pieceSize = 1 << 20

    /// The executor of the uploading task. `read` and `sendfile` block their thread on the file system, and Swift's
    /// pool has only one thread a core.
    var executor: (any TaskExecutor)? {
        if case .file = content { WorkerThreads.files } else { nil }
    }

    /// Sends the content, its end and the trailers.
    func sendAll() async throws(UploadFailure) {
        since = limits.start
        switch content {
        case .memory(let data): try await send(data, isLast: length != .unknown)
        case .file(let file): try await send(file)
        case .source(let source): try await send(source)
        }
        var fields: HTTPFields?
        if length == .unknown {
            fields = try await trailers()
            try await passGate()
        }
        noteEnding()
        do throws(StreamFailure) { try stream.finish(trailers: fields) } catch { throw UploadFailure(error) }
        try await flush()
    }

    /// Records that the last piece is about to be written.
    private func noteEnding() { isEnding.store(true, ordering: .releasing) }

    private func checkCancellation() throws(UploadFailure) {
        if Task.isCancelled { throw .cancelled }
    }

    private func trailers() async throws(UploadFailure) -> HTTPFields? {
        guard let makeTrailers else { return nil }
        do {
            return try await makeTrailers()
        } catch {
            throw .failed(failure("the request's trailers could not be made: \(error)", error))
        }
    }

    // MARK: Files

    private func send(_ file: FileContent) async throws(UploadFailure) {
        while file.region.length - sentCount > FileContent.lastPieceSize {
            try await passGate()
            try checkCancellation()
            try check(file, before: sentCount)
            switch stream.sendFile(file, from: sentCount) {
            case nil: return try await sendThroughMemory(file)
            case .bytes(let count): note(count)
            case .blocked: try await awaitRoom()
            case .ended: throw .failed(file.shortened(at: sentCount))
            case .failed(EPIPE): throw .lost(EPIPE)
            case .failed(ECONNRESET): throw .lost(ECONNRESET)
            // The file or the socket has failed; reading and writing separately finds out which.
            case .failed: return try await sendThroughMemory(file)
            }
        }
        try await sendThroughMemory(file)
    }

    private func sendThroughMemory(_ file: FileContent) async throws(UploadFailure) {
        while sentCount < file.region.length {
            try checkCancellation()
            let buffer = buffers.take()
            let position = sentCount
            let count = try read { () throws(TransportError) in try file.read(into: buffer.bytes, from: position) }
            let end = position + Int64(count)
            try check(file, before: end)
            let isLast = length != .unknown && end == file.region.length
            try await send(buffers.data(0..<count, of: buffer), isLast: isLast)
        }
    }

    private func check(_ file: FileContent, before position: Int64) throws(UploadFailure) {
        do throws(TransportError) { try file.checkUnchanged(before: position) } catch { throw .failed(error) }
    }

    // MARK: Streams

    private func send(_ opened: any RequestBodySource) async throws(UploadFailure) {
        // Cancels the source if sending fails.
        defer { cancelSource() }
        if case .length(let length) = length {
            try await send(opened, length: length)
        } else {
            while let piece = try await nextPiece(of: opened) { try await send(piece) }
        }
        source.withLock { $0 = nil }
    }

    /// Sends content of a known length. Once the last byte is sent, the request is complete and the server may answer,
    /// so surplus content is checked for before that byte is sent.
    private func send(_ opened: any RequestBodySource, length: Int64) async throws(UploadFailure) {
        while let piece = try await nextPiece(of: opened) {
            let rest = length - sentCount - Int64(piece.count)
            let isWhole = rest == 0
            let isTooLong = if isWhole { try await nextPiece(of: opened) != nil } else { rest < 0 }
            guard !isTooLong else { throw .failed(mismatch("more than \(length)", of: length)) }
            try await send(piece, isLast: isWhole)
            if isWhole { return }
        }
        if sentCount < length { throw .failed(mismatch("\(sentCount)", of: length)) }
    }

    /// Cancels the open source, if there is one.
    func cancelSource() {
        let open = source.withLock { source in
            defer { source = nil }
            return source
        }
        open?.cancel()
    }

    private func nextPiece(of source: any RequestBodySource) async throws(UploadFailure) -> Data? {
        do {
            while let piece = try await source.next() {
                if !piece.isEmpty { return piece }
            }
            return nil
        } catch {
            if Task.isCancelled { throw .cancelled }
            throw .failed(
                error as? TransportError ?? failure("the source of the request's body failed: \(error)", error)
            )
        }
    }

    // MARK: Bytes

    /// Sends a piece of the content.
    ///
    /// - Parameter isLast: Whether the request ends with it.
    private func send(_ piece: Data, isLast: Bool = false) async throws(UploadFailure) {
        var position = 0
        while position < piece.count {
            try await passGate()
            try checkCancellation()
            let end = min(position + Self.pieceSize, piece.count)
            let endsRequest = isLast && end == piece.count
            if endsRequest { noteEnding() }
            if isEnding.load(ordering: .relaxed) { reporter.outlet?.hold() }
            let result = piece.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> IOResult in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
                return endsRequest ? stream.writeLast(rest) : stream.write(rest)
            }
            switch result {
            case .bytes(let count):
                position += count
                note(count)
            case .blocked: try await awaitRoom()
            case .ended: throw .lost(EPIPE)
            case .failed(let code): throw .lost(code)
            }
        }
        try await flush()
    }

    /// Sends the bytes that the stream has accepted or added.
    private func flush() async throws(UploadFailure) {
        while true {
            if isEnding.load(ordering: .relaxed) { reporter.outlet?.hold() }
            do throws(StreamFailure) {
                switch try stream.flush() {
                case .done: return
                case .progress: since = limits.start
                case .blocked: break
                }
            } catch {
                throw UploadFailure(error)
            }
            try await awaitRoom()
        }
    }

    private func note(_ count: Int) {
        since = limits.start
        sentCount += Int64(count)
        reporter.report(.requestBodySent(byteCount: Int64(count), total: sentCount), isFromHolder: true)
    }

    /// Waits while the upload is suspended. Limits do not run meanwhile.
    private func passGate() async throws(UploadFailure) {
        guard let gate, !gate.isOpen else { return }
        reporter.outlet?.release()
        await gate.pass()
        try checkCancellation()
        since = limits.start
    }

    private func awaitRoom() async throws(UploadFailure) {
        reporter.outlet?.release()
        let due = limits.due(in: .send, since: since)
        switch await stream.wait(for: .writing, until: due, nil, isAlone: false) {
        case .ready: return
        case .cancelled: throw .cancelled
        case .failed(let code): throw .lost(code)
        case .timeUp:
            throw .failed(
                TransportError(
                    .timedOut,
                    phase: .requestBody,
                    processing: .unknown,
                    message: limits.text(in: .send),
                    origin: origin
                )
            )
        }
    }

    // MARK: Errors

    private func read(_ body: () throws(TransportError) -> Int) throws(UploadFailure) -> Int {
        do throws(TransportError) { return try body() } catch { throw .failed(error) }
    }

    private func mismatch(_ count: String, of length: Int64) -> TransportError {
        TransportError(
            .bodyLengthMismatch,
            phase: .requestBody,
            processing: .unknown,
            message: "the source of the request's body produced \(count) bytes; \(length) were declared",
            origin: origin
        )
    }

    private func failure(_ message: String, _ error: any Error) -> TransportError {
        TransportError(
            .bodyFailed,
            phase: .requestBody,
            processing: .unknown,
            message: message,
            origin: origin,
            underlying: error
        )
    }
}
