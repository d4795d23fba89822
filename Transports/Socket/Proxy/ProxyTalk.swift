internal import AirframeTransport
internal import Glibc
internal import HTTPTypes

/// The handshake with a proxy, before it passes the connection through.
///
/// A class, because it owns the alarm for its waits.
final class ProxyTalk {
    let connector: Connector
    let proxy: Proxy
    private let stream: ByteStream
    private let alarm: Alarm

    init(_ connector: Connector, _ stream: ByteStream, _ proxy: Proxy) {
        self.connector = connector
        self.stream = stream
        self.proxy = proxy
        alarm = stream.socket.makeAlarm()
    }

    /// Ends the handshake.
    func end() { alarm.cancel() }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8]) async throws(TransportError) {
        var position = 0
        while position < bytes.count {
            let result = bytes.withUnsafeBytes { stream.write(UnsafeRawBufferPointer(rebasing: $0[position...])) }
            switch result {
            case .bytes(let count): position += count
            case .blocked: try await connector.wait(stream, for: .writing, alarm)
            case .ended: throw lost(EPIPE)
            case .failed(let code): throw lost(code)
            }
        }
    }

    /// Reads the next bytes, at most `limit`.
    func readSome(limit: Int = 16 * 1024) async throws(TransportError) -> [UInt8] {
        while true {
            var result = IOResult.blocked
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                result = stream.read(into: UnsafeMutableRawBufferPointer(buffer))
                if case .bytes(let read) = result { count = read }
            }
            switch result {
            case .bytes: return bytes
            case .blocked: try await connector.wait(stream, for: stream.readDirection, alarm)
            case .ended: throw failure("it closed the connection")
            case .failed(let code): throw lost(code)
            }
        }
    }

    /// Reads exactly `count` bytes.
    func read(_ count: Int) async throws(TransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += try await readSome(limit: count - bytes.count) }
        return bytes
    }

    /// Checks the response of an HTTP proxy to `CONNECT`.
    func check(_ response: HTTPResponse) throws(TransportError) {
        let status = response.status
        guard !(200..<300).contains(status.code) else { return }
        let message =
            status.code == 407
            ? Self.refusal(response) : "the proxy refused a tunnel: it answered \(status.code)"
        throw connector.exchange.plan.error(.proxyFailed, phase: .proxy, message: message)
    }

    /// Returns the message for a proxy that requires credentials or rejects those it received (RFC 9110 §15.5.8).
    static func refusal(_ response: HTTPResponse) -> String {
        let schemes = response.headerFields[values: .proxyAuthenticate].compactMap { value in
            value.split(separator: " ").first.map { String($0).printable }
        }
        let message = "the proxy requires credentials: it answered 407"
        guard !schemes.isEmpty else { return message }
        let hint =
            schemes.contains { $0.lowercased() == "basic" }
            ? "" : ". The engine over sockets sends Basic only; AirframeCurl answers other schemes"
        return "\(message) and offers \(schemes.joined(separator: ", "))\(hint)"
    }

    /// Returns the error of a proxy that does not pass the connection through.
    func failure(_ message: String) -> TransportError {
        connector.exchange.plan.error(
            .proxyFailed,
            phase: .proxy,
            message: "the proxy \(proxy.host):\(proxy.port) refused the connection: \(message)"
        )
    }

    /// Returns the error of a request that the proxy's protocol cannot express. The proxy has not failed, and no other
    /// proxy of its kind could serve the request.
    func unsupported(_ message: String, _ code: TransportError.Code = .invalidRequest) -> TransportError {
        connector.exchange.plan.error(
            code,
            phase: .proxy,
            message: "the proxy \(proxy.host):\(proxy.port) cannot be used: \(message)"
        )
    }

    private func lost(_ code: Int32) -> TransportError {
        connector.exchange.plan.error(
            .proxyFailed,
            phase: .proxy,
            message: "the connection to the proxy \(proxy.host):\(proxy.port) was lost",
            library: SystemError.text(code)
        )
    }
}
