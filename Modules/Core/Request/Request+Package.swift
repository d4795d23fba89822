package import AirframeTransport
package import Dispatch
internal import Foundation
internal import Synchronization

// What the other modules of the package may do with a request.

extension Request {
    /// The queue that the user named for serialization, if any.
    package var namedSerializationQueue: DispatchQueue? { context.serializationQueue }

    /// Tells the request's monitors something, if it has any.
    package func notify(_ tell: (CompositeEventMonitor) -> Void) {
        if let monitors { tell(monitors) }
    }
}

extension Request {
    /// Carries out one attempt of a request in as many exchanges as it takes: an upload that is resumed, for one. It gets
    /// the request as it would be sent, and returns the response that the request is to have.
    package typealias Exchanger =
        @Sendable (TransportRequest, any Transport) async throws(TransportError) -> TransportResponse

    /// Has attempts carried out by `exchanger` from now on.
    package func setExchanger(_ exchanger: @escaping Exchanger) {
        mutable.withLock { $0.withHandlers { $0.exchanger = exchanger } }
    }

    var exchanger: Exchanger? { hasHandlers ? mutable.withLock { $0.handlers?.exchanger } : nil }
}

extension Request {
    /// The clock that the request's events are on.
    package var transportClock: any TransportClock { context.clock }
}
