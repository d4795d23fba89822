import AirframeSerialization
import Foundation

/// The outcome of a stream: its elements and its error.
struct Transcript<Element: Sendable & Equatable>: Equatable {
    var elements: [Element] = []
    var failure: StreamParsingError?

    /// Parses `bytes` cut at `cuts`, which are in ascending order.
    init<Parser: ByteStreamParser>(
        of bytes: Data,
        cuts: [Int] = [],
        parser: Parser,
        _ describe: (Parser.Element) -> Element
    ) {
        var parser = parser
        var made: [Parser.Element] = []
        do throws(StreamParsingError) {
            var start = 0
            for cut in cuts + [bytes.count] {
                try parser.push(bytes[start..<cut], into: &made)
                start = cut
            }
            try parser.finish(into: &made)
        } catch {
            failure = error
        }
        elements = made.map(describe)
    }

    /// Returns cuts that change the outcome, if there are any. Tries all single cuts, every byte separately, and random
    /// cuts.
    static func disagreement<Parser: ByteStreamParser>(
        about bytes: Data,
        parser: Parser,
        _ describe: (Parser.Element) -> Element
    ) -> [Int]? {
        let whole = Transcript(of: bytes, parser: parser, describe)
        var generator = SplitGenerator(state: UInt64(bytes.count) &+ 7)
        var ways = (0...bytes.count).map { [$0] }
        ways.append(Array(0..<bytes.count))
        for _ in 0..<50 {
            ways.append((0..<bytes.count).filter { _ in Int.random(in: 0..<4, using: &generator) == 0 })
        }
        return ways.first { Transcript(of: bytes, cuts: $0, parser: parser, describe) != whole }
    }
}

/// A generator with a fixed sequence, so that failures are reproducible.
struct SplitGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 31)
    }
}
