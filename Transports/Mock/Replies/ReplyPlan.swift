internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// One answer with its delays, faults and connection.
struct ReplyPlan: Sendable {
    /// The duration of a phase.
    struct Delay: Sendable {
        let phase: TransportPhase
        let range: ClosedRange<Duration>
    }

    /// The announced length of the body.
    enum Framing: Sendable {
        /// The actual length, if it is known.
        case natural
        /// No length.
        case open
        /// This value.
        case announced(Int64)
    }

    var status: HTTPResponse.Status = .ok
    var fields: HTTPFields = [:]
    var body = ReplyBody.none
    var trailers: HTTPFields?
    var framing = Framing.natural
    var informational: [HTTPResponse] = []
    var delays: [Delay] = []
    var download = Pace.unlimited
    var upload = Pace.unlimited
    var fault: Fault?
    var closesConnection = false
    var isClosedWhenReused = false
    var answersBeforeBody = false
    var sendsContinue = true
    var certificates: ServerCertificates?
    /// The version of HTTP, which overrides those of the request and the transport.
    var httpVersion: HTTPVersion?
    /// Whether a new connection is opened.
    var opensConnection = false
    /// The head on the wire, if it differs.
    var receivedHead: HTTPResponse?
    /// The closure that plays the server's end of the stream after an upgrade.
    var serve: Reply.StreamHandler?
    /// Whether the head answers the request's `Sec-WebSocket-Key`.
    var answersWebSocketKey = false

    init(
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        contentType: String? = nil,
        body: ReplyBody = .none
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        if let contentType { self.fields[.contentType] = contentType }
    }

    /// Whether the reply needs a new connection to take effect.
    var needsNewConnection: Bool { opensConnection || certificates != nil || fault?.isInConnecting == true }

    /// Returns the duration of `phase`.
    func delay(in phase: TransportPhase, using generator: inout SeededGenerator) -> Duration {
        delays.filter { $0.phase == phase }.reduce(.zero) { sum, delay in
            let span = delay.range.upperBound - delay.range.lowerBound
            guard span > .zero else { return sum + delay.range.lowerBound }
            return sum + delay.range.lowerBound + span * Double.random(in: 0...1, using: &generator)
        }
    }

    /// Returns the head of the response to a request, with the framing of its body.
    func head(for method: HTTPRequest.Method) -> HTTPResponse {
        var head = HTTPResponse(status: status, headerFields: fields)
        if serve != nil, method == .connect { head.status = .ok }
        switch framing {
        case .announced(let length): head.headerFields[.contentLength] = "\(length)"
        case .open: break
        case .natural:
            guard trailers == nil, status.allowsContent, !head.headerFields.contains(.contentLength) else { break }
            if let length = body.length { head.headerFields[.contentLength] = "\(length)" }
        }
        return head
    }

    /// Returns whether the response to `method` has content (RFC 9110 §6.4.1).
    func hasBody(for method: HTTPRequest.Method) -> Bool {
        method != .head && status.allowsContent
    }
}

extension HTTPResponse.Status {
    /// Returns whether responses with this status can have content (RFC 9110 §6.4.1).
    var allowsContent: Bool { code >= 200 && self != .noContent && self != .notModified }
}
