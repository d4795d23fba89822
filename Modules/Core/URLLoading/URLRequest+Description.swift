internal import AirframeTransport
internal import Foundation

extension URLRequest: CustomStringConvertible, CustomDebugStringConvertible {
    /// The method and the URL, with its password redacted.
    public var description: String { "\(httpMethod ?? "GET") \(redactedURL)" }

    /// The method, the URL, the header fields and the size of the body. Secrets are redacted.
    public var debugDescription: String {
        var lines = [description]
        lines += headers.map { "    \($0)" }
        if let httpBody { lines.append("    body: \(httpBody.count) bytes") }
        if httpBodyStream != nil { lines.append("    body: a stream") }
        return lines.joined(separator: "\n")
    }

    private var redactedURL: String { (url?.absoluteString).map(Redaction.url) ?? "(no URL)" }
}
