internal import AirframeReachability
internal import DBusBuilder

/// A conversation in which NetworkManager has been found, and asked for its devices.
private let begun: MeteredConversation = {
    var talk = MeteredConversation(userID: 0)
    do {
        try talk.receive("OK 0\r\n".utf8)
        for message in DBusBuilder().talk.prefix(5) { try talk.receive(message) }
    } catch {
        hold(false, "the talk does not begin: \(error)")
    }
    return talk
}()

/// Parses the bytes as the next messages on the bus, whole and in two pieces.
///
/// The first byte selects how much is well-formed already: a valid header around the signature and the values that
/// follow, or only the first four bytes. A fuzzer would take long to find these.
@_cdecl("fuzzDBus")
func fuzzDBus(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: data, count: count))
    guard let first = input.first else { return 0 }
    let bytes = first < 0x40 ? raw(input) : framed(input, by: first)
    if let message = try? DBusMessage.parse(bytes.span.bytes) {
        hold((try? DBusMessage.length(bytes.span.bytes)) == bytes.count, "a message of another length:\n\(message)")
    }
    let whole = learned(bytes[...])
    let inPieces = learned(bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2))
    hold(whole == inPieces, "what is learned depends on how the bytes are cut:\n\(whole)\n\(inPieces)")
    return 0
}

private func raw(_ input: [UInt8]) -> [UInt8] {
    var bytes = Array(input.dropFirst())
    guard bytes.count >= 4 else { return bytes }
    bytes[0] = UInt8(ascii: input[0] & 1 == 0 ? "l" : "B")
    bytes[3] = 1
    return bytes
}

private func framed(_ input: [UInt8], by first: UInt8) -> [UInt8] {
    let builder = DBusBuilder(isBigEndian: first & 1 == 1)
    let rest = input.dropFirst()
    let signatures = ["ao", "v", "a{sv}", "sa{sv}as", "sss"]
    let own = rest.prefix { $0 != 0 }.prefix(60)
    let isOwn = first & 2 == 2
    let signature = isOwn ? String(decoding: own, as: UTF8.self) : signatures[Int(first >> 2 & 15) % signatures.count]
    let body = Array(isOwn ? rest.dropFirst(own.count + 1) : rest)
    guard signature.utf8.count < 256 else { return [] }
    if signature == "sa{sv}as" || signature == "sss" {
        let path = "/org/freedesktop/NetworkManager/Devices/1"
        let fields: [(UInt8, String, String)] = [
            (1, "o", path), (2, "s", "org.freedesktop.DBus.Properties"), (3, "s", "PropertiesChanged"),
            (7, "s", DBusBuilder.owner),
        ]
        return builder.message(kind: 4, fields.map { (code: $0.0, type: $0.1, text: $0.2) }, signature, body)
    }
    // Calls 6 and 7 are pending; the reply to 6 causes further calls.
    let answer = builder.reply(to: 6 + UInt32(first >> 5 & 3), from: DBusBuilder.owner, signature, body)
    return first & 0x80 == 0 ? answer : builder.talk[5] + answer
}

private func learned(_ pieces: ArraySlice<UInt8>...) -> MeteredTable {
    var talk = begun
    for piece in pieces {
        do { try talk.receive(piece) } catch { break }
    }
    return talk.table
}
