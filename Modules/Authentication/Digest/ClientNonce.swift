/// Client nonces (RFC 7616 §3.4): 128 bits from the system's source.
enum ClientNonce {
    @Sendable
    static func make() -> String {
        var source = SystemRandomNumberGenerator()
        return (0..<2).reduce(into: "") { text, _ in
            let digits = String(source.next(), radix: 16)
            text += String(repeating: "0", count: 16 - digits.count) + digits
        }
    }
}
