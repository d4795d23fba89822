internal import AirframeTransport
internal import Foundation

/// A readable report of a response for debugging.
struct ResponseReport {
    let request: URLRequest?
    let response: HTTPURLResponse?
    let body: String?
    let metrics: URLSessionTaskMetrics?
    let serializationDuration: TimeInterval
    let result: String

    /// The maximum number of bytes of a body in a report.
    static let bodyLimit = 1024

    var text: String {
        """
        request: \(request?.debugDescription ?? "none")
        response: \(response?.debugDescription ?? "none")
        body: \(body.flatMap { $0.isEmpty ? nil : $0 } ?? "none")
        network: \(metrics.map { milliseconds($0.taskInterval.duration) } ?? "no metrics")
        serialization: \(milliseconds(serializationDuration))
        result: \(result)
        """
    }

    /// Returns the description of a result, cut to the length of a body.
    static func beginning(of result: String) -> String {
        guard result.utf8.count > bodyLimit else { return RedactionPolicy.standard.json(result) }
        return RedactionPolicy.standard.json(String(result.prefix(bodyLimit))) + "…"
    }

    private func milliseconds(_ seconds: TimeInterval) -> String { URLSessionTaskMetrics.milliseconds(seconds) }

    /// Returns the beginning of a text body without its secrets, or the size of another body.
    static func body(_ data: Data, mediaType: String?) -> String {
        let size = "\(data.count) bytes"
        let redact = { (text: String) in RedactionPolicy.standard.text(text, mediaType: mediaType) }
        if data.count <= bodyLimit {
            return String(data: data, encoding: .utf8).map { "\(size)\n\(redact($0))" } ?? size
        }
        // The cut may be inside a character, of which up to three bytes are dropped.
        let beginnings = (0...3).lazy.compactMap { String(data: data.prefix(bodyLimit - $0), encoding: .utf8) }
        return beginnings.first.map { "\(size)\n\(redact($0))…" } ?? size
    }
}
