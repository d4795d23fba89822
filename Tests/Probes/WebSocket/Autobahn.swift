import AirframeCore
import AirframeTransport
import AirframeWebSocket
import Foundation

/// Plays cases of Autobahn's fuzzing server: each is a connection on which all messages are echoed.
func playAutobahn(_ origin: String, isSlow: Bool, _ cases: [String]) async throws {
    let session = makeSession { isSlow ? ByteTransport(engine: $0) : $0 }
    let agent = isSlow ? "bytes" : "whole"
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, name) in cases.enumerated() {
            if index >= 8 { try await group.next() }
            group.addTask {
                try await play("\(origin)/runCase?casetuple=\(name)&agent=\(agent)", in: session)
            }
        }
        try await group.waitForAll()
    }
    try await play("\(origin)/updateReports?agent=\(agent)", in: session)
}

private func play(_ url: String, in session: Session) async throws {
    let configuration = WebSocket.Configuration(compression: .standard, maximumMessageSize: 64 << 20)
    let socket = try await session.webSocket(url, configuration: configuration)
    do {
        for try await message in socket.messages { try await socket.send(message) }
    } catch is WebSocketError {
        // Most cases break rules: the server checks how the client responds.
    }
    await socket.close()
}

/// An engine whose streams bring one byte at a time.
struct ByteTransport: Transport {
    let engine: any Transport

    var capabilities: TransportCapabilities { engine.capabilities }
    var clock: any TransportClock { engine.clock }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var response = try await engine.send(request)
        if let stream = response.stream { response.stream = ByteStream(stream) }
        return response
    }
}

/// A stream that brings one byte at a time. One task at a time reads.
///
/// `@unchecked Sendable`: its state is confined to the one reader.
final class ByteStream: DuplexStream, @unchecked Sendable {
    private let stream: any DuplexStream
    private var rest = Data()
    private var count = 0

    init(_ stream: any DuplexStream) { self.stream = stream }

    func read() async throws(TransportError) -> Data? {
        if rest.isEmpty {
            guard let data = try await stream.read() else { return nil }
            rest = data
        }
        count += 1
        // The cases of the server run side by side, and its time limits are short.
        if count.isMultiple(of: 1024) { await Task.yield() }
        defer { rest = rest.dropFirst() }
        return Data(rest.prefix(1))
    }

    func write(_ data: Data) async throws(TransportError) { try await stream.write(data) }
    func finishWriting() async throws(TransportError) { try await stream.finishWriting() }
    func close() { stream.close() }
}
