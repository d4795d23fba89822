import Airframe
import AirframeConformance
import AirframeCurl
import AirframeSocket
import AirframeTestSupport
import Foundation
import Testing

@Suite("Limits on buffered bodies and on the whole time of a request", .timeLimit(.minutes(1)))
struct BufferLimitTests {
    private func session(_ engine: TestedEngine, _ change: (URLSessionConfiguration) -> Void) -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        change(configuration)
        return Session(transport: engine.transport, configuration: configuration)
    }

    private func server(_ send: @escaping @Sendable (ScriptedConnection) throws -> Void) throws -> ScriptedServer {
        try ScriptedServer { connection in
            try connection.readHead()
            try send(connection)
        }
    }

    private static func chunked(_ connection: ScriptedConnection, _ chunk: [UInt8], count: Int, fields: String = "")
        throws
    {
        try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(fields)\r\n")
        for _ in 0..<count {
            try connection.send(String(chunk.count, radix: 16) + "\r\n")
            try connection.send(chunk + [13, 10])
        }
        try connection.send("0\r\n\r\n")
    }

    private func expectTooLarge(_ response: AFDataResponse<Data>, _ words: [String]) {
        let error = response.error?.transportError
        #expect(error?.code == .bodyTooLarge, "\(String(describing: response.error))")
        for word in words { #expect(error?.message.contains(word) == true, "\(String(describing: error))") }
        #expect((response.error?.underlyingError as? URLError)?.code == .dataLengthExceedsMaximum)
    }

    @Test(
        "an announced length above the limit fails the request before its body is read",
        arguments: TestedEngine.allCases)
    func announced(engine: TestedEngine) async throws {
        let server = try server { connection in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            #expect(connection.peerCloses(within: .seconds(10)), "the exchange ends")
        }
        defer { server.stop() }
        let session = session(engine) { $0.maximumBufferedBodySize = 1000 }
        let response = await session.request("\(server.origin)/big?token=secret").serializingData().response
        expectTooLarge(response, ["1000 bytes", "1000000", "maximumBufferedBodySize", "\(server.origin)/big"])
        #expect(response.error?.transportError?.message.contains("secret") == false)
        #expect(response.response?.statusCode == 200)
    }

    @Test("a body without a length fails when it passes the limit", arguments: TestedEngine.allCases)
    func unannounced(engine: TestedEngine) async throws {
        let server = try server { connection in
            // The client has stopped reading, so sending fails.
            try? Self.chunked(connection, [UInt8](repeating: 7, count: 1 << 16), count: 1000)
        }
        defer { server.stop() }
        let session = session(engine) { $0.maximumBufferedBodySize = 100_000 }
        let request = session.request(server.origin)
        expectTooLarge(await request.serializingData().response, ["100000 bytes", server.origin])
        #expect((request.data?.count ?? 0) <= 100_000)
        #expect(server.connections.first.map { $0.sentCount < 60 << 20 } == true)
    }

    @Test("a body of exactly the limit is whole", arguments: TestedEngine.allCases)
    func exact(engine: TestedEngine) async throws {
        for length in ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"] {
            let server = try server { try $0.send("HTTP/1.1 200 OK\r\n\(length)") }
            defer { server.stop() }
            let session = session(engine) { $0.maximumBufferedBodySize = 5 }
            #expect(await session.request(server.origin).serializingString().response.value == "hello")
        }
    }

    @Test("decoded bytes count, and decoded bodies have their own limit", arguments: TestedEngine.allCases)
    func decoded(engine: TestedEngine) async throws {
        var encoder = try ContentEncoder(.gzip)
        let coded = try encoder.encode([UInt8](repeating: 65, count: 1 << 20)) + encoder.finish()
        let server = try server { connection in
            try? Self.chunked(connection, coded, count: 1, fields: "Content-Encoding: gzip\r\n")
        }
        defer { server.stop() }
        let plain = session(engine) { $0.maximumBufferedBodySize = 100_000 }
        expectTooLarge(await plain.request(server.origin).serializingData().response, ["maximumBufferedBodySize"])
        let own = session(engine) { $0.maximumBufferedDecodedBodySize = 200_000 }
        expectTooLarge(
            await own.request(server.origin).serializingData().response,
            ["200000", "maximumBufferedDecodedBodySize"]
        )
        let free = session(engine) { _ in }
        #expect(await free.request(server.origin).serializingData().response.value?.count == 1 << 20)
    }

    @Test("downloads and streams keep nothing, and have no such limit", arguments: TestedEngine.allCases)
    func unlimited(engine: TestedEngine) async throws {
        let server = try server { connection in
            try Self.chunked(connection, [UInt8](repeating: 7, count: 1000), count: 100)
        }
        defer { server.stop() }
        let session = session(engine) { $0.maximumBufferedBodySize = 10 }
        let file = try ScratchFile()
        let download = session.download(server.origin, to: { _, _ in (file.url, []) })
        #expect(await download.serializingData().response.value?.count == 100_000)
        var count = 0
        for try await piece in session.streamRequest(server.origin).bytes() { count += piece.count }
        #expect(count == 100_000)
    }

    @Test("the defaults: no limit for plain bodies, 256 MiB for decoded ones, seven days for an attempt")
    func defaults() {
        let configuration = URLSessionConfiguration.af.default
        #expect(configuration.maximumBufferedBodySize == nil)
        #expect(configuration.maximumBufferedDecodedBodySize == 256 << 20)
        #expect(configuration.timeoutIntervalForResource == 7 * 24 * 60 * 60)
        #expect(configuration.timeoutIntervalForAllAttempts == nil)
    }

    // MARK: Time

    @Test(
        "a server that sends a byte now and then is ended by the limit on the attempt, and by that on all attempts",
        arguments: TestedEngine.allCases, [true, false]
    )
    func slowDrip(engine: TestedEngine, isForAttempt: Bool) async throws {
        let server = try server { connection in
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while true {
                try connection.send("1\r\na\r\n")
                connection.pause(.milliseconds(20))
            }
        }
        defer { server.stop() }
        let session = session(engine) { configuration in
            if isForAttempt {
                configuration.timeoutIntervalForResource = 0.4
            } else {
                configuration.timeoutIntervalForAllAttempts = 0.4
            }
        }
        let start = ContinuousClock.now
        let response = await session.request(server.origin).serializingData().response
        #expect(response.error?.transportError?.code == .timedOut, "\(String(describing: response.error))")
        #expect(ContinuousClock.now - start >= .milliseconds(390))
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test(
        "times that no clock can hold set no limit, and trap nowhere",
        arguments: [Double.infinity, 1e300, 1e19, 9.3e9, .greatestFiniteMagnitude, .nan]
    )
    func hugeTimes(seconds: Double) async throws {
        let server = try server { try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
        defer { server.stop() }
        let session = session(.sockets) { configuration in
            configuration.timeoutIntervalForAllAttempts = seconds
            configuration.timeoutIntervalForResource = seconds
            if !seconds.isNaN { configuration.timeoutIntervalForRequest = seconds }
        }
        #expect(await session.request(server.origin).serializingString().response.value == "ok")
    }
}
