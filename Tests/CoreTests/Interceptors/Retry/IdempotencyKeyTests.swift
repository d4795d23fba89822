import AirframeConformance
import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Idempotency keys", .timeLimit(.minutes(1)))
struct IdempotencyKeyTests {
    private static let name = HTTPField.Name("Idempotency-Key")

    private static func keys(_ mock: MockTransport) throws -> [String?] {
        let name = try #require(name)
        return mock.requests(.post, "/").map { $0.head.headerFields[name] }
    }

    @Test("a POST with a key is retried with the same key; another request gets another key")
    func keptAcrossRetries() async throws {
        let mock = MockTransport {
            Route(.post, "/").reply(.sequence([.status(503), .status(503), .status(200)]))
        }
        let session = Session(
            transport: mock, interceptor: Interceptor(interceptors: [IdempotencyKeyInterceptor(), RetryPolicy()]))
        for _ in 0..<2 {
            _ = await session.request("http://api.test/", method: .post).validate().serializingData().response
        }
        let keys = try Self.keys(mock).compactMap { $0 }
        #expect(keys.count == 4)
        #expect(Set(keys[..<3]).count == 1)
        #expect(keys[3] != keys[0])
        let form = /"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/
        #expect(keys.allSatisfy { $0.wholeMatch(of: form) != nil })
    }

    @Test("without a key, a POST that may have been processed is sent once")
    func withoutKey() async throws {
        let mock = MockTransport { Route(.post, "/").reply(.status(503)) }
        let session = Session(transport: mock, interceptor: RetryPolicy())
        _ = await session.request("http://api.test/", method: .post).validate().serializingData().response
        #expect(mock.requests(.post, "/").count == 1)
    }

    @Test("a key set by the user is kept, and idempotent methods get none")
    func others() async throws {
        let mock = MockTransport { Route("/").reply(.status(200)) }
        let session = Session(transport: mock, interceptor: IdempotencyKeyInterceptor(form: .plain))
        _ = await session.request("http://api.test/", method: .post, headers: ["idempotency-key": "mine"])
            .serializingData().response
        _ = await session.request("http://api.test/").serializingData().response
        _ = await session.request("http://api.test/", method: .post).serializingData().response
        let keys = try Self.keys(mock)
        #expect(keys.first == "mine")
        #expect(keys.last??.hasPrefix("\"") == false)
        let name = try #require(Self.name)
        #expect(mock.requests(.get, "/").map { $0.head.headerFields[name] } == [nil])
    }

    @Test("two interceptors create different keys for the same request")
    func salted() async throws {
        let session = Session(transport: MockTransport { Route("/") })
        let state = RequestAdapterState(requestID: UUID(), session: session)
        var request = URLRequest(url: try #require(URL(string: "http://api.test/")))
        request.method = .post
        let (first, second) = (IdempotencyKeyInterceptor(), IdempotencyKeyInterceptor())
        let keys = [
            try await first.adapted(request, using: state), try await first.adapted(request, using: state),
            try await second.adapted(request, using: state),
        ].map { $0.headers["Idempotency-Key"] }
        #expect(keys[0] == keys[1])
        #expect(keys[0] != keys[2])
    }

    @Test("the key is sent unchanged after a lost connection", arguments: TestedEngine.allCases)
    func engines(engine: TestedEngine) async throws {
        let heads = Mutex<[String]>([])
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            heads.withLock { $0.append(head) }
            guard connection.index > 0 else { return connection.reset() }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            try connection.readToEnd()
        }
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        let session = Session(
            transport: engine.transport,
            configuration: configuration,
            interceptor: Interceptor(
                interceptors: [
                    IdempotencyKeyInterceptor(), RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0),
                ])
        )
        let text = try await session.request(server.origin + "/", method: .post).serializingString().value
        #expect(text == "ok")
        let keys = heads.withLock { $0 }.compactMap { $0.firstMatch(of: /Idempotency-Key: (.+)\r\n/)?.output.1 }
        #expect(keys.count == 2)
        #expect(Set(keys).count == 1)
    }
}
