import AirframeConformance
import AirframeTransport
import Testing

@testable import AirframeSocket

@Suite("the end of a flush without room (RFC 9113 §6.9)", .timeLimit(.minutes(1)))
struct Flushes {
    private let server: FedConnection

    init() throws { server = try FedConnection() }

    @Test("an informational response does not end it, whether or not it has been read")
    func informational() throws {
        let stream = try server.write()
        server.receive([.headers([(":status", "103")])])
        #expect(stream.hasInput)
        #expect(try stream.flush() == .blocked)
        guard case .informational = try stream.next(.arrived) else {
            Issue.record("no informational response")
            return
        }
        #expect(!stream.hasInput)
        #expect(try stream.flush() == .blocked)
        server.receive([.headers([(":status", "103")]), .windowUpdate(20, stream: 1)])
        #expect(try stream.flush() == .progress)
        server.receive([.windowUpdate(70, stream: 1)])
        #expect(try stream.flush() == .done)
    }

    @Test("a final response ends it, also behind an informational one; the server need not make room")
    func final() throws {
        let stream = try server.write()
        server.receive([.headers([(":status", "103")])])
        #expect(try stream.flush() == .blocked)
        server.receive([.ok()])
        #expect(try stream.flush() == .done)
    }

    @Test("a reset ends it")
    func reset() throws {
        let stream = try server.write()
        server.receive([.reset(2)])
        #expect(try stream.flush() == .done)
    }

    @Test("the response to a handshake does not end it, nor do bytes: a tunnel's bytes are sent when there is room")
    func tunnel() throws {
        let stream = try server.write(upgrade: .webSocket)
        server.receive([.ok()])
        #expect(try stream.flush() == .blocked)
        server.receive([.data("hello")])
        #expect(try stream.flush() == .blocked)
        server.receive([.data("", end: true)])
        #expect(try stream.flush() == .blocked)
        server.receive([.windowUpdate(90, stream: 1)])
        #expect(try stream.flush() == .done)
    }
}
