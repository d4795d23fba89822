/// The open streams of a session by their identifiers.
///
/// A hash table with linear probing. Each frame looks its stream up, and a dictionary takes 120 instructions for that,
/// most of them to hash with a secret seed. Here the client chooses all identifiers, so that no server can make them
/// collide.
struct HTTP2StreamTable {
    /// At most half of the slots are used. Their number is a power of 2.
    private var slots = [HTTP2StreamState?](repeating: nil, count: 8)
    /// The number of bits by which a 32-bit hash is shifted to get a slot's index.
    private var shift: UInt32 = 29
    /// The number of streams.
    private(set) var count = 0

    /// The stream with this identifier; `nil` if it is not open.
    subscript(_ id: Int32) -> HTTP2StreamState? {
        slots[find(id)]
    }

    /// The streams, in no order.
    var streams: [HTTP2StreamState] { slots.compactMap(\.self) }

    /// Returns whether `stream` is open.
    func contains(_ stream: HTTP2StreamState) -> Bool { slots[find(stream.id)] === stream }

    /// Adds a stream.
    mutating func insert(_ stream: HTTP2StreamState) {
        if 2 * (count + 1) > slots.count { grow() }
        let slot = find(stream.id)
        if slots[slot] == nil { count += 1 }
        slots[slot] = stream
    }

    /// Removes a stream. Returns whether it was open.
    mutating func remove(_ stream: HTTP2StreamState) -> Bool {
        var gap = find(stream.id)
        guard slots[gap] === stream else { return false }
        slots[gap] = nil
        count -= 1
        // Moves each later stream that a search would no longer reach across the gap.
        var slot = next(gap)
        while let other = slots[slot] {
            let start = home(of: other.id)
            let isReached = gap <= slot ? gap < start && start <= slot : gap < start || start <= slot
            if !isReached {
                slots[gap] = other
                slots[slot] = nil
                gap = slot
            }
            slot = next(slot)
        }
        return true
    }

    /// Removes all streams.
    mutating func removeAll() { self = HTTP2StreamTable() }

    /// Returns the slot of the stream, or the free one where it belongs.
    private func find(_ id: Int32) -> Int {
        var slot = home(of: id)
        while let stream = slots[slot], stream.id != id { slot = next(slot) }
        return slot
    }

    /// Returns where the search for a stream starts. Consecutive identifiers are spread over the table (Fibonacci
    /// hashing).
    private func home(of id: Int32) -> Int {
        Int((UInt32(bitPattern: id) &* 0x9E37_79B1) >> shift)
    }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    private mutating func grow() {
        let streams = streams
        slots = Array(repeating: nil, count: 2 * slots.count)
        shift -= 1
        for stream in streams { slots[find(stream.id)] = stream }
    }
}
