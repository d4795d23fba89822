/// What the first message of a TLS handshake says in the clear (RFC 8446 §4.1.2).
struct ClientHello {
    /// The host that it names (RFC 6066 §3).
    private(set) var serverName: String?
    /// The protocols that it offers by ALPN (RFC 7301 §3.1).
    private(set) var protocols: [String] = []

    /// Reads the beginning of what a client sends; `nil` when that is not a whole message in one record.
    init?(_ bytes: [UInt8]) {
        var record = Reader(bytes[...])
        guard record.byte() == 22, record.skip(2), var message = record.block(2), message.byte() == 1,
            message.skip(3), message.skip(2 + 32), message.block(1) != nil, message.block(2) != nil,
            message.block(1) != nil, var extensions = message.block(2)
        else { return nil }
        while let kind = extensions.number(2), var content = extensions.block(2) {
            switch kind {
            case 0:
                guard var names = content.block(2), names.byte() == 0, let name = names.block(2) else { continue }
                serverName = String(decoding: name.rest, as: UTF8.self)
            case 16:
                guard var names = content.block(2) else { continue }
                while let name = names.block(1) { protocols.append(String(decoding: name.rest, as: UTF8.self)) }
            default: break
            }
        }
    }

    /// Takes numbers and blocks from the front of bytes.
    private struct Reader {
        private(set) var rest: ArraySlice<UInt8>

        init(_ rest: ArraySlice<UInt8>) { self.rest = rest }

        mutating func byte() -> UInt8? { rest.popFirst() }

        mutating func skip(_ count: Int) -> Bool {
            guard rest.count >= count else { return false }
            rest = rest.dropFirst(count)
            return true
        }

        mutating func number(_ size: Int) -> Int? {
            let digits = rest.prefix(size)
            guard skip(size) else { return nil }
            return digits.reduce(0) { $0 << 8 | Int($1) }
        }

        /// Bytes behind their number, which has `size` bytes.
        mutating func block(_ size: Int) -> Reader? {
            guard let count = number(size) else { return nil }
            let block = rest.prefix(count)
            return skip(count) ? Reader(block) : nil
        }
    }
}
