import Airframe
import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("Upgrades", .timeLimit(.minutes(1)))
struct UpgradeTests {
    @Test("an accepted upgrade provides a stream in both directions")
    func agreed() async throws {
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            #expect(head.lowercased().contains("upgrade: echo"))
            #expect(head.contains("X-Adapted: 1"))
            try connection.send("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n")
            try connection.send(Array(try connection.read(5).reversed()))
            _ = try connection.readToEnd()
        }
        let session = TestedEngine.sockets.session()
        let request = session.upgradeRequest("\(server.origin)/x", to: .token("echo")).adapt(
            using: Adapter { request, _, completion in
                var request = request
                request.headers.add(name: "X-Adapted", value: "1")
                completion(.success(request))
            })
        let connection = try await request.connection
        #expect(connection.response.statusCode == 101)
        try await connection.stream.write(Data("hello".utf8))
        var received = Data()
        while received.count < 5, let data = try await connection.stream.read() { received += data }
        #expect(String(decoding: received, as: UTF8.self) == "olleh")
        connection.stream.close()
        #expect(request.isFinished)
    }

    @Test("a declined upgrade is an error with the server's response")
    func declined() async throws {
        let server = try ScriptedServer.responding { _ in "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno" }
        let session = TestedEngine.sockets.session()
        let error = await #expect(throws: AFError.self) {
            try await session.upgradeRequest(server.origin, to: .token("echo")).connection
        }
        let declined = try #require(error?.underlyingError as? UpgradeDeclinedError)
        #expect(declined.response?.statusCode == 404)
        #expect(declined.errorDescription == "the server declined the upgrade to echo: it answered 404")
    }

    @Test("an engine without upgrades rejects the request by name")
    func unsupported() async throws {
        let session = TestedEngine.curl.session()
        let error = await #expect(throws: AFError.self) {
            try await session.upgradeRequest("http://127.0.0.1:9/", to: .token("echo")).connection
        }
        #expect(error?.transportError?.code == .unsupportedOption)
        #expect(error?.transportError?.message.contains("curl") == true)
    }

    @Test("cancelling the waiting task cancels the request")
    func cancelling() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            _ = connection.peerCloses(within: .seconds(20))
        }
        let request = TestedEngine.sockets.session().upgradeRequest(server.origin, to: .token("echo"))
        let task = Task { try await request.connection }
        while server.connections.isEmpty, !Task.isCancelled { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: AFError.self) { try await task.value }
        #expect(error?.isExplicitlyCancelledError == true)
        #expect(request.isCancelled)
    }
}
