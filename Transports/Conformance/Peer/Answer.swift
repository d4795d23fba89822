internal import AirframeTransport

/// Creates responses as text.
enum Answer {
    /// `200` with a length.
    static func ok(_ body: String = "ok", _ fields: String...) -> String {
        head(fields: fields + ["Content-Length: \(body.utf8.count)"]) + body
    }

    /// `200`, and what follows in the chunked coding, as it is.
    static func chunked(_ rest: String) -> String {
        head(fields: ["Transfer-Encoding: chunked"]) + rest
    }

    /// A head with these field lines.
    static func head(_ status: String = "200 OK", fields: [String] = []) -> String {
        (["HTTP/1.1 \(status)"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// A head with one line of fields between the status and a length of 2, and the content `ok`.
    static func line(_ line: String) -> String { "HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 2\r\n\r\nok" }

    /// `200` with the target of the request as its content.
    static let target: PeerStep = .reply { Array(Answer.ok($0.target).utf8) }
}

extension TransportRequest {
    /// The request, with its events recorded in `log`.
    func reporting(to log: EventLog) -> TransportRequest {
        var request = self
        request.events = log
        return request
    }
}

/// What a peer does after it has answered.
enum AnswerEnd: Sendable {
    case close, reset, keep, stall

    /// The steps that do it. A reset destroys what the client has not read: it waits until the case has seen enough.
    var steps: [PeerStep] {
        switch self {
        case .close: [.close]
        case .reset: [.await("reset"), .reset]
        case .keep, .stall: [.awaitClose]
        }
    }
}

extension PeerScenario {
    /// A peer that answers each connection's first request.
    static func answering(_ text: String, then end: AnswerEnd = .close) -> PeerScenario {
        PeerScenario(connections: [[.readRequest, .send(text)] + end.steps])
    }

    /// A peer that answers all requests in the same way, and keeps connections.
    static func keeping(_ text: String = Answer.ok()) -> PeerScenario {
        PeerScenario(.forever([.readRequest, .send(text)]))
    }

    /// A peer that answers each request with its target, and keeps connections.
    static let mirror = PeerScenario(.forever([.readRequest, Answer.target]))

    /// A peer that takes a request and does not answer.
    static let silent = PeerScenario(.readRequest, .awaitClose)
}

extension ConformanceCase {
    /// A case of one request, answered by these bytes.
    static func answer(
        _ group: ConformanceGroup,
        _ name: String,
        _ title: String,
        _ text: String,
        then end: AnswerEnd = .close,
        due expected: Expected
    ) -> ConformanceCase {
        ConformanceCase(group, name, title, peer: .answering(text, then: end)) { trial in
            let log = EventLog()
            async let outcome = trial.exchange(trial.request().reporting(to: log))
            if end == .reset {
                let hasHead = text.contains("\r\n\r\n")
                if hasHead { _ = await trial.reached("responseHead", in: log) }
                trial.peer.signals.open("reset")
            }
            trial.judge(await outcome, expected)
        }
    }
}
