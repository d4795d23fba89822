internal import FoundationEssentials

/// The value of `Sec-WebSocket-Key`, and the response that proves that the server has read it (RFC 6455 §4.1, §4.2.2).
package struct HandshakeKey: Sendable, Hashable {
    /// Sixteen random bytes in Base64.
    package let value: String

    /// Creates a random key.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let words = [generator.next(), generator.next()]
        value = words.withUnsafeBytes { Data($0) }.base64EncodedString()
    }

    /// Creates a key from the value of a request.
    package init(_ value: String) { self.value = value }

    /// The value of `Sec-WebSocket-Accept` for the key.
    package var accept: String {
        Data(SHA1.digest(of: Array((value + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }
}
