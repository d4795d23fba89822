public import FoundationEssentials

/// The server's end of a stream that a request was upgraded to; see ``Reply/upgrade(to:headers:_:)``.
///
/// Each direction has at most one caller at a time. Waiting takes no real time: the mock's clock advances meanwhile.
public final class MockStreamPeer: Sendable {
    private let incoming: MockPipe
    private let outgoing: MockPipe

    init(incoming: MockPipe, outgoing: MockPipe) {
        self.incoming = incoming
        self.outgoing = outgoing
    }

    /// The next bytes from the client, or `nil` once it has ended its direction.
    ///
    /// - Throws: `CancellationError` when the client has closed the stream.
    public func read() async throws -> Data? {
        do {
            return try await incoming.read()
        } catch is MockPipeFailure {
            throw CancellationError()
        }
    }

    /// Sends `data`; returns once there was room for all of it.
    ///
    /// - Throws: `CancellationError` when the client has closed the stream.
    public func write(_ data: Data) async throws {
        do {
            try await outgoing.write(data)
        } catch is MockPipeFailure {
            throw CancellationError()
        }
    }

    /// Sends a string in UTF-8.
    ///
    /// - Throws: `CancellationError` when the client has closed the stream.
    public func write(_ text: String) async throws { try await write(Data(text.utf8)) }

    /// Ends our direction; the client's stays open.
    public func finishWriting() { outgoing.end(.finished) }
}
