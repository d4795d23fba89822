internal import AirframeReachability

/// Parses the bytes as a datagram of the kernel, and derives a network path from it.
@_cdecl("fuzzNetlink")
func fuzzNetlink(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let messages = try? NetlinkMessage.parse(bytes.span.bytes) else { return 0 }
    hold(messages.count * 16 <= count, "more messages than there is room for: \(messages.count) in \(count) bytes")
    let contents = messages.map(\.content)
    var table = NetworkTable()
    for content in contents { _ = table.apply(content) }
    table.replace(dump: contents)
    let path = table.path { _ in .other }
    hold(path.isSatisfied == (path.primaryInterface != nil), "a path without a way:\n\(path)")
    hold(path == table.path { _ in .other }, "the same table makes two paths:\n\(path)")
    return 0
}
