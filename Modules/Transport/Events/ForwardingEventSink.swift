/// A sink that a layer puts before another one.
package protocol ForwardingEventSink: TransportEventSink {
    /// The sink that receives the events next.
    var next: (any TransportEventSink)? { get }
}

extension TransportRequest {
    /// Returns the first of the request's sinks that has a type, such as a protocol of what its maker provides.
    package func sink<Sink>(of type: Sink.Type) -> Sink? {
        var sink = events
        while let current = sink {
            if let found = current as? Sink { return found }
            sink = (current as? any ForwardingEventSink)?.next
        }
        return nil
    }
}
