internal import AirframeTransport

extension HAR.ExchangeRecord {
    /// The phases in milliseconds, to the microsecond. Their sum is the time from the first event to the last.
    var timings: HAR.Timings {
        let last = timeline.last
        let total = microseconds(from: timeline.first, to: last)
        let dns = duration(of: timeline.resolution)
        let connect = duration(of: timeline.connecting, notBefore: timeline.resolution?.end)
        var timings = HAR.Timings()
        timings.dns = dns.map(milliseconds)
        timings.connect = connect.map(milliseconds)
        timings.ssl = duration(of: timeline.tlsHandshake).map { milliseconds(min($0, connect ?? 0)) }

        var rest = total - (dns ?? 0) - (connect ?? 0)
        if let acquired = timeline.connectionAcquired {
            let answered = timeline.responseHead ?? last
            let sent = min(max(timeline.requestSent ?? acquired, acquired), answered)
            let send = min(microseconds(from: acquired, to: sent), max(0, rest))
            let wait = min(microseconds(from: sent, to: answered), max(0, rest - send))
            let receive = min(microseconds(from: answered, to: last), max(0, rest - send - wait))
            rest -= send + wait + receive
            timings.send = milliseconds(send)
            timings.wait = milliseconds(wait)
            timings.receive = milliseconds(receive)
        }
        timings.blocked = milliseconds(max(0, rest))
        return timings
    }

    /// A span without an end lasts until the last event.
    private func duration(of span: ExchangeTimeline.Span?, notBefore earliest: MonotonicInstant? = nil) -> Int64? {
        span.map { microseconds(from: max($0.start, earliest ?? $0.start), to: $0.end ?? timeline.last) }
    }

    private func microseconds(from begin: MonotonicInstant, to end: MonotonicInstant) -> Int64 {
        // The shared instant of two adjacent spans is rounded in the same way for both, so that the sum is exact.
        max(0, end.nanoseconds / 1000 - begin.nanoseconds / 1000)
    }

    private func milliseconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1000 }
}

extension HAR.Timings {
    /// The sum of the phases, without the rounding errors of fractions.
    var roundedTotal: Double { (total * 1000).rounded() / 1000 }
}
