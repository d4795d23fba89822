import AirframeWebSocketProtocol
import Foundation
import Testing

@Suite("Frames (RFC 6455 §5)", .timeLimit(.minutes(1)))
struct FrameTests {
    @Test("the examples of RFC 6455 §5.7 are decoded")
    func readsExamples() throws {
        var client = MessageDecoder(role: .client)
        #expect(try client.events(of: hex("810548656c6c6f")) == [.message(.text, Data("Hello".utf8))])
        #expect(try client.events(of: hex("010348656c 80026c6f")).assembled == [.message(.text, Data("Hello".utf8))])
        #expect(try client.events(of: hex("890548656c6c6f")) == [.ping(Data("Hello".utf8))])
        var server = MessageDecoder(role: .server)
        #expect(try server.events(of: hex("818537fa213d7f9f4d5158")) == [.message(.text, Data("Hello".utf8))])
        #expect(try server.events(of: hex("8a8537fa213d7f9f4d5158")) == [.pong(Data("Hello".utf8))])
    }

    @Test("the examples of RFC 6455 §5.7 are encoded")
    func writesExamples() {
        var server = FrameEncoder(role: .server)
        let plain = server.frame(.text, Data("Hello".utf8))
        #expect(plain == hex("810548656c6c6f"))
        var client = FrameEncoder(role: .client, keys: MaskingKeys(fixed: Self.key))
        let masked = client.frame(.text, Data("Hello".utf8))
        #expect(masked == hex("818537fa213d7f9f4d5158"))
        let large = server.frame(.binary, Data(count: 65536))
        #expect(large.prefix(10) == hex("827f0000000000010000") && large.count == 65546)
        let middle = server.frame(.binary, Data(count: 256))
        #expect(middle.prefix(4) == hex("827e0100"))
    }

    private static let key = MaskingKey(bytes: UInt32(bigEndian: 0x37FA_213D))

    @Test(
        "a server reads masked messages of any length and in any pieces (RFC 6455 §5.3)",
        arguments: [
            0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 125, 126, 127, 1000, 65535, 65536, 70001,
        ])
    func masks(length: Int) throws {
        let payload = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
        for piece in [1, 5, 1024, .max] where length / piece < 10000 || piece > 1 {
            var client = FrameEncoder(role: .client)
            var server = MessageDecoder(role: .server)
            let events = try server.events(of: client.frame(.binary, payload), inPiecesOf: piece)
            #expect(events.assembled == [.message(.binary, payload)])
        }
    }

    @Test("each frame has its own key (RFC 6455 §5.3)")
    func keysDiffer() {
        var client = FrameEncoder(role: .client)
        let keys = Set((0..<100).map { _ in client.frame(.ping).suffix(4) })
        #expect(keys.count == 100)
    }

    @Test("control frames may occur between the fragments of a message (RFC 6455 §5.5)", arguments: [1, 2, 3, .max])
    func interleaves(piece: Int) throws {
        let bytes =
            serverFrame(.text, "one ", isFinal: false) + serverFrame(.ping, "p") + serverFrame(.continuation, "two")
        var client = MessageDecoder(role: .client)
        let events = try client.events(of: bytes, inPiecesOf: piece)
        #expect(events.contains(.ping(Data("p".utf8))))
        #expect(events.assembled.last == .message(.text, Data("one two".utf8)))
    }

    @Test("empty messages and empty fragments are messages (RFC 6455 §5.4)")
    func empty() throws {
        var client = MessageDecoder(role: .client)
        let bytes =
            serverFrame(.text) + serverFrame(.binary, isFinal: false) + serverFrame(.continuation, isFinal: false)
            + serverFrame(.continuation)
        #expect(try client.events(of: bytes) == [.message(.text, Data()), .start(.binary), .end])
    }

    @Test("bytes after a Close frame are ignored (RFC 6455 §5.5.1)")
    func nothingAfterClose() throws {
        var client = MessageDecoder(role: .client)
        let events = try client.events(of: serverFrame(.close, hex("03e8 627965")) + serverFrame(.text, "late"))
        #expect(events == [.close(CloseStatus(code: 1000, reason: Data("bye".utf8)))])
    }
}
