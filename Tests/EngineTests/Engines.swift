import AirframeConformance
import AirframeCurl
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes

extension TestedEngine {
    /// A transport with the test's resolver.
    func transport(resolver: any NameResolver) -> any Transport {
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
