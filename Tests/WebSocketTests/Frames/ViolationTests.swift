import AirframeWebSocketProtocol
import Foundation
import Testing

@Suite("Violations have close codes", .timeLimit(.minutes(1)))
struct ViolationTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: Data
        let code: UInt16
        let section: String

        init(_ description: String, _ bytes: Data, _ code: UInt16, _ section: String) {
            testDescription = description
            self.bytes = bytes
            self.code = code
            self.section = section
        }
    }

    static let cases = [
        Case("a masked frame from a server", hex("8180 00000000"), 1002, "RFC 6455 §5.1"),
        Case("RSV1 without an extension", hex("c100"), 1002, "RFC 6455 §5.2"),
        Case("RSV2", hex("a100"), 1002, "RFC 6455 §5.2"),
        Case("RSV3", hex("9100"), 1002, "RFC 6455 §5.2"),
        Case("opcode 3", hex("8300"), 1002, "RFC 6455 §5.2"),
        Case("opcode 7", hex("8700"), 1002, "RFC 6455 §5.2"),
        Case("opcode 11", hex("8b00"), 1002, "RFC 6455 §5.2"),
        Case("opcode 15", hex("8f00"), 1002, "RFC 6455 §5.2"),
        Case("a length of 125 in two bytes", hex("827e007d"), 1002, "RFC 6455 §5.2"),
        Case("a length of 65535 in eight bytes", hex("827f000000000000ffff"), 1002, "RFC 6455 §5.2"),
        Case("a length with the highest bit", hex("827f8000000000000000"), 1002, "RFC 6455 §5.2"),
        Case("a fragmented ping", hex("0900"), 1002, "RFC 6455 §5.5"),
        Case("a fragmented Close frame", hex("0800"), 1002, "RFC 6455 §5.5"),
        Case("a ping of 126 bytes", hex("897e007e") + Data(count: 126), 1002, "RFC 6455 §5.5"),
        Case("a continuation of nothing", hex("8000"), 1002, "RFC 6455 §5.4"),
        Case("a message within a message", hex("0100 8100"), 1002, "RFC 6455 §5.4"),
        Case("a continuation after the end", hex("0100 8000 8000"), 1002, "RFC 6455 §5.4"),
        Case("a Close frame of one byte", hex("880103"), 1002, "RFC 6455 §5.5.1"),
        Case("a text message that is not UTF-8", hex("8101ff"), 1007, "RFC 6455 §8.1"),
        Case("a text message that ends within a character", hex("8102e282"), 1007, "RFC 6455 §8.1"),
        Case("a surrogate in a fragment", hex("0103eda080"), 1007, "RFC 6455 §8.1"),
        Case("a reason that is not UTF-8", hex("880303e8ff"), 1007, "RFC 6455 §5.5.1"),
    ]

    @Test("the server may not send", arguments: cases)
    func violates(_ violation: Case) throws {
        for piece in [1, .max] {
            var client = MessageDecoder(role: .client)
            let error = #expect(throws: ProtocolViolation.self) {
                try client.events(of: violation.bytes, inPiecesOf: piece)
            }
            #expect(error?.closeCode == violation.code)
            #expect(error?.section == violation.section)
            #expect(try client.next() == nil, "nothing follows a violation")
        }
    }

    @Test("a client's frame without a mask is rejected (RFC 6455 §5.1)")
    func unmasked() {
        var server = MessageDecoder(role: .server)
        #expect(throws: ProtocolViolation.self) { try server.events(of: hex("8100")) }
    }

    @Test("a frame above the limit is rejected by its header (RFC 6455 §7.4.1)")
    func tooBig() {
        var client = MessageDecoder(role: .client, maximumFrameSize: 1000)
        let error = #expect(throws: ProtocolViolation.self) { try client.events(of: hex("827e03e9")) }
        #expect(error?.closeCode == 1009)
    }

    @Test(
        "codes that must not be sent are refused (RFC 6455 §7.4)",
        arguments: [
            0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535,
        ] as [UInt16])
    func invalidCode(code: UInt16) {
        var client = MessageDecoder(role: .client)
        let payload = Data([UInt8(code >> 8), UInt8(code & 0xFF)])
        let error = #expect(throws: ProtocolViolation.self) { try client.events(of: serverFrame(.close, payload)) }
        #expect(error?.section == "RFC 6455 §7.4")
    }

    @Test(
        "codes that may be sent are reported",
        arguments: [
            1000, 1001, 1002, 1003, 1007, 1011, 1012, 1014, 3000, 3999, 4000, 4999,
        ] as [UInt16])
    func validCode(code: UInt16) throws {
        var client = MessageDecoder(role: .client)
        let payload = Data([UInt8(code >> 8), UInt8(code & 0xFF)])
        #expect(try client.events(of: serverFrame(.close, payload)) == [.close(CloseStatus(code: code))])
    }
}
