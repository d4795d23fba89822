internal import AirframeTransport
package import FoundationEssentials
package import HTTPTypes

/// What a stream of a session received next.
package enum HTTP2StreamEvent: Sendable, Equatable {
    /// An informational response (RFC 9110 §15.2). The final one is still to come.
    case informational(HTTPResponse)
    /// The head of the final response, its size in bytes on the wire, and the length of the content that it announces; `nil`
    /// if it announces none. A response that cannot have content has the length 0.
    case head(HTTPResponse, byteCount: Int, contentLength: Int64?)
    /// Content, never empty.
    case content(Data)
    /// The end of the response; the trailer fields (RFC 9110 §6.5), if there were any.
    case end(trailers: HTTPFields?)
}

/// One stream of a session: what has been received for its reader, and what its writer has left to send.
///
/// A class, because the session and the stream's owner both refer to it.
///
/// `@unchecked Sendable`: it belongs to its ``HTTP2Session``, whose owner guards it.
package final class HTTP2StreamState: @unchecked Sendable {
    /// What the next frame with fields or content belongs to.
    private enum Position {
        case head
        case content
        case ended
    }

    /// What about the request decides how its response is read.
    package enum Kind: Sendable {
        case ordinary
        /// `HEAD`: the response has no content (RFC 9110 §9.3.2).
        case head
        /// `CONNECT`: after a 2xx response the stream is a tunnel (RFC 9113 §8.5).
        case connect
    }

    /// The stream's identifier (RFC 9113 §5.1.1).
    package let id: Int32
    /// What about the request decides how its response is read.
    let kind: Kind

    // MARK: Receiving

    private var position = Position.head
    private var informational: [HTTPResponse] = []
    private var informationalCount = 0
    private var head: (response: HTTPResponse, byteCount: Int)?
    /// Content that has not been pulled.
    private(set) var content = Data()
    private var trailers: HTTPFields?
    private var hasEnd = false
    /// Why the stream ended without a whole response. Delivered after the content before it.
    private(set) var failure: HTTP2Failure?
    private var contentLength: Int64?
    private var receivedCount: Int64 = 0
    /// Whether the response has neither head nor anything else yet.
    package private(set) var hasBegun = false
    /// Bytes that the server may have in flight or here, by the window that it was granted.
    package internal(set) var grantedWindow: Int

    // MARK: Sending

    /// Content that has been accepted and not been framed.
    var outgoing = HTTP2OutgoingContent()
    /// Whether the peer takes no more of the request: it has reset the stream, or the connection has ended.
    var isClosed = false

    /// Whether the reader or the writer has something new since the owner last looked.
    var isSignalled = false

    // MARK: Waiting

    /// Where the reader waits while another task reads the connection.
    let reading = ReadySlot()
    /// Whether the reader waits there.
    var isParked = false
    /// Where the writer waits for room.
    let writing = ReadySlot()

    init(id: Int32, kind: Kind, windowSize: Int) {
        self.id = id
        self.kind = kind
        grantedWindow = windowSize
    }

    /// Whether ``next()`` has something, or the stream has failed.
    package var hasInput: Bool {
        !informational.isEmpty || head != nil || !content.isEmpty || hasEnd || failure != nil
    }

    /// Whether the response has been received whole.
    var isComplete: Bool { position == .ended && failure == nil }

    // MARK: The reader

    /// Returns the next event; `nil` when nothing has been received.
    ///
    /// - Parameter holdsFailure: Whether to return `nil` where the stream has failed.
    /// - Throws: ``failure``, once everything that was received before it has been returned.
    package func next(_ holdsFailure: Bool = false) throws(HTTP2Failure) -> HTTP2StreamEvent? {
        if !informational.isEmpty { return .informational(informational.removeFirst()) }
        if let head {
            self.head = nil
            return .head(head.response, byteCount: head.byteCount, contentLength: contentLength)
        }
        if !content.isEmpty {
            defer { content = Data() }
            return .content(content)
        }
        if let failure {
            guard !holdsFailure else { return nil }
            throw failure
        }
        guard hasEnd else { return nil }
        hasEnd = false
        return .end(trailers: trailers)
    }

    /// Returns the end of the response, if nothing else comes before it; `nil` otherwise.
    func nextEnd() -> HTTP2StreamEvent? {
        guard hasEnd, content.isEmpty, head == nil, failure == nil else { return nil }
        hasEnd = false
        return .end(trailers: trailers)
    }

    /// Discards what has not been pulled. Returns the count of bytes of content.
    package func discardContent() -> Int {
        defer { content = Data() }
        return content.count
    }

    /// Has the reader and the writer look again.
    func wake() {
        reading.signal()
        writing.signal()
    }

    // MARK: The session

    /// Takes a field section.
    ///
    /// - Parameter endsStream: Whether END_STREAM is set.
    /// - Throws: The rule that the section breaks.
    func accept(
        _ section: borrowing HTTP2FieldSection,
        endsStream: Bool,
        _ limits: HTTP2Limits
    ) throws(HTTP2Failure) {
        if let fault = section.fault { throw fault }
        hasBegun = true
        switch position {
        case .head: try acceptHead(section, endsStream: endsStream, limits)
        case .content: try acceptTrailers(section, endsStream: endsStream)
        case .ended: throw .violation("fields follow the end of the response", "RFC 9113 §8.1")
        }
    }

    private func acceptHead(
        _ section: borrowing HTTP2FieldSection,
        endsStream: Bool,
        _ limits: HTTP2Limits
    ) throws(HTTP2Failure) {
        guard let status = section.status else {
            throw .violation("a response has no field :status", "RFC 9113 §8.3.2")
        }
        let response = HTTPResponse(status: .init(code: status), headerFields: section.fields)
        guard status >= 200 else {
            guard status != 101 else {
                throw .violation("a response has the status 101, which HTTP/2 does not have", "RFC 9113 §8.6")
            }
            guard !endsStream else {
                throw .violation("an informational response ends the stream", "RFC 9113 §8.1")
            }
            informationalCount += 1
            guard informationalCount <= limits.informationalCount else {
                throw .tooLarge("there are more than \(limits.informationalCount) informational responses")
            }
            informational.append(response)
            return
        }
        head = (response, section.compressedSize)
        position = .content
        let isTunnel = kind == .connect && (200..<300).contains(status)
        if kind == .head || status == 204 || status == 304 {
            contentLength = 0
        } else if !isTunnel {
            contentLength = section.contentLength
        }
        if endsStream { try acceptEnd() }
    }

    private func acceptTrailers(_ section: borrowing HTTP2FieldSection, endsStream: Bool) throws(HTTP2Failure) {
        guard !section.hasPseudoField else {
            throw .violation("the trailers have a pseudo-header field", "RFC 9113 §8.1")
        }
        guard endsStream else { throw .violation("the trailers do not end the stream", "RFC 9113 §8.1") }
        if !section.fields.isEmpty { trailers = section.fields }
        try acceptEnd()
    }

    /// Takes content.
    func accept(_ bytes: UnsafeBufferPointer<UInt8>) throws(HTTP2Failure) {
        hasBegun = true
        guard position == .content else {
            throw position == .head
                ? .violation("content comes before the head of the response", "RFC 9113 §8.1")
                : .violation("content follows the end of the stream", "RFC 9113 §5.1")
        }
        receivedCount += Int64(bytes.count)
        if let contentLength, receivedCount > contentLength {
            let rule = contentLength == 0 ? "RFC 9110 §6.4.1" : "RFC 9113 §8.1.1"
            throw .violation("there is more content than the \(contentLength) bytes that were announced", rule)
        }
        content.append(bytes)
    }

    /// Takes the end of the stream.
    func acceptEnd() throws(HTTP2Failure) {
        switch position {
        case .head: throw .violation("the stream ends before the head of the response", "RFC 9113 §8.1")
        case .content: break
        case .ended: return
        }
        if let contentLength, receivedCount < contentLength {
            throw HTTP2Failure(
                .bodyTruncated,
                "the stream ended after \(receivedCount) of \(contentLength) announced bytes (RFC 9113 §8.1.1)"
            )
        }
        position = .ended
        hasEnd = true
    }

    /// The stream has ended without a whole response. A response that is complete stays so.
    func fail(_ failure: HTTP2Failure) {
        isClosed = true
        guard position != .ended, self.failure == nil else { return }
        var failure = failure
        // A server that has answered has processed the request.
        if hasBegun { failure.isUnprocessed = false }
        self.failure = failure
    }
}
