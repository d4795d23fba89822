internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    static let trustDefaults: [ConformanceCase] = [
        ConformanceCase(
            .trust, "default.sound", "without an evaluation the engine accepts a chain to a given root",
            needs: [.tls, .customRoots], peer: tlsMirror()
        ) { trial in
            trial.judge(await trial.exchange(try trial.secure()), .whole("/"))
            trial.judge(await trial.exchange(try trial.secure(host: "localhost")), .whole("/"))
        },
        ConformanceCase(
            .trust, "default.system", "the system's roots do not include a private one",
            needs: .tls, peer: tlsMirror()
        ) { trial in
            trial.judgeRefused(await trial.exchange(trial.request(scheme: "https")))
        },
        ConformanceCase(
            .trust, "default.other-root", "a chain to another root than the given one is rejected",
            needs: [.tls, .customRoots], peer: tlsMirror()
        ) { trial in
            let other = try TestCertificates.shared().otherRoot
            trial.judgeRefused(await trial.exchange(try trial.secure(roots: .certificates([other]))))
        },
        ConformanceCase(
            .trust, "default.no-root", "an empty list of roots rejects every chain", needs: [.tls, .customRoots],
            peer: tlsMirror()
        ) { trial in
            trial.judgeRefused(await trial.exchange(try trial.secure(roots: .certificates([]))))
        },
        ConformanceCase(
            .trust, "default.stranger", "a certificate of an unknown issuer is rejected",
            needs: [.tls, .customRoots], peer: tlsMirror(PeerTLS(.stranger))
        ) { trial in
            trial.judgeRefused(await trial.exchange(try trial.secure()))
        },
        ConformanceCase(
            .trust, "default.incomplete", "a chain with a missing intermediate is rejected",
            needs: [.tls, .customRoots], peer: tlsMirror(PeerTLS(.incomplete))
        ) { trial in
            trial.judgeRefused(await trial.exchange(try trial.secure()))
        },
        ConformanceCase(
            .trust, "default.other-host",
            "a certificate for another host is rejected, and the error names both hosts (RFC 9525 §6)",
            needs: [.tls, .customRoots], peer: tlsMirror(PeerTLS(.otherHost))
        ) { trial in
            trial.judgeRefused(
                await trial.exchange(try trial.secure(host: "localhost")), words: "other.test", "localhost")
        },
        ConformanceCase(
            .trust, "default.other-address", "addresses are checked like names", needs: [.tls, .customRoots],
            peer: tlsMirror(PeerTLS(.otherHost))
        ) { trial in
            trial.judgeRefused(await trial.exchange(try trial.secure()), words: "127.0.0.1")
        },
        ConformanceCase(
            .trust, "default.expired", "an expired certificate is rejected", needs: [.tls, .customRoots],
            peer: tlsMirror(PeerTLS(.expired))
        ) { trial in
            trial.judgeRefused(await trial.exchange(try trial.secure()), words: "expired")
        },
    ]

    /// A case of two requests with different trust, identities or settings.
    private static func apart(
        _ name: String,
        _ title: String,
        needs: TransportFeatures,
        _ first: @escaping @Sendable (inout TransportRequest) throws -> Void,
        _ second: @escaping @Sendable (inout TransportRequest) throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(
            .trust, "shared.\(name)", title, needs: needs, alsoAt: [.connections], peer: tlsMirror()
        ) { trial in
            for (number, change) in [first, second, first].enumerated() {
                var request = try trial.secure(.get, "/\(number)")
                try change(&request)
                let outcome = await trial.exchange(request)
                trial.judge(outcome, .whole("/\(number)"))
                trial.expectConnection(outcome, "isReused is wrong in request \(number)") {
                    $0.isReused == (number == 2)
                }
            }
            trial.expect(trial.peer.connections.count == 2, "\(trial.peer.connections.count) connections were made")
        }
    }

    static let trustSharing: [ConformanceCase] = [
        ConformanceCase(
            .trust, "shared.same-key", "evaluations with the same key share a connection, which is evaluated once",
            needs: [.tls, .trustEvaluation], alsoAt: [.connections], peer: tlsMirror()
        ) { trial in
            let evaluations = (0..<3).map { _ in ScriptedEvaluation("one key") }
            for (number, evaluation) in evaluations.enumerated() {
                let outcome = await trial.exchange(try trial.secure(.get, "/\(number)", trust: evaluation))
                trial.judge(outcome, .whole("/\(number)"))
                trial.expectConnection(outcome, "isReused is wrong in request \(number)") {
                    $0.isReused == (number > 0)
                }
            }
            let counts = evaluations.map(\.questions.count)
            trial.expect(counts == [1, 0, 0], "they were called \(counts) times")
            trial.expect(trial.peer.connections.count == 1, "\(trial.peer.connections.count) connections were made")
        },
        ConformanceCase(
            .trust, "shared.refusing-key",
            "a connection that one evaluation accepted is not used under another, which rejects",
            needs: [.tls, .trustEvaluation], peer: tlsMirror()
        ) { trial in
            trial.judge(await trial.exchange(try trial.secure(trust: ScriptedEvaluation())), .whole("/"))
            let refusing = ScriptedEvaluation.refusing
            let outcome = await trial.exchange(try trial.secure(.get, "/second", trust: refusing))
            trial.judge(outcome, .broken([.trustRefused], in: [.tls]))
            trial.expect(refusing.questions.count == 1, "it was called \(refusing.questions.count) times")
            trial.expect(trial.peer.requests.map(\.target) == ["/"], "\(trial.peer.requests.map(\.target)) arrived")
        },
        ConformanceCase(
            .trust, "shared.never-asked-again", "a TLS session is not resumed under another key",
            needs: [.tls, .trustEvaluation],
            peer: PeerScenario(tls: PeerTLS(), .readRequest, .send(Answer.ok("ok", "Connection: close")), .close)
        ) { trial in
            trial.judge(await trial.exchange(try trial.secure(trust: ScriptedEvaluation())), .whole("ok"))
            trial.judge(
                await trial.exchange(try trial.secure(trust: ScriptedEvaluation.refusing)),
                .broken([.trustRefused], in: [.tls])
            )
        },
        apart(
            "other-key", "evaluations with different keys do not share a connection", needs: [.tls, .trustEvaluation],
            { $0.trust = ScriptedEvaluation("one") }, { $0.trust = ScriptedEvaluation("two") }
        ),
        apart(
            "no-evaluation", "requests with and without an evaluation do not share a connection",
            needs: [.tls, .trustEvaluation, .customRoots], { $0.trust = ScriptedEvaluation("one") }, { $0.trust = nil }
        ),
        apart(
            "roots", "requests with different roots do not share a connection", needs: [.tls, .customRoots], { _ in },
            { request in
                let certificates = try TestCertificates.shared()
                request.options.tls.roots = .certificates([certificates.root, certificates.otherRoot])
            }
        ),
        apart(
            "versions", "requests with different TLS versions do not share a connection",
            needs: [.tls, .customRoots, .tlsVersionBounds], { _ in }, { $0.options.tls.minimumVersion = .tls1_3 }
        ),
        apart(
            "identity", "requests with different client certificates do not share a connection",
            needs: [.tls, .customRoots, .clientIdentity],
            { _ in }, { $0.identity = try TestCertificates.shared().identity }
        ),
    ]
}
