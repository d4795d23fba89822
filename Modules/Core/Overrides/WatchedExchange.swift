internal import AirframeTransport
internal import Foundation
internal import Synchronization

/// Performs an exchange and cancels it if its upload stays below a minimum rate.
///
/// The minimum applies until the head of the response arrives.
final class WatchedExchange: Sendable {
    private struct Sending {
        var task: Task<Result<TransportResponse, TransportError>, Never>?
        var isTooSlow = false
    }

    // Guards the task that performs the exchange; the task is cancelled without the lock.
    private let sending = Mutex(Sending())

    /// Sends `request` through `engine`.
    ///
    /// - Throws: ``TransportError/Code/timedOut`` if the upload is slower than `minimum`, else the engine's error.
    func send(
        _ request: TransportRequest,
        through engine: any Transport,
        above minimum: TransferRates.Minimum
    ) async throws(TransportError) -> TransportResponse {
        let origin = Origin(request.head)
        let watch = MinimumRateWatch(minimum, origin: origin, clock: engine.clock) { [self] in abort() }
        let request = Self.watched(request, by: watch, pieceSize: minimum.pieceSize)
        let task = Task { () -> Result<TransportResponse, TransportError> in
            do throws(TransportError) {
                return .success(try await engine.send(request))
            } catch {
                return .failure(error)
            }
        }
        let isTooSlow = sending.withLock { sending in
            sending.task = task
            return sending.isTooSlow
        }
        if isTooSlow { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        watch.stop()
        // The task's request leads back here.
        sending.withLock { $0.task = nil }
        if case .failure = result, watch.isTooSlow {
            throw watch.failure(in: .requestBody, "the server took the request's content")
        }
        return try result.get()
    }

    private func abort() {
        let task = sending.withLock { sending in
            sending.isTooSlow = true
            return sending.task
        }
        task?.cancel()
    }

    private static func watched(
        _ request: TransportRequest,
        by watch: MinimumRateWatch,
        pieceSize: Int
    ) -> TransportRequest {
        var request = request
        // The source holds a suspended upload instead of the engine, so that a suspension does not count as slow.
        let gate = request.uploadGate
        request.uploadGate = nil
        request.body = request.body.mapSource { WatchedUpload($0, watch, gate, pieceSize: pieceSize) }
        return request
    }
}

extension TransferRates.Minimum {
    /// The most bytes of a piece of an upload: small enough that a slow upload shows progress within a period.
    fileprivate var pieceSize: Int { Int(min(max(required / 8, 512), 16_384)) }
}

/// Content whose pieces the peer must take at a minimum rate.
///
/// An actor, because the remaining bytes belong to one sending.
private actor WatchedUpload: RequestBodySource {
    private let source: any RequestBodySource
    private let watch: MinimumRateWatch
    private let gate: UploadGate?
    private let pieceSize: Int
    private var rest = Data()
    /// The bytes that the engine has taken and not finished sending.
    private var pending: Int?

    init(_ source: any RequestBodySource, _ watch: MinimumRateWatch, _ gate: UploadGate?, pieceSize: Int) {
        self.source = source
        self.watch = watch
        self.gate = gate
        self.pieceSize = pieceSize
        // An engine that repeats an exchange begins with a new source; the wait of the former one has ended.
        watch.stop()
    }

    func next() async throws -> Data? {
        if let pending {
            self.pending = nil
            guard watch.endWait(transferred: pending) else { throw CancellationError() }
        }
        await gate?.pass()
        while rest.isEmpty {
            guard let chunk = try await source.next() else { return nil }
            rest = chunk
        }
        let piece = rest.prefix(pieceSize)
        rest = rest.dropFirst(piece.count)
        pending = piece.count
        watch.beginWait()
        return piece
    }

    nonisolated func cancel() {
        watch.stop()
        source.cancel()
    }
}
