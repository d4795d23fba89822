/// A pseudo-random sequence of numbers that depends on its seed only (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates the sequence of `seed`.
    public init(seed: UInt64) { state = seed }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Creates the sequence of one request to one route, which does not depend on requests to other routes.
    init(seed: UInt64, route: Int, hit: Int) {
        var mixer = SeededGenerator(seed: seed ^ UInt64(truncatingIfNeeded: route) &* 0xD6E8_FEB8_6659_FD93)
        state = mixer.next() ^ UInt64(truncatingIfNeeded: hit) &* 0xA076_1D64_78BD_642F
    }
}
