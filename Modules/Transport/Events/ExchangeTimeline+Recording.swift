internal import HTTPTypes

extension ExchangeTimeline {
    /// Adds an event to the timeline. An event of another exchange changes nothing.
    public mutating func record(_ event: TransportEvent) {
        guard event.exchange == exchange else { return }
        record(event.kind, at: event.instant)
    }

    /// Adds a step to the timeline, without an event.
    mutating func record(_ kind: consuming TransportEvent.Kind, at instant: MonotonicInstant) {
        pass(instant)
        switch consume kind {
        case .started(let head):
            start(SharedRequestHead(head), at: instant)
        case .requestHeadSent(let byteCount):
            requestHeadBytes = byteCount
            requestHeadSent = instant
        case .requestBodySent(_, let total):
            requestBodyBytes = total
            requestBodySent = instant
        case .requestFinished: requestFinished = instant
        case .informationalResponse(let head):
            informationalResponses.append(head)
            informationalResponse = instant
        case .responseHead(let head, let byteCount):
            finalHead = SharedResponseHead(head)
            responseHeadBytes = byteCount
            responseHead = instant
        case .responseBodyReceived(_, let total):
            responseBodyBytes = total
            firstBodyByte = firstBodyByte ?? instant
            lastBodyByte = instant
        case .responseBodyDecoded(_, let total): decodedBodyBytes = total
        case .trailers(let fields):
            trailers = fields
            trailersReceived = instant
        case .released(let fate): end(.released(fate), at: instant)
        case .failed(let error): end(.failed(error), at: instant)
        case .decided(let decision): record(decision, at: instant)
        case let other: recordConnection(other, at: instant)
        }
    }

    /// Records that the exchange was active at `instant`.
    mutating func pass(_ instant: MonotonicInstant) { last = max(last, instant) }

    mutating func start(_ head: SharedRequestHead, at instant: MonotonicInstant) {
        requestHead = head
        started = started ?? instant
    }

    private mutating func recordConnection(_ kind: TransportEvent.Kind, at instant: MonotonicInstant) {
        switch kind {
        case .resolveStarted: resolution = Span(start: instant)
        case .resolveFinished: resolution?.end = instant
        case .connectStarted(let address):
            uncommon.connectAttempts.append(ConnectAttempt(address: address, span: Span(start: instant)))
        case .connectFinished(let address): uncommon.endAttempt(to: address, at: instant, with: nil)
        case .connectFailed(let address, let error): uncommon.endAttempt(to: address, at: instant, with: error)
        case .proxyStarted: proxy = Span(start: instant)
        case .proxyFinished: proxy?.end = instant
        case .tlsStarted: tlsHandshake = Span(start: instant)
        case .tlsFinished(let description):
            tls = description
            tlsHandshake?.end = instant
        case .connectionAcquired(let connection):
            self.connection = connection
            connectionAcquired = instant
        default: break
        }
    }

    private mutating func record(_ decision: TransportDecision, at instant: MonotonicInstant) {
        switch decision.kind {
        case .reusedConnection(let id):
            reuse = (id, decision.reason, instant)
            return
        // A layer may answer without an event for the head.
        case .followedRedirect(let head, _), .refusedRedirect(let head):
            finalHead = finalHead ?? SharedResponseHead(head)
        default: break
        }
        uncommon.otherDecisions.append(Decision(decision: decision, instant: instant))
    }

    /// Records the ending. A layer may fail an exchange that the engine completed; the first failure stands.
    mutating func end(_ ending: Ending, at instant: MonotonicInstant) {
        if case .failed? = self.ending { return }
        self.ending = ending
        ended = instant
    }
}

extension ExchangeTimeline.UncommonSteps {
    fileprivate mutating func endAttempt(
        to address: SocketAddress,
        at instant: MonotonicInstant,
        with error: TransportError?
    ) {
        let index = connectAttempts.lastIndex { $0.address == address && $0.span.end == nil }
        guard let index else { return }
        connectAttempts[index].span.end = instant
        connectAttempts[index].error = error
    }
}
