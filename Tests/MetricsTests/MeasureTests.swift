import AirframeCore
import AirframeLayers
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

@Suite("Measurements", .timeLimit(.minutes(1)))
struct MeasureTests {
    @Test("an exchange has a duration, sizes and labels by OpenTelemetry's conventions")
    func exchange() async throws {
        let mock = MockTransport { Route(.put, "/").reply(.text("Ada").delayed(by: .seconds(2))) }
        let metered = Metered(mock)
        _ = await metered.session.upload(Data(count: 5), to: "https://api.test/", method: .put).serializingData()
            .response
        try await metered.settle()
        let labels = [
            ("http.request.method", "PUT"), ("http.response.status_code", "200"), ("error.type", ""),
            ("network.protocol.version", "1.1"), ("server.address", "api.test"), ("server.port", "443"),
        ]
        let metrics = metered.metrics
        #expect(try metrics.expectTimer("http.client.request.duration", labels).values == [2_000_000_000])
        #expect(try metrics.expectCounter("http.client.requests", labels).totalValue == 1)
        #expect(try metrics.expectRecorder("http.client.request.body.size", labels).values == [5])
        #expect(try metrics.expectRecorder("http.client.response.body.size", labels).values == [3])
        let active = [
            ("http.request.method", "PUT"), ("url.scheme", "https"), ("server.address", "api.test"),
            ("server.port", "443"),
        ]
        #expect(try metrics.expectMeter("http.client.active_requests", active).values == [1, 0])
        let open = [
            ("http.connection.state", "active"), ("network.protocol.version", "1.1"), ("server.address", "api.test"),
            ("server.port", "443"),
        ]
        #expect(try metrics.expectMeter("http.client.open_connections", open).values == [1, 0])
        #expect(metrics.timers(label: "http.client.request.duration").first?.displayUnit == .seconds)
    }

