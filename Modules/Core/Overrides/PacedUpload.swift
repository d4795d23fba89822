internal import AirframeTransport
internal import Foundation

extension RequestBody {
    /// This body, sent at no more than `rate` bytes a second. It can be sent as often as this one.
    func paced(at rate: Int, clock: any TransportClock) -> RequestBody {
        guard !isNone else { return self }
        let plain = self
        let makeSource = { @Sendable () throws -> any RequestBodySource in
            PacedUpload(try plain.makeChunks(), Pacer(rate: rate, clock: clock))
        }
        var paced: RequestBody =
            replay == .oneShot
            ? .oneShot(length: length, LateSource(makeSource)) : .restartable(length: length, makeSource)
        paced.trailers = trailers
        return paced
    }
}

/// Content that is let through piece by piece.
///
/// An actor, because what is held back belongs to one sending.
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
