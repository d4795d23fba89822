import AirframeConformance
import AirframeCore
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import AirframeWebSocket
import AirframeWebSocketProtocol
import Foundation
import Testing

/// `make endure` opens 10,000 connections; `make test` 600.
@Suite("WebSockets to a server with random faults", .serialized, .timeLimit(.minutes(10)))
struct StormTests {
    /// The server's behaviour on a connection.
    enum Fault: Int, CaseIterable, Sendable {
        case none, slow, resetBeforeResponse, cutHead, wrongAccept, status, resetAfterHandshake, cutFrame, garbage,
            noClose,
            invalidText, maskedFrame, closeCode

        /// Whether the echo arrives all the same.
        var isHarmless: Bool { self == .none || self == .slow }
    }

    private static let message = String(repeating: "x", count: 300)

    @Test("every connection ends in time, no fault looks like an echo, and no connection is left open")
    func storm() async throws {
        let count = ProcessInfo.processInfo.environment["AIRFRAME_WEBSOCKET_STORM"].flatMap { Int($0) } ?? 600
        let server = try ScriptedServer { try Self.serve($0) }
        defer { server.stop() }
        let transport = SocketTransport()
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        let session = Session(composed: transport, configuration: configuration)
        let descriptors = ProcessResources.descriptorCount
        let url = server.origin
        var generator = SystemRandomNumberGenerator()
        let faults = (0..<count).map { _ in Fault.allCases.randomElement(using: &generator) ?? .none }
        let wrong = try await withThrowingTaskGroup(of: String?.self) { group in
            var wrong: [String] = []
            for (index, fault) in faults.enumerated() {
                if index >= 32, let defect = try await group.next() ?? nil { wrong.append(defect) }
                group.addTask {
                    let isEchoed = await Self.echo("\(url)/\(fault.rawValue)", in: session)
                    return isEchoed == fault.isHarmless ? nil : "\(fault): echoed \(isEchoed)"
                }
            }
            for try await case let defect? in group { wrong.append(defect) }
            return wrong
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(count): \(wrong.prefix(5))")
        await transport.shutdown()
        #expect(transport.statistics.connectionCount == 0)
        // The server's ends close a moment later.
        let deadline = ContinuousClock.now.advanced(by: .seconds(10))
        while ProcessResources.descriptorCount > descriptors + 8, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(ProcessResources.descriptorCount <= descriptors + 8)
    }

    /// Sends a message and reads to the end of the connection.
    ///
    /// - Returns: Whether the connection brought the echo alone, and an orderly close.
    private static func echo(_ url: String, in session: Session) async -> Bool {
        guard let socket = try? await session.webSocket(url) else { return false }
        var received: [WebSocket.Message] = []
        do {
            try await socket.send(message)
            for try await message in socket.messages { received.append(message) }
        } catch {
            return false
        }
        return received == [.string(message)] && socket.closeCode == .normalClosure
    }

    private static func serve(_ connection: ScriptedConnection) throws {
        let lines = try connection.readHead().components(separatedBy: "\r\n")
        let number = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0.dropFirst()) } ?? 0
        let fault = Fault(rawValue: number) ?? .none
        let key = lines.first { $0.lowercased().hasPrefix("sec-websocket-key:") }?.dropFirst(18) ?? ""
        let accept = HandshakeKey(key.trimmingCharacters(in: .whitespaces)).accept
        let head =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        switch fault {
        case .resetBeforeResponse: return connection.reset()
        case .cutHead: return try connection.send(head)
        case .wrongAccept: return try connection.send(head + "AAAA\r\n\r\n")
        case .status: return try connection.send("HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\n\r\n")
        default: try connection.send(head + accept + "\r\n\r\n")
        }
        // A frame of 300 bytes by a client: a head of 4 bytes, a mask of 4.
        _ = try connection.read(8 + message.utf8.count)
        let echo = serverFrame(.text, message)
        let close = serverFrame(.close, Data([0x03, 0xE8]))
        switch fault {
        case .resetAfterHandshake: return connection.reset()
        case .cutFrame: try connection.send(Array(echo.prefix(Int.random(in: 1..<echo.count))))
        case .garbage: try connection.send((0..<200).map { _ in UInt8.random(in: 0...255) })
        case .noClose: try connection.send(Array(echo))
        case .invalidText: try connection.send(Array(serverFrame(.text, Data([0x41, 0xFF])) + close))
        case .maskedFrame: try connection.send([0x81, 0x81, 1, 2, 3, 4, 0x40])
        case .closeCode: try connection.send(Array(echo + serverFrame(.close, Data([0x03, 0xF3]))))
        case .slow:
            for byte in echo.prefix(20) {
                try connection.send([byte])
                connection.pause(.milliseconds(1))
            }
            try connection.send(Array(echo.dropFirst(20) + close))
        default: try connection.send(Array(echo + close))
        }
        switch fault {
        case .cutFrame, .garbage, .noClose: connection.close()
        // The client answers with its Close frame, and the server closes the connection first (RFC 6455 §7.1.1).
        default: _ = try? connection.readSome()
        }
    }
}
