import AirframeTestSupport
import Foundation
import Testing

@testable import AirframeRedis

@Suite("The Redis client", .timeLimit(.minutes(2)), .enabled(if: RedisServer.isExpected))
struct ClientTests {
    @Test("carries every kind of value")
    func values() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let bytes = Data((0...255).map(UInt8.init)) + Data(count: 100_000)
        #expect(try await client.send(RedisCommand("SET", "a", bytes)) == .status("OK"))
        #expect(try await client.send(RedisCommand("GET", "a")) == .data(bytes))
        #expect(try await client.send(RedisCommand("GET", "b")) == .null)
        #expect(try await client.send(RedisCommand("INCRBY", "n", -7)) == .integer(-7))
        let mixed = try await client.send(.script("return {1, 'x', {}, false}", keys: []))
        #expect(mixed == .array([.integer(1), .data(Data("x".utf8)), .array([]), .null]))
        await #expect(throws: RedisError.self) { try await client.send(RedisCommand("INCR", "a")) }
        // The connection stays open after an error.
        #expect(try await client.send(RedisCommand("PING")) == .status("PONG"))
    }

    @Test("returns its own reply to each of a thousand tasks")
    func pipelining() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let reply = try await client.send(RedisCommand("ECHO", "\(number)"))
                    #expect(reply.text == "\(number)")
                }
            }
            try await group.waitForAll()
        }
        let connections = try await client.send(RedisCommand("CLIENT", "LIST")).text ?? ""
        #expect(connections.split(separator: "\n").count == 1)
    }

    @Test("a command to a server that does not answer times out, and the next one is sent again")
    func timeout() async throws {
        let server = try await RedisServer()
        let limit = Duration.milliseconds(100)
        let client = try server.client(commandTimeout: limit)
        try await eventually("an answer") { (try? await client.send(RedisCommand("PING"))) != nil }
        server.suspend()
        var error = try await #require(throws: RedisError.self) { try await client.send(RedisCommand("SET", "a", "b")) }
        #expect(error.kind == .timeout)
        // During the pause after a failure, commands fail immediately with the same reason. The pauses double, so that
        // a busy machine sends one in time.
        var isImmediate = false
        while !isImmediate {
            let start = ContinuousClock.now
            let next = try await #require(throws: RedisError.self) { try await client.send(RedisCommand("GET", "a")) }
            isImmediate = ContinuousClock.now - start < limit / 2
            if isImmediate { #expect(next == error) }
            error = next
        }
        server.resume()
        try await eventually("an answer") { (try? await client.send(RedisCommand("SET", "a", "c"))) != nil }
        #expect(try await client.send(RedisCommand("GET", "a")).text == "c")
    }

    @Test("a cancelled task gets no reply, and the next one gets its own")
    func cancellation() async throws {
        let server = try await RedisServer()
        let (client, other) = (try server.client(), try server.client())
        // No element is pushed to this list before the task is cancelled.
        let waiter = Task { try await client.send(RedisCommand("BLPOP", "list", 0)) }
        try await eventually("the command") {
            try await other.send(RedisCommand("CLIENT", "LIST")).text?.contains("cmd=blpop") == true
        }
        waiter.cancel()
        let error = try await #require(throws: RedisError.self) { try await waiter.value }
        #expect(error.kind == .cancelled)
        _ = try await other.send(RedisCommand("RPUSH", "list", "late"))
        #expect(try await client.send(RedisCommand("PING")) == .status("PONG"))
        #expect(client.description == server.url + "?db=0")
    }

    @Test("without a server, commands fail immediately with an error that has the address")
    func refused() async throws {
        let client = try RedisClient(url: "unix:///nonexistent/socket")
        for _ in 0..<3 {
            let error = try await #require(throws: RedisError.self) { try await client.send(RedisCommand("PING")) }
            #expect(error.kind == .connection)
            #expect(error.description == "unix:///nonexistent/socket?db=0: No such file or directory")
        }
    }

    @Test("a name without an address is a failed connection that names it")
    func unknownName() async throws {
        let client = try RedisClient(url: "redis://no-such-host.invalid:1")
        let error = try await #require(throws: RedisError.self) { try await client.send(RedisCommand("PING")) }
        #expect(error.kind == .connection || error.kind == .timeout)
        #expect(error.description.hasPrefix("redis://no-such-host.invalid:1/0: "))
    }

    @Test("the client reconnects to a restarted server")
    func restart() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        _ = try await client.send(RedisCommand("PING"))
        server.stop()
        let error = try await #require(throws: RedisError.self) { try await client.send(RedisCommand("PING")) }
        #expect(error.kind == .connection)
        try await server.start()
        try await eventually("an answer") { (try? await client.send(RedisCommand("PING"))) != nil }
    }

    @Test("the queue of commands is bounded")
    func overload() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        _ = try await client.send(RedisCommand("PING"))
        let large = Data(count: RedisLoop.byteLimit / 2)
        await withTaskGroup(of: RedisError.Kind?.self) { group in
            server.suspend()
            for key in ["a", "b"] {
                group.addTask { await Self.kind { try await client.send(RedisCommand("SET", key, large)) } }
            }
            // Only a refused command ends while the server does not answer.
            let refused = await group.next() ?? nil
            #expect(refused == .overload)
            server.resume()
            let sent = await group.next() ?? RedisError.Kind.closed
            #expect(sent == nil)
        }
    }

    @Test("closing a client fails pending and later commands")
    func close() async throws {
        let server = try await RedisServer()
        let (client, other) = (try server.client(), try server.client())
        let waiter = Task { await Self.kind { try await client.send(RedisCommand("BLPOP", "list", 0)) } }
        try await eventually("the command") {
            try await other.send(RedisCommand("CLIENT", "LIST")).text?.contains("cmd=blpop") == true
        }
        client.close()
        #expect(await waiter.value == .closed)
        #expect(await Self.kind { try await client.send(RedisCommand("PING")) } == .closed)
    }

    private static func kind(_ body: () async throws -> RedisReply) async -> RedisError.Kind? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? RedisError)?.kind
        }
    }
}

