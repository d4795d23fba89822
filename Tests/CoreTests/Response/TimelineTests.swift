import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeCore

@Suite("Timelines", .timeLimit(.minutes(1)))
struct TimelineTests {
    @Test("compute durations from instants")
    func durations() {
        let timeline = Timeline(
            requestStartTime: 10, initialResponseTime: 12, requestCompletedTime: 15, serializationCompletedTime: 15.5)
        #expect(timeline.latency == 2)
        #expect(timeline.requestDuration == 5)
        #expect(timeline.serializationDuration == 0.5)
        #expect(timeline.totalDuration == 5.5)
        #expect(timeline.description.contains("total 5500.000 ms"))
        #expect(Timeline().totalDuration == 0)
    }

    @Test("are computed from a response's metrics")
    func fromMetrics() {
        let metrics = URLSessionTaskMetrics()
        let head = HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/")
        let exchange = ExchangeIdentifier()
        for (kind, second) in [
            (TransportEvent.Kind.started(head), 1), (.responseHead(HTTPResponse(status: .ok), byteCount: nil), 3),
            (.released(.kept), 6),
        ] {
            let instant = MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000)
            metrics.recorder.record(TransportEvent(kind, of: exchange, at: instant))
        }
        metrics.finish(clock: SystemClock.shared)
        let response = DataResponse<Int, AFError>(
            request: nil, response: nil, data: nil, metrics: metrics,
            serializationDuration: 0.25, result: .success(1))
        let timeline = response.timeline
        #expect(abs(timeline.latency - 2) < 0.001)
        #expect(abs(timeline.requestDuration - 5) < 0.001)
        #expect(abs(timeline.serializationDuration - 0.25) < 0.001)
        #expect(abs(timeline.totalDuration - 5.25) < 0.001)
    }

    @Test("of a response without metrics have only serialization")
    func withoutMetrics() {
        let response = DataResponse<Int, AFError>(
            request: nil, response: nil, data: nil, metrics: nil, serializationDuration: 0.25,
            result: .failure(.explicitlyCancelled))
        #expect(response.timeline.totalDuration == 0.25)
        #expect(response.timeline.latency == 0)
    }
}
