import AirframeCore
import AirframeWebSocket
import Foundation

/// Sends a message and waits for its echo, again and again.
func echoMany(_ url: String, _ count: Int) async throws {
    let session = makeSession()
    let socket = try await session.webSocket(url)
    var messages = socket.messages.makeAsyncIterator()
    let text = String(repeating: "x", count: 64)
    for round in 0..<count {
        if round == min(1000, count / 2) { print("before", memory("VmRSS")) }
        try await socket.send(text)
        guard try await messages.next() == .string(text) else { throw EchoMissing(round: round) }
    }
    print("after", memory("VmRSS"))
    await socket.close()
}

/// Sends one message in pieces of 64 KiB while its echo is read in pieces.
func streamLarge(_ url: String, _ mebibytes: Int) async throws {
    let session = makeSession()
    let socket = try await session.webSocket(url)
    let piece = Data((0..<65536).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let (pieces, total) = (mebibytes * 16, mebibytes << 20)
    async let sent: Void = socket.send(dataPieces: Repetition(piece: piece, count: pieces))
    var received = 0
    for try await message in socket.incomingMessages {
        for try await chunk in message { received += chunk.count }
        break
    }
    try await sent
    guard received == total else { throw EchoMissing(round: received) }
    print("peak", memory("VmHWM"))
    await socket.close()
}

struct EchoMissing: Error { let round: Int }

/// The same piece a number of times.
struct Repetition: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let piece: Data
    var count: Int

    func makeAsyncIterator() -> Self { self }

    mutating func next() async -> Data? {
        guard count > 0 else { return nil }
        count -= 1
        return piece
    }
}

/// A line of the process's status, in KiB.
func memory(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
}

/// Opens sockets, and prints the resident memory that each holds while nothing is sent, in bytes.
func holdIdle(_ url: String, _ count: Int) async throws {
    let session = makeSession()
    // Pools and the allocator find their size first.
    var sockets: [WebSocket] = []
    for _ in 0..<100 { sockets.append(try await session.webSocket(url)) }
    let before = memory("VmRSS")
    for _ in 0..<count { sockets.append(try await session.webSocket(url)) }
    print("idle", (memory("VmRSS") - before) * 1024 / max(1, count))
    await withTaskGroup(of: Void.self) { group in
        for socket in sockets { group.addTask { await socket.close() } }
    }
}