@Suite("The Redis client with the peer", .timeLimit(.minutes(1)), .enabled(if: Peers.areExpected))
struct PeerTests {
    @Test(
        "signs in by password or as a user, over TCP and a Unix socket, in the database of the URL",
        arguments: [":secret", "airframe:open%3A%20sesame"], [0, 5])
    func credentials(credentials: String, database: Int) async throws {
        let peers = try Peers.required()
        let (port, socket) = (try peers.port("redis"), try peers.path("redisSocket"))
        for url in [
            "redis://\(credentials)@127.0.0.1:\(port)/\(database)",
            "redis://\(credentials)@localhost:\(port)/\(database)",
            "unix://\(credentials)@\(socket)?db=\(database)",
        ] {
            let client = try RedisServer.client(of: url)
            let information = try await client.send(RedisCommand("CLIENT", "INFO")).text ?? ""
            #expect(information.contains("db=\(database) "))
            #expect(information.contains(credentials.hasPrefix(":") ? "user=default" : "user=airframe"))
        }
    }

    @Test("a wrong password or database fails the connection with the server's message")
    func refused() async throws {
        let port = try Peers.required().port("redis")
        for (url, words) in [
            ("redis://:wrong@127.0.0.1:\(port)", "WRONGPASS"), ("redis://:secret@127.0.0.1:\(port)/99", "out of range"),
        ] {
            let client = try RedisServer.client(of: url)
            let error = try await #require(throws: RedisError.self) { try await client.send(RedisCommand("PING")) }
            #expect(error.kind == .connection)
            #expect(error.description.contains(words))
            #expect(!error.description.contains("wrong@") && !error.description.contains("secret"))
        }
    }
}
