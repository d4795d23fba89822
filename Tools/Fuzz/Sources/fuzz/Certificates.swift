internal import AirframeCore
internal import AirframeSecurity
internal import AirframeTransport
internal import Foundation

/// Parses the bytes as a certificate, a list, or a file of certificates, and prints all properties. Encoding the result
/// must restore the bytes.
@_cdecl("fuzzCertificates")
func fuzzCertificates(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    if let list = try? CertificateRevocationList(der: DER(bytes)) { _ = (list.description, list.nextUpdate) }
    _ = CertificateBundle.certificates(in: Data(bytes))
    guard let certificate = try? Certificate(der: DER(bytes)) else { return 0 }
    _ = (certificate.subjectAlternativeNames, certificate.keyUsage, certificate.extendedKeyUsages)
    _ = (certificate.basicConstraints, certificate.nameConstraints, certificate.policies)
    _ = (certificate.crlDistributionPoints, certificate.ocspResponders, certificate.issuerLocations)
    _ = (certificate.malformedExtensions, certificate.publicKey.description, certificate.fingerprint)
    _ = (certificate.signedCertificateTimestamps, certificate.mustStaple, certificate.description)
    let again = try? Certificate(pem: certificate.pem)
    hold(again == certificate, "another certificate in PEM:\n\(certificate)")
    hold(!"\(certificate.subject)\(certificate.issuer)".contains("\n"), "a name with a line's end in it")
    return 0
}

/// Parses the bytes as a chain: certificates, each preceded by two bytes of length. None of them leads to a root.
@_cdecl("fuzzChains")
func fuzzChains(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    var rest = Array(UnsafeBufferPointer(start: data, count: count))[...]
    var chain: [DER] = []
    while rest.count >= 2 {
        let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
        chain.append(DER(Array(rest.prefix(length))))
        rest = rest.dropFirst(length)
    }
    let trust = ServerTrust(chain: chain, host: "localhost")
    for profile in [ChainPolicy.Profile.compatible, .strict] {
        let report = trust.report(policy: ChainPolicy(roots: .certificates([]), profile: profile))
        hold(!report.isTrusted, "trusted without any root:\n\(report)")
        // A built path has no certificate twice.
        hold(report.authenticated.count <= chain.count, "more certificates than there were:\n\(report)")
    }
    return 0
}

/// Uses the bytes as the evidence sent with a certificate that requires a stapled response. No input can forge one.
@_cdecl("fuzzEvidence")
func fuzzEvidence(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let server else {
        hold(false, "the chain of the fuzz target cannot be read")
        return 0
    }
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let trust = ServerTrust(
        chain: [server.leaf.der],
        host: "localhost",
        stapledOCSPResponse: DER(bytes),
        signedCertificateTimestampList: bytes,
        evaluationDate: server.leaf.notBefore.addingTimeInterval(3600)
    )
    _ = trust.signedCertificateTimestamps
    for evaluator in server.evaluators {
        let isTrusted = (try? evaluator.evaluate(trust, forHost: "localhost")) != nil
        hold(!isTrusted, "\(type(of: evaluator)) trusts forged evidence")
    }
    return 0
}

/// A server whose certificate requires a stapled response (RFC 7633), and evaluators that require one, or timestamps.
private struct Server {
    let leaf: Certificate
    let evaluators: [any ServerTrustEvaluating]

    init() throws {
        let found = PEM.blocks(in: chain).compactMap { try? Certificate(der: $0.der) }
        guard found.count == 2 else { throw CertificateError("the chain of the fuzz target cannot be read") }
        leaf = found[0]
        let policy = ChainPolicy.trusting([found[1]])
        let log = TransparencyLog(name: "a", operator: "a", key: found[1].publicKey)
        evaluators = [
            RevocationTrustEvaluator(options: .ocsp, policy: policy),
            CertificateTransparencyTrustEvaluator(
                logs: [log],
                minimumTimestamps: 1,
                minimumOperators: 1,
                policy: policy
            ),
        ]
    }
}

private let server = try? Server()

private let chain = """
    -----BEGIN CERTIFICATE-----
    MIIB9TCCAZugAwIBAgIUaTCKJE0BejyUth5F0hC2ehfISQowCgYIKoZIzj0EAwIw
    JTEjMCEGA1UEAwwaU2VjdXJpdHkgVGVzdCBJbnRlcm1lZGlhdGUwHhcNMjYxMTIx
    MDcyNTQ3WhcNMjYxMjIyMDcyNTQ3WjAWMRQwEgYDVQQDDAttdXN0LXN0YXBsZTBZ
    MBMGByqGSM49AgEGCCqGSM49AwEHA0IABH3470qJwr2LCIzA7bkP1hjVbhxN8SX0
    LEjAw7q/aj7ROoWtB/4hGNZGvK+j5qhRKXxVWLmGJF6c1lAuyuvWQNKjgbcwgbQw
    DAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUH
    AwEwHQYDVR0OBBYEFP6y0SmIO3TZMaEQ7QfK5sSakRQEMB8GA1UdIwQYMBaAFCgn
    tFTbO5OFDeWn6JsYKiiwkzB3MCwGA1UdEQQlMCOCCWxvY2FsaG9zdIcEfwAAAYcQ
    AAAAAAAAAAAAAAAAAAAAATARBggrBgEFBQcBGAQFMAMCAQUwCgYIKoZIzj0EAwID
    SAAwRQIgYU/MMkN86GsHCmhFOWUUTKMEk69GuqL9SSAx6GlpjIYCIQD1V/Y1v4CW
    CiCAzE6348CjebvQB+Ji4WBy6mPnkBSVCg==
    -----END CERTIFICATE-----
    -----BEGIN CERTIFICATE-----
    MIIBqDCCAU2gAwIBAgIUTZKqIEQ4E8m2zYO4CIJUg0SfqzkwCgYIKoZIzj0EAwIw
    HTEbMBkGA1UEAwwSU2VjdXJpdHkgVGVzdCBSb290MB4XDTI2MTEyMTA3MjU0N1oX
    DTI2MTIyMjA3MjU0N1owJTEjMCEGA1UEAwwaU2VjdXJpdHkgVGVzdCBJbnRlcm1l
    ZGlhdGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARkZRzqyUSsN0eAgne14XYb
    011/3Bs/UlYzPF+37PcVgQaTvWZFDa1G0o60cy1GF7rS/PTklINlzvueBA5qqQth
    o2MwYTAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4EFgQU
    KCe0VNs7k4UN5afomxgqKLCTMHcwHwYDVR0jBBgwFoAU9d2Vmwy7maYU+XttdQa1
    R+ZLRr8wCgYIKoZIzj0EAwIDSQAwRgIhAJ6mLcwe0Vu6gp9TkWcS41lsIOX8QL06
    7/4vFHqYbr2WAiEAzT6XM9a6WAtM9rCBJDcEYC2S/JSXD7gMnweirQVF39g=
    -----END CERTIFICATE-----
    """
