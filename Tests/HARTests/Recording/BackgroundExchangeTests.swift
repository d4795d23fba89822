import Airframe
import AirframeHAR
import AirframeLogging
import AirframeMock
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Exchanges in the background of a request", .timeLimit(.minutes(1)))
struct BackgroundExchangeTests {
    private static let head = HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/")

    /// The events of an exchange that a cache answers.
    private static let served: [TransportEvent.Kind] = [
        .started(head), .decided(TransportDecision(.servedFromCache, reason: "it is stale")),
        .responseHead(HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]), byteCount: nil),
        .released(.unknown),
    ]

    private func report(
        _ kinds: [TransportEvent.Kind],
        of exchange: ExchangeIdentifier,
        to sequence: inout HAR.ExchangeSequence
    ) -> [HAR.ExchangeRecord] {
        kinds.compactMap { kind in
            sequence.receive(TransportEvent(kind, of: exchange, at: MonotonicInstant(nanoseconds: 1)))
        }
    }

    private func start(
        _ exchange: ExchangeIdentifier,
        in sequence: inout HAR.ExchangeSequence
    ) -> [HAR.ExchangeRecord] {
        report([.started(Self.head)], of: exchange, to: &sequence)
    }

    private func text(_ record: HAR.ExchangeRecord?) -> String? {
        record?.entry(HAR.RecordingOptions(), clock: SystemClock.shared, page: nil).response.content.text
    }

    @Test("a validation that begins before a stored response is read receives no bytes of it, and ends by itself")
    func overlapping() {
        let (first, second) = (ExchangeIdentifier(), ExchangeIdentifier())
        var sequence = HAR.ExchangeSequence(HAR.RecordingOptions())
        sequence.begin(attempt: 1)
        let replaced = report(Self.served, of: first, to: &sequence) + start(second, in: &sequence)
        #expect(replaced.isEmpty)
        sequence.take(Data("stored".utf8))
        let answer: [TransportEvent.Kind] = [
            .responseHead(HTTPResponse(status: .notModified), byteCount: nil), .released(.kept),
        ]
        let validations = report(answer, of: second, to: &sequence)
        #expect(validations.map(\.timeline.exchange) == [second])
        #expect(validations.first?.response?.status == .notModified)
        #expect(text(validations.first) == nil)
        let record = sequence.finish()
        #expect(record?.timeline.exchange == first)
        #expect(text(record) == "stored")
    }

    @Test("a validation that begins after the attempt ends by itself, also if it fails")
    func later() {
        let (first, second) = (ExchangeIdentifier(), ExchangeIdentifier())
        var sequence = HAR.ExchangeSequence(HAR.RecordingOptions())
        sequence.begin(attempt: 1)
        _ = report(Self.served, of: first, to: &sequence)
        let record = sequence.finish()
        #expect(record?.timeline.exchange == first)
        let error = TransportError(.connectFailed, phase: .connect, processing: .notSent, message: "refused")
        let ended = report([.started(Self.head), .failed(error)], of: second, to: &sequence)
        #expect(ended.map(\.timeline.exchange) == [second])
        let rest = sequence.finishAll()
        #expect(rest.isEmpty)
    }

    @Test("a stored redirect is followed by an exchange of the request")
    func storedRedirect() {
        let (first, second) = (ExchangeIdentifier(), ExchangeIdentifier())
        var sequence = HAR.ExchangeSequence(HAR.RecordingOptions())
        sequence.begin(attempt: 1)
        let response = HTTPResponse(status: .found)
        let redirect = TransportDecision(.followedRedirect(response, next: Self.head), reason: "status 302")
        _ = report(Self.served + [.decided(redirect)], of: first, to: &sequence)
        let followed = HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"])
        let ended = report(
            [.started(Self.head), .responseHead(followed, byteCount: nil)], of: second, to: &sequence)
        #expect(ended.map(\.timeline.exchange) == [first])
        sequence.take(Data("followed".utf8))
        let record = sequence.finish()
        #expect(record?.timeline.exchange == second && record?.custom["_initiator"] == "redirect")
        #expect(text(record) == "followed")
    }

    /// The reports of an ``EntryMonitor``.
    private final class Report: Sendable {
        private let starts = Mutex<[UInt64]>([])
        private let entries = Mutex<[UInt64: HAR.Entry]>([:])

        var started: [UInt64] { starts.withLock { $0 } }
        var ended: [UInt64: HAR.Entry] { entries.withLock { $0 } }

        func start(_ start: EntryMonitor.Start) { starts.withLock { $0.append(start.id) } }

        func end(_ id: UInt64, _ entry: HAR.Entry) { entries.withLock { $0[id] = entry } }
    }

    @Test("each start of an EntryMonitor has an entry, also that of a validation in the background (RFC 5861 §3)")
    func everyStartEnds() async throws {
        let first = Reply.text("old").header(.cacheControl, "max-age=1, stale-while-revalidate=6000")
            .header(.eTag, "\"1\"")
        let engine = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
            Route(.get, "/").reply(.sequence([first, .text("new").delayed(by: .seconds(1))]))
        }
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let report = Report()
        let monitor = EntryMonitor(onStart: { report.start($0) }, onEntry: { report.end($0, $1) })
        let session = Session(transport: engine, configuration: configuration, eventMonitors: [monitor])
        #expect(try await session.request("http://api.test/").serializingString().value == "old")
        await engine.virtualClock.advance(by: .seconds(10))
        #expect(try await session.request("http://api.test/").serializingString().value == "old")
        try await eventually("the validation") { engine.requests.count == 2 && report.started.count == 3 }
        // The validation is answered after the request has ended.
        await engine.virtualClock.advance(by: .seconds(1))
        try await eventually("the entry of the validation") { report.ended.count == 3 }
        let entries = report.ended.sorted { $0.key < $1.key }.map(\.value)
        #expect(report.started.sorted() == report.ended.keys.sorted())
        #expect(entries.map(\.response.status) == [200, 200, 200])
        #expect(entries.map { $0.custom["_fromCache"] } == [nil, true, nil])
        #expect(entries.map(\.response.content.text) == ["old", "old", nil])
    }
}
