internal import Glibc

/// How the cost of an operation grows with its input: what a peer can fill must grow no worse than linearly, or a
/// message of some megabytes stops the program.
///
/// The processor time of the thread is measured, so that other programs do not count.
public struct CostCurve: Sendable {
    /// The growth from an input to one ten times as large that still passes: linear is 10, quadratic 100.
    public static let limit = 40.0

    /// The size of the small input.
    public let size: Int
    /// The cost of the small input, in seconds.
    public let small: Double
    /// The cost of ten times as much input, in seconds.
    public let large: Double

    /// The larger cost in terms of the smaller.
    public var growth: Double { large / small }

    /// Measures an operation at `size` and at ten times that, at most three times, until it grows well below
    /// quadratically.
    ///
    /// - Parameters:
    ///   - size: The small size: large enough to exceed the clock's resolution.
    ///   - prepare: Creates the operation for a size. Its own cost is not measured.
    public static func measure(_ size: Int, prepare: (Int) throws -> () throws -> Void) throws -> CostCurve {
        var best = try once(size, prepare)
        for _ in 0..<2 where best.growth > limit {
            let next = try once(size, prepare)
            if next.growth < best.growth { best = next }
        }
        return best
    }

    private static func once(_ size: Int, _ prepare: (Int) throws -> () throws -> Void) throws -> CostCurve {
        let (small, large) = (try prepare(size), try prepare(size * 10))
        // The first run fills caches and creates lazy values.
        try small()
        let costs = try (0..<3).map { _ in try cost(of: small) }
        // A ratio is meaningless below the clock's resolution.
        return CostCurve(size: size, small: max(costs.min() ?? 0, 20e-6), large: try cost(of: large))
    }

    private static func cost(of work: () throws -> Void) rethrows -> Double {
        let start = threadTime()
        try work()
        return threadTime() - start
    }

    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

extension CostCurve: CustomStringConvertible {
    /// Both costs, and the growth.
    public var description: String {
        let costs = [small, large].map { "\(($0 * 1e4).rounded() / 10) ms" }
        return "\(size): \(costs[0]), \(size * 10): \(costs[1]), growth \((growth * 10).rounded() / 10)"
    }
}
