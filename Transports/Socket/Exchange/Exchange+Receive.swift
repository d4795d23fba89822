internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// The way of a response's head, and the content that comes with it.
extension Exchange {
    /// Reads and digests what is there, once.
    func receive(_ connection: Connection) throws(TransportError) {
        if let failure { throw failure }
        let buffer = engine.buffers.take()
        switch connection.stream.read(into: buffer.bytes) {
        case .bytes(let count):
            connection.mayHaveMore = connection.stream.mayHaveMore(after: count, of: buffer.bytes.count)
            if stage == .respond || stage == .send { stage = .head }
            since = limits.start
            try digest(buffer, count, connection)
        case .blocked:
            connection.mayHaveMore = false
            engine.buffers.give(buffer)
        case .ended:
            engine.buffers.give(buffer)
            try finish(connection)
        case .failed(let code):
            engine.buffers.give(buffer)
            throw uploadLoss ?? lost(code, connection.stream.tls)
        }
    }

    // MARK: Waiting

    /// Waits until there may be something to read.
    @inline(__always)
    nonisolated(nonsending) func waitForInput(_ connection: Connection) async -> Socket.WaitEnd {
        await connection.socket.wait(
            for: connection.stream.readDirection,
            until: inputDue,
            engine.patience,
            isAlone: uploader == nil,
            alarm: connection.alarm
        )
    }

    /// Looks at why a wait for input ended.
    ///
    /// - Throws: Why the exchange must end.
    func check(_ end: Socket.WaitEnd) throws(TransportError) {
        if let uploader { try adopt(uploader) }
        if stage == .body, let interruption = gate.withLock({ $0.interruption }) { throw interruption }
        // A limit that moved while this waited is waited for anew.
        if case .timeUp = end, Monotonic.now < inputDue { return }
        if let error = interruption(end) { throw error }
    }

    /// When the wait for input is over.
    private var inputDue: Int64 {
        guard limits.isAny else { return .max }
        // While the request is on its way the uploader watches its own limit.
        if stage == .send { return limits.end }
        return limits.due(in: stage, since: since)
    }

    /// Takes over how far an upload has come.
    private func adopt(_ uploader: Uploader) throws(TransportError) {
        switch uploader.outcome {
        case .underway, .lost: break
        case .finished(let instant):
            hasSent = true
            guard stage == .send else { return }
            stage = .respond
            since = instant
        case .failed(let error): throw error
        }
    }

    /// The connection broke while the request was sent, and nothing came back.
    private var uploadLoss: TransportError? {
        guard let uploader, case .lost(let code) = uploader.outcome else { return nil }
        return error(
            .connectionLost, "the connection was lost while the request was sent", library: SystemError.text(code))
    }

    /// The peer has ended the connection.
    private func finish(_ connection: Connection) throws(TransportError) {
        let event: HTTP1ResponseEvent
        do throws(TransportError) {
            event = try connection.parser.finish(cleanly: connection.stream.tls?.wasClosed ?? true)
        } catch {
            throw error.code == .connectionLost ? uploadLoss ?? error : error
        }
        if case .end(let trailers) = event { finish(connection, ResponseEnd(trailers: trailers, surplus: 0)) }
    }

    // MARK: Digestion

    /// Takes all that is in `buffer`: heads, content, the end. The buffer goes back to its pool, or into the content.
    private func digest(_ buffer: Buffer, _ count: Int, _ connection: Connection) throws(TransportError) {
        var content: Range<Int>?
        var position = 0
        do throws(TransportError) {
            while true {
                let input = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
                switch try connection.parser.next(in: input.bytes, from: &position) {
                case .needsMore:
                    keep(content, of: buffer)
                    return
                case .informational(let head):
                    noteInformational(head)
                case .head(let head, let byteCount, let framing):
                    try acceptHead(head, byteCount: byteCount, framing, connection)
                    if framing == .tunnel {
                        keep(position..<count, of: buffer)
                        return
                    }
                case .body(let range):
                    content = Self.join(content, range, in: buffer)
                case .end(let trailers):
                    keep(content, of: buffer)
                    finish(connection, ResponseEnd(trailers: trailers, surplus: count - position))
                    return
                }
            }
        } catch {
            keep(content, of: buffer)
            guard content != nil else { throw error }
            // What came before the fault is delivered before it.
            failure = error
        }
    }

    /// Moves `range` up to the content before it: between them was the framing of chunks.
    private static func join(_ content: Range<Int>?, _ range: Range<Int>, in buffer: Buffer) -> Range<Int> {
        guard let content else { return range }
        if content.upperBound != range.lowerBound, let base = buffer.bytes.baseAddress {
            (base + content.upperBound).copyMemory(from: base + range.lowerBound, byteCount: range.count)
        }
        return content.lowerBound..<content.upperBound + range.count
    }

    private func keep(_ content: Range<Int>?, of buffer: Buffer) {
        guard let content, !content.isEmpty else { return engine.buffers.give(buffer) }
        receivedCount += Int64(content.count)
        if framing != .tunnel { emit(.responseBodyReceived(byteCount: Int64(content.count), total: receivedCount)) }
        pending = engine.buffers.data(content, of: buffer)
    }

    private func noteInformational(_ head: HTTPResponse) {
        emit(.informationalResponse(head))
        if head.status.code == 100 { uploader?.proceed() }
    }

    private func acceptHead(
        _ head: HTTPResponse,
        byteCount: Int,
        _ framing: HTTP1Framing,
        _ connection: Connection
    ) throws(TransportError) {
        if let uploader {
            try adopt(uploader)
            uploader.noteFinalResponse()
        }
        if plan.isForwarded, head.status.code == 407 {
            throw TransportError(
                .proxyFailed,
                phase: .proxy,
                processing: .notProcessed,
                message: "the proxy wants credentials: it answered 407",
                origin: plan.origin
            )
        }
        if framing == .tunnel {
            guard let upgrade = plan.upgrade else {
                throw error(.malformedResponse, "the server switched protocols (101), but the request set no `upgrade`")
            }
            guard upgrade.isAccepted(by: head) else {
                let chosen = head.headerFields[.upgrade] ?? "an unnamed one"
                throw error(.malformedResponse, "the server switched to another protocol than asked for: \(chosen)")
            }
        }
        self.head = head
        self.framing = framing
        if connection.parser.minorVersion == 0 { information = information?.spoken(.http1_0) }
        emit(.responseHead(head, byteCount: byteCount))
        enter(.body)
    }
}

extension TransportConnection {
    /// This connection, on which another version was spoken than the one that was offered.
    fileprivate func spoken(_ version: HTTPVersion) -> TransportConnection {
        TransportConnection(
            id: id,
            httpVersion: version,
            localAddress: localAddress,
            remoteAddress: remoteAddress,
            isProxied: isProxied,
            tls: tls,
            isReused: isReused
        )
    }
}
