public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// `Content-Digest`: the hash of a message's content, so that damage and tampering are noticed (RFC 9530 §2).
public enum ContentDigest {
    /// An algorithm that is still considered secure (RFC 9530 §5).
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        /// SHA-256.
        case sha256 = "sha-256"
        /// SHA-512.
        case sha512 = "sha-512"

        var function: HashFunction { self == .sha256 ? .sha256 : .sha512 }
    }

    /// The field's name.
    public static let name = HTTPField.Name("Content-Digest") ?? .contentType

    /// Returns the field's value for `body`, which is read for it.
    ///
    /// - Throws: ``TransportError/Code/bodyNotReplayable`` for content that can be read only once;
    ///   ``TransportError/Code/bodyFailed`` for content that cannot be read.
    public static func value(of body: RequestBody, _ algorithm: Algorithm = .sha256) async throws -> String {
        let hash = try await ContentHash.bytes(of: body, algorithm.function)
        var dictionary = StructuredDictionary()
        dictionary[algorithm.rawValue] = .item(StructuredItem(.bytes(Data(hash))))
        return dictionary.serialized
    }

    /// Checks the content of a message against its digests. Digests of unknown or insecure algorithms are ignored.
    ///
    /// - Parameters:
    ///   - data: The content as it was transferred, before content codings are decoded.
    ///   - fields: The message's fields.
    /// - Returns: Whether there was a digest to check.
    /// - Throws: ``MessageSignatureError/digestMismatch(algorithm:)``, or ``MessageSignatureError/malformed(_:)``.
    @discardableResult
    public static func verify(_ data: Data, against fields: HTTPFields) throws -> Bool {
        let text = fields[values: name].joined(separator: ", ")
        guard !text.isEmpty else { return false }
        let dictionary: StructuredDictionary
        do {
            dictionary = try StructuredFieldParser.dictionary(text)
        } catch {
            throw MessageSignatureError.malformed("Content-Digest is \(error)")
        }
        var wasChecked = false
        for algorithm in Algorithm.allCases {
            guard let member = dictionary[algorithm.rawValue] else { continue }
            guard case .item(let item) = member, case .bytes(let expected) = item.value else {
                throw MessageSignatureError.malformed("the \(algorithm.rawValue) digest is not a byte sequence")
            }
            guard try Data(algorithm.function.hash(data)) == expected else {
                throw MessageSignatureError.digestMismatch(algorithm: algorithm.rawValue)
            }
            wasChecked = true
        }
        return wasChecked
    }
}
