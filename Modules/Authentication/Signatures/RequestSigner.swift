public import AirframeTransport
public import FoundationEssentials

/// Signs requests: adds fields that prove a request's sender and its integrity.
public protocol RequestSigner: Sendable {
    /// Adds the signature to `request`.
    ///
    /// - Parameters:
    ///   - request: The request as it will be sent. Fields that are added later are not covered.
    ///   - date: The time of signing.
    /// - Throws: Any error; the request fails with ``TransportError/Code/authenticationFailed`` and the error beneath
    ///   it.
    func sign(_ request: inout TransportRequest, at date: Date) async throws
}

/// Signs each request to certain origins.
///
/// The layer belongs directly above the engine: every hop of a redirect and every retry gets a new signature, and no
/// layer beneath changes a signed request.
///
/// ```swift
/// let signer = AWSSignatureV4(service: "s3", region: "eu-central-1") { credentials }
/// let transport = SigningLayer(SocketTransport(), signer: signer) { $0.host.hasSuffix(".amazonaws.com") }
/// ```
public struct SigningLayer: TransportLayer {
    /// The transport beneath.
    public let base: any Transport

    private let signer: any RequestSigner
    private let now: @Sendable () -> Date
    private let shouldSign: @Sendable (Origin) -> Bool

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport beneath.
    ///   - signer: The signer.
    ///   - now: The time of signing; the system's by default.
    ///   - shouldSign: Returns whether requests to an origin are signed. A redirect may lead to any origin, so accept
    ///     only origins that may receive a signature.
    public init(
        _ base: any Transport,
        signer: any RequestSigner,
        now: @escaping @Sendable () -> Date = { Date() },
        where shouldSign: @escaping @Sendable (Origin) -> Bool
    ) {
        self.base = base
        self.signer = signer
        self.now = now
        self.shouldSign = shouldSign
    }

    /// Signs `request` if its origin is one of the layer's, and sends it.
    ///
    /// - Throws: ``TransportError/Code/authenticationFailed`` when the request cannot be signed;
    ///   ``TransportError/Code/bodyNotReplayable`` when a signature covers a body that can be read only once.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let origin = Origin(request.head), shouldSign(origin) else { return try await base.send(request) }
        var signed = request
        do {
            try await signer.sign(&signed, at: now())
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(
                .authenticationFailed,
                phase: .layer,
                processing: .notSent,
                message: "the request cannot be signed: \(error)",
                origin: origin,
                underlying: error
            )
        }
        return try await base.send(signed)
    }
}
