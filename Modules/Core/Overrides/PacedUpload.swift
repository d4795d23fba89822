internal import AirframeTransport
internal import Foundation

extension RequestBody {
    /// Returns this body, sent at no more than `rate` bytes per second.
    func paced(at rate: Int, clock: any TransportClock) -> RequestBody {
        mapSource { PacedUpload($0, Pacer(rate: rate, clock: clock)) }
    }

    /// Returns a body that reads this one through the source that `wrap` makes of its own. The result can be replayed
    /// as often as this body.
    func mapSource(
        _ wrap: @escaping @Sendable (any RequestBodySource) -> any RequestBodySource
    ) -> RequestBody {
        guard !isNone else { return self }
        let plain = self
        let makeSource = { @Sendable () throws -> any RequestBodySource in wrap(try plain.makeChunks()) }
        var wrapped: RequestBody =
            replay == .oneShot
            ? .oneShot(length: length, LateSource(makeSource)) : .restartable(length: length, makeSource)
        wrapped.trailers = trailers
        return wrapped
    }
}

/// Content that a pacer releases in pieces.
///
/// An actor, because the remaining bytes belong to one sending.
private actor PacedUpload: RequestBodySource {
    private let source: any RequestBodySource
    private let pacer: Pacer
    private var rest = Data()

    init(_ source: any RequestBodySource, _ pacer: Pacer) {
        self.source = source
        self.pacer = pacer
    }

    func next() async throws -> Data? {
        while rest.isEmpty {
            guard let chunk = try await source.next() else { return nil }
            rest = chunk
        }
        let piece = rest.prefix(pacer.pieceSize)
        rest = rest.dropFirst(piece.count)
        guard await pacer.pass(piece.count) else { throw CancellationError() }
        return piece
    }

    nonisolated func cancel() {
        pacer.cancel()
        source.cancel()
    }
}
