import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Faults", .timeLimit(.minutes(1)))
struct FaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: Fault
        let code: TransportError.Code
        let phase: TransportPhase
        let processing: TransportError.Processing
        /// The last event before the failure.
        let lastEvent: String
        var change: @Sendable (inout TransportRequest) -> Void = { _ in }
    }

    static let cases = [
        Case(
            testDescription: "no address", fault: .dnsFailure, code: .nameResolutionFailed, phase: .resolve,
            processing: .notSent, lastEvent: "resolveStarted"
        ),
        Case(
            testDescription: "refused", fault: .connectionRefused, code: .connectFailed, phase: .connect,
            processing: .notSent, lastEvent: "connectFailed"
        ),
        Case(
            testDescription: "unreachable", fault: .networkUnreachable, code: .networkUnreachable, phase: .connect,
            processing: .notSent, lastEvent: "connectFailed"
        ),
        Case(
            testDescription: "refused by the proxy", fault: .proxyRefused(), code: .proxyFailed, phase: .proxy,
            processing: .notSent, lastEvent: "proxyStarted",
            change: { $0.options.proxy = .proxy(Proxy(host: "proxy.test", port: 3128)) }
        ),
        Case(
            testDescription: "TLS", fault: .tlsFailure("wrong version number"), code: .tlsFailed, phase: .tls,
            processing: .notSent, lastEvent: "tlsStarted"
        ),
        Case(
            testDescription: "untrusted, no evaluation", fault: .untrusted(), code: .trustRefused, phase: .tls,
            processing: .notSent, lastEvent: "tlsStarted"
        ),
        Case(
            testDescription: "client identity", fault: .clientIdentityRequired, code: .clientIdentityRefused,
            phase: .tls,
            processing: .notSent, lastEvent: "tlsStarted"
        ),
        Case(
            testDescription: "reset in the request's body", fault: .reset(afterSending: 4), code: .connectionLost,
            phase: .requestBody, processing: .unknown, lastEvent: "requestBodySent"
        ),
        Case(
            testDescription: "reset before the head", fault: .resetBeforeHead, code: .connectionLost,
            phase: .responseHead, processing: .unknown, lastEvent: "requestFinished"
        ),
        Case(
            testDescription: "reset in the head", fault: .resetInHead, code: .connectionLost, phase: .responseHead,
            processing: .unknown, lastEvent: "requestFinished"
        ),
        Case(
            testDescription: "no HTTP", fault: .malformedHead, code: .malformedResponse, phase: .responseHead,
            processing: .unknown, lastEvent: "requestFinished"
        ),
        Case(
            testDescription: "reset before the body", fault: .reset(afterBytes: 0), code: .connectionLost,
            phase: .responseBody, processing: .unknown, lastEvent: "responseHead"
        ),
        Case(
            testDescription: "reset in the body", fault: .reset(afterBytes: 4), code: .connectionLost,
            phase: .responseBody, processing: .unknown, lastEvent: "responseBodyReceived"
        ),
        Case(
            testDescription: "closed in the body", fault: .close(afterBytes: 4), code: .bodyTruncated,
            phase: .responseBody, processing: .unknown, lastEvent: "responseBodyReceived"
        ),
        Case(
            testDescription: "reset after the body", fault: .reset(afterBytes: 100), code: .connectionLost,
            phase: .responseBody, processing: .unknown, lastEvent: "responseBodyReceived"
        ),
    ]

    @Test("A fault fails the exchange in its phase, with its code, after the events before it", arguments: cases)
    func fault(test: Case) async throws {
        let mock = MockTransport { Route("/").reply(.text("0123456789").failing(with: test.fault)) }
        let log = EventLog()
        let request = TransportRequest.request(
            .post, "https://api.test/", body: .bytes(Data("0123456789".utf8)), events: log
        )
        let error = await mock.failure(of: request.with(test.change))
        #expect(error?.code == test.code)
        #expect(error?.phase == test.phase)
        #expect(error?.processing == test.processing)
        #expect(error?.origin == Origin(scheme: "https", host: "api.test"))
        #expect(log.error?.code == test.code)
        #expect(log.names.suffix(2) == [test.lastEvent, "failed"])
        #expect(mock.connectionCount == 0)
        let total = log.events.compactMap { event -> Int64? in
            if case .responseBodyReceived(_, let total) = event.kind { total } else { nil }
        }.last
        if test.lastEvent == "responseBodyReceived" {
            #expect(total == (test.testDescription.hasSuffix("after the body") ? 10 : 4))
        }
    }

    @Test("A fault without a body is in a body of as many zero bytes as it lets through")
    func alone() async throws {
        let mock = MockTransport { Route(.get, "/broken").reply(.fault(.reset(afterBytes: 10))) }
        let response = try await mock.send(.get("/broken"))
        #expect(response.head.status == .ok)
        #expect(try await response.body.next() == Data(count: 10))
        let error = await #expect(throws: TransportError.self) { try await response.body.next() }
        #expect(error?.code == .connectionLost)
    }

    @Test("A fault of connecting happens although a connection is kept, and leaves that one alone")
    func faultDespiteKeptConnection() async throws {
        let mock = MockTransport {
            Route(.get, "/good").reply(.text("x"))
            Route(.get, "/bad").reply(.fault(.dnsFailure))
        }
        _ = try await mock.text("/good")
        #expect(await mock.failure(of: .get("/bad"))?.code == .nameResolutionFailed)
        let log = EventLog()
        _ = try await mock.fetch(.get("/good", events: log))
        #expect(log.names.contains("decided"))
    }

    @Test("The request's evaluation is called with the chain, before a byte is sent", arguments: [true, false])
    func trust(isTrusted: Bool) async throws {
        struct Refusal: Error {}
        let asked = Log<String>()
        let chain = [DER([1, 2, 3]), DER([4])]
        let evaluation = ClosureTrustEvaluation { chain, host, port, stapled in
            asked.append("\(chain.map(\.bytes)) \(host):\(port) \(stapled?.bytes ?? [])")
            if !isTrusted { throw Refusal() }
        }
        let mock = MockTransport {
            Route(.get, "/").reply(.text("x").failing(with: .untrusted(chain: chain, stapledOCSPResponse: DER([9]))))
        }
        let log = EventLog()
        let request = TransportRequest.get("https://api.test/", events: log).with { $0.trust = evaluation }
        let error = await mock.failure(of: request)
        #expect(asked.values == ["[[1, 2, 3], [4]] api.test:443 [9]"])
        #expect((error == nil) == isTrusted)
        #expect(log.names.contains("requestHeadSent") == isTrusted)
        guard !isTrusted else { return }
        #expect(error?.isTrustFailure == true)
        #expect(error?.underlying is Refusal)
        #expect(error?.processing == .notSent)
    }

    @Test("An evaluation that takes too long meets the limit on the handshake")
    func slowTrust() async throws {
        let clock = VirtualClock()
        let mock = MockTransport(configuration: .init(clock: clock)) { Route("/") }
        let evaluation = ClosureTrustEvaluation { _, _, _, _ in try await clock.sleep(for: .seconds(60)) }
        let request = TransportRequest.get("https://api.test/").with {
            $0.trust = evaluation
            $0.options.limits.tls = .seconds(10)
        }
        let error = await mock.failure(of: request)
        #expect(error?.isTimeout == true)
        #expect(error?.phase == .tls)
        #expect(clock.elapsed == .seconds(10))
    }

    @Test("A reply presents its own certificates on its own connection")
    func presenting() async throws {
        let mock = MockTransport {
            Route(.get, "/plain")
            Route(.get, "/other").reply(.text("x").presenting(ServerCertificates(chain: [DER([7])])))
        }
        let first = try await mock.send(.get("https://api.test/plain"))
        let second = try await mock.send(.get("https://api.test/other"))
        #expect(first.connection?.id != second.connection?.id)
        #expect(second.connection?.tls?.chain == [DER([7])])
    }

    static let versions: [(TLSVersion, TLSVersion?, TLSVersion?, TLSVersion?)] = [
        (.tls1_3, nil, nil, .tls1_3),
        (.tls1_3, nil, .tls1_2, .tls1_2),
        (.tls1_2, nil, nil, .tls1_2),
        (.tls1_2, .tls1_3, nil, nil),
        (.tls1_1, nil, nil, nil),
    ]

    @Test("TLS versions are agreed on, or not", arguments: versions)
    func tlsVersion(server: TLSVersion, minimum: TLSVersion?, maximum: TLSVersion?, agreed: TLSVersion?) async throws {
        var configuration = MockTransport.Configuration()
        configuration.tlsVersion = server
        let mock = MockTransport(configuration: configuration) { Route("/") }
        let request = TransportRequest.get("https://api.test/").with {
            $0.options.tls = TLSOptions(minimumVersion: minimum, maximumVersion: maximum)
        }
        do throws(TransportError) {
            let response = try await mock.send(request)
            #expect(response.connection?.tls?.version == agreed)
        } catch {
            #expect(agreed == nil)
            #expect(error.code == .tlsFailed)
        }
    }
}
