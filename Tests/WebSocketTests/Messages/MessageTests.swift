import AirframeCore
import AirframeMock
import AirframeTestSupport
import AirframeWebSocket
import Foundation
import HTTPTypes
import Testing

@Suite("Messages", .timeLimit(.minutes(1)))
struct MessageTests {
    @Test("texts and binary messages are echoed, including empty ones")
    func echoes() async throws {
        let open = try await OpenSocket(serve: echo)
        var messages = open.socket.messages.makeAsyncIterator()
        try await open.socket.send("héllo")
        #expect(try await messages.next() == .string("héllo"))
        try await open.socket.send(Data([0, 1, 2]))
        #expect(try await messages.next() == .data(Data([0, 1, 2])))
        try await open.socket.send(.string(""))
        #expect(try await messages.next() == .string(""))
        await open.socket.close()
        #expect(try await messages.next() == nil)
        #expect(open.socket.closeCode == .normalClosure)
    }

    @Test("the handshake has the fields of RFC 6455 §4.1")
    func handshake() async throws {
        let open = try await OpenSocket(
            .init(protocols: ["chat", "talk"], compression: .standard), protocol: "talk", serve: echo)
        let head = try #require(open.mock.lastRequest?.head)
        #expect(head.scheme == "http")
        #expect(head.headerFields[.secWebSocketVersion] == "13")
        #expect(head.headerFields[.secWebSocketProtocol] == "chat, talk")
        #expect(head.headerFields[.secWebSocketExtensions] == "permessage-deflate; client_max_window_bits")
        #expect(head.headerFields[.upgrade] == "websocket")
        #expect(Data(base64Encoded: try #require(head.headerFields[.secWebSocketKey]))?.count == 16)
        #expect(open.socket.protocol == "talk")
        #expect(open.socket.extensions == nil)
        #expect(open.socket.response.statusCode == 101)
    }

    @Test("fragments are assembled, and pings between them are answered")
    func fragments() async throws {
        let open = try await OpenSocket { client in
            try await client.send("one ", "two ", "three")
            try await client.ping(Data("p".utf8))
            #expect(try await client.nextEvent() == .pong(Data("p".utf8)))
            try await client.send("answered")
        }
        var messages = open.socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("one two three"))
        #expect(try await messages.next() == .string("answered"))
        #expect(try await messages.next() == nil)
        #expect(open.socket.closeCode == .normalClosure)
    }

    @Test("values are decoded; a failure ends the sequence and not the connection")
    func decodes() async throws {
        let open = try await OpenSocket { client in
            try await client.send("[1,2]")
            try await client.send("no JSON")
            try await echo(client)
        }
        var values = open.socket.messages(of: [Int].self).makeAsyncIterator()
        #expect(try await values.next() == [1, 2])
        let error = await #expect(throws: WebSocketError.self) { try await values.next() }
        #expect(error?.code == .decodingFailed)
        try await open.socket.send("still here")
        var messages = open.socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("still here"))
    }

    @Test("a message is sent in pieces, and other messages wait for its end")
    func sendsPieces() async throws {
        let open = try await OpenSocket(serve: echo)
        let (pieces, continuation) = AsyncStream<String>.makeStream()
        let socket = open.socket
        async let sent: Void = socket.send(textPieces: pieces)
        continuation.yield("one ")
        continuation.yield("two")
        continuation.finish()
        try await sent
        try await socket.send("three")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("one two"))
        #expect(try await messages.next() == .string("three"))
    }

    @Test("a text message that arrives whole has indices from 0 as a piece")
    func rebasesPieces() async throws {
        let open = try await OpenSocket { client in try await client.send("a text of one frame") }
        var pieces: [Data] = []
        for try await message in open.socket.incomingMessages {
            for try await piece in message { pieces.append(piece) }
        }
        #expect(pieces == [Data("a text of one frame".utf8)])
        #expect(pieces.allSatisfy { $0.startIndex == 0 })
    }

    @Test("a message is read in pieces, and its unread rest is skipped")
    func readsPieces() async throws {
        let open = try await OpenSocket { client in
            try await client.send("a", "bc", "d")
            try await client.send("skipped", " and more")
            try await client.send(Data("last".utf8))
        }
        var kinds: [WebSocket.IncomingMessage.Kind] = []
        var texts: [String] = []
        for try await message in open.socket.incomingMessages {
            kinds.append(message.kind)
            if kinds.count == 2 { continue }
            var data = Data()
            for try await chunk in message { data += chunk }
            texts.append(String(decoding: data, as: UTF8.self))
        }
        #expect(kinds == [.text, .text, .binary])
        #expect(texts == ["abcd", "last"])
    }

    @Test("a message above the limit ends the connection with 1009", arguments: [true, false])
    func tooBig(isFragmented: Bool) async throws {
        let closed = Diary()
        let open = try await OpenSocket(.init(maximumMessageSize: 10)) { client in
            if isFragmented { try await client.send("123456", "78901") } else { try await client.send("12345678901") }
            while let event = try await client.nextEvent() {
                if case .close(let code, _) = event { await closed.note("\(code ?? 0)") }
            }
        }
        var messages = open.socket.messages.makeAsyncIterator()
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(error?.code == .messageTooBig && error?.closeCode == .messageTooBig)
        await open.socket.close()
        try await eventually("the Close frame") { await !closed.entries.isEmpty }
        #expect(await closed.entries == ["1009"])
    }

    @Test("messages and pongs are read without a buffer, too", arguments: [0, -1])
    func noBuffer(size: Int) async throws {
        var configuration = WebSocket.Configuration()
        configuration.maximumBufferedSize = size
        let open = try await OpenSocket(configuration, serve: echo)
        #expect(try await open.socket.ping() >= .zero)
        try await open.socket.send("read")
        var messages = open.socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("read"))
    }

    @Test("the error of a violation names the section, and the Close frame has its code (RFC 6455 §7.1.7)")
    func violation() async throws {
        let open = try await OpenSocket { client in
            try await client.write(Data([0x83, 0x00]))
            _ = try await client.nextEvent()
        }
        var messages = open.socket.messages.makeAsyncIterator()
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(
            error?.description == "WebSocket with api.test:80 failed: a frame has the reserved opcode 3 (RFC 6455 §5.2)"
        )
        await #expect(throws: WebSocketError.self) { try await open.socket.send("late") }
    }

    @Test("concurrent tasks send and ping, and messages in pieces stay intact")
    func manySenders() async throws {
        let open = try await OpenSocket(.init(compression: .standard), serve: echo)
        let socket = open.socket
        let received = Task {
            var texts: Set<String> = []
            for try await message in socket.messages {
                guard case .string(let text) = message else { continue }
                texts.insert(text)
                if texts.count == 400 { break }
            }
            return texts
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<20 {
                group.addTask {
                    for round in 0..<20 {
                        let (pieces, continuation) = AsyncStream<String>.makeStream()
                        for piece in ["\(task)", "-", "\(round)"] { continuation.yield(piece) }
                        continuation.finish()
                        if round % 2 == 0 {
                            try await socket.send(textPieces: pieces)
                        } else {
                            try await socket.send("\(task)-\(round)")
                        }
                        if round % 7 == 0 { _ = try await socket.ping() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let expected = (0..<20).flatMap { task in (0..<20).map { "\(task)-\($0)" } }
        #expect(try await received.value == Set(expected))
        await socket.close()
    }
}
