internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization

/// A sink for the events of an upload's exchanges. It forwards them with byte counts of the whole upload, and reports
/// informational responses.
final class UploadEvents: ForwardingEventSink {
    private let sink: (any TransportEventSink)?
    private let tally: UploadTally
    private let part: Int
    private let start: Int64
    private let hear: @Sendable (HTTPResponse) -> Void

    /// - Parameters:
    ///   - sink: The sink of the request.
    ///   - tally: The bytes of all parts.
    ///   - part: The part that the exchange sends.
    ///   - start: The bytes of the part that were sent before.
    ///   - hear: Called with each informational response.
    init(
        _ sink: (any TransportEventSink)?,
        _ tally: UploadTally,
        part: Int,
        start: Int64,
        hear: @escaping @Sendable (HTTPResponse) -> Void
    ) {
        self.sink = sink
        self.tally = tally
        self.part = part
        self.start = start
        self.hear = hear
    }

    var next: (any TransportEventSink)? { sink }

    var wantedEvents: TransportEventKinds { (sink?.wantedEvents ?? []).union([.response]) }

    func receive(_ event: TransportEvent) {
        switch event.kind {
        case .informationalResponse(let response): hear(response)
        case .requestBodySent(let count, let total):
            let sent = tally.set(start + total, of: part)
            sink?.receive(
                TransportEvent(
                    .requestBodySent(byteCount: count, total: sent), of: event.exchange, at: event.instant))
            return
        default: break
        }
        sink?.receive(event)
    }
}

/// The sent bytes of an upload, by part.
final class UploadTally: Sendable {
    // Guards the bytes of each part.
    private let counts = Mutex<[Int: Int64]>([:])

    /// Sets the sent bytes of a part, and returns those of all parts.
    func set(_ count: Int64, of part: Int) -> Int64 {
        counts.withLock { counts in
            counts[part] = count
            return counts.values.reduce(0, +)
        }
    }
}
