/// Finds lines in input that arrives in pieces.
///
/// A line within one piece is not copied. Only an incomplete line at the end of a piece is kept until its rest arrives.
struct HTTP1LineReader: Sendable {
    /// The location of a line, which includes its end of line.
    enum Line: Equatable {
        case input(Range<Int>)
        /// In ``kept``, until the next call.
        case kept
        case incomplete
        case tooLong
    }

    /// The beginning of an incomplete line.
    private(set) var kept: [UInt8] = []
    /// Whether ``kept`` has been returned and can be discarded.
    private var isSpent = false

    /// Whether no incomplete line is kept.
    var isEmpty: Bool { kept.isEmpty }

    mutating func reset() {
        kept.removeAll(keepingCapacity: true)
        isSpent = false
    }

    /// Returns the next line.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of a line in bytes.
    ///   - folds: Whether a line that starts with white space continues the previous line (RFC 9112 §5.2). A line is
    ///     then complete only when the byte after it has arrived.
    mutating func next(in input: RawSpan, from position: inout Int, limit: Int, folds: Bool) -> Line {
        if isSpent { reset() }
        guard kept.isEmpty else { return resume(in: input, from: &position, limit: limit, folds: folds) }
        let start = position
        var search = start
        while let lineFeed = input.firstLineFeed(from: search) {
            let end = lineFeed + 1
            guard end - start <= limit else { return .tooLong }
            let isEmpty = end - start <= 2 && (end - start == 1 || input.byte(start) == .carriageReturn)
            guard folds, !isEmpty else {
                position = end
                return .input(start..<end)
            }
            guard end < input.byteCount else { break }
            guard input.byte(end).isBlank else {
                position = end
                return .input(start..<end)
            }
            search = end
        }
        return keep(input, from: &position, limit: limit)
    }

    private mutating func resume(in input: RawSpan, from position: inout Int, limit: Int, folds: Bool) -> Line {
        while true {
            if kept.last == .lineFeed, folds, position < input.byteCount, !input.byte(position).isBlank {
                isSpent = true
                return .kept
            }
            guard let lineFeed = input.firstLineFeed(from: position) else {
                return keep(input, from: &position, limit: limit)
            }
            guard lineFeed + 1 - position <= limit - kept.count else { return .tooLong }
            kept.append(contentsOf: input, in: position..<lineFeed + 1)
            position = lineFeed + 1
            let isEmpty = kept.count == 1 || (kept.count == 2 && kept[0] == .carriageReturn)
            if !folds || isEmpty {
                isSpent = true
                return .kept
            }
            guard position < input.byteCount else { return .incomplete }
        }
    }

    private mutating func keep(_ input: RawSpan, from position: inout Int, limit: Int) -> Line {
        guard input.byteCount - position <= limit - kept.count else { return .tooLong }
        kept.append(contentsOf: input, in: position..<input.byteCount)
        position = input.byteCount
        return .incomplete
    }
}