    @Test("a handshake counts as a request, and its connection is open as long as the stream")
    func handshake() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.upgrade(to: "echo") { client in _ = try await client.read() })
        }
        let metered = Metered(mock)
        var request = TransportRequest(HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/"))
        request.upgrade = .token("echo")
        let stream = try #require(try await metered.transport.send(request).stream)
        stream.close()
        try await metered.settle()
        let open = [
            ("http.connection.state", "active"), ("network.protocol.version", "1.1"), ("server.address", "api.test"),
            ("server.port", "80"),
        ]
        #expect(try metered.metrics.expectMeter("http.client.open_connections", open).values == [1, 0])
        #expect(metered.metrics.total("http.client.requests", ["http.response.status_code": "101"]) == 1)
    }

    @Test("each phase is timed from its event to the next")
    func phases() async throws {
        let mock = MockTransport(configuration: .oneConnection) {
            Route(.get, "/").reply(
                .data(Data(count: 200))
                    .delayed(by: .seconds(1), in: .resolve)
                    .delayed(by: .seconds(2), in: .connect)
                    .delayed(by: .seconds(3), in: .tls)
                    .delayed(by: .seconds(4), in: .responseHead)
                    .throttled(bytesPerSecond: 100, chunkSize: 100)
            )
        }
        let metered = Metered(mock)
        async let first = metered.session.request("https://api.test/").serializingData().response
        async let second = metered.session.request("https://api.test/").serializingData().response
        _ = await (first, second)
        let metrics = metered.metrics
        let durations = { metrics.durations("http.client.phase.duration", ["phase": $0]) }
        #expect(durations("dns") == [.seconds(1)])
        #expect(durations("connect") == [.seconds(2)])
        #expect(durations("tls") == [.seconds(3)])
        #expect(durations("first_byte") == [.seconds(4), .seconds(4)])
        #expect(durations("send") == [.zero, .zero])
        let body = try #require(durations("body").first)
        #expect(body >= .seconds(1) && body <= .seconds(2))
        // The second one waits for the only connection until the first one is done.
        #expect(durations("pool") == [.zero, .seconds(10) + body])
    }

    @Test("bytes are counted during the transfer, and their sums are right")
    func bytes() async throws {
        let mock = MockTransport { Route(.post, "/").reply(.data(Data(count: 30_000)).throttled(chunkSize: 1000)) }
        let metered = Metered(mock)
        for count in [0, 1, 70_000, 200_000] {
            _ = await metered.session.upload(Data(count: count), to: "http://api.test/").serializingData().response
        }
        #expect(metered.metrics.total("http.client.bytes.sent") == 270_001)
        #expect(metered.metrics.total("http.client.bytes.received") == 120_000)
        #expect(metered.metrics.values("http.client.request.body.size").sorted() == [0, 1, 70_000, 200_000])
        #expect(metered.metrics.values("http.client.response.body.size") == [30_000, 30_000, 30_000, 30_000])
    }

    @Test("bytes received before a cancellation count")
    func bytesOfCancelled() async throws {
        let mock = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
            Route(.get, "/").reply(.data(Data(count: 300)).failing(with: .stall(afterBytes: 100)))
        }
        let metered = Metered(mock)
        let request = metered.session.streamRequest("http://api.test/")
        for await stream in request.streamTask().streamingData() where stream.value != nil { request.cancel() }
        try await metered.settle()
        #expect(metered.metrics.total("http.client.bytes.received") == 100)
        #expect(metered.metrics.total("http.client.cancellations", ["phase": "response body"]) == 1)
        #expect(metered.metrics.counters(label: "http.client.failures").isEmpty)
        #expect(metered.metrics.durations("http.client.request.duration", ["error.type": "cancelled"]).count == 1)
    }

    @Test("retries, redirects and connections are counted, and each exchange is one")
    func decisions() async throws {
        let mock = MockTransport {
            Route(.get, "/a").reply(.redirect(to: "/b"))
            Route(.get, "/b").reply(.sequence([.status(.serviceUnavailable), .status(.badGateway), .text("ok")]))
        }
        let metered = Metered(mock, interceptor: retrier(after: 1))
        let response = await metered.session.request("http://api.test/a").validate().serializingString().response
        #expect(response.value == "ok")
        let metrics = metered.metrics
        #expect(
            metrics.total("http.client.retries", ["http.request.method": "GET", "server.address": "api.test"]) == 2)
        #expect(metrics.total("http.client.redirects", ["http.response.status_code": "302"]) == 3)
        #expect(metrics.total("http.client.requests") == 6)
        #expect(metrics.total("http.client.requests", ["error.type": "502"]) == 1)
        #expect(metrics.total("http.client.connections.created") == 1)
        #expect(metrics.total("http.client.connections.reused") == 5)
        #expect(metrics.counters(label: "http.client.failures").isEmpty, "a status is not a failure of the transport")
    }

    @Test("both exchanges of a hedged request are measured, and no gauge stays up")
    func hedged() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(
                .sequence([.text("slow").delayed(by: .seconds(60)), .text("fast").delayed(by: .seconds(1))]))
        }
        let metered = Metered(HedgingLayer(mock, after: .fixed(.seconds(2))))
        let response = await metered.session.request("http://api.test/").serializingString().response
        #expect(response.value == "fast")
        try await metered.settle()
        let metrics = metered.metrics
        for meter in metrics.meters { #expect(meter.lastValue == 0, "\(meter)") }
        #expect(metrics.total("http.client.requests") == 2)
        #expect(metrics.total("http.client.requests", ["http.response.status_code": "200", "error.type": ""]) == 1)
        #expect(metrics.total("http.client.requests", ["error.type": "cancelled"]) == 1)
        #expect(metrics.total("http.client.bytes.received") == 4)
    }

    static let failures: [(fault: Fault, phase: String, type: String)] = [
        (.dnsFailure, "name resolution", "nameResolutionFailed"), (.connectionRefused, "connect", "connectFailed"),
        (.tlsFailure(), "TLS", "tlsFailed"), (.untrusted(), "TLS", "trustRefused"),
        (.resetBeforeHead, "response head", "connectionLost"),
        (.close(afterBytes: 4), "response body", "bodyTruncated"),
    ]

    @Test("failures are counted by phase and kind", arguments: 0..<6)
    func failure(index: Int) async throws {
        let expected = Self.failures[index]
        let mock = MockTransport { Route(.get, "/").reply(.text("some bytes").failing(with: expected.fault)) }
        let metered = Metered(mock)
        _ = await metered.session.request("https://api.test/").serializingData().response
        let labels = ["phase": expected.phase, "error.type": expected.type, "server.address": "api.test"]
        #expect(metered.metrics.total("http.client.failures", labels) == 1)
        #expect(metered.metrics.total("http.client.failures") == 1)
        #expect(metered.metrics.durations("http.client.request.duration", ["error.type": expected.type]).count == 1)
        try await metered.settle()
        for meter in metered.metrics.meters { #expect(meter.lastValue == 0, "\(meter)") }
    }

    @Test(
        "a cancelled request counts once, with its phase",
        arguments: [.resolve, .connect, .tls, .responseHead, .responseBody] as [TransportPhase]
    )
    func cancellation(phase: TransportPhase) async throws {
        let mock = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
            Route(.get, "/").reply(.text("x").failing(with: .stall(in: phase)))
        }
        let metered = Metered(mock)
        let request = metered.session.request("https://api.test/")
        async let response = request.serializingData().response
        while metered.metrics.meters(label: "http.client.active_requests").isEmpty {
            try await Task.sleep(for: .milliseconds(1))
        }
        await mock.virtualClock.settle()
        request.cancel()
        _ = await response
        try await metered.settle()
        #expect(metered.metrics.total("http.client.cancellations", ["phase": phase.rawValue]) == 1)
        #expect(metered.metrics.total("http.client.cancellations") == 1)
        #expect(metered.metrics.counters(label: "http.client.failures").isEmpty)
    }

    @Test("failures and cancellations without an exchange are counted too")
    func withoutExchange() async throws {
        struct Refused: Error {}
        let mock = MockTransport { Route(.get, "/").reply(.status(.teapot)) }
        let refusing = Interceptor(adapters: [Adapter { _, _, completion in completion(.failure(Refused())) }])
        let cancelling = Interceptor(adapters: [
            Adapter { request, _, completion in completion(.success(request)) }
        ])
        let metered = Metered(mock)
        _ = await metered.session.request("http://api.test/", interceptor: refusing).serializingData().response
        _ = await metered.session.request("http://api.test/", interceptor: cancelling)
            .validate().serializingData().response
        let metrics = metered.metrics
        let type = ["phase": "request", "error.type": "requestAdaptationFailed", "server.address": "_OTHER"]
        #expect(metrics.total("http.client.failures", type) == 1)
        #expect(metrics.total("http.client.failures", ["phase": "validation", "error.type": "418"]) == 1)
        let cancelled = metered.session.request("http://api.test/", shouldAutomaticallyResume: false)
        async let response = cancelled.serializingData(automaticallyCancelling: false).response
        cancelled.cancel()
        _ = await response
        #expect(metrics.total("http.client.cancellations", ["phase": "request"]) == 1)
        #expect(metrics.total("http.client.requests") == 1)
    }

    @Test("a request that is cancelled before a retry counts one failure and one cancellation")
    func cancelledInPause() async throws {
        let mock = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
            Route(.get, "/").reply(.fault(.connectionRefused))
        }
        let metered = Metered(mock, interceptor: retrier(after: 60))
        let request = metered.session.request("http://api.test/")
        async let response = request.serializingData().response
        while mock.virtualClock.sleeperCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
        request.cancel()
        _ = await response
        #expect(metered.metrics.total("http.client.failures") == 1)
        #expect(metered.metrics.total("http.client.cancellations", ["phase": "request"]) == 1)
    }

    @Test("an endless chain of redirects is one failure of the layer")
    func endlessRedirects() async throws {
        // The last one's body is not read: its exchange is given up after the layer has.
        let redirect = Reply.text("elsewhere", status: .found).header(.location, "/")
        let mock = MockTransport { Route(.get, "/").reply(redirect) }
        let metered = Metered(mock)
        _ = await metered.session.request("http://api.test/").serializingData().response
        try await metered.settle()
        while mock.connectionCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(metered.metrics.total("http.client.redirects") == 20)
        #expect(metered.metrics.total("http.client.requests") == 21)
        #expect(metered.metrics.total("http.client.failures") == 1)
        #expect(metered.metrics.total("http.client.failures", ["phase": "layer"]) == 1)
        #expect(metered.metrics.counters(label: "http.client.cancellations").isEmpty)
    }

    @Test("a transport without a session is measured by a layer, which passes events on")
    func layer() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.text("Ada").delayed(by: .seconds(2))) }
        let metrics = TestMetrics()
        let transport = MetricsTransport(mock, monitor: MetricsMonitor(factory: metrics))
        let head = HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/")
        let isReleased = Atomic(false)
        let sink = ClosureEventSink { if case .released = $0.kind { isReleased.store(true, ordering: .relaxed) } }
        let response = try await transport.send(TransportRequest(head, events: sink))
        #expect(try await response.body.collect(upTo: 10).count == 3)
        #expect(metrics.durations("http.client.request.duration") == [.seconds(2)])
        #expect(metrics.total("http.client.bytes.received") == 3)
        let isPassedOn = isReleased.load(ordering: .relaxed)
        #expect(isPassedOn)
    }

    @Test("concurrent requests are all written")
    func concurrency() async throws {
        let mock = MockTransport { Route(.get, "/:id").reply(.data(Data(count: 10)).throttled(chunkSize: 3)) }
        let metered = Metered(mock)
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    _ = await metered.session.request("http://\(number % 7).test/\(number)").serializingData().response
                }
            }
        }
        try await metered.settle()
        #expect(metered.metrics.total("http.client.requests") == 200)
        #expect(metered.metrics.total("http.client.bytes.received") == 2000)
        #expect(metered.metrics.durations("http.client.request.duration").count == 200)
        #expect(metered.metrics.counters(label: "http.client.requests").count == 7)
        for meter in metered.metrics.meters { #expect(meter.lastValue == 0, "\(meter)") }
    }
}

extension MockTransport.Configuration {
    static var oneConnection: Self {
        var configuration = Self()
        configuration.maximumConnectionsPerHost = 1
        return configuration
    }
}

extension HTTPResponse.Status {
    static var teapot: HTTPResponse.Status { HTTPResponse.Status(code: 418) }
}
