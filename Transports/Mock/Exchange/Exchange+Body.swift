internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

extension Exchange: ResponseBodySource {
    /// The next bytes of the response's body. Nothing happens on the body's way but in this call.
    func next() async throws(TransportError) -> Data? {
        try await working { () async throws(TransportError) in
            progress.withLock { progress in
                progress.isReading = true
                progress.phase = .responseBody
            }
            do throws(TransportError) {
                let piece = try await read()
                let isGivenUp = progress.withLock { progress in
                    progress.isReading = false
                    return progress.isCancelled
                }
                if isGivenUp { throw cancellation() }
                if piece == nil { try complete() }
                return piece
            } catch {
                fail(error)
                throw error
            }
        }
    }

    var trailers: HTTPFields? { progress.withLock { $0.trailers } }

    /// Ends the exchange; a reader that waits ends it itself.
    func cancel() {
        let (isReading, waiter) = progress.withLock { progress in
            progress.isCancelled = true
            return (progress.isReading, progress.waiter)
        }
        if let waiter { clock.signal(waiter, .cancelled) }
        if !isReading {
            progress.withLock { $0.phase = .responseBody }
            fail(cancellation())
        }
    }

    private var readIdle: Limit? { limit(\.readIdle, "the limit on idle reading") }

    /// Reads a piece, or `nil` at the end. The one reader is the only one to change the body's progress.
    private func read() async throws(TransportError) -> Data? {
        guard var body = progress.withLock({ $0.body }) else { return nil }
        defer { progress.withLock { $0.body = body } }
        try checkpoint()
        if body.delay > .zero {
            let delay = body.delay
            body.delay = .zero
            try await pause(for: delay, readIdle)
        }
        if body.isAtFault { try await meet(body) }
        if body.isComplete {
            // A fault behind the end: a server that closes in good order then does nothing wrong.
            if let fault = body.fault, !fault.isClosing { try await meet(body) }
            return nil
        }
        while let source = body.sourceToAsk() {
            let chunk = try chunk(await run(readIdle) { try await source.next() })
            body.take(chunk)
        }
        guard let (piece, due) = body.nextPiece(at: clock.now) else {
            if body.fault != nil { try await meet(body) }
            try checkWhole(body)
            return nil
        }
        if due > clock.now { try await pause(until: due, readIdle) }
        emit(.responseBodyReceived(byteCount: Int64(piece.count), total: body.received))
        return piece
    }

    private func chunk(_ result: Result<Data?, any Error>) throws(TransportError) -> Data? {
        switch result {
        case .success(let chunk): return chunk
        case .failure(let failure as TransportError): throw failure
        case .failure(let failure):
            throw error(.connectionLost, "the connection broke: \(failure)", underlying: failure)
        }
    }

    private func meet(_ body: BodyProgress) async throws(TransportError) {
        guard let fault = body.fault else { return }
        switch fault.kind {
        case .stall: try await pause(until: nil, readIdle)
        case .reset:
            throw error(.connectionLost, "the connection broke after \(body.received) bytes of the response's body")
        case .close: throw truncation(body)
        case .failure(let code, let message, let words): throw error(code, message, libraryMessage: words)
        case .certificates, .clientIdentity: break
        }
    }

    private func checkWhole(_ body: BodyProgress) throws(TransportError) {
        if let announced = body.announced, body.received < announced { throw truncation(body) }
    }

    private func truncation(_ body: BodyProgress) -> TransportError {
        let expected = body.announced.map { "\($0)" } ?? "an unknown number of"
        return error(.bodyTruncated, "the server closed the connection after \(body.received) of \(expected) bytes")
    }

    /// Ends the exchange after the last byte.
    private func complete() throws(TransportError) {
        let body = progress.withLock { $0.body }
        let excess = body?.hasExcess ?? false
        if excess, body?.isHTTP2 == true {
            throw error(.malformedResponse, "the response's body is longer than its content-length")
        }
        if let trailers = body?.trailers, features.contains(.responseTrailers) {
            progress.withLock { $0.trailers = trailers }
            emit(.trailers(trailers))
        }
        finish(closingBecause: excess ? "the server sent more than it had announced" : body?.closingReason)
    }
}
