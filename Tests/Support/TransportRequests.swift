public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

extension TransportRequest {
    /// A request for an absolute URL without a proxy, parsed here so that the tests depend on no URL type.
    public init(
        _ method: HTTPRequest.Method = .get,
        _ url: String,
        fields: HTTPFields = [:],
        body: RequestBody = .none
    ) {
        let scheme = url.prefix { $0 != ":" }
        let rest = url.dropFirst(scheme.count + 3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest.dropFirst(authority.count)
        self.init(
            HTTPRequest(
                method: method,
                scheme: String(scheme),
                authority: String(authority),
                path: path.isEmpty ? "/" : String(path),
                headerFields: fields
            ),
            body: body
        )
        options.proxy = ProxyPolicy.none
    }

    /// A changed copy.
    public func with(_ change: (inout TransportRequest) throws -> Void) rethrows -> TransportRequest {
        var request = self
        try change(&request)
        return request
    }
}

extension Transport {
    /// Sends and reads the whole body.
    public func fetch(
        _ request: TransportRequest
    ) async throws(TransportError) -> (response: TransportResponse, body: Data) {
        let response = try await send(request)
        return (response, try await response.body.collect(upTo: 1 << 30))
    }

    /// The whole body as text.
    public func text(_ request: TransportRequest) async throws(TransportError) -> String {
        String(decoding: try await fetch(request).body, as: UTF8.self)
    }

    /// The error that a request ends with, in its head or its body; `nil` when it succeeds.
    public func failure(of request: TransportRequest) async -> TransportError? {
        do {
            _ = try await fetch(request)
            return nil
        } catch {
            return error
        }
    }
}
