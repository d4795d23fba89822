/// A path with placeholders: `:name` and `*` stand for one segment, `**` for any number of them.
struct PathPattern: Sendable {
    private enum Segment: Sendable {
        case literal(String)
        case capture(String)
        case any
        case rest
    }

    let text: String
    private let segments: [Segment]

    init(_ text: String) {
        self.text = text.hasPrefix("/") ? text : "/" + text
        segments = Self.split(self.text).map { segment in
            switch segment {
            case "*": .any
            case "**": .rest
            case _ where segment.hasPrefix(":") && segment.count > 1: .capture(String(segment.dropFirst()))
            default: .literal(segment)
            }
        }
    }

    /// Returns the values of the placeholders in `path`, or `nil` if it does not match.
    func match(_ path: String) -> Captures? {
        Self.match(segments[...], Self.split(path)[...], Captures())
    }

    /// Returns the number of segments in which `path` differs.
    func distance(to path: String) -> Int {
        let parts = Self.split(path)
        var distance = 0
        for (index, segment) in segments.enumerated() {
            if case .rest = segment { return distance }
            guard parts.indices.contains(index) else { return distance + segments.count - index }
            if case .literal(let text) = segment, text != parts[index] { distance += 1 }
        }
        return distance + max(0, parts.count - segments.count)
    }

    private static func match(
        _ segments: ArraySlice<Segment>,
        _ parts: ArraySlice<String>,
        _ captures: Captures
    ) -> Captures? {
        guard let segment = segments.first else { return parts.isEmpty ? captures : nil }
        if case .rest = segment {
            for end in parts.startIndex...parts.endIndex {
                var extended = captures
                extended.add(parts[..<end].joined(separator: "/"))
                if let found = match(segments.dropFirst(), parts[end...], extended) { return found }
            }
            return nil
        }
        guard let part = parts.first else { return nil }
        var extended = captures
        switch segment {
        case .literal(let text): if text != part { return nil }
        case .capture(let name): extended.add(part, as: name)
        case .any, .rest: extended.add(part)
        }
        return match(segments.dropFirst(), parts.dropFirst(), extended)
    }

    private static func split(_ path: String) -> [String] {
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0.percentDecoded }
    }
}

extension StringProtocol {
    /// Returns the text without percent escapes (RFC 3986 §2.1), or unchanged if they are malformed.
    var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var bytes: [UInt8] = []
        var rest = Substring(self).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = Substring(rest.prefix(2)).compactMap(\.hexDigitValue)
            guard digits.count == 2 else { return String(self) }
            bytes.append(UInt8(truncatingIfNeeded: digits[0] * 16 + digits[1]))
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self) ?? String(self)
    }
}
