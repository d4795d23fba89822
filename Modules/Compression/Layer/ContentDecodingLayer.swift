public import AirframeTransport
internal import HTTPTypes

/// Asks for coded content and decodes it, so that no engine has to (RFC 9110 §8.4, §12.5.3).
///
/// Requests without an `Accept-Encoding` get one that lists what is decoded. A request for a range gets `identity`: a
/// range of coded content cannot be decoded. Responses are decoded whoever asked for their coding, as with `URLSession`:
/// codings one over the other from the outermost inwards, piece by piece, only as fast as the reader pulls. The head
/// then lacks `Content-Encoding` and `Content-Length`, which were of the coded content;
/// ``TransportResponse/receivedHead`` has them. Content with a coding that is not known passes untouched, and so do
/// responses that have no content of their own (to `HEAD`, `204`, `304`) or a part of it (`206`).
public struct ContentDecodingLayer: TransportLayer {
    /// The transport beneath.
    public let base: any Transport
    /// The codings to ask for, best first.
    public let codings: [ContentCoding]
    /// What decoding may cost.
    public let limits: DecodingLimits

    private let advertised: String

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - codings: The codings to ask for, best first. All codings are decoded, whether they were asked for or not.
    ///   - limits: What decoding may cost.
    public init(
        _ base: any Transport,
        codings: [ContentCoding] = [.brotli, .gzip, .deflate, .zstd],
        limits: DecodingLimits = DecodingLimits()
    ) {
        self.base = base
        self.codings = codings
        self.limits = limits
        advertised = Self.preferences(codings.map(\.rawValue))
    }

    /// The capabilities of the transport beneath, and the codings.
    public var capabilities: TransportCapabilities {
        var capabilities = base.capabilities
        capabilities.contentCodings =
            codings.map(\.rawValue) + capabilities.contentCodings.filter { ContentCoding(name: $0) == nil }
        return capabilities
    }

    /// Sends `request` and decodes the response.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let limits: DecodingLimits
        switch request[ContentDecoding.self] {
        case .off: return try await base.send(request)
        case .on: limits = self.limits
        case .limited(let own): limits = own
        }
        var request = request
        advertise(in: &request.head.headerFields)
        let gate = request.events.map { ReleaseGate($0, clock) }
        request.events = gate
        let coded = try await base.send(request)
        guard let codings = coded.codings(answering: request.head.method) else {
            gate?.open()
            return coded
        }
        var response = coded
        do throws(ContentCodingError) {
            let decoder = try ContentDecoder(codings, limits: limits)
            let source = DecodedBody(response.body, decoder, Origin(request.head), gate)
            response.receivedHead = response.receivedHead ?? response.head
            response.head.headerFields[.contentEncoding] = nil
            response.head.headerFields[.contentLength] = nil
            response.body = ResponseBody(source)
        } catch {
            let failure = TransportError(error, from: Origin(request.head))
            gate?.close(with: failure)
            response.body.cancel()
            throw failure
        }
        return response
    }

    private func advertise(in fields: inout HTTPFields) {
        if fields[.range] != nil {
            // A session sets the list before this layer sees the request; what a user wrote is left alone.
            let own = fields[.acceptEncoding]
            if own == nil || own == advertised { fields[.acceptEncoding] = "identity" }
        } else if !fields.contains(.acceptEncoding), !codings.isEmpty {
            fields[.acceptEncoding] = advertised
        }
    }

    /// `br;q=1.0, gzip;q=0.9`: quality values fall from one to the next (RFC 9110 §12.4.2).
    private static func preferences(_ names: [String]) -> String {
        names.enumerated().map { "\($1);q=\(Double(10 - min($0, 9)) / 10)" }.joined(separator: ", ")
    }
}

extension TransportResponse {
    /// The codings to undo, or `nil` when there are none, or one that is not known, or no content (RFC 9110 §6.4.1), or
    /// a part of it.
    fileprivate func codings(answering method: HTTPRequest.Method) -> [ContentCoding]? {
        guard head.headerFields.contains(.contentEncoding), method != .head,
            ![204, 206, 304].contains(head.status.code)
        else { return nil }
        let codings = AppliedCodings(head.headerFields).known ?? []
        return codings.isEmpty ? nil : codings
    }
}

extension TransportError {
    /// A response's content cannot be decoded.
    init(_ error: ContentCodingError, from origin: Origin?) {
        let code: Code =
            switch error.reason {
            case .tooLarge: .bodyTooLarge
            case .outOfMemory: .engineFailure
            default: .contentDecodingFailed
            }
        self.init(
            code,
            phase: .responseBody,
            processing: .unknown,
            message: "the response cannot be decoded: \(error.sentence)",
            origin: origin,
            libraryMessage: error.libraryMessage,
            underlying: error
        )
    }
}
