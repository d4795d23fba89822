/// A sink that provides the credential of a request, which may be set while the request is in flight.
package protocol LateCredential: TransportEventSink {
    /// The credential that answers challenges, with the origin of the first request.
    var credential: HTTPCredential? { get }
}

extension TransportRequest {
    /// The credential that the request's maker has set by now; `nil` if there is none.
    package var lateCredential: HTTPCredential? { sink(of: (any LateCredential).self)?.credential }
}
