internal import AirframeReachability
internal import DBusBuilder

/// A talk that has come so far that NetworkManager has named its devices.
private let begun: MeteredConversation = {
    var talk = MeteredConversation(userID: 0)
    do {
        try talk.receive("OK 0\r\n".utf8)
        for message in DBusBuilder().talk { try talk.receive(message) }
    } catch {
        hold(false, "the talk does not begin: \(error)")
    }
    return talk
}()

/// Takes the bytes as what NetworkManager, or anyone else on the bus, says next: whole, and in two pieces.
@_cdecl("fuzzDBus")
func fuzzDBus(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    if let message = try? DBusMessage.parse(bytes.span.bytes) {
        hold((try? DBusMessage.length(bytes.span.bytes)) == count, "a message of another length:\n\(message)")
    }
    let whole = learned(bytes[...])
    let inPieces = learned(bytes.prefix(count / 2), bytes.dropFirst(count / 2))
    hold(whole == inPieces, "what is learned depends on how the bytes are cut:\n\(whole)\n\(inPieces)")
    return 0
}

private func learned(_ pieces: ArraySlice<UInt8>...) -> MeteredTable {
    var talk = begun
    for piece in pieces {
        do { try talk.receive(piece) } catch { break }
    }
    return talk.table
}
