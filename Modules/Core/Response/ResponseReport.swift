internal import AirframeTransport
internal import Foundation

/// A response told for a person who looks for a fault.
struct ResponseReport {
    let request: URLRequest?
    let response: HTTPURLResponse?
    let body: String?
    let metrics: URLSessionTaskMetrics?
    let serializationDuration: TimeInterval
    let result: String

    /// As much of a body as helps and does not fill a log.
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

    /// A result as it describes itself, no longer than a body would be.
    static func beginning(of result: String) -> String {
        guard result.utf8.count > bodyLimit else { return RedactionPolicy.standard.json(result) }
        return RedactionPolicy.standard.json(String(result.prefix(bodyLimit))) + "…"
    }

    private func milliseconds(_ seconds: TimeInterval) -> String { URLSessionTaskMetrics.milliseconds(seconds) }

    /// The beginning of a body that is text, without secrets, or the size of one that is not.
    static func body(_ data: Data, mediaType: String?) -> String {
        let size = "\(data.count) bytes"
        let redact = { (text: String) in RedactionPolicy.standard.text(text, mediaType: mediaType) }
        if data.count <= bodyLimit {
            return String(data: data, encoding: .utf8).map { "\(size)\n\(redact($0))" } ?? size
        }
        // The cut may fall into a character: up to three bytes of it are left out.
        let beginnings = (0...3).lazy.compactMap { String(data: data.prefix(bodyLimit - $0), encoding: .utf8) }
        return beginnings.first.map { "\(size)\n\(redact($0))…" } ?? size
    }
}
