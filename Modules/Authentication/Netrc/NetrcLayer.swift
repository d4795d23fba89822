public import AirframeTransport
internal import HTTPTypes

/// Gives requests the credentials of a netrc file, for a server's challenges.
///
/// The layer belongs above the authentication layer, which sends the credential when the server asks for it. Each hop
/// of a redirect gets the entry of its own host. A request with a credential or an `Authorization` field of its own
/// keeps that, and one that left such a field behind at another origin gets none.
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

    /// Nothing: the credential went with the request.
    public func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool { false }

    /// Returns the response.
    public func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse { response }

    /// Sends `request` with the credential of its host.
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
