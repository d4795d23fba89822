internal import AirframeTransport
internal import CoreMetrics
internal import HTTPTypes

/// The metrics of one server, or of all servers without their own metrics. A series is created on first use.
///
/// The labels of a metric always have the same names in the same order, as back ends such as Prometheus require. An
/// empty label means that the value is absent.
final class ServerMeters: Sendable {
    /// The key of a series of finished exchanges.
    struct ExchangeKey: Hashable {
        let method: String
        /// The status; 0 without a response.
        let status: Int
        /// The kind of error of a failed exchange.
        let error: String?
        let version: HTTPVersion?
    }

    /// The metrics of a finished exchange.
    struct ExchangeMeters {
        let count: Counter
        let duration: CoreMetrics.Timer
        let requestSize: Recorder
        let responseSize: Recorder
    }

    struct FailureKey: Hashable {
        let phase: String
        let error: String
    }

    struct MessageKey: Hashable {
        let direction: ByteDirection
        let isText: Bool
    }

    struct CloseKey: Hashable {
        let direction: ByteDirection
        let code: String
    }

    struct ActivityKey: Hashable {
        let method: String
        let scheme: String
    }

    private let labels: [(String, String)]
    private let configuration: MetricsConfiguration
    private let factory: any MetricsFactory

    private let exchanges = MeterCache<ExchangeKey, ExchangeMeters>()
    private let activities = MeterCache<ActivityKey, Meter>()
    private let phases = MeterCache<ExchangePhase, CoreMetrics.Timer>()
    private let connections = MeterCache<Bool, Counter>()
    private let openConnections = MeterCache<HTTPVersion, Meter>()
    private let bytes = MeterCache<ByteDirection, Counter>()
    private let failures = MeterCache<FailureKey, Counter>()
    private let cancellations = MeterCache<String, Counter>()
    private let retries = MeterCache<String, Counter>()
    private let redirects = MeterCache<Int, Counter>()
    private let messages = MeterCache<MessageKey, Counter>()
    private let messageBytes = MeterCache<ByteDirection, Counter>()
    private let closes = MeterCache<CloseKey, Counter>()

    /// - Parameter origin: The server; `nil` for all others.
    init(_ origin: Origin?, _ configuration: MetricsConfiguration, _ factory: any MetricsFactory) {
        labels = [
            ("server.address", origin?.host ?? HTTPRequest.Method.otherName),
            ("server.port", origin.map { String($0.port) } ?? HTTPRequest.Method.otherName),
        ]
        self.configuration = configuration
        self.factory = factory
    }

    // MARK: Series

    func exchange(_ key: ExchangeKey) -> ExchangeMeters {
        exchanges.value(for: key) {
            let labels =
                [
                    ("http.request.method", key.method),
                    ("http.response.status_code", label(ofStatus: key.status)),
                    ("error.type", key.error ?? (key.status < 400 ? "" : label(ofStatus: key.status))),
                    ("network.protocol.version", key.version?.number ?? ""),
                ] + labels
            return ExchangeMeters(
                count: Counter(label: name("requests"), dimensions: labels, factory: factory),
                duration: timer("request.duration", labels),
                requestSize: Recorder(
                    label: name("request.body.size"), dimensions: labels, aggregate: true, factory: factory),
                responseSize: Recorder(
                    label: name("response.body.size"), dimensions: labels, aggregate: true, factory: factory)
            )
        }
    }

    func active(method: String, scheme: String) -> Meter {
        activities.value(for: ActivityKey(method: method, scheme: scheme)) {
            let labels = [("http.request.method", method), ("url.scheme", scheme)] + labels
            return Meter(label: name("active_requests"), dimensions: labels, factory: factory)
        }
    }

    func duration(of phase: ExchangePhase) -> CoreMetrics.Timer {
        phases.value(for: phase) { timer("phase.duration", [("phase", phase.rawValue)] + labels) }
    }

    func connection(reused isReused: Bool) -> Counter {
        connections.value(for: isReused) {
            counter(isReused ? "connections.reused" : "connections.created", labels)
        }
    }

    func open(_ version: HTTPVersion) -> Meter {
        openConnections.value(for: version) {
            // Idle connections are closed without an event and are therefore not counted.
            let labels = [("http.connection.state", "active"), ("network.protocol.version", version.number)] + labels
            return Meter(label: name("open_connections"), dimensions: labels, factory: factory)
        }
    }

    func bytes(_ direction: ByteDirection) -> Counter {
        bytes.value(for: direction) { counter("bytes.\(direction.rawValue)", labels) }
    }

    func failures(in phase: String, error: String) -> Counter {
        failures.value(for: FailureKey(phase: phase, error: error)) {
            counter("failures", [("phase", phase), ("error.type", error)] + labels)
        }
    }

    func cancellations(in phase: String) -> Counter {
        cancellations.value(for: phase) { counter("cancellations", [("phase", phase)] + labels) }
    }

    func retries(method: String) -> Counter {
        retries.value(for: method) { counter("retries", [("http.request.method", method)] + labels) }
    }

    func redirects(status: Int) -> Counter {
        redirects.value(for: status) {
            counter("redirects", [("http.response.status_code", label(ofStatus: status))] + labels)
        }
    }

    // MARK: WebSockets

    func messages(_ direction: ByteDirection, isText: Bool) -> Counter {
        messages.value(for: MessageKey(direction: direction, isText: isText)) {
            let kind = isText ? "text" : "binary"
            return counter("websocket.messages", [("direction", direction.rawValue), ("kind", kind)] + labels)
        }
    }

    func messageBytes(_ direction: ByteDirection) -> Counter {
        messageBytes.value(for: direction) {
            counter("websocket.message.bytes", [("direction", direction.rawValue)] + labels)
        }
    }

    /// - Parameter code: The close code. All application codes share a series, because a server must not decide on the
    ///   number of series.
    func closes(_ direction: ByteDirection, code: Int?) -> Counter {
        let name = code.map { (1000...1015).contains($0) ? "\($0)" : "other" } ?? ""
        return closes.value(for: CloseKey(direction: direction, code: name)) {
            counter("websocket.closes", [("direction", direction.rawValue), ("code", name)] + labels)
        }
    }

    // MARK: Names

    private func name(_ name: String) -> String { "\(configuration.prefix).\(name)" }

    private func counter(_ name: String, _ labels: [(String, String)]) -> Counter {
        Counter(label: self.name(name), dimensions: labels, factory: factory)
    }

    private func timer(_ name: String, _ labels: [(String, String)]) -> CoreMetrics.Timer {
        CoreMetrics.Timer(label: self.name(name), dimensions: labels, preferredDisplayUnit: .seconds, factory: factory)
    }

    private func label(ofStatus status: Int) -> String {
        guard status != 0 else { return "" }
        guard (100..<600).contains(status) else { return HTTPRequest.Method.otherName }
        switch configuration.statusLabel {
        case .code: return String(status)
        case .class: return "\(status / 100)xx"
        }
    }
}

/// The direction of bytes of bodies.
enum ByteDirection: String {
    case sent
    case received
}

/// The timed phases of an exchange, in order.
enum ExchangePhase: String {
    /// From the start until there is a connection or a new one is started.
    case pool
    /// Name resolution.
    case resolve = "dns"
    /// From the first attempt to connect to the successful one.
    case connect
    /// The handshake with a proxy.
    case proxy
    /// The TLS handshake.
    case tls
    /// From the connection to the request's last byte.
    case send
    /// From the request's last byte to the response's head.
    case firstByte = "first_byte"
    /// From the response's head to its last byte.
    case body
}
