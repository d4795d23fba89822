import AirframeConformance
import AirframeCurl
import AirframeSocket
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// The engines that the tests run over.
enum TestedEngine: String, CaseIterable, CustomTestStringConvertible {
    case curl
    case sockets

    var testDescription: String { rawValue }

    /// A transport with the test's resolver.
    func transport(resolver: any NameResolver = SystemNameResolver.shared) -> any Transport {
        switch self {
        case .curl:
            var configuration = CurlTransport.Configuration()
            configuration.resolver = resolver
            return CurlTransport(configuration: configuration)
        case .sockets:
            var configuration = SocketTransport.Configuration()
            configuration.resolver = resolver
            return SocketTransport(configuration: configuration)
        }
    }
}

extension TransportRequest {
    /// A request without a proxy.
    init(_ method: HTTPRequest.Method, at authority: String, body: RequestBody = .none) {
        self.init(HTTPRequest(method: method, scheme: "http", authority: authority, path: "/"), body: body)
        options.proxy = ProxyPolicy.none
    }
}

extension Transport {
    /// Sends a request and reads the response as text.
    func text(_ request: TransportRequest) async throws(TransportError) -> String {
        String(decoding: try await send(request).body.collect(upTo: 1 << 24), as: UTF8.self)
    }

    /// The error with which a request ends.
    func failure(of request: TransportRequest) async -> TransportError? {
        do {
            _ = try await text(request)
            return nil
        } catch {
            return error
        }
    }
}

extension ScriptedServer {
    /// A server that answers every request with `ok`.
    static func answering() throws -> ScriptedServer {
        try ScriptedServer { connection in
            while true {
                try connection.readHead()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
    }
}
