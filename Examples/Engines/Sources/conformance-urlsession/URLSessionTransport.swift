import AirframeTransport
import Foundation
import FoundationNetworking
import HTTPTypes

/// A minimal engine: one exchange through URLSession, with bodies that are whole in memory. It claims *exchange* alone.
final class URLSessionTransport: Transport {
    // Checked by `accept`: what is not listed is refused by name, never ignored.
    let capabilities = TransportCapabilities(engine: "URLSession", features: [.http1, .tls])
    private let session: URLSession

    init() {
        // A transport sends what it is given. Cookies, the cache and credentials belong to layers above it.
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        // The number of connections to a host is unlimited unless an option of the engine limits it.
        configuration.httpMaximumConnectionsPerHost = 10_000
        session = URLSession(configuration: configuration, delegate: RedirectRefuser(), delegateQueue: nil)
    }

    // The session keeps threads and connections until it is told to stop.
    deinit { session.finishTasksAndInvalidate() }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request.prepared(on: clock)
        try capabilities.accept(&request, on: clock)
        let (url, origin) = try request.target()
        // Nothing was sent yet, and the error may say so: a retry is harmless.
        guard !Task.isCancelled else { throw .cancelled(in: .options, processing: .notSent, origin: origin) }
        let content = try await request.body.whole(for: origin)
        do {
            var message = URLRequest(url: url)
            message.httpMethod = request.head.method.rawValue
            for field in request.head.headerFields {
                message.addValue(field.value, forHTTPHeaderField: field.name.rawName)
            }
            message.httpBody = content
            let (data, response) = try await session.data(for: message)
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            let head = HTTPResponse(status: .init(code: response.statusCode), headerFields: HTTPFields(response))
            // No connection is given: URLSession describes none.
            return TransportResponse(head: head, body: ResponseBody(data), connection: nil, answering: request)
        } catch {
            throw TransportError(error, origin)
        }
    }
}

/// A transport follows no redirects: the response with the location is the response.
private final class RedirectRefuser: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
