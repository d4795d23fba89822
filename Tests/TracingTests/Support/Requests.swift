import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTracing
import AirframeTransport
import Foundation
import HTTPTypes

extension Session {
    /// A session on `transport` that is traced by `tracer`. Nothing in it has a limit.
    convenience init(
        _ transport: any Transport,
        tracer: TestTracer,
        _ configuration: TracingConfiguration = TracingConfiguration(),
        interceptor: (any RequestInterceptor)? = nil
    ) {
        let unlimited = URLSessionConfiguration.af.default
        unlimited.timeoutIntervalForRequest = .infinity
        self.init(
            transport: transport,
            configuration: unlimited,
            interceptor: interceptor,
            eventMonitors: [TracingMonitor(tracer: tracer, configuration: configuration)]
        )
    }
}

extension HTTPField.Name {
    static var traceparent: HTTPField.Name { HTTPField.Name("traceparent") ?? .accept }
    static var tracestate: HTTPField.Name { HTTPField.Name("tracestate") ?? .accept }
}

/// Retries what failed validation, some seconds later.
func retrier(after seconds: TimeInterval, limit: Int = 3) -> Interceptor {
    Interceptor(retriers: [
        Retrier { request, _, _, completion in
            completion(request.retryCount < limit ? .retryWithDelay(seconds) : .doNotRetry)
        }
    ])
}
