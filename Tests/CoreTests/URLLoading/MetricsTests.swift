import AirframeCore
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Metrics", .timeLimit(.minutes(1)))
struct MetricsTests {
    private let head = HTTPRequest(method: .get, scheme: "https", authority: "h.test", path: "/a")
    private let address = SocketAddress.ip("192.0.2.1", port: 443)
    private let tls = TLSDescription(version: .tls1_3, cipherSuite: "TLS_AES_128_GCM_SHA256")

    private var connection: TransportConnection {
        TransportConnection(
            id: 1,
            httpVersion: .http2,
            localAddress: .ip("192.0.2.9", port: 5000),
            remoteAddress: address,
            tls: tls
        )
    }

    /// Events at intervals of one millisecond, the first at one millisecond.
    private func metrics(_ kinds: [TransportEvent.Kind]) -> URLSessionTaskMetrics {
        let metrics = URLSessionTaskMetrics()
        var exchange = ExchangeIdentifier()
        for (index, kind) in kinds.enumerated() {
            // The first exchange ends when the next one starts.
            if case .started = kind { exchange = ExchangeIdentifier() }
            let instant = MonotonicInstant(nanoseconds: Int64(index + 1) * 1_000_000)
            metrics.recorder.record(TransportEvent(kind, of: exchange, at: instant))
        }
        metrics.finish(clock: EpochClock())
        return metrics
    }

    private func milliseconds(_ date: Date?) -> Int? { date.map { Int(($0.timeIntervalSince1970 * 1000).rounded()) } }

    @Test("of a new TLS connection have the dates of every phase")
    func newConnection() throws {
        let metrics = metrics([
            .started(head), .resolveStarted(host: "h.test"), .resolveFinished(addresses: ["192.0.2.1"]),
            .connectStarted(address), .connectFinished(address), .tlsStarted, .tlsFinished(tls),
            .connectionAcquired(connection), .requestHeadSent(byteCount: 100),
            .requestBodySent(byteCount: 5, total: 5), .requestFinished,
            .responseHead(HTTPResponse(status: .ok), byteCount: 50),
            .responseBodyReceived(byteCount: 3, total: 3), .responseBodyReceived(byteCount: 4, total: 7),
            .released(.kept),
        ])
        #expect(metrics.redirectCount == 0)
        #expect(abs(metrics.taskInterval.duration - 0.014) < 1e-6)
        #expect(metrics.transactionMetrics.count == 1)
        let transaction = try #require(metrics.transactionMetrics.first)
        let dates = [
            transaction.fetchStartDate, transaction.domainLookupStartDate, transaction.domainLookupEndDate,
            transaction.connectStartDate, transaction.secureConnectionStartDate,
            transaction.secureConnectionEndDate, transaction.connectEndDate, transaction.requestStartDate,
            transaction.requestEndDate, transaction.responseStartDate, transaction.responseEndDate,
        ]
        #expect(dates.map(milliseconds) == [1, 2, 3, 4, 6, 7, 7, 8, 11, 12, 15])
        #expect(transaction.networkProtocolName == "h2")
        #expect(!transaction.isReusedConnection && !transaction.isProxyConnection)
        #expect(transaction.resourceFetchType == .networkLoad)
        #expect(transaction.countOfRequestHeaderBytesSent == 100)
        #expect(transaction.countOfRequestBodyBytesSent == 5)
        #expect(transaction.countOfResponseHeaderBytesReceived == 50)
        #expect(transaction.countOfResponseBodyBytesReceived == 7)
        #expect(transaction.localAddress == "192.0.2.9" && transaction.localPort == 5000)
        #expect(transaction.remoteAddress == "192.0.2.1" && transaction.remotePort == 443)
        #expect(transaction.negotiatedTLSProtocolVersion == .tls1_3)
        #expect(transaction.negotiatedTLSCipherSuite == "TLS_AES_128_GCM_SHA256")
        #expect(transaction.request?.url?.absoluteString == "https://h.test/a")
        #expect(transaction.response?.statusCode == 200)
        #expect(metrics.description.contains("h2"))
    }

