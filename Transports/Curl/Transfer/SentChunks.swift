/// Tells content from framing in what libcurl has sent of a body in chunks: it counts both, and one chunk for each
/// piece that it was given (RFC 9112 §7.1).
struct SentChunks {
    private var pieces: [Int] = []
    /// The index of the first piece that is not known to be sent whole, and what stands before it.
    private var first = 0
    private var sentBefore: Int64 = 0
    private var contentBefore: Int64 = 0
    /// How many bytes of content there are in all pieces so far.
    private(set) var total: Int64 = 0

    /// libcurl was given a piece.
    mutating func add(_ count: Int) {
        pieces.append(count)
        total += Int64(count)
    }

    /// How many bytes of content are among the first `sent` bytes.
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
