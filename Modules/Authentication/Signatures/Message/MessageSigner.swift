public import AirframeTransport
public import FoundationEssentials
internal import HTTPTypes

/// Signs requests with HTTP message signatures (RFC 9421).
///
/// ```swift
/// let key = try SignatureKey("my-key", .ed25519, privateKey: pem)
/// let signer = MessageSigner(key, covering: [.method, .targetURI, "content-digest"])
/// let transport = SigningLayer(SocketTransport(), signer: signer) { $0.host == "api.test" }
/// ```
public struct MessageSigner: RequestSigner {
    /// The key.
    public let key: SignatureKey
    /// The covered components, in order.
    public let components: [SignatureComponent]
    /// The signature's name among the signatures of a message.
    public let label: String
    /// A tag that identifies the application (RFC 9421 §2.3).
    public let tag: String?
    /// The lifetime of the signature in seconds; `nil` for no limit.
    public let lifetime: Int?
    /// Whether the signature names its algorithm. Verifiers that know the key do not need it.
    public let namesAlgorithm: Bool

    private let makeNonce: (@Sendable () -> String)?

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - components: The covered components, in order. `content-digest` and `content-length` are added to the request
    ///     when they are covered and missing.
    ///   - label: The signature's name among the signatures of a message.
    ///   - tag: A tag that identifies the application.
    ///   - lifetime: The lifetime of the signature in seconds; `nil` for no limit.
    ///   - namesAlgorithm: Whether the signature names its algorithm.
    ///   - nonce: Returns a value that is used once; `nil` for signatures without one.
    public init(
        _ key: SignatureKey,
        covering components: [SignatureComponent],
        label: String = "sig1",
        tag: String? = nil,
        lifetime: Int? = nil,
        namesAlgorithm: Bool = false,
        nonce: (@Sendable () -> String)? = nil
    ) {
        self.key = key
        self.components = components
        self.label = label
        self.tag = tag
        self.lifetime = lifetime
        self.namesAlgorithm = namesAlgorithm
        makeNonce = nonce
    }

    /// Adds `Signature-Input` and `Signature`, in addition to signatures that the request has already.
    ///
    /// - Throws: ``MessageSignatureError``; errors of reading the body for its digest.
    public func sign(_ request: inout TransportRequest, at date: Date) async throws {
        let names = components.map(\.name)
        if names.contains("content-digest"), !request.head.headerFields.contains(ContentDigest.name) {
            request.head.headerFields[ContentDigest.name] = try await ContentDigest.value(of: request.body)
        }
        if names.contains("content-length"), !request.head.headerFields.contains(.contentLength),
            let length = request.body.length
        {
            request.head.headerFields[.contentLength] = "\(length)"
        }
        let base = try SignatureBase(components, parameters(at: date), of: .request(request.head))
        try request.head.headerFields.addSignature(label, base.input, try key.sign(base.text))
    }

    private func parameters(at date: Date) -> StructuredParameters {
        let created = Int(date.timeIntervalSince1970)
        var parameters: StructuredParameters = ["created": .integer(created)]
        if let lifetime { parameters["expires"] = .integer(created.addingReportingOverflow(lifetime).partialValue) }
        parameters["keyid"] = .string(key.identifier)
        if namesAlgorithm { parameters["alg"] = .string(key.algorithm.rawValue) }
        if let makeNonce { parameters["nonce"] = .string(makeNonce()) }
        if let tag { parameters["tag"] = .string(tag) }
        return parameters
    }
}

extension HTTPField.Name {
    static let signature = HTTPField.Name("Signature") ?? .authorization
    static let signatureInput = HTTPField.Name("Signature-Input") ?? .authorization
}

extension HTTPFields {
    /// Adds a signature to the dictionaries of both fields (RFC 9421 §4).
    fileprivate mutating func addSignature(
        _ label: String,
        _ input: StructuredMember,
        _ signature: Data
    ) throws(MessageSignatureError) {
        try addMember(label, input, to: .signatureInput)
        try addMember(label, .item(StructuredItem(.bytes(signature))), to: .signature)
    }

    private mutating func addMember(
        _ key: String,
        _ member: StructuredMember,
        to name: HTTPField.Name
    ) throws(MessageSignatureError) {
        do throws(StructuredFieldError) {
            var dictionary = try StructuredFieldParser.dictionary(self[values: name].joined(separator: ", "))
            dictionary[key] = member
            self[name] = dictionary.serialized
        } catch {
            throw .malformed("\(name) is \(error)")
        }
    }
}
