internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// The fields `Content-Digest` and `Repr-Digest` (RFC 9530), with the hash of a content or of a whole representation.
enum DigestField {
    static let content = "Content-Digest"
    static let representation = "Repr-Digest"
    static let wanted = "Want-Repr-Digest"

    /// The value of `Want-Repr-Digest` (RFC 9530 §4).
    static let preferences = "sha-512=3, sha-256=10"

    /// Returns the strongest hash in a field; `nil` if the field has no secure hash or is malformed. Such a field is
    /// ignored.
    static func checksum(_ name: String, in fields: HTTPFields) -> TransferChecksum? {
        guard let name = HTTPField.Name(name) else { return nil }
        let text = fields[values: name].joined(separator: ", ")
        guard !text.isEmpty, let dictionary = try? StructuredFieldParser.dictionary(text) else { return nil }
        for algorithm in [TransferChecksum.Algorithm.sha512, .sha256] {
            guard case .item(let item) = dictionary[algorithm.rawValue], case .bytes(let bytes) = item.value,
                bytes.count == algorithm.byteCount
            else { continue }
            return TransferChecksum(algorithm, bytes: bytes)
        }
        return nil
    }

    /// Returns the value of the field for a hash.
    static func value(_ checksum: TransferChecksum) -> String {
        "\(checksum.algorithm.rawValue)=:\(checksum.bytes.base64EncodedString()):"
    }
}
