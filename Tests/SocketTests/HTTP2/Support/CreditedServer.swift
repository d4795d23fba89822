import AirframeConformance
import AirframeSocket

/// A server that obeys the windows of the connection and of the streams (RFC 9113 §5.2), in memory.
final class CreditedServer {
    let server: MemoryServer
    /// The connection's window.
    private var connectionRoom: Int
    /// The windows of the open streams.
    private var rooms: [UInt32: Int] = [:]
    private var pings: [HTTP2Frame] = []

    init(_ limits: HTTP2Limits) throws {
        server = try MemoryServer(limits, settings: [(3, 1_000)])
        // The session announces this with its preface.
        connectionRoom = 2 * limits.connectionWindow
    }

    /// Opens a stream and answers its request.
    func open() throws -> HTTP2StreamState {
        let stream = try server.open()
        rooms[UInt32(stream.id)] = stream.grantedWindow
        receive()
        server.receive([.ok(stream: UInt32(stream.id))])
        return stream
    }

    /// Sends content as the windows allow. Returns the number of bytes.
    @discardableResult
    func send(_ count: Int = .max, on stream: HTTP2StreamState) -> Int {
        let id = UInt32(stream.id)
        let total = min(count, rooms[id] ?? 0, connectionRoom)
        var rest = total
        while rest > 0 {
            let size = min(rest, 16 << 10)
            server.receive([.data(Array(repeating: 1, count: size), stream: id)])
            rest -= size
        }
        rooms[id]? -= total
        connectionRoom -= total
        receive()
        return total
    }

    /// Pulls content and returns its credit. Returns the number of bytes.
    @discardableResult
    func pull(_ stream: HTTP2StreamState) -> Int {
        let count = StreamTranscript(stream).content.count
        server.session.returnCredit(for: stream)
        receive()
        return count
    }

    /// Enlarges the window of a stream as far as the session allows.
    func grow(_ stream: HTTP2StreamState) {
        for _ in 0..<8 {
            send(on: stream)
            pull(stream)
            // The acknowledgement arrives after one window of content.
            send(on: stream)
            for ping in pings { server.receive([HTTP2Frame(type: 6, flags: 1, payload: ping.payload)]) }
            pings = []
            pull(stream)
        }
    }

    private func receive() {
        for frame in server.frames() {
            switch (frame.type, frame.stream) {
            case (6, _) where frame.flags == 0: pings.append(frame)
            case (8, 0): connectionRoom += Int(frame.number)
            case (8, let stream): rooms[stream]? += Int(frame.number)
            default: break
            }
        }
    }
}
