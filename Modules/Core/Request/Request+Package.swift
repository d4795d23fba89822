package import AirframeTransport
package import Dispatch
internal import Foundation
internal import Synchronization

// Functions for the other modules of the package.

extension Request {
    /// The queue that the user named for serialization, if any.
    package var namedSerializationQueue: DispatchQueue? { context.serializationQueue }

    /// Notifies the request's monitors, if it has any.
    package func notify(_ call: (CompositeEventMonitor) -> Void) {
        if let monitors { call(monitors) }
    }
}

extension Request {
    /// Performs one attempt of a request in several exchanges, for example those of a resumable upload. Takes the
    /// request as it would be sent, and returns the response to the attempt.
    package typealias Exchanger =
        @Sendable (TransportRequest, any Transport) async throws(TransportError) -> TransportResponse

    /// Makes `exchanger` perform the attempts from now on.
    package func setExchanger(_ exchanger: @escaping Exchanger) {
        mutable.withLock { $0.withHandlers { $0.exchanger = exchanger } }
    }

    var exchanger: Exchanger? { hasHandlers ? mutable.withLock { $0.handlers?.exchanger } : nil }
}

extension Request {
    /// The clock of the request's events.
    package var transportClock: any TransportClock { context.clock }
}
