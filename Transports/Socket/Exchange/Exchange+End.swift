internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The end of an exchange: the stream is released, or cancelled.
extension Exchange {
    /// The upload that is under way.
    var uploader: Uploader? {
        if case .sending(let uploader) = upload { uploader } else { nil }
    }

    // MARK: Failure

    /// The exchange has failed: its stream is cancelled.
    func fail(_ error: TransportError) {
        abandonUpload()
        endDeadline()
        response = .failed
        pending = nil
        cancelStream()
        reporter.report(.failed(error), isLast: true)
        engine.endExchange()
    }

    /// Stops an upload, or closes a source that was opened for it.
    func abandonUpload() {
        switch upload {
        case .none: return
        case .opened(let content): content.abandon()
        case .sending(let uploader): uploader.cancel()
        }
        upload = .none
    }

    /// Gives up the stream before its end, and its place on the connection.
    func cancelStream() {
        guard let lease = lease.take() else { return }
        lease.stream.cancel()
        engine.pool.cancel(lease.connection)
    }

    private func endDeadline() {
        deadlineAlarm?.cancel()
        deadlineAlarm = nil
    }

    // MARK: Success

    /// The response is whole. An upload that is just noting its last piece is waited for before the connection is
    /// judged.
    ///
    /// - Parameter instant: When its end arrived.
    func finish(trailers: HTTPFields?, at instant: MonotonicInstant) {
        if let uploader, uploader.isEnding {
            response = .settling(trailers: trailers)
        } else {
            complete(trailers: trailers, at: instant)
        }
    }

    /// Ends an exchange whose response came before its upload had noted its end.
    @inline(__always)
    nonisolated(nonsending) func settle() async {
        if case .settling(let trailers) = response {
            await uploader?.settle()
            complete(trailers: trailers, at: reporter.now)
        }
    }

    private func complete(trailers: HTTPFields?, at instant: MonotonicInstant) {
        response = .complete(trailers: trailers)
        if deadlineAlarm != nil { endDeadline() }
        if let trailers { emit(.trailers(trailers)) }
        reporter.release(release(), at: instant)
        engine.endExchange()
    }

    /// Returns the stream's place on its connection to the pool.
    private func release() -> TransportEvent.ConnectionFate {
        guard let lease = lease.take() else { return .closed(reason: "") }
        let isWhole = uploader?.isFinished ?? true
        if !isWhole { abandonUpload() }
        upload = .none
        return giveBack(lease, lease.stream.release(isRequestWhole: isWhole))
    }

    /// - Parameter closeReason: Why the connection can carry no further stream; `nil` when it can.
    func giveBack(_ lease: Lease, _ closeReason: String?) -> TransportEvent.ConnectionFate {
        if let closeReason {
            engine.pool.cancel(lease.connection)
            return .closed(reason: closeReason)
        }
        // The next exchange may be alone as well, and wait without the reactor.
        if engine.isQuiet, !lease.connection.isMultiplexed { lease.connection.socket.stopWatching() }
        let isKept = engine.pool.giveBack(lease.connection)
        return isKept ? .kept : .closed(reason: "it is not needed any more")
    }
}
