internal import AirframeTransport
internal import HTTPTypes

/// Reads the origin from a request head.
enum RequestAddress {
    /// Returns the origin of `head`.
    ///
    /// - Throws: ``TransportError/Code/unsupportedScheme`` or ``TransportError/Code/invalidRequest``.
    static func origin(of head: HTTPRequest) throws(TransportError) -> Origin {
        guard let scheme = head.scheme?.lowercased(), !scheme.isEmpty else {
            throw invalid("the request has no scheme")
        }
        guard scheme == "http" || scheme == "https" else {
            throw TransportError(
                .unsupportedScheme,
                phase: .options,
                processing: .notSent,
                message: "the socket engine supports the schemes http and https, not \(scheme)"
            )
        }
        guard let authority = head.authority, !authority.isEmpty else {
            throw invalid("the request has no authority (host)")
        }
        guard let origin = Origin(scheme: scheme, authority: authority) else {
            throw invalid("the request's authority is malformed: \(Redaction.invalidURL(authority))")
        }
        if let fault = origin.hostFault { throw invalid(fault) }
        return origin
    }

    private static func invalid(_ message: String) -> TransportError {
        TransportError(.invalidRequest, phase: .options, processing: .notSent, message: message)
    }
}
