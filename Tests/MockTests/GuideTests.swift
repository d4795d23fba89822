import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

// The tests of Docs/Guides/Testing.md, line by line: see ``GuideTests``.

@Test func decodesAUser() async throws {
    struct User: Codable, Equatable { var id: String? }
    let mock = MockTransport {
        Route(.get, "/users/:id") { request in .json(User(id: request.captures["id"])) }
    }
    let session = Session(transport: mock)
    let user = try await session.request("https://api.test/users/7").validate().serializingDecodable(User.self).value
    #expect(user == User(id: "7"))
}

@Test func sendsTheToken() async throws {
    let mock = MockTransport { Route(.get, "/me").reply(.status(204)) }
    let session = Session(transport: mock)
    _ = await session.request("https://api.test/me?full=1", headers: [.authorization(bearerToken: "x")])
        .serializingData().response
    let request = try #require(mock.lastRequest)
    #expect(request.headerFields[.authorization] == "Bearer x")
    #expect(request.query("full") == "1")
}

@Test func backsOffUntilTheServerIsBack() async throws {
    let mock = MockTransport {
        Route(.get, "/flaky").reply(.sequence([.status(503), .fault(.connectionRefused), .text("back")]))
    }
    let retrier = Retrier { request, _, _, completion in
        completion(.retryWithDelay(request.retryCount == 0 ? 10 : 60))
    }
    let session = Session(transport: mock, interceptor: Interceptor(retriers: [retrier]))
    let text = try await session.request("https://api.test/flaky").validate().serializingString().value
    #expect(text == "back")
    #expect(mock.virtualClock.elapsed == .seconds(70))
}

@Test func signsInAgain() async throws {
    let token = Scenario("token", startingAt: "old")
    let mock = MockTransport {
        Route(.post, "/token").moving(token, to: "new")
        Route(.get, "/me").when(token, is: "new").reply(.text("Ada"))
        Route(.get, "/me").reply(.status(401))
    }
    let session = Session(transport: mock)
    let retrier = Retrier { _, session, _, completion in
        session.request("https://api.test/token", method: .post).response { _ in completion(.retry) }
    }
    let request = session.request("https://api.test/me", interceptor: Interceptor(retriers: [retrier]))
    #expect(try await request.validate().serializingString().value == "Ada")
}

@Test func givesUpOnASilentServer() async throws {
    let mock = MockTransport { Route(.get, "/").reply(.fault(.stall(in: .responseHead))) }
    let session = Session(transport: mock)
    let response = await session.request("https://api.test/") { $0.timeoutInterval = 15 }.serializingData().response
    let error = try #require(response.error?.transportError)
    #expect(error.isTimeout)
    #expect(error.phase == .responseHead)
    #expect(mock.virtualClock.elapsed == .seconds(15))
}

@Test(arguments: [
    (Fault.dnsFailure, TransportError.Code.nameResolutionFailed),
    (.connectionRefused, .connectFailed),
    (.tlsFailure(), .tlsFailed),
    (.untrusted(), .trustRefused),
    (.resetBeforeHead, .connectionLost),
    (.reset(afterBytes: 10), .connectionLost),
    (.close(afterBytes: 10), .bodyTruncated),
])
func reportsTheFailure(fault: Fault, code: TransportError.Code) async throws {
    let mock = MockTransport { Route(.get, "/").reply(.text("some more than ten bytes").failing(with: fault)) }
    let session = Session(transport: mock)
    let response = await session.request("https://api.test/").serializingData().response
    #expect(response.error?.transportError?.code == code)
}

@Test func reportsProgress() async throws {
    let mock = MockTransport {
        Route(.get, "/film").reply(.text(String(repeating: "x", count: 1_000)).throttled(bytesPerSecond: 100))
    }
    let session = Session(transport: mock)
    let request = session.request("https://api.test/film")
    let data = try await request.serializingData().value
    #expect(data.count == 1_000)
    #expect(request.downloadProgress.completedUnitCount == 1_000)
    #expect(mock.virtualClock.elapsed == .seconds(10))
}

@Test func uploadsAllBytes() async throws {
    let mock = MockTransport {
        Route(.put, "/file") { request in .json(["received": request.body.count]) }
    }
    let session = Session(transport: mock)
    let upload = session.upload(.init(repeating: 1, count: 100_000), to: "https://api.test/file", method: .put)
    let receipt = try await upload.serializingDecodable([String: Int].self).value
    #expect(receipt == ["received": 100_000])
}

