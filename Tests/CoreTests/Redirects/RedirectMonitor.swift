import AirframeCore
import Foundation

/// A synchronous monitor that records redirects.
final class RedirectMonitor: EventMonitor {
    let log: Log<String>
    let isCalledSynchronously = true
    let receivesTransportEvents = false

    init(_ log: Log<String>) { self.log = log }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) {
        let (from, to) = (response.url?.absoluteString ?? "", request.url?.absoluteString ?? "")
        log.append("\(response.statusCode) from \(from) to \(to)")
    }
}
