internal import Foundation

/// Adds an `Idempotency-Key` field, so that a server can tell a retry from a second request
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// The key is made once for each ``Request`` and stays the same for all its attempts. A request that has the field
/// already keeps it. ``RetryPolicy`` retries requests with a key as it does those with an idempotent method.
///
/// ```swift
/// let interceptor = Interceptor(interceptors: [IdempotencyKeyInterceptor(), RetryPolicy()])
/// ```
public struct IdempotencyKeyInterceptor: RequestInterceptor {
    /// The form of the field's value.
    public enum Form: Sendable, Hashable {
        /// A quoted string, as in the draft: a structured field (RFC 9651 §3.3.3).
        case structuredField
        /// The key alone, for servers that take the value literally.
        case plain
    }

    /// The methods of the requests that get a key.
    public let methods: Set<HTTPMethod>
    /// The form of the field's value.
    public let form: Form

    // Keys are derived from identifiers, which can be guessed: the salt makes the keys secret and unique.
    private let salt: (UInt64, UInt64)

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - methods: The methods of the requests that get a key: those that are not idempotent by default.
    ///   - form: The form of the field's value.
    public init(methods: Set<HTTPMethod> = [.post, .patch], form: Form = .structuredField) {
        self.methods = methods
        self.form = form
        var source = SystemRandomNumberGenerator()
        salt = (source.next(), source.next())
    }

    /// Adds the key of the request.
    public func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        guard urlRequest.method.map(methods.contains) ?? false, urlRequest.headers[Self.fieldName] == nil else {
            return completion(.success(urlRequest))
        }
        let key = key(for: state.requestID)
        var urlRequest = urlRequest
        urlRequest.headers.add(name: Self.fieldName, value: form == .plain ? key : "\"\(key)\"")
        completion(.success(urlRequest))
    }

    /// Returns 122 bits as a UUID of version 8 (RFC 9562 §5.8).
    private func key(for identifier: UUID) -> String {
        var bytes = [UInt8]()
        for (index, half) in [salt.0, salt.1].enumerated() {
            // SipHash with a random key of the process.
            var hasher = Hasher()
            hasher.combine(salt.0)
            hasher.combine(salt.1)
            hasher.combine(index)
            hasher.combine(identifier)
            let word = UInt64(bitPattern: Int64(hasher.finalize())) ^ half
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let groups: [Range<Int>] = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return groups.map { digits[$0].joined() }.joined(separator: "-")
    }

    static let fieldName = "Idempotency-Key"
}

extension RequestInterceptor where Self == IdempotencyKeyInterceptor {
    /// Adds an `Idempotency-Key` to requests with `POST` and `PATCH`.
    public static var idempotencyKey: IdempotencyKeyInterceptor { IdempotencyKeyInterceptor() }
}
