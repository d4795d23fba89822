import AirframeCore
import AirframeMetrics
import AirframeMock
import AirframeSerialization
import AirframeTransport
import CoreMetrics
import Foundation
import HTTPTypes
import MetricsTestKit
import Synchronization
import Testing

@Suite("Names and labels", .timeLimit(.minutes(1)))
struct LabelTests {
    /// A request and its monitor, which the test notifies of events that no transport sends.
    private struct Exchanges {
        let monitor: any EventMonitor
        let request: Request
        let session: Session
        let exchange = ExchangeIdentifier()

        init?(_ metrics: any MetricsFactory, _ configuration: MetricsConfiguration = MetricsConfiguration()) {
            session = Session(transport: MockTransport())
            request = session.request("http://api.test/", shouldAutomaticallyResume: false)
            let shared = MetricsMonitor(factory: metrics, configuration: configuration)
            guard case .own(let own) = shared.monitoring(request) else { return nil }
            monitor = own
        }

        func report(_ kinds: TransportEvent.Kind...) {
            for kind in kinds {
                let event = TransportEvent(kind, of: exchange, at: MonotonicInstant(nanoseconds: 1))
                monitor.request(request, didReceive: event)
            }
        }
    }

    private static func head(_ method: String = "GET", host: String) -> HTTPRequest {
        HTTPRequest(method: HTTPRequest.Method(method) ?? .get, scheme: "http", authority: host, path: "/")
    }

