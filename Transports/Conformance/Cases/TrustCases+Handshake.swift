internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    private static let client: TransportFeatures = [.tls, .customRoots, .clientIdentity]

    static let identities: [ConformanceCase] = [
        ConformanceCase(
            .trust, "identity.given", "a server that requests a client certificate gets it",
            needs: client, peer: tlsMirror(PeerTLS(clientCertificate: .required))
        ) { trial in
            let identity = try TestCertificates.shared().identity
            trial.judge(await trial.exchange(try trial.secure(identity: identity)), .whole("/"))
        },
        ConformanceCase(
            .trust, "identity.tls1.2", "a server that requests a client certificate gets it with TLS 1.2 too",
            needs: client,
            peer: tlsMirror(PeerTLS(clientCertificate: .required, versions: .tls1_2 ... .tls1_2))
        ) { trial in
            let identity = try TestCertificates.shared().identity
            trial.judge(await trial.exchange(try trial.secure(identity: identity)), .whole("/"))
        },
        ConformanceCase(
            .trust, "identity.missing", "a server that requires a client certificate fails a handshake without one",
            needs: [.tls, .customRoots],
            peer: tlsMirror(PeerTLS(clientCertificate: .required, versions: .tls1_2 ... .tls1_2))
        ) { trial in
            let outcome = await trial.exchange(try trial.secure())
            // The alert may be a mere handshake_failure (RFC 5246 §7.4.6).
            trial.judge(outcome, .broken([.clientIdentityRefused, .tlsFailed], in: [.tls]))
            trial.expect(
                outcome.error?.processing != .unknown,
                "the server cannot have processed the request: \(outcome.summary)")
            trial.expect(trial.peer.requests.isEmpty, "the request arrived")
        },
        ConformanceCase(
            .trust, "identity.missing.tls1.3",
            "with TLS 1.3 the rejection arrives after the handshake, and the request was not processed",
            needs: [.tls, .customRoots],
            peer: tlsMirror(PeerTLS(clientCertificate: .required, versions: .tls1_3 ... .tls1_3))
        ) { trial in
            let outcome = await trial.exchange(try trial.secure())
            trial.judge(outcome, .broken([.clientIdentityRefused], in: [.tls]))
            trial.expect(trial.peer.requests.isEmpty, "the request arrived")
        },
        ConformanceCase(
            .trust, "identity.refused",
            "a client certificate that the server rejects fails the request in the same way",
            needs: client, peer: tlsMirror(PeerTLS(clientCertificate: .required, versions: .tls1_2 ... .tls1_2))
        ) { trial in
            let identity = try TestCertificates.shared().strangeIdentity
            let outcome = await trial.exchange(try trial.secure(identity: identity))
            trial.judge(outcome, .broken([.clientIdentityRefused], in: [.tls]))
            trial.expect(trial.peer.requests.isEmpty, "the request arrived")
        },
        ConformanceCase(
            .trust, "identity.optional", "a server that only requests a client certificate responds without one",
            needs: [.tls, .customRoots], peer: tlsMirror(PeerTLS(clientCertificate: .optional))
        ) { trial in
            trial.judge(await trial.exchange(try trial.secure()), .whole("/"))
        },
        ConformanceCase(
            .trust, "identity.unasked", "an identity that the server does not request has no effect",
            needs: client, peer: tlsMirror()
        ) { trial in
            let identity = try TestCertificates.shared().identity
            trial.judge(await trial.exchange(try trial.secure(identity: identity)), .whole("/"))
        },
    ]

    static let handshakes: [ConformanceCase] = [
        ConformanceCase(
            .trust, "version.minimum",
            "a server whose TLS versions are too old fails the handshake, and nothing was sent",
            needs: [.tls, .customRoots, .tlsVersionBounds], peer: tlsMirror(PeerTLS(versions: .tls1_2 ... .tls1_2))
        ) { trial in
            let outcome = await trial.exchange(try trial.secure { $0.tls.minimumVersion = .tls1_3 })
            trial.judge(outcome, .broken([.tlsFailed], in: [.tls]))
            trial.expect(outcome.error?.processing == .notSent, "not reported as not sent: \(outcome.summary)")
            trial.expect(trial.peer.requests.isEmpty, "the request arrived")
        },
        ConformanceCase(
            .trust, "version.maximum",
            "a server whose TLS versions are too new fails the handshake, and nothing was sent",
            needs: [.tls, .customRoots, .tlsVersionBounds], peer: tlsMirror(PeerTLS(versions: .tls1_3 ... .tls1_3))
        ) { trial in
            let outcome = await trial.exchange(try trial.secure { $0.tls.maximumVersion = .tls1_2 })
            trial.judge(outcome, .broken([.tlsFailed], in: [.tls]))
            trial.expect(outcome.error?.processing == .notSent, "not reported as not sent: \(outcome.summary)")
        },
        ConformanceCase(
            .trust, "version.bounded", "the newest version within the bounds that both sides support is used",
            needs: [.tls, .customRoots, .tlsVersionBounds], peer: tlsMirror()
        ) { trial in
            let newest = await trial.exchange(try trial.secure())
            trial.judge(newest, .whole("/"))
            trial.expectConnection(newest, "\(String(describing: newest.connection?.tls))") {
                $0.tls?.version == .tls1_3
            }
            let bounded = await trial.exchange(try trial.secure { $0.tls.maximumVersion = .tls1_2 })
            trial.judge(bounded, .whole("/"))
            trial.expectConnection(bounded, "\(String(describing: bounded.connection?.tls))") {
                $0.tls?.version == .tls1_2
            }
        },
        ConformanceCase(
            .trust, "name", "the handshake has the host name (RFC 6066 §3), but no address",
            needs: [.tls, .customRoots], peer: tlsMirror()
        ) { trial in
            trial.judge(await trial.exchange(try trial.secure(host: "localhost")), .whole("/"))
            trial.judge(await trial.exchange(try trial.secure()), .whole("/"))
            let names = trial.peer.connections.map { $0.serverName ?? "none" }
            trial.expect(names == ["localhost", "none"], "the names were \(names)")
        },
        ConformanceCase(
            .trust, "protocol.offered", "only the permitted protocols are offered (RFC 7301)",
            needs: [.tls, .customRoots, .http1], peer: tlsMirror(PeerTLS(protocols: ["http/1.1"]))
        ) { trial in
            let outcome = await trial.exchange(try trial.secure { $0.httpVersion = .http1Only })
            trial.judge(outcome, .whole("/"))
            let offered = trial.peer.connections.first?.offeredProtocols ?? []
            trial.expect(offered.isEmpty || offered == ["http/1.1"], "\(offered) were offered")
            trial.expectConnection(outcome, "\(String(describing: outcome.connection))") { $0.httpVersion == .http1_1 }
        },
        ConformanceCase(
            .trust, "protocol.chosen", "the protocol that the server chooses is reported and used",
            needs: [.tls, .customRoots, .http1], peer: tlsMirror(PeerTLS(protocols: ["http/1.1"]))
        ) { trial in
            let outcome = await trial.exchange(try trial.secure())
            trial.judge(outcome, .whole("/"))
            let chosen = outcome.connection?.tls?.applicationProtocol
            trial.expectConnection(outcome, "\(chosen ?? "none") was chosen") { _ in chosen == "http/1.1" }
        },
        ConformanceCase(
            .trust, "protocol.unanswered", "without an answer to the offer the engine speaks HTTP/1.1",
            needs: [.tls, .customRoots, .http1], peer: tlsMirror()
        ) { trial in
            let outcome = await trial.exchange(try trial.secure())
            trial.judge(outcome, .whole("/"))
            trial.expectConnection(outcome, "\(String(describing: outcome.connection))") { $0.httpVersion == .http1_1 }
            trial.expect(outcome.connection?.tls?.applicationProtocol == nil, "a protocol is reported as chosen")
        },
        ConformanceCase(
            .trust, "protocol.http2-only",
            "with HTTP/2 only, a server that does not agree to HTTP/2 is rejected",
            needs: [.tls, .customRoots, .http2], peer: tlsMirror(PeerTLS(protocols: ["http/1.1"]))
        ) { trial in
            let outcome = await trial.exchange(try trial.secure { $0.httpVersion = .http2Only })
            trial.judge(outcome, .broken([.tlsFailed], in: [.tls]))
            trial.expect(trial.peer.requests.isEmpty, "the request arrived")
        },
        ConformanceCase(
            .trust, "described", "the handshake is part of the connection's description, and reported in order",
            needs: [.tls, .customRoots], alsoAt: [.events], peer: tlsMirror()
        ) { trial in
            let outcome = await trial.exchange(try trial.secure())
            trial.judge(outcome, .whole("/"))
            let tls = try trial.require(outcome.connection?.tls, "there is no description")
            trial.expect(tls.version == .tls1_3, "the version is \(tls.version)")
            trial.expect(tls.cipherSuite.hasPrefix("TLS_"), "the cipher suite is \(tls.cipherSuite)")
            trial.expect(try TestCertificates.shared().chain(of: .sound) == tls.chain, "the chain is \(tls.chain)")
            trial.expect(!tls.isResumed, "it is reported as resumed")
            trial.expectOrder(
                [
                    "started", "connectStarted", "connectFinished", "tlsStarted", "tlsFinished", "connectionAcquired",
                    "requestHeadSent", "requestFinished", "responseHead", "released",
                ],
                outcome.events
            )
            guard case .tlsFinished(let reported) = outcome.events.first("tlsFinished")?.kind else { return }
            trial.expect(reported == tls, "reported: \(reported); returned: \(tls)")
        },
    ]

    private static let statusLine = "HTTP/1.1 200 OK\r\n"

    /// A case of a TLS server that closes in one of several ways, after the client has read a part.
    private static func hangUp(
        _ name: String,
        _ title: String,
        _ answer: String,
        _ end: PeerStep,
        due expected: Expected
    ) -> ConformanceCase {
        ConformanceCase(
            .trust, "closed.\(name)", title, needs: [.tls, .customRoots],
            peer: PeerScenario(tls: PeerTLS(), .readRequest, .send(answer), .await("read"), end)
        ) { trial in
            let log = EventLog()
            let task = trial.start(try trial.secure().reporting(to: log))
            let isRead = await trial.reached("responseBodyReceived", in: log, within: .seconds(20))
            trial.expect(isRead, "the answer did not come: \(log.names)")
            trial.peer.signals.open("read")
            trial.judge(await task.value, expected)
        }
    }

    static let closing: [ConformanceCase] = [
        hangUp(
            "in-order", "content of unknown length ends with a TLS closing alert (RFC 8446 §6.1)",
            statusLine + "\r\nok", .close, due: .whole("ok")
        ),
        hangUp(
            "cut", "content of unknown length without a TLS closing alert is truncated (RFC 9112 §9.8)",
            statusLine + "\r\nok",
            .cut,
            due: .cutBody
        ),
        hangUp(
            "cut.length", "complete content of a known length needs no TLS closing alert",
            statusLine + "Content-Length: 2\r\n\r\nok", .cut, due: .whole("ok")
        ),
        hangUp(
            "short", "a TLS closing alert does not complete content that is too short",
            statusLine + "Content-Length: 3\r\n\r\nok", .close, due: .truncated
        ),
        hangUp(
            "cut.chunk", "chunked content without its last chunk is truncated",
            statusLine + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", .cut,
            due: .cutBody
        ),
    ]
}
