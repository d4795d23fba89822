public import AirframeTransport
internal import HTTPTypes
internal import Synchronization

extension MockTransport: UpgradingTransport {
    /// The mock itself, unless its configuration says that it cannot upgrade.
    public var upgrading: (any UpgradingTransport)? {
        configuration.features.contains(.upgrade) ? self : nil
    }

    /// Sends `request` and returns the stream that a route opens by ``Reply/upgrade(to:headers:_:)``, or the response
    /// of one that does not.
    ///
    /// Deadline and limits end with the response's head. The exchange is over when the stream is closed or dropped.
    ///
    /// - Throws: What ``send(_:)`` throws; ``TransportError/Code/invalidRequest`` for a request that asks for no upgrade, or
    ///   has a body.
    public func upgrade(_ request: TransportRequest) async throws(TransportError) -> UpgradeResult {
        var request = request
        request.options = configuration.defaultOptions.merging(request.options)
        return try await Exchange(request, on: self, isUpgrade: true).upgrade()
    }
}

extension Exchange {
    /// Sends the request; returns the stream, or the response of a server that declines.
    func upgrade() async throws(TransportError) -> UpgradeResult {
        let response = try await run()
        guard let serve = progress.withLock({ $0.serve }) else { return .declined(response) }
        return .upgraded(head: response.head, stream: MockStream(self, serve), connection: response.connection)
    }

    /// Refuses requests that come by the wrong door.
    func checkDoor() throws(TransportError) {
        let asks = request.head.headerFields.contains(.upgrade) || request.head.method == .connect
        switch isUpgrade {
        case true where !asks:
            throw error(.invalidRequest, "the request has no Upgrade field, and its method is not CONNECT")
        case true where !request.body.isNone:
            throw error(.invalidRequest, "a request for an upgrade has no body")
        default: return
        }
    }
}
