internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization

extension ConformanceCase {
    /// A peer whose second connection can resume the session of the first.
    private static func resuming(_ version: TLSVersion) -> PeerScenario {
        PeerScenario(
            tls: PeerTLS(versions: version...version, resumes: true),
            .readRequest, .send(Answer.ok("ok", "Connection: close"))
        )
    }

    private static func refused(_ version: TLSVersion, _ name: String) -> ConformanceCase {
        ConformanceCase(
            .trust, "resumed.refused.\(name)",
            "an evaluation that accepts the first connection is called for the second, and can reject it",
            needs: [.tls, .trustEvaluation], peer: resuming(version)
        ) { trial in
            let isFirst = Mutex(true)
            let evaluation = ScriptedEvaluation("changes its answer") {
                let isTrusted = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                guard isTrusted else { throw ScriptedEvaluation.Refusal() }
            }
            trial.judge(await trial.exchange(try trial.secure(trust: evaluation)), .whole("ok"))
            let second = await trial.exchange(try trial.secure(.get, "/second", trust: evaluation))
            trial.judge(second, .broken([.trustRefused], in: [.tls]))
            trial.expect(second.error?.processing == .notSent, "not reported as not sent: \(second.summary)")
            let chains = Set(evaluation.questions.map(\.chain))
            trial.expect(chains.count == 1, "it was called with \(chains.count) chains")
            trial.expect(trial.peer.requests.map(\.target) == ["/"], "\(trial.peer.requests.map(\.target)) arrived")
        }
    }

    static let trustResumption = [refused(.tls1_2, "tls1.2"), refused(.tls1_3, "tls1.3")]
}