    @Test("of a reused connection have no dates for phases that did not happen")
    func keptConnection() throws {
        var kept = connection
        kept.isReused = true
        kept.streamID = 3
        let metrics = metrics([
            .started(head), .connectionAcquired(kept), .requestHeadSent(byteCount: nil), .requestFinished,
            .responseHead(HTTPResponse(status: .noContent), byteCount: nil), .released(.kept),
        ])
        let transaction = try #require(metrics.transactionMetrics.first)
        #expect(transaction.isReusedConnection)
        #expect(transaction.streamID == 3)
        #expect(transaction.description.contains("h2, kept connection, stream 3"))
        #expect(transaction.domainLookupStartDate == nil && transaction.connectStartDate == nil)
        #expect(transaction.connectEndDate == nil && transaction.secureConnectionStartDate == nil)
        #expect(transaction.negotiatedTLSProtocolVersion == .tls1_3)
    }

    @Test("of a redirect have a transaction for each request, and count one redirect")
    func redirect() {
        let next = HTTPRequest(method: .get, scheme: "https", authority: "other.test", path: "/b")
        let metrics = metrics([
            .started(head), .connectionAcquired(connection), .requestFinished,
            .responseHead(HTTPResponse(status: .found), byteCount: nil), .released(.kept),
            .decided(TransportDecision(.followedRedirect(HTTPResponse(status: .found), next: next), reason: "302")),
            .started(next), .connectionAcquired(connection), .requestFinished,
            .responseHead(HTTPResponse(status: .ok), byteCount: nil), .released(.kept),
        ])
        #expect(metrics.redirectCount == 1)
        #expect(metrics.transactionMetrics.map { $0.response?.statusCode } == [302, 200])
        #expect(metrics.transactionMetrics.map { $0.request?.url?.host() } == ["h.test", "other.test"])
        #expect(metrics.transactionMetrics.map { milliseconds($0.fetchStartDate) } == [1, 7])
        #expect(metrics.transactionMetrics.map { milliseconds($0.responseEndDate) } == [5, 11])
    }

    @Test("of an answered challenge have two transactions and no redirect")
    func secondRound() {
        let metrics = metrics([
            .started(head), .responseHead(HTTPResponse(status: .unauthorized), byteCount: nil), .released(.kept),
            .started(head), .responseHead(HTTPResponse(status: .ok), byteCount: nil), .released(.kept),
        ])
        #expect(metrics.redirectCount == 0)
        #expect(metrics.transactionMetrics.map { $0.response?.statusCode } == [401, 200])
    }

    @Test("of a failure end at the failure")
    func failure() throws {
        let error = TransportError(.connectFailed, phase: .connect, processing: .notSent, message: "refused")
        let metrics = metrics([
            .started(head), .connectStarted(address), .connectFailed(address, error), .failed(error),
        ])
        let transaction = try #require(metrics.transactionMetrics.first)
        #expect(milliseconds(transaction.connectStartDate) == 2)
        #expect(transaction.connectEndDate == nil && transaction.response == nil)
        #expect(transaction.responseEndDate == nil)
        #expect(transaction.resourceFetchType == .unknown)
        #expect(abs(metrics.taskInterval.duration - 0.003) < 1e-6)
    }

    @Test("of a response from a cache have the fetch type localCache")
    func cache() {
        let metrics = metrics([
            .decided(TransportDecision(.servedFromCache, reason: "fresh")),
            .responseHead(HTTPResponse(status: .ok), byteCount: nil),
        ])
        #expect(metrics.transactionMetrics.map(\.resourceFetchType) == [.localCache])
        #expect(metrics.transactionMetrics.first?.request == nil)
    }

    @Test("of an attempt that was not sent are empty")
    func nothing() {
        let metrics = URLSessionTaskMetrics()
        metrics.finish(clock: EpochClock())
        #expect(metrics.transactionMetrics.isEmpty)
        #expect(metrics.taskInterval.duration == 0)
    }
}

/// A clock whose instants count from 1970.
private struct EpochClock: TransportClock {
    var now: MonotonicInstant { MonotonicInstant(nanoseconds: 0) }

    func date(at instant: MonotonicInstant) -> Date {
        Date(timeIntervalSince1970: Double(instant.nanoseconds) / 1e9)
    }

    func sleep(until deadline: MonotonicInstant) async throws {}
}
