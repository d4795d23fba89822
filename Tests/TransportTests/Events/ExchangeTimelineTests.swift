import AirframeTransport
import HTTPTypes
import Synchronization
import Testing

@Suite("A timeline is the fold over an exchange's events", .timeLimit(.minutes(1)))
struct ExchangeTimelineTests {
    private let head = HTTPRequest(method: .post, scheme: "https", authority: "h.test", path: "/")
    private let ok = HTTPResponse(status: .ok)
    private let first = SocketAddress.ip("192.0.2.1", port: 443)
    private let second = SocketAddress.ip("192.0.2.2", port: 443)
    private let tls = TLSDescription(version: .tls1_3, cipherSuite: "TLS_AES_128_GCM_SHA256")
    private let exchange = ExchangeIdentifier()

    private var lost: TransportError {
        TransportError(.connectFailed, phase: .connect, processing: .notSent, message: "refused")
    }

    private func instant(_ second: Int) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(second)) }

    /// The timeline of events one nanosecond apart, the first at 1.
    private func timeline(_ kinds: TransportEvent.Kind...) -> ExchangeTimeline {
        var timeline = ExchangeTimeline(of: exchange, at: instant(1))
        for (index, kind) in kinds.enumerated() {
            timeline.record(TransportEvent(kind, of: exchange, at: instant(index + 1)))
        }
        return timeline
    }

    @Test("Every phase of a new connection has its instants")
    func phases() throws {
        let connection = TransportConnection(id: 7, httpVersion: .http2, remoteAddress: second, tls: tls)
        let timeline = timeline(
            .started(head), .resolveStarted(host: "h.test"), .resolveFinished(addresses: ["192.0.2.1", "192.0.2.2"]),
            .connectStarted(first), .connectStarted(second), .connectFailed(first, lost), .connectFinished(second),
            .proxyStarted(second), .proxyFinished(status: 200), .tlsStarted, .tlsFinished(tls),
            .connectionAcquired(connection), .requestHeadSent(byteCount: 100),
            .requestBodySent(byteCount: 5, total: 5), .requestFinished,
            .informationalResponse(HTTPResponse(status: .earlyHints)), .responseHead(ok, byteCount: 50),
            .responseBodyReceived(byteCount: 3, total: 3), .responseBodyReceived(byteCount: 4, total: 7),
            .responseBodyDecoded(byteCount: 9, total: 9), .trailers([.eTag: "x"]), .released(.kept)
        )
        #expect(timeline.started == instant(1) && timeline.first == instant(1) && timeline.last == instant(22))
        #expect(timeline.resolution?.start == instant(2) && timeline.resolution?.end == instant(3))
        #expect(timeline.connectAttempts.map(\.address) == [first, second])
        #expect(timeline.connectAttempts.map(\.span.end) == [instant(6), instant(7)])
        #expect(timeline.connectAttempts.map { $0.error?.code } == [.connectFailed, nil])
        #expect(timeline.proxy?.start == instant(8) && timeline.proxy?.end == instant(9))
        #expect(timeline.tlsHandshake?.start == instant(10) && timeline.tlsHandshake?.end == instant(11))
        #expect(timeline.connecting?.start == instant(4) && timeline.connecting?.end == instant(11))
        #expect(timeline.connectionAcquired == instant(12) && timeline.connection?.id == 7)
        #expect(timeline.poolWait == .nanoseconds(1))
        #expect(timeline.requestHeadSent == instant(13) && timeline.requestBodySent == instant(14))
        #expect(timeline.requestFinished == instant(15) && timeline.requestSent == instant(15))
        #expect(timeline.informationalResponse == instant(16) && timeline.informationalResponses.count == 1)
        #expect(timeline.responseHead == instant(17) && timeline.response?.status == .ok)
        #expect(timeline.firstBodyByte == instant(18) && timeline.lastBodyByte == instant(19))
        #expect(timeline.trailersReceived == instant(21) && timeline.trailers?[.eTag] == "x")
        #expect(timeline.ended == instant(22) && timeline.failure == nil)
        #expect(timeline.requestHeadBytes == 100 && timeline.requestBodyBytes == 5)
        #expect(timeline.responseHeadBytes == 50 && timeline.responseBodyBytes == 7)
        #expect(timeline.decodedBodyBytes == 9)
        #expect(timeline.request?.method == .post && timeline.tls == tls)
    }

    @Test("Decisions keep their order and their reasons, the reuse of a connection among them")
    func decisions() {
        let timeline = timeline(
            .decided(TransportDecision(.sentCookies(names: ["a"]), reason: "stored")), .started(head),
            .decided(TransportDecision(.reusedConnection(id: 3), reason: "idle")),
            .decided(TransportDecision(.servedFromCache, reason: "fresh"))
        )
        #expect(timeline.decisions.map(\.decision.reason) == ["stored", "idle", "fresh"])
        #expect(timeline.decisions.map(\.instant) == [instant(1), instant(3), instant(4)])
        #expect(timeline.isReused == true && timeline.isFromCache)
        #expect(timeline.first == instant(1) && timeline.started == instant(2))
    }

    @Test("A failure ends the timeline, even after the engine released the connection, and the first failure stands")
    func failures() {
        #expect(timeline(.started(head), .failed(lost)).failure?.code == .connectFailed)
        let late = timeline(.started(head), .released(.kept), .failed(lost))
        #expect(late.failure?.code == .connectFailed && late.ended == instant(3))
        let twice = timeline(.started(head), .failed(lost), .failed(.cancelled(in: .layer, processing: .unknown)))
        #expect(twice.failure?.code == .connectFailed && twice.ended == instant(2))
        #expect(timeline(.started(head)).ending == nil)
    }

    @Test("Events of another exchange change nothing")
    func others() {
        var timeline = timeline(.started(head))
        timeline.record(TransportEvent(.requestFinished, of: ExchangeIdentifier(), at: instant(9)))
        #expect(timeline.requestFinished == nil && timeline.last == instant(1))
    }

    @Test("A recorder keeps a timeline for each exchange, in the order in which they began, until it is closed")
    func recorder() {
        let recorder = TimelineRecorder()
        let other = ExchangeIdentifier()
        recorder.record(.started(head), of: exchange, at: instant(1))
        recorder.record(.started(head), of: other, at: instant(2))
        recorder.record(.requestFinished, of: exchange, at: instant(3))
        #expect(recorder.timelines.map(\.exchange) == [exchange, other])
        #expect(recorder.timelines.map(\.requestFinished) == [instant(3), nil])
        #expect(recorder.timeline(of: other)?.started == instant(2))
        #expect(recorder.close() == instant(1))
        recorder.record(.requestFinished, of: other, at: instant(4))
        #expect(recorder.timeline(of: other)?.requestFinished == nil)
    }
}

