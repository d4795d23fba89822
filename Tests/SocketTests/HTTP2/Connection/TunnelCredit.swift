import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import Testing

/// A server that obeys the client's windows (RFC 9113 §5.2), and counts the credit that the client owes it.
private struct WindowedServer {
    private let connection: ScriptedConnection
    /// The window of the connection.
    private(set) var window = 65_535
    /// The number of bytes sent for which the client has returned no credit.
    private(set) var owed = 0
    /// What each open stream has room for.
    private var rooms: [UInt32: Int] = [:]
    /// Requests that have arrived and have not been taken.
    private var requests: [(stream: UInt32, isTunnel: Bool)] = []

    init(_ connection: ScriptedConnection) throws {
        self.connection = connection
        try connection.beginHTTP2([(8, 1)])
    }

    /// Answers the next request with status 200. Returns its stream, and whether it has opened a tunnel.
    mutating func answer() throws -> (stream: UInt32, isTunnel: Bool) {
        while requests.isEmpty { try receive() }
        let request = requests.removeFirst()
        try connection.send([.ok(stream: request.stream)])
        return request
    }

    /// Sends content as the windows allow, unless the client resets the stream.
    mutating func send(_ count: Int, end: Bool = false, on stream: UInt32) throws {
        var rest = count
        while rest > 0, let room = rooms[stream] {
            let size = min(rest, 16_384, room, window - owed)
            guard size > 0 else {
                try receive()
                continue
            }
            rest -= size
            owed += size
            rooms[stream] = room - size
            let content = [UInt8](repeating: 1, count: size)
            try connection.send([.data(content, end: end && rest == 0, stream: stream)])
        }
    }

    /// Waits until the client has returned all credit.
    mutating func waitForCredit() throws {
        while owed > 0 { try receive() }
    }

    private mutating func receive() throws {
        let frame = try connection.readFrame()
        switch (frame.type, frame.stream) {
        case (1, let stream):
            rooms[stream] = 65_536
            // The head of a request without content has END_STREAM.
            requests.append((stream, frame.flags & HTTP2Frame.endStream == 0))
        case (3, let stream): rooms[stream] = nil
        // The client enlarges the connection's window before the first content.
        case (8, 0) where owed == 0 && window == 65_535: window += Int(frame.number)
        case (8, 0): owed -= Int(frame.number)
        case (8, let stream): rooms[stream]? += Int(frame.number)
        default: break
        }
    }
}

@Suite("the credit of closed tunnels (RFC 9113 §6.9)", .timeLimit(.minutes(2)))
struct TunnelCredit {
    /// The end of a tunnel whose server fills the stream's window.
    private enum Ending: CaseIterable {
        /// It is closed before anything is read.
        case unread
        /// It is closed after one read.
        case partlyRead
        /// It is closed after everything has been read.
        case read
        /// It is closed while another task reads.
        case duringRead
        /// It is released.
        case released
    }

    private let transport: SocketTransport

    init() {
        var configuration = SocketTransport.Configuration()
        // The connection's window is twice this, and full after 16 tunnels.
        configuration.http2ConnectionWindow = 512 << 10
        configuration.maximumConnectionsPerHost = 1
        transport = SocketTransport(configuration: configuration)
    }

    private func openAndClose(_ ending: Ending, _ server: ScriptedServer) async throws {
        let request = TransportRequest.http2(server, "/chat").with { $0.upgrade = .webSocket }
        let stream = try #require(try await transport.send(request).stream)
        switch ending {
        case .unread: stream.close()
        case .partlyRead:
            _ = try await stream.read()
            stream.close()
        case .read:
            var count = 0
            while count < 65_536, let bytes = try await stream.read() { count += bytes.count }
            stream.close()
        case .duringRead:
            let reader = Task { while try await stream.read() != nil {} }
            await Task.yield()
            stream.close()
            _ = await reader.result
        case .released: break
        }
    }

    @Test("returns to the connection, also if tunnels are filled, read and closed at the same time")
    func returns() async throws {
        let isWhole = Signal()
        let server = try ScriptedServer { connection in
            var peer = try WindowedServer(connection)
            // The first response precedes the tunnels, and the others follow them.
            var sizes = [1_000, 3 << 20]
            while !sizes.isEmpty {
                let (stream, isTunnel) = try peer.answer()
                try peer.send(isTunnel ? 65_536 : sizes.removeFirst(), end: !isTunnel, on: stream)
            }
            let (stream, _) = try peer.answer()
            // libnghttp2 returns credit once it is that for half of the window.
            let rest = peer.window / 2 - peer.owed
            guard rest > 0 else { throw PeerFault(description: "the client owes credit for \(peer.owed) bytes") }
            try peer.send(rest, end: true, on: stream)
            // If credit for a single byte has been lost, it stays below that half, and this fails.
            try peer.waitForCredit()
            isWhole.raise()
            connection.waitForEnd()
        }
        #expect(try await transport.fetch(.http2(server)).body.count == 1_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    for round in 0..<15 {
                        let endings = Ending.allCases
                        try await openAndClose(endings[(worker + round) % endings.count], server)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await transport.fetch(.http2(server)).body.count == 3 << 20)
        #expect(try await transport.fetch(.http2(server)).body.count > 0)
        try await eventually("all credit is returned") { isWhole.isUp || !server.failures.isEmpty }
        #expect(server.failures == [])
        #expect(server.connections.count == 1)
    }
}
