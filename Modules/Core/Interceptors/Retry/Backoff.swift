internal import Foundation
internal import Synchronization

/// The jitter of a retry policy's delays.
public enum RetryJitter: Sendable, Hashable {
    /// No jitter: each delay is exactly that of the backoff.
    case none
    /// Each delay is drawn uniformly between zero and the backoff's delay, so that clients that failed together do not
    /// retry together.
    ///
    /// - Parameter seed: The seed of the random delays; `nil` for the system's generator.
    case full(seed: UInt64? = nil)
}

/// The delay before a retry, which grows exponentially and may have jitter.
final class Backoff: Sendable {
    private let base: Double
    private let scale: Double
    private let jitter: RetryJitter
    // Guards the random sequence, which all requests of a policy share.
    private let draws: Mutex<SeededDraws>

    init(base: Double, scale: Double, jitter: RetryJitter) {
        self.base = base
        self.scale = scale
        self.jitter = jitter
        var system = SystemRandomNumberGenerator()
        if case .full(let seed?) = jitter {
            draws = Mutex(SeededDraws(seed: seed))
        } else {
            draws = Mutex(SeededDraws(seed: system.next()))
        }
    }

    /// Returns the delay in seconds before the retry that follows `count` others.
    func delay(afterRetries count: Int) -> TimeInterval {
        let whole = max(0, pow(base, Double(count)) * scale)
        guard case .full = jitter, whole.isFinite else { return whole }
        return draws.withLock { Double.random(in: 0...whole, using: &$0) }
    }
}

/// A seeded pseudorandom sequence (SplitMix64).
private struct SeededDraws: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
