package import AirframeTransport
package import Dispatch
internal import Foundation

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
    /// The clock that the request's events are on.
    package var transportClock: any TransportClock { context.transport.clock }
}
