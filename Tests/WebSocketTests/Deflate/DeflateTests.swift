import AirframeWebSocket
import AirframeWebSocketProtocol
import Foundation
import Testing

@Suite("permessage-deflate (RFC 7692)", .timeLimit(.minutes(1)))
struct DeflateTests {
    private func decoder(_ bits: Int = 15, keepsContext: Bool = true) -> MessageDecoder {
        MessageDecoder(role: .client, decompressor: MessageInflater(windowBits: bits, keepsContext: keepsContext))
    }

    @Test("the examples of RFC 7692 §7.2.3 are decompressed")
    func examples() throws {
        let hello = MessageDecoder.Event.message(.text, Data("Hello".utf8))
        var client = decoder()
        // One block, fragments, a shared window, no compression, a block marked as the last one, two blocks.
        for bytes in [
            "c107f248cdc9c90700", "4103f248cd 8004c9c90700", "c105f200110000", "c10b000500faff48656c6c6f00",
            "c108f348cdc9c9070000", "c10df248050000 00ffffcac9c90700",
        ] {
            #expect(try client.events(of: hex(bytes)).assembled == [hello], "\(bytes)")
        }
    }

    @Test("compressed messages are decompressed with every window", arguments: 8...15, [true, false])
    func roundTrips(bits: Int, keepsContext: Bool) throws {
        let deflater = MessageDeflater(windowBits: bits, keepsContext: keepsContext)
        var client = decoder(bits, keepsContext: keepsContext)
        for length in [0, 1, 5, 300, 70_000, 0, 5] {
            let text = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3 & 0x1F) })
            let payload = try #require(deflater.compress(text, isLast: true))
            let events = try client.events(of: serverFrame(.binary, payload, isCompressed: true), inPiecesOf: 1000)
            #expect(events.assembled == [.message(.binary, text)])
        }
    }

    @Test(
        "a distance beyond the negotiated window is decompressed or refused, and never read as other bytes",
        arguments: [9, 12, 15])
    func distanceBeyondWindow(bits: Int) throws {
        // A block refers 32,000 bytes back: only a window of 15 bits holds them.
        let text = Data(
            (0..<40_000).map { index in
                let mixed = UInt64(index % 32_000) &* 0x9E37_79B9_7F4A_7C15
                return UInt8(truncatingIfNeeded: (mixed ^ mixed >> 29) >> 32)
            })
        let payload = try #require(MessageDeflater(windowBits: 15, keepsContext: true).compress(text, isLast: true))
        #expect(payload.count < 36_000, "the repetition is referred to")
        for length in [1, 100, payload.count] {
            var client = decoder(bits)
            do {
                let frame = serverFrame(.binary, payload, isCompressed: true)
                #expect(try client.events(of: frame, inPiecesOf: length).assembled == [.message(.binary, text)])
            } catch {
                #expect(bits < 15 && error.closeCode == 1007, "\(error)")
            }
        }
    }

    @Test("distances beyond the window give the same message or a refusal for all cuts")
    func distanceDependsOnCuts() throws {
        let bytes = try #require(Data(base64Encoded: "QmgKKSkpLCkp9tYYGBgYGDgYGBgYGBhBAEfWKg=="))
        for bits in 8...15 {
            guard let one = read(bytes, bits, inPiecesOf: 1), let other = read(bytes, bits, inPiecesOf: bytes.count)
            else { continue }
            #expect(one == other)
        }
    }

    /// The messages in the bytes; `nil` for a refusal.
    private func read(_ bytes: Data, _ bits: Int, inPiecesOf length: Int) -> [MessageDecoder.Event]? {
        var client = decoder(bits)
        do {
            return try client.events(of: bytes, inPiecesOf: length).assembled
        } catch {
            return nil
        }
    }

    @Test("a message is compressed in pieces")
    func pieces() throws {
        let deflater = MessageDeflater(windowBits: 15, keepsContext: true)
        let first = try #require(deflater.compress(Data("Hello, ".utf8), isLast: false))
        let last = try #require(deflater.compress(Data(), isLast: true))
        var client = decoder()
        let events = try client.events(
            of: serverFrame(.text, first, isFinal: false, isCompressed: true) + serverFrame(.continuation, last))
        #expect(events.assembled == [.message(.text, Data("Hello, ".utf8))])
    }

    @Test("a message that expands a thousandfold is delivered in bounded pieces")
    func bomb() throws {
        let deflater = MessageDeflater(windowBits: 15, keepsContext: true, level: 9)
        let payload = try #require(deflater.compress(Data(count: 16 << 20), isLast: true))
        #expect(payload.count < 20_000)
        var client = decoder()
        client.receive(serverFrame(.binary, payload, isCompressed: true))
        var total = 0
        while let event = try client.next() {
            guard case .piece(let data) = event else { continue }
            #expect(data.count <= MessageInflater.pieceLength)
            total += data.count
        }
        #expect(total == 16 << 20)
    }

    @Test("malformed DEFLATE is rejected (RFC 7692 §7.2.2)")
    func corrupt() {
        var client = decoder()
        let error = #expect(throws: ProtocolViolation.self) { try client.events(of: hex("c104ffffffff")) }
        #expect(error?.closeCode == 1007)
    }

    @Test(
        "a truncated message is rejected, wherever it is cut (RFC 7692 §7.2.2)",
        arguments: ["c105f248cdc9c9", "c103f248cd", "4103f248cd 8002c9c9", "c100", "c107f348cdc9c90700"])
    func truncated(digits: String) {
        for length in [1, 3, 100] {
            var client = decoder()
            let error = #expect(throws: ProtocolViolation.self) {
                try client.events(of: hex(digits), inPiecesOf: length)
            }
            #expect(error?.closeCode == 1007 && error?.section == "RFC 7692 §7.2.2")
        }
    }

    @Test("an empty message, and one that ends with a block marked as the last, are whole", arguments: ["00", "01"])
    func emptyBlocks(digits: String) throws {
        var client = decoder()
        for _ in 0..<2 {
            let events = try client.events(of: serverFrame(.binary, hex(digits), isCompressed: true))
            #expect(events.assembled == [.message(.binary, Data())])
        }
    }

    @Test("RSV1 on a continuation or a control frame is rejected (RFC 7692 §6.1)", arguments: ["4100 c000", "c900"])
    func reservedBit(digits: String) {
        var client = decoder()
        let error = #expect(throws: ProtocolViolation.self) { try client.events(of: hex(digits)) }
        #expect(error?.section == "RFC 7692 §6.1")
    }

    @Test("a compressed text is validated as it expands")
    func compressedText() throws {
        let deflater = MessageDeflater(windowBits: 15, keepsContext: true)
        let payload = try #require(deflater.compress(hex("4142ff"), isLast: true))
        var client = decoder()
        #expect(throws: ProtocolViolation.self) {
            try client.events(of: serverFrame(.text, payload, isCompressed: true))
        }
    }

    @Test("output from before a fault is returned first for all cuts (RFC 7692 §7.2.2)")
    func faultAfterOutput() throws {
        let inflater = MessageInflater(windowBits: 15, keepsContext: true)
        inflater.append(hex("9a72fc3a723a02"))
        #expect(try inflater.next()?.isEmpty == false)
        #expect(throws: ProtocolViolation.self) { try inflater.next() }
        #expect(throws: ProtocolViolation.self) { try inflater.next() }
    }
}
