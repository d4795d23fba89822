public import AirframeCore
internal import AirframeTransport
internal import Foundation

extension Session {
    /// The events of a server, over as many connections as it takes.
    ///
    /// Nothing is sent before the sequence is read. A connection that is silent for longer than the session's
    /// `timeoutIntervalForRequest` counts as broken, and the next one is made.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: Fields to set, besides `Accept`, `Cache-Control` and `Last-Event-ID`.
    ///   - lastEventID: The identifier to go on from, as an earlier ``ServerSentEvent/id``.
    ///   - reconnection: When to connect anew.
    ///   - maximumEventLength: The size of an event, in bytes, from which on the stream is refused.
    ///   - interceptor: Adapts and retries each request, before the session's.
    ///   - requestModifier: Changes each `URLRequest`.
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

    /// The events of a server, over as many connections as it takes, from anything that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: Makes the `URLRequest`, anew for each connection.
    ///   - lastEventID: The identifier to go on from, as an earlier ``ServerSentEvent/id``.
    ///   - reconnection: When to connect anew.
    ///   - maximumEventLength: The size of an event, in bytes, from which on the stream is refused.
    ///   - interceptor: Adapts and retries each request, before the session's.
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

/// A request for events, with the fields that the standard asks for (WHATWG HTML §9.2.2).
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
