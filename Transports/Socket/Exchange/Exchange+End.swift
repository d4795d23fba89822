internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The end of an exchange, which releases or cancels its stream.
extension Exchange {
    /// The upload in progress.
    var uploader: Uploader? {
        if case .sending(let uploader) = upload { uploader } else { nil }
    }

    // MARK: Failure

    /// Ends the exchange with an error and cancels its stream.
    func fail(_ error: TransportError) {
        abandonUpload()
        endDeadline()
        response = .failed
        pending = nil
        cancelStream()
        reporter.report(.failed(error), isLast: true)
        engine.endExchange()
    }

    /// Cancels an upload, or closes the source that was opened for it.
    func abandonUpload() {
        switch upload {
        case .none: return
        case .opened(let content): content.abandon()
        case .sending(let uploader): uploader.abandon()
        }
        upload = .none
    }

    /// Cancels the stream and returns its place on the connection to the pool.
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

    /// Ends the exchange, or postpones that to ``settle()`` while an upload has yet to record its last piece: only then
    /// is it known whether the connection can be kept.
    ///
    /// - Parameter instant: When the end of the response arrived.
    func finish(trailers: HTTPFields?, at instant: MonotonicInstant) {
        if let uploader, uploader.isEnding {
            response = .settling(trailers: trailers)
        } else {
            complete(trailers: trailers, at: instant)
        }
    }

    /// Ends an exchange whose response was complete before its upload had recorded its end.
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

    /// Returns the lease's connection to the pool.
    ///
    /// - Parameter closeReason: Why the connection can carry no further stream; `nil` if it can.
    func giveBack(_ lease: Lease, _ closeReason: String?) -> TransportEvent.ConnectionFate {
        if let closeReason {
            engine.pool.cancel(lease.connection)
            return .closed(reason: closeReason)
        }
        // The next exchange may also be the only one in flight, and then waits without the reactor.
        if engine.isQuiet, !lease.connection.isMultiplexed { lease.connection.socket.stopWatching() }
        let isKept = engine.pool.giveBack(lease.connection)
        return isKept ? .kept : .closed(reason: "it is no longer needed")
    }
}
