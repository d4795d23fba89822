import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("ClosureTransport", .timeLimit(.minutes(1)))
struct ClosureTransportTests {
    private static let request = TransportRequest(
        HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/a")
    )

    private static func request(unixSocket path: String) -> TransportRequest {
        var request = request
        request.options.unixSocketPath = path
        return request
    }

    @Test("returns the closure's response")
    func answers() async throws {
        let transport = ClosureTransport { request in
            let body = ResponseBody(Data((request.head.path ?? "").utf8))
            return TransportResponse(head: HTTPResponse(status: .accepted), body: body, request: request.head)
        }
        let response = try await transport.send(Self.request)
        #expect(response.head.status == .accepted)
        #expect(try await response.body.collect(upTo: 10) == Data("/a".utf8))
    }

    @Test("throws the closure's error")
    func fails() async {
        let transport = ClosureTransport { _ throws(TransportError) in
            throw TransportError(.connectionLost, phase: .responseHead, processing: .unknown, message: "gone")
        }
        let error = await #expect(throws: TransportError.self) { try await transport.send(Self.request) }
        #expect(error?.code == .connectionLost)
    }

    @Test("refuses a request that needs a feature it does not claim, before the closure is called")
    func refuses() async {
        let transport = ClosureTransport(engine: "stub", features: [.http1]) { request in
            Issue.record("the closure was called")
            return TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
        }
        let request = Self.request(unixSocket: "/run/api.sock")
        let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
        #expect(error?.code == .unsupportedOption && error?.processing == .notSent)
        #expect(error?.message.contains("stub does not support a Unix socket") == true)
    }

    @Test("supports every feature by default")
    func claims() {
        let transport = ClosureTransport {
            TransportResponse(head: .init(status: .ok), body: .init(), request: $0.head)
        }
        #expect(transport.capabilities.features.isSuperset(of: [.http1, .http3, .upgrade, .connectivityWait]))
    }
}
