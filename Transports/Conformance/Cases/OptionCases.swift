internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    /// Each option that an engine may lack, with a change of a request that sets it.
    private static let asks: [(feature: TransportFeatures, ask: @Sendable (inout TransportRequest) -> Void)] = [
        (.http2, { $0.options.httpVersion = .http2Only }),
        (.http2PriorKnowledge, { $0.options.httpVersion = .http2PriorKnowledge }),
        (.tls, { $0.head.scheme = "https" }),
        (.trustEvaluation, { $0.trust = ClosureTrustEvaluation { _, _, _, _ in } }),
        (.clientIdentity, { $0.identity = ClientIdentity(chain: [], privateKey: DER([])) }),
        (.tlsVersionBounds, { $0.options.tls.minimumVersion = .tls1_3 }),
        (.customRoots, { $0.options.tls.roots = .certificates([]) }),
        (.httpProxy, { $0.options.proxy = .proxy(Proxy(kind: .http, host: "127.0.0.1", port: 9)) }),
        (.httpsProxy, { $0.options.proxy = .proxy(Proxy(kind: .https, host: "127.0.0.1", port: 9)) }),
        (.socksProxy, { $0.options.proxy = .proxy(Proxy(kind: .socks5, host: "127.0.0.1", port: 9)) }),
        (.environmentProxy, { $0.options.proxy = .environment }),
        (
            .resolveOverrides,
            { $0.options.resolveOverrides = [ResolveOverride(host: "h", port: 1, addresses: ["127.0.0.1"])] }
        ),
        (.localAddress, { $0.options.localAddress = "127.0.0.1" }),
        (.networkInterface, { $0.options.networkInterface = "lo" }),
        (.unixSocket, { $0.options.unixSocketPath = "/nonexistent/socket" }),
        (.priority, { $0.options.priority = RequestPriority(urgency: 1) }),
        (.expectContinue, { $0.options.expectContinue = .always(wait: .seconds(1)) }),
        (.requestTrailers, { $0.body = RequestBody.bytes(Data("x".utf8)).trailers { [:] } }),
        (.deadline, { $0.options.deadline = .seconds(9) }),
        (.poolLimit, { $0.options.limits.pool = .seconds(9) }),
        (.connectLimit, { $0.options.limits.connect = .seconds(9) }),
        (.tlsLimit, { $0.options.limits.tls = .seconds(9) }),
        (.writeIdleLimit, { $0.options.limits.writeIdle = .seconds(9) }),
        (.firstByteLimit, { $0.options.limits.firstByte = .seconds(9) }),
        (.readIdleLimit, { $0.options.limits.readIdle = .seconds(9) }),
    ]

    static let options: [ConformanceCase] =
        [
            ConformanceCase(
                .options, "lacking",
                "an option that the engine lacks is rejected by name before any I/O",
                peer: .keeping()
            ) { trial in
                let capabilities = trial.transport.capabilities
                for (feature, ask) in asks where !capabilities.features.contains(feature) {
                    var request = trial.request()
                    ask(&request)
                    let outcome = await trial.exchange(request)
                    trial.judge(outcome, .broken([.unsupportedOption], in: [.options]))
                    let message = outcome.error?.message ?? ""
                    let isNamed = message.contains(capabilities.engine) && message.contains(feature.description)
                    trial.expect(isNamed, "the message does not name the engine and \(feature): \(outcome.summary)")
                    let names = outcome.events.names
                    trial.expect(!trial.claims(.events) || names == ["started", "failed"], "reported: \(names)")
                }
                trial.expect(trial.peer.connections.isEmpty, "it connected")
            },
            ConformanceCase(
                .options, "capabilities", "an engine has a name, speaks a version of HTTP, and does not change",
                peer: .keeping()
            ) { trial in
                let before = trial.transport.capabilities
                trial.expect(!before.engine.isEmpty, "the engine has no name")
                trial.expect(
                    !before.features.isDisjoint(with: [.http1, .http2, .http3]), "it speaks \(before.features)")
                trial.expect(before.contentCodings.isEmpty, "an engine decodes no content: layers do")
                _ = await trial.get()
                trial.expect(trial.transport.capabilities == before, "the capabilities have changed")
            },
            ConformanceCase(
                .options, "nothing-above-an-exchange",
                "an engine follows no redirects, answers no challenges and stores no cookies",
                peer: PeerScenario(
                    .forever([
                        .readRequest,
                        .reply { request in
                            let head =
                                request.target == "/first"
                                ? Answer.head(
                                    "302 Found",
                                    fields: ["Location: /elsewhere", "Set-Cookie: a=b", "Content-Length: 0"])
                                : Answer.head(
                                    "401 Unauthorized",
                                    fields: ["WWW-Authenticate: Basic realm=x", "Content-Length: 0"])
                            return Array(head.utf8)
                        },
                    ])
                )
            ) { trial in
                trial.judge(await trial.get("/first"), .status(302, ""))
                trial.judge(await trial.get("/second"), .status(401, ""))
                let targets = trial.peer.requests.map(\.target)
                trial.expect(targets == ["/first", "/second"], "sent: \(targets)")
                trial.expect(trial.peer.requests.last?.values("Cookie") == [], "a cookie was sent")
            },
            ConformanceCase(
                .options, "no-decoding", "content codings are neither removed nor requested",
                peer: .keeping(Answer.head(fields: ["Content-Encoding: gzip", "Content-Length: 4"]) + "\u{1f}abc")
            ) { trial in
                let outcome = await trial.get()
                trial.judge(outcome, .whole("\u{1f}abc"))
                trial.expect(outcome.values("Content-Encoding") == ["gzip"], "the field is gone")
                trial.expect(trial.peer.requests.first?.values("Accept-Encoding") == [], "a coding was asked for")
            },
            ConformanceCase(
                .options, "http1-only", "with HTTP/1.1 only, the engine speaks HTTP/1.1",
                needs: .http1, peer: .keeping()
            ) { trial in
                let outcome = await trial.exchange(trial.request { $0.httpVersion = .http1Only })
                trial.judge(outcome, .whole("ok"))
                trial.expectConnection(outcome, "\(String(describing: outcome.connection?.httpVersion))") {
                    $0.httpVersion == .http1_1
                }
                trial.expect(trial.peer.requests.first?.values("Upgrade") == [], "an upgrade was offered")
            },
            ConformanceCase(
                .options, "priority", "a priority is sent to the server (RFC 9218 §5)",
                needs: .priority, peer: .keeping()
            ) { trial in
                let request = trial.request { $0.priority = RequestPriority(urgency: 1, isIncremental: true) }
                trial.judge(await trial.exchange(request), .whole("ok"))
                let value = trial.peer.requests.first?.values("Priority").first ?? ""
                let members = value.split(separator: ",").map { $0.filter { $0 != " " } }.sorted()
                trial.expect(members == ["i", "u=1"], "Priority: \(value)")
            },
        ] + addresses + proxies

    private static let addresses: [ConformanceCase] = [
        ConformanceCase(
            .options, "resolve-override", "given addresses replace the resolver's",
            needs: .resolveOverrides, peer: .keeping()
        ) { trial in
            let port = Int(trial.peer.authority.split(separator: ":").last ?? "") ?? 0
            var request = trial.request {
                $0.resolveOverrides = [ResolveOverride(host: "host.invalid", port: port, addresses: ["127.0.0.1"])]
            }
            request.head.authority = "host.invalid:\(port)"
            let outcome = await trial.exchange(request)
            trial.judge(outcome, .whole("ok"))
            trial.expect(
                trial.peer.requests.first?.values("Host") == ["host.invalid:\(port)"], "the Host field is another")
        },
        ConformanceCase(
            .options, "local-address", "the connection comes from the given local address",
            needs: .localAddress, peer: .keeping()
        ) { trial in
            trial.judge(await trial.exchange(trial.request { $0.localAddress = "127.0.0.2" }), .whole("ok"))
            let address = trial.peer.connections.first?.clientAddress
            trial.expect(address == "127.0.0.2", "it came from \(address ?? "nowhere")")
        },
    ]

    private static let proxies: [ConformanceCase] = [
        ConformanceCase(
            .options, "proxy.absolute-form", "an HTTP proxy gets the absolute form (RFC 9112 §3.2.2)",
            needs: .httpProxy, peer: .mirror
        ) { trial in
            let outcome = await trial.exchange(trial.throughPeer("http", "/path?query"))
            trial.judge(outcome, .whole("http://target.invalid/path?query"))
            trial.expectConnection(outcome, "the connection is not reported as proxied") { $0.isProxied }
            let request = trial.peer.requests.first
            trial.expect(request?.values("Host") == ["target.invalid"], "\(request?.fields ?? [])")
            trial.expect(request?.values("Proxy-Connection") == [], "Proxy-Connection is not a field of HTTP")
            trial.expectOrder(
                ["proxyStarted", "proxyFinished", "connectionAcquired", "requestHeadSent"], outcome.events)
        },
        ConformanceCase(
            .options, "proxy.credential", "the proxy's credential is sent to the proxy only (RFC 7617)",
            needs: .httpProxy, peer: .keeping()
        ) { trial in
            let credential = Proxy.Credential(username: "user", password: "open sesame")
            trial.judge(await trial.exchange(trial.throughPeer("http", credential: credential)), .whole("ok"))
            let values = trial.peer.requests.first?.values("Proxy-Authorization") ?? []
            trial.expect(values == ["Basic dXNlcjpvcGVuIHNlc2FtZQ=="], "\(values)")
            trial.expect(trial.peer.requests.first?.values("Authorization") == [], "the server got it too")
        },
        ConformanceCase(
            .options, "proxy.excluded", "excluded hosts are reached without the proxy",
            needs: [.httpProxy, .resolveOverrides], peer: .mirror
        ) { trial in
            var request = trial.throughPeer("http", "/direct", excluding: ["127.0.0.1"])
            request.head.authority = trial.peer.authority
            trial.judge(await trial.exchange(request), .whole("/direct"))
        },
        ConformanceCase(
            .options, "proxy.tunnel-refused", "a proxy that rejects a tunnel fails the exchange, and nothing was sent",
            needs: [.httpProxy, .tls],
            peer: PeerScenario(.readRequest, .send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"), .awaitClose)
        ) { trial in
            let outcome = await trial.exchange(trial.throughPeer("https"))
            trial.judge(outcome, .broken([.proxyFailed], in: [.proxy]))
            trial.expect(
                outcome.error?.message.contains("403") == true, "the error lacks the status: \(outcome.summary)")
            let request = trial.peer.requests.first
            let line = "\(request?.method ?? "") \(request?.target ?? "")"
            trial.expect(line == "CONNECT target.invalid:443", "the proxy was asked for \(line)")
        },
        ConformanceCase(
            .options, "proxy.closes", "a proxy that closes the connection fails the exchange, and nothing was sent",
            needs: [.httpProxy, .tls], peer: PeerScenario(.readRequest, .close)
        ) { trial in
            trial.judge(await trial.exchange(trial.throughPeer("https")), .broken([.proxyFailed], in: [.proxy]))
        },
        ConformanceCase(
            .options, "proxy.refused", "a proxy's closed port fails the request",
            needs: .httpProxy, peer: PeerScenario(.refusing)
        ) { trial in
            trial.judge(
                await trial.exchange(trial.throughPeer("http")), .broken([.proxyFailed], in: [.proxy, .connect]))
        },
    ]
}

extension ConformanceTrial {
    /// A request for a host that does not exist, with the peer as its proxy.
    fileprivate func throughPeer(
        _ scheme: String,
        _ path: String = "/",
        credential: Proxy.Credential? = nil,
        excluding hosts: [String] = []
    ) -> TransportRequest {
        let parts = peer.authority.split(separator: ":")
        var request = request(.get, path, scheme: scheme) {
            $0.proxy = .proxy(
                Proxy(
                    host: String(parts.first ?? ""),
                    port: parts.last.flatMap { Int($0) } ?? 0,
                    credential: credential,
                    excludedHosts: hosts
                )
            )
        }
        request.head.authority = "target.invalid"
        return request
    }
}
