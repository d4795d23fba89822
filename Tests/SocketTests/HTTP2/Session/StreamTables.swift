import Testing

@testable import AirframeSocket

@Suite("tables of streams", .timeLimit(.minutes(1)))
struct StreamTables {
    private func stream(_ id: Int32) -> HTTP2StreamState {
        HTTP2StreamState(id: id, kind: .ordinary, windowSize: 65_535)
    }

    @Test("A table finds what was inserted and not removed", arguments: 0..<32)
    func randomChanges(seed: Int) {
        var numbers = SeededNumbers(seed)
        var table = HTTP2StreamTable()
        var open: [HTTP2StreamState] = []
        var next: Int32 = 1
        for _ in 0..<2_000 {
            // Grows at first and shrinks later, so that removals close gaps in tables of several sizes.
            if open.isEmpty || numbers.chance(next < 1_600 ? 60 : 40) {
                open.append(stream(next))
                table.insert(open[open.count - 1])
                next += 2
            } else {
                open.swapAt(Int.random(in: 0..<open.count, using: &numbers), open.count - 1)
                let closed = open.removeLast()
                let removals = [table.remove(closed), table.remove(closed)]
                #expect(removals == [true, false])
            }
            #expect(table.count == open.count)
        }
        let ids = Set(open.map(\.id))
        for id in stride(from: 1, to: next + 10, by: 2) { #expect(table[id]?.id == (ids.contains(id) ? id : nil)) }
        #expect(Set(table.streams.map(\.id)) == ids)
    }

    @Test("A stream that is not open does not remove another with its identifier")
    func sameIdentifier() {
        var table = HTTP2StreamTable()
        let (open, other) = (stream(7), stream(7))
        table.insert(open)
        let isRemoved = table.remove(other)
        #expect(!isRemoved)
        #expect(!table.contains(other))
        #expect(table[7] === open)
    }

    @Test("The last identifiers are found")
    func lastIdentifiers() {
        var table = HTTP2StreamTable()
        let ids = (0..<100).map { Int32.max - 2 * Int32($0) }
        for id in ids { table.insert(stream(id)) }
        for id in ids { #expect(table[id]?.id == id) }
        table.removeAll()
        #expect(table.count == 0)
        for id in ids { #expect(table[id] == nil) }
    }
}
