import AirframeTestSupport
import AirframeTransport
import Glibc
import HTTPTypes
import Testing

@testable import AirframeSocket

@Suite("The only exchange in flight, which spins before it waits", .timeLimit(.minutes(1)))
struct SpinTests {
    @Test("a server whose bytes always arrive within a spin does not outrun the deadline", arguments: [true, false])
    func deadline(hasPassed: Bool) async throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let configuration = SocketTransport.Configuration()
        let engine = try Engine(configuration)
        let socket = Socket(Descriptor(ends[0]), engine.reactor)
        let peer = Socket(Descriptor(ends[1]), engine.reactor)
        try #require([UInt8(1)].withUnsafeBytes { peer.write($0) } == .bytes(1))
        let request = TransportRequest(.get, "http://api.test/").with {
            $0.deadline = configuration.clock.now.advanced(by: hasPassed ? .seconds(-1) : .seconds(20))
        }
        let exchange = try Exchange(request, request.traits, engine)
        defer { engine.endExchange() }
        let stream = HTTP1Stream(
            ByteStream(socket: socket, tls: nil),
            origin: exchange.plan.origin,
            limits: HTTP1Limits(),
            heads: KnownHeads(),
            buffers: engine.buffers
        )
        switch await exchange.waitForInput(stream) {
        case .timeUp: #expect(hasPassed)
        case .ready: #expect(!hasPassed)
        case .cancelled, .failed: Issue.record("the wait was neither over nor ready")
        }
    }
}
