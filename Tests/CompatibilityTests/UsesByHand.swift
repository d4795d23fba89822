import Airframe
import AirframeCore
import AirframeEncoding
import AirframeSecurity
import Foundation

/// Uses of the symbols for which Tools/compatibility writes none. Nothing calls them: that they compile is the test.
enum UsesByHand {
    static func use(_ certificates: [Certificate], _ certificate: Certificate, _ bundle: Bundle) {
        _ = certificates.af.data
        _ = certificates.af.publicKeys
        _ = certificate.af.publicKey
        _ = bundle.af.certificates
        _ = bundle.af.publicKeys
        _ = bundle.af.paths(forResourcesOfTypes: ["pem"])
    }

    static func use(_ trust: ServerTrust, _ policy: ServerTrustPolicy) throws {
        _ = trust.af.certificates
        _ = trust.af.publicKeys
        _ = trust.af.certificateData
        try trust.af.setAnchorCertificates([])
        _ = try trust.af.apply(policy: policy)
        try trust.af.evaluate(afterApplying: policy)
        try trust.af.validate(policy: policy) { _, _ in AFError.explicitlyCancelled }
        try trust.af.evaluate()
        try trust.af.validate { _, _ in AFError.explicitlyCancelled }
        try trust.af.performDefaultValidation(forHost: "api.test")
        try trust.af.performValidation(forHost: "api.test")
    }

    static func usePolicies(_ result: ServerTrustResult) throws {
        _ = ServerTrustPolicy.af.default
        _ = ServerTrustPolicy.af.hostname("api.test")
        _ = try ServerTrustPolicy.af.revocation(options: .any)
        _ = result.af.isSuccess
        _ = URLSessionConfiguration.af.default
        _ = URLSessionConfiguration.af.ephemeral
    }

    /// A switch over all cases, which are Alamofire's.
    static func use(_ uploadable: UploadRequest.Uploadable) -> String {
        switch uploadable {
        case .data(let data): "\(data.count) bytes"
        case .file(let url, let shouldRemove): "\(url.path), \(shouldRemove ? "removed" : "kept")"
        case .stream(let stream): "stream, status \(stream.streamStatus.rawValue)"
        }
    }

    /// Two methods with the same name and different return types.
    static func use(_ encoder: URLEncodedFormEncoder, _ value: some Encodable) throws {
        let _: Data = try encoder.encode(value)
        let _: String = try encoder.encode(value)
    }
}
