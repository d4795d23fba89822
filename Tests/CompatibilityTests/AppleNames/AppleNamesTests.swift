import Airframe
import AirframeAppleNames
import Foundation
import Testing

/// Pinning code as on Apple's platforms.
@Suite("Apple's names", .timeLimit(.minutes(1)))
struct AppleNamesTests {
    private static let certificateURL = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("SecurityTests/Corpus/certificates/revocable-leaf.der")

    @Test("a certificate is created from data, and its key has Security's external representation")
    func certificates() throws {
        let data = try Data(contentsOf: Self.certificateURL)
        let certificate = try #require(SecCertificateCreateWithData(nil, data as CFData))
        #expect(SecCertificateCopyData(certificate) as Data == data)
        #expect(SecCertificateCopySubjectSummary(certificate) != nil)
        let key = try #require(SecCertificateCopyKey(certificate))
        var error: CFError?
        let bits = try #require(SecKeyCopyExternalRepresentation(key, &error) as Data?)
        // The bit string is the end of the SubjectPublicKeyInfo: pinning code puts a header before it.
        #expect(key.der.bytes.suffix(bits.count).elementsEqual(bits) && bits.count < key.der.bytes.count)
        #expect(SecCertificateCreateWithData(kCFAllocatorDefault, Data([1, 2, 3]) as CFData) == nil)
    }

    @Test("a trust is evaluated by policies and anchors")
    func trust() throws {
        let data = try Data(contentsOf: Self.certificateURL)
        let certificate = try #require(SecCertificateCreateWithData(nil, data as CFData))
        var trust: SecTrust?
        let policy = SecPolicyCreateSSL(true, "other.test" as CFString)
        #expect(SecTrustCreateWithCertificates(certificate, policy, &trust) == errSecSuccess)
        let made = try #require(trust)
        var error: CFError?
        #expect(!SecTrustEvaluateWithError(made, &error))
        #expect(error?.domain == NSOSStatusErrorDomain)
        #expect(SecTrustSetAnchorCertificates(made, [certificate] as CFArray) == errSecSuccess)
        #expect(SecTrustSetAnchorCertificatesOnly(made, true) == errSecSuccess)
        #expect(SecTrustGetCertificateAtIndex(made, 0) == certificate)
        #expect((SecTrustCopyCertificateChain(made) as? [SecCertificate])?.first == certificate)
    }

    @Test("no trust is created from policies with nil among them, which would drop the check of the host")
    func unusablePolicies() throws {
        let data = try Data(contentsOf: Self.certificateURL)
        let certificate = try #require(SecCertificateCreateWithData(nil, data as CFData))
        let host = SecPolicyCreateSSL(true, "other.test" as CFString)
        let unusable: [CFTypeRef] = [[host as Any, SecPolicyCreateRevocation(0) as Any], [SecPolicy](), "policy"]
        for policies in unusable {
            var trust: SecTrust?
            #expect(SecTrustCreateWithCertificates(certificate, policies, &trust) == errSecParam)
            #expect(trust == nil)
        }
        var trust: SecTrust?
        #expect(SecTrustCreateWithCertificates(certificate, nil, &trust) == errSecSuccess)
        #expect(trust != nil)
    }

    @Test("an evaluator takes a SecTrust")
    func evaluator() throws {
        struct Pinning: ServerTrustEvaluating {
            let pins: [SecCertificate]

            func evaluate(_ trust: SecTrust, forHost host: String) throws {
                SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, host as CFString)).check()
                guard let leaf = SecTrustGetCertificateAtIndex(trust, 0), pins.contains(leaf) else {
                    throw AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound)
                }
            }
        }
        let certificate = try Certificate(der: DER(Array(Data(contentsOf: Self.certificateURL))))
        let trust = ServerTrust(certificates: [certificate], host: "api.test")
        try Pinning(pins: [certificate]).evaluate(trust, forHost: "api.test")
        #expect(throws: AFError.self) { try Pinning(pins: []).evaluate(trust, forHost: "api.test") }
    }

    @Test("reachability flags and network paths have their names")
    func reachability() {
        let flags: SCNetworkReachabilityFlags = [.reachable, .isDirect]
        #expect(flags.contains(.reachable) && !flags.contains(.connectionRequired))
        let kind = NWInterface.InterfaceType.wifi
        #expect(kind == .wifi)
    }
}

extension OSStatus {
    fileprivate func check() { #expect(self == errSecSuccess) }
}
