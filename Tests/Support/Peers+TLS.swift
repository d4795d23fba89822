public import AirframeTransport
internal import Foundation

extension Peers {
    /// The root that the peers' certificates lead to.
    public static var roots: TrustRoots {
        get throws { .pemFile(path: try required().path("root")) }
    }

    /// The bytes of a PEM file of the peers' PKI, block by block.
    public static func der(_ file: String) throws -> [DER] {
        let text = try String(contentsOfFile: "\(try required().path("pki"))/\(file)", encoding: .utf8)
        return text.components(separatedBy: "-----BEGIN ").dropFirst().compactMap { block in
            let lines = block.split(separator: "\n").dropFirst().prefix { !$0.hasPrefix("-----END") }
            return Data(base64Encoded: lines.joined()).map { DER(Array($0)) }
        }
    }
}
