public import Foundation

/// The four instants and four durations of a request at a glance, as Alamofire 3 and 4 had them. The metrics of a
/// response tell more.
///
/// Instants are seconds since the reference date (2001-01-01 00:00:00 UTC), durations are seconds.
public struct Timeline: Sendable, Hashable {
    /// When the request began.
    public let requestStartTime: TimeInterval
    /// When the first of the response came; the end of the request when nothing came.
    public let initialResponseTime: TimeInterval
    /// When the request was complete.
    public let requestCompletedTime: TimeInterval
    /// When the response had been made a value.
    public let serializationCompletedTime: TimeInterval

    /// From the begin of the request to the first of the response.
    public let latency: TimeInterval
    /// From the begin of the request to its end.
    public let requestDuration: TimeInterval
    /// From the end of the request to the value.
    public let serializationDuration: TimeInterval
    /// From the begin of the request to the value.
    public let totalDuration: TimeInterval

    /// Derives the durations from the instants.
    ///
    /// - Parameters:
    ///   - requestStartTime: When the request began.
    ///   - initialResponseTime: When the first of the response came.
    ///   - requestCompletedTime: When the request was complete.
    ///   - serializationCompletedTime: When the response had been made a value.
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

    /// The timeline of an attempt; all zero when none was made.
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
    /// When the request began and ended, and how long its parts took.
    public var timeline: Timeline { Timeline(metrics, serializationDuration: serializationDuration) }
}

extension DownloadResponse {
    /// When the request began and ended, and how long its parts took.
    public var timeline: Timeline { Timeline(metrics, serializationDuration: serializationDuration) }
}
