public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// Verifies the signatures of responses (RFC 9421 §3.2).
public struct MessageVerifier: Sendable {
    /// A signature that was verified.
    public struct Signature: Sendable {
        /// Its name among the signatures of the message.
        public let label: String
        /// The components that it covers, in order. Other components are not authenticated.
        public let components: [SignatureComponent]
        /// Its parameters, such as `created`, `keyid` and `tag`.
        public let parameters: StructuredParameters
    }

    /// The components that each signature has to cover.
    public let requiredComponents: [SignatureComponent]
    /// The highest age of a signature, in seconds.
    public let maximumAge: Int

    /// The tolerated difference between clocks, in seconds.
    private static let clockSkew = 60

    private let findKey: @Sendable (String) -> SignatureKey?

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - requiredComponents: The components that each signature has to cover. A signature proves nothing else.
    ///   - maximumAge: The highest age of a signature, in seconds.
    ///   - key: Returns the key of a `keyid`, or `nil` for one that is not trusted.
    public init(
        requiring requiredComponents: [SignatureComponent],
        maximumAge: Int = 300,
        key: @escaping @Sendable (String) -> SignatureKey?
    ) {
        self.requiredComponents = requiredComponents
        self.maximumAge = maximumAge
        findKey = key
    }

    /// Verifies a signature of a response.
    ///
    /// - Parameters:
    ///   - head: The response's head.
    ///   - request: The request that it answers, for components with `;req`.
    ///   - trailers: The response's trailers, for components with `;tr`.
    ///   - label: The signature's name; `nil` for the first one with a known key.
    ///   - date: The time of verification.
    /// - Returns: The signature and the components that it covers. Content is covered through `content-digest`; see
    ///   ``ContentDigest/verify(_:against:)``.
    /// - Throws: ``MessageSignatureError``.
    public func verify(
        _ head: HTTPResponse,
        to request: HTTPRequest? = nil,
        trailers: HTTPFields? = nil,
        label: String? = nil,
        at date: Date = Date()
    ) throws(MessageSignatureError) -> Signature {
        try verify(.response(head, request: request, trailers: trailers), head.headerFields, label, date)
    }

    /// Verifies a signature of a request.
    func verify(
        _ head: HTTPRequest,
        label: String? = nil,
        at date: Date
    ) throws(MessageSignatureError) -> Signature {
        try verify(.request(head), head.headerFields, label, date)
    }

    private func verify(
        _ message: SignedMessage,
        _ fields: HTTPFields,
        _ label: String?,
        _ date: Date
    ) throws(MessageSignatureError) -> Signature {
        let inputs = try dictionary(.signatureInput, fields)
        let signatures = try dictionary(.signature, fields)
        let labels = label.map { [$0] } ?? inputs.pairs.map(\.key)
        for label in labels {
            guard let member = inputs[label] else { continue }
            guard case .innerList(let items, let parameters) = member, case .item(let item) = signatures[label],
                case .bytes(let signature) = item.value
            else { throw .malformed("\(label) is not in both fields with the right types (RFC 9421 §4)") }
            guard case .string(let identifier) = parameters["keyid"], let key = findKey(identifier) else { continue }
            let components = items.map(SignatureComponent.init)
            try check(parameters, key, date)
            for required in requiredComponents where !components.contains(required) {
                throw .uncoveredComponent(required.description)
            }
            let base = try SignatureBase(components, parameters, of: message)
            guard try key.verify(signature, of: base.text) else { throw .mismatch(label: label) }
            return Signature(label: label, components: components, parameters: parameters)
        }
        throw .missingSignature(label ?? "with a known key")
    }

    private func dictionary(
        _ name: HTTPField.Name,
        _ fields: HTTPFields
    ) throws(MessageSignatureError) -> StructuredDictionary {
        do throws(StructuredFieldError) {
            return try StructuredFieldParser.dictionary(fields[values: name].joined(separator: ", "))
        } catch {
            throw .malformed("\(name) is \(error)")
        }
    }

    private func check(
        _ parameters: StructuredParameters,
        _ key: SignatureKey,
        _ date: Date
    ) throws(MessageSignatureError) {
        if let named = parameters["alg"], named != .string(key.algorithm.rawValue) {
            throw .unusableKey("\(key) is not for the algorithm \(named.serialized)")
        }
        let now = Int(date.timeIntervalSince1970)
        guard case .integer(let created) = parameters["created"] else {
            throw .expired("it lacks the parameter created")
        }
        // Integers of structured fields have at most 15 digits: no sum overflows.
        guard created <= now + Self.clockSkew else { throw .expired("it was created in the future") }
        guard now - created <= maximumAge else {
            throw .expired("it is \(now - created) s old, and \(maximumAge) s are allowed")
        }
        if case .integer(let expires) = parameters["expires"], expires < now {
            throw .expired("it expired \(now - expires) s ago")
        }
    }
}
