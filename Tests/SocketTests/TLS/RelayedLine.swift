import AirframeConformance
import AirframeTransport
import AirframeWire
import Glibc
import Testing

@testable import AirframeSocket

/// A TLS connection to a peer. The test forwards its bytes, and can let them pile up.
final class RelayedLine {
    private let socket: Socket
    /// The other end of the socket.
    private let near: Int32
    /// The connection to the peer.
    private let far: Int32

    init(to peer: RawPeer) throws {
        let port = try #require(peer.authority.split(separator: ":").last.flatMap { Int($0) })
        let address = try #require(IPAddress("127.0.0.1"))
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(AF_INET, kind, 0)
        let connected = Endpoint(address, port: port).withSystemAddress { Glibc.connect(descriptor, $0, $1) }
        try #require(connected == 0)
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, kind | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        socket = Socket(Descriptor(ends[0]), try Reactor())
        near = ends[1]
        far = descriptor
    }

    deinit {
        close(near)
        close(far)
    }

    /// Performs the handshake.
    func secure() throws -> ByteStream {
        let profile = TLSContext.Profile(options: TLSOptions(), identity: nil, offer: .http1, asksForStaple: false)
        let server = TLSPeer(host: "localhost", verification: nil, resuming: nil, sessions: nil)
        let lower = ByteStream(socket: socket, tls: nil)
        let tls = try TLSStream(try TLSContext(profile), over: lower, to: server, resuming: nil)
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            switch tls.shakeHands() {
            case .finished:
                relay()
                return ByteStream(socket: socket, tls: tls)
            case .needsReading, .needsWriting:
                relay()
                usleep(1_000)
            case .question: server.answer(isTrusted: true)
            case .failed(let words, _): throw PeerFault(description: words)
            }
        }
        throw PeerFault(description: "the handshake did not end")
    }

    private func relay() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for (source, target) in [(near, far), (far, near)] {
            let count = recv(source, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { send(target, buffer, count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// Forwards bytes of the peer until `count` have arrived and no more follow. Returns `false` if they do not arrive
    /// within 20 seconds.
    func forward(_ count: Int) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var rest = count
        while true {
            var entry = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, rest > 0 ? 20_000 : 50) == 1 else { return rest <= 0 }
            let received = recv(far, &buffer, buffer.count, 0)
            guard received > 0, send(near, buffer, received, Int32(MSG_NOSIGNAL)) == received else { return false }
            rest -= received
        }
    }

    /// Writes beneath TLS until there is no room. Returns the number of bytes.
    func fill() -> Int {
        var total = 0
        for size in [4096, 1] {
            let block = [UInt8](repeating: 0, count: size)
            while case .bytes(let count) = block.withUnsafeBytes({ socket.write($0) }) { total += count }
        }
        return total
    }

    /// Reads so many bytes that were written. Returns `false` if they do not arrive within 20 seconds.
    func read(_ count: Int) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var rest = count
        while rest > 0 {
            var entry = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 20_000) == 1 else { return false }
            let received = recv(near, &buffer, min(rest, buffer.count), 0)
            guard received > 0 else { return false }
            rest -= received
        }
        return true
    }
}
