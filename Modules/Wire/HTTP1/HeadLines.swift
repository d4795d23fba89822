package import AirframeTransport
internal import Glibc

/// The lines of the last response head on a connection, which the next head is compared with.
///
/// A server's response heads differ little. A line that repeats the one in the same place need not be parsed again, and
/// its field needs no new memory. The engines store the parsed head with the lines. Neither stores a head with a
/// secret.
package struct HeadLines: Sendable {
    /// The maximum number of bytes, which bounds the memory of an idle connection.
    private let capacity: Int
    /// The lines with their line ends, concatenated.
    private var bytes: [UInt8] = []
    /// The end of each line in `bytes`.
    private var ends: [Int] = []

    /// Creates an empty memory.
    ///
    /// - Parameter capacity: The maximum number of bytes.
    package init(capacity: Int) { self.capacity = capacity }

    /// The number of lines.
    package var count: Int { ends.count }

    /// The number of bytes of all lines.
    package var byteCount: Int { bytes.count }

    /// Whether the lines are within the capacity.
    package var isWithinCapacity: Bool { bytes.count <= capacity }

    /// Returns the offset of the line at `index`.
    package func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

    // MARK: Line by line

    /// Returns whether `line` is the one at `index`.
    package func isSame(_ line: RawSpan, at index: Int) -> Bool {
        guard index < ends.count, ends[index] - start(of: index) == line.byteCount else { return false }
        return matches(line, 0..<line.byteCount, from: start(of: index))
    }

    /// Stores `line` at `index`: in the place of another line, or after the last. If the length differs, the lines
    /// after it are dropped.
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

    /// Stores the lines of a whole head.
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

    /// Returns the first line that `input` does not repeat, comparing the stored bytes from `start` on with those of
    /// `input` at `offset`; `nil` if it repeats them all.
    ///
    /// - Parameter guesses: The lines that differed last time, and probably differ again, in ascending order.
    package func firstDifference(from start: Int, in input: RawSpan, at offset: Int, guesses: [Int] = []) -> Int? {
        let count = bytes.count - start
        if offset + count <= input.byteCount, matches(input, offset..<offset + count, from: start) { return nil }
        for guess in guesses where guess < ends.count {
            let (before, length) = (self.start(of: guess) - start, ends[guess] - self.start(of: guess))
            guard before >= 0, offset + before + length <= input.byteCount,
                matches(input, offset..<offset + before, from: start)
            else { break }
            if !matches(input, offset + before..<offset + before + length, from: start + before) { return guess }
        }
        let place = start + commonPrefix(of: input, at: offset, from: start)
        return ends.firstIndex { $0 > place }
    }

    /// Returns the number of equal bytes of `input` at `offset` and the stored bytes from `start` on, compared eight at
    /// a time.
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

    /// Returns whether the first `count` bytes of the line at `index` are those of `line`.
    package func begins(_ index: Int, with line: RawSpan, count: Int) -> Bool {
        index < ends.count && count <= ends[index] - start(of: index)
            && matches(line, 0..<count, from: start(of: index))
    }

    /// Returns `head` with these lines, of which those at `changed` differ from the head's in their values.
    package func revised(_ head: SharedResponseHead, at changed: [Int]) -> SharedResponseHead {
        SharedResponseHead(revising: head, text: bytes, ends: ends, at: changed)
    }

    /// Revises `head`, whose sole owner is the caller.
    package func revise(_ head: SharedResponseHead, at changed: [Int]) {
        head.revise(text: bytes, ends: ends, at: changed)
    }

    /// Replaces the line at `index` by one of any length and keeps the lines after it. The capacity may be exceeded.
    package mutating func replace(_ index: Int, with line: RawSpan) {
        let range = start(of: index)..<ends[index]
        let growth = line.byteCount - range.count
        guard growth != 0 else {
            line.withUnsafeBytes { line in
                bytes.withUnsafeMutableBytes {
                    UnsafeMutableRawBufferPointer(rebasing: $0[range]).copyMemory(from: line)
                }
            }
            return
        }
        line.withUnsafeBytes { bytes.replaceSubrange(range, with: $0) }
        for later in index..<ends.count { ends[later] += growth }
    }

    /// Removes all lines.
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
