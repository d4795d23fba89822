import AirframeConformance
import AirframeTransport
import Glibc
import HTTPTypes
import Synchronization
import Testing

@testable import AirframeSocket

/// A connection whose server is the test: frames reach the session without a read of the socket.
final class FedConnection {
    /// Owns the reactor.
    private let engine: Engine
    let connection: HTTP2Connection
    /// The other end of the connection's socket, which it keeps open.
    let otherEnd: Socket

    init(keepAlive: HTTP2KeepAlive = HTTP2KeepAlive(interval: nil, timeout: .seconds(1))) throws {
        let engine = try Engine(SocketTransport.Configuration())
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let reactor = engine.reactor
        otherEnd = Socket(Descriptor(ends[1]), reactor)
        connection = try HTTP2Connection(
            ByteStream(socket: Socket(Descriptor(ends[0]), reactor), tls: nil),
            limits: HTTP2Limits(),
            keepAlive: keepAlive,
            engine
        )
        self.engine = engine
        // Streams have a window of 10 bytes, and may be tunnels.
        receive([.settings([(4, 10), (8, 1)])])
    }

    /// Lets the session process frames of the server.
    ///
    /// - Returns: The number of tasks that were resumed.
    @discardableResult
    func receive(_ frames: [HTTP2Frame]) -> Int {
        let bytes = frames.bytes
        return connection.change { state in
            bytes.withUnsafeBytes { state.session.receive($0, at: 0) }
        }
    }

    /// Writes frames of the server to the socket, from which a reader of the connection receives them.
    func send(_ frames: [HTTP2Frame]) throws {
        let bytes = frames.bytes
        let result = bytes.withUnsafeBytes { otherEnd.write($0) }
        try #require(result == .bytes(bytes.count))
    }

    /// Shuts down the server's direction of the socket.
    func shutDown() { otherEnd.shutDown(both: false) }

    /// Ends the connection, as the server's end of the socket does.
    func end() { connection.change { $0.session.finish() } }

    /// Starts the connection, as the pool does. Returns the changes that it reports immediately.
    func start() -> [CarrierChange] {
        let changes = Mutex<[CarrierChange]>([])
        connection.start { change in changes.withLock { $0.append(change) } }
        return changes.withLock { $0 }
    }

    /// Opens stream 1 and writes 100 bytes, of which the first 10 have room.
    ///
    /// - Parameter upgrade: The protocol of a tunnel; `nil` for an upload.
    func write(upgrade: UpgradeProtocol? = nil) throws -> HTTP2Stream {
        let isUpload = upgrade == nil
        let request = HTTPRequest(
            method: isUpload ? .post : .get, scheme: "http", authority: "test.example", path: "/")
        let head = RequestHead(request, content: isUpload ? .length(100) : .none, upgrade: upgrade)
        let stream = HTTP2Stream(connection, for: Origin(scheme: "http", host: "test.example"))
        _ = try stream.begin(head, checked: nil, content: nil)
        let content = [UInt8](repeating: 1, count: 100)
        let result = content.withUnsafeBytes { stream.write($0) }
        #expect(result == .bytes(100))
        #expect(try stream.flush() == .progress)
        #expect(try stream.flush() == .blocked)
        return stream
    }

    /// Opens a stream with a request.
    ///
    /// - Parameter content: The length of the content that the test will write.
    func open(content: RequestContentLength = .none) throws -> HTTP2Stream {
        let request = HTTPRequest(
            method: content == .none ? .get : .post, scheme: "http", authority: "test.example", path: "/")
        let stream = HTTP2Stream(connection, for: Origin(scheme: "http", host: "test.example"))
        _ = try stream.begin(RequestHead(request, content: content, upgrade: nil), checked: nil, content: nil)
        return stream
    }

    /// Opens the windows of the connection and of all streams as far as possible (RFC 9113 §6.9.1).
    func openWindows() { receive([.settings([(4, 0x7FFF_FFFF)]), .windowUpdate(0x7FFF_FFFF - 65_535)]) }
}
