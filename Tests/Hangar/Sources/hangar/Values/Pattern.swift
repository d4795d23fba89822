import Foundation
import Synchronization

/// The bytes that Hangar serves as arbitrary content that a test can check.
///
/// Byte `i` is `block[i % 65536]`. The block is 8192 numbers of SplitMix64 that starts at `seed`, little-endian:
/// `state += 0x9E3779B97F4A7C15; z = state; z = (z ^ z>>30) * 0xBF58476D1CE4E5B9;
/// z = (z ^ z>>27) * 0x94D049BB133111EB; z ^ z>>31`, all modulo 2^64.
struct Pattern: Sendable {
    private static let blockSize = 65_536
    /// One piece is four blocks: large enough that copying, not calling, is what takes the time.
    private static let pieceSize = 4 * blockSize

    /// Five blocks, so that a piece can begin anywhere in the first.
    private let blocks: Data

    /// - Parameter seed: the same seed gives the same bytes on every machine.
    init(seed: UInt64) {
        blocks = Self.cache.withLock { cache in
            if let known = cache[seed] { return known }
            if cache.count >= 32 { cache.removeAll() }
            let made = Self.makeBlocks(seed: seed)
            cache[seed] = made
            return made
        }
    }

    /// Bytes `range.lowerBound..<range.upperBound`, at most one piece of them.
    func piece(from offset: Int, atMost count: Int) -> Data {
        let start = offset % Self.blockSize
        return blocks[start..<(start + min(count, Self.pieceSize))]
    }

    func bytes(_ range: Range<Int>) -> Data {
        var data = Data(capacity: range.count)
        while data.count < range.count {
            data.append(piece(from: range.lowerBound + data.count, atMost: range.count - data.count))
        }
        return data
    }

    private static let cache = Mutex<[UInt64: Data]>([:])

    private static func makeBlocks(seed: UInt64) -> Data {
        var state = seed
        var block = Data(capacity: blockSize)
        for _ in 0..<(blockSize / 8) {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            z ^= z >> 31
            withUnsafeBytes(of: z.littleEndian) { block.append(contentsOf: $0) }
        }
        return (0..<5).reduce(into: Data(capacity: 5 * blockSize)) { data, _ in data.append(block) }
    }
}

extension GeneratedBody {
    /// Bytes of the pattern.
    ///
    /// - Parameters:
    ///   - range: which bytes; an upper bound of `Int.max` is no end.
    ///   - rate: bytes per second; nil is as fast as the client reads.
    ///   - cut: closes the connection after so many bytes of `range`.
    init(_ pattern: Pattern, range: Range<Int>, rate: Double? = nil, cut: Int? = nil) {
        self.init {
            var offset = range.lowerBound
            let end = cut.map { range.lowerBound + Swift.min(range.count, $0) } ?? range.upperBound
            let clock = ContinuousClock()
            let began = clock.now
            return {
                let remaining = end - offset
                guard remaining > 0 else {
                    if cut != nil { throw ConnectionClose() }
                    return nil
                }
                var size = remaining
                if let rate {
                    let sent = Double(offset - range.lowerBound)
                    try await clock.sleep(until: began + .seconds(sent / rate))
                    size = Swift.min(remaining, Swift.max(1, Int(Swift.min(rate, 1e9) / 20)))
                }
                let piece = pattern.piece(from: offset, atMost: size)
                offset += piece.count
                return piece
            }
        }
    }
}
