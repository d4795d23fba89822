import AirframeWebSocketProtocol
import Foundation
import Testing

@Suite("Fields of the handshake", .timeLimit(.minutes(1)))
struct HandshakeFieldTests {
    @Test("the example of RFC 6455 §1.3 is answered")
    func accept() {
        #expect(HandshakeKey("dGhlIHNhbXBsZSBub25jZQ==").accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(HandshakeKey().value != HandshakeKey().value)
        #expect(Data(base64Encoded: HandshakeKey().value)?.count == 16)
    }

    @Test(
        "extensions are read as the grammar has them (RFC 6455 §9.1)",
        arguments: [
            ("", [] as [String]), ("a", ["a"]), (" a , b ", ["a", "b"]), ("a;p;q=1", ["a; p; q=1"]),
            ("a; p = \"1\"", ["a; p=1"]), ("a,, b", ["a", "b"]),
        ])
    func reads(text: String, offers: [String]) {
        #expect(ExtensionOffer.list(text)?.map(\.text) == offers)
    }

    @Test(
        "malformed lists are refused",
        arguments: ["a;", "a=1", "a;p=", "a;p=\"", "a;p=\"x y\"", "a b", ";", "a;p=\"\""])
    func refuses(text: String) {
        #expect(ExtensionOffer.list(text) == nil)
    }
}
