internal import AirframeTransport
internal import Synchronization

/// A log of the events of an exchange, which notices violations of their rules.
final class EventLog: TransportEventSink {
    private struct LogState {
        var events: [TransportEvent] = []
        var returned: Set<String> = []
        var isInside = false
        var hasOverlap = false
    }

    // Guards the events, and whether one is being delivered.
    private let state = Mutex(LogState())

    func receive(_ event: TransportEvent) {
        state.withLock { state in
            if state.isInside { state.hasOverlap = true }
            state.isInside = true
        }
        state.withLock { state in
            state.events.append(event)
            state.isInside = false
        }
    }

    var events: [TransportEvent] { state.withLock { $0.events } }
    /// Whether two events were delivered concurrently.
    var hasOverlap: Bool { state.withLock { $0.hasOverlap } }
    var kinds: [TransportEvent.Kind] { events.map(\.kind) }
    /// The names of the events, in order.
    var names: [String] { kinds.map(\.name) }

    /// Records that an exchange has returned to its caller what an event of this name reports.
    func noteReturned(_ name: String) { state.withLock { _ = $0.returned.insert(name) } }

    /// Whether an exchange has returned to its caller what an event of this name reports.
    func hasReturned(_ name: String) -> Bool { state.withLock { $0.returned.contains(name) } }

    func contains(_ name: String) -> Bool { names.contains(name) }

    /// The first event of that name.
    func first(_ name: String) -> TransportEvent? { events.first { $0.kind.name == name } }

    /// The number of events that end the exchange.
    var terminalCount: Int { names.count { $0 == "released" || $0 == "failed" } }

    /// The error that ended the exchange.
    var failure: TransportError? {
        if case .failed(let error) = kinds.last { error } else { nil }
    }

    /// The fate of the connection.
    var fate: TransportEvent.ConnectionFate? {
        if case .released(let fate) = kinds.last { fate } else { nil }
    }
}

extension TransportEvent.Kind {
    /// The name of the case.
    var name: String {
        switch self {
        case .started: "started"
        case .resolveStarted: "resolveStarted"
        case .resolveFinished: "resolveFinished"
        case .connectStarted: "connectStarted"
        case .connectFinished: "connectFinished"
        case .connectFailed: "connectFailed"
        case .proxyStarted: "proxyStarted"
        case .proxyFinished: "proxyFinished"
        case .tlsStarted: "tlsStarted"
        case .tlsFinished: "tlsFinished"
        case .connectionAcquired: "connectionAcquired"
        case .requestHeadSent: "requestHeadSent"
        case .requestBodySent: "requestBodySent"
        case .requestFinished: "requestFinished"
        case .informationalResponse: "informationalResponse"
        case .responseHead: "responseHead"
        case .responseBodyReceived: "responseBodyReceived"
        case .responseBodyDecoded: "responseBodyDecoded"
        case .trailers: "trailers"
        case .released: "released"
        case .failed: "failed"
        case .decided: "decided"
        }
    }
}
