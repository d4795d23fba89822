public import AirframeTransport
public import Foundation
public import HTTPTypes

/// The head of an HTTP response and its URL.
///
/// A view of the response's fields, which keep their order and repetitions. Derived values such as the media type are
/// computed on demand.
///
/// `@unchecked Sendable` because its superclass is; the properties added here are immutable and Sendable.
public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
    /// The status and header fields from the transport.
    public var head: HTTPResponse { shared.head }

    private let shared: SharedResponseHead

    /// The head as it was received. It differs from ``head`` if a layer changed the head: decoding removes
    /// `Content-Encoding` and `Content-Length`, which remain here.
    public var receivedHead: HTTPResponse { changedHead ?? head }

    /// The received head if a layer changed it. Most responses have none, and a second head takes ten references.
    private let changedHead: HTTPResponse?

    /// The HTTP version of the response, if it is known.
    public let httpVersion: HTTPVersion?

    /// Creates a response, for tests and mocks.
    ///
    /// - Parameters:
    ///   - url: The URL of the response.
    ///   - statusCode: The status, from 100 to 999.
    ///   - httpVersion: The version, as `HTTP/1.1`.
    ///   - headerFields: The header fields.
    /// - Returns: `nil` if the status is out of range, or a field is not valid in HTTP.
    public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {
        guard (100...999).contains(statusCode) else { return nil }
        let (fields, invalid) = HTTPHeaders(headerFields ?? [:]).makeFields()
        guard invalid.isEmpty else { return nil }
        let head = HTTPResponse(status: HTTPResponse.Status(code: statusCode), headerFields: fields)
        shared = SharedResponseHead(head, statusCode: statusCode)
        changedHead = nil
        self.httpVersion = httpVersion.flatMap(HTTPVersion.init(rawValue:))
        super.init(url: url)
    }

    /// Creates a response of a transport.
    ///
    /// - Parameters:
    ///   - url: The URL of the response.
    ///   - head: Status and header fields.
    ///   - httpVersion: The HTTP version.
    ///   - receivedHead: The head as it was received, if it differs.
    public init(
        url: URL?,
        head: HTTPResponse,
        httpVersion: HTTPVersion? = nil,
        receivedHead: HTTPResponse? = nil
    ) {
        shared = SharedResponseHead(head)
        changedHead = receivedHead
        self.httpVersion = httpVersion
        super.init(url: url)
    }

    /// Creates the response of a transport, whose head it shares. An initializer would otherwise copy its argument.
    init(url: URL?, _ response: borrowing TransportResponse) {
        shared = response.sharedHead
        changedHead = response.receivedHead
        httpVersion = response.connection?.httpVersion
        super.init(url: url)
    }

    /// The status (RFC 9110 §15).
    public var statusCode: Int { shared.statusCode }

    /// The header fields in order, including repeated ones such as `Set-Cookie`, with the names as they were received.
    public var headerFields: HTTPFields { head.headerFields }

    /// The header fields by name. Well-known names have their usual spelling, such as `Content-Type`, whatever the
    /// server sent; other names keep the case in which they were received. The values of fields with the same name are
    /// joined with a comma (RFC 9110 §5.3).
    public var allHeaderFields: [AnyHashable: Any] {
        Dictionary(headers.map { (AnyHashable($0.name), $0.value as Any) }) { $1 }
    }

    /// The header fields in order, with the names of ``allHeaderFields``. The values of fields with the same name are
    /// joined with a comma.
    public var headers: HTTPHeaders { HTTPHeaders(head.headerFields) }

    /// The header fields before a layer changed them, with the names of ``allHeaderFields``: see ``receivedHead``.
    public var receivedHeaders: HTTPHeaders { HTTPHeaders(receivedHead.headerFields) }

    /// Returns the value of a header field. The name's case is ignored; the values of fields with the same name are
    /// joined with a comma.
    public func value(forHTTPHeaderField field: String) -> String? {
        HTTPField.Name(field).flatMap { head.headerFields.value(of: $0) }
    }

    /// The media type of the body in lower case, without parameters (RFC 9110 §8.3).
    override public var mimeType: String? {
        head.headerFields.value(of: .contentType).flatMap(ParameterizedValue.value(of:))?.lowercased()
    }

    /// The `charset` of the body's media type, in lower case (RFC 9110 §8.3.2).
    override public var textEncodingName: String? {
        head.headerFields.value(of: .contentType).flatMap(MediaType.charset)?.lowercased()
    }

    /// The length of the body in bytes; -1 if it is unknown (RFC 9110 §8.6).
    override public var expectedContentLength: Int64 { shared.declaredLength(Self.contentLength) }

    private static func contentLength(_ fields: HTTPFields) -> Int64 {
        guard let value = fields.value(of: .contentLength) else { return -1 }
        if let length = length(value) { return length }
        // Repeated equal lengths count as one (RFC 9110 §8.6).
        let lengths = Set(value.split(separator: ",").map { $0.trimmingBlanks() })
        return lengths.count == 1 ? lengths.first.flatMap(length) ?? -1 : -1
    }

    private static func length(_ text: String) -> Int64? {
        var length: Int64 = 0
        for byte in text.utf8 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (product, isTooLarge) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(Int64(byte & 15))
            guard !isTooLarge, !overflows else { return nil }
            length = sum
        }
        return text.isEmpty ? nil : length
    }

    /// A name for a file with the body: that of `Content-Disposition` (RFC 6266), else the URL's last path component,
    /// its host, or `Unknown`. A name without an extension gets that of the media type, if it has one. The name cannot
    /// lead out of a directory.
    override public var suggestedFilename: String? {
        let named = head.headerFields.value(of: .contentDisposition).flatMap(ContentDisposition.filename)
        return named.map(filename(from:)) ?? super.suggestedFilename
    }

    /// Compares status and header fields too. The HTTP version does not matter.
    override func isEqual(to other: URLResponse) -> Bool {
        guard let other = other as? HTTPURLResponse else { return false }
        return super.isEqual(to: other) && head == other.head
    }

    /// The status and the URL, with its password redacted.
    override public var description: String { "\(statusCode) \(redactedURL)" }

    /// The status, the URL and the header fields. Secrets are redacted.
    override public var debugDescription: String {
        ([description] + headers.map { "    \($0)" }).joined(separator: "\n")
    }

    /// Returns the name of a status in lower case.
    public static func localizedString(forStatusCode statusCode: Int) -> String { StatusWords.words(for: statusCode) }
}

extension URLResponse {
    var redactedURL: String { (url?.absoluteString).map(Redaction.url) ?? "(no URL)" }
}
