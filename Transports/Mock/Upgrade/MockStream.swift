internal import AirframeTransport
internal import FoundationEssentials
internal import Synchronization

/// The client's end of a stream that an exchange turned into, and the task that plays the server's.
final class MockStream: DuplexStream {
    private let incoming: MockPipe
    private let outgoing: MockPipe
    private let exchange: Exchange
    private let server: Task<Void, Never>
    // Guards whether the stream was closed at this end.
    private let isClosed = Mutex(false)

    init(_ exchange: Exchange, _ serve: @escaping Reply.StreamHandler) {
        self.exchange = exchange
        let clock = exchange.clock
        let (incoming, outgoing) = (MockPipe(clock), MockPipe(clock))
        self.incoming = incoming
        self.outgoing = outgoing
        let activity = clock.makeActivity()
        clock.begin(activity, within: nil)
        let origin = exchange.origin
        server = Task {
            await Activity.$current.withValue(activity) {
                do {
                    try await serve(MockStreamPeer(incoming: outgoing, outgoing: incoming))
                    incoming.end(.finished)
                    outgoing.end(.closed)
                } catch {
                    let failure = Self.failure(error, origin)
                    incoming.end(.broken(failure))
                    outgoing.end(.broken(failure))
                }
            }
            clock.remove(activity)
        }
    }

    deinit { close() }

    func read() async throws(TransportError) -> Data? {
        do {
            return try await incoming.read()
        } catch {
            throw transportError(error, .responseBody)
        }
    }

    func write(_ data: Data) async throws(TransportError) {
        do {
            try await outgoing.write(data)
        } catch {
            throw transportError(error, .requestBody)
        }
    }

    func finishWriting() async throws(TransportError) { outgoing.end(.finished) }

    func close() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        incoming.end(.closed)
        outgoing.end(.closed)
        server.cancel()
        exchange.finish(closingBecause: "it has left HTTP")
    }

    private func transportError(_ error: any Error, _ phase: TransportPhase) -> TransportError {
        guard let failure = error as? MockPipeFailure else {
            return .cancelled(in: phase, processing: .unknown, origin: exchange.origin)
        }
        switch failure.end {
        case .broken(let error): return error
        case .finished:
            return self.error(.invalidRequest, phase, "our direction of the stream has been ended")
        case .closed where isClosed.withLock { $0 }:
            return .cancelled(in: phase, processing: .unknown, origin: exchange.origin)
        case .closed: return self.error(.connectionLost, phase, "the server closed the stream")
        }
    }

    private func error(_ code: TransportError.Code, _ phase: TransportPhase, _ message: String) -> TransportError {
        TransportError(code, phase: phase, processing: .unknown, message: message, origin: exchange.origin)
    }

    /// What a client sees of a server that gave up.
    private static func failure(_ error: any Error, _ origin: Origin?) -> TransportError {
        if let error = error as? TransportError { return error }
        return TransportError(
            .connectionLost,
            phase: .responseBody,
            processing: .unknown,
            message: "the connection broke: \(error)",
            origin: origin,
            underlying: error
        )
    }
}
