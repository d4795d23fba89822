internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// `Content-Digest` and `Repr-Digest` (RFC 9530): which hash a content, or a whole representation, has.
enum DigestField {
    static let content = "Content-Digest"
    static let representation = "Repr-Digest"
    static let wanted = "Want-Repr-Digest"

    /// The preferences of a client that can check both (RFC 9530 §4).
    static let preferences = "sha-512=3, sha-256=10"

    /// The strongest hash that a field names; `nil` when it names none that is secure, or breaks the grammar. Such a
    /// field says nothing about the bytes.
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

    /// The field's value for a hash.
    static func value(_ checksum: TransferChecksum) -> String {
        "\(checksum.algorithm.rawValue)=:\(checksum.bytes.base64EncodedString()):"
    }
}
