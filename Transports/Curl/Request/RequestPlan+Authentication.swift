internal import AirframeTransport
internal import AirframeWire
internal import HTTPTypes

extension RequestPlan {
    /// Returns the handshake for a request, or `nil` when the request has none for `origin`.
    ///
    /// - Throws: ``TransportError/Code/unsupportedOption`` where libcurl cannot perform the handshake,
    ///   ``TransportError/Code/invalidRequest`` for a request that brings an `Authorization` field as well.
    static func authentication(
        of request: TransportRequest,
        origin: Origin,
        route: ProxyRoute
    ) throws(TransportError) -> ConnectionAuthentication? {
        guard let authentication = request.options.connectionAuthentication, authentication.origin == origin else {
            return nil
        }
        let scheme = authentication.scheme
        guard CurlLibrary.connectionSchemes.contains(scheme) else {
            throw unsupported("this libcurl was built without \(scheme.rawValue)", origin)
        }
        guard !route.forwards(to: origin) else {
            throw unsupported(
                "\(scheme.rawValue) authenticates a connection to the server, and the proxy forwards requests for "
                    + "\(origin) over its own: set tunnelsAlways of the proxy, or use https",
                origin
            )
        }
        guard !request.head.headerFields.contains(.authorization) else {
            throw invalid("the request has an Authorization field and asks for \(scheme.rawValue)", origin)
        }
        guard !authentication.user.utf8.contains(0), !authentication.password.utf8.contains(0) else {
            throw invalid("the user's name or password for \(scheme.rawValue) contains NUL", origin)
        }
        return authentication
    }

    /// The path and query of the URL, as the request line has them.
    var pathAndQuery: String {
        let authority = url.utf8.dropFirst(origin.isSecure ? "https://".utf8.count : "http://".utf8.count)
        return String(Substring(authority.drop { $0 != UInt8(ascii: "/") }))
    }
}
