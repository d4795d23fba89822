internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

// What comes with a response beside its head and its content. The timeline of the exchange has it.

extension URLSessionTaskMetrics {
    /// The trailer fields of the last response (RFC 9110 §6.5); `nil` where there were none.
    public var trailers: HTTPHeaders? { timelines.last?.trailers.map { HTTPHeaders($0) } }

    /// The informational responses before the last response (RFC 9110 §15.2), in order.
    public var informationalResponses: [HTTPURLResponse] {
        guard let timeline = timelines.last else { return [] }
        let url = timeline.request?.targetURL
        return timeline.informationalResponses.map { HTTPURLResponse(url: url, head: $0) }
    }
}

extension DataResponse {
    /// The trailer fields of the response (RFC 9110 §6.5); `nil` where there were none.
    public var trailers: HTTPHeaders? { metrics?.trailers }
    /// The informational responses before the response (RFC 9110 §15.2), in order.
    public var informationalResponses: [HTTPURLResponse] { metrics?.informationalResponses ?? [] }
    /// The early hints of the server (`103`, RFC 8297), in order.
    public var earlyHints: [HTTPURLResponse] { informationalResponses.filter { $0.statusCode == 103 } }
}

extension DownloadResponse {
    /// The trailer fields of the response (RFC 9110 §6.5); `nil` where there were none.
    public var trailers: HTTPHeaders? { metrics?.trailers }
    /// The informational responses before the response (RFC 9110 §15.2), in order.
    public var informationalResponses: [HTTPURLResponse] { metrics?.informationalResponses ?? [] }
    /// The early hints of the server (`103`, RFC 8297), in order.
    public var earlyHints: [HTTPURLResponse] { informationalResponses.filter { $0.statusCode == 103 } }
}

extension Request {
    /// The trailer fields of the last response (RFC 9110 §6.5), once its content has been taken; `nil` where there were
    /// none.
    public var trailers: HTTPHeaders? { lastMetrics?.trailers }

    /// Calls `handler` with each informational response (RFC 9110 §15.2) as it arrives: early hints (`103`) come before
    /// the response that they are for.
    ///
    /// - Parameter handler: Called where the exchange runs: it must not block. Add it before the request starts.
    @discardableResult
    public func onInformationalResponse(perform handler: @escaping @Sendable (HTTPURLResponse) -> Void) -> Self {
        observeInformationalResponses(handler)
        return self
    }

    /// Calls `observe` with each informational response.
    package func observeInformationalResponses(_ observe: @escaping @Sendable (HTTPURLResponse) -> Void) {
        mutable.withLock { state in state.withHandlers { $0.observers.informationalResponse.append(observe) } }
    }

    /// Whether somebody is told of informational responses.
    var observesInformationalResponses: Bool {
        hasHandlers && mutable.withLock { $0.handlers?.observers.informationalResponse.isEmpty == false }
    }

    /// Tells of an informational response.
    func didReceiveInformational(_ response: HTTPURLResponse) {
        for observe in mutable.withLock({ $0.handlers?.observers.informationalResponse ?? [] }) { observe(response) }
    }
}
