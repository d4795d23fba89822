/// The bytes of a download that were received, are being fetched, or are missing.
///
/// The segments cover the whole in order and without gaps. At most one request at a time fetches a segment, from its
/// start. Splitting a segment assigns its second half to another request.
struct SegmentMap: Codable, Sendable, Hashable {
    /// One segment.
    struct Segment: Codable, Sendable, Hashable {
        /// The first byte.
        var start: Int64
        /// The byte after the last.
        var end: Int64
        /// The first missing byte.
        var next: Int64

        var remaining: Int64 { end - next }
    }

    /// The smallest part that justifies its own request: at 100 Mbit/s and 50 ms a request costs the time of 600
    /// KiB.
    static let smallestPart: Int64 = 512 << 10

    private(set) var segments: [Segment]

    /// Creates a map of `total` missing bytes.
    init(total: Int64) { segments = [Segment(start: 0, end: total, next: 0)] }

    /// The number of bytes of the whole.
    var total: Int64 { segments.last?.end ?? 0 }
    /// The number of received bytes.
    var completed: Int64 { segments.reduce(0) { $0 + $1.next - $1.start } }
    /// Whether all bytes were received.
    var isComplete: Bool { segments.allSatisfy { $0.remaining == 0 } }

    /// Whether the segments cover the whole in order. Checkpoints are read from a file and may be damaged.
    var isValid: Bool {
        var end: Int64 = 0
        for segment in segments {
            guard segment.start == end, segment.next >= segment.start, segment.next <= segment.end else { return false }
            end = segment.end
        }
        return !segments.isEmpty
    }

    /// Returns the end of the segment at `start`. It can decrease while the segment is fetched.
    func end(ofSegmentAt start: Int64) -> Int64? { segments.first { $0.start == start }?.end }

    /// Records received bytes of a segment.
    ///
    /// - Parameters:
    ///   - start: The segment's first byte.
    ///   - next: The first missing byte.
    mutating func advance(segmentAt start: Int64, to next: Int64) {
        guard let index = segments.firstIndex(where: { $0.start == start }) else { return }
        segments[index].next = min(max(segments[index].next, next), segments[index].end)
    }

    /// Merges an empty segment into the one before it.
    mutating func join(segmentAt start: Int64) {
        guard let index = segments.firstIndex(where: { $0.start == start }), index > 0,
            segments[index].next == segments[index].start
        else { return }
        segments[index - 1].end = segments[index].end
        segments.remove(at: index)
    }

    /// Marks bytes as missing again.
    mutating func invalidate(_ range: Range<Int64>) {
        for index in segments.indices where segments[index].next > range.lowerBound {
            guard segments[index].start < range.upperBound else { continue }
            segments[index].next = max(segments[index].start, range.lowerBound)
        }
    }

    /// Returns the segment for the next request: one that no request fetches, or half of the remainder of a busy one.
    ///
    /// - Parameters:
    ///   - busy: The first bytes of the segments that are being fetched, with their rates in bytes per second.
    /// - Returns: The first byte of the segment; `nil` if another request would not help.
    mutating func assign(besides busy: [Int64: Double]) -> Int64? {
        if let idle = segments.first(where: { $0.remaining > 0 && busy[$0.start] == nil }) { return idle.start }
        // The segment that would finish last: a slow segment is split before a large one.
        let slowest = segments.indices.filter { segments[$0].remaining >= 2 * Self.smallestPart }.max { left, right in
            seconds(left, busy) < seconds(right, busy)
        }
        guard let slowest else { return nil }
        let segment = segments[slowest]
        let middle = segment.next + segment.remaining / 2
        segments[slowest].end = middle
        segments.insert(Segment(start: middle, end: segment.end, next: middle), at: slowest + 1)
        return middle
    }

    private func seconds(_ index: Int, _ busy: [Int64: Double]) -> Double {
        Double(segments[index].remaining) / max(busy[segments[index].start] ?? 1, 1)
    }
}
