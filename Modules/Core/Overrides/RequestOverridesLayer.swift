internal import AirframeLayers
internal import AirframeTransport
internal import Foundation

/// Applies the overrides of a single request next to the engine: another engine, another resolver, limits on the rates
/// of its transfers.
///
/// The layer is beneath all others, so that each exchange of a request passes through it.
struct RequestOverridesLayer: SelectiveLayer {
    let base: any Transport

    func mustPerform(_ request: TransportRequest) -> Bool {
        guard request.hasValues else { return false }
        return request[RequestOverride.Engine.self] != nil || request[RequestOverride.Resolver.self] != nil
            || request[TransferRates.self] != TransferRates.defaultValue
    }

    func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        let engine = request[RequestOverride.Engine.self] ?? base
        if let resolver = request[RequestOverride.Resolver.self] { try await resolve(&request, resolver) }
        let rates = request[TransferRates.self].effective
        if let upload = rates.upload { request.body = request.body.paced(at: upload, clock: clock) }
        var response = try await send(request, through: engine, rates)
        if rates.download != nil || rates.minimum != nil, response.stream == nil {
            let body = response.body
            response.body = ResponseBody(
                PacedResponse(body, rates, origin: Origin(request.head), clock: clock),
                expectedLength: body.expectedLength)
        }
        return response
    }

    private func send(
        _ request: TransportRequest,
        through engine: any Transport,
        _ rates: TransferRates
    ) async throws(TransportError) -> TransportResponse {
        guard let minimum = rates.minimumUpload, !request.body.isNone else { return try await engine.send(request) }
        return try await WatchedExchange().send(request, through: engine, above: minimum)
    }

    func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection {
        guard request.hasValues else { return try await base.prepare(request) }
        var request = request
        if let resolver = request[RequestOverride.Resolver.self] { try await resolve(&request, resolver) }
        return try await (request[RequestOverride.Engine.self] ?? base).prepare(request)
    }

    /// Asks a resolver for the addresses of the request's host.
    private func resolve(_ request: inout TransportRequest, _ resolver: any NameResolver) async throws(TransportError) {
        guard let origin = Origin(request.head), request.options.unixSocketPath == nil else { return }
        let known = request.options.resolveOverrides ?? []
        guard !known.contains(where: { $0.host.lowercased() == origin.host && $0.port == origin.port }) else { return }
        let addresses: [String]
        do {
            addresses = try await resolver.addresses(of: origin.host)
            guard !addresses.isEmpty else {
                throw NameResolutionError(host: origin.host, message: "the resolver of the request found no address")
            }
        } catch {
            throw failure(error, origin)
        }
        let override = ResolveOverride(host: origin.host, port: origin.port, addresses: addresses)
        request.options.resolveOverrides = known + [override]
    }

    private func failure(_ error: any Error, _ origin: Origin) -> TransportError {
        guard !(error is CancellationError), !Task.isCancelled else {
            return .cancelled(in: .resolve, processing: .notSent, origin: origin)
        }
        return TransportError(
            .nameResolutionFailed,
            phase: .resolve,
            processing: .notSent,
            message: "the name \(origin.host) has no address",
            origin: origin,
            libraryMessage: (error as? NameResolutionError)?.message ?? "\(error)",
            underlying: error
        )
    }
}
