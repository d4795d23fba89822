public import AirframeCore
internal import AirframeTransport
public import Foundation

extension Array: AlamofireExtended {}
extension Bundle: AlamofireExtended {}
extension Certificate: AlamofireExtended {}

extension AlamofireExtension where ExtendedType == [Certificate] {
    /// The certificates' bytes.
    public var data: [Data] { type.map(\.data) }

    /// The certificates' keys.
    public var publicKeys: [PublicKey] { type.map(\.publicKey) }
}

extension AlamofireExtension where ExtendedType == Certificate {
    /// The certificate's key.
    public var publicKey: PublicKey? { type.publicKey }
}

extension AlamofireExtension where ExtendedType: Bundle {
    /// The certificates of the bundle's files that end in one of ``CertificateBundle/fileExtensions``.
    public var certificates: [Certificate] {
        paths(forResourcesOfTypes: CertificateBundle.fileExtensions).flatMap { path in
            (try? CertificateBundle.certificates(inFile: path)) ?? []
        }
    }

    /// The keys of the bundle's certificates.
    public var publicKeys: [PublicKey] { certificates.af.publicKeys }

    /// The paths of the bundle's files with one of these endings.
    public func paths(forResourcesOfTypes types: [String]) -> [String] {
        Array(Set(types.flatMap { type.paths(forResourcesOfType: $0, inDirectory: nil) })).sorted()
    }
}

extension AlamofireExtension where ExtendedType == ServerTrust {
    /// The certificates up to the last that is connected by signatures.
    public var certificates: [Certificate] { type.report().authenticated }

    /// Their keys.
    public var publicKeys: [PublicKey] { certificates.af.publicKeys }

    /// Their bytes.
    public var certificateData: [Data] { certificates.af.data }

    /// Makes these certificates the only anchors of the chain.
    ///
    /// - Throws: Nothing; declared as in Alamofire.
    public func setAnchorCertificates(_ certificates: [Certificate]) throws {
        type.anchorCertificates = certificates.map(\.der)
    }

    /// Sets the only policy of ``evaluate()``.
    ///
    /// - Returns: The trust.
    /// - Throws: Nothing; declared as in Alamofire.
    public func apply(policy: ServerTrustPolicy) throws -> ServerTrust {
        type.policies = [policy]
        return type
    }

    /// Sets a policy and evaluates the trust.
    ///
    /// - Throws: The errors of ``evaluate()``.
    public func evaluate(afterApplying policy: ServerTrustPolicy) throws { try apply(policy: policy).af.evaluate() }

    /// Sets a policy and evaluates the trust.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - errorProducer: Creates the error from OpenSSL's verification result (`X509_V_ERR_…`) and the result of the
    ///     evaluation.
    /// - Throws: The error of `errorProducer` if the server is not trusted.
    public func validate(
        policy: ServerTrustPolicy,
        errorProducer: (_ status: Int32, _ result: ServerTrustResult) -> any Error
    ) throws {
        try apply(policy: policy).af.validate(errorProducer: errorProducer)
    }

    /// Evaluates by the trust's policies.
    ///
    /// - Throws: ``AFError/ServerTrustFailureReason/trustEvaluationFailed(error:)`` in an ``AFError``.
    public func evaluate() throws {
        guard let output = failure() else { return }
        throw AFError.serverTrustEvaluationFailed(
            reason: .trustEvaluationFailed(error: CertificateError(output.reason)))
    }

    /// Evaluates by the trust's policies.
    ///
    /// - Parameter errorProducer: Creates the error from OpenSSL's verification result (`X509_V_ERR_…`) and the result
    ///   of the evaluation.
    /// - Throws: The error of `errorProducer` if the server is not trusted.
    public func validate(
        errorProducer: (_ status: Int32, _ result: ServerTrustResult) -> any Error
    ) throws {
        guard let output = failure() else { return }
        throw errorProducer(output.status, output.result)
    }

    /// Throws unless the chain leads to a trusted root and is valid.
    ///
    /// - Throws: ``AFError/ServerTrustFailureReason/trustEvaluationFailed(error:)`` in an ``AFError``, with
    ///   ``AFError/ServerTrustFailureReason/defaultEvaluationFailed(output:)`` as its cause.
    public func performDefaultValidation(forHost host: String) throws {
        try type.report(forHost: host).requireChain(type)
    }

    /// Throws unless the chain and the certificate are valid for the host.
    ///
    /// - Throws: ``AFError/ServerTrustFailureReason/trustEvaluationFailed(error:)`` in an ``AFError``, with
    ///   ``AFError/ServerTrustFailureReason/hostValidationFailed(output:)`` as its cause.
    public func performValidation(forHost host: String) throws {
        try type.report(forHost: host).requireHost(type)
    }

    private func failure() -> AFError.ServerTrustFailureReason.Output? {
        for policy in type.policies {
            let report: TrustReport
            var kinds: Set<TrustReport.Finding.Kind> = [.chain, .revocation]
            switch policy {
            case .basic: report = type.report()
            case .hostname(let host):
                report = type.report(forHost: host)
                kinds.insert(.host)
            case .revocation(let options): report = RevocationCheck(options: options).report(type, host: type.host)
            }
            guard !report.findings.contains(where: { kinds.contains($0.kind) }) else {
                return report.output(type, kinds)
            }
        }
        return nil
    }
}

extension AlamofireExtension where ExtendedType == ServerTrustPolicy {
    /// The chain leads to a trusted root and is valid.
    public static var `default`: ServerTrustPolicy { .basic }

    /// As the default, and the certificate is valid for the host.
    public static func hostname(_ hostname: String) -> ServerTrustPolicy { .hostname(hostname) }

    /// No certificate is revoked.
    ///
    /// - Throws: ``AFError/ServerTrustFailureReason/revocationPolicyCreationFailed`` in an ``AFError`` if the options
    ///   contain neither OCSP nor CRLs.
    public static func revocation(options: RevocationOptions) throws -> ServerTrustPolicy {
        guard !options.isDisjoint(with: .any) else {
            throw AFError.serverTrustEvaluationFailed(reason: .revocationPolicyCreationFailed)
        }
        return .revocation(options)
    }
}

extension AFError.ServerTrustFailureReason {
    /// The pinned certificates of a pinning that failed, typed.
    public var pinnedCertificates: [Certificate]? {
        guard case .certificatePinningFailed(_, _, let pinned, _) = self else { return nil }
        return pinned.compactMap { try? Certificate(der: $0) }
    }

    /// The pinned keys of a pinning that failed, typed.
    public var pinnedKeys: [PublicKey]? {
        guard case .publicKeyPinningFailed(_, _, let pinned, _) = self else { return nil }
        return pinned.map { PublicKey(unchecked: $0) }
    }

    /// The server's certificates of a failed evaluation, typed, up to the first malformed one. Empty if the server's
    /// own is malformed.
    public var serverCertificates: [Certificate]? {
        switch cause {
        case .certificatePinningFailed(_, _, _, let server): Certificate.leading(in: server)
        case .publicKeyPinningFailed(_, let trust, _, _): Certificate.leading(in: trust.chain)
        case .defaultEvaluationFailed(let output), .hostValidationFailed(let output),
            .revocationCheckFailed(let output, _):
            Certificate.leading(in: output.trust.chain)
        default: nil
        }
    }
}
