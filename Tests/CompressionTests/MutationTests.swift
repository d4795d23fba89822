import AirframeCompression
import Testing

@Suite("Broken content", .timeLimit(.minutes(5)))
struct MutationTests {
    @Test(
        "mutated content gives bytes or an error, independent of how the input is divided",
        arguments: ContentCoding.allCases)
    func mutations(coding: ContentCoding) throws {
        var random = SeededGenerator(7)
        let coded = try encode(random.text(2_000), as: coding)
        var failures = 0
        for _ in 0..<2_000 {
            var changed = coded
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: changed[index] = UInt8.random(in: 0...255, using: &random)
                case 2 where changed.count > 1: changed.remove(at: index)
                default: changed.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            let whole = decode(changed, as: coding)
            let cuts = (0..<8).map { _ in Int.random(in: 0...changed.count, using: &random) }
            let pieces = decode(changed, as: [coding], cutAt: cuts)
            #expect(whole.bytes == pieces.bytes)
            #expect(whole.reason == pieces.reason)
            if whole.bytes == nil { failures += 1 }
        }
        #expect(failures > 100)
    }

    @Test("noise is rejected without a trap", arguments: ContentCoding.allCases)
    func noise(coding: ContentCoding) {
        var random = SeededGenerator(8)
        let limits = DecodingLimits(maximumSize: 1 << 20)
        for _ in 0..<500 {
            let count = Int.random(in: 1...300, using: &random)
            let noise = random.bytes(count)
            let whole = decode(noise, as: coding, limits: limits)
            #expect(decode(noise, as: [coding], cutAt: Array(0...count), limits: limits).bytes == whole.bytes)
        }
    }
}
