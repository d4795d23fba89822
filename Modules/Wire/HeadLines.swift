internal import Glibc

/// The lines of a response's head, kept to be compared with those of the next one.
///
/// A server says nearly the same with each response. What was made of a line holds for the same line in the same place,
/// so that it is compared and not parsed, and takes no memory. The engines keep what they made of the lines beside
/// them; neither keeps a head with a secret in it.
package struct HeadLines: Sendable {
    /// The most bytes that are kept: more is not worth what an idle connection would hold.
    private let capacity: Int
    /// The lines with their ends, one behind another.
    private var bytes: [UInt8] = []
    /// Where each line ends.
    private var ends: [Int] = []

    /// Makes a memory of no lines.
    ///
    /// - Parameter capacity: The most bytes that are kept.
    package init(capacity: Int) { self.capacity = capacity }

    /// How many lines there are.
    package var count: Int { ends.count }

    /// How many bytes they take.
    package var byteCount: Int { bytes.count }

    /// Whether the lines fit.
    package var isWithinCapacity: Bool { bytes.count <= capacity }

    /// Where the line at `index` begins.
    package func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

    // MARK: Line by line

    /// Returns whether `line` is the one at `index`.
    package func isSame(_ line: RawSpan, at index: Int) -> Bool {
        guard index < ends.count, ends[index] - start(of: index) == line.byteCount else { return false }
        return matches(line, 0..<line.byteCount, from: start(of: index))
    }

    /// Puts `line` at `index`, which is in the place of another or behind the last. A line of another length drops
    /// those behind it.
    package mutating func note(_ line: RawSpan, at index: Int) {
        guard index <= ends.count else { return }
        let start = start(of: index)
        if index < ends.count, ends[index] - start == line.byteCount {
            line.withUnsafeBytes { bytes.replaceSubrange(start..<start + $0.count, with: $0) }
            return
        }
        bytes.removeSubrange(start...)
        ends.removeSubrange(index...)
        guard start + line.byteCount <= capacity else { return }
        if start == 0 { bytes.reserveCapacity(512) }
        line.withUnsafeBytes { bytes.append(contentsOf: $0) }
        ends.append(bytes.count)
    }

    /// Drops the lines from `count` on.
    package mutating func truncate(to count: Int) {
        guard count < ends.count else { return }
        bytes.removeSubrange(start(of: count)...)
        ends.removeSubrange(count...)
    }

    // MARK: A whole head

    /// Keeps the lines of a whole head.
    ///
    /// - Returns: Whether they fit.
    package mutating func keep(_ head: RawSpan) -> Bool {
        clear()
        guard head.byteCount <= capacity else { return false }
        head.withUnsafeBytes { head in
            bytes.append(contentsOf: head)
            for (offset, byte) in head.enumerated() where byte == 10 { ends.append(offset + 1) }
        }
        return ends.last == bytes.count
    }

    /// Returns the first line that `input` does not repeat, comparing the bytes from `start` on with those at `offset`;
    /// `nil` when it repeats them all.
    ///
    /// - Parameter guess: A line that is returned without a closer look if `input` repeats all lines before it: the one
    ///   that differed last time. It may be the same this time.
    package func firstDifference(from start: Int, in input: RawSpan, at offset: Int, guess: Int? = nil) -> Int? {
        let count = bytes.count - start
        if offset + count <= input.byteCount, matches(input, offset..<offset + count, from: start) { return nil }
        if let guess, guess < ends.count, case let before = self.start(of: guess) - start, before >= 0,
            offset + before <= input.byteCount, matches(input, offset..<offset + before, from: start)
        {
            return guess
        }
        let place = start + commonPrefix(of: input, at: offset, from: start)
        return ends.firstIndex { $0 > place }
    }

    /// How many bytes of `input` at `offset` are those from `start` on, compared eight at a time.
    private func commonPrefix(of input: RawSpan, at offset: Int, from start: Int) -> Int {
        let own = bytes.span.bytes
        let common = min(bytes.count - start, input.byteCount - offset)
        var equal = 0
        while equal + 8 <= common {
            let difference =
                own.unsafeLoadUnaligned(fromByteOffset: start + equal, as: UInt64.self)
                ^ input.unsafeLoadUnaligned(fromByteOffset: offset + equal, as: UInt64.self)
            guard difference == 0 else { return equal + UInt64(littleEndian: difference).trailingZeroBitCount / 8 }
            equal += 8
        }
        while equal < common,
            own.unsafeLoad(fromByteOffset: start + equal, as: UInt8.self)
                == input.unsafeLoad(fromByteOffset: offset + equal, as: UInt8.self)
        {
            equal += 1
        }
        return equal
    }

    /// Gives the line at `index` other bytes, whatever their length; those behind it stay. The capacity may be
    /// exceeded.
    package mutating func replace(_ index: Int, with line: RawSpan) {
        let range = start(of: index)..<ends[index]
        line.withUnsafeBytes { bytes.replaceSubrange(range, with: $0) }
        let growth = line.byteCount - range.count
        guard growth != 0 else { return }
        for later in index..<ends.count { ends[later] += growth }
    }

    /// Forgets all lines.
    package mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    private func matches(_ input: RawSpan, _ range: Range<Int>, from start: Int) -> Bool {
        guard start + range.count <= bytes.count, range.upperBound <= input.byteCount else { return false }
        return input.withUnsafeBytes { input in
            bytes.withUnsafeBytes { bytes in
                guard let own = bytes.baseAddress, let other = input.baseAddress else { return range.isEmpty }
                return memcmp(own + start, other + range.lowerBound, range.count) == 0
            }
        }
    }
}
