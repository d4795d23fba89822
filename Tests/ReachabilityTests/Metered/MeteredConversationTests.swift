import AirframeReachability
import Testing

@Suite("The conversation with the bus", .timeLimit(.minutes(1)))
struct MeteredConversationTests {
    private let builder = DBusBuilder()

    private func begun(_ answer: String = "OK 0123456789abcdef\r\n") throws -> MeteredConversation {
        var talk = MeteredConversation(userID: 1000)
        try talk.receive(answer.utf8)
        return talk
    }

    private func complete(_ builder: DBusBuilder = DBusBuilder()) throws -> MeteredConversation {
        var talk = try begun()
        for message in builder.talk { try talk.receive(message) }
        return talk
    }

    @Test("signs in as the user that the process runs as, and begins once that is accepted")
    func signIn() throws {
        var talk = MeteredConversation(userID: 1000)
        #expect(talk.outgoing == [0] + Array("AUTH EXTERNAL 31303030\r\n".utf8))
        talk.outgoing = []
        try talk.receive("OK 0123".utf8)
        #expect(talk.outgoing.isEmpty)
        try talk.receive("\r\n".utf8)
        #expect(talk.outgoing.starts(with: "BEGIN\r\nl".utf8))
        #expect(!talk.isComplete)
    }

    @Test("reads the devices' names and metered states, in either byte order", arguments: [false, true])
    func answers(isBigEndian: Bool) throws {
        let talk = try complete(DBusBuilder(isBigEndian: isBigEndian))
        #expect(talk.isComplete)
        #expect(talk.table.interfaces == ["eth0": .yes, "ttyUSB0": .guessYes, "ppp0": .guessYes])
        #expect(talk.table.general == .guessNo)
    }

    @Test("the result does not depend on where the bytes are split")
    func pieces() throws {
        var talk = try begun()
        for byte in builder.talk.flatMap(\.self) { try talk.receive([byte]) }
        #expect(try talk.table == complete().table && talk.isComplete)
    }

    @Test("its calls parse")
    func questions() throws {
        let talk = try begun()
        var bytes = Array(talk.outgoing[(talk.outgoing.firstRange(of: "BEGIN\r\n".utf8)?.upperBound ?? 0)...])
        var members: [String] = []
        while let length = try DBusMessage.length(bytes.span.bytes) {
            members.append(try DBusMessage.parse(bytes.span.bytes.extracting(0..<length)).member ?? "")
            bytes.removeFirst(length)
        }
        #expect(members == ["Hello", "AddMatch", "AddMatch", "AddMatch", "GetNameOwner"])
    }

    @Test("follows only NetworkManager's changes")
    func changes() throws {
        var talk = try complete()
        try talk.receive(builder.change(of: 1, metered: 2))
        #expect(talk.table.interfaces["eth0"] == .no)
        try talk.receive(builder.change(of: 1, metered: 1, from: ":1.66"))
        try talk.receive(builder.change(of: 33, metered: 1))
        #expect(talk.table.interfaces["eth0"] == .no)
        try talk.receive(builder.change(of: 1, metered: 77))
        #expect(talk.table.interfaces["eth0"] == .unknown)
    }

    @Test("accepts answers only from the service that it asked")
    func forgedAnswers() throws {
        var talk = try begun()
        for message in builder.talk.prefix(6) { try talk.receive(message) }
        try talk.receive(builder.reply(to: 7, from: ":1.66", "v", builder.variant("u", builder.number(1))))
        #expect(talk.table.general == .unknown)
        try talk.receive(builder.talk[6])
        #expect(talk.table.general == .guessNo)
    }

    @Test("discards all values when NetworkManager ends, and asks again when it starts")
    func owner() throws {
        var talk = try complete()
        talk.outgoing = []
        try talk.receive(builder.ownerChange(to: ""))
        #expect(talk.table == MeteredTable() && talk.isComplete && talk.outgoing.isEmpty)
        try talk.receive(builder.ownerChange(to: ":1.9"))
        #expect(!talk.isComplete && !talk.outgoing.isEmpty)
    }

    @Test("completes without NetworkManager")
    func noManager() throws {
        var talk = try begun()
        for message in builder.talk.prefix(4) { try talk.receive(message) }
        let bus = "org.freedesktop.DBus"
        try talk.receive(builder.reply(to: 5, from: bus, kind: 3, "s", builder.text("no such name")))
        #expect(talk.isComplete && talk.table == MeteredTable())
    }

