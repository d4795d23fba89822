import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import Glibc
import Testing

@Suite("tunnels over HTTP/2 (RFC 8441)", .timeLimit(.minutes(1)))
struct Tunnels {
    @Test("a cancelled task does not wait for room to finish writing")
    func cancelledFinish() async throws {
        let isCancelled = Signal()
        let server = try ScriptedServer { connection in
            // A window of 10 bytes.
            try connection.beginHTTP2([(4, 10), (8, 1)])
            let stream = try connection.readFrame(1).stream
            try connection.send([.ok(stream: stream)])
            _ = try connection.readFrame(0)
            isCancelled.wait()
            // A task that ignores its cancellation succeeds once the window opens.
            usleep(1_000_000)
            try? connection.send([.windowUpdate(1_000, stream: stream)])
            connection.waitForEnd()
        }
        let request = TransportRequest.http2(server, "/chat").with { $0.upgrade = .webSocket }
        let transport = SocketTransport()
        let stream = try #require(try await transport.send(request).stream)
        try await stream.write(Data(repeating: 1, count: 100))
        let task = Task { try await stream.finishWriting() }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        isCancelled.raise()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        stream.close()
    }

    @Test("finishing waits until the last bytes are sent, even if bytes of the server have not been read")
    func finishBesideUnreadBytes() async throws {
        let isWhole = Signal()
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2([(4, 10), (8, 1)])
            let stream = try connection.readFrame(1).stream
            // In one write, so that the bytes have arrived when the head is returned.
            try connection.send([.ok(stream: stream), .data("hello", stream: stream)])
            guard try connection.readFrame(0).payload.count == 10 else { throw PeerFault(description: "no room used") }
            // A client that is still writing receives the PING before its tunnel ends.
            try connection.send([.ping])
            var frame = try connection.readFrame()
            while frame.type != 6 {
                guard frame.type != 3 else { throw PeerFault(description: "the tunnel was reset") }
                frame = try connection.readFrame()
            }
            try connection.send([.windowUpdate(90, stream: stream)])
            frame = try connection.readFrame(0)
            guard frame.payload.count == 90, frame.flags & HTTP2Frame.endStream != 0 else {
                throw PeerFault(description: "not the last bytes: \(frame)")
            }
            isWhole.raise()
            connection.waitForEnd()
        }
        let request = TransportRequest.http2(server, "/chat").with { $0.upgrade = .webSocket }
        let transport = SocketTransport()
        let stream = try #require(try await transport.send(request).stream)
        try await stream.write(Data(repeating: 1, count: 100))
        try await stream.finishWriting()
        stream.close()
        try await eventually("the end of the tunnel") { isWhole.isUp || !server.failures.isEmpty }
        #expect(server.failures == [])
    }

    @Test("closing a tunnel ends a wait for room to finish writing")
    func closedDuringFinish() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2([(4, 10), (8, 1)])
            let stream = try connection.readFrame(1).stream
            try connection.send([.ok(stream: stream)])
            connection.waitForEnd()
        }
        let request = TransportRequest.http2(server, "/chat").with { $0.upgrade = .webSocket }
        let transport = SocketTransport()
        let stream = try #require(try await transport.send(request).stream)
        try await stream.write(Data(repeating: 1, count: 100))
        let task = Task { try await stream.finishWriting() }
        try await Task.sleep(for: .milliseconds(50))
        stream.close()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}
