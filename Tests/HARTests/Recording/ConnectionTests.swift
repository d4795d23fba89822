import AirframeHAR
import AirframeTransport
import HTTPTypes
import Testing

@Suite("The connection of an entry", .timeLimit(.minutes(1)))
struct ConnectionTests {
    private func entry(_ connection: TransportConnection) -> HAR.Entry {
        let (exchange, instant) = (ExchangeIdentifier(), MonotonicInstant(nanoseconds: 1))
        let head = HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/")
        var record = HAR.ExchangeRecord(of: head, exchange, at: instant)
        record.receive(TransportEvent(.connectionAcquired(connection), of: exchange, at: instant))
        return record.entry(HAR.RecordingOptions(), clock: SystemClock.shared, page: nil)
    }

    @Test("an entry over HTTP/2 has the identifier of its stream (RFC 9113 §5.1.1)")
    func stream() {
        let entry = entry(TransportConnection(id: 7, httpVersion: .http2, streamID: 5))
        #expect(entry.connection == "7")
        #expect(entry.custom["_streamId"] == 5)
    }

    @Test("an entry over HTTP/1.1 has none")
    func noStream() {
        let entry = entry(TransportConnection(id: 7, httpVersion: .http1_1))
        #expect(entry.connection == "7")
        #expect(entry.custom["_streamId"] == nil)
    }
}
