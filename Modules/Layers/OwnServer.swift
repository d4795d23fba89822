internal import AirframeTransport

/// Whether a request has its own engine or resolver. Another server may then answer it than the session's requests for
/// the same URL.
package enum OwnServer: TransportRequestKey {
    package static var defaultValue: Bool { false }
}
