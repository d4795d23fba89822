/// What the layers cannot do yet, and why.
enum LayerExclusions {
    static let all: [String: String] = [
        "fault.gzip-good": decoding,
        "fault.gzip-cut": decoding,
        "fault.gzip-bad-crc": decoding,
        "fault.gzip-garbage": decoding,
        "fault.gzip-trailing-garbage": decoding,
        "fault.gzip-two-members": decoding,
        "fault.gzip-empty": decoding,
        "fault.deflate-raw": decoding,
        "fault.encoding-unknown": decoding,
    ]

    private static let decoding = "for the decoding layer, which does not exist yet"
}
