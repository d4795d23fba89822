/// A call of a method whose arguments are strings.
struct DBusCall {
    var destination: String
    var path: String
    var interface: String
    var member: String
    var arguments: [String] = []

    /// The message, in little-endian byte order.
    ///
    /// - Parameter serial: Its number, which is not 0.
    func message(serial: UInt32) -> [UInt8] {
        var body: [UInt8] = []
        for argument in arguments { body.appendDBusText(argument) }
        // The flag asks the bus not to start a service for it.
        var message: [UInt8] = [UInt8(ascii: "l"), DBusMessage.Kind.call.rawValue, 0x2, 1]
        message.appendDBusNumber(UInt32(clamping: body.count))
        message.appendDBusNumber(serial)
        var fields: [UInt8] = []
        fields.appendDBusField(1, type: "o", path)
        fields.appendDBusField(2, type: "s", interface)
        fields.appendDBusField(3, type: "s", member)
        fields.appendDBusField(6, type: "s", destination)
        if !arguments.isEmpty {
            fields.alignDBus(to: 8)
            fields += [8, 1, UInt8(ascii: "g"), 0, UInt8(clamping: arguments.count)]
            fields += Array(repeating: UInt8(ascii: "s"), count: arguments.count) + [0]
        }
        message.appendDBusNumber(UInt32(clamping: fields.count))
        message += fields
        message.alignDBus(to: 8)
        return message + body
    }
}

extension [UInt8] {
    fileprivate mutating func alignDBus(to size: Int) {
        append(contentsOf: repeatElement(0, count: (size - count % size) % size))
    }

    fileprivate mutating func appendDBusNumber(_ number: UInt32) {
        alignDBus(to: 4)
        append(contentsOf: [UInt8](bytesOf: number.littleEndian))
    }

    fileprivate mutating func appendDBusText(_ text: String) {
        appendDBusNumber(UInt32(clamping: text.utf8.count))
        append(contentsOf: text.utf8)
        append(0)
    }

    // The fields begin at byte 16 of the message, so alignment within the fields is alignment within the message.
    fileprivate mutating func appendDBusField(_ code: UInt8, type: Unicode.Scalar, _ text: String) {
        alignDBus(to: 8)
        append(contentsOf: [code, 1, UInt8(ascii: type), 0])
        appendDBusText(text)
    }
}
