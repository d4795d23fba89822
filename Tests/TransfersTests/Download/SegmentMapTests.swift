import Foundation
import Testing

@testable import AirframeTransfers

@Suite("The map of a download's segments", .timeLimit(.minutes(1)))
struct SegmentMapTests {
    private let part = SegmentMap.smallestPart

    @Test("the first request takes the whole, and each further one half of the segment that would finish last")
    func splitting() throws {
        var map = SegmentMap(total: 8 * part)
        #expect(map.assign(besides: [:]) == 0)
        #expect(map.assign(besides: [0: 1]) == 4 * part)
        // The second half is slower, so it is split although the first has as much left.
        #expect(map.assign(besides: [0: 100, 4 * part: 10]) == 6 * part)
        #expect(map.isValid)
        #expect(map.total == 8 * part)
    }

    @Test("no part is smaller than the minimum for a request")
    func smallest() {
        var map = SegmentMap(total: 2 * part - 1)
        #expect(map.assign(besides: [0: 1]) == nil)
        map = SegmentMap(total: 2 * part)
        #expect(map.assign(besides: [0: 1]) == part)
    }

    @Test("an idle segment is assigned before a split")
    func idle() {
        var map = SegmentMap(total: 8 * part)
        _ = map.assign(besides: [0: 1])
        map.advance(segmentAt: 4 * part, to: 5 * part)
        #expect(map.assign(besides: [0: 1]) == 4 * part)
        #expect(map.segments.count == 2)
        #expect(map.completed == part)
    }

    @Test("only an empty segment is merged into the one before it")
    func joining() {
        var map = SegmentMap(total: 8 * part)
        _ = map.assign(besides: [0: 1])
        map.join(segmentAt: 4 * part)
        #expect(map == SegmentMap(total: 8 * part))
        _ = map.assign(besides: [0: 1])
        map.advance(segmentAt: 4 * part, to: 4 * part + 1)
        map.join(segmentAt: 4 * part)
        #expect(map.segments.count == 2)
    }

    @Test("invalid bytes are missing again")
    func invalidation() {
        var map = SegmentMap(total: 100)
        map.advance(segmentAt: 0, to: 80)
        map.invalidate(30..<50)
        #expect(map.completed == 30)
    }

    @Test("random steps leave no gap, no overlap and no repeated byte")
    func random() {
        for seed in 0..<200 {
            var generator = Generator(state: UInt64(seed) + 1)
            var map = SegmentMap(total: Int64.random(in: 0...(40 * part), using: &generator))
            let total = map.total
            var busy: [Int64: Double] = [:]
            var steps = 0
            while !map.isComplete, steps < 10_000 {
                steps += 1
                if busy.count < 5, let start = map.assign(besides: busy) { busy[start] = 1 }
                guard let start = busy.keys.sorted().randomElement(using: &generator) else { continue }
                guard let segment = map.segments.first(where: { $0.start == start }), segment.remaining > 0 else {
                    busy[start] = nil
                    continue
                }
                map.advance(
                    segmentAt: start,
                    to: segment.next + Int64.random(in: 1...max(1, segment.remaining), using: &generator))
                busy[start] = Double.random(in: 1...100, using: &generator)
            }
            #expect(map.isComplete && map.isValid && map.completed == total && map.total == total)
        }
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
