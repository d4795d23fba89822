internal import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// Sends the requests of one resumable upload, all with the fields and options of the original request.
struct UploadExchanges: Sendable {
    let request: TransportRequest
    let transport: any Transport
    let upload: ResumableUpload
    private let tally = UploadTally()

    init(request: TransportRequest, transport: any Transport, upload: ResumableUpload) {
        self.request = request
        self.transport = transport
        self.upload = upload
    }

    /// One request of an upload.
    struct Step {
        var method: HTTPRequest.Method
        /// The upload resource; `nil` for the URL of the original request.
        var location: URL?
        var fields: HTTPFields = [:]
        /// The bytes to send: the offset in the part, and the count.
        var bytes: (offset: Int64, count: Int64)?
        var part = 0
        /// Whether to send the fields that describe the content of the original request.
        var keepsContentFields = false
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - step: The request.
    ///   - hear: Called with each informational response.
    func send(
        _ step: Step,
        hear: @escaping @Sendable (HTTPResponse) -> Void = { _ in }
    ) async throws -> TransportResponse {
        try upload.requireUnchanged()
        var next = request
        next.beginNewExchange()
        next.head.method = step.method
        if !step.keepsContentFields {
            for name in Self.contentFields { next.head.headerFields[name] = nil }
        }
        if let location = step.location { try direct(&next, to: location) }
        for field in step.fields { next.head.headerFields[field.name] = field.value }
        let start = upload.record.parts[step.part].start
        if let bytes = step.bytes {
            next.body = upload.content.part(start + bytes.offset, bytes.count)
        } else {
            next.body = .none
        }
        next.events = UploadEvents(request.events, tally, part: step.part, start: step.bytes?.offset ?? 0, hear: hear)
        return try await transport.send(next)
    }

    /// Resolves a `Location`.
    ///
    /// - Parameters:
    ///   - fields: The fields of the response.
    ///   - head: The request that was answered.
    func location(in fields: HTTPFields, answering head: HTTPRequest) -> URL? {
        guard let text = fields[.location], let base = Self.url(of: head) else { return nil }
        guard let url = URL(string: text, relativeTo: base)?.absoluteURL, url.host != nil else { return nil }
        // An upload over TLS must not continue in the clear.
        let scheme = url.scheme?.lowercased()
        return scheme == "https" || scheme == "http" && base.scheme?.lowercased() == "http" ? url : nil
    }

    /// Reads the rest of a response that is not returned, so that its connection can be reused.
    func discard(_ response: TransportResponse) async {
        _ = try? await response.body.collect(upTo: 64 << 10)
    }

    /// Returns the error for a violation of the upload protocol.
    func broken(_ what: String) -> TransportError {
        let error = TransferError(.uploadProtocol, "the upload cannot be continued: \(what)")
        return TransportError(
            .malformedResponse, phase: .layer, processing: .unknown, message: error.message,
            origin: Origin(request.head), underlying: error)
    }

    /// Returns the error for a status that may change on the next attempt.
    func unavailable(_ response: TransportResponse) -> TransferError {
        TransferError(
            .unavailable, "the server answered \(response.head.status.code) to a part of the upload",
            retryAfter: response.head.headerFields[.retryAfter].flatMap { RetryAfter($0)?.delay(on: transport.clock) })
    }

    private func direct(_ request: inout TransportRequest, to location: URL) throws {
        guard let components = URLComponents(url: location, resolvingAgainstBaseURL: true), let host = components.host
        else { throw broken("the location \(Redaction.url(location.absoluteString)) has no host") }
        let before = Origin(request.head)
        request.head.scheme = components.scheme?.lowercased()
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        request.head.authority = components.port.map { "\(name):\($0)" } ?? name
        let path = components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath
        request.head.path = path + (components.percentEncodedQuery.map { "?\($0)" } ?? "")
        guard Origin(request.head) != before else { return }
        // Credentials are sent only to the origin that they were given for.
        let secrets = RedactionPolicy.standard.adding(fields: request[OriginBoundFields.self])
        for field in request.head.headerFields where secrets.isSecret(field: field.name) {
            request.head.headerFields[field.name] = nil
        }
    }

    private static func url(of head: HTTPRequest) -> URL? {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        return URL(string: "\(scheme)://\(authority)\(head.path ?? "/")")
    }

    private static let contentFields: [HTTPField.Name] = [
        .contentLength, .contentType, .contentEncoding, .contentDisposition, .contentLanguage, .expect, .reprDigest,
        .contentDigest,
    ]
}
