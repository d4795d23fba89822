package import HTTPTypes

extension HTTPField.Name {
    /// Whether a request's trailer section may contain the field (RFC 9110 §6.5.1).
    ///
    /// A recipient may merge trailer fields into the header fields or drop them. Fields that frame or route the
    /// message, modify the request, authenticate, or describe the content are therefore forbidden there.
    package var isAllowedInRequestTrailers: Bool { !Self.refusedInTrailers.contains(canonicalName) }

    private static let refusedInTrailers: Set<String> = [
        // Framing, routing and the connection.
        "connection", "content-length", "host", "http2-settings", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade", "via",
        // Request modifiers: controls and conditionals.
        "cache-control", "expect", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "max-forwards", "pragma", "prefer", "range",
        // Authentication and state.
        "authorization", "cookie", "cookie2", "proxy-authenticate", "proxy-authorization", "set-cookie", "set-cookie2",
        "www-authenticate",
        // The content's format.
        "content-encoding", "content-language", "content-location", "content-range", "content-type",
    ]
}

extension HTTPFields {
    /// The error message for the first field that a request's trailer section must not contain; `nil` if there is none.
    package var trailerFault: String? {
        for field in self {
            guard field.name.isAllowedInRequestTrailers else {
                return "the field \(field.name) cannot be a trailer (RFC 9110 §6.5.1)"
            }
        }
        return nil
    }
}