    @Test("ten thousand random hosts make a bounded number of series")
    func hosts() throws {
        let metrics = TestMetrics()
        let exchanges = try #require(Exchanges(metrics))
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let host = "h\(UInt64.random(in: .min ... .max, using: &generator)).test:\(Int.random(in: 1...65_535))"
            exchanges.report(.started(Self.head(host: host)), .released(.kept))
        }
        #expect(metrics.counters(label: "http.client.requests").count == 101)
        #expect(metrics.total("http.client.requests") == 10_000)
        #expect(metrics.total("http.client.requests", ["server.address": "_OTHER", "server.port": "_OTHER"]) == 9_900)
    }

    @Test("unknown methods, statuses and kinds of errors make a bounded number of series")
    func bounds() throws {
        let metrics = TestMetrics()
        let exchanges = try #require(Exchanges(metrics))
        for number in 0..<2000 {
            let error = TransportError(
                .init(rawValue: "random\(number)"),
                phase: .responseHead,
                processing: .unknown,
                message: "made up"
            )
            exchanges.report(
                .started(Self.head("M\(number)", host: "api.test")),
                .responseHead(HTTPResponse(status: .init(code: number % 1000)), byteCount: nil),
                number.isMultiple(of: 2) ? .released(.kept) : .failed(error)
            )
        }
        let labels = { (name: String) in Set(metrics.series.flatMap(\.labels).filter { $0.0 == name }.map(\.1)) }
        #expect(labels("http.request.method") == ["_OTHER"])
        // 64 kinds of errors and `_OTHER`, 200 statuses that are errors, and none.
        #expect(labels("error.type").count <= 64 + 1 + 200 + 1)
        #expect(labels("http.response.status_code").count <= 500 + 2)
        #expect(metrics.total("http.client.requests") == 2000)
    }

    @Test("all series of a metric have the same labels in the same order")
    func constantLabels() async throws {
        let mock = MockTransport {
            Route(.get, "/a").reply(.redirect(to: "/b"))
            Route(.get, "/b").reply(.sequence([.status(.serviceUnavailable), .fault(.connectionRefused), .text("ok")]))
            Route("/c").reply(.fault(.dnsFailure))
        }
        let metered = Metered(mock, interceptor: retrier(after: 1, limit: 2))
        for path in ["http://api.test/a", "https://api.test/b", "https://other.test/c", "", "http://api.test/unknown"] {
            _ = await metered.session.request(path).validate().serializingData().response
        }
        try await metered.settle()
        let names = Dictionary(grouping: metered.metrics.series, by: \.name)
        #expect(names.count >= 12)
        for (name, series) in names {
            #expect(Set(series.map { $0.labels.map(\.0) }).count == 1, "\(name) has series with other labels")
        }
    }

    @Test("a status can be reduced to its class")
    func statusClass() throws {
        let metrics = TestMetrics()
        let exchanges = try #require(Exchanges(metrics, MetricsConfiguration(statusLabel: .class)))
        for status in [200, 204, 404, 410, 503] {
            exchanges.report(
                .started(Self.head(host: "api.test")),
                .responseHead(HTTPResponse(status: .init(code: status)), byteCount: nil),
                .released(.kept)
            )
        }
        #expect(metrics.total("http.client.requests", ["http.response.status_code": "2xx", "error.type": ""]) == 2)
        #expect(metrics.total("http.client.requests", ["http.response.status_code": "4xx", "error.type": "4xx"]) == 2)
        #expect(metrics.total("http.client.requests", ["http.response.status_code": "5xx"]) == 1)
    }

    @Test(
        "the configuration selects the servers with their own series",
        arguments: [
            (.first(2), ["a.test", "b.test", "_OTHER"]), (.first(0), ["_OTHER"]), (.none, ["_OTHER"]),
            (.listed(["b.test"]), ["b.test", "_OTHER"]),
        ] as [(MetricsConfiguration.Servers, Set<String>)]
    )
    func servers(choice: MetricsConfiguration.Servers, expected: Set<String>) throws {
        let metrics = TestMetrics()
        let exchanges = try #require(Exchanges(metrics, MetricsConfiguration(servers: choice)))
        for host in ["a.test", "B.test", "c.test", "a.test"] {
            exchanges.report(.started(Self.head(host: host)), .released(.kept))
        }
        let counters = metrics.counters(label: "http.client.requests")
        let hosts = counters.compactMap { $0.dimensions.first { $0.0 == "server.address" }?.1 }
        #expect(Set(hosts) == expected)
        #expect(counters.map(\.totalValue).reduce(0, +) == 4)
    }

    @Test("names begin with the prefix of the configuration")
    func prefix() throws {
        let metrics = TestMetrics()
        let exchanges = try #require(Exchanges(metrics, MetricsConfiguration(prefix: "shop.http")))
        exchanges.report(.started(Self.head(host: "api.test")), .released(.kept))
        #expect(metrics.total("shop.http.requests") == 1)
        #expect(metrics.series.allSatisfy { $0.name.hasPrefix("shop.http.") })
    }

    @Test("an HTTP/2 connection that carries several exchanges is one open connection")
    func multiplexing() throws {
        let metrics = TestMetrics()
        let shared = MetricsMonitor(factory: metrics)
        let session = Session(transport: MockTransport())
        let request = session.request("http://api.test/", shouldAutomaticallyResume: false)
        let connection = TransportConnection(id: 7, httpVersion: .http2, remoteAddress: .ip("192.0.2.1", port: 443))
        var monitors: [any EventMonitor] = []
        for _ in 0..<3 {
            guard case .own(let own) = shared.monitoring(request) else { continue }
            monitors.append(own)
        }
        try #require(monitors.count == 3)
        let exchange = ExchangeIdentifier()
        let report = { (monitor: any EventMonitor, kind: TransportEvent.Kind) in
            let event = TransportEvent(kind, of: exchange, at: MonotonicInstant(nanoseconds: 1))
            monitor.request(request, didReceive: event)
        }
        for monitor in monitors {
            report(monitor, .started(Self.head(host: "api.test")))
            report(monitor, .connectionAcquired(connection))
        }
        let open = try #require(metrics.meters(label: "http.client.open_connections").first)
        #expect(open.values == [1])
        for monitor in monitors { report(monitor, .released(.kept)) }
        #expect(open.values == [1, 0])
    }

    @Test("an exchange that acquires a further connection leaves the one before")
    func furtherConnections() throws {
        let metrics = TestMetrics()
        let exchanges = try #require(Exchanges(metrics))
        let first = TransportConnection(id: 7, httpVersion: .http1_1)
        let second = TransportConnection(id: 8, httpVersion: .http1_1)
        exchanges.report(.started(Self.head(host: "api.test")), .connectionAcquired(first))
        exchanges.report(.connectionAcquired(second), .connectionAcquired(second))
        let open = try #require(metrics.meters(label: "http.client.open_connections").first)
        #expect(open.values == [1, 0, 1])
        exchanges.report(.released(.kept))
        #expect(open.values == [1, 0, 1, 0])
        // The first connection has no exchange any longer.
        exchanges.report(.started(Self.head(host: "api.test")), .connectionAcquired(first), .released(.kept))
        #expect(open.values == [1, 0, 1, 0, 1, 0])
    }

    @Test("a connection that two servers share is counted once, for the server that used it first")
    func coalescing() throws {
        let metrics = TestMetrics()
        let shared = MetricsMonitor(factory: metrics)
        let session = Session(transport: MockTransport())
        let request = session.request("http://api.test/", shouldAutomaticallyResume: false)
        guard case .own(let first) = shared.monitoring(request), case .own(let second) = shared.monitoring(request)
        else {
            Issue.record("the monitor has no part in the request")
            return
        }
        let connection = TransportConnection(id: 7, httpVersion: .http2)
        let exchange = ExchangeIdentifier()
        let report = { (monitor: any EventMonitor, kind: TransportEvent.Kind) in
            let event = TransportEvent(kind, of: exchange, at: MonotonicInstant(nanoseconds: 1))
            monitor.request(request, didReceive: event)
        }
        for (monitor, host) in [(first, "a.test"), (second, "b.test")] {
            report(monitor, .started(Self.head(host: host)))
            report(monitor, .connectionAcquired(connection))
        }
        report(first, .released(.kept))
        report(second, .released(.kept))
        let open = metrics.meters(label: "http.client.open_connections")
        #expect(open.map(\.values) == [[1, 0]])
        #expect(open.first?.dimensions.contains { $0 == ("server.address", "a.test") } == true)
    }

    @Test("an exchange without a reported end ends with its request")
    func forgotten() throws {
        let metrics = TestMetrics()
        do {
            let exchanges = try #require(Exchanges(metrics))
            exchanges.report(.started(Self.head(host: "api.test")))
            #expect(metrics.meters(label: "http.client.active_requests").map(\.lastValue) == [1])
        }
        #expect(metrics.meters(label: "http.client.active_requests").map(\.lastValue) == [0])
        #expect(metrics.total("http.client.requests") == 1)
    }

    @Test("a metric is created once and not looked up for each request")
    func madeOnce() throws {
        let factory = CountingFactory()
        let exchanges = try #require(Exchanges(factory))
        let report = {
            exchanges.report(
                .started(Self.head(host: "api.test")),
                .responseHead(HTTPResponse(status: .ok), byteCount: nil),
                .responseBodyReceived(byteCount: 1, total: 1),
                .released(.kept)
            )
        }
        report()
        let made = factory.made
        #expect(made > 0)
        for _ in 0..<100 { report() }
        #expect(factory.made == made)
    }

    @Test("the default factory is that of the task that creates the monitor")
    func taskLocalFactory() throws {
        let metrics = TestMetrics()
        let monitor = withMetricsFactory(metrics) { MetricsMonitor() }
        let session = Session(transport: MockTransport())
        let request = session.request("http://api.test/", shouldAutomaticallyResume: false)
        guard case .own(let own) = monitor.monitoring(request) else {
            Issue.record("the monitor has no part in the request")
            return
        }
        let started = TransportEvent.Kind.started(Self.head(host: "api.test"))
        own.request(request, didReceive: .init(started, of: ExchangeIdentifier(), at: .init(nanoseconds: 0)))
        #expect(metrics.meters(label: "http.client.active_requests").count == 1)
    }
}

/// A factory that counts what it makes.
private final class CountingFactory: MetricsFactory {
    private let metrics = TestMetrics()
    private let count = Atomic(0)

    var made: Int { count.load(ordering: .relaxed) }

    private func counted<Handler>(_ handler: Handler) -> Handler {
        count.wrappingAdd(1, ordering: .relaxed)
        return handler
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counted(metrics.makeCounter(label: label, dimensions: dimensions))
    }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        counted(metrics.makeMeter(label: label, dimensions: dimensions))
    }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        counted(metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate))
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        counted(metrics.makeTimer(label: label, dimensions: dimensions))
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
