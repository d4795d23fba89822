import AirframeTransport
import Testing

/// An option, set and set otherwise, and the features that a transport needs for the first setting.
struct OptionCase: Sendable, CustomTestStringConvertible {
    typealias Change = @Sendable (inout TransportOptions) -> Void

    let name: String
    let features: TransportFeatures
    let set: Change
    let setOtherwise: Change

    init(_ name: String, _ features: TransportFeatures, _ set: @escaping Change, otherwise: @escaping Change) {
        self.name = name
        self.features = features
        self.set = set
        setOtherwise = otherwise
    }

    var testDescription: String { name }

    var options: TransportOptions { Self.options(set) }
    var otherOptions: TransportOptions { Self.options(setOtherwise) }

    private static func options(_ change: Change) -> TransportOptions {
        var options = TransportOptions()
        change(&options)
        return options
    }
}

extension OptionCase {
    static let all: [OptionCase] = limits + tls + proxies + versions + others

    private static let limits = [
        OptionCase("deadline", .deadline) {
            $0.deadline = .seconds(1)
        } otherwise: {
            $0.deadline = .zero
        },
        OptionCase("pool", .poolLimit) {
            $0.limits.pool = .seconds(1)
        } otherwise: {
            $0.limits.pool = .zero
        },
        OptionCase("connect", .connectLimit) {
            $0.limits.connect = .seconds(1)
        } otherwise: {
            $0.limits.connect = .zero
        },
        OptionCase("TLS", .tlsLimit) {
            $0.limits.tls = .seconds(1)
        } otherwise: {
            $0.limits.tls = .zero
        },
        OptionCase("write idle", .writeIdleLimit) {
            $0.limits.writeIdle = .seconds(1)
        } otherwise: {
            $0.limits.writeIdle = .zero
        },
        OptionCase("first byte", .firstByteLimit) {
            $0.limits.firstByte = .seconds(1)
        } otherwise: {
            $0.limits.firstByte = .zero
        },
        OptionCase("read idle", .readIdleLimit) {
            $0.limits.readIdle = .seconds(1)
        } otherwise: {
            $0.limits.readIdle = .zero
        },
    ]

    private static let tls = [
        OptionCase("minimum TLS version", .tlsVersionBounds) {
            $0.tls.minimumVersion = .tls1_2
        } otherwise: {
            $0.tls.minimumVersion = .tls1_3
        },
        OptionCase("maximum TLS version", .tlsVersionBounds) {
            $0.tls.maximumVersion = .tls1_2
        } otherwise: {
            $0.tls.maximumVersion = .tls1_3
        },
        OptionCase("own roots", .customRoots) {
            $0.tls.roots = .certificates([])
        } otherwise: {
            $0.tls.roots = .system
        },
        OptionCase("roots of a file", .customRoots) {
            $0.tls.roots = .pemFile(path: "a")
        } otherwise: {
            $0.tls.roots = .pemFile(path: "b")
        },
        OptionCase("the system's roots", []) {
            $0.tls.roots = .system
        } otherwise: {
            $0.tls.roots = .certificates([])
        },
    ]

    private static let proxies =
        [
            OptionCase("no proxy", []) {
                $0.proxy = ProxyPolicy.none
            } otherwise: {
                $0.proxy = .environment
            },
            OptionCase("proxy of the environment", .environmentProxy) {
                $0.proxy = .environment
            } otherwise: {
                $0.proxy = ProxyPolicy.none
            },
        ]
        + [
            (Proxy.Kind.http, TransportFeatures.httpProxy), (.https, .httpsProxy), (.socks4, .socksProxy),
            (.socks4a, .socksProxy), (.socks5, .socksProxy), (.socks5h, .socksProxy),
        ].map { kind, feature in
            OptionCase("\(kind) proxy", feature) {
                $0.proxy = .proxy(Proxy(kind: kind, host: "a", port: 1))
            } otherwise: {
                $0.proxy = .proxy(Proxy(kind: kind, host: "b", port: 1))
            }
        }

    private static let versions = [
        OptionCase("any version", []) {
            $0.httpVersion = .automatic
        } otherwise: {
            $0.httpVersion = .http1Only
        },
        OptionCase("HTTP/1.1", .http1) {
            $0.httpVersion = .http1Only
        } otherwise: {
            $0.httpVersion = .http2Only
        },
        OptionCase("HTTP/2", .http2) {
            $0.httpVersion = .http2Only
        } otherwise: {
            $0.httpVersion = .automatic
        },
        OptionCase("prior knowledge", .http2PriorKnowledge) {
            $0.httpVersion = .http2PriorKnowledge
        } otherwise: {
            $0.httpVersion = .automatic
        },
    ]