@Test func cancelsWhileItWaits() async throws {
    let mock = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
        Route(.get, "/slow").reply(.text("x").delayed(by: .seconds(30)))
    }
    let session = Session(transport: mock)
    let request = session.request("https://api.test/slow")
    let task = request.serializingString()
    await mock.virtualClock.advance(by: .seconds(29))
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
}

@Test func evaluatesTheChain() async throws {
    struct WrongPin: Error {}
    let mock = MockTransport {
        Route(.get, "/").reply(.text("x").presenting(ServerCertificates(chain: [DER([1, 2, 3])])))
    }
    let request = TransportRequest(
        .init(method: .get, scheme: "https", authority: "api.test", path: "/"),
        trust: ClosureTrustEvaluation { chain, _, _, _ in if chain != [DER([3, 2, 1])] { throw WrongPin() } }
    )
    let error = await #expect(throws: TransportError.self) { try await mock.send(request) }
    #expect(error?.underlying is WrongPin)
}

@Test func requestsTheConfigurationOnce() async throws {
    let mock = MockTransport {
        Route(.get, "/config").reply(.json(["theme": "dark"])).expected(.once)
        Route(.delete, "**").expected(.never)
    }
    let session = Session(transport: mock)
    _ = try await session.request("https://api.test/config").serializingData().value
    try mock.verify()
    #expect(mock.unusedRoutes.map(\.name) == ["DELETE **"])
}

@Test(arguments: 0..<20) func survivesABadNetwork(seed: UInt64) async throws {
    var configuration = MockTransport.Configuration()
    configuration.seed = seed
    let mock = MockTransport(configuration: configuration) {
        Route(.get, "/").reply(
            .sometimes(0.3, .fault(.resetBeforeHead), otherwise: .text("x").delayed(by: .seconds(1)...(.seconds(20))))
        )
    }
    let retrier = Retrier { _, _, _, completion in completion(.retryWithDelay(1)) }
    let session = Session(transport: mock, interceptor: Interceptor(retriers: [retrier]))
    #expect(try await session.request("https://api.test/").serializingString().value == "x")
}

@Test func echoesAfterTheUpgrade() async throws {
    let mock = MockTransport {
        Route(.get, "/echo").reply(
            .upgrade(to: "echo") { client in
                while let data = try await client.read() { try await client.write(data) }
            }
        )
    }
    var request = TransportRequest(.init(method: .get, scheme: "https", authority: "api.test", path: "/echo"))
    request.upgrade = .token("echo")
    let stream = try #require(try await mock.send(request).stream)
    try await stream.write(Data("hello".utf8))
    #expect(try await stream.read() == Data("hello".utf8))
}

@Test func replaysTheRecordedUser() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "user-\(UUID()).har")
    defer { try? FileManager.default.removeItem(at: file) }
    // Yours is a real engine: CurlTransport(), SocketTransport().
    let server = MockTransport { Route(.get, "/users/7").reply(.text("Ada")) }
    for _ in 1...2 {
        let fixture = try RecordingTransport(server, file: file, mode: .recordIfMissing)
        let session = Session(transport: fixture)
        #expect(try await session.request("https://api.test/users/7").serializingString().value == "Ada")
        try fixture.finish()
    }
    #expect(server.requests.count == 1)
}

@Test func reportsAnUnsupportedOption() async throws {
    var configuration = MockTransport.Configuration()
    configuration.features.remove(.http2)
    let session = Session(transport: MockTransport(configuration: configuration) { Route("/") })
    let request = session.request("https://api.test/") { $0.transportOptions.httpVersion = .http2Only }
    let error = await request.serializingData().response.error
    #expect(error?.transportError?.code == .unsupportedOption)
}

@Suite("The guide on testing", .timeLimit(.minutes(1)))
struct GuideTests {
    @Test("shows tests that are run here, and no others")
    func blocksAreTests() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: folder.appending(path: "GuideTests.swift"), encoding: .utf8)
        let guide = folder.appending(path: "../../Docs/Guides/Testing.md")
        let text = try String(contentsOf: guide.standardizedFileURL, encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(!blocks.isEmpty)
        for block in blocks {
            let code = block.components(separatedBy: "\n").filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
            #expect(source.contains(code.trimmingCharacters(in: .newlines)), "\(block) is not a test")
        }
    }
}
