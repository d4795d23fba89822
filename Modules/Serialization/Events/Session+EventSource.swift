public import AirframeCore
internal import AirframeTransport
internal import Foundation

extension Session {
    /// Returns a sequence of server-sent events that reconnects as needed.
    ///
    /// The first request is sent when iteration begins. A connection that is silent for longer than the session's
    /// `timeoutIntervalForRequest` counts as failed and is replaced.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: The header fields in addition to `Accept`, `Cache-Control` and `Last-Event-ID`.
    ///   - lastEventID: The identifier to continue from, from an earlier ``ServerSentEvent/id``.
    ///   - reconnection: The reconnection rules.
    ///   - maximumEventLength: The maximum size of an event, in bytes. A longer event fails the stream.
    ///   - interceptor: The interceptor of each request, in addition to the session's.
    ///   - requestModifier: A closure that modifies each `URLRequest`.
    public func eventSource(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        headers: HTTPHeaders? = nil,
        lastEventID: String? = nil,
        reconnection: EventSource.Reconnection = EventSource.Reconnection(),
        maximumEventLength: Int = defaultStreamElementLimit,
        interceptor: (any RequestInterceptor)? = nil,
        requestModifier: RequestModifier? = nil
    ) -> EventSource {
        eventSource(
            PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier),
            lastEventID: lastEventID,
            reconnection: reconnection,
            maximumEventLength: maximumEventLength,
            interceptor: interceptor
        )
    }

    /// Returns a sequence of server-sent events that reconnects as needed, from a value that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: The value that makes a `URLRequest` for each connection.
    ///   - lastEventID: The identifier to continue from, from an earlier ``ServerSentEvent/id``.
    ///   - reconnection: The reconnection rules.
    ///   - maximumEventLength: The maximum size of an event, in bytes. A longer event fails the stream.
    ///   - interceptor: The interceptor of each request, in addition to the session's.
    public func eventSource(
        _ convertible: any URLRequestConvertible,
        lastEventID: String? = nil,
        reconnection: EventSource.Reconnection = EventSource.Reconnection(),
        maximumEventLength: Int = defaultStreamElementLimit,
        interceptor: (any RequestInterceptor)? = nil
    ) -> EventSource {
        EventSource(
            reconnection: reconnection,
            lastEventID: lastEventID ?? "",
            maximumEventLength: maximumEventLength,
            connect: { lastEventID throws(AFError) in
                let request = EventStreamRequest(plain: convertible, lastEventID: lastEventID)
                let bytes = self.streamRequest(request, interceptor: interceptor, shouldAutomaticallyResume: true)
                    .bytes()
                return EventSource.Connection(response: try await bytes.response) { () async throws(AFError) in
                    var iterator = bytes.makeAsyncIterator()
                    return try await iterator.next()
                }
            },
            sleep: { try await self.context.clock.sleep(for: $0) }
        )
    }
}

/// Returns a request for events with the fields that the standard requires (WHATWG HTML §9.2.2).
private struct EventStreamRequest: URLRequestConvertible {
    let plain: any URLRequestConvertible
    let lastEventID: String

    func asURLRequest() throws -> URLRequest {
        var request = try plain.asURLRequest()
        if request.value(forHTTPHeaderField: "Accept") == nil {
            request.setValue(EventStreamRules.mediaType, forHTTPHeaderField: "Accept")
        }
        if request.value(forHTTPHeaderField: "Cache-Control") == nil {
            request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
        }
        if !lastEventID.isEmpty { request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID") }
        return request
    }
}
