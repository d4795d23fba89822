public import AirframeTransport
internal import HTTPTypes

/// Adds the credentials of a netrc file to requests, for a server's challenges.
///
/// The layer belongs above the authentication layer, which sends the credential when the server challenges. Each hop of
/// a redirect gets the entry of its host. A request keeps its own credential or `Authorization` field, and a request
/// that dropped such a field when a redirect changed the origin gets no credential.
///
/// ```swift
/// if let netrc = try Netrc.ofUser() {
///     configuration.layers.insert(above: .authentication) { NetrcLayer($0, netrc) }
/// }
/// ```
public struct NetrcLayer: SelectiveLayer {
    /// The transport beneath.
    public let base: any Transport
    /// The credentials.
    public let netrc: Netrc

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport beneath, with an authentication layer around the engine.
    ///   - netrc: The credentials.
    public init(_ base: any Transport, _ netrc: Netrc) {
        self.base = base
        self.netrc = netrc
    }

    /// Whether the file has an entry for the request.
    public func mustPerform(_ request: TransportRequest) -> Bool { credential(for: request) != nil }

    /// Sends `request` with the credential of its host.
    ///
    /// - Throws: The errors of the transport beneath.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        request[RequestCredential.self] = credential(for: request)
        return try await base.send(request)
    }

    private func credential(for request: TransportRequest) -> HTTPCredential? {
        guard !request.head.headerFields.contains(.authorization), request[RequestCredential.self] == nil,
            !request[OwnCredentialOnly.self], let origin = Origin(request.head),
            let entry = netrc.entry(for: origin.host)
        else { return nil }
        return HTTPCredential(user: entry.login, password: entry.password, origin: origin)
    }
}
