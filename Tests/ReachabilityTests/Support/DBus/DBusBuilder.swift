/// Creates the messages of a system bus and of NetworkManager, byte by byte.
package struct DBusBuilder {
    /// NetworkManager's bus name in these conversations.
    package static let owner = ":1.7"

    private let isBigEndian: Bool

    /// - Parameter isBigEndian: The byte order.
    package init(isBigEndian: Bool = false) { self.isBigEndian = isBigEndian }

    /// The answers of a bus and of NetworkManager to the first questions: a device `eth0` that is metered, and
    /// another whose packets leave by `ppp0` that is guessed to be.
    package var talk: [[UInt8]] {
        let bus = "org.freedesktop.DBus"
        let devices = "/org/freedesktop/NetworkManager/Devices/"
        return (1...4).map { reply(to: $0, from: bus) } + [
            reply(to: 5, from: bus, "s", text(Self.owner)),
            reply(to: 6, from: Self.owner, "ao", array(4, padded(text(devices + "1"), to: 4) + text(devices + "2"))),
            reply(to: 7, from: Self.owner, "v", variant("u", number(4))),
            reply(
                to: 8,
                from: Self.owner,
                "a{sv}",
                properties([("Interface", "s", text("eth0")), ("Metered", "u", number(1)), ("Real", "b", number(1))])
            ),
            reply(
                to: 9,
                from: Self.owner,
                "a{sv}",
                properties([
                    ("Interface", "s", text("ttyUSB0")), ("IpInterface", "s", text("ppp0")),
                    ("StateReason", "(uu)", number(100) + number(0)), ("Metered", "u", number(3)),
                ])
            ),
        ]
    }

    /// The signal that a device's property has changed.
    package func change(of device: Int, metered: UInt32, from sender: String = DBusBuilder.owner) -> [UInt8] {
        var body = padded(text("org.freedesktop.NetworkManager.Device"), to: 4)
        body += properties([("Metered", "u", number(metered))], after: body.count)
        body = padded(body, to: 4) + number(0)
        return message(
            kind: 4,
            [
                (1, "o", "/org/freedesktop/NetworkManager/Devices/\(device)"), (7, "s", sender),
                (2, "s", "org.freedesktop.DBus.Properties"), (3, "s", "PropertiesChanged"),
            ],
            "sa{sv}as",
            body
        )
    }

    /// The signal that NetworkManager's name has another owner.
    package func ownerChange(to owner: String) -> [UInt8] {
        var body = padded(text("org.freedesktop.NetworkManager"), to: 4)
        body = padded(body + text(Self.owner), to: 4) + text(owner)
        let bus = "org.freedesktop.DBus"
        return message(
            kind: 4,
            [(1, "o", "/org/freedesktop/DBus"), (2, "s", bus), (3, "s", "NameOwnerChanged"), (7, "s", bus)],
            "sss",
            body
        )
    }

    /// An answer.
    package func reply(
        to serial: UInt32,
        from sender: String,
        kind: UInt8 = 2,
        _ signature: String = "",
        _ body: [UInt8] = []
    ) -> [UInt8] {
        message(kind: kind, replySerial: serial, [(7, "s", sender)], signature, body)
    }

    /// Any message.
    package func message(
        kind: UInt8,
        replySerial: UInt32? = nil,
        _ fields: [(code: UInt8, type: String, text: String)],
        _ signature: String,
        _ body: [UInt8]
    ) -> [UInt8] {
        var all: [UInt8] = []
        for field in fields {
            all = padded(all, to: 8) + [field.code] + self.signature(field.type)
            all = padded(all, to: 4) + text(field.text)
        }
        if let replySerial { all = padded(all, to: 8) + [5] + self.signature("u") + number(replySerial) }
        if !signature.isEmpty { all = padded(all, to: 8) + [8] + self.signature("g") + self.signature(signature) }
        let start = [UInt8(ascii: isBigEndian ? "B" : "l"), kind, 0, 1] + number(UInt32(body.count)) + number(99)
        return padded(start + number(UInt32(all.count)) + all, to: 8) + body
    }

    // MARK: Values

    package func number(_ value: UInt32) -> [UInt8] {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    package func text(_ text: String) -> [UInt8] { number(UInt32(text.utf8.count)) + Array(text.utf8) + [0] }

    package func signature(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) + [0] }

    package func variant(_ type: String, _ value: [UInt8]) -> [UInt8] {
        let alignment = type.hasPrefix("(") ? 8 : 4
        return padded(signature(type), to: alignment) + value
    }

    /// - Parameter alignment: That of the elements; the array's length is at a multiple of 4 of the message.
    package func array(_ alignment: Int, _ elements: [UInt8]) -> [UInt8] {
        padded(number(UInt32(elements.count)), to: alignment) + elements
    }

    private func properties(_ all: [(name: String, type: String, value: [UInt8])], after count: Int = 0) -> [UInt8] {
        // Entries begin at multiples of 8 of the message, whose body does too.
        let padding = [UInt8](repeating: 0, count: (8 - (count + 4) % 8) % 8)
        var entries: [UInt8] = []
        for property in all {
            entries = padded(entries, to: 8) + text(property.name) + signature(property.type)
            entries = padded(entries, to: property.type.hasPrefix("(") ? 8 : 4) + property.value
        }
        return number(UInt32(entries.count)) + padding + entries
    }

    private func padded(_ bytes: [UInt8], to size: Int) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (size - bytes.count % size) % size)
    }
}
