import AirframeCompression

/// The result of decoding, a value that can be compared.
typealias Decoded = Result<[UInt8], ContentCodingError>

/// Encodes `bytes` in one piece.
func encode(_ bytes: [UInt8], as coding: ContentCoding, level: Int? = nil) throws -> [UInt8] {
    var encoder = try ContentEncoder(coding, level: level)
    return try encoder.encode(bytes) + encoder.finish()
}

/// Decodes `bytes`, pushed in pieces that end at `cuts`.
func decode(
    _ bytes: [UInt8],
    as codings: [ContentCoding],
    cutAt cuts: [Int] = [],
    limits: DecodingLimits = DecodingLimits()
) -> Decoded {
    Result { () throws(ContentCodingError) in
        var decoder = try ContentDecoder(codings, limits: limits)
        var decoded: [UInt8] = []
        var start = 0
        for cut in cuts.sorted() + [bytes.count] {
            decoded += try decoder.decode(Array(bytes[start..<cut]))
            start = cut
        }
        return try decoded + decoder.finish()
    }
}

func decode(_ bytes: [UInt8], as coding: ContentCoding, limits: DecodingLimits = DecodingLimits()) -> Decoded {
    decode(bytes, as: [coding], limits: limits)
}

extension Decoded {
    /// The reason that decoding failed.
    var reason: ContentCodingError.Reason? {
        if case .failure(let error) = self { error.reason } else { nil }
    }

    /// The bytes, if decoding succeeded.
    var bytes: [UInt8]? { try? get() }
}

/// Pseudorandom numbers that are equal in each run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) }
    }

    /// Text with repetitions, whose compressibility is between that of noise and of zeros.
    mutating func text(_ count: Int) -> [UInt8] {
        let words = ["wing ", "rudder ", "flap ", "spar ", "rib ", "\n", "0123456789 "].map { Array($0.utf8) }
        var text: [UInt8] = []
        while text.count < count { text += words[Int(next() >> 8) % words.count] }
        return Array(text.prefix(count))
    }
}
