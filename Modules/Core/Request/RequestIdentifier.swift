internal import Foundation
internal import Synchronization

/// Unique identifiers of requests: a counter, scattered over the space of UUIDs by a random key of the process.
///
/// `UUID()` reads random bytes from the kernel on each call, which takes 2.9 µs, and few programs use the identifier.
enum RequestIdentifier {
    private static let counter = Atomic<UInt64>(0)
    private static let key = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    static func next() -> UInt64 {
        counter.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// A version 8 UUID (RFC 9562 §5.8).
    static func uuid(_ number: UInt64) -> UUID {
        let high = key.0 ^ mixed(number)
        let low = key.1 &+ number
        func byte(_ word: UInt64, _ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6) & 0x0F | 0x80, byte(high, 7), byte(low, 0) & 0x3F | 0x80, byte(low, 1), byte(low, 2),
                byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            )
        )
    }

    /// Returns the image of a number under a bijection that scatters neighbouring numbers.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var word = number &* 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
