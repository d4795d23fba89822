public import AirframeTransport
internal import HTTPTypes

/// Requests coded content and decodes it, so that no engine has to (RFC 9110 §8.4, §12.5.3).
///
/// Requests without an `Accept-Encoding` get one that lists the codings. A range request gets `identity`, because a
/// range of coded content cannot be decoded. As with `URLSession`, responses are also decoded if the caller set the
/// field. Stacked codings are decoded from the outermost inwards, piece by piece, as the reader pulls. The head then
/// lacks `Content-Encoding` and `Content-Length`, which describe the coded content; ``TransportResponse/receivedHead``
/// has them. Content with an unknown coding passes unchanged, as do responses without content (to `HEAD`, `204`, `304`)
/// and parts (`206`).
public struct ContentDecodingLayer: ResponseProcessingLayer {
    /// The transport beneath.
    public let base: any Transport
    /// The codings to request, best first.
    public let codings: [ContentCoding]
    /// The limits of decoding.
    public let limits: DecodingLimits

    private let advertised: String

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - codings: The codings to request, best first. All codings are decoded, whether they were requested or not.
    ///   - limits: The limits of decoding.
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

    /// Whether the request lacks `Accept-Encoding`, has settings, or has a sink that must be notified of the end of the
    /// exchange only after the content is decoded.
    public func mustPerform(_ request: TransportRequest) -> Bool {
        if request.hasValues || request.wants(.boundaries) { return true }
        let head = request.sharedHead
        return head.has(.range) || (!head.has(.acceptEncoding) && !codings.isEmpty)
    }

    /// Whether the content may be coded.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - status: Its status code.
    ///   - request: The request, as it was sent.
    public func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool {
        response.sharedHead.has(.contentEncoding)
    }

    /// Decodes the response. Its content is decoded while it is read, and reading it throws the errors of decoding.
    ///
    /// - Throws: ``TransportError/Code/contentDecodingFailed`` for a response with more codings than
    ///   ``DecodingLimits/maximumCodings``; ``TransportError/Code/engineFailure`` if memory is exhausted.
    public func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        try decoded(response, to: request, limits, nil)
    }

    /// Sends `request` and decodes the response.
    ///
    /// - Throws: The errors of the transport beneath and of ``process(_:to:)``.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let limits: DecodingLimits
        switch request[ContentDecoding.self] {
        case .off: return try await base.send(withoutDefaultCodings(request))
        case .on: limits = self.limits
        case .limited(let own): limits = own
        }
        let given = request
        var request = request
        if let value = acceptEncoding(for: request.head.headerFields) {
            request.head.headerFields[.acceptEncoding] = value
        }
        let gate = ReleaseGate(given, clock)
        if let gate { request.events = gate }
        let response: TransportResponse
        do throws(TransportError) {
            response = try await base.send(request)
        } catch {
            // An exchange may have ended before the one that failed.
            gate?.open()
            throw error
        }
        return try decoded(response, to: given, limits, gate)
    }

    private func decoded(
        _ coded: TransportResponse,
        to given: TransportRequest,
        _ limits: DecodingLimits,
        _ gate: ReleaseGate?
    ) throws(TransportError) -> TransportResponse {
        guard let codings = coded.codings(answering: given.head.method) else {
            gate?.open()
            return coded
        }
        var response = coded
        // A layer beneath may have begun another exchange than the request's.
        let exchange = coded.exchange ?? gate?.exchange ?? given.exchange
        do throws(ContentCodingError) {
            let decoder = try ContentDecoder(codings, limits: limits)
            let source = DecodedBody(response.body, decoder, of: given, in: exchange, gate, clock)
            response.receivedHead = response.receivedHead ?? response.head
            response.head.headerFields[.contentEncoding] = nil
            response.head.headerFields[.contentLength] = nil
            response.body = ResponseBody(source)
        } catch {
            let failure = TransportError(error, from: Origin(given.head))
            gate?.close()
            response.body.cancel()
            given.report(.failed(failure), of: exchange, on: clock)
            throw failure
        }
        return response
    }

    /// Removes the list of codings that a session sets before the request reaches this layer. A user's value is kept.
    private func withoutDefaultCodings(_ request: TransportRequest) -> TransportRequest {
        guard !codings.isEmpty, request.head.headerFields[.acceptEncoding] == advertised else { return request }
        var request = request
        request.head.headerFields[.acceptEncoding] = nil
        return request
    }

    /// The `Accept-Encoding` to set; `nil` to leave the request unchanged.
    private func acceptEncoding(for fields: HTTPFields) -> String? {
        if fields.has(.range) {
            // A session sets the list before the request reaches this layer; a user's value is kept.
            let own = fields[.acceptEncoding]
            return own == nil || own == advertised ? "identity" : nil
        }
        return fields.has(.acceptEncoding) || codings.isEmpty ? nil : advertised
    }

    /// `br;q=1.0, gzip;q=0.9`: quality values decrease (RFC 9110 §12.4.2).
    private static func preferences(_ names: [String]) -> String {
        names.enumerated().map { "\($1);q=\(Double(10 - min($0, 9)) / 10)" }.joined(separator: ", ")
    }
}

extension TransportResponse {
    /// The codings to decode, or `nil` if there are none, one of them is unknown, or the response has no content (RFC
    /// 9110 §6.4.1) or only a part.
    fileprivate func codings(answering method: HTTPRequest.Method) -> [ContentCoding]? {
        guard sharedHead.has(.contentEncoding), method != .head,
            ![204, 206, 304].contains(sharedHead.statusCode)
        else { return nil }
        let codings = AppliedCodings(head.headerFields).known ?? []
        return codings.isEmpty ? nil : codings
    }
}

extension TransportError {
    /// The error for a response whose content cannot be decoded.
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
