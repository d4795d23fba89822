internal import AirframeTransport
internal import AirframeWire

/// The protocols SOCKS 4 and 4a. With 4a the proxy resolves names.
struct SOCKS4 {
    private let talk: ProxyTalk

    init(_ talk: ProxyTalk) { self.talk = talk }

    /// Requests a connection to the request's origin.
    func pass() async throws(TransportError) {
        let origin = talk.connector.exchange.plan.origin
        let user = Array((talk.proxy.credential?.username ?? "").utf8)
        guard !user.contains(0) else { throw talk.unsupported("the user's name contains a NUL") }
        var request: [UInt8] = [
            4, 1, UInt8(truncatingIfNeeded: origin.port >> 8), UInt8(truncatingIfNeeded: origin.port),
        ]
        if let address = try await address(of: origin) {
            request += address.bytes + user + [0]
        } else {
            // An address that starts with three zeros indicates that a name follows.
            request += [0, 0, 0, 1] + user + [0] + Array(origin.host.utf8) + [0]
        }
        try await talk.write(request)
        let answer = try await talk.read(8)
        guard answer[0] == 0 else { throw talk.failure("it does not speak SOCKS 4") }
        guard answer[1] == 90 else { throw talk.failure(Self.text(answer[1])) }
    }

    /// Returns the address to request; `nil` if the proxy resolves the name.
    private func address(of origin: Origin) async throws(TransportError) -> IPAddress? {
        if let literal = IPAddress(origin.host) {
            guard !literal.isIPv6 else { throw talk.unsupported("SOCKS 4 does not support IPv6 addresses") }
            return literal
        }
        guard talk.proxy.kind == .socks4 else { return nil }
        let addresses = try await talk.connector.addresses(of: origin.host, port: origin.port)
        guard let four = addresses.first(where: { !$0.isIPv6 }) else {
            throw talk.unsupported(
                "\(origin.host) has no IPv4 address, and SOCKS 4 supports no other", .nameResolutionFailed)
        }
        return four
    }

    private static func text(_ code: UInt8) -> String {
        switch code {
        case 91: "it rejected the request, or could not connect (91)"
        case 92: "it cannot reach identd here (92)"
        case 93: "identd here names another user (93)"
        default: "it answered \(code)"
        }
    }
}
