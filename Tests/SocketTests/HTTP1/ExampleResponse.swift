import AirframeSocket
import Testing

/// A response as text, and the expected result.
struct ExampleResponse: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let kind: HTTP1RequestKind
    let end: Transcript.End
    let expected: String

    /// - Parameters:
    ///   - name: The special property of the response.
    ///   - text: The bytes; scalars up to U+00FF stand for single bytes.
    ///   - expected: The content, or a part of the error.
    init(
        _ name: String,
        _ text: String,
        to kind: HTTP1RequestKind = .ordinary,
        end: Transcript.End = .open,
        _ expected: String = ""
    ) {
        testDescription = name
        self.text = text
        self.kind = kind
        self.end = end
        self.expected = expected
    }

    var bytes: [UInt8] { text.latin1 }

    var transcript: Transcript { Transcript(of: bytes, to: kind, end: end) }

    var disagreement: String? { Transcript.disagreement(about: bytes, to: kind, end: end) }
}

extension String {
    /// One byte for each scalar.
    var latin1: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
