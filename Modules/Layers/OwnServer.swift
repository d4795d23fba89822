internal import AirframeTransport

/// Whether a request has an engine or a resolver of its own, so that another server may answer it than the session's
/// requests for the same URL.
package enum OwnServer: TransportRequestKey {
    package static var defaultValue: Bool { false }
}
