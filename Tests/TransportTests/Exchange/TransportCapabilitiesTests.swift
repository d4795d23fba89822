import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Capabilities", .timeLimit(.minutes(1)))
struct TransportCapabilitiesTests {
    private static let everything = TransportFeatures(rawValue: .max)

    private static func request(_ options: TransportOptions = TransportOptions()) -> TransportRequest {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/")
        return TransportRequest(head, options: options)
    }

    private static func refusal(
        of request: TransportRequest,
        by features: TransportFeatures
    ) throws -> TransportError {
        let capabilities = TransportCapabilities(engine: "testbed 1.0", features: features)
        return try #require(throws: TransportError.self) { try capabilities.requireSupport(for: request) }
    }

    @Test("A plain request needs nothing")
    func plain() throws {
        try TransportCapabilities(engine: "testbed 1.0", features: []).requireSupport(for: Self.request())
    }

    @Test("An option that the engine has passes", arguments: OptionCase.all)
    func supported(_ option: OptionCase) throws {
        let capabilities = TransportCapabilities(engine: "testbed 1.0", features: option.features)
        try capabilities.requireSupport(for: Self.request(option.options))
    }

    @Test(
        "An option that the engine lacks is refused, and the error names engine and option",
        arguments: OptionCase.all.filter { !$0.features.isEmpty }
    )
    func refused(_ option: OptionCase) throws {
        let request = Self.request(option.options)
        let error = try Self.refusal(of: request, by: Self.everything.subtracting(option.features))
        #expect(error.code == .unsupportedOption)
        #expect(error.phase == .options)
        #expect(error.processing == .notSent)
        #expect(error.message == "the transport testbed 1.0 does not support \(option.features)")
        #expect(error.origin == Origin(scheme: "http", host: "api.test"))
        #expect(!"\(option.features)".isEmpty)
    }

    @Test("The error names all missing features")
    func severalMissing() throws {
        var options = TransportOptions()
        options.deadline = .seconds(1)
        options.networkInterface = "lo"
        let error = try Self.refusal(of: Self.request(options), by: [])
        #expect(error.message == "the transport testbed 1.0 does not support a network interface, a deadline")
    }

    @Test("A trust evaluation, an identity and request trailers need their features")
    func beyondOptions() throws {
        var trusting = Self.request()
        trusting.trust = ClosureTrustEvaluation { _, _, _, _ in }
        var identified = Self.request()
        identified.identity = ClientIdentity(chain: [], privateKey: DER([]))
        var trailing = Self.request()
        trailing.body = .bytes(Data([1])).trailers { [:] }
        let cases: [(TransportRequest, TransportFeatures)] = [
            (trusting, .trustEvaluation), (identified, .clientIdentity), (trailing, .requestTrailers),
        ]
        for (request, feature) in cases {
            try TransportCapabilities(engine: "e", features: feature).requireSupport(for: request)
            let error = try Self.refusal(of: request, by: Self.everything.subtracting(feature))
            #expect(error.message == "the transport testbed 1.0 does not support \(feature)")
        }
    }

    @Test("A deadline or a limit of zero or less has elapsed before the request starts", arguments: [0.0, -1, -1e9])
    func elapsed(seconds: Double) throws {
        let elapsed = Duration.seconds(seconds)
        var deadline = TransportOptions()
        deadline.deadline = elapsed
        let limits = [
            PhaseLimits(pool: elapsed), PhaseLimits(connect: elapsed), PhaseLimits(tls: elapsed),
            PhaseLimits(writeIdle: elapsed), PhaseLimits(firstByte: elapsed), PhaseLimits(readIdle: elapsed),
        ]
        let all =
            [deadline]
            + limits.map { limits in
                var options = TransportOptions()
                options.limits = limits
                return options
            }
        for options in all {
            let error = try Self.refusal(of: Self.request(options), by: Self.everything)
            #expect(error.code == .timedOut && error.phase == .options && error.processing == .notSent)
            #expect(error.message.hasSuffix("had elapsed before the request started"), "\(error.message)")
        }
    }

    @Test("Every feature has a unique bit and a unique name")
    func names() {
        let features = (Array(0...30) + [40, 41]).map { TransportFeatures(rawValue: 1 << $0) }
        #expect(Set(features.map(\.description)).count == 33)
        #expect(!features.contains { $0.description.isEmpty })
        #expect("\(TransportFeatures([]))" == "")
    }
}
