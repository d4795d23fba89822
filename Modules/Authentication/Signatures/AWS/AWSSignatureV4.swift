public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// AWS Signature Version 4, which Amazon Web Services and compatible servers (MinIO, Ceph, …) require.
///
/// The signature covers the method, the path, the query, most header fields and the content. It is an HMAC-SHA256 under
/// a key derived from the secret access key, the day, the region and the service.
public struct AWSSignatureV4: RequestSigner {
    /// Whether the signature covers the content.
    public enum ContentSigning: Sendable, Hashable {
        /// The content is hashed before it is sent. A body that can be read only once fails the request.
        case signed
        /// The content is not covered (`UNSIGNED-PAYLOAD`). S3 accepts this over TLS.
        case unsigned
    }

    /// The service's name in the credential scope, such as `s3`.
    public let service: String
    /// The region, such as `us-east-1`.
    public let region: String
    /// Whether the signature covers the content.
    public let contentSigning: ContentSigning
    /// Whether the signature covers the session token. One service (IoT) requires that it is added afterwards.
    public let signsSessionToken: Bool

    private let credentials: @Sendable () async throws -> AWSCredentials

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - service: The service's name in the credential scope, such as `s3`.
    ///   - region: The region, such as `us-east-1`.
    ///   - contentSigning: Whether the signature covers the content.
    ///   - signsSessionToken: Whether the signature covers the session token.
    ///   - credentials: Returns the credentials; called for each request, so that they can rotate.
    public init(
        service: String,
        region: String,
        contentSigning: ContentSigning = .signed,
        signsSessionToken: Bool = true,
        credentials: @escaping @Sendable () async throws -> AWSCredentials
    ) {
        self.service = service
        self.region = region
        self.contentSigning = contentSigning
        self.signsSessionToken = signsSessionToken
        self.credentials = credentials
    }

    /// Adds `X-Amz-Date`, `Authorization`, for S3 `X-Amz-Content-SHA256`, and the session token if there is one.
    ///
    /// - Parameters:
    ///   - request: The request to sign.
    ///   - date: The time of signing.
    /// - Throws: The errors of the provider of credentials; ``TransportError/Code/bodyNotReplayable`` for content that
    ///   can be read only once, if the signature covers it; ``TransportError/Code/bodyFailed`` for content that cannot
    ///   be read; an error that names a function that libcrypto lacks.
    public func sign(_ request: inout TransportRequest, at date: Date) async throws {
        let credentials = try await credentials()
        let scope = AWSScope(date: date, region: region, service: service)
        request.head.headerFields[.amzDate] = scope.timestamp
        if signsSessionToken, let token = credentials.sessionToken { setToken(token, &request) }
        let contentHash: String
        switch contentSigning {
        case .signed: contentHash = try await ContentHash.bytes(of: request.body, .sha256).hexadecimal
        case .unsigned: contentHash = AWSCanonicalRequest.unsignedContent
        }
        if isS3 || contentSigning == .unsigned { request.head.headerFields[.amzContentSHA256] = contentHash }
        let canonical = AWSCanonicalRequest(request.head, contentHash: contentHash, encodesPathTwice: !isS3)
        let signature = try scope.signature(of: canonical, secret: credentials.secretAccessKey)
        request.head.headerFields[.authorization] =
            "\(AWSScope.algorithm) Credential=\(credentials.accessKeyID)/\(scope.text), "
            + "SignedHeaders=\(canonical.signedFields), Signature=\(signature)"
        if !signsSessionToken, let token = credentials.sessionToken { setToken(token, &request) }
    }

    /// Returns a request target that carries its signature: a URL that grants access for a limited time.
    ///
    /// - Parameters:
    ///   - head: Method, scheme, authority and path of the request that the URL is for. Fields of the head have to be
    ///     sent with the request as they are.
    ///   - lifetime: How long the URL is valid, in seconds; at most seven days (604,800).
    ///   - date: The time of signing.
    /// - Returns: The path with the query that carries the signature.
    /// - Throws: Errors of the provider of credentials, or an error that names a function that libcrypto lacks.
    public func presignedPath(for head: HTTPRequest, lifetime: Int, at date: Date = Date()) async throws -> String {
        let credentials = try await credentials()
        let scope = AWSScope(date: date, region: region, service: service)
        var head = head
        let fields = AWSCanonicalRequest.signedFields(of: head)
        var query = [
            ("X-Amz-Algorithm", AWSScope.algorithm),
            ("X-Amz-Credential", "\(credentials.accessKeyID)/\(scope.text)"),
            ("X-Amz-Date", scope.timestamp),
            ("X-Amz-Expires", "\(lifetime)"),
            ("X-Amz-SignedHeaders", fields),
        ]
        if let token = credentials.sessionToken, signsSessionToken { query.append(("X-Amz-Security-Token", token)) }
        let path = head.path ?? "/"
        let separator = path.contains("?") ? "&" : "?"
        let added = query.map { "\($0.0)=\(AWSCanonicalRequest.encode($0.1))" }.joined(separator: "&")
        head.path = path + separator + added
        let contentHash =
            isS3 ? AWSCanonicalRequest.unsignedContent : try HashFunction.sha256.hash(Data()).hexadecimal
        let canonical = AWSCanonicalRequest(head, contentHash: contentHash, encodesPathTwice: !isS3)
        let signature = try scope.signature(of: canonical, secret: credentials.secretAccessKey)
        var result = "\(head.path ?? "/")&X-Amz-Signature=\(signature)"
        if let token = credentials.sessionToken, !signsSessionToken {
            result += "&X-Amz-Security-Token=\(AWSCanonicalRequest.encode(token))"
        }
        return result
    }

    /// S3 expects paths unchanged; other services expect them normalized and encoded twice.
    private var isS3: Bool { service == "s3" }

    private func setToken(_ token: String, _ request: inout TransportRequest) {
        request.head.headerFields[.amzSecurityToken] = token
    }
}

extension HTTPField.Name {
    // The names are valid tokens; a failed conversion would leave the field out and the signature invalid.
    fileprivate static var amzDate: HTTPField.Name { name("X-Amz-Date") }
    fileprivate static var amzContentSHA256: HTTPField.Name { name("X-Amz-Content-SHA256") }
    fileprivate static var amzSecurityToken: HTTPField.Name { name("X-Amz-Security-Token") }

    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .authorization }
}
