internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    static let trust: [ConformanceCase] =
        trustQuestions + trustRefusals + trustLimits + trustDefaults + trustSharing + trustResumption + identities
        + handshakes + closing

    /// A TLS server that answers all requests with their target.
    static func tlsMirror(_ tls: PeerTLS = PeerTLS()) -> PeerScenario {
        PeerScenario(tls: tls, .forever([.readRequest, Answer.target]))
    }

    private static let trustQuestions: [ConformanceCase] = [
        ConformanceCase(
            .trust, "asked.chain", "an evaluation gets the chain as sent, in DER, the host and the port",
            needs: [.tls, .trustEvaluation], peer: tlsMirror()
        ) { trial in
            let evaluation = ScriptedEvaluation()
            trial.judge(await trial.exchange(try trial.secure(trust: evaluation)), .whole("/"))
            let question = try trial.require(evaluation.questions.first, "it was not called")
            trial.expect(evaluation.questions.count == 1, "it was called \(evaluation.questions.count) times")
            let due = try TestCertificates.shared().chain(of: .sound)
            trial.expect(question.chain == due, "the chain has \(question.chain), sent were \(due)")
            trial.expect("\(question.host):\(question.port)" == trial.peer.authority, "it was called with \(question)")
        },
        ConformanceCase(
            .trust, "asked.host", "an evaluation gets the request's host, not its address",
            needs: [.tls, .trustEvaluation], peer: tlsMirror()
        ) { trial in
            let evaluation = ScriptedEvaluation()
            let request = try trial.secure(host: "localhost", trust: evaluation)
            trial.judge(await trial.exchange(request), .whole("/"))
            trial.expect(evaluation.questions.map(\.host) == ["localhost"], "asked: \(evaluation.questions)")
            trial.expect(evaluation.questions.map(\.port) == [trial.port], "asked: \(evaluation.questions)")
        },
        ConformanceCase(
            .trust, "asked.before-the-request",
            "an evaluation runs during the handshake, before any byte of the request is sent",
            needs: [.tls, .trustEvaluation], peer: tlsMirror()
        ) { trial in
            let gate = PeerSignals()
            let evaluation = ScriptedEvaluation { await gate.wait(for: "answer") }
            let log = EventLog()
            let task = trial.start(try trial.secure(trust: evaluation).reporting(to: log))
            let isAsked = await Waiting.until(within: .seconds(20)) { !evaluation.questions.isEmpty }
            trial.expect(isAsked, "it was not called: \(log.names)")
            trial.expect(!log.contains("tlsFinished"), "the handshake was over: \(log.names)")
            trial.expect(!log.contains("requestHeadSent"), "the request was sent: \(log.names)")
            trial.expect(trial.peer.requests.isEmpty, "the request arrived")
            gate.open("answer")
            trial.judge(await task.value, .whole("/"))
        },
        ConformanceCase(
            .trust, "asked.slow", "a slow evaluation delays its handshake only",
            needs: [.tls, .trustEvaluation], peer: tlsMirror()
        ) { trial in
            let clock = trial.transport.clock
            let evaluation = ScriptedEvaluation { try await clock.sleep(for: .milliseconds(700)) }
            trial.judge(await trial.exchange(try trial.secure(trust: evaluation)), .whole("/"))
        },
        ConformanceCase(
            .trust, "asked.alone", "the evaluation alone decides: the engine does not check the issuer",
            needs: [.tls, .trustEvaluation], peer: tlsMirror(PeerTLS(.stranger))
        ) { trial in
            let evaluation = ScriptedEvaluation()
            let request = try trial.secure(trust: evaluation, roots: .certificates([]))
            trial.judge(await trial.exchange(request), .whole("/"))
            let due = try TestCertificates.shared().chain(of: .stranger)
            trial.expect(evaluation.questions.first?.chain == due, "asked: \(evaluation.questions)")
        },
        ConformanceCase(
            .trust, "asked.alone.expired",
            "the evaluation alone decides: the engine does not check the validity period",
            needs: [.tls, .trustEvaluation],
            peer: tlsMirror(PeerTLS(.expired))
        ) { trial in
            trial.judge(await trial.exchange(try trial.secure(trust: ScriptedEvaluation())), .whole("/"))
        },
        ConformanceCase(
            .trust, "asked.alone.host", "the evaluation alone decides: the engine does not check the name",
            needs: [.tls, .trustEvaluation],
            peer: tlsMirror(PeerTLS(.otherHost))
        ) { trial in
            trial.judge(await trial.exchange(try trial.secure(trust: ScriptedEvaluation())), .whole("/"))
        },
        ConformanceCase(
            .trust, "asked.staple", "an evaluation gets the stapled OCSP response (RFC 6066 §8)",
            needs: [.tls, .trustEvaluation], peer: tlsMirror(PeerTLS(versions: .tls1_3 ... .tls1_3, staples: true))
        ) { trial in
            let evaluation = ScriptedEvaluation()
            trial.judge(await trial.exchange(try trial.secure(trust: evaluation)), .whole("/"))
            let staple = evaluation.questions.first?.staple
            let due = try TestCertificates.shared().staple
            trial.expect(staple == due, "the response is \(staple.map { "\($0)" } ?? "missing"), sent was \(due)")
        },
        ConformanceCase(
            .trust, "asked.tls1.2", "an evaluation gets the stapled OCSP response with TLS 1.2",
            needs: [.tls, .trustEvaluation],
            peer: tlsMirror(PeerTLS(versions: .tls1_2 ... .tls1_2))
        ) { trial in
            let clock = trial.transport.clock
            let evaluation = ScriptedEvaluation { try await clock.sleep(for: .milliseconds(50)) }
            trial.judge(await trial.exchange(try trial.secure(trust: evaluation)), .whole("/"))
            let due = try TestCertificates.shared().chain(of: .sound)
            trial.expect(evaluation.questions.map(\.chain) == [due], "asked: \(evaluation.questions)")
        },
    ]

    private static let trustRefusals: [ConformanceCase] = [
        ConformanceCase(
            .trust, "refused",
            "an evaluation that throws rejects the server with its own message, and no byte of the request is sent",
            needs: [.tls, .trustEvaluation], peer: tlsMirror()
        ) { trial in
            let outcome = await trial.exchange(try trial.secure(.post, trust: ScriptedEvaluation.refusing))
            trial.judgeRefused(outcome, words: ScriptedEvaluation.Refusal().description)
            let beneath = outcome.error?.underlying
            trial.expect(beneath is ScriptedEvaluation.Refusal, "beneath is \(String(describing: beneath))")
            trial.expectOrder(["started", "connectFinished", "tlsStarted", "failed"], outcome.events)
            try await trial.reach("closed")
            trial.expect(trial.peer.requests.isEmpty, "the request arrived")
        },
        ConformanceCase(
            .trust, "refused.next",
            "a rejected server is evaluated again, and its connection and TLS session are discarded",
            needs: [.tls, .trustEvaluation], peer: tlsMirror()
        ) { trial in
            trial.judgeRefused(await trial.exchange(try trial.secure(trust: ScriptedEvaluation.refusing)))
            let evaluation = ScriptedEvaluation()
            let outcome = await trial.exchange(try trial.secure(trust: evaluation))
            trial.judge(outcome, .whole("/"))
            trial.expect(evaluation.questions.count == 1, "it was called \(evaluation.questions.count) times")
            trial.expectConnection(outcome, "the connection was kept") { !$0.isReused }
        },
        ConformanceCase(
            .trust, "refused.others", "a rejected server does not affect concurrent requests",
            needs: [.tls, .trustEvaluation], peer: tlsMirror()
        ) { trial in
            async let good = trial.exchange(try trial.secure(.get, "/good", trust: ScriptedEvaluation()))
            async let bad = trial.exchange(try trial.secure(.get, "/bad", trust: ScriptedEvaluation.refusing))
            trial.judge(try await bad, .broken([.trustRefused], in: [.tls]))
            trial.judge(try await good, .whole("/good"))
            trial.expect(trial.peer.requests.map(\.target) == ["/good"], "\(trial.peer.requests.map(\.target)) arrived")
        },
    ]

    private static let trustLimits: [ConformanceCase] = [
        ConformanceCase(
            .trust, "outlived.tls-limit",
            "an evaluation that exceeds the limit of the handshake is cancelled, and nothing was sent",
            needs: [.tls, .trustEvaluation, .tlsLimit], peer: tlsMirror()
        ) { trial in
            try await trial.expectOutlived { $0.limits.tls = $1 }
        },
        ConformanceCase(
            .trust, "outlived.deadline", "an evaluation that exceeds the deadline is cancelled, and nothing was sent",
            needs: [.tls, .trustEvaluation, .deadline], peer: tlsMirror()
        ) { trial in
            try await trial.expectOutlived { $0.deadline = $1 }
        },
        ConformanceCase(
            .trust, "cancelled", "cancelling the request cancels the evaluation immediately, and nothing was sent",
            needs: [.tls, .trustEvaluation], peer: tlsMirror()
        ) { trial in
            let evaluation = ScriptedEvaluation { try await Task.sleep(for: .seconds(60)) }
            let task = trial.start(try trial.secure(trust: evaluation))
            let isAsked = await Waiting.until(within: .seconds(20)) { !evaluation.questions.isEmpty }
            try trial.require(isAsked, "it was not called")
            try await trial.cancel(task, in: .tls, .notSent)
            let isOver = await Waiting.until(within: .seconds(10)) { evaluation.isOver }
            trial.expect(isOver && evaluation.wasCancelled, "the evaluation was not cancelled")
            try await trial.reach("closed")
            trial.expect(trial.peer.requests.isEmpty, "the request arrived")
        },
        ConformanceCase(
            .trust, "cancelled.deaf", "the late result of an evaluation that ignores cancellation has no effect",
            needs: [.tls, .trustEvaluation], peer: tlsMirror()
        ) { trial in
            let gate = PeerSignals()
            let evaluation = ScriptedEvaluation("deaf") { await Task { await gate.wait(for: "answer") }.value }
            let task = trial.start(try trial.secure(trust: evaluation))
            let isAsked = await Waiting.until(within: .seconds(20)) { !evaluation.questions.isEmpty }
            try trial.require(isAsked, "it was not called")
            try await trial.cancel(task, in: .tls, .notSent)
            gate.open("answer")
            let isOver = await Waiting.until(within: .seconds(10)) { evaluation.isOver }
            trial.expect(isOver, "the evaluation is not over")
            trial.judge(await trial.exchange(try trial.secure(trust: ScriptedEvaluation())), .whole("/"))
            trial.expect(trial.peer.requests.count == 1, "\(trial.peer.requests.count) requests arrived")
        },
    ]
}

extension ConformanceTrial {
    /// Expects that a limit ends a handshake whose evaluation takes longer.
    fileprivate func expectOutlived(
        _ set: @escaping @Sendable (inout TransportOptions, Duration) -> Void
    ) async throws {
        let limit = Duration.milliseconds(1_500)
        let clock = transport.clock
        let evaluation = ScriptedEvaluation { try await clock.sleep(for: .seconds(60)) }
        let request = try secure(trust: evaluation) { set(&$0, limit) }
        try await expectTimeout(request, limit, in: .tls, .notSent)
        expect(evaluation.questions.count == 1, "it was called \(evaluation.questions.count) times")
        let isOver = await Waiting.until(within: .seconds(10)) { evaluation.isOver }
        expect(isOver && evaluation.wasCancelled, "the evaluation was not cancelled")
        expect(peer.requests.isEmpty, "the request arrived")
    }
}
