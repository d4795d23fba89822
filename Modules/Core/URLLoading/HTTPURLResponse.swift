public import AirframeTransport
public import Foundation
public import HTTPTypes

/// The head of an HTTP response with the URL that it answers for.
///
/// A view over the response's fields, which stay in order and as many as they came. What is derived from them, the
/// media type for one, is computed when it is asked for.
///
/// `@unchecked Sendable` because a class above it is; what is here is immutable, and Sendable.
public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
    /// Status and header fields as the transport received them.
    public let head: HTTPResponse

    /// The head as it was on the wire. It differs from ``head`` where a layer changed that: content that was decoded has
    /// lost its `Content-Encoding` and `Content-Length`, and they are found here.
    public let receivedHead: HTTPResponse

    /// The version of HTTP that brought the response, where it is known.
    public let httpVersion: HTTPVersion?

    /// Makes a response, for tests and stand-ins.
    ///
    /// - Parameters:
    ///   - url: The URL that it answers for.
    ///   - statusCode: The status, from 100 to 999.
    ///   - httpVersion: The version, as `HTTP/1.1`.
    ///   - headerFields: The header fields.
    /// - Returns: `nil` when the status is out of its range, or a field is not allowed in HTTP.
    public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {
        guard (100...999).contains(statusCode) else { return nil }
        let (fields, invalid) = HTTPHeaders(headerFields ?? [:]).makeFields()
        guard invalid.isEmpty else { return nil }
        head = HTTPResponse(status: HTTPResponse.Status(code: statusCode), headerFields: fields)
        receivedHead = head
        self.httpVersion = httpVersion.flatMap(HTTPVersion.init(rawValue:))
        super.init(url: url)
    }

    /// Makes a response from what a transport received.
    ///
    /// - Parameters:
    ///   - url: The URL that it answers for.
    ///   - head: Status and header fields.
    ///   - httpVersion: The version of HTTP that brought it.
    ///   - receivedHead: The head as it was on the wire, where that differs.
    public init(
        url: URL?,
        head: HTTPResponse,
        httpVersion: HTTPVersion? = nil,
        receivedHead: HTTPResponse? = nil
    ) {
        self.head = head
        self.receivedHead = receivedHead ?? head
        self.httpVersion = httpVersion
        super.init(url: url)
    }

    /// The status (RFC 9110 §15).
    public var statusCode: Int { head.status.code }

    /// The header fields in order, as many as they came: `Set-Cookie` more than once, for one.
    public var headerFields: HTTPFields { head.headerFields }

    /// The header fields by their names as they were received; the values of fields with the same name are joined with
    /// a comma (RFC 9110 §5.3).
    public var allHeaderFields: [AnyHashable: Any] {
        Dictionary(headers.map { (AnyHashable($0.name), $0.value as Any) }) { $1 }
    }

    /// The header fields in order, those with the same name joined with a comma.
    public var headers: HTTPHeaders { HTTPHeaders(head.headerFields) }

    /// The header fields as they were on the wire: see ``receivedHead``.
    public var receivedHeaders: HTTPHeaders { HTTPHeaders(receivedHead.headerFields) }

    /// The value of a header field, its name in any case; the values of fields with the same name are joined with a
    /// comma.
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

    /// The length of the body in bytes, -1 where it is not known (RFC 9110 §8.6).
    override public var expectedContentLength: Int64 {
        guard let value = head.headerFields.value(of: .contentLength) else { return -1 }
        if let length = Self.length(value) { return length }
        // Repeated equal lengths count as one (RFC 9110 §8.6).
        let lengths = Set(value.split(separator: ",").map { $0.trimmingBlanks() })
        return lengths.count == 1 ? lengths.first.flatMap(Self.length) ?? -1 : -1
    }

    private static func length(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }

    /// A name for a file with the body: what `Content-Disposition` says (RFC 6266), else the URL's last path component,
    /// its host, or `Unknown`. It never leads out of a directory.
    override public var suggestedFilename: String? {
        head.headerFields.value(of: .contentDisposition).flatMap(ContentDisposition.filename) ?? super.suggestedFilename
    }

    /// Compares status and header fields too; by which version of HTTP they came does not matter.
    override func isEqual(to other: URLResponse) -> Bool {
        guard let other = other as? HTTPURLResponse else { return false }
        return super.isEqual(to: other) && head == other.head
    }

    /// Status and URL, without the password in it.
    override public var description: String { "\(statusCode) \(redactedURL)" }

    /// Status, URL and header fields; secrets are hidden.
    override public var debugDescription: String {
        ([description] + headers.map { "    \($0)" }).joined(separator: "\n")
    }

    /// A status in words, in lower case.
    public static func localizedString(forStatusCode statusCode: Int) -> String { StatusWords.words(for: statusCode) }
}

extension URLResponse {
    var redactedURL: String { (url?.absoluteString).map(Redaction.url) ?? "(no URL)" }
}
