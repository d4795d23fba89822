import Airframe
import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import Foundation
import Glibc
import HTTPTypes
import Testing

@Suite("Connection settings", .timeLimit(.minutes(1)))
struct ConnectionTests {
    /// An option of the sockets of this process that are connected to `server`.
    private func options(_ level: Int32, _ name: Int32, of server: ScriptedServer) -> [Int32] {
        (Int32(3)..<4096).compactMap { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
            }
            guard code == 0, address.sin_family == sa_family_t(AF_INET),
                UInt16(bigEndian: address.sin_port) == UInt16(server.port)
            else { return nil }
            var value: Int32 = -1
            var size = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, level, name, &value, &size) == 0 ? value : nil
        }
    }

    @Test("socket options are set in the kernel", arguments: TestedEngine.allCases)
    func settings(engine: TestedEngine) async throws {
        let server = try ScriptedServer.echoing()
        let session = engine.session()
        let request = session.request(server.origin) {
            $0.transportOptions.socket.dscp = 46
            $0.transportOptions.socket.keepAlive = .init(idle: .seconds(11), interval: .seconds(12), count: 3)
            $0.transportOptions.socket.userTimeout = .seconds(9)
            $0.transportOptions.socket.fastOpen = true
        }
        _ = try await request.text
        let tcp = Int32(IPPROTO_TCP)
        #expect(options(Int32(IPPROTO_IP), IP_TOS, of: server) == [46 << 2])
        #expect(options(SOL_SOCKET, SO_KEEPALIVE, of: server) == [1])
        #expect(options(tcp, TCP_KEEPIDLE, of: server) == [11])
        #expect(options(tcp, TCP_KEEPINTVL, of: server) == [12])
        #expect(options(tcp, TCP_KEEPCNT, of: server) == [3])
        #expect(options(tcp, TCP_USER_TIMEOUT, of: server) == [9000])
        // TCP_FASTOPEN_CONNECT
        #expect(options(tcp, 30, of: server) == [1])
        withExtendedLifetime(session) {}
    }

    @Test("connections with different settings are not shared", arguments: TestedEngine.allCases)
    func sharing(engine: TestedEngine) async throws {
        let server = try ScriptedServer.echoing()
        let session = engine.session()
        for dscp in [nil, 10, 10, 12, nil] {
            let request = session.request(server.origin) { $0.transportOptions.socket.dscp = dscp }
            _ = try await request.text
        }
        #expect(server.connections.count == 3)
        #expect(options(Int32(IPPROTO_IP), IP_TOS, of: server).sorted() == [0, 40, 48])
        withExtendedLifetime(session) {}
    }

    @Test("a setting that the kernel rejects is an error that names it", arguments: TestedEngine.allCases)
    func refusal(engine: TestedEngine) async throws {
        let server = try ScriptedServer.echoing()
        let request = engine.session().request(server.origin) { $0.transportOptions.socket.dscp = 64 }
        let error = await request.serializingString().response.error?.transportError
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.contains("code point 64 (DSCP)") == true, "\(error?.message ?? "")")
        #expect(error?.processing == .notSent)
    }

    @Test("Multipath TCP is used if the kernel supports it, else rejected by name", arguments: TestedEngine.allCases)
    func multipath(engine: TestedEngine) async throws {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 262)
        if probe >= 0 { close(probe) }
        let server = try ScriptedServer.echoing()
        let response = await engine.session().request(
            server.origin, requestModifier: { $0.transportOptions.socket.multipath = true }
        ).serializingString().response
        if probe >= 0 {
            #expect(response.error == nil)
        } else {
            #expect(response.error?.transportError?.code == .unsupportedOption)
            #expect(response.error?.transportError?.message.contains("Multipath TCP") == true)
        }
    }

    @Test("a mark needs a privilege, and is rejected by name without it", arguments: TestedEngine.allCases)
    func mark(engine: TestedEngine) async throws {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var value: Int32 = 7
        let isAllowed = setsockopt(probe, SOL_SOCKET, 36, &value, 4) == 0
        close(probe)
        let server = try ScriptedServer.echoing()
        let session = engine.session()
        let response = await session.request(
            server.origin, requestModifier: { $0.transportOptions.socket.mark = 7 }
        ).serializingString().response
        if isAllowed {
            #expect(response.error == nil)
            #expect(options(SOL_SOCKET, 36, of: server) == [7])
        } else {
            #expect(response.error?.transportError?.code == .unsupportedOption)
            #expect(response.error?.transportError?.message.contains("SO_MARK") == true)
        }
        withExtendedLifetime(session) {}
    }

    // MARK: TLS

    private static func tls(_ peer: String, _ change: (inout TLSOptions) -> Void) throws -> Session.RequestModifier {
        let roots = TrustRoots.pemFile(path: try Peers.required().path("root"))
        var options = TLSOptions(roots: roots)
        change(&options)
        return { [options] in $0.transportOptions.tls = options }
    }

    @Test(
        "cipher suites and groups are those of the options", .enabled(if: Peers.areExpected),
        arguments: TestedEngine.allCases)
    func algorithms(engine: TestedEngine) async throws {
        let url = try Peers.required().https() + "/static/64.bin"
        let session = engine.session()
        for suite in ["TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"] {
            let modifier = try Self.tls("https") {
                $0.cipherSuites = [suite]
                $0.groups = ["P-256"]
            }
            let request = session.request(url, requestModifier: modifier)
            _ = try await request.serializingData().value
            #expect(request.metrics?.timelines.last?.connection?.tls?.cipherSuite == suite)
        }
        let usual = session.request(url, requestModifier: try Self.tls("https") { _ in })
        _ = try await usual.serializingData().value
        #expect(usual.metrics?.timelines.last?.connection?.tls?.cipherSuite == "TLS_AES_128_GCM_SHA256")
        let old = try Self.tls("https") {
            $0.maximumVersion = .tls1_2
            $0.legacyCipherSuites = ["ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"]
        }
        let request = session.request(url, requestModifier: old)
        _ = try await request.serializingData().value
        #expect(
            request.metrics?.timelines.last?.connection?.tls?.cipherSuite.contains("AES_256_GCM") == true
                || request.metrics?.timelines.last?.connection?.tls?.cipherSuite.contains("AES256-GCM") == true)
    }

    @Test(
        "algorithms that OpenSSL does not know fail the request, and the error names them",
        .enabled(if: Peers.areExpected),
        arguments: TestedEngine.allCases)
    func unknownAlgorithms(engine: TestedEngine) async throws {
        let url = try Peers.required().https()
        let session = engine.session()
        let rows: [(name: String, change: (inout TLSOptions) -> Void)] = [
            ("\"TLS_NOTHING\"", { $0.cipherSuites = ["TLS_NOTHING"] }),
            ("\"NOTHING\"", { $0.legacyCipherSuites = ["NOTHING"] }),
            ("\"aNULL\"", { $0.legacyCipherSuites = ["aNULL"] }),
            ("\"nothing\"", { $0.groups = ["nothing"] }),
            ("groups", { $0.groups = [] }),
        ]
        for (name, change) in rows {
            let error = await session.request(url, requestModifier: try Self.tls("https", change))
                .serializingData().response.error?.transportError
            #expect(error?.code == .tlsFailed)
            #expect(error?.message.contains(name) == true, "\(error?.message ?? "no error")")
        }
    }

    // MARK: Connections in advance

    @Test("a prepared connection is used by the next request")
    func preparing() async throws {
        let server = try ScriptedServer.echoing()
        let session = TestedEngine.sockets.session { $0.baseURL = URL(string: server.origin) }
        let connection = try await session.prepare(for: "/")
        #expect(!connection.isReused)
        let again = try await session.prepare(for: server.origin)
        #expect(again.isReused && again.id == connection.id)
        let request = session.get("x")
        _ = try await request.text
        #expect(request.metrics?.timelines.last?.connection?.id == connection.id)
        #expect(server.connections.count == 1)
    }

    @Test(
        "the handshake is complete, over HTTP/1.1 and HTTP/2", .enabled(if: Peers.areExpected),
        arguments: [HTTPVersionPolicy.http1Only, .http2Only])
    func preparingTLS(version: HTTPVersionPolicy) async throws {
        let url = try Peers.required().https() + "/static/64.bin"
        let session = TestedEngine.sockets.session()
        let tls = try Self.tls("https") { _ in }
        let modifier: Session.RequestModifier = {
            try tls(&$0)
            $0.transportOptions.httpVersion = version
        }
        let connection = try await session.prepare(for: url, requestModifier: modifier)
        #expect(connection.tls != nil)
        for _ in 0..<2 {
            let request = session.request(url, requestModifier: modifier)
            #expect(try await request.serializingData().value.count == 64)
            #expect(request.metrics?.timelines.last?.connection?.id == connection.id)
        }
    }

    @Test("an engine without prepare rejects by name, and an unreachable server is an error")
    func refusingToPrepare() async throws {
        let curl = await #expect(throws: AFError.self) {
            try await TestedEngine.curl.session().prepare(for: "http://127.0.0.1:9/")
        }
        #expect(curl?.transportError?.code == .unsupportedOption)
        #expect(curl?.transportError?.message.contains("curl") == true)
        #expect(curl?.transportError?.message.contains("connections in advance") == true)
        let port: Int
        do { port = try ScriptedServer.echoing().port }
        let sockets = await #expect(throws: AFError.self) {
            try await TestedEngine.sockets.session().prepare(for: "http://127.0.0.1:\(port)/")
        }
        #expect(sockets?.transportError?.code == .connectFailed)
        await #expect(throws: AFError.self) { try await TestedEngine.sockets.session().prepare(for: "no url") }
    }

    // MARK: Priority

    @Test("waiting requests get connections in the order of their tasks' priorities, also if they run detached")
    func priority() async throws {
        let paths = Log<String>()
        let mayAnswer = Signal()
        let server = try ScriptedServer { connection in
            while let head = try? connection.readHead() {
                paths.append(String(head.split(separator: " ")[1]))
                mayAnswer.wait()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        var configuration = SocketTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let transport = SocketTransport(configuration: configuration)
        let session = Session(transport: transport)
        let first = Task { try await session.request("\(server.origin)/first").text }
        while paths.values.isEmpty, !Task.isCancelled { await Task.yield() }
        var waiting: [Task<String, any Error>] = []
        let asked: [(TaskPriority, String)] = [
            (.background, "background"), (.medium, "medium-1"), (.medium, "medium-2"), (.high, "high"), (.low, "low"),
        ]
        for (index, (priority, name)) in asked.enumerated() {
            waiting.append(
                Task.detached(priority: priority) {
                    let request = session.request("\(server.origin)/\(name)")
                    // Every other request runs detached.
                    if index.isMultiple(of: 2) { request.resume() }
                    return try await request.text
                })
            while transport.statistics.waitingRequestCount <= index, !Task.isCancelled { await Task.yield() }
        }
        mayAnswer.raise()
        for task in waiting + [first] { #expect(try await task.value == "ok") }
        #expect(paths.values == ["/first", "/high", "/medium-1", "/medium-2", "/low", "/background"])
    }
}
