internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization

/// A trust evaluation that records its questions and gives the case's answers.
final class ScriptedEvaluation: TrustEvaluation {
    /// The arguments of one call.
    struct Question: Sendable {
        let chain: [DER]
        let host: String
        let port: Int
        let staple: DER?
    }

    /// What it throws where it refuses.
    struct Refusal: Error, CustomStringConvertible {
        let description = "the pin of this server is another one"
    }

    private struct Notes {
        var questions: [Question] = []
        var isCancelled = false
        var isOver = false
    }

    let key: TrustKey
    // Guards the notes.
    private let notes = Mutex(Notes())
    private let answer: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - name: What it answers for.
    ///   - answer: Refuses by throwing.
    init(_ name: String = "accepts", _ answer: @escaping @Sendable () async throws -> Void = {}) {
        key = TrustKey(name)
        self.answer = answer
    }

    /// One that refuses every server.
    static var refusing: ScriptedEvaluation { ScriptedEvaluation("refuses") { throw Refusal() } }

    var questions: [Question] { notes.withLock { $0.questions } }
    /// Whether it was cancelled while it thought.
    var wasCancelled: Bool { notes.withLock { $0.isCancelled } }
    /// Whether it has answered, or given up.
    var isOver: Bool { notes.withLock { $0.isOver } }

    func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {
        notes.withLock {
            $0.questions.append(Question(chain: chain, host: host, port: port, staple: stapledOCSPResponse))
        }
        defer {
            let isCancelled = Task.isCancelled
            notes.withLock { notes in
                notes.isCancelled = isCancelled
                notes.isOver = true
            }
        }
        try await answer()
    }
}

extension ConformanceTrial {
    /// A request over TLS, to a peer whose root is trusted where nothing else is said.
    func secure(
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/",
        host: String? = nil,
        trust: (any TrustEvaluation)? = nil,
        identity: ClientIdentity? = nil,
        roots: TrustRoots? = nil,
        _ change: (inout TransportOptions) -> Void = { _ in }
    ) throws -> TransportRequest {
        let root = try TestCertificates.shared().root
        var request = request(method, path, scheme: "https") { options in
            options.tls.roots = roots ?? .certificates([root])
            change(&options)
        }
        if let host { request.head.authority = "\(host):\(port)" }
        request.trust = trust
        request.identity = identity
        return request
    }

    /// The peer's port.
    var port: Int { peer.authority.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

    /// Expects that a server was refused before a byte of the request was sent.
    func judgeRefused(_ outcome: ExchangeOutcome, words: String...) {
        judge(outcome, .broken([.trustRefused], in: [.tls]))
        expect(outcome.error?.processing == .notSent, "not reported as not sent: \(outcome.summary)")
        expect(!outcome.events.contains("requestHeadSent"), "the head was sent: \(outcome.events.names)")
        expect(peer.requests.isEmpty, "\(peer.requests.count) requests arrived")
        for word in words {
            expect("\(outcome.summary)".contains(word), "“\(word)” is not in the message: \(outcome.summary)")
        }
    }
}
