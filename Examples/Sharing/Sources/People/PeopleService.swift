import Foundation
import HTTPClient

/// A person of the service.
public struct Person: Codable, Sendable {
    /// The number of the person.
    public let id: Int
    /// The name of the person.
    public let name: String
}

/// A service for people, the same on iOS and on Linux.
public struct PeopleService: Sendable {
    private let session: Session
    private let base: URL

    /// Creates a client of the service at `base`.
    ///
    /// - Parameters:
    ///   - base: The URL of the service.
    ///   - pins: The certificates in DER of which the service must present one; empty for the system's rules.
    ///   - token: The bearer token of requests.
    public init(base: URL, pins: [Data] = [], token: String? = nil) {
        self.base = base
        session = Session(
            configuration: .af.default,
            interceptor: Interceptor(adapters: [TokenAdapter(token: token)], retriers: [RetryPolicy(retryLimit: 2)]),
            serverTrustManager: Self.trust(pins, host: base.host ?? ""),
            eventMonitors: [RequestCounter.shared]
        )
    }

    /// Returns the people of the service.
    public func people() async throws -> [Person] {
        try await session.request(base.appendingPathComponent("people"))
            .validate()
            .serializingDecodable([Person].self)
            .value
    }

    /// Uploads a photo of a person.
    public func upload(_ photo: Data, of person: Person) async throws {
        let url = base.appendingPathComponent("people/\(person.id)/photo")
        _ = try await session.upload(
            multipartFormData: { $0.append(photo, withName: "photo", fileName: "photo.jpg", mimeType: "image/jpeg") },
            to: url
        )
        .validate()
        .serializingData(emptyResponseCodes: [200, 204])
        .value
    }

    /// Pins certificates with Security's names, which AirframeAppleNames has on Linux.
    private static func trust(_ pins: [Data], host: String) -> ServerTrustManager? {
        let certificates = pins.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        guard !certificates.isEmpty else { return nil }
        return ServerTrustManager(evaluators: [host: PinnedCertificatesTrustEvaluator(certificates: certificates)])
    }
}

/// Adds the token to each request.
private struct TokenAdapter: RequestAdapter {
    let token: String?

    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping (Result<URLRequest, any Error>) -> Void
    ) {
        var adapted = urlRequest
        if let token { adapted.headers.update(.authorization(bearerToken: token)) }
        completion(.success(adapted))
    }
}
