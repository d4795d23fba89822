import AirframeCore
import AirframeMetrics
import AirframeMock
import AirframeTransport
import CoreMetrics
import Foundation
import MetricsTestKit

/// A session whose requests are measured, and what was measured.
struct Metered {
    let metrics = TestMetrics()
    let session: Session
    /// The measured transport beneath the session's own layers.
    let transport: MetricsTransport

    /// A session on `transport`. Nothing in it has a limit.
    init(
        _ transport: any Transport,
        _ configuration: MetricsConfiguration = MetricsConfiguration(),
        interceptor: (any RequestInterceptor)? = nil
    ) {
        let unlimited = URLSessionConfiguration.af.default
        unlimited.timeoutIntervalForRequest = .infinity
        let monitor = MetricsMonitor(factory: metrics, configuration: configuration)
        self.transport = MetricsTransport(transport, monitor: monitor)
        session = Session(
            transport: transport,
            configuration: unlimited,
            interceptor: interceptor,
            eventMonitors: [monitor]
        )
    }

    /// Waits until no request is under way any more: exchanges that are given up end a little later.
    func settle() async throws {
        while metrics.meters(label: "http.client.active_requests").contains(where: { $0.lastValue != 0 }) {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

extension TestMetrics {
    /// The sum of a counter's series with these labels.
    func total(_ name: String, _ labels: [String: String] = [:]) -> Int64 {
        counters(label: name, dimensions: labels.map { ($0.key, $0.value) }).map(\.totalValue).reduce(0, +)
    }

    /// The values recorded by a timer's series with these labels.
    func durations(_ name: String, _ labels: [String: String] = [:]) -> [Duration] {
        timers(label: name, dimensions: labels.map { ($0.key, $0.value) }).flatMap(\.values).map { .nanoseconds($0) }
    }

    /// The values recorded by a recorder's series.
    func values(_ name: String) -> [Double] { recorders(label: name).flatMap(\.values) }

    /// Names and labels of all series.
    var series: [(name: String, labels: [(String, String)])] {
        counters.map { ($0.label, $0.dimensions) } + timers.map { ($0.label, $0.dimensions) }
            + recorders.map { ($0.label, $0.dimensions) } + meters.map { ($0.label, $0.dimensions) }
    }
}

/// Retries what failed validation, some seconds later.
func retrier(after seconds: TimeInterval, limit: Int = 3) -> Interceptor {
    Interceptor(retriers: [
        Retrier { request, _, _, completion in
            completion(request.retryCount < limit ? .retryWithDelay(seconds) : .doNotRetry)
        }
    ])
}
