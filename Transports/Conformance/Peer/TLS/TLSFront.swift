internal import Glibc

/// TLS in front of a script: takes what a client sends to a process that decrypts it, and back.
final class TLSFront: Sendable {
    /// What a script talks to.
    let plain: ScriptedConnection
    private let raw: ScriptedConnection
    private let process: TLSProcess
    private let signals = PeerSignals()

    /// - Parameters:
    ///   - raw: The connection to the client.
    ///   - process: Does the TLS.
    ///   - hear: Called with the client's first message.
    init(_ raw: ScriptedConnection, _ process: TLSProcess, hear: @escaping @Sendable (ClientHello) -> Void) throws {
        self.raw = raw
        self.process = process
        plain = ScriptedConnection(process.plain, index: raw.index)
        let (client, link, signals) = (raw.descriptor, process.link, signals)
        try Thread.detach {
            var isFirst = true
            Self.relay(from: client, to: link) { bytes in
                if isFirst, let hello = ClientHello(Array(bytes)) { hear(hello) }
                isFirst = false
            }
            signals.open("client's end")
        }
        try Thread.detach {
            Self.relay(from: link, to: client) { _ in }
            signals.open("server's end")
        }
    }

    /// Ends the connection without TLS's closing message (RFC 8446 §6.1).
    func cut() {
        process.kill()
        signals.block(until: "server's end")
    }

    /// Ends the connection with a reset.
    func reset() {
        raw.resetAtEnd()
        cut()
    }

    /// Ends both connections once all bytes have been sent. The descriptors are not used afterwards.
    func finish() {
        plain.finish()
        // A process that has nothing more to write ends by itself; one that still waits for a handshake does not.
        _ = signals.block(until: "server's end", within: .seconds(2))
        process.kill()
        signals.block(until: "server's end")
        raw.interrupt()
        shutdown(process.link, Int32(SHUT_RDWR))
        signals.block(until: "client's end")
        process.end()
    }

    /// Forwards bytes until the end of the input, or until the receiver closes.
    private static func relay(from source: Int32, to target: Int32, tap: (ArraySlice<UInt8>) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var isOpen = true
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(source, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            tap(buffer[..<count])
            // Bytes without a receiver are read too: unread, they would turn the close into a reset.
            if isOpen { isOpen = write(buffer[..<count], to: target) }
        }
        shutdown(target, Int32(SHUT_WR))
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to target: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
