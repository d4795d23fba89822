internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// The content of a response at the rates of its request.
///
/// The minimum counts only the time in which a reader waits: a reader that is slow itself is no reason to fail.
final class PacedResponse: ResponseBodySource {
    private struct State {
        /// What has arrived and is still held back.
        var rest = Data()
        /// The time for which readers have waited in the present period, and the bytes that arrived in it.
        var waited = Duration.zero
        var arrived = 0
        /// When the present wait, or the period within it, began.
        var start: MonotonicInstant?
        var isTooSlow = false
    }

    private let body: ResponseBody
    private let pacer: Pacer?
    private let minimum: TransferRates.Minimum?
    private let clock: any TransportClock
    // Guards the accounts of the present period; nothing is called while it is held.
    private let state = Mutex(State())

    init(_ body: ResponseBody, _ rates: TransferRates, clock: any TransportClock) {
        self.body = body
        pacer = rates.download.map { Pacer(rate: $0, clock: clock) }
        minimum = rates.minimum
        self.clock = clock
    }

    var trailers: HTTPFields? { body.trailers }

    func next() async throws(TransportError) -> Data? {
        guard let pacer else { return try await pull() }
        if state.withLock({ $0.rest.isEmpty }) {
            guard let chunk = try await pull() else { return nil }
            state.withLock { $0.rest = chunk }
        }
        let piece = state.withLock { state in
            let piece = state.rest.prefix(pacer.pieceSize)
            state.rest = state.rest.dropFirst(piece.count)
            return piece
        }
        guard await pacer.pass(piece.count) else {
            body.cancel()
            throw .cancelled(in: .responseBody, processing: .unknown)
        }
        return piece
    }

    func cancel() {
        body.cancel()
        pacer?.cancel()
    }

    // MARK: The minimum

    private func pull() async throws(TransportError) -> Data? {
        guard let minimum else { return try await body.next() }
        let now = clock.now
        state.withLock { $0.start = now }
        let watch = Task { [self] in await self.endIfTooSlow(minimum) }
        defer { watch.cancel() }
        let chunk: Data?
        do throws(TransportError) {
            chunk = try await body.next()
        } catch {
            throw state.withLock { $0.isTooSlow } ? tooSlow(minimum) : error
        }
        guard endWait(chunk?.count ?? 0, minimum) || chunk == nil else {
            body.cancel()
            throw tooSlow(minimum)
        }
        return chunk
    }

    /// Ends the exchange when a period is over in which too little has arrived.
    private func endIfTooSlow(_ minimum: TransferRates.Minimum) async {
        while true {
            let rest = state.withLock { minimum.period - $0.waited }
            guard (try? await clock.sleep(for: max(rest, .zero))) != nil, !Task.isCancelled else { return }
            let now = clock.now
            let isTooSlow = state.withLock { state in
                guard Double(state.arrived) >= minimum.required else {
                    state.isTooSlow = true
                    return true
                }
                (state.waited, state.arrived, state.start) = (.zero, 0, now)
                return false
            }
            if isTooSlow { return body.cancel() }
        }
    }

    /// Adds a wait to the present period. Returns whether the transfer is fast enough.
    private func endWait(_ count: Int, _ minimum: TransferRates.Minimum) -> Bool {
        let now = clock.now
        return state.withLock { state in
            state.waited += (state.start ?? now).duration(to: now)
            state.arrived += count
            guard state.waited >= minimum.period else { return true }
            guard Double(state.arrived) >= minimum.required else { return false }
            (state.waited, state.arrived) = (.zero, 0)
            return true
        }
    }

    private func tooSlow(_ minimum: TransferRates.Minimum) -> TransportError {
        TransportError(
            .timedOut,
            phase: .responseBody,
            processing: .unknown,
            message: "the response arrived at less than \(minimum.bytesPerSecond) bytes/s for \(minimum.period)"
        )
    }
}
