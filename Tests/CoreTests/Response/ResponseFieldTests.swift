import Airframe
import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("Trailers, informational responses, early hints", .timeLimit(.minutes(1)))
struct ResponseFieldTests {
    private static func serve() throws -> ScriptedServer {
        let informational =
            "HTTP/1.1 100 Continue\r\n\r\n"
            + "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
        let body = "4\r\nbody\r\n0\r\nX-Sum: 42\r\nX-Sum: 43\r\n\r\n"
        return try .responding { _ in informational + head + body }
    }

    @Test("a response has them, for each way of awaiting it", arguments: TestedEngine.allCases)
    func responses(engine: TestedEngine) async throws {
        let server = try Self.serve()
        let session = engine.session()
        let response = await session.request(server.origin).serializingString().response
        #expect(response.value == "body")
        #expect(response.trailers?["X-Sum"] == "42, 43")
        #expect(response.informationalResponses.map(\.statusCode) == [100, 103])
        #expect(response.earlyHints.map { $0.value(forHTTPHeaderField: "Link") } == ["</style.css>; rel=preload"])
        #expect(response.map { $0.count }.trailers?["X-Sum"] == "42, 43")
        let download = await session.download(server.origin).serializingString().response
        #expect(download.trailers?["X-Sum"] == "42, 43")
        #expect(download.earlyHints.count == 1)
        let request = session.streamRequest(server.origin)
        for try await _ in request.bytes() {}
        #expect(request.trailers?["X-Sum"] == "42, 43")
    }

    @Test("informational responses arrive before the response", arguments: TestedEngine.allCases)
    func live(engine: TestedEngine) async throws {
        let server = try Self.serve()
        let session = engine.session()
        let called = Log<Int>()
        let request = session.request(server.origin).onInformationalResponse { called.append($0.statusCode) }
        var stream = request.informationalResponses().makeAsyncIterator()
        #expect(try await request.serializingString().value == "body")
        #expect(called.values == [100, 103])
        var streamed: [Int] = []
        while let response = await stream.next() { streamed.append(response.statusCode) }
        #expect(streamed == [100, 103])
    }

    @Test("a response without any has none", arguments: TestedEngine.allCases)
    func none(engine: TestedEngine) async throws {
        let server = try ScriptedServer.echoing()
        let response = await engine.session().request(server.origin).serializingString().response
        #expect(response.trailers == nil)
        #expect(response.informationalResponses.isEmpty)
    }
}
