/// The rate of a transfer over the last seconds, and the time that is left.
package struct TransferMeter: Sendable {
    private struct Sample {
        var seconds: Double
        var bytes: Int64
    }

    /// The window of the rate, in seconds.
    private static let window = 5.0

    private var samples: [Sample] = []
    /// The bytes so far.
    package private(set) var completed: Int64 = 0
    /// The size of the whole in bytes; `nil` if it is unknown.
    package private(set) var total: Int64?

    package init() {}

    /// Records the progress of the transfer.
    ///
    /// - Parameters:
    ///   - completed: The bytes so far. Fewer than before start the transfer from the beginning, as a retry does.
    ///   - total: The bytes of the whole; `nil` or a negative number when it is not known.
    ///   - seconds: The time on any monotonic clock.
    package mutating func record(_ completed: Int64, of total: Int64?, at seconds: Double) {
        if completed < self.completed { samples = [] }
        self.completed = completed
        self.total = total.flatMap { $0 > 0 ? $0 : nil }
        samples.append(Sample(seconds: seconds, bytes: completed))
        while samples.count > 2, samples[1].seconds < seconds - Self.window { samples.removeFirst() }
    }

    /// The bytes per second; `nil` until two samples are 50 ms apart.
    package var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.seconds - first.seconds > 0.05 else {
            return nil
        }
        return Double(last.bytes - first.bytes) / (last.seconds - first.seconds)
    }

    /// The completed fraction, from 0 to 1; `nil` if the size is unknown.
    package var fraction: Double? {
        total.map { min(1, max(0, Double(completed) / Double($0))) }
    }

    /// The remaining seconds at this rate; `nil` if unknown.
    package var remaining: Double? {
        guard let total, let rate, rate > 0 else { return nil }
        return Double(max(0, total - completed)) / rate
    }
}
