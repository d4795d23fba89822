package import AirframeSocket

extension Transcript {
    /// The divisions of `count` bytes that must give the same transcript: byte by byte, and every one into two parts.
    private static func cuts(of count: Int) -> [(name: String, cuts: [Int])] {
        guard count > 0 else { return [] }
        let halves = (1..<max(count, 2)).map { ("in two at \($0)", [$0]) }
        return [("byte by byte", Array(0..<count))] + halves
    }

    /// Describes a division of `bytes` that gives another transcript than the whole; `nil` if there is none.
    package static func disagreement(
        about bytes: [UInt8],
        to kind: HTTP1RequestKind = .ordinary,
        end: End = .clean,
        limits: HTTP1Limits = HTTP1Limits()
    ) -> String? {
        let whole = Transcript(of: bytes, to: kind, end: end, limits: limits)
        for (name, cuts) in cuts(of: bytes.count) {
            let part = Transcript(of: bytes, cuts: cuts, to: kind, end: end, limits: limits)
            guard part == whole else { return "\(name):\n\(part)\nwhole:\n\(whole)" }
        }
        return nil
    }
}
