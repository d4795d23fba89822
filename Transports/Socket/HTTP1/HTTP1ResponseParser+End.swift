package import AirframeTransport

extension HTTP1ResponseParser {
    /// Handles the end of the stream. Call it after all events of earlier input have been taken.
    ///
    /// - Parameter cleanly: Whether the peer ended the stream: by a FIN, and over TLS by `close_notify`. Otherwise
    ///   content without a length may be truncated (RFC 9112 §9.8).
    /// - Returns: The end of the response, if the end of the stream delimits it.
    /// - Throws: ``TransportError/Code/bodyTruncated``, or ``TransportError/Code/connectionLost`` before the head is
    ///   complete.
    package mutating func finish(cleanly: Bool) throws(TransportError) -> HTTP1ResponseEvent {
        switch state {
        case .contentUntilClose where cleanly:
            state = .complete
            return .end(trailers: nil)
        case .ending(let trailers):
            state = .complete
            return .end(trailers: trailers)
        case .idle, .complete, .tunnel:
            return .end(trailers: nil)
        case .contentUntilClose:
            throw fail(.bodyTruncated, "the connection ended without the TLS close that ends content of unknown length")
        case .content(let remaining):
            throw fail(.bodyTruncated, "the connection ended \(remaining) bytes before the end of the content")
        case .chunk(let remaining):
            throw fail(.bodyTruncated, "the connection ended \(remaining) bytes before the end of a chunk")
        case .chunkLine, .chunkEnd:
            throw fail(.bodyTruncated, "the connection ended before the last chunk")
        case .trailer:
            throw fail(.bodyTruncated, "the connection ended within the trailer")
        case .statusLine where !lines.kept.isEmpty && !HTTP1StatusLine.isBeginning(lines.kept):
            // The line was too short to check, and no more bytes will arrive.
            do throws(HTTP1Violation) {
                try HTTP1StatusLine.checkSignature(lines.kept.span.bytes)
            } catch {
                throw fail(error.code, error.message)
            }
            throw fail(.connectionLost, endWithinHead)
        case .statusLine, .fields:
            throw fail(.connectionLost, endWithinHead)
        case .failed(let error):
            throw error
        }
    }

    private var endWithinHead: String {
        guard hasBegun else { return "the server closed the connection without an answer" }
        let count = sectionBytes + lines.kept.count
        guard count > 0 else {
            return "the server closed the connection after \(informationalCount) informational responses"
        }
        return "the server closed the connection within the response's head, after \(count) bytes of it"
    }

    mutating func fail(_ code: TransportError.Code, _ message: String) -> TransportError {
        if case .failed(let error) = state { return error }
        let isHead =
            switch state {
            case .statusLine, .fields: true
            default: false
            }
        let error = TransportError(
            code,
            phase: isHead ? .responseHead : .responseBody,
            processing: .unknown,
            message: message,
            origin: origin
        )
        state = .failed(error)
        return error
    }
}
