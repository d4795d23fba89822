internal import AirframeLayers
internal import AirframeTransport
internal import Foundation

/// Does what a single request asks for next to the engine: another engine, another resolver, limits on the rate of
/// transfer.
///
/// It is beneath all other layers, so that each exchange of a request passes it.
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
        var response = try await engine.send(request)
        if rates.download != nil || rates.minimum != nil, response.stream == nil {
            let body = response.body
            response.body = ResponseBody(
                PacedResponse(body, rates, clock: clock), expectedLength: body.expectedLength)
        }
        return response
    }

    func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool { false }

    func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse { response }

    func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection {
        guard request.hasValues else { return try await base.prepare(request) }
        var request = request
        if let resolver = request[RequestOverride.Resolver.self] { try await resolve(&request, resolver) }
        return try await (request[RequestOverride.Engine.self] ?? base).prepare(request)
    }

    /// Has a resolver find the addresses of the request's host.
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
