internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// A fault of a server, and the required outcome.
struct Fault: Sendable {
    enum Requirement: Sendable {
        /// The response arrives whole.
        case ok
        /// There is a clear error, within the time limit.
        case error
        /// Either, within the time limit.
        case any
    }

    let name: String
    let requirement: Requirement
    let scenario: PeerScenario
    /// The longest time that the exchange may take; `nil` for the default.
    var deadline: Duration?
    var method: HTTPRequest.Method = .get
    /// The size of the request's content.
    var upload = 0
    /// Whether another request precedes it on the same connection, answered with `ok`.
    var isPooled = false

    init(
        _ name: String,
        _ requirement: Requirement,
        _ scenario: PeerScenario,
        within deadline: Duration? = nil,
        method: HTTPRequest.Method = .get,
        upload: Int = 0,
        isPooled: Bool = false
    ) {
        self.name = name
        self.requirement = requirement
        self.scenario = scenario
        self.deadline = deadline
        self.method = method
        self.upload = upload
        self.isPooled = isPooled
    }

    /// A fault in the answer to one request.
    init(_ name: String, _ requirement: Requirement, _ answer: String, then end: AnswerEnd = .close) {
        self.init(name, requirement, .answering(answer, then: end))
    }

    private var title: String {
        let words = name.split(separator: "-").joined(separator: " ")
        switch requirement {
        case .ok: return "\(words): the response arrives whole"
        case .error: return "\(words): a clear error, in time"
        case .any: return "\(words): whole or an error, in time"
        }
    }

    var conformanceCase: ConformanceCase {
        ConformanceCase(
            .fault, name, title, needs: deadline == nil ? [] : .deadline, alsoAt: isPooled ? [.connections] : [],
            peer: scenario
        ) { trial in
            if isPooled {
                trial.judge(await trial.get(), .whole("ok"))
                trial.peer.signals.open("pooled")
                for mark in scenario.connections.first?.compactMap(\.markReached) ?? [] { try await trial.reach(mark) }
            }
            trial.peer.signals.open("reset")
            let outcome = await trial.exchange(request(trial))
            switch requirement {
            case .ok: trial.judge(outcome, .whole(method == .head ? "" : "ok"))
            case .error:
                trial.judge(outcome, .anything)
                trial.expect(outcome.error != nil, "expected an error, got \(outcome.summary)")
            case .any: trial.judge(outcome, .anything)
            }
            judgeCount(trial)
        }
    }

    private func request(_ trial: ConformanceTrial) -> TransportRequest {
        let body: RequestBody =
            upload == 0
            ? .none : .restartable(length: Int64(upload)) { CountingSource(size: upload, pieces: max(1, upload >> 16)) }
        return trial.request(method, body: body) { $0.deadline = deadline }
    }

    /// Checks that a request that must not be repeated arrives once.
    private func judgeCount(_ trial: ConformanceTrial) {
        guard method == .post else { return }
        let count = trial.peer.requests.count { $0.method == "POST" }
        trial.expect(count <= 1, "the request arrived \(count) times")
    }
}

extension PeerStep {
    /// The mark that the peer sets before the second request.
    fileprivate var markReached: String? {
        guard case .mark(let name) = self else { return nil }
        return name == "idle-close" ? "ended" : name
    }
}
