import AirframeConformance
import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Bearer tokens from files", .timeLimit(.minutes(1)))
struct BearerTokenFileTests {
    private static let origin = Origin(scheme: "https", host: "api.test")

    /// A directory as mounted by Kubernetes: the token is a link into a directory that is replaced as a whole.
    private final class Mount: Sendable {
        let root = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)")
        var path: String { root.appending(path: "token").path() }

        init(_ token: String) throws {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            try rotate(token)
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: "..data/token")
        }

        deinit { try? FileManager.default.removeItem(at: root) }

        func rotate(_ token: String) throws {
            let version = root.appending(path: "..\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data("\(token)\n".utf8).write(to: version.appending(path: "token"))
            let link = root.appending(path: "..new").path()
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: version.lastPathComponent)
            guard rename(link, root.appending(path: "..data").path()) == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    private static func tokens(_ mock: MockTransport) -> [String?] {
        mock.requests(.get, "https://api.test/").map { $0.head.headerFields[.authorization] }
    }

    @Test("a rotated token is used from the next request on")
    func rotates() async throws {
        let mount = try Mount("first")
        let mock = MockTransport { Route("https://api.test/").reply(.text("ok")) }
        let session = Session(transport: mock, interceptor: BearerTokenFile(path: mount.path, for: [Self.origin]))
        for token in ["first", "second", "third"] {
            if token != "first" { try mount.rotate(token) }
            for _ in 0..<2 { _ = await session.request("https://api.test/").serializingString().response }
        }
        #expect(
            Self.tokens(mock) == [
                "Bearer first", "Bearer first", "Bearer second", "Bearer second", "Bearer third", "Bearer third",
            ])
    }

    @Test("a rejected request is retried only if the file has another token")
    func refused() async throws {
        let mount = try Mount("first")
        let mock = MockTransport {
            Route("https://api.test/") { request in
                // The token is rotated while the request is in flight.
                if request.head.headerFields[.authorization] == "Bearer first" { try mount.rotate("second") }
                return .status(request.head.headerFields[.authorization] == "Bearer second" ? 200 : 401)
            }
        }
        let session = Session(transport: mock, interceptor: BearerTokenFile(path: mount.path, for: [Self.origin]))
        let response = await session.request("https://api.test/").validate()
            .serializingData(emptyResponseCodes: [200]).response
        #expect(response.response?.statusCode == 200)
        #expect(Self.tokens(mock) == ["Bearer first", "Bearer second"])
        let stubborn = MockTransport { Route("https://api.test/").reply(.status(401)) }
        let second = Session(transport: stubborn, interceptor: BearerTokenFile(path: mount.path, for: [Self.origin]))
        let refusal = await second.request("https://api.test/").validate().serializingData().response
        #expect(refusal.error?.responseCode == 401)
        #expect(Self.tokens(stubborn).count == 1)
    }

    @Test("an expired JWT is read again, even if the file's status is unchanged")
    func expired() async throws {
        let mock = MockTransport { Route("https://api.test/").reply(.text("ok")) }
        let expiration = mock.virtualClock.date.addingTimeInterval(100).timeIntervalSince1970
        func token(_ signature: String) -> String {
            "e30.\(Data("{\"exp\":\(expiration)}".utf8).base64EncodedString().replacing("=", with: "")).\(signature)"
        }
        let mount = try Mount(token("AAAA"))
        let file = BearerTokenFile(path: mount.path, for: [Self.origin])
        let session = Session(transport: mock, interceptor: file)
        _ = await session.request("https://api.test/").serializingString().response
        // Written in place with the same size and times, so that only reading reveals the change.
        let url = URL(fileURLWithPath: mount.path).resolvingSymlinksInPath()
        var times = [timespec(), timespec()]
        var status = stat()
        stat(url.path(), &status)
        times = [status.st_atim, status.st_mtim]
        let handle = try FileHandle(forWritingTo: url)
        try handle.write(contentsOf: Data(token("BBBB").utf8))
        try handle.close()
        utimensat(AT_FDCWD, url.path(), times, 0)
        _ = await session.request("https://api.test/").serializingString().response
        try await mock.virtualClock.sleep(for: .seconds(101))
        _ = await session.request("https://api.test/").serializingString().response
        #expect(Self.tokens(mock).map { $0?.suffix(4) } == ["AAAA", "AAAA", "BBBB"])
    }

    @Test("the token is sent to its origins only, and does not replace another Authorization")
    func origins() async throws {
        let mount = try Mount("t")
        let mock = MockTransport { Route("/").reply(.text("ok")) }
        let session = Session(transport: mock, interceptor: BearerTokenFile(path: mount.path, for: [Self.origin]))
        for url in ["https://api.test/", "http://api.test/", "https://api.test:8443/", "https://other.test/"] {
            _ = await session.request(url).serializingString().response
        }
        _ = await session.request("https://api.test/", headers: [.authorization("own")]).serializingString().response
        #expect(
            mock.requests(.get, "/").map { $0.head.headerFields[.authorization] }
                == ["Bearer t", nil, nil, nil, "own"])
    }

    @Test("a file without a token fails the request, with its path", arguments: ["", " \n", "a b", "ä"])
    func malformed(token: String) async throws {
        let mount = try Mount(token)
        let session = Session(
            transport: MockTransport {}, interceptor: BearerTokenFile(path: mount.path, for: [Self.origin]))
        let response = await session.request("https://api.test/").serializingString().response
        let error = try #require(response.error?.underlyingError as? BearerTokenFileError)
        #expect(error.path == mount.path)
        #expect("\(error)".contains("it contains no token"))
        let missing = Session(
            transport: MockTransport {}, interceptor: BearerTokenFile(path: "/nonexistent/token", for: [Self.origin]))
        let failure = await missing.request("https://api.test/").serializingString().response
        #expect("\(try #require(failure.error?.underlyingError))".contains("No such file or directory"))
    }

    @Test("descriptions do not show the token")
    func secrets() async throws {
        let mount = try Mount("SECRET")
        let file = BearerTokenFile(path: mount.path, for: [Self.origin])
        let session = Session(transport: MockTransport { Route("/").reply(.text("ok")) }, interceptor: file)
        _ = await session.request("https://api.test/").serializingString().response
        var dumped = ""
        dump(file, to: &dumped)
        #expect(!"\(file)\(dumped)".contains("SECRET"))
    }

    @Test("a rejected token is replaced by the file's new one", arguments: TestedEngine.allCases)
    func engines(engine: TestedEngine) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)")
        try Data("first\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try ScriptedServer { connection in
            while true {
                let isFresh = try connection.readHead().contains("Authorization: Bearer second\r\n")
                // The token is rotated while the request is in flight.
                if !isFresh { try Data("second\n".utf8).write(to: file, options: .atomic) }
                let status = isFresh ? "200 OK" : "401 Unauthorized"
                try connection.send("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        let session = Session(
            transport: engine.transport,
            configuration: configuration,
            interceptor: BearerTokenFile(
                path: file.path(), for: [Origin(scheme: "http", host: "127.0.0.1", port: server.port)])
        )
        let response = await session.request(server.origin + "/").validate().serializingString().response
        #expect(response.value == "ok")
        #expect(response.request?.headers["Authorization"] == "Bearer second")
    }
}
