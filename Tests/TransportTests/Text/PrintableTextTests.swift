import AirframeTransport
import Foundation
import Testing

@Suite("Text from peers")
struct PrintableTextTests {
    /// C0, DEL, C1, and what changes lines or directions.
    static let unprintable: [Unicode.Scalar] =
        ((0..<0x20).map { $0 } + [0x7F] + (0x80..<0xA0).map { $0 }
        + [0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069, 0xFEFF, 0xE0041])
        .compactMap { Unicode.Scalar(UInt32($0)) }

    @Test("an error's message has every control character escaped", arguments: unprintable)
    func errors(scalar: Unicode.Scalar) {
        let text = "a\(scalar)b"
        let error = TransportError(
            .tlsFailed, phase: .tls, processing: .notSent, message: "with \(text)", libraryMessage: "OpenSSL: \(text)")
        let texts = [error.message, error.libraryMessage ?? "", "\(error)", error.localizedDescription]
        for shown in texts {
            #expect(!shown.unicodeScalars.contains(scalar), "\(shown.debugDescription)")
            #expect(shown.contains("a\\"))
        }
    }

    @Test("is left alone otherwise, in any script", arguments: ["Zürich", "東京 \\ \"x\"", "می‌خواهم", "👩‍👩‍👧", "e\u{301}"])
    func texts(text: String) {
        #expect(text.printable == text)
    }

    @Test("is processed by scalars: to Swift a carriage return and a line feed are one character")
    func scalars() {
        #expect("a\r\nb".printable == "a\\r\\nb")
        #expect("\u{1B}\u{301}[0m".printable == "\\u{1b}\u{301}[0m")
    }
}