@Suite("Events are constructed only for sinks that want them", .timeLimit(.minutes(1)))
struct ReportingTests {
    private let head = HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/")

    @Test("A sink receives the groups that it wants; the timeline has everything")
    func wanted() {
        let received = Mutex<[TransportEventKinds]>([])
        var request = TransportRequest(
            head,
            events: ClosureEventSink(wanting: .decisions) { event in received.withLock { $0.append(event.kind.group) } }
        )
        let recorder = TimelineRecorder()
        request.timelines = recorder
        request.report(.started(head), on: SystemClock.shared)
        request.report(.refused, because: "of a test", on: SystemClock.shared)
        request.report(.requestFinished, on: SystemClock.shared)
        #expect(received.withLock { $0 } == [.decisions])
        #expect(recorder.timelines.first?.requestFinished != nil)
        #expect(recorder.timelines.first?.decisions.count == 1)
        #expect(request.wants([.decisions, .boundaries]) && !request.wants(.boundaries))
    }

    @Test("No event is constructed without a sink that wants it")
    func unasked() {
        let made = Mutex(0)
        let request = TransportRequest(head)
        func reason() -> String {
            made.withLock { $0 += 1 }
            return ""
        }
        request.report(.refused, because: reason(), on: SystemClock.shared)
        #expect(made.withLock { $0 } == 0)
    }

    @Test("A ClosureTransport provides a timeline with the response, and with a failure")
    func closures() async throws {
        let transport = ClosureTransport { request throws(TransportError) in
            guard request.head.path == "/" else { throw .cancelled(in: .pool, processing: .notSent) }
            return TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
        }
        let response = try await transport.send(TransportRequest(head))
        #expect(response.timeline?.started != nil && response.timeline?.response?.status == .ok)
        var failing = TransportRequest(head)
        failing.head.path = "/lost"
        let recorder = TimelineRecorder()
        failing.timelines = recorder
        await #expect(throws: TransportError.self) { try await transport.send(failing) }
        #expect(recorder.timelines.first?.failure?.isCancellation == true)
    }
}
