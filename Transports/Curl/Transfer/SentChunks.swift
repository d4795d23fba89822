/// Tells content from framing in the bytes that libcurl has sent of a chunked body. libcurl counts both, and sends one
/// chunk for each piece that it gets (RFC 9112 §7.1).
struct SentChunks {
    private var pieces: [Int] = []
    /// The index of the first piece that is not known to be sent whole, and the byte counts before it.
    private var first = 0
    private var sentBefore: Int64 = 0
    private var contentBefore: Int64 = 0
    /// The number of bytes of content in all pieces so far.
    private(set) var total: Int64 = 0

    /// Records a piece that libcurl gets.
    mutating func add(_ count: Int) {
        pieces.append(count)
        total += Int64(count)
    }

    /// Returns the number of bytes of content among the first `sent` bytes.
    mutating func contentCount(of sent: Int64) -> Int64 {
        while first < pieces.count {
            let piece = pieces[first]
            let prefix = Int64(String(piece, radix: 16).utf8.count + 2)
            let rest = sent - sentBefore
            guard rest >= prefix + Int64(piece) else { return contentBefore + max(0, rest - prefix) }
            sentBefore += prefix + Int64(piece) + 2
            contentBefore += Int64(piece)
            first += 1
        }
        pieces.removeAll(keepingCapacity: true)
        first = 0
        return contentBefore
    }
}
