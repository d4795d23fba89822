import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("The capabilities of a mock", .timeLimit(.minutes(1)))
struct CapabilityTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let feature: TransportFeatures
        let change: @Sendable (inout TransportRequest) -> Void
    }

    static let cases = [
        Case(testDescription: "deadline", feature: .deadline) { $0.options.deadline = .seconds(1) },
        Case(testDescription: "pool limit", feature: .poolLimit) { $0.options.limits.pool = .seconds(1) },
        Case(testDescription: "connect limit", feature: .connectLimit) { $0.options.limits.connect = .seconds(1) },
        Case(testDescription: "TLS limit", feature: .tlsLimit) { $0.options.limits.tls = .seconds(1) },
        Case(testDescription: "write limit", feature: .writeIdleLimit) { $0.options.limits.writeIdle = .seconds(1) },
        Case(testDescription: "first byte", feature: .firstByteLimit) { $0.options.limits.firstByte = .seconds(1) },
        Case(testDescription: "read limit", feature: .readIdleLimit) { $0.options.limits.readIdle = .seconds(1) },
        Case(testDescription: "HTTP/2", feature: .http2) { $0.options.httpVersion = .http2Only },
        Case(testDescription: "Unix socket", feature: .unixSocket) { $0.options.unixSocketPath = "/s" },
        Case(testDescription: "priority", feature: .priority) { $0.options.priority = RequestPriority(urgency: 1) },
        Case(testDescription: "expect", feature: .expectContinue) {
            $0.options.expectContinue = .always(wait: .seconds(1))
        },
        Case(testDescription: "proxy", feature: .socksProxy) {
            $0.options.proxy = .proxy(Proxy(kind: .socks5, host: "proxy.test", port: 1080))
        },
        Case(testDescription: "trust", feature: .trustEvaluation) {
            $0.trust = ClosureTrustEvaluation { _, _, _, _ in }
        },
        Case(testDescription: "identity", feature: .clientIdentity) {
            $0.identity = ClientIdentity(chain: [], privateKey: DER([]))
        },
        Case(testDescription: "trailers", feature: .requestTrailers) { $0.body = $0.body.trailers { [:] } },
    ]

    @Test(
        "An option is honoured by default, and refused by a mock that lacks it, before anything happens",
        arguments: cases)
    func feature(test: Case) async throws {
        let request = TransportRequest.post("https://api.test/", .bytes(Data("x".utf8))).with(test.change)
        let able = MockTransport { Route("/") }
        #expect(able.capabilities.features.contains(test.feature))
        #expect(try await able.status(request) == 200)

        var configuration = MockTransport.Configuration()
        configuration.features.remove(test.feature)
        configuration.engine = "poor"
        let poor = MockTransport(configuration: configuration) { Route("/") }
        let log = EventLog()
        let error = await poor.failure(of: request.with { $0.events = log })
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.hasPrefix("the transport poor does not support") == true)
        #expect(log.names == ["started", "failed"])
        #expect(poor.requests.isEmpty)
    }

    @Test(
        "Invalid requests are rejected",
        arguments: [
            (TransportRequest.get("ftp://api.test/"), TransportError.Code.unsupportedScheme),
            (.get("http://:80/"), .invalidRequest),
            (.get("http://api.test:99999/"), .invalidRequest),
        ])
    func invalid(request: TransportRequest, code: TransportError.Code) async throws {
        let mock = MockTransport { Route("**") }
        #expect(await mock.failure(of: request)?.code == code)
    }

    @Test("An engine without TLS does not speak https")
    func noTLS() async throws {
        var configuration = MockTransport.Configuration()
        configuration.features.remove(.tls)
        let mock = MockTransport(configuration: configuration) { Route("/") }
        let error = await mock.failure(of: .get("https://api.test/"))
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.contains("TLS") == true)
        #expect(try await mock.status(.get("/")) == 200)
    }

    @Test("The configuration supplies the options that requests leave open")
    func defaults() async throws {
        var configuration = MockTransport.Configuration()
        configuration.defaultOptions.deadline = .seconds(3)
        let mock = MockTransport(configuration: configuration) { Route("/").reply(.fault(.stall(in: .responseHead))) }
        #expect(await mock.failure(of: .get("/"))?.isTimeout == true)
        #expect(mock.virtualClock.elapsed == .seconds(3))
    }
}
