internal import AirframeTransport

/// The required outcome of one exchange.
enum Expected: Sendable {
    /// A complete response with this content.
    case whole(String)
    /// A complete response with this status and content.
    case status(Int, String)
    /// An error with one of these codes.
    case broken([TransportError.Code], in: [TransportPhase])
    /// A response with this content or an error, because a recipient may choose.
    case wholeOrBroken(String)
    /// Any outcome in time.
    case anything
}

extension Expected {
    /// A malformed head.
    static let malformedHead = Expected.broken([.malformedResponse], in: [.responseHead])
    /// A malformed framing of the body.
    static let malformedBody = Expected.broken([.malformedResponse], in: [.responseBody])
    /// The connection ended within the head.
    static let cutHead = Expected.broken([.connectionLost, .malformedResponse], in: [.responseHead])
    /// The connection ended within the body.
    static let cutBody = Expected.broken([.bodyTruncated, .connectionLost], in: [.responseBody])
    /// The connection was closed within the body.
    static let truncated = Expected.broken([.bodyTruncated], in: [.responseBody])
}

extension ConformanceTrial {
    /// Compares an outcome with the required one, and checks the rules for every exchange.
    func judge(_ outcome: ExchangeOutcome, _ expected: Expected) {
        judgeEvents(outcome)
        if let error = outcome.error { judgeError(error) }
        switch expected {
        case .whole(let text): judgeWhole(outcome, 200, text)
        case .status(let status, let text): judgeWhole(outcome, status, text)
        case .broken(let codes, let phases): judgeBroken(outcome, codes, phases)
        case .wholeOrBroken(let text):
            if outcome.error == nil { judgeWhole(outcome, 200, text) }
        case .anything: break
        }
    }

    private func judgeWhole(_ outcome: ExchangeOutcome, _ status: Int, _ text: String) {
        let isRight = outcome.isWhole && outcome.status == status && outcome.text == text
        expect(isRight, "expected \(status) with \(text.prefix(60).debugDescription), got \(outcome.summary)")
    }

    private func judgeBroken(
        _ outcome: ExchangeOutcome,
        _ codes: [TransportError.Code],
        _ phases: [TransportPhase]
    ) {
        let codeNames = codes.map(\.rawValue).joined(separator: " or ")
        guard let error = outcome.error else { return fail("expected \(codeNames), got \(outcome.summary)") }
        expect(codes.contains(error.code), "expected \(codeNames), got \(outcome.summary)")
        let phaseNames = phases.map(\.rawValue).joined(separator: " or ")
        expect(phases.contains(error.phase), "expected in the phase \(phaseNames), got \(outcome.summary)")
    }

    /// Checks that an error has a message, names the peer and is consistent.
    func judgeError(_ error: TransportError) {
        expect(!error.message.isEmpty, "the error \(error.code) has no message")
        expect(
            error.origin != nil || error.phase == .options, "the error does not say which server it is about: \(error)")
        let isSent = [.requestHead, .requestBody, .responseHead, .responseBody].contains(error.phase)
        if !isSent {
            expect(error.processing != .unknown, "nothing was sent in the phase \(error.phase): \(error)")
        }
    }

    /// Checks the connection, as far as the engine describes it.
    ///
    /// An engine that does not claim ``ConformanceLevel/events`` may describe none.
    func expectConnection(
        _ outcome: ExchangeOutcome,
        _ message: @autoclosure () -> String,
        _ isRight: (TransportConnection) -> Bool
    ) {
        guard let connection = outcome.connection else {
            return expect(!claims(.events), "the connection is not described: \(message())")
        }
        expect(isRight(connection), message())
    }

    /// Expects that all requests shared one connection, if the engine claims to reuse connections.
    func expectOneConnection() {
        expect(peer.connections.count == 1 || !claims(.connections), "the connection was not kept")
    }

    /// Checks the first and the last event.
    func judgeEvents(_ outcome: ExchangeOutcome) {
        guard claims(.events) else { return }
        let log = outcome.events
        let all = log.names
        // A body in many pieces would obscure the other events.
        let names = all.count <= 60 ? all.joined(separator: ", ") : "\(all.count) events, the last \(all.last ?? "")"
        expect(all.first == "started", "the first event is not started: \(names)")
        expect(log.terminalCount == 1, "\(log.terminalCount) events end the exchange: \(names)")
        expect(!log.hasOverlap, "two events were delivered concurrently")
        if let error = outcome.error {
            expect(log.failure?.code == error.code, "the last event is not the failure \(error.code): \(names)")
        } else if outcome.head != nil {
            expect(all.last == "released", "the last event is not released: \(names)")
        }
    }
}
