internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

// The fields of a response other than its head and its content, from the timeline of the exchange.

extension URLSessionTaskMetrics {
    /// The trailer fields of the last response (RFC 9110 §6.5); `nil` if there were none.
    public var trailers: HTTPHeaders? { timelines.last?.trailers.map { HTTPHeaders($0) } }

    /// The informational responses before the last response (RFC 9110 §15.2), in order.
    public var informationalResponses: [HTTPURLResponse] {
        guard let timeline = timelines.last else { return [] }
        let url = timeline.request?.targetURL
        return timeline.informationalResponses.map { HTTPURLResponse(url: url, head: $0) }
    }
}

extension DataResponse {
    /// The trailer fields of the response (RFC 9110 §6.5); `nil` if there were none.
    public var trailers: HTTPHeaders? { metrics?.trailers }
    /// The informational responses before the response (RFC 9110 §15.2), in order.
    public var informationalResponses: [HTTPURLResponse] { metrics?.informationalResponses ?? [] }
    /// The early hints of the server (`103`, RFC 8297), in order.
    public var earlyHints: [HTTPURLResponse] { informationalResponses.filter { $0.statusCode == 103 } }
}

extension DownloadResponse {
    /// The trailer fields of the response (RFC 9110 §6.5); `nil` if there were none.
    public var trailers: HTTPHeaders? { metrics?.trailers }
    /// The informational responses before the response (RFC 9110 §15.2), in order.
    public var informationalResponses: [HTTPURLResponse] { metrics?.informationalResponses ?? [] }
    /// The early hints of the server (`103`, RFC 8297), in order.
    public var earlyHints: [HTTPURLResponse] { informationalResponses.filter { $0.statusCode == 103 } }
}

extension Request {
    /// The trailer fields of the last response (RFC 9110 §6.5), once its content has been received; `nil` if there were
    /// none.
    public var trailers: HTTPHeaders? { lastMetrics?.trailers }

    /// Calls `handler` with each informational response (RFC 9110 §15.2) when it arrives: early hints (`103`) precede
    /// their final response.
    ///
    /// - Parameter handler: Called synchronously and must not block. Add it before the request starts.
    @discardableResult
    public func onInformationalResponse(perform handler: @escaping @Sendable (HTTPURLResponse) -> Void) -> Self {
        observeInformationalResponses(handler)
        return self
    }

    /// Calls `observe` with each informational response.
    package func observeInformationalResponses(_ observe: @escaping @Sendable (HTTPURLResponse) -> Void) {
        mutable.withLock { state in state.withHandlers { $0.observers.informationalResponse.append(observe) } }
    }

    /// Whether informational responses are observed.
    var observesInformationalResponses: Bool {
        hasHandlers && mutable.withLock { $0.handlers?.observers.informationalResponse.isEmpty == false }
    }

    /// Reports an informational response.
    func didReceiveInformational(_ response: HTTPURLResponse) {
        for observe in mutable.withLock({ $0.handlers?.observers.informationalResponse ?? [] }) { observe(response) }
    }
}