    @Test(
        "ends at a bus that refuses, or is none",
        arguments: ["REJECTED EXTERNAL\r\n", "ERROR\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "\n"]
    )
    func refused(answer: String) { #expect(throws: MalformedDBus.self) { try begun(answer) } }

    @Test("fails for an endless line and for a message that is too long")
    func endless() throws {
        #expect(throws: MalformedDBus.self) { try begun(String(repeating: "O", count: 2000)) }
        var talk = try begun()
        let header = [UInt8(ascii: "l"), 2, 0, 1] + builder.number(2 << 20) + builder.number(1) + builder.number(8)
        #expect(throws: MalformedDBus.self) { try talk.receive(header) }
    }
}

@Suite("The parser of D-Bus messages", .timeLimit(.minutes(1)))
struct DBusParserTests {
    private let builder = DBusBuilder()

    private func parse(_ bytes: [UInt8]) throws -> DBusMessage { try DBusMessage.parse(bytes.span.bytes) }

    @Test("reads values of every type")
    func everyType() throws {
        let types: [(String, [UInt8], DBusValue)] = [
            ("y", [7], .byte(7)), ("b", builder.number(1), .bool(true)), ("n", [0xFE, 0xFF], .integer(-2)),
            ("q", [2, 0], .unsigned(2)), ("i", builder.number(.max), .integer(-1)),
            ("u", builder.number(9), .unsigned(9)), ("x", Array(repeating: 0xFF, count: 8), .integer(-1)),
            ("t", [1, 0, 0, 0, 0, 0, 0, 1], .unsigned(1 << 56 + 1)), ("s", builder.text("ä"), .text("ä")),
            ("g", builder.signature("a{sv}"), .text("a{sv}")),
            ("ay", builder.number(2) + [1, 2], .array([.byte(1), .byte(2)])), ("aai", builder.number(0), .array([])),
            ("(yu)", [1, 0, 0, 0] + builder.number(5), .structure([.byte(1), .unsigned(5)])),
            ("v", builder.variant("u", builder.number(3)), .variant(.unsigned(3))),
        ]
        for (signature, body, value) in types {
            let message = try parse(builder.reply(to: 1, from: ":1.1", signature, body))
            #expect(message.body == [value] && message.sender == ":1.1" && message.replySerial == 1, "\(signature)")
        }
    }

    @Test(
        "rejects values that do not fit its type",
        arguments: [
            ("u", [1, 2, 3]), ("b", [2, 0, 0, 0]), ("s", [9, 0, 0, 0, 65, 0]), ("s", [1, 0, 0, 0, 0xFF, 0]),
            ("s", [1, 0, 0, 0, 65, 65]), ("s", [0xFF, 0xFF, 0xFF, 0xFF, 0]), ("ai", [3, 0, 0, 0, 1, 0, 0]),
            ("ai", [6, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]), ("a", [0, 0, 0, 0]), ("z", [0]), ("(u", [0, 0, 0, 0]),
            ("()", []), ("v", [2, 117, 117, 0, 0, 0, 0, 0, 0, 0, 0, 0]), ("y", [1, 2]), ("a{", [0, 0, 0, 0]),
        ] as [(String, [UInt8])]
    )
    func malformed(signature: String, body: [UInt8]) {
        #expect(throws: MalformedDBus.self) { try parse(builder.reply(to: 1, from: ":1.1", signature, body)) }
    }

    @Test("refuses deeply nested values, in signatures and in variants")
    func nesting() {
        let arrays = String(repeating: "a", count: 200) + "y"
        let deep = builder.reply(to: 1, from: ":1.1", arrays, builder.number(0))
        #expect(throws: MalformedDBus.self) { try parse(deep) }
        let variants = Array(repeating: builder.signature("v"), count: 100).flatMap(\.self)
        #expect(throws: MalformedDBus.self) { try parse(builder.reply(to: 1, from: ":1.1", "v", variants)) }
    }

    @Test("refuses a truncated message")
    func cutOff() {
        for message in builder.talk {
            for count in 0..<message.count {
                #expect(throws: MalformedDBus.self) { try parse(Array(message.prefix(count))) }
            }
        }
    }

    @Test("bytes that are changed at random never trap, and the result does not depend on where they are split")
    func mutations() throws {
        var random = Random(state: 11)
        let talk = builder.talk + [builder.change(of: 1, metered: 2), builder.ownerChange(to: ":1.9")]
        for _ in 0..<2_000 {
            var bytes = talk.flatMap(\.self)
            for _ in 0...random.next(6) { bytes[random.next(bytes.count)] = UInt8(random.next(256)) }
            let cut = random.next(bytes.count)
            #expect(learned([bytes]) == learned([Array(bytes[..<cut]), Array(bytes[cut...])]))
        }
    }

    private func learned(_ pieces: [[UInt8]]) -> MeteredTable {
        var talk = MeteredConversation(userID: 0)
        for piece in [Array("OK 0\r\n".utf8)] + pieces {
            do { try talk.receive(piece) } catch { break }
        }
        return talk.table
    }
}