    private static let others = [
        OptionCase("resolve overrides", .resolveOverrides) {
            $0.resolveOverrides = [ResolveOverride(host: "a", port: 1, addresses: ["127.0.0.1"])]
        } otherwise: {
            $0.resolveOverrides = []
        },
        OptionCase("no resolve overrides", []) {
            $0.resolveOverrides = []
        } otherwise: {
            $0.resolveOverrides = [ResolveOverride(host: "a", port: 1, addresses: [])]
        },
        OptionCase("local address", .localAddress) {
            $0.localAddress = "127.0.0.1"
        } otherwise: {
            $0.localAddress = "127.0.0.2"
        },
        OptionCase("interface", .networkInterface) {
            $0.networkInterface = "lo"
        } otherwise: {
            $0.networkInterface = "eth0"
        },
        OptionCase("Unix socket", .unixSocket) {
            $0.unixSocketPath = "/a"
        } otherwise: {
            $0.unixSocketPath = "/b"
        },
        OptionCase("priority", .priority) {
            $0.priority = RequestPriority()
        } otherwise: {
            $0.priority = RequestPriority(urgency: 0)
        },
        OptionCase("expect always", .expectContinue) {
            $0.expectContinue = .always(wait: .seconds(1))
        } otherwise: {
            $0.expectContinue = .never
        },
        OptionCase("expect never", []) {
            $0.expectContinue = .never
        } otherwise: {
            $0.expectContinue = .always(wait: .seconds(1))
        },
        OptionCase("waits for connectivity", .connectivityWait) {
            $0.waitsForConnectivity = true
        } otherwise: {
            $0.waitsForConnectivity = false
        },
        OptionCase("does not wait for connectivity", []) {
            $0.waitsForConnectivity = false
        } otherwise: {
            $0.waitsForConnectivity = true
        },
    ]
}

@Suite("Options", .timeLimit(.minutes(1)))
struct TransportOptionsTests {
    @Test("that are not set need no feature")
    func empty() {
        #expect(TransportOptions().requiredFeatures == [])
    }

    @Test("need exactly the feature that honours them", arguments: OptionCase.all)
    func features(_ option: OptionCase) {
        #expect(option.options.requiredFeatures == option.features)
    }

    @Test("need the features of all that is set", arguments: OptionCase.all)
    func union(_ option: OptionCase) {
        var options = option.options
        options.deadline = .seconds(1)
        options.networkInterface = "lo"
        options.priority = RequestPriority()
        #expect(options.requiredFeatures == option.features.union([.deadline, .networkInterface, .priority]))
    }

    @Test("override those of the level above", arguments: OptionCase.all)
    func overriding(_ option: OptionCase) {
        #expect(option.options.merging(option.otherOptions) == option.otherOptions)
        #expect(option.otherOptions.merging(option.options) == option.options)
        #expect(option.options != option.otherOptions, "the two settings of the table differ")
    }

    @Test("stay where nothing overrides them", arguments: OptionCase.all)
    func keeping(_ option: OptionCase) {
        #expect(option.options.merging(TransportOptions()) == option.options)
        #expect(TransportOptions().merging(option.options) == option.options)
    }

    @Test("of two kinds do not disturb each other", arguments: OptionCase.all)
    func independence(_ option: OptionCase) {
        var full = TransportOptions()
        full.deadline = .seconds(9)
        full.limits = PhaseLimits(
            pool: .seconds(1),
            connect: .seconds(2),
            tls: .seconds(3),
            writeIdle: .seconds(4),
            firstByte: .seconds(5),
            readIdle: .seconds(6)
        )
        full.tls = TLSOptions(minimumVersion: .tls1_0, maximumVersion: .tls1_1, roots: .pemFile(path: "z"))
        full.httpVersion = .http2PriorKnowledge
        full.proxy = .proxy(Proxy(host: "z", port: 9))
        full.localAddress = "::1"
        var expected = full
        option.set(&expected)
        #expect(full.merging(option.options) == expected)
        #expect(option.options.merging(full).merging(option.options) == expected.merging(option.options))
    }
}

@Suite("A priority", .timeLimit(.minutes(1)))
struct RequestPriorityTests {
    @Test(
        "is clamped to 0…7, when it is created and when it is changed (RFC 9218 §4.1)",
        arguments: [(-1, 0), (0, 0), (3, 3), (7, 7), (8, 7), (.max, 7), (.min, 0)]
    )
    func bounds(urgency: Int, expected: Int) {
        #expect(RequestPriority(urgency: urgency).urgency == expected)
        var priority = RequestPriority()
        priority.urgency = urgency
        #expect(priority.urgency == expected)
    }
}
