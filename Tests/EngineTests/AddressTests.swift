import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import Glibc
import HTTPTypes
import Testing

@Suite("Hosts with several addresses", .timeLimit(.minutes(1)))
struct AddressTests {
    private struct FixedResolver: NameResolver {
        let answer: [String]

        func addresses(of host: String) async throws -> [String] { answer }
    }

    private static let silent = (2...4).map { "127.0.0.\($0)" }

    @Test("an address that does not answer is skipped within a second", arguments: TestedEngine.allCases, 1...3)
    func silent(_ engine: TestedEngine, count: Int) async throws {
        let server = try ScriptedServer.answering()
        let full = try Self.silent.prefix(count).map { try SilentAddress($0, port: server.port) }
        let transport = engine.transport(resolver: FixedResolver(answer: full.map(\.host) + ["127.0.0.1"]))
        let start = ContinuousClock.now
        let response = try await transport.send(TransportRequest(.get, at: "many.test:\(server.port)"))
        let elapsed = ContinuousClock.now - start
        #expect(response.connection?.remoteAddress == .ip("127.0.0.1", port: server.port))
        #expect(response.connection?.isReused == false)
        // The second address is tried in parallel; libcurl tries the others one after another.
        #expect(elapsed < (count == 1 ? .seconds(1) : .seconds(count + 1)), "\(elapsed)")
        _ = try await response.body.collect(upTo: 100)
    }

    @Test(
        "an address in a request's overrides that does not answer is skipped within a second",
        arguments: TestedEngine.allCases)
    func overrides(_ engine: TestedEngine) async throws {
        let server = try ScriptedServer.answering()
        let full = try SilentAddress("127.0.0.2", port: server.port)
        var request = TransportRequest(.get, at: "many.test:\(server.port)")
        request.options.resolveOverrides = [
            ResolveOverride(host: "many.test", port: server.port, addresses: [full.host, "127.0.0.1"])
        ]
        let start = ContinuousClock.now
        #expect(try await engine.transport.text(request) == "ok")
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test("the first address is used if it answers", arguments: TestedEngine.allCases)
    func preferred(_ engine: TestedEngine) async throws {
        let server = try ScriptedServer.answering()
        let transport = engine.transport(resolver: FixedResolver(answer: ["127.0.0.1", "127.0.0.2", "::1"]))
        let response = try await transport.send(TransportRequest(.get, at: "many.test:\(server.port)"))
        #expect(response.connection?.remoteAddress == .ip("127.0.0.1", port: server.port))
        _ = try await response.body.collect(upTo: 100)
    }

    @Test("if all addresses refuse, the request fails immediately", arguments: TestedEngine.allCases)
    func refused(_ engine: TestedEngine) async throws {
        let transport = engine.transport(resolver: FixedResolver(answer: ["127.0.0.2", "127.0.0.3", "127.0.0.1"]))
        let start = ContinuousClock.now
        let error = await transport.failure(of: TransportRequest(.get, at: "many.test:1"))
        #expect(error?.code == .connectFailed)
        #expect(ContinuousClock.now - start < .seconds(2))
    }
}

/// An address with a listening port whose queue is full: connection attempts get no answer.
private final class SilentAddress {
    let host: String
    private var descriptors: [Int32] = []

    init(_ host: String, port: Int) throws {
        self.host = host
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        func call(_ function: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    function($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let listener = socket(AF_INET, kind, 0)
        descriptors.append(listener)
        guard call({ bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        for _ in 0..<4 {
            let filler = socket(AF_INET, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
            descriptors.append(filler)
            _ = call { connect(filler, $0, $1) }
            // A connection enters the queue after its handshake.
            var entry = pollfd(fd: filler, events: Int16(POLLOUT), revents: 0)
            poll(&entry, 1, 50)
        }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
