public import Foundation

/// The four instants and four durations of a request, as in Alamofire 3 and 4. The metrics of a response have more
/// details.
///
/// Instants are seconds since the reference date (2001-01-01 00:00:00 UTC), durations are seconds.
public struct Timeline: Sendable, Hashable {
    /// The start of the request, in seconds since the reference date.
    public let requestStartTime: TimeInterval
    /// The arrival of the response's first byte, in seconds since the reference date; the end of the request if nothing
    /// arrived.
    public let initialResponseTime: TimeInterval
    /// The end of the request, in seconds since the reference date.
    public let requestCompletedTime: TimeInterval
    /// The end of serialization, in seconds since the reference date.
    public let serializationCompletedTime: TimeInterval

    /// The time from the start of the request to the response's first byte, in seconds.
    public let latency: TimeInterval
    /// The time from the start of the request to its end, in seconds.
    public let requestDuration: TimeInterval
    /// The time from the end of the request to the end of serialization, in seconds.
    public let serializationDuration: TimeInterval
    /// The time from the start of the request to the end of serialization, in seconds.
    public let totalDuration: TimeInterval

    /// Creates a timeline and computes its durations. All instants are in seconds since the reference date.
    ///
    /// - Parameters:
    ///   - requestStartTime: The start of the request.
    ///   - initialResponseTime: The arrival of the response's first byte.
    ///   - requestCompletedTime: The end of the request.
    ///   - serializationCompletedTime: The end of serialization.
    public init(
        requestStartTime: TimeInterval = 0,
        initialResponseTime: TimeInterval = 0,
        requestCompletedTime: TimeInterval = 0,
        serializationCompletedTime: TimeInterval = 0
    ) {
        self.requestStartTime = requestStartTime
        self.initialResponseTime = initialResponseTime
        self.requestCompletedTime = requestCompletedTime
        self.serializationCompletedTime = serializationCompletedTime
        latency = initialResponseTime - requestStartTime
        requestDuration = requestCompletedTime - requestStartTime
        serializationDuration = serializationCompletedTime - requestCompletedTime
        totalDuration = serializationCompletedTime - requestStartTime
    }

    /// Creates the timeline of an attempt; all zero if there was none.
    init(_ metrics: URLSessionTaskMetrics?, serializationDuration: TimeInterval) {
        guard let metrics else {
            self.init(serializationCompletedTime: serializationDuration)
            return
        }
        let interval = metrics.taskInterval
        let end = interval.end.timeIntervalSinceReferenceDate
        let head = metrics.transactionMetrics.last?.responseStartDate?.timeIntervalSinceReferenceDate
        self.init(
            requestStartTime: interval.start.timeIntervalSinceReferenceDate,
            initialResponseTime: head ?? end,
            requestCompletedTime: end,
            serializationCompletedTime: end + serializationDuration
        )
    }
}

extension Timeline: CustomStringConvertible {
    /// The durations.
    public var description: String {
        let parts = [
            ("latency", latency), ("request", requestDuration), ("serialization", serializationDuration),
            ("total", totalDuration),
        ]
        return parts.map { "\($0) \(URLSessionTaskMetrics.milliseconds($1))" }.joined(separator: ", ")
    }
}

extension DataResponse {
    /// The instants and durations of the request.
    public var timeline: Timeline { Timeline(metrics, serializationDuration: serializationDuration) }
}

extension DownloadResponse {
    /// The instants and durations of the request.
    public var timeline: Timeline { Timeline(metrics, serializationDuration: serializationDuration) }
}
