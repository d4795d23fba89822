internal import AirframeTransport
internal import AirframeWire

/// The protocol SOCKS 5 (RFC 1928), with user name and password if the proxy requires them (RFC 1929).
struct SOCKS5 {
    private let talk: ProxyTalk

    init(_ talk: ProxyTalk) { self.talk = talk }

    /// Authenticates, and requests a connection to the request's origin.
    func pass() async throws(TransportError) {
        try await signIn()
        let origin = talk.connector.exchange.plan.origin
        let destination = try await destination(origin)
        let port = [UInt8(truncatingIfNeeded: origin.port >> 8), UInt8(truncatingIfNeeded: origin.port)]
        try await talk.write([5, 1, 0] + destination + port)
        let answer = try await talk.read(4)
        guard answer[0] == 5 else { throw talk.failure("it does not speak SOCKS 5") }
        guard answer[1] == 0 else { throw talk.failure(Self.text(answer[1])) }
        // The address from which the proxy connects is not needed, but must be read.
        switch answer[3] {
        case 1: _ = try await talk.read(4 + 2)
        case 4: _ = try await talk.read(16 + 2)
        case 3:
            let length = try await talk.read(1)
            _ = try await talk.read(Int(length[0]) + 2)
        default: throw talk.failure("it answered with an address of unknown kind \(answer[3])")
        }
    }

    private func signIn() async throws(TransportError) {
        let credential = talk.proxy.credential
        try await talk.write(credential == nil ? [5, 1, 0] : [5, 2, 0, 2])
        let choice = try await talk.read(2)
        guard choice[0] == 5 else { throw talk.failure("it does not speak SOCKS 5") }
        switch (choice[1], credential) {
        case (0, _): return
        case (2, let credential?): try await authenticate(credential)
        case (0xFF, _?): throw talk.failure("it accepts neither anonymous clients nor a user name and password")
        default: throw talk.failure("it requires credentials")
        }
    }

    private func authenticate(_ credential: Proxy.Credential) async throws(TransportError) {
        let (name, password) = (Array(credential.username.utf8), Array(credential.password.utf8))
        guard (1...255).contains(name.count), password.count <= 255 else {
            throw talk.unsupported("SOCKS 5 takes names of 1 to 255 bytes and passwords of at most 255")
        }
        try await talk.write([1, UInt8(name.count)] + name + [UInt8(password.count)] + password)
        let answer = try await talk.read(2)
        guard answer[1] == 0 else { throw talk.failure("it rejected the credentials") }
    }

    private func destination(_ origin: Origin) async throws(TransportError) -> [UInt8] {
        if let address = IPAddress(origin.host) { return Self.encoded(address) }
        guard talk.proxy.kind == .socks5 else {
            let name = Array(origin.host.utf8)
            guard name.count <= 255 else { throw talk.unsupported("the name \(origin.host) is longer than 255 bytes") }
            return [3, UInt8(name.count)] + name
        }
        let addresses = try await talk.connector.addresses(of: origin.host, port: origin.port)
        guard let first = addresses.first else {
            throw talk.unsupported("\(origin.host) has no address", .nameResolutionFailed)
        }
        return Self.encoded(first)
    }

    private static func encoded(_ address: IPAddress) -> [UInt8] { [address.isIPv6 ? 4 : 1] + address.bytes }

    /// Returns the meaning of a reply (RFC 1928 §6).
    private static func text(_ code: UInt8) -> String {
        let meanings = [
            "it failed (1)", "its rules forbid the connection (2)", "the network cannot be reached (3)",
            "the host cannot be reached (4)", "the server refuses the connection (5)", "the time to live expired (6)",
            "it does not know the command (7)", "it does not know the kind of address (8)",
        ]
        let index = Int(code) - 1
        return meanings.indices.contains(index) ? meanings[index] : "it answered \(code)"
    }
}
