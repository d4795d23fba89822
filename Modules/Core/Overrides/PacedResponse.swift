internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// The content of a response, received at the rates of its request.
///
/// The minimum rate counts only the time in which a reader waits, so that a slow reader does not fail the transfer.
final class PacedResponse: ResponseBodySource {
    private let body: ResponseBody
    private let origin: Origin?
    private let pacer: Pacer?
    private let watch: MinimumRateWatch?
    // Guards the bytes that have arrived and are still held back.
    private let rest = Mutex(Data())

    /// - Parameter origin: The server, for errors.
    init(_ body: ResponseBody, _ rates: TransferRates, origin: Origin?, clock: any TransportClock) {
        self.body = body
        self.origin = origin
        pacer = rates.download.map { Pacer(rate: $0, clock: clock) }
        watch = rates.minimum.map { MinimumRateWatch($0, origin: origin, clock: clock) { body.cancel() } }
    }

    var trailers: HTTPFields? { body.trailers }

    func next() async throws(TransportError) -> Data? {
        guard let pacer else { return try await pull() }
        if rest.withLock({ $0.isEmpty }) {
            guard let chunk = try await pull() else { return nil }
            rest.withLock { $0 = chunk }
        }
        let piece = rest.withLock { rest in
            let piece = rest.prefix(pacer.pieceSize)
            rest = rest.dropFirst(piece.count)
            return piece
        }
        guard await pacer.pass(piece.count) else {
            body.cancel()
            throw .cancelled(in: .responseBody, processing: .unknown, origin: origin)
        }
        return piece
    }

    func cancel() {
        body.cancel()
        pacer?.cancel()
    }

    /// Pulls the next chunk, which must arrive at the minimum rate.
    private func pull() async throws(TransportError) -> Data? {
        guard let watch else { return try await body.next() }
        watch.beginWait()
        let chunk: Data?
        do throws(TransportError) {
            chunk = try await body.next()
        } catch {
            watch.stop()
            throw watch.isTooSlow ? tooSlow(watch) : error
        }
        guard watch.endWait(transferred: chunk?.count ?? 0) || chunk == nil else {
            body.cancel()
            throw tooSlow(watch)
        }
        return chunk
    }

    private func tooSlow(_ watch: MinimumRateWatch) -> TransportError {
        watch.failure(in: .responseBody, "the response arrived")
    }
}
