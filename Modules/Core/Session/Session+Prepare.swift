public import AirframeTransport
internal import Foundation

extension Session {
    /// Opens a connection to a server in advance: resolves the name, connects and completes the TLS handshake. The next
    /// request to the server uses the connection.
    ///
    /// ```swift
    /// try await session.prepare(for: "https://api.test")
    /// ```
    ///
    /// - Parameters:
    ///   - url: A URL of the server, absolute or relative to the session's base.
    ///   - requestModifier: Sets the options, trust, identity and engine of the requests that will use the connection.
    ///     Requests share a connection if they agree on these.
    /// - Returns: The connection, newly opened or idle.
    /// - Throws: An ``AFError``: the error that a request would have up to the same point, or the error of a transport
    ///   that cannot open connections in advance.
    @discardableResult
    public func prepare(
        for url: any URLConvertible,
        requestModifier: RequestModifier? = nil
    ) async throws -> TransportConnection {
        var asked: URLRequest?
        do {
            var urlRequest = try PlainRequest(url: url, method: .get, headers: nil, modifier: requestModifier)
                .asURLRequest()
            if let base = context.baseURL, urlRequest.url?.scheme == nil { try urlRequest.resolve(against: base.get()) }
            asked = urlRequest
            let head = try urlRequest.head()
            var request = TransportRequest(head, options: context.options(for: urlRequest))
            request.security = context.security(for: head, of: urlRequest)
            request.startDeadline(on: transport.clock)
            if let values = urlRequest.layerValues { request.adopt(values) }
            return try await transport.prepare(request)
        } catch let error as TransportError {
            throw AFError.transport(error, url: asked?.url)
        } catch {
            throw error.asAFError(or: .createURLRequestFailed(error: error))
        }
    }
}
