/// A sequence of numbers that look random and are the same for the same seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The sequence of one hit of one route: it does not depend on what other routes were asked meanwhile.
    init(seed: UInt64, route: Int, hit: Int) {
        var mixer = SeededGenerator(seed: seed ^ UInt64(truncatingIfNeeded: route) &* 0xD6E8_FEB8_6659_FD93)
        state = mixer.next() ^ UInt64(truncatingIfNeeded: hit) &* 0xA076_1D64_78BD_642F
    }
}
