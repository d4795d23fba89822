import AirframeWire
import Testing

@Suite("Attempts after failures", .timeLimit(.minutes(1)))
struct BackOffTests {
    /// The number of attempts that are skipped until one is due.
    private static func pause(_ backOff: borrowing BackOff) -> Int {
        var count = 0
        while count < 1000, !backOff.isDue() { count += 1 }
        return count
    }

    @Test("each failure doubles the number of skipped attempts, up to 256; a success restarts with one")
    func doubling() {
        let backOff = BackOff()
        var pauses = [Self.pause(backOff)]
        for _ in 0..<10 {
            backOff.recordFailure()
            pauses.append(Self.pause(backOff))
        }
        #expect(pauses == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 256])
        backOff.recordSuccess()
        #expect(Self.pause(backOff) == 0)
        backOff.recordFailure()
        #expect(Self.pause(backOff) == 1)
        backOff.recordFailure(isCostly: true)
        #expect(Self.pause(backOff) == 256)
    }
}
