internal import Foundation
internal import Synchronization

/// How the waits of a retry policy are spread.
public enum RetryJitter: Sendable, Hashable {
    /// Not at all: each wait is exactly as long as the backoff says.
    case none
    /// Each wait is drawn from zero up to what the backoff says, all lengths as likely. Clients that failed together then
    /// come back apart.
    ///
    /// - Parameter seed: The draws are the same for the same seed; `nil` draws from the system's source.
    case full(seed: UInt64? = nil)
}

/// The wait before a retry: it grows by a factor each time, and may be spread by jitter.
final class Backoff: Sendable {
    private let base: Double
    private let scale: Double
    private let jitter: RetryJitter
    // Guards the sequence of draws, which all requests of a policy share.
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

    /// The wait in seconds before the retry that follows `count` others.
    func delay(afterRetries count: Int) -> TimeInterval {
        let whole = max(0, pow(base, Double(count)) * scale)
        guard case .full = jitter, whole.isFinite else { return whole }
        return draws.withLock { Double.random(in: 0...whole, using: &$0) }
    }
}

/// A sequence of numbers that look random and are the same for the same seed (SplitMix64).
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
