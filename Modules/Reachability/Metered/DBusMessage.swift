/// One message of D-Bus, with the parts that properties need (D-Bus Specification, "Message Protocol").
package struct DBusMessage: Sendable, Hashable {
    /// The type of a message.
    package enum Kind: UInt8, Sendable, Hashable {
        case call = 1
        case reply
        case error
        case signal
    }

    package var kind: Kind
    package var path: String?
    package var interface: String?
    package var member: String?
    /// The name of an error.
    package var errorName: String?
    /// The number of the call that this answers.
    package var replySerial: UInt32?
    /// The bus name of the sender, which the bus fills in.
    package var sender: String?
    /// The values.
    package var body: [DBusValue]

    /// The length of the longest message that is read. The specification allows 128 MiB; the answers here have a few
    /// KiB.
    package static let longest = 1 << 20

    /// The length of the message that `bytes` begin with; `nil` while there are too few bytes.
    ///
    /// - Throws: `MalformedDBus` when the bytes are not a message, or one that is too long.
    package static func length(_ bytes: RawSpan) throws(MalformedDBus) -> Int? {
        guard bytes.byteCount >= 16 else { return nil }
        var reader = DBusReader(at: 4, isBigEndian: try isBigEndian(bytes))
        let sizes = try reader.values(bytes.extracting(0..<16), "uuu")
        guard let body = sizes[0].unsigned, let fields = sizes[2].unsigned, body <= UInt64(longest),
            fields <= UInt64(longest)
        else { throw MalformedDBus(what: "lengths beyond \(longest) bytes", offset: 4) }
        let length = (16 + Int(fields) + 7) / 8 * 8 + Int(body)
        guard length <= longest else { throw MalformedDBus(what: "a length of \(length) bytes", offset: 4) }
        return length
    }

    /// Reads one whole message.
    ///
    /// - Throws: `MalformedDBus` when a length is wrong, or a type is not the expected one.
    package static func parse(_ bytes: RawSpan) throws(MalformedDBus) -> DBusMessage {
        guard try length(bytes) == bytes.byteCount else {
            throw MalformedDBus(what: "a message of another length", offset: 0)
        }
        let isBigEndian = try isBigEndian(bytes)
        // Unknown types of messages must be ignored (D-Bus Specification, "Message Protocol"); so are calls.
        let kind = bytes.value(at: 1, as: UInt8.self).flatMap(Kind.init) ?? .call
        var message = DBusMessage(kind: kind, body: [])
        var reader = DBusReader(at: 12, isBigEndian: isBigEndian)
        var signature = ""
        for field in try reader.values(bytes, "a(yv)").first?.elements ?? [] {
            guard case .structure(let pair) = field, pair.count == 2, case .byte(let code) = pair[0],
                case .variant(let value) = pair[1]
            else { throw MalformedDBus(what: "a header field", offset: 16) }
            if code == 8 { signature = value.text ?? "" } else { message.take(code, value) }
        }
        guard !signature.isEmpty else { return message }
        var body = DBusReader(at: (reader.offset + 7) / 8 * 8, isBigEndian: isBigEndian)
        message.body = try body.values(bytes, signature)
        guard body.offset == bytes.byteCount else {
            throw MalformedDBus(what: "bytes behind the last value", offset: body.offset)
        }
        return message
    }

    private mutating func take(_ code: UInt8, _ value: DBusValue) {
        switch code {
        case 1: path = value.text
        case 2: interface = value.text
        case 3: member = value.text
        case 4: errorName = value.text
        case 5: replySerial = value.unsigned.flatMap(UInt32.init(exactly:))
        case 7: sender = value.text
        default: break
        }
    }

    private static func isBigEndian(_ bytes: RawSpan) throws(MalformedDBus) -> Bool {
        switch (bytes.value(at: 0, as: UInt8.self), bytes.value(at: 3, as: UInt8.self)) {
        case (UInt8(ascii: "l"), 1): return false
        case (UInt8(ascii: "B"), 1): return true
        default: throw MalformedDBus(what: "no byte order, or another version of the protocol", offset: 0)
        }
    }
}
