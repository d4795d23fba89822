internal import FoundationEssentials

/// Digests that replace secrets in stored variants and name files.
///
/// They are not cryptographic. They keep credentials out of files that only their owner can read, and that contain the
/// responses that the credentials gave access to.
package enum Digest {
    /// Returns 128 bits that represent a string, in hexadecimal.
    package static func text(_ text: String) -> String { bytes(text.utf8) }

    /// Returns 128 bits that represent bytes, in hexadecimal.
    static func bytes(_ bytes: some Collection<UInt8>) -> String {
        var (one, two) = (Checksum(seed: 0x9E37_79B9_7F4A_7C15), Checksum(seed: 0xC2B2_AE3D_27D4_EB4F))
        for _ in 0..<2 {
            one.update(bytes)
            two.update(bytes)
        }
        return hexadecimal(one.value) + hexadecimal(two.value)
    }

    /// Sixteen digits.
    static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A running 64-bit checksum that finds damage: each eight bytes are mixed in by a multiplication of 128 bits (5 GB/s
/// on the machines of Docs/Performance.md, so that checking content costs less than reading it).
struct Checksum: Sendable {
    private var state: UInt64
    private var pending: UInt64 = 0
    private var pendingCount: UInt64 = 0
    private var length: UInt64 = 0

    init(seed: UInt64 = 0x2545_F491_4F6C_DD1D) { state = seed }

    /// Mixes in bytes. Their division into calls makes no difference.
    mutating func update(_ bytes: some Sequence<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil {
            for byte in bytes { append(byte) }
        }
    }

    /// Mixes in the bytes of `data`.
    mutating func update(_ data: Data) { data.withUnsafeBytes { update($0) } }

    /// The checksum of all bytes so far.
    var value: UInt64 {
        var end = self
        end.mix(pending ^ (pendingCount << 56))
        end.mix(length)
        return end.state
    }

    private mutating func update(_ buffer: UnsafeRawBufferPointer) {
        var position = 0
        while pendingCount > 0, position < buffer.count {
            append(buffer[position])
            position += 1
        }
        while buffer.count - position >= 8 {
            mix(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
            length &+= 8
            position += 8
        }
        while position < buffer.count {
            append(buffer[position])
            position += 1
        }
    }

    private mutating func append(_ byte: UInt8) {
        pending |= UInt64(byte) << (8 * pendingCount)
        pendingCount += 1
        length &+= 1
        guard pendingCount == 8 else { return }
        mix(pending)
        (pending, pendingCount) = (0, 0)
    }

    private mutating func mix(_ word: UInt64) { state = Self.mixed(state, word) }

    /// Returns the state after eight more bytes.
    static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return (product.high ^ product.low) &+ (word &* 0xBF58_476D_1CE4_E5B9)
    }
}
